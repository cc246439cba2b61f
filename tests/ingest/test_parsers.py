"""Whatever bytes come, every reader gives rows, reasons or an error of ours; what was written comes back."""

import csv
import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from lxml import etree

from ingest.entries import Notes, entries
from ingest.errors import RejectedRow
from ingest.mapping import Mapping, Source
from ingest.reading import edm, files, json_paths
from ingest.reading.inputs import SUFFIXES
from ingest.reading.row import CellRow, Json, TextPaths
from ingest.reading.settings import FileSettings, Limits
from ingest.reading.tables import dialect
from ingest.reading.xml import XmlRecord
from ingest.values import entity_address, has_html, plain_name, without_html
from tests.environment import PATIENCE, tries

DATA = Path(__file__).parents[1] / "data" / "museums"
WHOLE = {path.name: path.read_bytes() for path in sorted(DATA.iterdir()) if path.suffix in SUFFIXES}
LIMITS = Limits(record=20_000, seconds=PATIENCE)
MAPPING = Mapping.model_validate({"id": {"column": "id"}, "title": {"column": "title"}})
FORMS = [
    Mapping.model_validate({"read": read, "id": {"column": "id"}, "title": {"column": "title"}})
    for read in ({}, {"form": "edm"}, {"records": "lido:lido"}, {"records": "a.b"})
]
quick = tries(60, HealthCheck.function_scoped_fixture)

_SPECIAL = (
    '<a b="c">',
    "</a>",
    "<![CDATA[",
    "]]>",
    "&amp;",
    "<?x?>",
    '{"',
    '":',
    "[",
    "]",
    "}",
    ",",
    ";",
    "\t",
    '"',
    "\n",
)
_SPECIAL_BYTES = [text.encode() for text in _SPECIAL] + [
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"PK\x03\x04",
    b"\x1f\x8b",
]
rubbish = st.lists(st.sampled_from(_SPECIAL_BYTES) | st.binary(max_size=12), max_size=40).map(b"".join)


def _json(numbers: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    return st.recursive(
        st.none() | st.booleans() | st.integers() | numbers | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["@id", "@value", "@type", "proxies", "a.b", "x"]) | st.text(max_size=4),
                inner,
            )
        ),
        max_leaves=8,
    )


json_values = _json(st.floats())
json_sound = _json(st.floats(allow_nan=False, allow_infinity=False))


def read(path: Path, mapping: Mapping = MAPPING) -> None:
    """Read a file; any error but those of ours fails the test."""
    for entry in entries([path], mapping, LIMITS, Notes(), lambda _: None):
        assert entry.file.startswith(str(path))


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".csv.gz", ".xml.gz", ".zip", ".tar", ".tgz"])
@quick
@given(data=rubbish, form=st.sampled_from(FORMS))
def test_any_bytes(suffix: str, tmp_path: Path, data: bytes, form: Mapping) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    read(path, form)


@pytest.mark.parametrize("name", WHOLE)
@quick
@given(data=st.data())
def test_any_damage_to_a_sound_file(name: str, tmp_path: Path, data: st.DataObject) -> None:
    whole = WHOLE[name]
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    path = tmp_path / name
    path.write_bytes(whole[:start] + data.draw(rubbish) + whole[end:])
    read(path, data.draw(st.sampled_from(FORMS)))


_printable = st.text(
    st.characters(exclude_categories=["C", "Z"], include_characters=" "), min_size=1, max_size=20
)


@quick
@given(name=_printable, data=rubbish, tar=st.booleans())
def test_any_name_in_an_archive(tmp_path: Path, name: str, data: bytes, tar: bool) -> None:
    path = tmp_path / ("a.tar" if tar else "a.zip")
    if tar:
        info = tarfile.TarInfo(f"{name}.csv")
        info.size = len(data)
        with tarfile.open(path, "w") as archive:
            archive.addfile(info, io.BytesIO(data))
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(f"{name}.csv", data)
    read(path)


_cells = st.text(st.characters(codec="latin-1", categories=["L", "N", "P", "Zs"]), max_size=12).map(str.strip)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
@quick
@given(
    rows=st.lists(st.lists(_cells, min_size=3, max_size=3), min_size=3, max_size=8),
    separator=st.sampled_from(",;\t|"),
)
def test_a_table_comes_back_as_it_was_written(
    encoding: str, tmp_path: Path, rows: list[list[str]], separator: str
) -> None:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=csv.QUOTE_ALL)
    writer.writerows([["nr", "name of it", "what"], *rows])
    path = tmp_path / "a.csv"
    path.write_bytes(out.getvalue().encode(encoding))
    reading = FileSettings(encoding=encoding, separator=separator)
    rows_read = [
        list(located.row.values())
        for located in files.rows(path, reading=reading)
        if isinstance(located.row, dict)
    ]
    assert rows_read == rows
    if encoding.startswith("utf"):
        detected = [
            list(located.row.values()) for located in files.rows(path) if isinstance(located.row, dict)
        ]
        assert detected == rows


