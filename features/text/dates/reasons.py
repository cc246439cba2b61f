"""Why a value of a date field has no interval of years."""

import re
from enum import StrEnum
from typing import Final

from features.text.dates.fields import date_periods
from features.text.names.placeholders import says_no_date


class NoDateReason(StrEnum):
    """What keeps a value of a date field from having an interval."""

    NO_DATE_KNOWN = "no date known"
    AMBIGUOUS = "ambiguous"
    NUMBER = "number that is no year"
    VAGUE = "no number and no period"
    EMPTY = "empty"


MEANINGS: Final = {
    NoDateReason.NO_DATE_KNOWN: "the value says that no date is known, or that there is none",
    NoDateReason.AMBIGUOUS: "it may be a date, and does not tell which",
    NoDateReason.NUMBER: "it holds a number,"
    " and no rule takes that for a year, a decade, a century or a reign",
    NoDateReason.VAGUE: "words alone, none of which names a period whose years are known",
    NoDateReason.EMPTY: "it holds neither a letter nor a digit",
}

_AMBIGUOUS: Final = re.compile(
    r"(?i)\W*(?:(?:c|ca|circa|um|vers|omkring)\.?\s*)?"
    r"(?:['’‘]?[0-9]{2}(?:'?s|er|-?tal\w*)?(?:\s*[-–/]\s*['’‘]?[0-9]{2}(?:'?s)?)?"
    r"|[0-9]{1,2}([-./\s])[0-9]{1,2}\1[0-9]{2}"
    r"|(?:anni|jaren|années|años)\s+['’‘]?(?:[0-9]{2}|[^\W\d]+)|[^\W\d]+er[\s-]Jahren?|[^\W\d]+talet)\W*"
)


def why_none(text: str) -> NoDateReason | None:
    """Why a value has no interval; None where it has one.

    >>> values = ("1750", "o. J.", "11/12/13", "anni Venti", "c. 194051955", "modern", "?")
    >>> [str(why_none(value) or "interval") for value in values[:4]]
    ['interval', 'no date known', 'ambiguous', 'ambiguous']
    >>> [str(why_none(value)) for value in values[4:]]
    ['number that is no year', 'no number and no period', 'empty']
    """
    if date_periods(text):
        return None
    if not any(map(str.isalnum, text)):
        return NoDateReason.EMPTY
    if says_no_date(text):
        return NoDateReason.NO_DATE_KNOWN
    if _AMBIGUOUS.fullmatch(text):
        return NoDateReason.AMBIGUOUS
    return NoDateReason.NUMBER if any(map(str.isdigit, text)) else NoDateReason.VAGUE
