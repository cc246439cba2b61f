"""Files of every form: their rows as they stream by, whatever the file is.

What is broken in one row costs that row only, with its line and a reason. What breaks the whole file
(missing, cut short, not of the promised format) is an :class:`UnreadableFile`, raised when the
reading gets there: the rows before it have been given.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from ingest.errors import UnreadableFile
from ingest.reading import edm, forms, json_files, sheets, tables
from ingest.reading.encodings import found_out
from ingest.reading.inputs import BOOKS, TABLES, Input, inputs, reading_bytes
from ingest.reading.limits import Limits
from ingest.reading.row import LocatedRow
from ingest.reading.settings import FileSettings

Progress: TypeAlias = Callable[[int], None]
"""Told now and then how many bytes of the file, as it lies on the disk, have been read."""

_ROWS_BETWEEN_REPORTS = 256
_JSON = (".json", ".jsonld")
_FOUND_OUT = FileSettings()


def rows(
    path: Path,
    progress: Progress | None = None,
    *,
    limits: Limits | None = None,
    reading: FileSettings = _FOUND_OUT,
) -> Iterator[LocatedRow]:
    """The rows of a file, in its order; those of an archive one file after the other.

    Raises:
        UnreadableFile: when the reading meets what makes the rest unreadable.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.csv")
    ...     _ = path.write_text("id;title\\na;View of Venice\\nb\\n")
    ...     for found in rows(path):
    ...         print(found)
    LocatedRow(line=2, row={'id': 'a', 'title': 'View of Venice'}, reason=None)
    LocatedRow(line=3, row=None, reason='1 cell where the header names 2 columns')
    """
    for given in inputs(path, limits or Limits()):
        yield from read(given, reading, progress=progress)


def read(
    given: Input,
    reading: FileSettings,
    *,
    progress: Progress | None = None,
    told: Callable[[str], None] | None = None,
) -> Iterator[LocatedRow]:
    """The rows of one file; ``told`` is how the file was found to be made, in words, before the first.

    Raises:
        UnreadableFile: when the reading meets what makes the rest unreadable; the rows before were given.
    """
    with reading_bytes(given.name):
        try:
            made, found = _opened(given, reading)
            if told:
                told(made)
            number = 0
            for number, located in enumerate(found, 1):
                if progress and number % _ROWS_BETWEEN_REPORTS == 1:
                    progress(given.position())
                yield located
        except UnreadableFile as broken:
            if broken.detail.startswith(given.meter.name):
                raise
            between = ", " if broken.detail.startswith("line ") else ": "
            raise UnreadableFile(f"{given.name}{between}{broken.detail}") from None
        if progress:
            progress(given.position())
        if not number:
            raise UnreadableFile(f"{given.name} holds no record; is it the file that was meant?")


def _opened(given: Input, reading: FileSettings) -> tuple[str, Iterator[LocatedRow]]:
    limits = given.meter.limits
    if given.kind in TABLES:
        usual = "," if given.kind == ".csv" else "\t"
        encoding = reading.encoding or found_out(given.opened())
        return tables.rows(given.opened(), encoding, reading, usual, limits.record)
    if given.kind in BOOKS:
        return sheets.rows(given.opened(), given.kind, reading, given.meter)
    if given.kind in _JSON:
        made, found = json_files.rows(given.opened(), reading, limits.record)
        return made, _objects(found) if reading.form == "edm" else found
    if given.kind in (".jsonl", ".ndjson"):
        made, found = json_files.by_lines(given.opened(), reading, limits.record)
        return made, _objects(found) if reading.form == "edm" else found
    return forms.rows(given.opened, reading, limits.record)


def _objects(found: Iterator[LocatedRow]) -> Iterator[LocatedRow]:
    for located in found:
        rows = edm.from_json(located.row) if isinstance(located.row, dict) else [located.row]
        yield from (located._replace(row=row) for row in rows)
