"""How far the harvest of a source has come, and the stretches of time that a server is asked for.

The progress is small, and written with every page.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Self

import msgspec

DAY: Final = "YYYY-MM-DD"
_DATE: Final = re.compile(r"\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?\s*")


class Slice(NamedTuple):
    """A stretch of time, from when to when, both included; None: open."""

    since: str | None = None
    until: str | None = None

    def arguments(self) -> dict[str, str]:
        """The arguments of a question for it."""
        bounds = {"from": self.since, "until": self.until}
        return {name: text for name, text in bounds.items() if text}

    def in_days(self) -> Self:
        """The same for a server that takes days alone."""
        return type(self)(self.since and self.since[:10], self.until and self.until[:10])


def moment(text: str) -> datetime | None:
    """The moment of a datestamp, in UTC; None where it is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    try:
        zone = (match[3] or "Z").replace("Z", "+00:00")
        return datetime.fromisoformat(f"{match[1]}T{match[2] or '00:00:00'}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(at: datetime, granularity: str) -> str:
    """A moment as a server of that granularity takes it."""
    return at.strftime("%Y-%m-%d" if granularity == DAY else "%Y-%m-%dT%H:%M:%SZ")


def in_granularity(text: str | None, granularity: str) -> str | None:
    """A datestamp written as a server takes it, None where it is none."""
    at = moment(text) if text else None
    return stamp(at, granularity) if at else None


def halves(whole: Slice, granularity: str, earliest: str, now: str) -> tuple[Slice, Slice] | None:
    """A slice in two; None where it is a single day or second.

    An open end stays open, so that no record falls out of it.
    """
    begin = moment(whole.since or earliest) or datetime(1970, 1, 1, tzinfo=UTC)
    end = moment(whole.until or now) or datetime.now(UTC)
    unit = timedelta(days=1) if granularity == DAY else timedelta(seconds=1)
    steps = (end - begin) // unit
    if steps < 1:
        return None
    middle = begin + unit * ((steps - 1) // 2)
    first = Slice(whole.since, stamp(middle, granularity))
    return first, Slice(stamp(middle + unit, granularity), whole.until)


def parts_by_stamps(whole: Slice, stamps: Iterable[str], granularity: str) -> tuple[Slice, Slice] | None:
    """A slice in two that hold as many records each, by the datestamps of all its records.

    None where these do not all lie in the slice, or are all the same.

    >>> parts_by_stamps(Slice("2026-01-01", None), ["2026-02-01", "2026-02-03", "2026-09-01"], DAY)
    (Slice(since='2026-01-01', until='2026-02-02'), Slice(since='2026-02-03', until=None))
    """
    moments = sorted({in_granularity(text, granularity) or "" for text in stamps})
    begin = moment(moments[len(moments) // 2]) if len(moments) > 1 and moments[0] else None
    if begin is None or moments[0] < (whole.since or "") or moments[-1] > (whole.until or moments[-1]):
        return None
    before = begin - (timedelta(days=1) if granularity == DAY else timedelta(seconds=1))
    first = Slice(whole.since, stamp(before, granularity))
    return first, Slice(stamp(begin, granularity), whole.until)


class Counts(msgspec.Struct):
    """The counts of a harvest so far; a record that comes twice counts once more under ``read``."""

    pages: int = 0
    read: int = 0
    added: int = 0
    changed: int = 0
    unchanged: int = 0
    deleted: int = 0
    rejected: int = 0


class Progress(msgspec.Struct):
    """How far a harvest has come; with it any later process goes on."""

    about: str  # digest of the source's settings and its mapping: with another one the harvest begins anew
    stage: str = "done"  # records, identifiers, removal, done
    window: Slice = Slice()  # what this harvest asks for
    covers: bool = True  # whether the next harvest may begin where this one began
    started: str = ""  # the server's clock when it began
    since: str | None = None  # where the next harvest begins; None: at the beginning
    granularity: str = ""
    deleted: str = ""  # how the server lists deleted records: no, transient, persistent
    earliest: str = ""
    slices: list[Slice] = []  # the stretches that are still to be asked for; the first is under way
    token: str | None = None
    run: int = 0  # its number among the runs that took records in
    number: int = 0  # number of the list that is being read; every question without a token begins one
    first: int = 0  # number of this harvest's first list
    listed: int = 0  # different records in this list so far
    size: int | None = None  # how long the source says this list is
    repeats: int = 0  # pages in a row that held nothing new of this list
    after: str = ""  # the identifier that was last looked at in the removal
    counts: Counts = msgspec.field(default_factory=Counts)
    faults: tuple[str, ...] = ()  # what was wrong with the source, a sentence each
    restarts: int = 0  # how often the list of a slice that cannot be halved was begun again
    short: bool = False  # whether a list of this stage was shorter than announced, or went in a circle
    doubtful: bool = False  # whether a list of the records was
    whole: bool = True  # whether nothing is missing, as far as the source's lists show
    finished: str | None = None  # when the last harvest ended, by our own clock

    def begin_list(self) -> None:
        """Begin to read another list."""
        self.token, self.listed, self.size, self.repeats = None, 0, None, 0
        self.number += 1

    def leave_slice(self) -> None:
        """Go on with the next slice."""
        self.slices.pop(0)
        self.restarts = 0
        self.begin_list()

    def cut_short(self) -> None:
        """Note that a list lacks records; identifiers that are listed afterwards would name them."""
        self.short = True
        if self.stage == "identifiers":
            self.whole = False

    def begin_identifiers(self) -> None:
        """Begin the second stage; a source that does not list its deletions has to list everything."""
        self.stage, self.after = "identifiers", ""
        self.slices = [self.window if self.deleted == "persistent" else Slice()]
        self.doubtful, self.short = self.short, False

    def begin_removal(self) -> None:
        """Begin the third stage."""
        self.stage, self.after = "removal", ""
        if self.covers and self.whole:
            self.since = self.started

    def fault(self, sentence: str) -> None:
        """Note what is wrong with the source; of very many the first."""
        if sentence not in self.faults and len(self.faults) < 100:
            self.faults = (*self.faults, sentence)
