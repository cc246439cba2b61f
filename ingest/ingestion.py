"""Ingestion: files in, records in the catalogue, and a list of what was refused and why."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, NamedTuple, TypeAlias

import msgspec

from ingest import typed_files
from ingest.columns import Columns
from ingest.errors import InputError, RejectedRow, UnreadableFile, UsageError
from ingest.identifiers import Choose, Identifiers
from ingest.imports import Imports
from ingest.mapping import Mapping
from ingest.reading import files
from ingest.reading.inputs import inputs, kind
from ingest.reading.row import LocatedRow, Row
from ingest.reading.settings import Limits
from ingest.record import Record, id_objection, without_other_addresses
from ingest.storage.files import make_folder, unwritable_output, whole_file, writing

SAMPLE = Path(__file__).parent / "sample" / "records.jsonl"
"""The sample collection: 234 well-known heritage items."""

BATCH = 1000
"""Rows written in one transaction; what a kill can lose at most."""

_VARIES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|; the row has: .*")

_ALIKE = 10_000
"""Reasons that are told apart: any number of ids may repeat."""

REPEATED = "the id {!r} came before in this run; this row replaced the earlier one"

Advance: TypeAlias = Callable[[int], None]
"""Told how many bytes of the files have been read since it was told last; they add up to :func:`size`."""

Watch: TypeAlias = Callable[[Record], None]
"""Told of every record that the files hold, in their order."""


class Sync(NamedTuple):
    """A source whose records the files are all of, and the share of them that may be removed; 1: any."""

    source: str
    most: float = 1.0


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why rows were rejected, or repeat an id: how many alike, and the first of them."""

    number: int
    example: str


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run did; ``read`` is the sum of the five counts that follow it.

    >>> Summary(read=3000, added=3000, seconds=0.5, rejects_file="rejects.jsonl").records_per_second
    6000.0
    """

    read: int = 0
    """Rows met; where a directory of texts was given its records and its refused texts (a text that
    repeats a record for another pair is not counted)."""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    repeated: int = 0
    """Rows whose id had come before in this run; the later row replaced the earlier."""
    rejected: int = 0
    removed: int = 0
    """Records of the source that it has no more; only where a source was named."""
    number: int = 0
    """The number of the run, by which it can be taken back."""
    addresses_dropped: int = 0
    """Pictures and pages that were left out of their records, since they were no web addresses."""
    rejects_file: str
    """Which rows were rejected or repeat an id, and why: JSON Lines with file, line, reason and, where known,
    id."""
    read_as: tuple[str, ...] = ()
    """How the files were found to be made (encoding, separator, form): a sentence for every way."""
    reasons: tuple[Reason, ...] = ()
    """The commonest reasons of rejection, each with its number and an example."""
    repeats: tuple[Reason, ...] = ()
    """The ids that came again most often, each with how often and an example."""
    identifiers: tuple[str, ...] = ()
    """A sentence for every file whose records are not named by the first source of their mapping."""
    damaged: tuple[str, ...] = ()
    """A sentence for every file whose end could not be read; the rows before the damage are in."""
    seconds: float

    @property
    def records_per_second(self) -> float:
        """Rows a second, refused ones included."""
        return self.read / self.seconds if self.seconds else 0.0


class _Rejection(msgspec.Struct, omit_defaults=True):
    file: str
    line: int | None
    reason: str
    id: str | None = None


class Entry(NamedTuple):
    """What stands at a place of a file: a record or why there is none, and what it was made of."""

    file: str
    line: int | None
    content: Record | RejectedRow
    row: Row | None = None
    mapping: Mapping | None = None


class Notes:
    """What is said of whole files: how they were found to be made, and which are damaged."""

    def __init__(self) -> None:
        self.damaged: list[str] = []
        self._made: dict[str, list[str]] = {}

    def made(self, file: str, how: str) -> None:
        """A file was found to be made in some way."""
        self._made.setdefault(how, []).append(file)

    def read_as(self) -> tuple[str, ...]:
        """A sentence for every way in which files were made.

        >>> notes = Notes()
        >>> notes.made("a.csv", "UTF-8, commas between cells")
        >>> notes.made("b.csv", "UTF-8, commas between cells")
        >>> notes.read_as()
        ('a.csv and 1 more: UTF-8, commas between cells',)
        """
        more = {
            how: f" and {len(files) - 1:,} more" if len(files) > 1 else ""
            for how, files in self._made.items()
        }
        return tuple(f"{files[0]}{more[how]}: {how}" for how, files in self._made.items())


class Reasons:
    """Why rows were rejected, or repeat an id; those alike together."""

    def __init__(self) -> None:
        self._found: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def add(self, file: str, line: int | None, reason: str, alike: str | None = None) -> None:
        """A row was rejected or repeats an id; ``alike`` is equal for rows that count together."""
        alike = alike or _VARIES.sub("*", reason)
        if alike in self._numbers or len(self._numbers) < _ALIKE:
            self._numbers[alike] += 1
            where = f"{file}, line {line}" if line else file
            self._found.setdefault(alike, f"{where}: {reason}")

    def commonest(self, most: int = 5) -> tuple[Reason, ...]:
        """The commonest, each with its number and the first example.

        >>> reasons = Reasons()
        >>> reasons.add("a.csv", 3, "2 cells where the header names 3 columns")
        >>> reasons.add("a.csv", 9, "4 cells where the header names 3 columns")
        >>> reasons.commonest()
        (Reason(number=2, example='a.csv, line 3: 2 cells where the header names 3 columns'),)
        """
        return tuple(
            Reason(number=number, example=self._found[alike])
            for alike, number in self._numbers.most_common(most)
        )


def size(paths: Sequence[Path]) -> int:
    """Bytes of the files as they lie on the disk, those of a directory its texts.

    Raises:
        UsageError: no path at all.
        UnreadableFile: one is missing, or nothing that can be read.
    """
    return sum(typed_files.size(path) if path.is_dir() else path.stat().st_size for path in _checked(paths))


def ingest(
    paths: Sequence[Path],
    mapping: Mapping | Choose,
    catalogue: Imports,
    rejects: Path,
    progress: Advance | None = None,
    watch: Watch | None = None,
    *,
    limits: Limits | None = None,
    columns: Columns | None = None,
    sync: Sync | None = None,
) -> Summary:
    """Read files into the catalogue; a path may also be a directory of Typed-Similarity texts.

    A row that makes no record goes to the file ``rejects``, which is replaced when the run ends (empty
    where nothing was refused), and the run goes on. So it does when a file turns out to be damaged:
    the rows before the damage are kept, and the summary's ``damaged`` says what happened; the caller
    must not report success then. Of two rows with one id the later is kept, and the file ``rejects`` tells of
    it; where one id stands in more than a few records, another names them (:mod:`ingest.identifiers`).
    ``columns`` is told of every row. The run is noted in the catalogue, which can take it back. With ``sync``
    the catalogue has what the source has now: what earlier runs took from there and this one does not is
    removed at its end.

    Raises:
        UsageError: no path at all, or ``rejects`` cannot be written.
        UnreadableFile: a path is missing or nothing that can be read, its records have no ids of their own,
            or with ``sync`` it is damaged; nothing was written then.
        CatalogueError: the catalogue cannot be written; whole batches are kept.
    """
    started = perf_counter()
    _checked(paths)
    limits = limits or Limits()
    named = Identifiers(mapping)
    named.settle(paths, limits)
    if named.refused:
        raise UnreadableFile(f"{'; '.join(named.refused)}. Nothing was written")
    gone = _gone(paths, named, catalogue, limits, sync) if sync else set()
    make_folder(rejects.parent, unwritable_output)
    with whole_file(rejects, unwritable_output) as file:
        number = catalogue.begin([str(path) for path in paths], sync.source if sync else None)
        run = _Run(catalogue, _Rejects(rejects, file), watch or _unheard, number, sync)
        for entry in entries(paths, named, limits, run.notes, progress or _unheard):
            if columns is not None and entry.row is not None and entry.mapping is not None:
                columns.note(entry.row, entry.mapping)
            run.note(entry)
        run.write()
        removed = catalogue.remove(number, gone) if sync and not run.notes.damaged else 0
        catalogue.end(number)
    return Summary(
        **run.counts,
        removed=removed,
        number=number,
        rejects_file=str(rejects),
        read_as=run.notes.read_as(),
        reasons=run.reasons.commonest(),
        repeats=run.repeats.commonest(),
        identifiers=tuple(named.sentences),
        damaged=tuple(run.notes.damaged),
        seconds=round(perf_counter() - started, 6),
    )


def _gone(
    paths: Sequence[Path], named: Identifiers, catalogue: Imports, limits: Limits, sync: Sync
) -> set[str]:
    """What earlier runs took from a source and its files have no more, which are read for it once before."""
    before = catalogue.of_source(sync.source)
    if not before:
        return set()
    notes, left = Notes(), set(before)
    for entry in entries(paths, named, limits, notes, _unheard):
        content = entry.content
        left.discard(content.id if isinstance(content, Record) else content.record_id or "")
    if notes.damaged:
        raise UnreadableFile(
            f"{'; '.join(notes.damaged)}. Nothing was written: what it lacks would be removed"
        )
    if len(left) > sync.most * len(before):
        raise UsageError(
            f"{len(left):,} of the {len(before):,} records of {sync.source} are no more in it, which is more"
            f" than {sync.most:.0%}. Nothing was written; look at the files, then repeat with --yes"
        )
    return left


def _unheard(_: object) -> None:
    """Nobody watches."""


def _checked(paths: Sequence[Path]) -> Sequence[Path]:
    if not paths:
        raise UsageError("nothing to ingest; name at least one file, or --sample")
    for path in paths:
        if path.is_dir():
            typed_files.check(path)
        else:
            kind(path)
    return paths


_COUNTS = ("read", "added", "changed", "unchanged", "repeated", "rejected", "addresses_dropped")


def _fit(content: Record | RejectedRow) -> Record | RejectedRow:
    why = id_objection(content.id) if isinstance(content, Record) else None
    return RejectedRow(why, content.id) if why and isinstance(content, Record) else content


class _Run:
    """The state of one run: what was counted, and the batch that waits to be written."""

    def __init__(
        self, catalogue: Imports, rejects: "_Rejects", watch: Watch, number: int, sync: Sync | None
    ) -> None:
        self.counts = dict.fromkeys(_COUNTS, 0)
        self.notes, self.reasons, self.repeats = Notes(), Reasons(), Reasons()
        self._catalogue = catalogue
        self._rejects = rejects
        self._watch, self._number, self._sync = watch, number, sync
        self._written: set[str] = set()  # ids only: some 15 MB for 160,000 records
        self._batch: dict[str, Record] = {}

    def note(self, entry: Entry) -> None:
        self.counts["read"] += 1
        content = entry.content
        if isinstance(content, RejectedRow):
            self.counts["rejected"] += 1
            self.reasons.add(entry.file, entry.line, content.detail)
            self._rejects.add(_Rejection(entry.file, entry.line, content.detail, content.record_id))
            return
        content, dropped = without_other_addresses(content)
        self.counts["addresses_dropped"] += dropped
        if content.id in self._batch or content.id in self._written:
            self.counts["repeated"] += 1
            reason = REPEATED.format(content.id)
            self.repeats.add(entry.file, entry.line, reason, content.id)
            self._rejects.add(_Rejection(entry.file, entry.line, reason, content.id))
        self._watch(content)
        self._batch[content.id] = content
        if len(self._batch) >= BATCH:
            self.write()

    def write(self) -> None:
        again = [record for record in self._batch.values() if record.id in self._written]
        fresh = [record for record in self._batch.values() if record.id not in self._written]
        for name, number in self._catalogue.put_many(fresh, self._number)._asdict().items():
            self.counts[name] += number
        self._catalogue.put_many(again, self._number)
        if self._sync and self._batch:
            self._catalogue.claim(self._number, self._sync.source, self._batch)
        self._written.update(self._batch)
        self._batch.clear()


def entries(
    paths: Sequence[Path],
    mapping: Mapping | Choose | Identifiers,
    limits: Limits,
    notes: Notes,
    progress: Advance,
) -> Iterator[Entry]:
    """What stands in files, row by row, as the mapping reads it; what is wrong with a whole file is noted."""
    named = mapping if isinstance(mapping, Identifiers) else Identifiers(mapping)
    for path in paths:
        try:
            if path.is_dir():
                yield from _texts(path, progress)
            else:
                yield from _of_file(path, named, limits, notes, progress)
        except InputError as damage:
            notes.damaged.append(damage.detail)


def _texts(path: Path, progress: Advance) -> Iterator[Entry]:
    for name, found in typed_files.records(path, progress):
        content = RejectedRow(found) if isinstance(found, str) else found
        yield Entry(str(path / name), None, _fit(content))


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
                content = _fit(_mapped(located, chosen, record_id))
                yield Entry(given.name, located.line, content, located.row, chosen)
        except InputError as damage:
            notes.damaged.append(damage.detail)
    report(path.stat().st_size)


def _mapped(located: LocatedRow, mapping: Mapping, record_id: str | None) -> Record | RejectedRow:
    if located.row is None:
        return RejectedRow(located.reason or "not readable")
    try:
        return mapping.apply(located.row, record_id)
    except RejectedRow as refused:
        return refused


class _Rejects:
    """The file of refused rows."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path, self._file = path, file
        self._encoder = msgspec.json.Encoder()

    def add(self, rejection: _Rejection) -> None:
        with writing(self._path, unwritable_output):
            self._file.write(self._encoder.encode(rejection) + b"\n")
