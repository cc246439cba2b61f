"""What the cells of a column are: dates, numbers, web addresses, codes, prose; judged by a sample of them."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final


class CellKind(StrEnum):
    """What most cells of a column are."""

    ADDRESSES = "web addresses"
    CODES = "codes of authorities and systems"
    NUMBERS = "numbers that are no years"
    DATES = "dates"
    MOMENTS = "days with a time of day"
    FLAGS = "yes and no"
    PROSE = "prose"
    TEXTS = "short texts"


_MOST: Final = 0.6
_LONG: Final = 120  # letters of a cell of prose, on average
_FEW: Final = 20  # cells from which on two different ones are yes and no
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+(?:\s*[|;,]\s*(?:https?://|www\.)\S+)*", re.IGNORECASE)
_CODE = re.compile(
    r"(?:Q\d+|(?:aat|tgn|ulan|viaf|gnd|lcsh|isni|wikidata):\S+|[\[{].*|ark:/\S+|urn:\S+|[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{16,})"
    r"(?:\s*[|;,]\s*(?:Q\d+|\S+:\S+))*",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"[-+]?\d[\d.,\s]*\s*(?:cm|mm|m|km|g|kg|in|inches|lbs?|%|[\"”])?(?:\s*\([^)]*\))?", re.IGNORECASE
)
_YEAR_ALONE = re.compile(r"[-−]?\d{3,4}(?:\.0)?")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
_DATED = re.compile(
    r"\b(?:1[0-9]{3}|20[0-2][0-9])"
    r"|\b[0-9]{1,2}(?:th|st|nd|rd|er|ème|e|de|ste|\.)? ?(?:c\.|cent|Jh|Jahrh|s\.|siècle|eeuw)"
    r"|\b(?:siglo|sec\.|secolo|século|s\.) ?[IVX]+\b|\b[IVX]+e? (?:siècle|secolo|w\.)|\b\d{3,4}-talet"
    r"|\d\s?(?:BC|AD|v\. ?Chr|av\. ?J|a\. ?C)"
)
_LONGEST_DATE: Final = 60
_CAPITALISED = re.compile(r"\b[A-ZÀ-Þ][^\W\d_]{2,}")
_MONTHS: Final = frozenset(
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
)
_NAME: Final = 2  # words of a name
_YES_NO: Final = frozenset(
    ["y", "n", "yes", "no", "true", "false", "0", "1", "ja", "nein", "nee", "oui", "non"]
)


def content_of(texts: Sequence[str]) -> CellKind:
    """What most of some cells are.

    >>> str(content_of(["0,09", "1,2"])), str(content_of(["1650", "c. 1700"])), str(content_of(["https://example.org/1"]))
    ('numbers that are no years', 'dates', 'web addresses')
    """
    cells = [text.strip() for text in texts]
    if len(cells) >= _FEW and {cell.casefold() for cell in cells} <= _YES_NO:
        return CellKind.FLAGS
    for kind, test in (
        (CellKind.ADDRESSES, _ADDRESS.fullmatch),
        (CellKind.CODES, _CODE.fullmatch),
        (CellKind.MOMENTS, _MOMENT.fullmatch),
        (CellKind.DATES, is_date),
        (CellKind.NUMBERS, _NUMBER.fullmatch),
    ):
        if sum(bool(test(cell)) for cell in cells) > _MOST * len(cells):
            return kind
    return CellKind.PROSE if sum(map(len, cells)) > _LONG * len(cells) else CellKind.TEXTS


def is_date(text: str) -> bool:
    """Whether a cell looks like a date: short, with a year, a century or an era in it.

    >>> [is_date(text) for text in ("c. 1650", "XVIIe siècle", "-450", "0.5", "Hall, Ada, 1820-1890")]
    [True, True, True, False, False]
    """
    if len(text) > _LONGEST_DATE or text.startswith("http"):
        return False
    if _YEAR_ALONE.fullmatch(text):
        return True
    # a name with the years of a life is none
    named = [word for word in _CAPITALISED.findall(text) if word[:3] not in _MONTHS]
    return len(named) < _NAME and bool(_DATED.search(text)) and not re.search(r"\d{5}|\d{4}\.\d", text)
