"""Ingestion: files in, records in the catalogue, and a list of what was refused and why."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, Final, NamedTuple, TypeAlias

import msgspec

from ingest import typed_files
from ingest.columns import ColumnUse
from ingest.entries import Advance, Entry, Notes, entries
from ingest.errors import RejectedRow, UnreadableFile, UsageError
from ingest.identifiers import Choose, Identifiers
from ingest.imports import Imports
from ingest.mapping import Mapping
from ingest.reading.inputs import kind
from ingest.reading.settings import Limits
from ingest.record import TEXTS, Record, without_other_addresses
from ingest.storage.files import make_folder, unwritable_output, whole_file, writing

SAMPLE: Final = Path(__file__).parent / "sample" / "records.jsonl"
"""The sample collection: 234 well-known heritage items."""

PARTS: Final = (*TEXTS, "type", "image", "landing_page", "rights", "provider")
"""The parts of a record of which a run tells how many records have them."""

BATCH: Final = 1000
"""Rows written in one transaction; what a kill can lose at most."""

REPEATED: Final = "the id {!r} came before in this run; this row replaced the earlier one"

_VARIES: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|; the row has: .*")
_MOST_REASONS: Final = 10_000  # that are counted apart: any number of ids may repeat

RecordWatch: TypeAlias = Callable[[Record], None]
"""Called with every record of the files, in their order."""


class Sync(NamedTuple):
    """A source whose records the files are all of, and the share of them that may be removed; 1: any."""

    source: str
    most: float = 1.0


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why rows were rejected, or repeat an id: how many alike, and the first of them."""

    number: int
    example: str


class IngestSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run did; ``read`` is the sum of the five counts that follow it."""

    read: int = 0
    """Rows met; where a directory of texts was given its records and its refused texts (a text that
    repeats a record for another pair is not counted)."""
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    repeated: int = 0  # rows whose id had come before in this run; the later row replaced the earlier
    rejected: int = 0
    removed: int = 0  # records of the source that it has no more; only where a source was named
    number: int = 0  # the number of the run, by which it can be undone
    addresses_dropped: int = 0
    """Pictures and pages that were left out of their records, since they were no web addresses."""
    rejects_file: str
    """Which rows were rejected or repeat an id, and why: JSON Lines with file, line, reason and, where known,
    id."""
    read_as: tuple[str, ...] = ()
    """How the files are made (encoding, separator, form): a sentence for every way."""
    reasons: tuple[Reason, ...] = ()
    """The commonest reasons of rejection, each with its number and an example."""
    repeats: tuple[Reason, ...] = ()  # the ids that came again most often, each with how often and an example
    identifiers: tuple[str, ...] = ()
    """A sentence for every file whose records are not named by the first source of their mapping."""
    damaged: tuple[str, ...] = ()
    """A sentence for every file whose end could not be read; the rows before the damage are in."""
    filled: dict[str, float] = {}  # of every part the share of the records that have it
    unused: dict[str, str] = {}  # columns of the rows that nothing uses, each with an example
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


class ReasonCounts:
    """Why rows were rejected, or repeat an id; those alike together."""

    def __init__(self) -> None:
        self._examples: dict[str, str] = {}
        self._numbers: Counter[str] = Counter()

    def add(self, file: str, line: int | None, reason: str, alike: str | None = None) -> None:
        """Count a row that was rejected or repeats an id; ``alike`` is equal for rows that count together."""
        alike = alike or _VARIES.sub("*", reason)
        if alike in self._numbers or len(self._numbers) < _MOST_REASONS:
            self._numbers[alike] += 1
            where = f"{file}, line {line}" if line else file
            self._examples.setdefault(alike, f"{where}: {reason}")

    def commonest(self, most: int = 5) -> tuple[Reason, ...]:
        """The commonest, each with its number and the first example."""
        commonest = self._numbers.most_common(most)
        return tuple(Reason(number=number, example=self._examples[alike]) for alike, number in commonest)


class FilledParts:
    """How many of some records have each part."""

    def __init__(self) -> None:
        self._records = 0
        self._filled: Counter[str] = Counter()

    def note(self, record: Record) -> None:
        """Count a record."""
        self._records += 1
        self._filled.update(part for part in PARTS if getattr(record, part))

    def shares(self) -> dict[str, float]:
        """The share of the records that have each part; nothing where there was no record."""
        return {part: round(self._filled[part] / self._records, 4) for part in PARTS if self._records}


def size(paths: Sequence[Path]) -> int:
    """Bytes of the files as they lie on the disk, those of a directory its texts.

    Raises ``UsageError`` for no path at all, ``UnreadableFile`` for one that is missing or cannot be read.
    """
    return sum(typed_files.size(path) if path.is_dir() else path.stat().st_size for path in _checked(paths))


def ingest(
    paths: Sequence[Path],
    mapping: Mapping | Choose,
    catalogue: Imports,
    rejects: Path,
    progress: Advance | None = None,
    watch: RecordWatch | None = None,
    *,
    limits: Limits | None = None,
    columns: ColumnUse | None = None,
    sync: Sync | None = None,
) -> IngestSummary:
    """Read files into the catalogue; a path may also be a directory of Typed-Similarity texts.

    A row that makes no record goes to the file ``rejects``, which is replaced when the run ends (empty
    where nothing was refused), and the run goes on. So it does when a file is damaged: the rows before the
    damage stay, and the summary's ``damaged`` says what happened; the caller must not report success then.
    Of two rows with one id the later counts, and ``rejects`` names it; where one id stands in more than a few
    records, another names them (:mod:`ingest.identifiers`). ``columns`` notes every row. The run is noted in
    the catalogue, which can undo it. With ``sync`` the catalogue has what the source has now: what earlier
    runs took from there and this one does not is removed at its end.

    Raises:
        UsageError: no path at all, or ``rejects`` cannot be written.
        UnreadableFile: a path is missing or nothing that can be read, its records have no ids of their own,
            or with ``sync`` it is damaged; nothing was written then.
        CatalogueError: the catalogue cannot be written; whole batches stay.
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
        run = _Run(catalogue, rejects, file, watch or _ignore, number, sync)
        for entry in entries(paths, named, limits, run.notes, progress or _ignore):
            if columns is not None and entry.row is not None and entry.mapping is not None:
                columns.note(entry.row, entry.mapping)
            run.note(entry)
        run.write()
        removed = catalogue.remove(number, gone) if sync and not run.notes.damaged else 0
        catalogue.end(number)
    return IngestSummary(
        **run.counts,
        removed=removed,
        number=number,
        rejects_file=str(rejects),
        read_as=run.notes.read_as(),
        reasons=run.reasons.commonest(),
        repeats=run.repeats.commonest(),
        identifiers=tuple(named.sentences),
        damaged=tuple(run.notes.damaged),
        filled=run.filled.shares(),
        unused=columns.unused() if columns else {},
        seconds=round(perf_counter() - started, 6),
    )


