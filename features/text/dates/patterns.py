"""The patterns behind :mod:`features.text.dates.fields`: time as only a date field writes it.

The languages are English, German, French, Italian, Spanish, Dutch and Polish; of Swedish, Danish,
Norwegian and Finnish the decades and centuries that are written as a year with an ending (1700-talet).
"""

import re
from typing import Final

from features.text.dates import year_patterns as y
from features.text.dates.century_parts import PART
from features.text.dates.year_patterns import CIRCA, DASH, ERA, MARK, ONE_YEAR, ORDINALS, TH

# What is blanked out before anything is read, so that offsets stay true.

ASIDE: Final = re.compile(
    r"\bA\.?H\.?\s*[0-9]+\??(?:\s*[-–]\s*[0-9]+\??)?"  # 1866-1867 (AH 1283)
    r"|(?<!AD\s)\b[0-9]+(?:st|nd|rd|th)?(?:\s*[-–]\s*[0-9]+(?:st|nd|rd|th)?)?(?:\s+century)?\s*A\.?H\b\.?"
    r"(?:\s*/\s*(?:AD\s*)?)?"  # 922 AH/AD 1516
    r"|\b[12][0-9]{3}(?=\s\[i\.\s?e\.)"  # 1970 [i.e. 1971]
    r"|(?<=[0-9])/[0-9]{1,4}(?=\s*B\.?C)"  # 1351/50 BC
    r"|\b(?i:models?|folios?|plates?|frames?|units?|rolls?|types?)\b:?(?=\s)"  # Model: 1901
    r"|\b(?i:in\s+the\s+(?:style|manner)|copy)\s+of\s+(?:the\s+|an?\s+)?\S+\s+century(?:\s+BCE?\b)?"
)
"""Years of the Islamic calendar, the second of two years before Christ, words that elsewhere make four
digits a number, and the time of what is copied.
"""

# Centuries and eras in several languages.

_ERA = (
    rf"(?:{ERA}|(?:v(?:oo?|óó)?r?\.?|n(?:ach|a|\.)?)\s?(?:Chr(?:istus|\.)?|u\.\s?Z\.)|[vn]\.\s?C\."
    r"|(?:av(?:ant|\.)?|ap(?:r[èe]s|\.)?)\s?J\.?[-\s]?C\.?|[ad]\.\s?(?:de\s)?C\.?"
    r"|(?:avanti|dopo|antes\sde|después\sde)\s(?:Cristo|C\.)|(?:f(?:öre|\.)?|e(?:fter|\.)?)\s?Kr(?:istus|\.)?"
    r"|(?:p\.\s?)?n\.\s?e\.|(?:przed|po)\sChr\.?)(?!\w)"
)
_SUFFIX = r"(?:st|nd|rd|th|ème|eme|er|re|e|è|ᵉ|de|ste|[ºª°.])?"
_WORDS = "|".join(ORDINALS)
_ORDINAL = rf"(?:(?:[0-9]{{1,2}}|[IVX]{{1,5}}){_SUFFIX}|[ivx]{{1,5}}(?=[\s-]+cent)|(?i:{_WORDS}))"
_MILLENNIUM = (
    r"mill?enn?i?(?:um|a)|mill?enni[oi]?|milenios?|millénaires?|Jahrtausend\w*|Jt(?:sd)?|tysiącleci\w+"
)
_UNIT = (
    r"(?:[\s-]*(?i:(?:centu?r(?:y|ies)|cent|Jahrhundert\w*|Jahrh|Jhd?t?s?|siècles?|siecles?|sec(?:ol[oi])?|secc"
    rf"|siglos?|sécul\w+|[eë]eu\w*|wiek\w*|w|{_MILLENNIUM})\b\.?)|(?<=[eè])\s?s\.)"
)
_JOIN = (
    r"\s*[-‐‑‒–—−]{1,3}\s*|\s*/\s*|\s+(?=(?i:early|mid|late)\b)"
    r"|\s+(?i:to|or|and|&|bis|und|oder|au|à|et|ou|y|o|al?|e|of|en|tot|do|i|lub|przełom\w*)\s+"
)
CENTURY: Final = y.century(PART, _ORDINAL, _UNIT, _JOIN, _ERA, PART)
CENTURY_BEHIND: Final = re.compile(
    rf"(?<!\w)(?P<span>{PART}(?i:secolo\s+|sec\.\s*)?)?"
    r"(?P<unit>(?i:sec(?:c\.|\.|ol[oi])|siglos?|sécul\w+|séc\.|ss?\.|wiek|milenio|millennio))\s*"
    rf"(?P<ordinal>[IVX]{{1,5}}|[0-9]{{1,2}}(?![0-9]))º?"
    rf"(?:(?:{_JOIN})(?P<span2>{PART})?(?P<ordinal2>[IVX]{{1,5}}|[0-9]{{1,2}}(?![0-9])))?"
    rf"(?!\w)(?P<after>[\s,(/-]+{PART}(?!\w)\)?)?(?:\s*(?P<era>{_ERA}))?"
)
"""Centuries whose number stands behind the word for them: sec. XVIII, finales del siglo XIX."""
BARE_CENTURY: Final = re.compile(
    rf"\A\W*(?:{CIRCA}\s*)?(?P<span>{PART})?(?P<unit>)"
    rf"(?P<ordinal>[0-9]{{1,2}}{TH}|X[IVX]{{1,4}})(?:(?:{_JOIN})(?P<span2>{PART})?"
    rf"(?P<ordinal2>[0-9]{{1,2}}{TH}|X[IVX]{{1,4}}))?(?P<era>)(?=\W*\Z)"
)
"""A whole value that is no more than the number of a century: 18th, XVIII-XIX."""
ERA_YEAR: Final = y.era_years(_ERA, r"to|and|or|bis|und|oder|au|à|et|ou|y|o|al?|e|en|tot|do|hasta|till|och")
DECADE: Final = re.compile(
    r"(?<!\w)(?:(?i:années|anni|años|(?:década|decenio)\s+de|jaren|lata)\s+(?P<behind>1[0-9]{2}0|20[0-9]0)"
    r"(?!['’]?\w|\s{0,2}[-–—/]\s{0,2}[0-9])"
    r"|(?P<before>1[0-9]{2}0|20[0-9]0)(?:-?er(?:[\s-](?:Jahren?|jaren))?|-?tal(?:l?et|s)?|-lu(?:ku|vu[nl]\w*))(?!\w))"
)

