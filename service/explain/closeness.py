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
from service.languages.messages import N_, gettext, ngettext, number

WORDS: Final = (
    (4.5, N_("very close")),
    (3.5, N_("close")),
    (2.5, N_("related")),
    (1.5, N_("loosely related")),
    (0.5, N_("distant")),
    (0.0, N_("unrelated")),
)
"""From this score on a similarity is called so: each word stands around a whole number of the scale."""

NOTHING: Final = N_("nothing to compare")  # where neither item has anything of a type, so there is no score


def closeness(score: float | None) -> str:
    """A score from 0 to 5 in words.

    >>> [closeness(score) for score in (5.0, 4.5, 3.6, 2.5, 1.6, 0.5, 0.0)]
    ['very close', 'very close', 'close', 'related', 'loosely related', 'distant', 'unrelated']
    >>> closeness(None)
    'nothing to compare'
    """
    if score is None:
        return gettext(NOTHING)
    return gettext(next((words for least, words in WORDS if score >= least), WORDS[-1][1]))


def closeness_words() -> list[str]:
    """The words for closeness, the closest first."""
    return [gettext(words) for _, words in WORDS]


_STRETCH: Final = re.compile(r"(?i)^(?!the\b).*(?:\bcentury\b|\bperiod\b|\bdynasty\b|\bera\b|\d0s$)")
"""A stretch of time that English gives an article: the 19th century, the 1840s."""

_CENTURY_ELSEWHERE: Final = re.compile(
    r"(?i)\b(?:si[eè]cles?|eeuw|jahrhunderts?|jh|jhd?t|sec|secolo|siglo|talet|århundradet)\b"
)
"""A century in the words of another language."""

_DASH: Final = re.compile(r"(?<=\d)(?:\s+[-–]\s+|–)(?=\d{2,4}\b)")
_ONE_YEAR: Final = re.compile(r"(?<!\d)(\d{3,4})(?:\s+to\s+|-)\1\b")
_OPEN_DECADE: Final = re.compile(r"(\d{3})[-?]{1,2}")
_RANGE: Final = re.compile(r"(\d{3,4})\s+(?:and|et|und|en|e|y|och)\s+(\d{3,4})")
"""What is read as a date of *between 1899 and 1909*."""

_BETWEEN: Final = re.compile(r"(?i)\b(?:between|entre|zwischen|tussen|mellan|fra|tra)\s+\Z")

_QUALIFIERS: Final = (
    "(?:not )?before|(?:not )?after|vor|nach|v[óo]+r|na|avant|après"
    "|prima del|dopo il|antes de|después de|före|efter"
)
_BEFORE_OR_AFTER: Final = re.compile(rf"(?i)\b({_QUALIFIERS})\s+\Z")
_QUALIFIED: Final = re.compile(rf"(?i)(?:{_QUALIFIERS})\s")
"""What says that a date is the end of a time that is not known."""

_NOTATION: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-\d\d.*|\d{1,2}/\d{1,2}/\d{4}|\d\d--.*")
"""A date as machines write it: 1849-08-20, 5/1/1800, 13--."""

_MINUS: Final = re.compile(r"(?<!\d)(?<!\d\s)[-−]\d")

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
    one, two = (
        _closed(years(record, where), record, where) for record, where in ((left, ours), (right, theirs))
    )
    here, there = _when(left, ours, one), _when(right, theirs, two)
    qualified = any(map(_QUALIFIED.match, (here, there)))
    if qualified and here == there:
        return TimesWording(gettext("Both are dated {}.").format(here), here, here)
    if not qualified and (wording := _of_one_time(one, two, here, there)):
        return wording
    # how far what is before a year is from another nobody knows
    if one and two and not qualified:
        gap = apart(one, two)
    elif (value or 0.0) >= _NEAR:
        gap = gettext("They are close in time")
    else:
        gap = gettext("They are some way apart in time")
    whole = gettext("{sentence}: {here} and {there}.").format(sentence=gap, here=here, there=there)
    return TimesWording(whole, here, there)


def _of_one_time(one: YearSpan | None, two: YearSpan | None, here: str, there: str) -> TimesWording | None:
    """The sentence of two dates that are the same, or cover the same years; None of others."""
    if here == there or (one == two and one and one[0] < one[1]):
        if one and two and _CENTURY_ELSEWHERE.search(here) and (shared := shared_time(one, two)):
            return TimesWording(shared.sentence, shared.words, shared.words)
        dated = (
            gettext("Both are of the {date}.") if _STRETCH.search(here) else gettext("Both are of {date}.")
        )
        return TimesWording(dated.format(date=here), here, here)
    if one and two and one == two and one[0] == one[1]:
        return TimesWording(f"{apart(one, two)}.", year_words(one[0]), year_words(one[0]))
    return None


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
        return gettext("Both are of the year {year}").format(year=year_words(one[0]))
    gap = _between(one, two)
    if gap == 0:
        return gettext("Their dates overlap")
    decade = one[0] // 10 * 10
    if one[0] > 0 and all(decade <= year < decade + 10 for year in (*one, *two)):
        return gettext("Both are of the {decade}s").format(decade=decade)
    if max(one[1] - one[0], two[1] - two[0]) >= _CENTURY:
        gap = abs(sum(one) - sum(two)) // 2
    elif gap < _COUNTED:
        message = ngettext("They are {number} year apart", "They are {number} years apart", gap)
        return message.format(number=gap)
    return gettext("They are about {number} years apart").format(number=number(_rounded(gap)))