def _gone(
    paths: Sequence[Path], named: Identifiers, catalogue: Imports, limits: Limits, sync: Sync
) -> set[str]:
    """The ids that earlier runs took from a source and its files lack, which are read once before for it."""
    before = catalogue.of_source(sync.source)
    if not before:
        return set()
    notes, left = Notes(), set(before)
    for entry in entries(paths, named, limits, notes, _ignore):
        content = entry.content
        left.discard(content.id if isinstance(content, Record) else content.record_id or "")
    if notes.damaged:
        damage = "; ".join(notes.damaged)
        raise UnreadableFile(f"{damage}. Nothing was written: what it lacks would be removed")
    if len(left) > sync.most * len(before):
        raise UsageError(
            f"{len(left):,} of the {len(before):,} records of {sync.source} are no more in it, which is more"
            f" than {sync.most:.0%}. Nothing was written; look at the files, then repeat with --yes"
        )
    return left


def _ignore(_: object) -> None:
    """Do nothing, where nobody watches."""


def _checked(paths: Sequence[Path]) -> Sequence[Path]:
    if not paths:
        raise UsageError("nothing to ingest; name at least one file, or --sample")
    for path in paths:
        if path.is_dir():
            typed_files.check(path)
        else:
            kind(path)
    return paths


@dataclass(eq=False)
class _Run:
    """The state of one run: its counts, and the batch that waits to be written."""

    catalogue: Imports
    rejects: Path
    file: BinaryIO
    watch: RecordWatch
    number: int
    sync: Sync | None

    def __post_init__(self) -> None:
        names = ("read", "added", "changed", "unchanged", "repeated", "rejected", "addresses_dropped")
        self.counts = dict.fromkeys(names, 0)
        self.notes, self.reasons, self.repeats = Notes(), ReasonCounts(), ReasonCounts()
        self.filled = FilledParts()
        self._written: set[str] = set()  # ids only: some 15 MB for 160,000 records
        self._batch: dict[str, Record] = {}

    def note(self, entry: Entry) -> None:
        self.counts["read"] += 1
        content = entry.content
        if isinstance(content, RejectedRow):
            self.counts["rejected"] += 1
            self.reasons.add(entry.file, entry.line, content.detail)
            self._add_reject(entry, content.detail, content.record_id)
            return
        content, dropped = without_other_addresses(content)
        self.counts["addresses_dropped"] += dropped
        if content.id in self._batch or content.id in self._written:
            self.counts["repeated"] += 1
            reason = REPEATED.format(content.id)
            self.repeats.add(entry.file, entry.line, reason, content.id)
            self._add_reject(entry, reason, content.id)
        self.watch(content)
        self.filled.note(content)
        self._batch[content.id] = content
        if len(self._batch) >= BATCH:
            self.write()

    def _add_reject(self, entry: Entry, reason: str, record_id: str | None) -> None:
        rejection = _Rejection(entry.file, entry.line, reason, record_id)
        with writing(self.rejects, unwritable_output):
            self.file.write(msgspec.json.encode(rejection) + b"\n")

    def write(self) -> None:
        again = [record for record in self._batch.values() if record.id in self._written]
        fresh = [record for record in self._batch.values() if record.id not in self._written]
        for name, number in self.catalogue.put_many(fresh, self.number)._asdict().items():
            self.counts[name] += number
        self.catalogue.put_many(again, self.number)
        if self.sync and self._batch:
            self.catalogue.claim(self.number, self.sync.source, self._batch)
        self._written.update(self._batch)
        self._batch.clear()
