"""Times that are named, not counted: Edo period, 18th Dynasty, late Ming, Safavid, Bronze Age.

``period_names.tsv`` lists them, and its sources: the first year, the last year, and names with commas between
them; a number is that of a dynasty of Egypt. Where scholars differ, the wider reading is taken. A name behind
an asterisk stands for a time wherever it is written; any other only in a date field or beside a word such as
period, since Edo is a town too and Victorian a style. Marks on letters do not matter.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Final

from msgspec.structs import replace

from features.text.dates.century_parts import PART, share
from features.text.dates.year_patterns import NEAR, ORDINALS, roman_number
from features.text.dates.years import Period, YearSpan, is_apart, period_at

_FILE: Final = resources.files("features.text.dates").joinpath("period_names.tsv")
_LINES = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:] if not line.startswith("#")]
_TABLE: Final[dict[str, YearSpan]] = {
    name: (int(first), int(last)) for first, last, names in _LINES for name in names.split(", ")
}
NAMES: Final = {name.removeprefix("*"): years for name, years in _TABLE.items() if not name.isdigit()}
"""The years of every period, by its name."""
ALONE: Final = frozenset(name.removeprefix("*") for name in _TABLE if name.startswith("*"))
"""The names that stand for a time wherever they are written."""
DYNASTIES: Final = {int(name): years for name, years in _TABLE.items() if name.isdigit()}
"""The years of Egypt's dynasties, by number."""

_NOUN = (
    r"(?:(?i:periods?|era|dynast(?:y|ies|ie|ia)|age|epoch|reign|times|empire|caliphate|sultanate|kingdom"
    r"|shogunate|Zeit|Periode|Epoche|période|periodo|époque|jidai))(?!\w)"
)
_TO = r"\s*(?:[-–—/,&]|\b(?:to|or|and|bis|oder|und|et|ou|e|y)\b)\s*(?:the\s+)?"
_NOUN_AFTER: Final = re.compile(rf"[\s-]+{_NOUN}")
_LISTED_AFTER: Final = re.compile(rf"(?:{_TO}[A-Z]\w+){{1,2}}[\s-]+{_NOUN}")
_STYLE_AFTER: Final = re.compile(
    r"(?i)(?:[\s-]+\w+)?[\s-]+(?:styles?|revivals?|inspired|manner|taste|types?|imitations?|replicas?)\b"
)
_STYLE_BEFORE: Final = re.compile(
    r"(?i)\b(?:(?:neo|post|pre|pseudo)[\s-]"
    r"|(?:(?:style|manner|imitation|revival|copy)\s+of|inspired\s+by)\s+(?:the\s+)?)\Z"
)
_PART_BEFORE: Final = re.compile(rf"(?<!\w){PART}\Z")
_WORD: Final = re.compile(r"[^\W_]+")
_CAPITALISED: Final = re.compile(r"(?<![^\W_])(?:[A-Z]|[1-3][a-z])[^\W_]+")
_MARKED: Final = re.compile(r"[^\x00-\x7f]")

_TENS: Final = {"twenty": 20, "thirty": 30, "twentieth": 20, "thirtieth": 30}
_NUMBER = (
    r"(?:[0-9]{1,2}(?:st|nd|rd|th|de|ste|e|a|:e|\.)?|[IVX]{1,6}(?:st|nd|rd|th|e|eme|\.)?"
    r"|(?i:(?:twenty|thirty)[\s-][a-z]+(?:st|nd|rd|th)|[a-z]{2,8}(?:st|nd|rd|th)))"
)
_DYNASTY = r"(?i:dynast(?:y|ies|ien?|ia|in?)|dinast(?:ia|ie|ias)|dyn\.?)"
_DYNASTIC: Final = re.compile("yn|YN|inast")
_NUMBERED: Final = re.compile(
    rf"(?<!\w)(?<![0-9]-)(?:(?:(?P<one>{_NUMBER})(?:[\s-]*{_DYNASTY})?{_TO}(?:{PART})?)?"
    rf"(?P<two>{_NUMBER})[\s-]*{_DYNASTY}"
    rf"|{_DYNASTY}\s*(?P<first>{_NUMBER})(?:{_TO}(?P<last>{_NUMBER}))?)(?!\w)"
    r"(?!\s+of\s+(?!(?:the\s+|ancient\s+)?Egypt))"  # not the Third Dynasty of Ur
)


