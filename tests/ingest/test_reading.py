"""Tables: rows with their lines, broken rows with a reason, broken files with a sentence."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import UnreadableFile
from ingest.reading import files, json_files
from ingest.reading.row import LocatedRow
from ingest.reading.settings import Limits
from tests.environment import tries

DATA = Path(__file__).parents[1] / "data" / "ingest"


def read(path: Path, limits: Limits | None = None) -> list[tuple[int, str]]:
    """Line, and id or reason."""
    return [
        (located.line, str(located.row["id"]) if isinstance(located.row, dict) else str(located.reason))
        for located in files.rows(path, limits=limits)
    ]


def test_csv() -> None:
    first, second, *rest = files.rows(DATA / "mixed.csv")
    row = {
        "id": "m:1",
        "title": "View of Venice",
        "creator": "Canaletto",
        "subject": "canal|boat",
        "date": "1740",
    }
    assert (first.line, first.row) == (2, row)
    assert second.line == 3
    assert isinstance(second.row, dict)
    assert second.row["title"] == "A long title,\r\nover two lines"
    assert [(located.line, located.reason) for located in rest] == [
        (5, None),
        (6, None),
        (7, "3 cells where the header names 5 columns"),
        (8, "not UTF-8; save the file as UTF-8"),
        (10, None),
    ]


def test_one_cell_is_no_plural(tmp_path: Path) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("id,title\na\n")
    assert [located.reason for located in files.rows(path)] == ["1 cell where the header names 2 columns"]


def test_blanks_before_an_array_are_bounded() -> None:
    chunks = iter([b" " * 1000] * 50)
    with pytest.raises(UnreadableFile, match=r"^line 1: an element is longer than 0 MiB$"):
        list(json_files.elements(chunks, 10_000))
    assert len(list(chunks)) == 39  # eleven were read


@pytest.mark.parametrize("key", ["collection", "items"])
def test_a_list_in_a_later_record_is_no_array_of_records(tmp_path: Path, key: str) -> None:
    path = tmp_path / "lines.json"
    records = [{"id": f"a:{number}", "title": "x" * 90} for number in range(15)]
    path.write_text("\n".join(map(json.dumps, [*records, {"id": "b", key: ["Prints"]}])))
    assert [located.row for located in files.rows(path)] == [*records, {"id": "b", key: ["Prints"]}]


def test_tsv() -> None:
    assert [
        isinstance(located.row, dict) and located.row["title"] for located in files.rows(DATA / "plain.tsv")
    ] == ["One, with a comma", "Quoted"]


def test_an_open_quote_costs_its_row(tmp_path: Path) -> None:
    path = tmp_path / "quote.csv"
    path.write_text('id,title\n0,"x, y"\na,"x"y\nb,fine\nc,"open\n')
    first, (line, reason), second, (last, ending) = read(path)
    assert (first, line, second, last) == ((2, "0"), 3, (4, "b"), 5)
    assert reason.startswith("not a sound row")
    assert ending.startswith("not a sound row")


def test_json_lines() -> None:
    results = read(DATA / "mixed.jsonl")
    assert [line for line, _ in results] == [1, 2, 3, 5, 6, 7]
    assert [message.split(":")[0] for _, message in results[1:4]] == [
        "not sound JSON",
        "not a JSON object",
        "not UTF-8; save the file as UTF-8",
    ]


def test_json_array() -> None:
    results = read(DATA / "mixed.json")
    assert [line for line, _ in results] == [1, 3, 4, 5]
    assert [message.split(":")[0] for _, message in results] == [
        "m",
        "not sound JSON",
        "not a JSON object",
        "m",
    ]


@pytest.mark.parametrize("name", ["mixed.csv", "plain.tsv", "mixed.jsonl", "mixed.json"])
def test_a_gzipped_file_reads_like_the_plain_one(name: str, tmp_path: Path) -> None:
    packed = tmp_path / (name + ".gz")
    packed.write_bytes(gzip.compress((DATA / name).read_bytes()))
    assert list(files.rows(packed)) == list(files.rows(DATA / name))


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.doc", b"", "no known format"),
        ("a.jsonl.gz", b"{}", "no sound gzip file"),
        ("a.csv", b"", "the file is empty"),
        ("a.csv", b"\xff\xfe\n", "in UTF-8"),
        ("a.json", b"1", "no array of objects"),
        ("a.json", b"[]", "holds no record"),
        ("a.jsonl", b"", "holds no record"),
        ("a.xml", b"<objects/>", "holds no record"),
        ("a.json", b" ", "holds no JSON array"),
        ("a.json", b"[{}] {}", "behind the end"),
    ],
)
def test_an_unreadable_file_says_why(name: str, content: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=sentence):
        list(files.rows(tmp_path / name))


def test_a_missing_file_and_a_directory_say_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        list(files.rows(tmp_path / "none.csv"))
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UnreadableFile, match="is a directory"):
        list(files.rows(tmp_path / "folder.csv"))


def test_the_rows_before_the_damage_are_given(tmp_path: Path) -> None:
    rows = files.rows(DATA / "cut.json")
    assert next(rows).row == {"id": "m:1", "title": "a"}
    with pytest.raises(UnreadableFile, match="line 2: the file is cut short"):
        next(rows)
    lines = b"".join(b'{"id": "%032x"}\n' % (number * 7919**7) for number in range(20_000))
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(lines)[:-5000])
    given: list[LocatedRow] = []
    with pytest.raises(UnreadableFile, match="cut short"):
        given.extend(files.rows(path))
    assert len(given) > 1000


def test_progress_tells_the_place_in_the_raw_file(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 1}\n' * 5000))
    positions: list[int] = []
    assert len(list(files.rows(path, positions.append))) == 5000
    assert positions == sorted(positions)
    assert positions[-1] == path.stat().st_size


def test_a_line_without_end_is_not_kept_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text('{"id": "' + "x" * 4500 + '"}\n{"id": "short"}\n')
    (line, reason), second = read(path, Limits(record=1000))
    assert line == 1
    assert reason.startswith("longer than")
    assert second == (2, "short")


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_a_line_of_a_table_that_is_too_long_costs_its_row(suffix: str, tmp_path: Path) -> None:
    mark = "," if suffix == ".csv" else "\t"
    endless = "x" * (2 * Limits().record + 5)
    path = tmp_path / f"long{suffix}"
    path.write_text(f'id{mark}title\na{mark}{endless}\nb{mark}fine\n"c{mark}\n{endless}\nd{mark}fine\n')
    (line, reason), second, (several, _), last = read(path)
    assert (line, second, several, last) == (2, (3, "b"), 4, (6, "d"))
    assert reason.startswith("longer than 4 MiB")
    path.write_text(f"\ufeffid{mark}{endless}\n")
    with pytest.raises(UnreadableFile, match="line 1: the header is longer than 4 MiB"):
        list(files.rows(path))


def test_a_cell_may_be_as_long_as_a_line(tmp_path: Path) -> None:
    path = tmp_path / "cell.csv"
    path.write_text(f"id,title\na,{'x' * 200_000}\n")
    (row,) = files.rows(path)
    assert row.row == {"id": "a", "title": "x" * 200_000}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@tries(50)
@given(
    st.lists(st.dictionaries(st.text(), json_values, max_size=3), max_size=4),
    st.integers(1, 9),
    st.booleans(),
)
def test_an_array_is_cut_alike_wherever_the_chunks_end(
    rows: list[dict[str, object]], chunk: int, indent: bool
) -> None:
    text = json.dumps(rows, ensure_ascii=False, indent=1 if indent else None).encode()
    chunks = [text[start : start + chunk] for start in range(0, len(text), chunk)]
    cut = list(json_files.elements(chunks, 1 << 20))
    assert [json.loads(data) for _, data in cut] == rows
    lines = text.split(b"\n")
    assert all(lines[line - 1].lstrip().startswith((data.split(b"\n")[0], b"[")) for line, data in cut)
