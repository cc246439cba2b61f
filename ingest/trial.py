"""A trial: files are read and mapped, nothing is written, and the report says what would come of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ingest.columns import ColumnUse, texts_of
from ingest.entries import Entry, Notes, entries
from ingest.errors import RejectedRow
from ingest.identifiers import Choose, Identifiers
from ingest.ingestion import REPEATED, FilledParts, Reason, ReasonCounts
from ingest.mapping import Mapping
from ingest.reading.settings import Limits
from ingest.record import Field, Record
from ingest.values import has_html, repaired

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


class Anomaly(msgspec.Struct, kw_only=True):
    """Something strange in records: in how many, and examples with the ids of their records."""

    records: int = 0
    examples: tuple[tuple[str, str], ...] = ()

    def note(self, record: str, texts: Sequence[str]) -> None:
        """Count a record with such texts, if there are any."""
        self.records += bool(texts)
        if texts and len(self.examples) < _EXAMPLES and texts[0][:_LONG] not in dict(self.examples):
            self.examples = (*self.examples, (texts[0][:_LONG], record))


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What would come of ingesting files."""

    read: int
    records: int
    rejected: int
    repeated: int  # records whose id had come before
    repeats: tuple[Reason, ...]  # the ids that came again most often, each with how often and an example
    identifiers: tuple[str, ...]
    """A sentence for every file whose records are not named by the first source of their mapping."""
    read_as: tuple[str, ...]
    shown: tuple[SampleRecord, ...]
    filled: dict[str, float]  # of every part the share of the records that have it
    absent: dict[str, tuple[str, ...]]
    """Columns of the mapping that no row has, with the parts that they are for."""
    unused: dict[str, str]  # columns of the rows that nothing uses, each with an example
    dates_not_understood: Anomaly
    placeholder_makers: Anomaly  # makers that are none: unknown, anonymous
    html: Anomaly
    mojibake: Anomaly  # texts in UTF-8 that were once read as Windows-1252
    reasons: tuple[Reason, ...]
    damaged: tuple[str, ...]


class Judges(NamedTuple):
    """Functions of the analysis: whether a date is understood, and whether a maker is none."""

    is_understood: Callable[[str], bool]
    says_no_maker: Callable[[str], bool]


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
    notes, named, columns = Notes(), Identifiers(mapping), ColumnUse(by_part=by_part)
    reasons, repeats = ReasonCounts(), ReasonCounts()
    counts, filled = Counter[str](), FilledParts()
    dates, makers, html, mojibake = Anomaly(), Anomaly(), Anomaly(), Anomaly()
    shown: list[SampleRecord] = []
    ids: set[str] = set()
    named.settle(paths, limits)
    for entry in entries(paths, named, limits, notes, progress):
        counts["read"] += 1
        record = entry.content
        if entry.row is not None and entry.mapping is not None:
            columns.note(entry.row, entry.mapping)
        if isinstance(record, RejectedRow):
            reasons.add(entry.file, entry.line, record.detail)
            continue
        counts["records"] += 1
        if record.id in ids:
            counts["repeated"] += 1
            repeats.add(entry.file, entry.line, REPEATED.format(record.id), record.id)
        ids.add(record.id)
        filled.note(record)
        if len(shown) < _SHOWN:
            shown.append(_sample(entry, record))
        dates.note(record.id, [text for text, _ in record.date if not judges.is_understood(text)])
        makers.note(record.id, [text for text, _ in record.creator if judges.says_no_maker(text)])
        texts = [value.text for field in Field for value in record.field(field)]
        html.note(record.id, [text for text in texts if has_html(text)])
        mojibake.note(record.id, [text for text in texts if repaired(text) != text])
    records = counts["records"]
    return Report(
        read=counts["read"],
        records=records,
        rejected=counts["read"] - records,
        repeated=counts["repeated"],
        repeats=repeats.commonest(),
        identifiers=tuple(named.sentences),
        read_as=notes.read_as(),
        shown=tuple(shown),
        filled=filled.shares(),
        absent=columns.absent(),
        unused={path: text[:_LONG] for path, text in columns.unused().items()},
        dates_not_understood=dates,
        placeholder_makers=makers,
        html=html,
        mojibake=mojibake,
        reasons=reasons.commonest(),
        damaged=(*notes.damaged, *named.refused),
    )


def _sample(entry: Entry, record: Record) -> SampleRecord:
    texts = texts_of(entry.row)[:_LEAVES] if entry.row is not None else []
    source = tuple((path, text[:_LONG]) for path, text in texts)
    return SampleRecord(file=entry.file, line=entry.line, source=source, record=record)
