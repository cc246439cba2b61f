"""A trial: files are read and mapped, nothing is written, and the report says what would come of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ingest.columns import Columns, texts_of
from ingest.entries import Entry, Notes, entries
from ingest.errors import RejectedRow
from ingest.identifiers import Choose, Identifiers
from ingest.ingestion import REPEATED, Reason, Reasons
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.record import Field, Record
from ingest.values import has_html

PARTS = (*(field.value for field in Field), "places", "type", "image", "landing_page", "rights", "provider")
"""The parts of a record for which the report says how many records have them."""

_SHOWN = 3
_LEAVES = 40
_EXAMPLES = 5
_LONG = 200


class SampleRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record beside its source."""

    file: str
    line: int | None
    source: tuple[tuple[str, str], ...]
    """The columns or paths of the source that hold something, and what they hold."""
    record: Record


class Anomaly(msgspec.Struct, frozen=True, kw_only=True):
    """Something strange in records: in how many, and examples with the ids of their records."""

    records: int = 0
    examples: tuple[tuple[str, str], ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What would come of ingesting files."""

    read: int
    records: int
    rejected: int
    repeated: int
    """Records whose id had come before."""
    repeats: tuple[Reason, ...]
    """The ids that came again most often, each with how often and an example."""
    identifiers: tuple[str, ...]
    """A sentence for every file whose records are not named by the first source of their mapping."""
    read_as: tuple[str, ...]
    shown: tuple[SampleRecord, ...]
    filled: dict[str, float]
    """Of every part the share of the records that have it."""
    absent: dict[str, tuple[str, ...]]
    """Columns of the mapping that no row has, with the parts that they are for."""
    unused: dict[str, str]
    """Columns of the rows that nothing uses, each with an example."""
    dates_not_understood: Anomaly
    placeholder_makers: Anomaly
    """Makers that are none: unknown, anonymous."""
    html: Anomaly
    reasons: tuple[Reason, ...]
    damaged: tuple[str, ...]


class Judges(NamedTuple):
    """Functions of the analysis: whether a date is understood, and whether a maker is none."""

    is_understood: Callable[[str], bool]
    says_no_maker: Callable[[str], bool]


class _AnomalyCounter:
    def __init__(self) -> None:
        self.records = 0
        self._examples: dict[str, str] = {}

    def note(self, record: str, texts: Sequence[str]) -> None:
        if texts:
            self.records += 1
            if len(self._examples) < _EXAMPLES:
                self._examples.setdefault(texts[0][:_LONG], record)

    def anomaly(self) -> Anomaly:
        return Anomaly(records=self.records, examples=tuple(self._examples.items()))


class _Trial:
    def __init__(self, judges: Judges, *, by_part: bool) -> None:
        self._judges = judges
        self.columns = Columns(by_part=by_part)
        self.reasons, self.repeats = Reasons(), Reasons()
        self.counts: Counter[str] = Counter()
        self.filled: Counter[str] = Counter()
        self.shown: list[SampleRecord] = []
        self.dates, self.makers, self.html = _AnomalyCounter(), _AnomalyCounter(), _AnomalyCounter()
        self._ids: set[str] = set()

    def note(self, entry: Entry) -> None:
        self.counts["read"] += 1
        if entry.row is not None and entry.mapping is not None:
            self.columns.note(entry.row, entry.mapping)
        if isinstance(entry.content, RejectedRow):
            self.counts["rejected"] += 1
            self.reasons.add(entry.file, entry.line, entry.content.detail)
        else:
            self._note_record(entry, entry.content)

    def _note_record(self, entry: Entry, record: Record) -> None:
        self.counts["records"] += 1
        if record.id in self._ids:
            self.counts["repeated"] += 1
            self.repeats.add(entry.file, entry.line, REPEATED.format(record.id), record.id)
        self._ids.add(record.id)
        self.filled.update(part for part in PARTS if getattr(record, part))
        if len(self.shown) < _SHOWN:
            texts = texts_of(entry.row)[:_LEAVES] if entry.row is not None else []
            source = tuple((path, text[:_LONG]) for path, text in texts)
            self.shown.append(SampleRecord(file=entry.file, line=entry.line, source=source, record=record))
        is_understood, says_no_maker = self._judges
        self.dates.note(record.id, [text for text, _ in record.date if not is_understood(text)])
        self.makers.note(record.id, [text for text, _ in record.creator if says_no_maker(text)])
        values = (value.text for field in Field for value in record.field(field))
        self.html.note(record.id, [text for text in values if has_html(text)])


def tried(
    paths: Sequence[Path],
    mapping: Mapping | Choose,
    limits: Limits,
    judges: Judges,
    progress: Callable[[int], None],
    *,
    by_part: bool = False,
) -> Report:
    """The report on some files, which are read and mapped; nothing is written.

    ``by_part``: any column may be absent but all of the title. Raises what reading raises
    before the first row; what breaks a file later stands in ``damaged``, as does why one would be refused.
    """
    trial, notes, named = _Trial(judges, by_part=by_part), Notes(), Identifiers(mapping)
    named.settle(paths, limits)
    for entry in entries(paths, named, limits, notes, progress):
        trial.note(entry)
    counts, records = trial.counts, trial.counts["records"]
    return Report(
        read=counts["read"],
        records=records,
        rejected=counts["rejected"],
        repeated=counts["repeated"],
        repeats=trial.repeats.commonest(),
        identifiers=tuple(named.sentences),
        read_as=notes.read_as(),
        shown=tuple(trial.shown),
        filled={part: round(trial.filled[part] / records, 4) for part in PARTS} if records else {},
        absent=trial.columns.absent(),
        unused={path: text[:_LONG] for path, text in trial.columns.unused().items()},
        dates_not_understood=trial.dates.anomaly(),
        placeholder_makers=trial.makers.anomaly(),
        html=trial.html.anomaly(),
        reasons=trial.reasons.commonest(),
        damaged=(*notes.damaged, *named.refused),
    )
