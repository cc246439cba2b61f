"""How many dates of a catalogue have an interval, which are doubtful, and why the others have none."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from textwrap import shorten
from typing import Final, TypeVar

from features.text.dates.fields import date_periods, dates_edtf, is_understood
from features.text.dates.reasons import MEANINGS, NoDateReason, why_none
from features.text.dates.sides import is_falling
from ingest.record import Record

_LONGEST: Final = 500
"""Years that a span of a catalogued thing seldom exceeds."""


class Doubt(StrEnum):
    """What makes an interval that was read doubtful."""

    LONG = "long span"
    FALLING = "falling range"


_DOUBTS: Final = {
    Doubt.LONG: f"an interval of more than {_LONGEST} years",
    Doubt.FALLING: "two dates are joined, and the second ends before the first begins",
}


@dataclass(frozen=True, slots=True)
class DateGroup:
    """The dates that have no interval, or a doubtful one, for one reason."""

    reason: NoDateReason | Doubt
    meaning: str
    strings: int
    records: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DateReport:
    """What is understood of the dates of some records.

    A string is a date as it is written, counted once however many records have it. Of records
    with several dates one that is understood is enough.
    """

    records: int
    records_without_date: int
    records_with_interval: int
    strings: int
    strings_with_interval: int
    without: tuple[DateGroup, ...]
    doubtful: tuple[DateGroup, ...]

    @property
    def share_of_strings(self) -> float:
        """The share of the strings that have an interval; 1 where there is none."""
        return self.strings_with_interval / self.strings if self.strings else 1.0

    @property
    def share_of_records(self) -> float:
        """The share of the records with a date that have an interval; 1 where there is none."""
        dated = self.records - self.records_without_date
        return self.records_with_interval / dated if dated else 1.0


def report(records: Iterable[Record], examples: int = 5) -> DateReport:
    """Read the dates of all records; ``examples`` is the number of strings to be named for each reason.

    >>> from ingest.record import values
    >>> dates = report([Record(id="a", date=values("1750")), Record(id="b", date=values("modern"))])
    >>> dates.share_of_strings, [(one.reason.value, one.examples) for one in dates.without]
    (0.5, [('no number and no period', ('modern',))])
    """
    read: dict[str, NoDateReason | None] = {}
    doubts: dict[str, Doubt] = {}
    records_of: Counter[str] = Counter()
    number = undated = understood = 0
    for record in records:
        number += 1
        texts = {value.text for value in record.date}
        undated += not texts
        for text in texts - read.keys():
            read[text] = why_none(text)
            if read[text] is None and (doubt := _doubt(text)):
                doubts[text] = doubt
        understood += any(read[text] is None for text in texts)
        records_of.update(texts)
    dated = sum(reason is None for reason in read.values())
    without = _groups(NoDateReason, MEANINGS, read, records_of, examples)
    doubtful = _groups(Doubt, _DOUBTS, doubts, records_of, examples)
    return DateReport(number, undated, understood, len(read), dated, without, doubtful)


_Reason = TypeVar("_Reason", NoDateReason, Doubt)


def _groups(
    reasons: Iterable[_Reason],
    meanings: Mapping[_Reason, str],
    reason_of: Mapping[str, _Reason | None],
    records_of: Mapping[str, int],
    examples: int,
) -> tuple[DateGroup, ...]:
    """The strings of each reason that has any, the commonest first."""
    groups = []
    for reason in reasons:
        own = sorted(
            (text for text in reason_of if reason_of[text] is reason), key=lambda text: -records_of[text]
        )
        if own:
            many = sum(records_of[text] for text in own)
            groups.append(DateGroup(reason, meanings[reason], len(own), many, tuple(own[:examples])))
    return tuple(groups)


def _doubt(text: str) -> Doubt | None:
    dates = date_periods(text)
    if is_falling(text, dates):
        return Doubt.FALLING
    return Doubt.LONG if any(one.last - one.first > _LONGEST for one in dates) else None


@dataclass(frozen=True, slots=True)
class ReadDate:
    """What is read of one date: its years, or why it has none."""

    text: str
    first: int | None
    last: int | None
    edtf: str | None
    reason: str | None


def read(text: str) -> ReadDate:
    """Read a date.

    >>> read("late 18th century")
    ReadDate(text='late 18th century', first=1766, last=1799, edtf='1766/1799', reason=None)
    """
    periods, reason = date_periods(text), why_none(text)
    if reason is not None:
        return ReadDate(text, None, None, None, reason.value)
    first, last = min(one.first for one in periods), max(one.last for one in periods)
    return ReadDate(text, first, last, dates_edtf([text]), None)


_EXAMPLES = 5


def strange_dates(record: Record) -> list[str]:
    """The dates of a record that are not understood, and count as none.

    >>> from ingest.record import values
    >>> strange_dates(Record(id="a", date=values("1740", "the other day")))
    ['the other day']
    """
    return [value.text for value in record.date if not is_understood(value.text)]


class StrangeDates:
    """The records of a run with a date that is not understood; of two with one id the later counts."""

    def __init__(self) -> None:
        self._strange: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._strange)

    def note(self, record: Record) -> None:
        """Look at the dates of a record."""
        if strange := strange_dates(record):
            self._strange[record.id] = strange[0]
        else:
            self._strange.pop(record.id, None)

    def sentence(self) -> str:
        """A message for people: how many there are, and some of the dates."""
        first: dict[str, str] = {}
        for item, text in self._strange.items():
            first.setdefault(text, item)
        examples = [f"'{shorten(text, 60)}' ({item})" for text, item in islice(first.items(), _EXAMPLES)]
        records = "1 record has" if len(self) == 1 else f"{len(self):,} records have"
        note = f"{records} a date that is not understood, which counts as no date; for example: "
        return note + ", ".join(examples)
