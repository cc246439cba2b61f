"""Tables as museums save them: titles above the header, repeated headings, old line ends, wrong encodings."""

from pathlib import Path
from string import ascii_uppercase

import pytest

from ingest.entries import Notes, entries
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.record import Record
from tests.ingest.hostile import cell, workbook, zipped

PLAIN = {"id": {"column": "id"}, "title": {"column": "title"}, "creator": {"column": "creator"}}


def read(path: Path, **more: object) -> tuple[list[Record], str]:
    """The records of a file, and how it was read."""
    notes = Notes()
    mapping = Mapping.model_validate(PLAIN | more)
    records = [entry.content for entry in entries([path], mapping, Limits(), notes, lambda _: None)]
    assert not notes.damaged
    assert all(isinstance(record, Record) for record in records)
    return [record for record in records if isinstance(record, Record)], " ".join(notes.read_as())


def written(folder: Path, text: str) -> Path:
    path = folder / "objects.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("skip", [0, 2])
def test_lines_above_the_header_are_left(tmp_path: Path, skip: int) -> None:
    text = "Objects, 2024\n\nid;title;creator\n1;View;Ada\n2;Mill;Tom\n"
    records, how = read(written(tmp_path, text), read={"skip": skip})
    assert [record.id for record in records] == ["1", "2"]
    assert "2 lines above the header left" in how


def test_lines_above_the_header_may_have_as_many_separators(tmp_path: Path) -> None:
    text = "Objects of the museum;;\nprinted 2024;;\n\nid;title;creator\n1;View;Ada\n2;Mill;\n"
    records, how = read(written(tmp_path, text))
    assert [(record.id, record.label) for record in records] == [("1", "View"), ("2", "Mill")]
    assert "3 lines above the header left" in how


def test_a_table_of_one_column_has_no_lines_above_it(tmp_path: Path) -> None:
    records, how = read(written(tmp_path, "id\n1\n2\n"), title={"column": "id"}, creator={"column": "id"})
    assert [record.id for record in records] == ["1", "2"]
    assert "above" not in how


GROUPED = [
    ["Object", "", "", "Maker", ""],
    ["Inventory number", "Title", "Date", "Name", "Born"],
    ["1", "View", "1850", "Ada", "1820"],
    ["2", "Mill", "1860", "Tom", "1830"],
]
IN_TWO_LANGUAGES = [["id", "title", "creator"], ["Nr.", "Titel", "Künstler"], ["1", "View", "Ada"]]


def saved(folder: Path, rows: list[list[str]], kind: str) -> Path:
    """Rows as a table or a workbook."""
    if kind == "csv":
        return written(folder, "".join(",".join(row) + "\n" for row in rows))
    cells = [
        "".join(cell(f"{letter}{number}", text) for letter, text in zip(ascii_uppercase, row, strict=False))
        for number, row in enumerate(rows, 1)
    ]
    sheet = "".join(f'<row r="{number}">{row}</row>' for number, row in enumerate(cells, 1))
    path = folder / "objects.xlsx"
    path.write_bytes(workbook(sheet))
    return path


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("rows", [0, 2])
def test_a_row_may_group_columns_above_their_names(tmp_path: Path, kind: str, rows: int) -> None:
    parts = {"id": "Object Inventory number", "title": "Object Title", "creator": "Maker Name"}
    mapping: dict[str, object] = {part: {"column": column} for part, column in parts.items()}
    records, how = read(saved(tmp_path, GROUPED, kind), **mapping, read={"header": rows})
    assert [(record.id, record.label, record.creator[0].text) for record in records] == [
        ("1", "View", "Ada"),
        ("2", "Mill", "Tom"),
    ]
    assert "columns named by two rows" in how


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_names_in_a_second_language_are_no_record(tmp_path: Path, kind: str) -> None:
    path = saved(tmp_path, IN_TWO_LANGUAGES, kind)
    records, how = read(path)
    assert [record.id for record in records] == ["1"]
    assert "a second row of names left out" in how
    records, how = read(path, read={"header": 1})
    assert [record.id for record in records] == ["Nr.", "1"]
    assert "left out" not in how


def test_repeated_headings_are_numbered(tmp_path: Path) -> None:
    text = "id,title,creator,creator\n1,View,Ada,Tom\n"
    both = [{"column": "creator"}, {"column": "creator 2"}]
    ((record,), how) = read(written(tmp_path, text), creator=both)
    assert [value.text for value in record.creator] == ["Ada", "Tom"]
    assert "numbered since they repeat: creator" in how


def test_lines_may_end_as_on_old_macintoshes(tmp_path: Path) -> None:
    records, _ = read(written(tmp_path, "id,title,creator\r1,View,Ada\r2,Mill,Tom\r"))
    assert [record.label for record in records] == ["View", "Mill"]


