"""Guesses of mappings for the exports of systems and museums, beside the mapping that a person would write.

``tests/data/guesses.txt`` holds for each export its columns, as the systems and museums name them, the part
of a record that each is for, and cells made up for the test. ``-`` is for none; of parts with a bar between
them either is right; a part in brackets may be left.
"""

from pathlib import Path
from typing import Final, NamedTuple

import pytest

from ingest.guess_writing import written
from ingest.guessing import ALSO, FileColumn, guessed
from ingest.mapping import Mapping
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
