"""A range whose two sides are dates of different forms: 54 BC-1ste eeuw, vers 1850 - avant 1900.

A date field is read by this grammar: ``date = side | side joiner side``, where a side is a year, a decade,
a century or a millennium, each with the words of its part and with an era or without. What one side lacks
it takes from the other by these rules:

1. A side with an era of its own keeps it.
2. A first side without an era takes the era of the second: 500-300 BC, 4th-3rd century BC.
3. A second side without an era, beside a first one before Christ, is after Christ: 30 BC-395 ends in 395.
   An era before Christ is written at each year, or once behind both.
4. A first side that is a number alone takes the unit of the second, century or millennium, where it is
   written as an ordinal or where both are below 22: 17-18th century. A year with an era is a year.
5. A second side of fewer digits is of the century or the decade of the first: 1823-31, 1405-8.

Dates with anything else than a joiner between them are dates of different things, and stay two: the first
of *1ste eeuw, 1926* is of the object, the second of its photograph.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from features.text.dates import year_patterns as y
from features.text.dates.years import Period, period_at

_ABOUT = rf"(?:{y.CIRCA}|um|etwa|vers|environ|omkring|omstreeks|verso|hacia|~)"
_LIMIT = r"(?:before|by|after|until|till|vor|nach|avant|après|vóór|na|prima\sdel|före|efter)"
_BETWEEN: Final = re.compile(
    rf"(?i)[\s?)\]]*(?:[-‐‑‒–—−]{{1,3}}|(?<=\s)(?:to|until|till|through|bis|à|au|tot|t/m|hasta|al?)(?=\s))"
    rf"[\s?(\[]*(?:{_ABOUT}\s*)?(?:{_LIMIT}\s+)?(?:A\.?\s?D\.?\s*)?"
)
_TWO_ENDS: Final = re.compile(
    rf"(?i)(?<!\w)(?:between|zwischen|entre|tussen|tra|fra|mellan)\s+(?:the\s+)?(?:{_ABOUT}\s*)?\Z"
)
_AND: Final = re.compile(rf"(?i)[\s?]+(?:and|und|et|y|e|en|och)\s+(?:the\s+)?(?:{_ABOUT}\s*)?")
_SIGNED: Final = re.compile(
    r"\s*(?P<one>[-−][0-9]{1,4})(?:\s*(?:[-–—/]|\.\.|to|until|bis|à|tot)\s*(?P<two>[-−]?[0-9]{1,4}))?\s*\Z"
)
_TO: Final = re.compile(r"\s*(?P<one>[0-9]{1,3})\s+to\s+(?P<two>[0-9]{1,4})\s*\Z")
_BEFORE_PRESENT: Final = re.compile(
    r"(?<![\w.,])(?P<one>[0-9]{3,5})(?:\s*[-–]\s*(?P<two>[0-9]{3,5}))?\s*(?:(?i:cal)\.?\s*)?B\.?P\.?(?!\w)"
)
_PRESENT: Final = 1950  # by agreement, for radiocarbon


def joined(text: str, dates: Sequence[Period]) -> tuple[Period, ...]:
    """The dates of a field, of which two with no more than a joiner between them are one span.

    >>> from features.text.dates.years import periods
    >>> text = "1750 - late 18th century, 1926"
    >>> [(one.first, one.last, one.text) for one in joined(text, periods(text))]
    [(1750, 1799, '1750 - late 18th century'), (1926, 1926, '1926')]
    """
    spans: list[Period] = []
    for date in dates:
        before = spans[-1] if spans else None
        if before and before.first <= date.last and _is_joined(text, before, date):
            spans[-1] = replace(
                before,
                last=max(before.last, date.last),
                written=tuple(dict.fromkeys(before.written + date.written)),
                end=date.end,
                text=text[before.start : date.end],
                approximate=before.approximate or date.approximate,
            )
        else:
            spans.append(date)
    return tuple(spans)


def is_falling(text: str, dates: Sequence[Period]) -> bool:
    """Whether a field joins two dates of which the second ends before the first begins.

    >>> from features.text.dates.years import periods
    >>> text = "1959 - 1950"
    >>> is_falling(text, periods(text))
    True
    """
    return any(two.last < one.first and _is_joined(text, one, two) for one, two in pairwise(dates))


def _is_joined(text: str, one: Period, two: Period) -> bool:
    """Whether no more than a joiner stands between two dates, which may be an *and* after *between*."""
    if _BETWEEN.fullmatch(text, one.end, two.start):
        return True
    ends = _TWO_ENDS.search(text, max(0, one.start - y.NEAR), one.start)
    return bool(ends and _AND.fullmatch(text, one.end, two.start))


def whole_years(text: str) -> tuple[Period, ...]:
    """The years of a whole value in a column of years: with a sign, before Christ, or two that *to* joins.

    >>> texts = ("-500", "-114 to -113", "-30-395", "-30 to 0", "8 to 12")
    >>> [(one.first, one.last) for text in texts for one in whole_years(text)]
    [(-500, -500), (-114, -113), (-30, 395), (-30, -1), (8, 12)]
    """
    match = _SIGNED.match(text) or _TO.match(text)
    if match is None:
        return ()
    last = "two" if match["two"] else "one"
    one, two = (int(match[side].replace("−", "-")) or -1 for side in ("one", last))
    if one > two:
        return ()
    return (period_at(text, (match.start("one"), match.end(last)), one, two, (one, two)),)


def before_present(text: str) -> tuple[Period, ...]:
    """The years that are counted back from 1950: 2000 BP is 51 BC, since there is no year zero.

    >>> [(one.first, one.last) for one in before_present("2000-1500 BP")]
    [(-51, 450)]
    """
    dates = []
    for match in _BEFORE_PRESENT.finditer(text):
        years = sorted(_PRESENT - int(match[side]) for side in ("one", "two") if match[side])
        first, last = (year if year > 0 else year - 1 for year in (years[0], years[-1]))
        dates.append(replace(period_at(text, match.span(), first, last, (first, last)), approximate=True))
    return tuple(dates)
