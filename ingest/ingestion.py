"""Ingestion: files in, records in the catalogue, and a list of what was refused and why."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import BinaryIO, NamedTuple, TypeAlias

import msgspec

from ingest import table, typed_files
from ingest.addresses import objection, without_other_addresses
from ingest.catalogue import Catalogue
from ingest.errors import InputError, RejectedRow, UsageError
from ingest.files import make_folder, unwritable_output, whole_file, writing
from ingest.mapping import Mapping
from ingest.record import Record

SAMPLE = Path(__file__).parent / "sample" / "records.jsonl"
"""The sample collection: 234 well-known heritage items."""

BATCH = 1000
"""Rows written in one transaction; what a kill can lose at most."""

Advance: TypeAlias = Callable[[int], None]
"""Told how many bytes of the files have been read since it was told last; they add up to :func:`size`."""

Watch: TypeAlias = Callable[[Record], None]
"""Told of every record that the files hold, in their order."""


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
    addresses_dropped: int = 0
    """Pictures and pages that were left out of their records, since they were no web addresses."""
    rejects_file: str
    """Which rows were rejected, and why: JSON Lines with file, line, reason and, where known, id."""
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


class _Entry(NamedTuple):
    file: str
    line: int | None
    content: Record | RejectedRow


def size(paths: Sequence[Path]) -> int:
    """Bytes of the files as they lie on the disk, those of a directory its texts.

    Raises:
        UsageError: no path at all.
        UnreadableFile: one is missing, or nothing that can be read.
    """
    return sum(typed_files.size(path) if path.is_dir() else path.stat().st_size for path in _checked(paths))


def ingest(
    paths: Sequence[Path],
    mapping: Mapping,
    catalogue: Catalogue,
    rejects: Path,
    progress: Advance | None = None,
    watch: Watch | None = None,
) -> Summary:
    """Read files into the catalogue; a path may also be a directory of Typed-Similarity texts.

    A row that makes no record goes to the file ``rejects``, which is replaced when the run ends (empty
    where nothing was refused), and the run goes on. So it does when a file turns out to be damaged:
    the rows before the damage are kept, and the summary's ``damaged`` says what happened; the caller
    must not report success then. Of two rows with one id the later is kept.

    Raises:
        UsageError: no path at all, or ``rejects`` cannot be written.
        UnreadableFile: a path is missing or nothing that can be read; nothing was written then.
        CatalogueError: the catalogue cannot be written; whole batches are kept.
    """
    started = perf_counter()
    _checked(paths)
    make_folder(rejects.parent, unwritable_output)
    with whole_file(rejects, unwritable_output) as file:
        run = _Run(catalogue, _Rejects(rejects, file), watch or _unheard)
        for path in paths:
            run.take(path, mapping, progress or _unheard)
    return Summary(
        **run.counts,
        rejects_file=str(rejects),
        damaged=tuple(run.damaged),
        seconds=round(perf_counter() - started, 6),
    )


def _unheard(_: object) -> None:
    """Nobody watches."""


def _checked(paths: Sequence[Path]) -> Sequence[Path]:
    if not paths:
        raise UsageError("nothing to ingest; name at least one file, or --sample")
    for path in paths:
        if path.is_dir():
            typed_files.check(path)
        else:
            table.kind(path)
    return paths


_COUNTS = ("read", "added", "changed", "unchanged", "repeated", "rejected", "addresses_dropped")


def _fit(content: Record | RejectedRow) -> Record | RejectedRow:
    why = objection(content.id) if isinstance(content, Record) else None
    return RejectedRow(why, content.id) if why and isinstance(content, Record) else content


class _Run:
    """The state of one run: what was counted, and the batch that waits to be written."""

    def __init__(self, catalogue: Catalogue, rejects: "_Rejects", watch: Watch) -> None:
        self.counts = dict.fromkeys(_COUNTS, 0)
        self.damaged: list[str] = []
        self._catalogue = catalogue
        self._rejects = rejects
        self._watch = watch
        self._written: set[str] = set()  # ids only: some 15 MB for 160,000 records
        self._batch: dict[str, Record] = {}

    def take(self, path: Path, mapping: Mapping, progress: Advance) -> None:
        try:
            for entry in _entries(path, mapping, progress):
                self._note(entry)
        except InputError as damage:
            self.damaged.append(damage.detail)
        self._write()

    def _note(self, entry: _Entry) -> None:
        self.counts["read"] += 1
        content = _fit(entry.content)
        if isinstance(content, RejectedRow):
            self.counts["rejected"] += 1
            self._rejects.add(_Rejection(entry.file, entry.line, content.detail, content.record_id))
            return
        content, dropped = without_other_addresses(content)
        self.counts["addresses_dropped"] += dropped
        if content.id in self._batch:
            self.counts["repeated"] += 1
        self._watch(content)
        self._batch[content.id] = content
        if len(self._batch) >= BATCH:
            self._write()

    def _write(self) -> None:
        again = [record for record in self._batch.values() if record.id in self._written]
        fresh = [record for record in self._batch.values() if record.id not in self._written]
        for name, number in self._catalogue.put_many(fresh)._asdict().items():
            self.counts[name] += number
        self._catalogue.put_many(again)
        self.counts["repeated"] += len(again)
        self._written.update(self._batch)
        self._batch.clear()


def _entries(path: Path, mapping: Mapping, progress: Advance) -> Iterator[_Entry]:
    if path.is_dir():
        for name, found in typed_files.records(path, progress):
            content = RejectedRow(found) if isinstance(found, str) else found
            yield _Entry(str(path / name), None, content)
        return
    before = 0

    def report(position: int) -> None:
        nonlocal before
        progress(position - before)
        before = position

    for located in table.rows(path, report):
        yield _Entry(str(path), located.line, _mapped(located, mapping))


def _mapped(located: table.Located, mapping: Mapping) -> Record | RejectedRow:
    if located.row is None:
        return RejectedRow(located.reason or "not readable")
    try:
        return mapping.apply(located.row)
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
