"""Guesses of mappings for the exports of systems and museums, beside the mapping that a person would write.

``tests/data/guesses.txt`` holds for each export its columns, as the systems and museums name them, the part
of a record that each is for, and cells made up for the test. ``-`` is for none; of parts with a bar between
them either is right; a part in brackets may be left.
"""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ingest.guess_writing import written
from ingest.guessing import ALSO, Certainty, FileColumn, guessed
from ingest.mapping import Mapping
from ingest.reading.row import Json
from tests.yaml_text import yaml_of

EXPORTS: Final = Path(__file__).parents[1] / "data" / "guesses.txt"


class Line(NamedTuple):
    """A column, the parts that it may be for, and whether it must be used."""

    column: FileColumn
    parts: frozenset[str]
    needed: bool


def exports() -> dict[str, list[Line]]:
    """The lines of each export."""
    blocks: dict[str, list[Line]] = {}
    for text in EXPORTS.read_text(encoding="utf-8").splitlines():
        if text.startswith("== "):
            blocks[text[3:]] = lines = []
            continue
        name, parts, cells = (piece.strip() for piece in text.split(" = ", 2))
        options = parts.replace("(", "").replace(")", "").split("/")
        column = FileColumn(name, tuple(cells.split(" ~ ")), len(cells.split(" ~ ")))
        lines.append(Line(column, frozenset(options) - {"-"}, "(" not in parts and parts != "-"))
    return blocks


def judged(lines: list[Line]) -> tuple[int, list[str]]:
    """How many lines a person would look at, and those that are wrong."""
    guess = guessed([line.column for line in lines])
    given: dict[str, set[str]] = {}
    for part, columns in guess.parts.items():
        for column in columns:
            given.setdefault(column.path, set()).add(part)
    number, wrong = 0, []
    for column, parts, needed in lines:
        used = given.get(column.path, set())
        # a column of materials or people is read into the description or the subjects too
        used -= {field for part, field in ALSO.items() if part in used}
        number += bool(used) or needed
        if (needed and not used & parts) or not used <= parts:
            wrong.append(f"{column.path}: {', '.join(sorted(used)) or 'left'}")
    return number, wrong


def test_nine_lines_in_ten_are_right() -> None:
    results = {name: judged(lines) for name, lines in exports().items()}
    assert len(results) >= 25
    lines, wrong = sum(number for number, _ in results.values()), sum(len(bad) for _, bad in results.values())
    assert wrong <= 0.1 * lines, results


@pytest.mark.parametrize("name", exports())
def test_no_maker_and_no_date_is_wrong(name: str) -> None:
    lines = exports()[name]
    parts = guessed([line.column for line in lines]).parts
    right = {line.column.path: line.parts for line in lines}
    for part in ("creator", "date", "id"):
        assert [column.path for column in parts.get(part, ()) if part not in right[column.path]] == []


@pytest.mark.parametrize("name", exports())
def test_a_guess_is_a_mapping_that_can_be_read(name: str) -> None:
    declared = yaml_of(written("mine", guessed([line.column for line in exports()[name]])))["mappings"][
        "mine"
    ]
    assert Mapping.model_validate(declared).id


def columns(**texts: str) -> list[FileColumn]:
    """Columns by their paths, each with three cells between ``~``."""
    return [
        FileColumn(path.replace("__", "."), tuple(cells.split(" ~ ")), 3) for path, cells in texts.items()
    ]


NUMBERED = {"objectnummer": "P-1 ~ P-2 ~ P-3", "titel": "Gracht ~ Markt ~ Domtoren"}


def test_a_first_and_a_last_year_are_one_date() -> None:
    given = columns(
        **NUMBERED,
        datering__begin="1920 ~ 1930 ~ 1900",
        datering__eind="1925 ~ 1930 ~ 1910",
        naam="A ~ B ~ C",
    )
    text = written("mine", guessed(given))
    assert 'date: {parts: [{column: "datering.begin"}, {column: "datering.eind"}], join: /}' in text
    mapping = Mapping.model_validate(yaml_of(text)["mappings"]["mine"])
    for last, date in (("1925", "1920/1925"), ("", "1920")):
        years: Json = {"begin": "1920", "eind": last}
        record = mapping.apply({"objectnummer": "P-1", "titel": "Gracht", "datering": years})
        assert [value.text for value in record.date] == [date]


def test_a_last_year_of_something_else_is_no_part_of_the_date() -> None:
    given = columns(**NUMBERED, made__begin="1920 ~ 1930 ~ 1900", owner__end="1925 ~ 1930 ~ 1910")
    assert [column.path for column in guessed(given).parts["date"]] == ["made.begin"]


@pytest.mark.parametrize(
    ("path", "cells", "part"),
    [
        ("Künstler/in", "Urs Graf ~ Hans Holbein ~ unbekannt", "creator"),
        ("Fotograf*innen", "Ada Roe ~ Tom Hall ~ Jo Reed", "creator"),
        ("dc:title.@value", "Gezicht op Delft ~ De molen ~ Stilleven", "title"),
        ("Автор", "Крамской И. Н. ~ Саврасов А. К. ~ Шишкин И. И.", "creator"),
        ("Датировка", "1883 ~ 1871 ~ 1889", "date"),
    ],
)
def test_a_column_is_known_by_its_name(path: str, cells: str, part: str) -> None:
    column = FileColumn(path, tuple(cells.split(" ~ ")), 3)
    guess = guessed([*columns(objectnummer="P-1 ~ P-2 ~ P-3"), column])
    assert guess.parts[part] == [column]
    assert guess.certainty[part] == Certainty.NAME
