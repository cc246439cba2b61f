"""Which of several dates in a field is the thing's own, and how far an open one reaches."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from features.text.dates.edtf import OPEN
from features.text.dates.year_patterns import CIRCA, NEAR
from features.text.dates.years import Period

_LATER = (
    r"(?:(?:re-?|posthumously\s)?(?:print(?:ed|ing)?|publish(?:ed|ing)|issued?|cast|casting|edition(?:ed)?|produced"
    r"|made|assembled|fabricated|fired|construct(?:ed|ion)|worked|touch(?:ed|ing)|paint(?:ed|ing)|edited|vised)"
    r"|exhibit(?:ed|ion)|manufactured?|released|reproduced|annotated|enlarged|gilded|impressions?|restor\w+|repair\w+"
    r"|additions?|alterations?|replacements?|replicas?|kopie|copie|copia|frames?|mount(?:s|ed|ing|ings)?|hinges?|lid|setting|binding"
    r"|hilt|scabbard|borders?|carvings?|goldwork|inlay|decoration|chatelaine|gegossen|gedruckt|Abzug|Guss|tirage|fonte)"
)
_STATED: Final = re.compile(rf"(?i)\b{_LATER}\b")
_STATE_AFTER: Final = re.compile(rf"(?i)[\s(]+(?:[^\W\d_]+\s)?{_LATER}\b")
_ANOTHER: Final = re.compile(rf"\W*(?:(?:and|or|{CIRCA})\W*)?")
_YEAR = rf"\s*(?:the\s+year\s+)?(?:{CIRCA}\s*)?\Z"
_BEFORE: Final = re.compile(
    rf"(?i)(?<!\w)(?:(?<!not\s)(?<!no\s)before|n(?:o|ot)\safter|by|until|till|up\sto|pre|prior\sto|n(?:o|ot)\slater\sthan|vor|bis|jusqu['’](?:en|à)|fino\sal?|hasta|t/m|tot|avant|prima\sdel|antes\sde|vóór|voor|före|ante|przed)[\s-]{_YEAR}"
)
_AFTER: Final = re.compile(
    rf"(?i)(?<!\w)(?:after|post|n(?:o|ot)\s(?:earlier\sthan|before)|nach|après|dopo(?:\sil)?|después\sde|efter|na|po)[\s-]{_YEAR}"
)
_OR_BEFORE: Final = re.compile(
    r"(?i)[\s,]*(?:\?|\(\?\))?[\s,]*(?:or\s(?:earlier|before)|oder\sfrüher|of\s(?:eerder|vroeger)|ou\savant|o\santes|o\sprima)\b"
)
_OR_AFTER: Final = re.compile(
    r"(?i)\s*[-–—]\s*(?:ongoing|present|today|heute|heden|aujourd['’]hui|oggi|hoy)?\s*\Z"
    r"|[\s,]*(?:\?|\(\?\))?[\s,]*(?:or\s(?:later|after)|oder\sspäter|of\slater|ou\s(?:après|plus\stard)|o\s(?:dopo|después|posterior)|eller\ssenare)\b"
)


def own_dates(text: str, dates: Sequence[Period]) -> tuple[Period, ...]:
    """Of the calendar expressions of a date field those that date the thing itself, as far as it tells.

    Later states and parts added are left out beside an earlier date of the thing. A lone year that
    something was made before or after reaches a generation.

    >>> from features.text.dates.years import periods
    >>> texts = ("1891, cast 1925", "1747 with later mounts of 1790", "after 1848", "1726 and 1730")
    >>> [[(one.first, one.last) for one in own_dates(text, periods(text))] for text in texts]
    [[(1891, 1891)], [(1747, 1747)], [(1848, 1873)], [(1726, 1726), (1730, 1730)]]
    """
    own = list(dates[:1])
    later = False
    for before, one in pairwise(dates):
        between = text[before.end : one.start]
        goes_on = later and _ANOTHER.fullmatch(between)  # exhibited 1809, 1840
        later = bool(goes_on or _STATED.search(between) or _STATE_AFTER.match(text, one.end))
        if not later:
            own.append(one)
    return (_opened(text, own[0]),) if len(own) == 1 else tuple(own)


def beside_names(text: str, dates: Sequence[Period], named: Sequence[Period]) -> tuple[Period, ...]:
    """The dates of a field, or else its named times, without years that only say when a named time was."""
    own = [one for one in dates if not any(_explains(text, name, one) for name in named)]
    return tuple(own or dates or named)


def _explains(text: str, name: Period, one: Period) -> bool:
    """Whether some years are those of the named time before them: Edo period (1603-1867)."""
    shared = min(name.last, one.last) - max(name.first, one.first)
    near = re.fullmatch(rf"[\s,;:(]*(?:{CIRCA}\s*)?", text[name.end : one.start]) is not None
    return near and 2 * shared >= name.last - name.first


def _opened(text: str, one: Period) -> Period:
    if one.first != one.last:
        return one
    left = text[max(0, one.start - NEAR) : one.start]
    if _BEFORE.search(left) or _OR_BEFORE.match(text, one.end):
        return replace(one, first=one.first - OPEN, approximate=True)
    if _AFTER.search(left) or _OR_AFTER.match(text, one.end):
        return replace(one, last=one.last + OPEN, approximate=True)
    return one
