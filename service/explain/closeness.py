"""How close two items are, in words: by a score, and by their dates.

The thresholds of scores stand here alone: pages, the widget and rows in Python share them.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from features.profiles.profile import Occurrence
from features.text.caches import text_cache
from features.text.dates.fields import date_periods
from features.text.dates.years import Period, YearSpan, periods
from ingest.record import Field, Record
from service.explain.makers import natural
from service.explain.phrases import listed_names, opening, surface

WORDS: Final = (
    (4.5, "very close"),
    (3.5, "close"),
    (2.5, "related"),
    (1.5, "loosely related"),
    (0.5, "distant"),
)
"""From this score on a similarity is called so: each word stands around a whole number of the scale."""

NOTHING: Final = "nothing to compare"  # where neither item has anything of a type, so there is no score


def closeness(score: float | None) -> str:
    """A score from 0 to 5 in words.

    >>> [closeness(score) for score in (5.0, 4.5, 3.6, 2.5, 1.6, 0.5, 0.0)]
    ['very close', 'very close', 'close', 'related', 'loosely related', 'distant', 'unrelated']
    >>> closeness(None)
    'nothing to compare'
    """
    if score is None:
        return NOTHING
    return next((words for least, words in WORDS if score >= least), "unrelated")


_SAME_YEAR: Final = "Both are of the year"

_STRETCH: Final = re.compile(r"(?i)^(?!the\b).*(?:\bcentury\b|\bperiod\b|\bdynasty\b|\bera\b|\d0s$)")
"""A stretch of time that English gives an article: the 19th century, the 1840s."""

_CENTURY_ELSEWHERE: Final = re.compile(
    r"(?i)\b(?:si[eè]cles?|eeuw|jahrhunderts?|jh|jhd?t|sec|secolo|siglo|talet|århundradet)\b"
)
"""A century in the words of another language."""

_NEAR: Final = 0.5
"""From this value on times are called close whose years are not known, such as those of a maker's work."""

_DATES: Final = 1 << 12  # dates whose years are remembered: one item is compared with many
_COUNTED: Final = 1000  # fewer years are counted; of more, and between centuries, a round number says enough
_CENTURY: Final = 90  # from so many years on a stretch of time is called a century
_ROUND: Final = 75  # from so many years on a round number is one of hundreds, else of fifties


class TimesWording(NamedTuple):
    """A sentence about the dates of two records, and how it names those of either."""

    text: str
    left: str
    right: str


def times(
    value: float | None, left: Record, ours: Sequence[Occurrence], right: Record, theirs: Sequence[Occurrence]
) -> TimesWording:
    """One sentence about the dates of two records; ``value`` says how near the measure finds them."""
    here, there = _when(left, ours), _when(right, theirs)
    one, two = years(left, ours), years(right, theirs)
    if here == there:
        if one and two and _CENTURY_ELSEWHERE.search(here) and (century := shared_time(one, two)):
            return TimesWording(f"Both are of {century}.", century, century)
        return TimesWording(f"Both are of {'the ' if _STRETCH.search(here) else ''}{here}.", here, there)
    if one is None or two is None:
        near = "They are close in time" if (value or 0.0) >= _NEAR else "They are some way apart in time"
        return TimesWording(f"{near}: {here} and {there}.", here, there)
    gap = apart(one, two)
    if gap.startswith(_SAME_YEAR):
        return TimesWording(f"{gap}.", _year(one[0]), _year(one[0]))
    return TimesWording(f"{gap}: {here} and {there}.", here, there)


def apart(one: YearSpan, two: YearSpan) -> str:
    """How far apart two stretches of years are, without the full stop; of centuries their middles count.

    >>> for two in ((1840, 1840), (1842, 1842), (1838, 1843), (1853, 1853), (1675, 1675), (1601, 1700)):
    ...     print(apart((1840, 1840), two))
    Both are of the year 1840
    Both are of the 1840s
    Their dates overlap
    They are 13 years apart
    They are 165 years apart
    They are about 200 years apart
    """
    if one == two and one[0] == one[1]:
        return f"{_SAME_YEAR} {_year(one[0])}"
    gap = _between(one, two)
    if gap == 0:
        return "Their dates overlap"
    decade = one[0] // 10 * 10
    if one[0] > 0 and all(decade <= year < decade + 10 for year in (*one, *two)):
        return f"Both are of the {decade}s"
    if max(one[1] - one[0], two[1] - two[0]) >= _CENTURY:
        gap = abs(sum(one) - sum(two)) // 2
    elif gap < _COUNTED:
        return f"They are {gap} year{'' if gap == 1 else 's'} apart"
    return f"They are about {_rounded(gap):,} years apart"


def shared_time(one: YearSpan, two: YearSpan) -> str | None:
    """The year, the decade or the century that holds all of two stretches of years; None where none does.

    >>> [shared_time((1841, 1843), two) for two in ((1845, 1845), (1895, 1895), (1780, 1780))]
    ['the 1840s', 'the 19th century', None]
    >>> shared_time((1700, 1799), (1700, 1799)), shared_time((1801, 1900), (1850, 1850))
    ('the 18th century', 'the 19th century')
    """
    first, last = min(one[0], two[0]), max(one[1], two[1])
    if first <= 0:
        return None
    if first == last:
        return str(first)
    if first // 10 == last // 10:
        return f"the {first // 10 * 10}s"
    # a century is written from 1700 to 1799 or from 1701 to 1800
    starts = (start for start in (0, 1) if (first - start) // 100 == (last - start) // 100)
    start = next(starts, None)
    return None if start is None else f"the {_ordinal((first - start) // 100 + 1)} century"


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number // 10 != 1 else "th"
    return f"{number}{ending}"


def _between(one: YearSpan, two: YearSpan) -> int:
    """Years from the end of the earlier stretch to the beginning of the later; there is no year 0."""
    gap = max(0, two[0] - one[1], one[0] - two[1])
    over = gap and (one[0] < 0) != (two[0] < 0) and max(one[0], two[0]) > 0
    return gap - 1 if over else gap


def _rounded(years: int) -> int:
    """Years to the nearest fifty, or hundred where they are more."""
    step = 100 if years >= _ROUND else 50
    return (years + step // 2) // step * step


def _year(year: int) -> str:
    return f"{-year} BC" if year < 0 else str(year)


def years(record: Record, dates: Sequence[Occurrence]) -> YearSpan | None:
    """The years that some dates of a record cover; None where they name none, or are a maker's."""
    if dates[0].part == Field.CREATOR:
        return None
    covered = [
        period
        for date in dates
        for period in (_date_periods if date.part == Field.DATE else periods)(opening(record, date))
        if not period.named and period.start < date.end and date.start < period.end
    ]
    if not covered:
        return None
    return min(period.first for period in covered), max(period.last for period in covered)


@text_cache(_DATES)
def _date_periods(text: str) -> tuple[Period, ...]:
    return date_periods(text)


def _when(record: Record, dates: Sequence[Occurrence]) -> str:
    """A date, or its first and its last year; of an item without one its makers' years.

    The years beside a maker's name are not those of the item, whatever the measure makes of them.
    """
    if dates[0].part == Field.CREATOR:
        makers = dict.fromkeys(natural(opening(record, one)) for one in dates)
        return f"the working years of {listed_names([*makers])}"
    return " to ".join(dict.fromkeys(surface(record, one) for one in dates))
