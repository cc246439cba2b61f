"""Dates in the Extended Date/Time Format (EDTF, ISO 8601-2), in and out.

Levels 0 and 1 are read, and of level 2 sets, exponents, significant digits and qualifiers of parts.
What catalogues write too, and mean otherwise, stays with :mod:`features.text.dates.fields`: ``2001-21`` is
a range of years there, not the spring of 2001. EDTF has a year 0, which is 1 BC: ``-0043`` is 44 BC.
"""

import re
from typing import Final, NamedTuple

from features.text.dates.years import Period

OPEN: Final = 25
"""Years that before, after and an open end leave open: a generation."""

_FARTHEST: Final = 1_000_000
"""Years from now beyond which nothing is read: collections are counted by the decade."""
_Q: Final = "[?~%]*"
_LONG: Final = r"Y(?P<long>-?[0-9]{1,12})(?:E(?P<power>[0-9]{1,2}))?"
_DATE: Final = re.compile(
    rf"{_Q}(?:{_LONG}|(?P<year>-?[0-9X]{{4}}))(?:S(?P<digits>[0-9]))?"
    rf"(?P<day>{_Q}-{_Q}(?:[0-9X]{{2}}){_Q}(?:-{_Q}[0-9X]{{2}})?)?(?P<time>T[0-9:.,+Z-]+)?{_Q}"
)
_SPECIFIC: Final = re.compile(
    r"-(?:[0-9X]|\Z)|[?~%]*Y-?[0-9]|.*(?:[0-9X][%~]|[~%][0-9]|\.\.|[0-9]S[0-9]|X|\?-)|/|.*/\s*\Z|[\[{].*,"
    r"|.*/(?:open|unknown)|(?:open|unknown)/|[0-9]{4}-[0-9]{2}[-0-9?]*/[0-9]{4}-"
    r"|[0-9]{4}/[0-9]{4}-[0-9]{2}(?:-|\Z)|0(?!000)[0-9X]{3}(?:\Z|[-/])|0000/(?!0000)[0-9]{4}\Z|100[01]\Z"
)
"""What tells such a date from one that any catalogue might write."""
_SEASON: Final = re.compile(r"[0-9]{2}(?P<short>[0-9]{2})-(?P<season>2[1-4])")
_LIST: Final = re.compile(r"\[(?P<one>[^\[\]{}]*)\]|\{(?P<all>[^\[\]{}]*)\}")
_ENDLESS: Final = frozenset({"", "..", "open", "unknown"})


class _Span(NamedTuple):  # in the count of EDTF, which has a year 0
    first: int
    last: int
    approximate: bool


def edtf_period(value: str) -> Period | None:
    """The time that a value in EDTF tells, where it is one that only EDTF writes so.

    >>> texts = ("-0043", "156X-12-25", "2004-06/2006-08", "1984~/..", "[1667, 1670..1672]", "Y-17E3")
    >>> [(one.first, one.last) for text in texts if (one := edtf_period(text))]
    [(-44, -44), (1560, 1569), (2004, 2006), (1984, 2009), (1667, 1672), (-17001, -17001)]
    >>> edtf_period("1823-31"), edtf_period("X-ray, 1950")
    (None, None)
    """
    text = value.strip()
    if len(text) > 200 or not (_SPECIFIC.match(text) or _is_season(text)):
        return None
    listed = _LIST.fullmatch(text)
    span = _of_list(listed["one"] or listed["all"] or "") if listed else _of_interval(text, "/", "..")
    if span is None or span.first > span.last:
        return None
    first, last = (year if year > 0 else year - 1 for year in (span.first, span.last))
    start = value.index(text)
    written = tuple(dict.fromkeys((first, last)))
    return Period(first, last, written, start, start + len(text), text, span.approximate)


def edtf(first: int, last: int, *, approximate: bool = False) -> str:
    """An interval of years in EDTF, level 1; a whole decade or century is a year of unknown digits.

    >>> edtf(1750, 1750), edtf(1823, 1831, approximate=True), edtf(1700, 1799), edtf(-44, -44)
    ('1750', '1823~/1831~', '17XX', '-0043')
    """
    mark = "~" if approximate else ""
    if first > 0:
        for size, digits in ((100, 2), (10, 1)):
            if first % size == 0 and last == first + size - 1 and last < 10_000:
                return f"{first:04}"[:-digits] + "X" * digits + mark
    ends = [_year(year) + mark for year in dict.fromkeys((first, last))]
    return "/".join(ends)


def _year(year: int) -> str:
    counted = year + 1 if year < 0 else year
    if abs(counted) > 9999:
        return f"Y{counted}"
    return f"-{-counted:04}" if counted < 0 else f"{counted:04}"


def _is_season(text: str) -> bool:
    """Whether it is 1985-21, a spring: a range of years, which it would be elsewhere, rises."""
    match = _SEASON.fullmatch(text)
    return match is not None and int(match["short"]) >= int(match["season"])


def _of_interval(text: str, *marks: str) -> _Span | None:
    """From one date to another, joined by the first of some marks that stands in the text; or one date."""
    mark = next((mark for mark in marks if mark in text), None)
    if mark is None:
        return _of_date(text)
    start, _, end = (part.strip() for part in text.partition(mark))
    one, two = _of_date(start), _of_date(end)
    if one and two:
        return _Span(one.first, two.last, one.approximate or two.approximate)
    if two and start in _ENDLESS:
        return _Span(two.first - OPEN, two.last, approximate=True)
    if one and end in _ENDLESS:
        return _Span(one.first, one.last + OPEN, approximate=True)
    return None


def _of_list(text: str) -> _Span | None:
    read = [_of_interval(one.strip(), "..") for one in text.split(",")]
    spans = [span for span in read if span is not None]
    if len(spans) < len(read):
        return None
    firsts, lasts, approximate = zip(*spans, strict=True)
    return _Span(min(firsts), max(lasts), any(approximate))


def _of_date(text: str) -> _Span | None:
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    doubt = re.search("[?~%]", text) is not None
    if match["long"]:
        year = int(match["long"]) * 10 ** int(match["power"] or 0)
        first, last = year, year
    else:
        first, last = sorted(int(match["year"].replace("X", digit)) for digit in "09")
    if match["digits"]:
        size = 10 ** max(0, len(str(abs(first))) - int(match["digits"]))
        first -= first % size
        last = first + size - 1
    return _Span(first, last, doubt) if max(abs(first), abs(last)) <= _FARTHEST else None
