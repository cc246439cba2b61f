"""The time that a date field names, which says more with less than running text does.

Unknown digits, compact days and Roman years are read here alone: in running text '18--' may be a shelf mark.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from msgspec.structs import replace

from features.text.caches import text_cache
from features.text.dates import patterns as p
from features.text.dates import years as y
from features.text.dates.century_parts import share
from features.text.dates.edtf import edtf, edtf_period
from features.text.dates.historic import historic_periods
from features.text.dates.sides import before_present, joined, whole_years
from features.text.dates.states import beside_names, own_dates
from features.text.dates.swedish import swedish_periods
from features.text.dates.year_patterns import NEAR, YEAR, roman_number
from features.text.dates.years import Period, decade_years, period_at, periods
from features.text.names.placeholders import says_no_date

_CLAUSE: Final = re.compile(r"[^.,;:()\n]{0,40}")
_CLAUSE_BEFORE: Final = re.compile(r"[^.,;:()\n]{0,25}\Z")
_ACQUIRED: Final = re.compile(
    r"(?i)\b(?:aangekocht|gekocht|verworven|geschonken|erworben|angekauft|gekauft|geschenkt|achetée?s?|acquise?s?"
    r"|offerte?s?\s+(?:par|à)|acquistat[oaei]|donat[oaei]|adquirid[oa]s?|comprad[oa]s?|donad[oa]s?|inköpta?|förvärvad[et]?"
    r"|skänkta?)\b"
)
"""That an item was bought or given, in the languages that are read by rules."""

_EPOCH: Final = 622.54  # 16 July 622
_APART: Final = 3  # years between two calendars' names of one year, at most
_MOON_YEAR: Final = 354.36667 / 365.2425  # twelve months of the moon in years of ours


def date_periods(text: str) -> tuple[Period, ...]:
    """Every calendar expression of a date field, in its order.

    Archives fill in 1 January where they know only the year: such a placeholder is the year alone.

    >>> [(period.first, period.text) for period in date_periods("01/01/1880")]
    [(1880, '1880')]
    >>> texts = ("1405-1408/9", "[ca. 18--]", "MDCCL", "2. Hälfte 18. Jh.")
    >>> [(period.first, period.last) for text in texts for period in date_periods(text)]
    [(1405, 1409), (1800, 1899), (1750, 1750), (1750, 1799)]

    Of later states and parts added beside a date of the thing nothing is read. A time that is named is read
    where the field has no years: ``named`` says so.

    >>> texts = ("Tang Dynasty, 618-907", "Meiji period", "1891, cast 1925")
    >>> [one.text for text in texts for one in date_periods(text)]
    ['618-907', 'Meiji period', '1891']
    """
    if placeholder := p.PLACEHOLDER.match(text):
        group = "last" if placeholder["last"] else "first"
        year = int(placeholder[group])
        return (period_at(text, placeholder.span(group), year, year, (year,)),)
    if (coded := edtf_period(text)) is not None:
        return (coded,)
    if (days := p.ISO_RANGE.match(text)) and int(days["one"]) <= int(days["two"]):
        one, two = int(days["one"]), int(days["two"])
        return (period_at(text, (days.start("one"), len(text.rstrip())), one, two, (one, two)),)
    bare = _without_other_calendars(p.ASIDE.sub(_blank, text))
    worded = chain(before_present(bare), _worded(bare, p.CENTURY, p.CENTURY_BEHIND, p.BARE_CENTURY))
    counted = _once(text, chain(worded, _numbers(bare), _roman(bare), periods(bare), _old(bare)))
    spans = _once(text, joined(bare, counted))
    own = own_dates(text, whole_years(text) or spans or tuple(_hijri(text)))
    return beside_names(text, own, historic_periods(text, dates=True))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _without_other_calendars(text: str) -> str:
    """The text without Islamic years that ours follow in brackets, blanked so that offsets stay true."""

    def of_ours(match: re.Match[str]) -> str:
        apart = abs(_EPOCH + int(match["year"]) * _MOON_YEAR - int(match["ours"]))
        size = len(match["theirs"])
        return " " * size + match[0][size:] if apart <= _APART else match[0]

    return p.BESIDE_OURS.sub(of_ours, text)


def _worded(text: str, *centuries: re.Pattern[str]) -> Iterator[Period]:
    """What words tell, in the order in which it is read: '1500 v. Chr.' holds no year 1500."""
    for pattern in centuries:
        yield from y.century_periods(text, pattern)
    yield from swedish_periods(text)
    yield from y.era_periods(text, p.ERA_YEAR)
    for match in p.ITALIAN_CENTURY.finditer(text):
        first = p.ITALIAN_HUNDREDS[match["name"].lower().removesuffix("cento").lstrip("'’‘")]
        low, high = share(match["part"] or "")
        yield period_at(text, match.span(), first + low, first + high, (first, first + 99))
    for match in p.HUNDREDS.finditer(text):
        low, high = share(match["part"] or "")
        first = 100 * int(match["one"])
        yield period_at(text, match.span(), first + low, first + high, (first, first + 99))
    for match in p.RANGE.finditer(text):
        one, two = int(match["one"] or match["from"]), int(match["two"])
        if one <= two:
            start = match.start("one") if match["one"] else match.start("from")
            yield period_at(text, (start, match.end()), one, two, (one, two))
    for match in p.DECADE.finditer(text):
        year = int(match["behind"] or match["before"])
        yield period_at(text, match.span(), *decade_years(year), (year,))


def _once(text: str, expressions: Iterable[Period]) -> tuple[Period, ...]:
    """The expressions in text order, without those that overlap one that was read before them."""
    accepted: list[Period] = []
    for period in expressions:
        if y.is_apart(period, accepted):
            # another language than English may say that a time is approximate
            start, end = period.start, period.end
            about = p.ABOUT_BEFORE.search(text, max(0, start - NEAR), start) or p.ABOUT_AFTER.match(text, end)
            circa = period.approximate or bool(about)
            accepted.append(replace(period, text=text[start:end], approximate=circa))
    return tuple(sorted(accepted, key=lambda period: period.start))


def dates_edtf(texts: Iterable[str]) -> str | None:
    """The interval of an item's dates in EDTF, as its date field tells it; None where it tells none.

    >>> dates_edtf(["c. 1725", "signed 1731"]), dates_edtf(["Edo period"]), dates_edtf(["undated"])
    ('1725~/1731~', '1615/1868', None)
    """
    dates = [period for text in texts for period in date_periods(text)]
    # years are stronger than a period's name, as in features.profiles.dated
    dates = [period for period in dates if not period.named] or dates
    if not dates:
        return None
    first, last = min(one.first for one in dates), max(one.last for one in dates)
    return edtf(first, last, approximate=any(one.approximate for one in dates))


def text_periods(text: str) -> tuple[Period, ...]:
    """Every calendar expression of running text in another language than English.

    >>> [(one.first, one.text) for one in text_periods("Gemalt um 1750, im 19. Jahrhundert restauriert")]
    [(1750, '1750'), (1800, '19. Jahrhundert')]

    The year in which it was bought or given is no date of an item.

    >>> [one.text for one in text_periods("Getekend in 1665; de atlas is in 1869 als geheel aangekocht")]
    ['1665']
    """
    dates = _once(text, chain(_worded(text, p.CENTURY, p.CENTURY_BEHIND), periods(text)))
    return tuple(date for date in dates if not _is_of_purchase(text, date))


def _is_of_purchase(text: str, date: Period) -> bool:
    """Whether a clause says of a date that an item was acquired then: *in 1869 als atlas aangekocht*."""
    before, after = _CLAUSE_BEFORE.search(text, 0, date.start), _CLAUSE.match(text, date.end)
    return any(piece is not None and _ACQUIRED.search(piece[0]) for piece in (before, after))


@text_cache(4096)  # collections repeat a few dates in most records
def is_understood(text: str) -> bool:
    """Whether a value of a date field names a time, or says that none is known.

    >>> [is_understood(text) for text in ("18--", "undated", "o. J.", "Meiji period", "modern")]
    [True, True, True, True, False]
    """
    return says_no_date(text) or bool(date_periods(text))


def _numbers(text: str) -> Iterator[Period]:
    for match in p.NUMBERS.finditer(text):
        if all(end is None or YEAR.fullmatch(end) for end in match.group("one", "two")):
            continue  # what running text may hold too is read as there
        one = _point(match["one"])
        two = _point(match["two"], one.first) if match["two"] else one
        start, end = match.span()
        if two.last < one.first:
            two, end = one, match.end("one")
        end -= "[" not in text[start:end] and text[end - 1] == "]"
        yield period_at(text, (start, end), one.first, two.last, one.written + two.written)


class _Point(NamedTuple):
    first: int
    last: int
    written: tuple[int, ...]


def _point(mention: str, before: int = 0) -> _Point:
    """The years of one end of a range; a short year is one of the century or decade of the year before it."""
    digits = re.sub(r"[^0-9]+\Z", "", re.sub(r"[\[\]]", "", mention))
    if len(digits) < 4 and digits.isdigit():  # 18--, 187-
        wide = 10 ** (4 - len(digits))
        first = int(digits) * wide
        return _Point(first, first + wide - 1, (first,) if wide == 10 else (first, first + wide - 1))
    year, slash, short = digits.partition("/")
    # the 8/9 of 1405-8/9 is of the same decade
    first = int(year[:4]) if len(year) > 3 else before - before % 10 ** len(year) + int(year)
    last = _slashed(first, short) if slash and "/" not in short else first
    return _Point(first, last, (first, last))


def _slashed(year: int, short: str) -> int:
    """The last year of 1652/3 and 1969/71; that of 1899/05, which names a month, is the year itself."""
    base = 10 ** len(short)
    second = year - year % base + int(short)
    if (year + 1) % base == int(short):
        return year + 1
    return second if second > year and (int(short) > 12 or len(short) == 4) else year


def _roman(text: str) -> Iterator[Period]:
    for match in p.ROMAN_YEAR.finditer(text):
        digits = [letter for letter in match[0] if letter.isalpha()]
        year = roman_number(digits)
        # a club may be called MCC: three letters are a year only where they stand alone
        if len(digits) > 3 or (len(digits) == 3 and text.strip(" .") == match[0].strip(" .")):
            yield period_at(text, match.span(), year, year, (year,))


def _old(text: str) -> Iterator[Period]:
    """Years before 1000 that bear no era."""
    for old in p.OLD_RANGE.finditer(text):
        one, two = int(old["one"]), int(old["two"] or old["one"])
        if one <= two:
            yield period_at(text, old.span(), one, two, (one, two))
    if match := p.SMALL_RANGE.match(text):
        one, two = int(match["one"]), int(match["two"])
        if one < two and (match["circa"] or two > 99):
            yield period_at(text, (match.start("one"), match.end("two")), one, two, (one, two))


def _hijri(text: str) -> Iterator[Period]:
    """The years and centuries of the Islamic calendar in a text, as years of ours."""
    for match in p.HIJRI.finditer(text):
        one = int(match["behind"] or match["one"])
        two = int(match["behind2"] or match["two"] or one)
        if two < one and len(str(two)) < len(str(one)):  # 1285-6
            base = 10 ** len(str(two))
            two += one - one % base
        if match["count"]:
            one, two = 100 * one - 99, 100 * two
        if 1 <= one <= two <= 1500:
            # the years of ours in which the first begins and the last ends
            first, last = int(_EPOCH + (one - 1) * _MOON_YEAR), int(_EPOCH + two * _MOON_YEAR)
            yield period_at(text, match.span(), first, last, (first, last))