class SharedTime(NamedTuple):
    """A year, a decade or a century: by itself, as the end of a sentence on both items, and as one."""

    words: str
    clause: str
    sentence: str


def shared_time(one: YearSpan, two: YearSpan) -> SharedTime | None:
    """The year, the decade or the century that holds all of two stretches of years; None where none does.

    >>> shared_time((1841, 1843), (1845, 1845))
    SharedTime(words='the 1840s', clause='date from the 1840s', sentence='Both are of the 1840s.')
    >>> shared_time((1841, 1843), (1780, 1780)) is None
    True
    >>> [shared_time(two, two).words for two in ((1700, 1799), (1801, 1900), (1850, 1850))]
    ['the 18th century', 'the 19th century', '1850']
    """
    first, last = min(one[0], two[0]), max(one[1], two[1])
    if first <= 0:
        return None
    if first == last:
        whole = gettext("Both are of the year {year}").format(year=first)
        return SharedTime(str(first), gettext("date from {year}").format(year=first), f"{whole}.")
    if first // 10 == last // 10:
        return _decade(first // 10 * 10)
    # a century is written from 1700 to 1799 or from 1701 to 1800
    starts = (start for start in (0, 1) if (first - start) // 100 == (last - start) // 100)
    start = next(starts, None)
    return None if start is None else _century((first - start) // 100 + 1)


def _decade(decade: int) -> SharedTime:
    words, clause = gettext("the {decade}s"), gettext("date from the {decade}s")
    sentence = gettext("Both are of the {decade}s")
    return SharedTime(
        words.format(decade=decade), clause.format(decade=decade), f"{sentence.format(decade=decade)}."
    )


def _century(number: int) -> SharedTime:
    words, clause = gettext("the {ordinal} century"), gettext("date from the {ordinal} century")
    sentence = gettext("Both are of the {ordinal} century.")
    return SharedTime(*(one.format(**_forms(number)) for one in (words, clause, sentence)))


def century_words(number: int) -> str:
    """A century by its number, alone: *19th century*.

    >>> century_words(19)
    '19th century'
    """
    return gettext("{ordinal} century").format(**_forms(number))


def _forms(century: int) -> dict[str, str]:
    """How languages write a century: 19th, 19, XIX; Swedish names it by its hundreds, 1800-talet."""
    return {
        "ordinal": _ordinal(century),
        "number": str(century),
        "roman": roman(century),
        "hundreds": str((century - 1) * 100),
    }


def roman(number: int) -> str:
    """A small number in Roman numerals.

    >>> [roman(number) for number in (4, 9, 14, 19, 21)]
    ['IV', 'IX', 'XIV', 'XIX', 'XXI']
    """
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return "X" * (number // 10) + ones[number % 10]


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


def year_words(year: int) -> str:
    """A year in words.

    >>> year_words(1840), year_words(-44)
    ('1840', '44 BC')
    """
    return gettext("{year} BC").format(year=-year) if year < 0 else str(year)


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


def _tidied(record: Record, where: Occurrence) -> str:
    """A date without blanks around its dash; of *194-?* the decade, of *between 1899 and 1909* both years."""
    date = surface(record, where)
    if decade := _OPEN_DECADE.fullmatch(date):
        return f"{decade[1]}0s"
    if _BETWEEN.search(opening(record, where), 0, where.start):
        date = _RANGE.sub(r"\1-\2", date)
    return _ONE_YEAR.sub(r"\1", _DASH.sub("-", date))


def _closed(span: YearSpan | None, record: Record, dates: Sequence[Occurrence]) -> YearSpan | None:
    """The years of some dates; of *1881-*, which is open, the first: how long it went on is a guess."""
    alone = {surface(record, one) for one in dates}
    return (span[0], span[0]) if span and alone == {str(span[0])} else span


def _when(record: Record, dates: Sequence[Occurrence], span: YearSpan | None) -> str:
    """A date, or its first and its last year; of an item without one its makers' years.

    Years before Christ are written so where a record has them with a minus; of dates as machines write them
    the years stand alone.

    The years beside a maker's name are not those of the item, whatever the measure makes of them.
    """
    if dates[0].part == Field.CREATOR:
        makers = dict.fromkeys(natural(opening(record, one)) for one in dates)
        return gettext("the working years of {names}").format(names=listed_names([*makers]))
    ends = [*dict.fromkeys(_tidied(record, one) for one in dates)]
    if span and any(_MINUS.search(one) or _NOTATION.fullmatch(one) for one in ends):
        ends = [*dict.fromkeys(map(year_words, span))]
    if len(ends) == 1:
        before = _BEFORE_OR_AFTER.search(opening(record, dates[0]), 0, dates[0].start)
        return f"{before[1].casefold()} {ends[0]}" if before else ends[0]
    return gettext("{first} to {last}").format(first=ends[0], last=ends[-1])
