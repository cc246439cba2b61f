"""Swedish decades and centuries: 1700-talet, början av 1800-talet, 1800-talets andra hälft, 17:e århundradet.

A century before Christ goes by its own digits: 500-talet f.Kr. is 599 to 500 BC.
"""

import re
from collections.abc import Iterator
from typing import Final

from features.text.dates.years import Period, YearSpan, decade_years, period_at

_PARTS: Final = (
    ((0, 33), r"början|inledningen|tidigt|tidiga"),
    ((33, 66), r"mitten|mitt"),
    ((66, 99), r"slutet|slut|sent|sena"),
    ((0, 49), r"första\shälft(?:en)?|förra\shälft(?:en)?"),
    ((50, 99), r"andra\shälft(?:en)?|senare\shälft(?:en)?"),
    ((0, 24), r"första\s(?:fjärdedel(?:en)?|kvartal(?:et)?)"),
    ((25, 49), r"andra\s(?:fjärdedel(?:en)?|kvartal(?:et)?)"),
    ((50, 74), r"tredje\s(?:fjärdedel(?:en)?|kvartal(?:et)?)"),
    ((75, 99), r"(?:fjärde|sista)\s(?:fjärdedel(?:en)?|kvartal(?:et)?)"),
)
_PART = "|".join(words for _, words in _PARTS)
_ERA = r"(?:\s*(?P<era>(?:före|f\.?)\s?Kr(?:istus|\.)?))?"
_TALET: Final = re.compile(
    rf"(?i)(?<![\w-])(?:(?P<before>{_PART})\s+(?:av\s+|på\s+|del(?:en)?\s+av\s+)?(?:det\s+)?)?"
    r"(?:(?P<one>[0-9]{2,3}0)(?:-?tal(?:et)?)?\s*(?:[-–—/]|och|till)\s*)?"
    rf"(?P<year>[0-9]{{2,3}}0)[-\s]?tal(?:ets|et|en|s)?(?!\w)(?:\s+(?P<after>{_PART})(?!\w))?{_ERA}"
)
_NUMBERED: Final = re.compile(
    rf"(?i)(?<![\w-])(?:(?P<before>{_PART})\s+(?:av\s+|på\s+)?(?:det\s+)?)?"
    rf"(?P<number>[0-9]{{1,2}}):[ea]\s+(?:århundradet?|seklet)(?!\w){_ERA}"
)


def swedish_periods(text: str) -> Iterator[Period]:
    """The decades and centuries that a text names in Swedish.

    >>> texts = ("1870-talet", "slutet av 1800-talet", "1700-talets första hälft", "500-talet f.Kr.")
    >>> [(one.first, one.last) for text in texts for one in swedish_periods(text)]
    [(1870, 1879), (1866, 1899), (1700, 1749), (-599, -500)]
    """
    if "tal" in text:
        for match in _TALET.finditer(text):
            year = int(match["year"])
            one = int(match["one"] or year)
            if one <= year:
                first, last = _share(year, match["before"] or match["after"])
                first = first if one == year else one
                yield _period(text, match, (first, last), (one, year))
    for match in _NUMBERED.finditer(text):
        year = 100 * int(match["number"]) - 100
        if year <= 2000:
            yield _period(text, match, _share(year, match["before"]), (year, year + 99))


def _share(year: int, words: str | None) -> YearSpan:
    first, last = (year, year + 99) if year % 100 == 0 else decade_years(year)
    if not words:
        return max(first, 1), last
    size = last - first + 1
    low, high = next(share for share, part in _PARTS if re.fullmatch(part, words, re.IGNORECASE))
    return first + size * low // 100 or 1, first + size * (high + 1) // 100 - 1


def _period(text: str, match: re.Match[str], years: YearSpan, written: tuple[int, ...]) -> Period:
    if match["era"]:
        years, written = (-years[1], -years[0]), tuple(-year for year in written)
    return period_at(text, match.span(), *years, written)