@quick
@given(sample=st.text(max_size=300))
def test_any_sample_has_a_dialect(sample: str) -> None:
    assert dialect(sample, FileSettings(), ",").separator in ",;\t|"


@quick
@given(
    row=st.dictionaries(st.text(max_size=4), json_values, max_size=4),
    path=st.text(max_size=12),
    split=st.booleans(),
)
def test_any_path_into_any_object(row: CellRow, path: str, split: bool) -> None:
    source = Source(
        column=path, text="x", entity="@id", split="|" if split else None, strip_html=True, name=True
    )
    for each in (source, Source(column=path), Source(column=path, by_language=True)):
        try:
            texts = each.texts(row)
        except RejectedRow:
            continue
        assert all(texts)
    leaves = list(json_paths.leaves(row))
    assert all(isinstance(text, str) for _, text in leaves)


@quick
@given(
    row=st.dictionaries(
        st.text("abc.[]", min_size=1, max_size=4), st.text(min_size=1), min_size=1, max_size=4
    )
)
def test_the_path_of_a_text_leads_to_it(row: CellRow) -> None:
    for path, text in json_paths.leaves({"a b": row}):
        assert [text_read.text for text_read in json_paths.take({"a b": row}, TextPaths(path))] == [text]


@quick
@given(graph=st.lists(json_values, max_size=4), content=json_values)
def test_any_graph_is_rows(graph: list[Json], content: Json) -> None:
    documents: list[CellRow] = [
        {"@graph": graph},
        {"proxies": graph, "agents": content, "aggregations": content},
        {"object": content},
    ]
    for document in documents:
        rows = edm.from_json(document)
        assert rows
        assert all("@id" in row for row in rows)


@quick
@given(
    text=st.text(max_size=60)
    | st.lists(st.sampled_from(["<p>", "</p>", "<", ">", "&amp;", "x", " ", "<script>"])).map("".join)
)
def test_any_text_goes_through_the_steps(text: str) -> None:
    assert (without_html(text) != text) >= has_html(text)
    assert bool(plain_name(text)) == bool(text)


@quick
@given(
    behind=st.lists(
        st.sampled_from([" (1840-1902)", ", 1840-", " (painter)", " [Dutch]", ", c. 1840", " geb. 1840"]),
        max_size=4,
    ).map("".join)
)
def test_a_name_loses_all_that_stands_behind_it(behind: str) -> None:
    assert plain_name(f"Reed, Ada{behind}") == "Ada Reed"


@quick
@given(
    start=st.sampled_from(
        ["", "wd:", "wikidata:", "https://m.wikidata.org/entity/", "https://m.wikidata.org/wiki/"]
    ),
    number=st.integers(1, 10**9),
    around=st.sampled_from(["", " ", "\n"]),
)
def test_a_thing_has_one_address(start: str, number: int, around: str) -> None:
    one = f"http://www.wikidata.org/entity/Q{number}"
    assert entity_address(f"{around}{start}Q{number}{around}") == entity_address(one) == one


@quick
@given(
    texts=st.lists(
        st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=10), min_size=1, max_size=4
    )
)
def test_texts_of_xml_come_back(texts: list[str]) -> None:
    record = etree.Element("object")
    for text in texts:
        etree.SubElement(record, "title").text = text
    assert [extracted.text for extracted in XmlRecord(record).take(TextPaths("title"))] == texts
    assert [text for _, text in XmlRecord(record).leaves()] == texts


@pytest.mark.parametrize(
    "wrapper",
    [
        '{"@context": {"a": "b"}, "@graph": %s}',
        '{"items": %s}',
        '{"a": {"b": 1}, "items": %s, "c": [1]}',
        '{"response": {"docs": %s}}',
        "%s",
    ],
)
@quick
@given(rows=st.lists(st.dictionaries(st.text(max_size=4), json_sound, max_size=3), min_size=1, max_size=4))
def test_json_in_its_wrappers_comes_back(wrapper: str, tmp_path: Path, rows: list[CellRow]) -> None:
    path = tmp_path / "a.json"
    path.write_text(wrapper % json.dumps(rows, allow_nan=False))
    assert [located.row for located in files.rows(path)] == rows


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(Maître in 1756)", "(Maître in 1756)"),
        ("Tiffany & Co., New York", "Tiffany & Co., New York"),
        ("Meissen Manufactory, Meissen", "Meissen Manufactory, Meissen"),
        ("Anonymous, Greek", "Anonymous, Greek"),
        ("Sèvres, France", "Sèvres, France"),
        ("Amand,Thomas", "Amand,Thomas"),
        ("London, Jack (1876-1916)", "Jack London"),
    ],
)
def test_no_place_and_no_half_of_a_bracket_comes_into_a_name(text: str, name: str) -> None:
    assert plain_name(text) == name
