"""Tables of library systems: columns that the second row names, and MARC fields in cells."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from ingest.entries import Notes, entries
from ingest.guess_writing import written
from ingest.guessing import guess_of
from ingest.mapping import Mapping, Source
from ingest.reading.settings import Limits
from ingest.record import Record
from tests.ingest.hostile import cell, ods, ods_row, workbook

HEAD = ("Column1", "Column2", "Column3", "Column4", "Column5", "Column6")
TAGS = ("001", "100", "245", "260", "650", "650")
ROWS = (
    (
        "oc1",
        "1_$aGerbert,$d950-1003",
        "10$aDialectica :$ba reader /$cby G.",
        "$c997",
        "_0$aLogic",
        "_0$aArts",
    ),
    ("oc2", "1_$aAbbo", "00$aQuaestiones", "__$aFleury$c1001", "_0$aGrammar$xHistory", ""),
)


def csv(*rows: tuple[str, ...]) -> bytes:
    return "".join(",".join(f'"{text}"' for text in row) + "\n" for row in rows).encode()


def xlsx(*rows: tuple[str, ...]) -> bytes:
    return workbook(
        "".join(
            f'<row r="{line}">'
            + "".join(cell(f"{chr(65 + at)}{line}", text) for at, text in enumerate(row))
            + "</row>"
            for line, row in enumerate(rows, 1)
        )
    )


def ods_of(*rows: tuple[str, ...]) -> bytes:
    return ods("".join(ods_row(*row) for row in rows))


FORMS = {".csv": csv, ".xlsx": xlsx, ".ods": ods_of}


def read(path: Path, **declared: object) -> tuple[list[Record], str]:
    notes = Notes()
    mapping = Mapping.model_validate(declared)
    read_entries = list(entries([path], mapping, Limits(), notes, lambda _: None))
    assert not notes.damaged
    return [one.content for one in read_entries if isinstance(one.content, Record)], "".join(notes.read_as())


@pytest.mark.parametrize(("suffix", "made"), FORMS.items())
def test_the_second_row_names_the_columns(suffix: str, made: Callable[..., bytes], tmp_path: Path) -> None:
    path = tmp_path / f"books{suffix}"
    path.write_bytes(made(HEAD, TAGS, *ROWS))
    guess = written("books", guess_of(path, Limits()))
    declared = YAML(typ="safe").load(guess)["mappings"]["books"]
    assert declared["id"] == {"column": "001"}
    assert declared["title"]["marc"] == "ab"
    assert declared["date"] == {"column": "260", "marc": "c"}
    books, form = read(path, **declared)
    assert "columns named by the second row" in form
    assert [(one.id, one.label) for one in books] == [
        ("oc1", "Dialectica : a reader"),
        ("oc2", "Quaestiones"),
    ]
    assert [[value.text for value in one.creator] for one in books] == [["Gerbert"], ["Abbo"]]
    assert [[value.text for value in one.subject] for one in books] == [["Logic", "Arts"], ["Grammar"]]
    assert [[value.text for value in one.date] for one in books] == [["997"], ["1001"]]


@pytest.mark.parametrize(
    "head",
    [
        ("Unnamed: 0", "Unnamed: 1", "Unnamed: 2"),
        ("A", "B", "C"),
        ("0", "1", "2"),
        ("Spalte1", "Spalte2", "Spalte4"),
    ],
)
@pytest.mark.parametrize("second", [("Inv. Nr.", "Titel", "Regal"), ("dc:identifier", "dc:title", "dc:date")])
def test_names_that_a_program_made_up(head: tuple[str, ...], second: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "books.csv"
    path.write_bytes(csv(head, second, ("1", "View of Venice", "1740")))
    columns = {"id": {"column": second[0]}, "title": {"column": second[1]}}
    assert [(one.id, one.label) for one in read(path, **columns)[0]] == [("1", "View of Venice")]


@pytest.mark.parametrize(
    ("head", "second"),
    [
        (("Column1", "Column2"), ("A 1", "View of Venice")),
        (("Column1", "Column2"), ("245", "View of Venice")),
        (("id", "title"), ("001", "245")),
        (("A", "Title"), ("100", "245")),
    ],
)
@pytest.mark.parametrize(("suffix", "made"), FORMS.items())
def test_a_second_row_of_a_record_stays_one(
    suffix: str, made: Callable[..., bytes], head: tuple[str, str], second: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / f"books{suffix}"
    path.write_bytes(made(head, second, ("A 2", "Boat")))
    books, form = read(path, id={"column": head[0]}, title={"column": head[1]})
    assert [(one.id, one.label) for one in books] == [second, ("A 2", "Boat")]
    assert "second row" not in form


@pytest.mark.parametrize(
    ("text", "codes", "expected"),
    [
        ("00$aDialectica", "a", ["Dialectica"]),
        ("10$aTitle$bRest$cAuthor", "ab", ["Title", "Rest"]),
        ("1_$aTitle$bRest", "b", ["Rest"]),
        ("\\\\$aTitle", "a", ["Title"]),
        ("$aFirst$aSecond", "a", ["First", "Second"]),
        ("‡a Title ‡b Rest", "a", ["Title"]),
        ("10 ǂa Title ǂb Rest", "b", ["Rest"]),
        ("|aTitle|bRest", "ab", ["Title", "Rest"]),
        ("10\x1faTitle\x1fbRest", "ab", ["Title", "Rest"]),
        ("Title ‡b Rest", "ab", ["Title", "Rest"]),
        ("Title", "a", ["Title"]),
        ("Title", "b", []),
        ("10$aIt costs 5$ and more$b$", "ab", ["It costs 5$ and more", "$"]),
        ("", "a", []),
    ],
)
def test_subfields(text: str, codes: str, expected: list[str]) -> None:
    assert Source(column="245", marc=codes).texts({"245": text}) == expected


def test_subfields_of_several_fields_and_steps_that_follow() -> None:
    several = Source.model_validate({"column": "650", "split": ";", "marc": "a", "replace": {r"\.$": ""}})
    assert several.texts({"650": "_0$aCats.;_0$aDogs$xHistory."}) == ["Cats", "Dogs"]
    assert several.texts({"650": ["_0$aCats.", "", "_0$aDogs."]}) == ["Cats", "Dogs"]
    joined = Source.model_validate({"column": "245", "marc": "ab", "join": " "})
    assert joined.texts({"245": "10$aTitle :$brest"}) == ["Title : rest"]


@pytest.mark.parametrize("codes", ["", "$a", "a b"])
def test_codes_that_are_none_are_refused(codes: str) -> None:
    with pytest.raises(ValueError, match="marc"):
        Source.model_validate({"column": "245", "marc": codes})


def test_a_bar_before_a_code_separates_no_keywords(tmp_path: Path) -> None:
    path = tmp_path / "books.csv"
    path.write_bytes(csv(("id", "keywords"), ("1", " 0|aCats|xHistory"), ("2", " 0|aDogs")))
    assert "subject: {column: keywords, marc: a}" in written("books", guess_of(path, Limits()))
