"""The entries of files: every row as its mapping reads it, and what is wrong with rows and files."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import Final, NamedTuple, TypeAlias

from ingest import typed_files
from ingest.errors import InputError, RejectedRow
from ingest.identifiers import Choose, Identifiers
from ingest.mapping import Mapping
from ingest.reading import files
from ingest.reading.inputs import inputs
from ingest.reading.row import LocatedRow, Row
from ingest.reading.settings import Limits
from ingest.record import Record, id_objection

Advance: TypeAlias = Callable[[int], None]
"""Called with the bytes of the files that were read since its last call."""


_SHOWN: Final = 60  # characters of a text that is named


class Entry(NamedTuple):
    """A place of a file: its record or why there is none, and the row and mapping that it was made of."""

    file: str
    line: int | None
    content: Record | RejectedRow
    row: Row | None = None
    mapping: Mapping | None = None


class Notes:
    """Notes on whole files: how they are made, and which are damaged."""

    def __init__(self) -> None:
        self.damaged: list[str] = []
        self._made: dict[str, list[str]] = {}
        self._mended, self._example = 0, ""

    def made(self, file: str, how: str) -> None:
        """Note how a file is made, in words."""
        self._made.setdefault(how, []).append(file)

    def mended(self, text: str) -> None:
        """Note a text that held control characters, as it is without them."""
        self._mended += 1
        self._example = self._example or shorten(text, _SHOWN)

    def read_as(self) -> tuple[str, ...]:
        """A sentence for every way in which files are made, and one on what was put right in them."""
        more = {how: f" and {len(names) - 1:,} more" * (len(names) > 1) for how, names in self._made.items()}
        ways = (f"{names[0]}{more[how]}: {how}" for how, names in self._made.items())
        return (*ways, *(self._controls() if self._mended else ()))

    def _controls(self) -> tuple[str]:
        texts = "a text" if self._mended == 1 else f"{self._mended:,} texts, for instance"
        return (f"control characters, read as Windows-1252 or left out, in {texts}: '{self._example}'",)


def entries(
    paths: Sequence[Path],
    mapping: Mapping | Choose | Identifiers,
    limits: Limits,
    notes: Notes,
    progress: Advance,
) -> Iterator[Entry]:
    """The entries of files, row by row, as the mapping reads them; faults of whole files are noted."""
    named = mapping if isinstance(mapping, Identifiers) else Identifiers(mapping)
    for path in paths:
        try:
            if path.is_dir():
                for name, text in typed_files.records(path, progress):
                    content = RejectedRow(text) if isinstance(text, str) else text
                    yield Entry(str(path / name), None, _with_sound_id(content))
            else:
                yield from _of_file(path, named, limits, notes, progress)
        except InputError as damage:
            notes.damaged.append(damage.detail)


def _of_file(
    path: Path, named: Identifiers, limits: Limits, notes: Notes, progress: Advance
) -> Iterator[Entry]:
    before = 0

    def report(position: int) -> None:
        nonlocal before
        progress(position - before)
        before = position

    for given in inputs(path, limits):
        try:
            chosen, record_id = named.of(path, given)
            rows = files.read(given, chosen.read, progress=report, note=partial(notes.made, given.name))
            for located in rows:
                given.meter.tick()  # a block that was read at once may hold many rows
                content = _with_sound_id(_mapped(located, chosen, record_id, notes))
                yield Entry(given.name, located.line, content, located.row, chosen)
        except InputError as damage:
            notes.damaged.append(damage.detail)
    report(path.stat().st_size)


def _mapped(
    located: LocatedRow, mapping: Mapping, record_id: str | None, notes: Notes
) -> Record | RejectedRow:
    if located.row is None:
        return RejectedRow(located.reason or "not readable")
    try:
        return mapping.apply(located.row, record_id, notes.mended)
    except RejectedRow as refused:
        return refused


def _with_sound_id(content: Record | RejectedRow) -> Record | RejectedRow:
    if isinstance(content, Record) and (reason := id_objection(content.id)):
        return RejectedRow(reason, content.id)
    return content
