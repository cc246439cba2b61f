"""The datestamps of a server, and stretches of them that are asked for apart."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

DAY: Final = "YYYY-MM-DD"
_DATE: Final = re.compile(r"\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?\s*")


class Slice(NamedTuple):
    """From when to when, both included; None: open."""

    since: str | None = None
    until: str | None = None

    def arguments(self) -> dict[str, str]:
        """The arguments by which a server is asked for it."""
        given = {"from": self.since, "until": self.until}
        return {name: text for name, text in given.items() if text}


def moment(text: str) -> datetime | None:
    """The moment of a datestamp, in UTC; None where it is none.

    >>> moment("2013-02-27T09:10:56Z")
    datetime.datetime(2013, 2, 27, 9, 10, 56, tzinfo=datetime.timezone.utc)
    >>> moment("yesterday") is None
    True
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    try:
        zone = (found[3] or "Z").replace("Z", "+00:00")
        return datetime.fromisoformat(f"{found[1]}T{found[2] or '00:00:00'}{zone}").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def stamp(at: datetime, granularity: str) -> str:
    """A moment as a server of that granularity takes it.

    >>> stamp(datetime(2013, 2, 27, 9, tzinfo=UTC), "YYYY-MM-DD")
    '2013-02-27'
    """
    return at.strftime("%Y-%m-%d" if granularity == DAY else "%Y-%m-%dT%H:%M:%SZ")


def in_granularity(text: str | None, granularity: str) -> str | None:
    """A datestamp written as a server takes it, None where it is none."""
    at = moment(text) if text else None
    return stamp(at, granularity) if at else None


def halves(whole: Slice, granularity: str, earliest: str, now: str) -> tuple[Slice, Slice] | None:
    """A slice in two; None where it is a single day or second.

    An open end stays open, so that no record falls out of it.

    >>> halves(Slice("2001-01-01", "2001-01-04"), DAY, "", "")
    (Slice(since='2001-01-01', until='2001-01-02'), Slice(since='2001-01-03', until='2001-01-04'))
    >>> halves(Slice("2001-01-01", "2001-01-01"), DAY, "", "") is None
    True
    """
    begin = moment(whole.since or earliest) or datetime(1970, 1, 1, tzinfo=UTC)
    end = moment(whole.until or now) or datetime.now(UTC)
    unit = timedelta(days=1) if granularity == DAY else timedelta(seconds=1)
    steps = (end - begin) // unit
    if steps < 1:
        return None
    middle = begin + unit * ((steps - 1) // 2)
    return (
        Slice(whole.since, stamp(middle, granularity)),
        Slice(stamp(middle + unit, granularity), whole.until),
    )
