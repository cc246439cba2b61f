"""The time that a date field names, which says more with less than running text does.

Unknown digits (18--), compact days (18990101), Roman years and centuries in several languages are read
here and nowhere else: in running text '18--' may be a shelf mark and 'MIX' is a word.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple

from msgspec.structs import replace

from features.text.dates import patterns as p
from features.text.dates.century_parts import share
from features.text.dates.edtf import edtf, edtf_period
from features.text.dates.historic import historic_periods
from features.text.dates.states import beside_names, own_dates
from features.text.dates.swedish import swedish_periods
from features.text.dates.year_patterns import NEAR, TH, YEAR
from features.text.dates.years import (
    Period,
    YearSpan,
    century_periods,
    decade_years,
    era_periods,
    period_at,
    periods,
)
from features.text.names.placeholders import says_no_date
from features.text.text_cache import text_cache

_NO_BRACKETS: Final = str.maketrans("", "", "[]")


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
    if held := p.PLACEHOLDER.match(text):
        group = "last" if held["last"] else "first"
        year = int(held[group])
        return (period_at(text, held.span(group), year, year, (year,)),)
    if (coded := edtf_period(text)) is not None:
        return (coded,)
    found = _counted(text) or tuple(hijri_periods(text))
    return beside_names(text, own_dates(text, found), historic_periods(text, dates=True))


def _counted(text: str) -> tuple[Period, ...]:
    """Every expression in years of ours."""
    bare = p.ASIDE.sub(lambda aside: " " * len(aside[0]), text)
    found: list[Period] = []
    # what is read first keeps its place: '1500 v. Chr.' holds no year 1500
    for period in chain(
        century_periods(bare, p.CENTURY),
        century_periods(bare, p.CENTURY_BEHIND),
        century_periods(bare, p.BARE_CENTURY),
        swedish_periods(bare),
        era_periods(bare, p.ERA_YEAR),
        _italian(bare),
        _ranges(bare),
        _decades(bare),
        _numbers(bare),
        _roman(bare),
        periods(bare),
        _old(bare),
    ):
        if all(period.end <= other.start or other.end <= period.start for other in found):
            found.append(_mentioned(text, period))
    return tuple(sorted(found, key=lambda period: period.start))


def dates_edtf(texts: Iterable[str]) -> str | None:
    """The interval of an item's dates in EDTF, as its date field tells it; None where it tells none.

    >>> dates_edtf(["c. 1725", "signed 1731"]), dates_edtf(["Edo period"]), dates_edtf(["undated"])
    ('1725~/1731~', '1615/1868', None)
    """
    found = [period for text in texts for period in date_periods(text)]
    # years are stronger than a period's name, as in features.profiles.dated
    telling = [period for period in found if not period.named] or found
    if not telling:
        return None
    first, last = min(one.first for one in telling), max(one.last for one in telling)
    return edtf(first, last, approximate=any(one.approximate for one in telling))


def text_periods(text: str) -> tuple[Period, ...]:
    """Every calendar expression of running text in another language than English.

    >>> [(one.first, one.text) for one in text_periods("Gemalt um 1750, im 19. Jahrhundert restauriert")]
    [(1750, '1750'), (1800, '19. Jahrhundert')]
    """
    found: list[Period] = []
    for period in chain(
        century_periods(text, p.CENTURY),
        century_periods(text, p.CENTURY_BEHIND),
        swedish_periods(text),
        era_periods(text, p.ERA_YEAR),
        _italian(text),
        _ranges(text),
        _decades(text),
        periods(text),
    ):
        if all(period.end <= other.start or other.end <= period.start for other in found):
            found.append(_mentioned(text, period))
    return tuple(sorted(found, key=lambda period: period.start))


def _mentioned(text: str, period: Period) -> Period:
    """A period with its mention, which is approximate where another language than English says so."""
    start, end = period.start, period.end
    about = p.ABOUT_BEFORE.search(text, max(0, start - NEAR), start) or p.ABOUT_AFTER.match(text, end)
    return replace(period, text=text[start:end], approximate=period.approximate or bool(about))


@text_cache(4096)  # collections repeat a few dates in most records
def is_understood(text: str) -> bool:
    """Whether a value of a date field names a time, or says that none is known.

    >>> [is_understood(text) for text in ("18--", "undated", "o. J.", "Meiji period", "modern")]
    [True, True, True, True, False]
    """
    return says_no_date(text) or bool(date_periods(text))


def _decades(text: str) -> Iterator[Period]:
    for match in p.DECADE.finditer(text):
        year = int(match["behind"] or match["before"])
        yield period_at(text, match.span(), *decade_years(year), (year,))


def _ranges(text: str) -> Iterator[Period]:
    """Ranges of years that words of other languages than English join."""
    for match in p.RANGE.finditer(text):
        one, two = int(match["one"] or match["from"]), int(match["two"])
        if one <= two:
            start = match.start("one") if match["one"] else match.start("from")
            yield period_at(text, (start, match.end()), one, two, (one, two))


def _italian(text: str) -> Iterator[Period]:
    for match in p.ITALIAN_CENTURY.finditer(text):
        first = p.ITALIAN_HUNDREDS[match["name"].lower().removesuffix("cento")]
        low, high = share(match["part"] or "")
        yield period_at(text, match.span(), first + low, first + high, (first, first + 99))


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
    digits = re.sub(r"[^0-9]+\Z", "", mention.translate(_NO_BRACKETS))
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
        digits = [p.ROMAN_DIGITS[letter] for letter in match[0] if letter.isalpha()]
        year = sum(-one if one < two else one for one, two in pairwise([*digits, 0]))
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


_ERA = r"(?:A\.?\s?H\.?|Hijr[iah]+|Hi[dg]schra|hégire)(?!\w)"
_COUNT = rf"(?P<count>{TH}(?:\s+(?:century|c\.))?)?"
_HIJRI: Final = re.compile(
    rf"(?i:(?<!\w)(?:{_ERA}\s*(?P<behind>[0-9]{{1,4}})(?:\s*[-–/]\s*(?P<behind2>[0-9]{{1,4}}))?"
    rf"|(?P<one>[0-9]{{1,4}})(?:{TH})?(?:\s*[-–/]\s*(?P<two>[0-9]{{1,4}}))?{_COUNT}\s*{_ERA}))"
)
_EPOCH: Final = 622.54  # 16 July 622
_YEAR: Final = 354.36667 / 365.2425  # twelve months of the moon in years of ours


def hijri_periods(text: str) -> Iterator[Period]:
    """The years and centuries of the Islamic calendar in a text, as years of ours.

    >>> [(one.first, one.last) for text in ("AH 923", "12th century AH") for one in hijri_periods(text)]
    [(1517, 1518), (1689, 1786)]
    """
    for match in _HIJRI.finditer(text):
        one = int(match["behind"] or match["one"])
        two = int(match["behind2"] or match["two"] or one)
        if two < one and len(str(two)) < len(str(one)):  # 1285-6
            base = 10 ** len(str(two))
            two += one - one % base
        if match["count"]:
            one, two = 100 * one - 99, 100 * two
        if 1 <= one <= two <= 1500:
            first, last = _ours(one)[0], _ours(two)[1]
            yield period_at(text, match.span(), first, last, (first, last))


def _ours(year: int) -> YearSpan:
    """The two years of ours in which a year of the Islamic calendar begins and ends."""
    return int(_EPOCH + (year - 1) * _YEAR), int(_EPOCH + year * _YEAR)