def historic_periods(text: str, *, dates: bool = False) -> tuple[Period, ...]:
    """The named times of a text, in its order; none has a ``written`` year.

    In a date field (``dates``) any name counts. Early, mid and late leave a third of it. Of two of which one
    lies within the other that one alone is given: New Kingdom, 18th Dynasty.

    >>> [(one.text, one.first, one.last) for one in historic_periods("A vase of the late Ming dynasty")]
    [('late Ming dynasty', 1550, 1644)]
    >>> historic_periods("View of Edo"), historic_periods("Safavid-style carpet")
    ((), ())
    >>> [(one.first, one.last) for one in historic_periods("12th-13th dynasty; Edo", dates=True)]
    [(-1985, -1650), (1615, 1868)]
    """
    plain = _plain(text)
    times = list(_numbered(plain)) if _DYNASTIC.search(plain) else []
    for period in _named(plain, dates):
        if is_apart(period, times):
            times.append(period)
    own = [one for one in times if not any(_within(other, one) for other in times)]
    whole = [replace(one, text=text[one.start : one.end], named=True) for one in own]
    return tuple(sorted(whole, key=lambda one: one.start))


def _within(one: Period, other: Period) -> bool:
    shorter = one.last - one.first < other.last - other.first
    return shorter and other.first <= one.first and one.last <= other.last


def _plain(text: str) -> str:
    """The text without marks on its letters, every character where it was."""
    if text.isascii():
        return text
    return _MARKED.sub(lambda letter: unicodedata.normalize("NFD", letter[0])[0], text).replace("’", "'")


def _key(name: str) -> str:
    return re.sub(r"[\s-]+", "", name).lower()


_YEARS: Final = {_key(_plain(name)): years for name, years in NAMES.items()}
_ALONE: Final = frozenset(_key(_plain(name)) for name in ALONE)


def _by_first_word() -> dict[str, list[str]]:
    by_word: dict[str, list[str]] = {}
    for name in sorted(map(_plain, NAMES), key=len, reverse=True):
        if word := _WORD.match(name):
            pattern = re.sub(r"(?:\\?[\s-])+", r"[\\s-]*", re.escape(name))
            by_word.setdefault(word[0].lower(), []).append(pattern)
    return by_word


_BY_FIRST_WORD: Final = _by_first_word()
"""The names by their first word in lower case, the longest first."""


@cache
def _beginning(first_word: str, dates: bool) -> re.Pattern[str]:
    """The names that begin with a word; 'a late period' is one in no running text.

    Compiled where a text has the word: to compile all of them takes longer than reading a record.
    """
    names = "|".join(_BY_FIRST_WORD[first_word])
    return re.compile(rf"(?:{names})(?!\w)", re.IGNORECASE if dates else re.NOFLAG)


def _named(text: str, dates: bool) -> Iterator[Period]:
    done = 0
    for word in (_WORD if dates else _CAPITALISED).finditer(text):
        first = word[0].lower()
        if word.start() < done or first not in _BY_FIRST_WORD:
            continue
        match = _beginning(first, dates).match(text, word.start())
        if match and (dates or _means_a_time(text, match)):
            noun = _NOUN_AFTER.match(text, match.end())
            done = noun.end() if noun else match.end()
            yield _period(text, match.start(), done, _YEARS[_key(match[0])])


def _means_a_time(text: str, name: re.Match[str]) -> bool:
    noun = _NOUN_AFTER.match(text, name.end())
    if _STYLE_AFTER.match(text, noun.end() if noun else name.end()):
        return False
    before = text[max(0, name.start() - NEAR) : name.start()]
    if before.endswith(("-", "_")) or _STYLE_BEFORE.search(before):
        return False
    return _key(name[0]) in _ALONE or bool(noun) or _LISTED_AFTER.match(text, name.end()) is not None


def _numbered(text: str) -> Iterator[Period]:
    for match in _NUMBERED.finditer(text):
        numbers = [_dynasty(match[group]) for group in ("one", "two", "first", "last") if match[group]]
        if all(number in DYNASTIES for number in numbers):
            years = DYNASTIES[min(numbers)][0], max(DYNASTIES[number][1] for number in numbers)
            yield _period(text, match.start(), match.end(), years)


def _dynasty(number: str) -> int:
    """The number of a dynasty in digits, Roman digits or words; 0 where it is none."""
    if digits := re.match("[0-9]+", number):
        return int(digits[0])
    if roman := re.match("[IVX]+", number):
        return roman_number(roman[0])
    *tens, last = re.split(r"[\s-]", number.lower())
    return sum(_TENS.get(ten, 0) for ten in tens) + (ORDINALS.get(last) or _TENS.get(last, 0))


def _period(text: str, start: int, end: int, years: YearSpan) -> Period:
    part = _PART_BEFORE.search(text[max(0, start - NEAR) : start])
    first, last = years
    if part is not None:
        low, high = share(part[0])
        width = last - first + 1
        first, last = first + width * low // 100, first + width * (high + 1) // 100 - 1
        start -= len(part[0])
    return period_at(text, (start, end), first, last, ())