# Numbers.

_B = r"\]?\[?"  # an editor's brackets: 18[75]
_OPEN = r"[-‐‑‒–—−_?xXuU]"
_MASKED = (
    rf"(?!{ONE_YEAR})(?:1{_B}[0-9]|2{_B}0)(?:{_B}[0-9]{_B}(?:[0-9]|{_OPEN})|{_B}(?:{_OPEN}{{2}}|\.\.|—))"
    r"\s?\??\]?"
)
_MONTH, _DAY = r"(?:0?[0-9]|1[0-2])", r"(?:[0-2]?[0-9]|3[01])"
_TIME = r"(?:T[0-9:.,+]+Z?)?"
_DATED = "|".join(rf"{ONE_YEAR}{dot}{_MONTH}{dot}{_DAY}(?![0-9]){_TIME}" for dot in ("-", "/", r"\."))
_COMPACT = rf"{ONE_YEAR}(?:0[0-9]|1[0-2])(?:[0-2][0-9]|3[01])(?![0-9]){_TIME}|{ONE_YEAR}\.(?:0[1-9]|1[0-2])"
_SLASHED = rf"{ONE_YEAR}/(?:{ONE_YEAR}|[0-9]{{1,2}})"
_YEAR_AFTER = rf"/{ONE_YEAR}(?![0-9])"  # of what was printed later: 1967-1968/2009
_POINT = rf"(?:{_DATED}|{_COMPACT}|{_SLASHED}|{_MASKED}|{ONE_YEAR})"
NUMBERS: Final = re.compile(
    r"(?:(?<!\w)|(?<=\bc)|(?<=\bca))(?<![0-9][-/.,])"
    rf"(?P<one>{_POINT})(?:(?:{DASH}|\s*/\s*|\s+(?i:to|or|and|bis|oder|à|au|ou|tot|of|al?|o|do|hasta)\s+|(?<=-)(?=[12][0-9]{{2}}-\W*\Z))\[?(?i:{MARK})"
    rf"(?P<two>{ONE_YEAR}(?={_YEAR_AFTER})|{_POINT}|[0-9]{{1,2}}/[0-9]{{1,2}}))?"
    rf"(?!\w)(?:(?={_YEAR_AFTER})|(?![-/.:]\]?[0-9]))"
)
"""Days, years with a slash behind them, years of unknown digits, and ranges of such and of plain years."""
ROMAN_YEAR: Final = re.compile(
    r"(?<!\w)(?=M[. ]?[MDC])M{1,2}[. ]?(?:CM|CD|D?C{0,4})[. ]?(?:XC|XL|L?X{0,4})[. ]?(?:IX|IV|V?I{0,4})(?!\w)"
)