def test_letters_read_in_a_wrong_encoding_are_mended_where_the_mapping_says_so(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "id,title,creator\n1,CafÃ©,Hall &amp; Co\n")
    ((record,), _) = read(path)
    assert (record.label, record.creator[0].text) == ("CafÃ©", "Hall & Co")
    ((record,), _) = read(path, read={"repair": True})
    assert record.label == "Café"


def test_control_characters_are_put_right_and_reported(tmp_path: Path) -> None:
    records, how = read(written(tmp_path, "id,title,creator\n1,Hall\x92s Mill,Ada\x00\n2,Mill,Tom\n"))
    assert [(record.label, record.creator[0].text) for record in records] == [
        ("Hall’s Mill", "Ada"),
        ("Mill", "Tom"),
    ]
    assert (
        "control characters, read as Windows-1252 or left out, in 2 texts, for instance: 'Hall’s Mill'" in how
    )


@pytest.mark.parametrize(
    ("head", "what"), [(b"PK\x03\x04", "a workbook or a zip"), (b"\xd0\xcf\x11\xe0\xa1", "an old workbook")]
)
def test_a_workbook_under_another_name_is_named_as_that(tmp_path: Path, head: bytes, what: str) -> None:
    path = tmp_path / "objects.csv"
    path.write_bytes(head + b"\r\n" * 20)
    notes = Notes()
    assert list(entries([path], Mapping.model_validate(PLAIN), Limits(), notes, lambda _: None)) == []
    assert what in notes.damaged[0]


def test_more_lines_to_skip_than_there_are_leave_no_header(tmp_path: Path) -> None:
    notes, mapping = Notes(), Mapping.model_validate(PLAIN | {"read": {"skip": 50}})
    path = written(tmp_path, "id,title,creator\n1,View,Ada\n")
    assert list(entries([path], mapping, Limits(), notes, lambda _: None)) == []
    assert "no line names the columns" in notes.damaged[0]


def makers(path: Path) -> list[tuple[list[str], str]]:
    records, _ = read(path)
    return [([value.text for value in record.creator], record.label) for record in records]


def test_merged_cells_stand_in_every_row_that_they_reach_over(tmp_path: Path) -> None:
    def row(number: int, *texts: str) -> str:
        cells = (cell(f"{letter}{number}", text) for letter, text in zip("ABC", texts, strict=False) if text)
        return f'<row r="{number}">{"".join(cells)}</row>'

    rows_ = row(1, "creator", "title", "id") + row(2, "Goya", "Caprices", "1") + row(3, "", "Disasters", "2")
    rows_ += row(4, "", "Maja", "3")
    merges = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A4:B4"/></mergeCells>'
    (tmp_path / "a.xlsx").write_bytes(workbook(f"{rows_}</sheetData>{merges}<sheetData>"))
    # the last row is in no merge over several rows: its maker is not known
    expected = [(["Goya"], "Caprices"), (["Goya"], "Disasters"), ([], "Maja")]
    assert makers(tmp_path / "a.xlsx") == expected

    text = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    span, covered = ' table:number-rows-spanned="2"', "<table:covered-table-cell/>"
    lines = [
        text.format("", "creator") + text.format("", "title") + text.format("", "id"),
        text.format(span, "Goya") + text.format("", "Caprices") + text.format("", "1"),
        covered + text.format("", "Disasters") + text.format("", "2"),
        "<table:table-cell/>" + text.format("", "Maja") + text.format("", "3"),
    ]
    names = "urn:oasis:names:tc:opendocument:xmlns:"
    content = (
        f'<office:document-content xmlns:office="{names}office:1.0" xmlns:table="{names}table:1.0"'
        f' xmlns:text="{names}text:1.0"><office:body><office:spreadsheet><table:table table:name="S">'
        + "".join(f"<table:table-row>{line}</table:table-row>" for line in lines)
        + "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    (tmp_path / "a.ods").write_bytes(zipped(("content.xml", content.encode())))
    assert makers(tmp_path / "a.ods") == expected


def test_thousands_of_merged_cells_in_a_row_are_refused(tmp_path: Path) -> None:
    names = [f"{a}{b}{c}" for a in "ABCD" for b in ascii_uppercase for c in ascii_uppercase][:1001]
    merges = "".join(f'<mergeCell ref="{name}2:{name}9"/>' for name in names)
    head = f'<row r="1">{cell("A1", "id")}{cell("B1", "title")}</row><row r="2">{cell("A2", "1")}</row>'
    (tmp_path / "a.xlsx").write_bytes(
        workbook(f"{head}</sheetData><mergeCells>{merges}</mergeCells><sheetData>")
    )
    notes = Notes()
    mapping = Mapping.model_validate(PLAIN)
    assert list(entries([tmp_path / "a.xlsx"], mapping, Limits(), notes, lambda _: None)) == []
    assert "row 2: more than 1,000 of its cells are merged" in notes.damaged[0]
