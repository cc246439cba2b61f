"""Years of the Islamic calendar that stand alone: AH 923, 12th century AH.

Beside a year of ours :mod:`features.text.dates.fields` passes them over, since the museum has done the sum.
"""

import re
from collections.abc import Iterator
from typing import Final

from features.text.dates.year_patterns import TH
from features.text.dates.years import Interval, Period, period_at

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


def _ours(year: int) -> Interval:
    """The two years of ours in which a year of the Islamic calendar begins and ends."""
    return int(_EPOCH + (year - 1) * _YEAR), int(_EPOCH + year * _YEAR)