# Ranges and circa, as other languages write them.

_ARTICLE = rf"(?i:il\s+|le\s+|el\s+|{MARK})"
RANGE: Final = re.compile(
    rf"(?<![\w/-])(?:(?i:zwischen|entre|tussen|tra|fra|mellan)\s+{_ARTICLE}(?P<one>{ONE_YEAR})"
    rf"\s+(?i:und|et|y|e|en|och)|(?P<from>{ONE_YEAR})\s+(?i:bis|à|au|tot|al|hasta|till))"
    rf"\s+{_ARTICLE}(?P<two>{ONE_YEAR})(?![\w/-])"
)
"""A range that words join: zwischen 1850 und 1860, 1850 bis 1860."""
ABOUT_BEFORE: Final = re.compile(
    r"(?<!\w)(?i:um|ungefähr|etwa|vers|environ|hacia|alrededor\sde|omkring|cirka|rond|omstreeks|verso(?:\sil)?"
    r"|intorno\sal|ungefär|~)\s*\Z"
)
ABOUT_AFTER: Final = re.compile(r"\s*[,(]?\s*(?i:circa|ca\.?|environ)(?!\w)")
ITALIAN_CENTURY: Final = re.compile(
    rf"(?<!\w)(?P<part>{PART})?(?P<name>Duecento|Trecento|Quattrocento|Cinquecento|Seicento|Settecento|Ottocento"
    r"|Novecento|['’‘][2-9]00)(?!\w)"
)
_ITALIAN = ("due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove")
ITALIAN_HUNDREDS: Final = {name: 100 * number for number, name in enumerate(_ITALIAN, 12)} | {
    f"{number}00": 1000 + 100 * number for number in range(2, 10)
}
"""The first year of the Settecento, which is il '700 too."""

# Years before 1000 without an era.

OLD_RANGE: Final = re.compile(
    rf"(?<![\w.,/-])(?P<one>[1-9][0-9]{{2}})(?:{DASH}(?P<two>[1-9][0-9]{{2,3}}))?(?![\w./-]|,[0-9])"
)
SMALL_RANGE: Final = re.compile(
    rf"\W*(?P<circa>{CIRCA}\s*)?(?P<one>[1-9][0-9]{{0,2}}){DASH}(?P<two>[1-9][0-9]{{1,2}})\W*\Z"
)

# Years of the Islamic calendar.

_HIJRI_ERA = r"(?:A\.?\s?H\.?|Hijr[iah]+|Hi[dg]schra|hégire)(?!\w)"
_COUNT = rf"(?P<count>{TH}(?:\s+(?:century|c\.))?)?"
HIJRI: Final = re.compile(
    rf"(?i:(?<!\w)(?:{_HIJRI_ERA}\s*(?P<behind>[0-9]{{1,4}})(?:\s*[-–/]\s*(?P<behind2>[0-9]{{1,4}}))?"
    rf"|(?P<one>[0-9]{{1,4}})(?:{TH})?(?:\s*[-–/]\s*(?P<two>[0-9]{{1,4}}))?{_COUNT}\s*{_HIJRI_ERA}))"
)

HUNDREDS: Final = re.compile(rf"(?<![\w.,/-])(?P<part>{PART})?(?P<one>[2-9])00['’]?s(?!\w)")
"""The years of a century before 1000 by its hundreds: the 700s, later 500s."""
_ISO = rf"{ONE_YEAR})(?:-{_MONTH}(?:-{_DAY})?)?"
ISO_RANGE: Final = re.compile(rf"\s*(?P<one>{_ISO}\s+[-–]\s+(?P<two>{_ISO}\s*\Z")
"""Two days or months with blanks around the dash, which stands without any within them: 2000 - 2000-11."""
BESIDE_OURS: Final = re.compile(
    rf"(?P<theirs>(?<![0-9])(?P<year>[0-9]{{3,4}})(?:[-–][0-9]{{1,4}})?)\s*\[(?P<ours>{ONE_YEAR})(?:[-–][0-9]{{1,4}})?\??\]"
)
"""A year of another calendar with ours in brackets: 947 [1540]."""

PLACEHOLDER: Final = re.compile(
    r"\s*(?:01([/.-])01\1(?P<last>[12][0-9]{3})|(?P<first>[12][0-9]{3})(?:-01-01|0101))\s*\Z"
)
"""1 January, which archives fill in where they know only the year."""
