"""Years, decades, centuries and ranges that a text names.

The thesis takes every four digits that begin with 1 or 2 for a year (section 6.3.3), and so finds years in
shelf marks; here an expression has to read like a date.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from features.text.dates import year_patterns as p
from features.text.dates.century_parts import share

Reading = Literal["written", "covered"]
_PARTS_OF_DECADE: Final = {"early": (0, 4), "mid": (3, 7), "late": (5, 9)}
YearSpan = tuple[int, int]  # a first and a last year


class Period(msgspec.Struct, frozen=True, array_like=True):
    """One calendar expression of a text, in whole years.

    ``first`` and ``last`` bound what it covers; 44 BC is -44, and there is no year zero. ``written`` holds
    the years that the text names: the year, both ends of a range, the year that names a decade, and of a
    century the first and last year, 1800 and 1899. ``text`` is ``value[start:end]``, without a circa mark,
    which sets ``approximate``. ``named`` is a time that the text names and does not count, such as Edo
    period (:mod:`features.text.dates.historic`): ``written`` is empty.

    >>> one = periods("built c. 1823-31")[0]
    >>> (one.first, one.last, one.written, one.text, one.approximate)
    (1823, 1831, (1823, 1831), '1823-31', True)
    """

    first: int
    last: int
    written: tuple[int, ...]
    start: int
    end: int
    text: str
    approximate: bool = False
    named: bool = False


def periods(text: str) -> tuple[Period, ...]:
    """Every calendar expression of a value, in the order of the text.

    >>> [period.written for period in periods("given 14 July 1906, a late 1960s copy of the 18th century")]
    [(1906,), (1960,), (1700, 1799)]
    >>> periods("CM.2666-2003, no. 1640, 1003 Wylie Avenue, 1200 x 1500 mm")
    ()
    """
    if p.HINT.search(text) is None:
        return ()
    read = list(century_periods(text, p.CENTURY)) if p.CENTURY_HINT.search(text) else []
    if p.ERA_HINT.search(text):
        read += era_periods(text, p.ERA_YEAR)
    read += _years(text, [(period.start, period.end) for period in read])
    return tuple(sorted(read, key=lambda period: period.start))


def intervals(period: Period, reading: Reading) -> tuple[YearSpan, ...]:
    """What a reading compares of an expression: each year that it names, or all that it covers."""
    if reading == "covered":
        return ((period.first, period.last),)
    return tuple((year, year) for year in period.written)


def period_at(text: str, span: tuple[int, int], first: int, last: int, written: tuple[int, ...]) -> Period:
    """The period that a span of a text names, approximate where circa or a question mark stands beside it."""
    start, end = span
    before = text[max(0, start - p.NEAR) : start]
    doubt = p.CIRCA_BEFORE.search(before) or p.DOUBT_AFTER.match(text, end)
    named = tuple(dict.fromkeys(written))
    return Period(first, last, named, start, end, text[start:end], bool(doubt))


def is_apart(period: Period, others: Iterable[Period]) -> bool:
    """Whether the mention of a period overlaps none of the others."""
    return all(period.end <= other.start or other.end <= period.start for other in others)


def _years(text: str, claimed: list[tuple[int, int]]) -> Iterator[Period]:
    if "://" in text or "www." in text:
        claimed = claimed + [url.span() for url in p.URL.finditer(text)]
    done = position = 0
    while (match := p.YEAR.search(text, position)) is not None:
        position = match.end()
        if any(start <= match.start() < end for start, end in claimed):
            continue
        period = _expression(text, match, done)
        if period is not None:
            yield period
            done = position = period.end


def _expression(text: str, match: re.Match[str], done: int) -> Period | None:
    """The expression around one year, unless its surroundings say that it is not a year."""
    floor = max(done, match.start() - p.WINDOW)
    start, dated, part = _opening(text, floor, match.start())
    year = int(match[0])
    decade = p.DECADE_AFTER.match(text, match.end())
    end = decade.end() if decade else match.end()
    first, last = decade_years(year, part) if decade else (year, year)
    written: tuple[int, ...] = (year,)
    if not decade and (after := p.ISO_AFTER.match(text, end) or p.DATE_AFTER.match(text, end)):
        end, dated = after.end(), True
    elif ranged := _second(text, p.RANGE_AFTER.match(text, end), year, start):
        last, second, end = ranged
        written = (year, second)
    if not _is_time(text, start, end, done, dated, year):
        return None
    return period_at(text, (start, end), first, last, written)


def _opening(text: str, floor: int, start: int) -> tuple[int, bool, str]:
    """Where the mention begins: with its day and month, or with the part of a decade."""
    before = text[floor:start]
    if part := p.PART_BEFORE.search(before, max(0, len(before) - 16)):
        return floor + part.start(), False, part["part"].lower()
    date = p.DATE_BEFORE.search(before) if p.DATE_HINT.search(before) else None
    if date is None:
        return start, False, ""
    if date["one"]:
        one, two = int(date["one"]), int(date["two"])
        if not (1 <= one <= 31 and 1 <= two <= 31 and min(one, two) <= 12):
            return start, False, ""
    if date["month"]:  # not the shelf mark COPY 1/1900
        left = before[: date.start()]
        if p.LABEL_BEFORE.search(left) or not p.MONTH_BEFORE.search(left):
            return start, False, ""
    return floor + date.start(), True, ""


def _second(text: str, match: re.Match[str] | None, year: int, start: int) -> tuple[int, int, int] | None:
    """Last year covered, year named and end of the second half of a range; none if it does not rise."""
    if match is None:
        return None
    if match["short"]:
        return _short(match, year)
    second = int(match["year"])
    if match["tail"] and second > year:  # 1794–1830–5
        return second - second % 10 ** (len(match["tail"]) - 1) + int(match["tail"][1:]), second, match.end()
    listed = match["join"].strip().lower() == "and"
    if second < year or (listed and not p.BETWEEN_BEFORE.search(text[max(0, start - 24) : start])):
        return None
    last = decade_years(second, (match["part"] or "").strip(" -.").lower())[1] if match["decade"] else second
    return last, second, match.end()


def _short(match: re.Match[str], year: int) -> tuple[int, int, int] | None:
    short, join = match["short"], match["short_join"]
    base = 10 ** len(short)
    second = year - year % base + int(short)
    if match["tens"]:
        return (second + 9, second, match.end()) if second > year else None
    if join == "/" and second != year + 1:
        return None
    if second >= year:
        return second, second, match.end()
    # a slip of the pen, 1798–5, or the ISO month 2004-02
    month = join == "-" and len(short) == 2 and 1 <= int(short) <= 12
    return (year, year, match.end()) if month or join in "–—" else None


def decade_years(year: int, part: str = "") -> tuple[int, int]:
    """First and last year of a decade, or of its early, mid or late part; of the 1800s those of the century.

    >>> decade_years(1960, "late"), decade_years(1960, "early to mid"), decade_years(1800, "late")
    ((1965, 1969), (1960, 1967), (1866, 1899))
    """
    if year % 100 == 0:  # the 1800s are either; the wider reading never excludes the truth
        low, high = share(part)
        return year + low, year + high
    bounds = [_PARTS_OF_DECADE[word] for word in re.findall("early|mid|late", part)] or [(0, 9)]
    return year + bounds[0][0], year + bounds[-1][1]


def _is_time(text: str, start: int, end: int, done: int, dated: bool, year: int) -> bool:
    before = text[max(0, start - p.NEAR) : start]
    if circa := p.CIRCA_BEFORE.search(before):
        before = before[: circa.start()]
    near = done > 0 and start - len(before) <= done
    joined = (
        near and re.fullmatch(r"\W{0,4}", text[done : start - (len(circa[0]) if circa else 0)]) is not None
    )
    if (not joined and p.TOKEN_BEFORE.search(before)) or p.NOT_AFTER.match(text, end):
        return False
    if not dated and not joined and p.LABEL_BEFORE.search(before):
        return False
    if dated or p.WHEN_BEFORE.search(before):
        return True
    if p.STREET_AFTER.match(text, end):
        return False
    alone = end - start == 4 and circa is None
    return not (alone and (year <= 1001 or (year % 100 == 0 and p.COUNTED_AFTER.match(text, end))))


def century_periods(text: str, pattern: re.Pattern[str]) -> Iterator[Period]:
    """The centuries and millennia that a pattern finds; its groups are those of ``year_patterns.century``."""
    for match in pattern.finditer(text):
        group = match.groupdict()
        one = _ordinal(group["ordinal"])
        two = _ordinal(group["ordinal2"]) if group["ordinal2"] else one
        size = 1000 if p.MILLENNIUM.match(group.get("unit2") or group["unit"]) else 100
        # of a range of which the first century alone has an era, before Christ, the last one is after Christ
        first_era = group.get("era1") or group["era"]
        era = group["era"] or (None if group["ordinal2"] else first_era)
        most = p.OLDEST if first_era and p.BEFORE_CHRIST.match(first_era) else p.LATEST
        if not (1 <= one <= most and 1 <= two <= most) or p.NAMED_FUND.match(text, match.start()):
            continue
        start, end = _stretch(one, first_era, size), _stretch(two, era, size)
        behind = group.get("after")
        first = _share(start, group["span"] or (None if group["ordinal2"] else behind))[0]
        last = _share(end, (group["span2"] if group["ordinal2"] else group["span"]) or behind)[1]
        if first > last:
            first, last = min(start[0], end[0]), max(start[1], end[1])
        begin = min(match.start(part) for part in ("span", "unit", "ordinal") if group[part] is not None)
        yield period_at(text, (begin, match.end()), first, last, (*start, *end))


def _ordinal(text: str) -> int:
    if digits := re.match("[0-9]+", text):
        return int(digits[0])
    return p.ORDINALS.get(text.lower()) or p.ROMAN.get(re.sub("[^IVX]", "", text.upper()), 0)


def _stretch(number: int, era: str | None, size: int) -> tuple[int, int]:
    """The years of a century, or of a millennium where ``size`` is 1000."""
    if era and p.BEFORE_CHRIST.match(era):
        return -size * number, -size * number + size - 1
    return max(1, size * (number - 1)), size * number - 1


def _share(stretch: tuple[int, int], words: str | None) -> tuple[int, int]:
    """The years of a stretch that words such as late or second half leave."""
    if not words:
        return stretch
    low, high = share(words)
    size = 1000 if stretch[1] - stretch[0] > 100 else 100
    start = stretch[1] + 1 - size
    return start + low * size // 100 or 1, start + (high + 1) * size // 100 - 1  # there is no year zero


def era_periods(text: str, pattern: re.Pattern[str]) -> Iterator[Period]:
    """The years with an era that a pattern finds; its groups are those of ``year_patterns.era_years``."""
    for match in pattern.finditer(text):
        one_era = "AD" if match["ad1"] else match["era1"]
        two_era = "AD" if match["ad2"] else match["era2"]
        if not (one_era or two_era) or re.match(r"\s?(?:st|nd|rd|th)\b", text[match.end() : match.end() + 3]):
            continue
        one = _signed(match["one"], one_era or two_era)
        two = _signed(match["two"], two_era) if match["two"] else one
        yield period_at(text, match.span(), min(one, two), max(one, two), (one, two))


def _signed(number: str, era: str | None) -> int:
    return -int(number) if era and p.BEFORE_CHRIST.match(era) else int(number)
