"""A first look at a file: the columns that its mapping leaves, and what they may be for."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from ingest.columns import ColumnUse
from ingest.entries import Notes, entries
from ingest.errors import InputError
from ingest.guess_writing import source_text
from ingest.guessing import FIRST_ROWS, Guess, columns_of, guessed
from ingest.identifiers import Choose
from ingest.reading.files import known_form
from ingest.reading.inputs import inputs
from ingest.reading.row import Row
from ingest.reading.settings import Limits

_LOOKED_FOR: Final = ("creator", "date", "places", "people", "image")
"""Parts whose loss a museum would notice last: who, when, where, and what it looks like."""


class UnreadColumn(NamedTuple):
    """A column that the mapping leaves although it seems to be for a part of a record."""

    column: str
    part: str
    line: str  # to add to the mapping

    def sentence(self) -> str:
        """What to tell people."""
        return f"nothing reads the column {self.column!r}, which seems to be for {self.part}; add {self.line}"


class FirstLook(NamedTuple):
    """What the first rows of a file have, beside what its mapping reads."""

    path: Path
    columns: int
    unread: int
    left: tuple[UnreadColumn, ...]
    guess: Guess

    @property
    def is_half_unread(self) -> bool:
        """Whether the mapping leaves half of the columns."""
        return self.unread * 2 >= self.columns > 1


def first_looks(paths: Sequence[Path], mapping: Choose, limits: Limits) -> tuple[FirstLook, ...]:
    """A look at each file that is of no known form; what cannot be read is left to the run."""
    looks = []
    for path in paths:
        try:
            form = (
                next((known_form(given) for given in inputs(path, limits)), None)
                if path.is_file()
                else "texts"
            )
            look = None if form else _look(path, mapping, limits)
        except InputError:
            continue
        if look:
            looks.append(look)
    return tuple(looks)


def _look(path: Path, mapping: Choose, limits: Limits) -> FirstLook | None:
    use = ColumnUse()
    columns = columns_of(_rows(path, mapping, limits, use))
    if not columns:
        return None
    unread, guess = use.unused(), guessed(columns)
    left = [
        UnreadColumn(column.path, part, source_text(part, column))
        for part in _LOOKED_FOR
        for column in guess.parts.get(part, ())
        if column.path in unread
    ]
    return FirstLook(path, len(columns), sum(one.path in unread for one in columns), tuple(left), guess)


def _rows(path: Path, mapping: Choose, limits: Limits, use: ColumnUse) -> Iterator[Row]:
    """The first rows of a file, each noted with its mapping."""
    for entry in islice(entries([path], mapping, limits, Notes(), lambda _: None), FIRST_ROWS):
        if entry.row is not None and entry.mapping is not None:
            use.note(entry.row, entry.mapping)
            yield entry.row
