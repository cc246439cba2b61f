"""The patterns behind :mod:`features.text.dates.years`: how catalogues write time, and what is none.

Every pattern is compiled once. Those whose name ends in ``BEFORE`` are searched in a short window
that ends where a year begins; those that end in ``AFTER`` are matched where it ends.
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

WINDOW: Final = 48  # characters left of a year that can belong to it: "30 September - 2 October, "
NEAR: Final = 24  # characters left of a mention that can say what it is

ONE_YEAR: Final = r"(?:1[0-9]{3}|20[0-9]{2})"
TH: Final = r"(?:st|nd|rd|th)"
_MONTH = (
    r"(?i:Jan(?:uary)?|Feb(?:ruary|r)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|Spring|Summer|Autumn|Fall|Winter)"
)
DASH: Final = r"\s{0,2}[-‐‑‒–—−]{1,3}\s{0,2}"
_DAY = rf"[0-3]?[0-9]{TH}?"
_DAYS = rf"{_DAY}(?:\s{{0,2}}(?:[-‐‑–—/&]|,|and|to)\s{{0,2}}{_DAY})?"
_DAY_MONTH = rf"(?:{_DAYS}\s{{0,2}}(?:of\s)?)?\b{_MONTH}\.?(?:\s{{0,2}}{_DAYS}(?!\w))?"
_DAY_MONTHS = rf"(?:{_DAY_MONTH}(?:{DASH}|/|\s(?:to|and|or|&)\s))?{_DAY_MONTH}"
CIRCA: Final = (
    r"(?:circa|approx(?:\.|imately)?|about|around|probably|possibly|perhaps"
    r"|ca\.?|ci\.?|[cC]\.|[cC],?(?=\s)|c(?=[0-9]|\Z))"
)
MARK: Final = rf"(?:\?\s?)?(?:{CIRCA}\\?\s*)?"
_PART = r"(?:early|mid|late)(?:\s+|-|\.\s?)"

HINT: Final = re.compile(
    r"[12][0-9]{3}|[Cc][Ee][Nn][Tt](?:[Uu][Rr]|\.)|[0-9](?:st|nd|rd|th)\s?[Cc]\b"
    r"|[0-9]\s?(?:BC|AD|CE|B\. ?C|A\. ?D)|A\.? ?D\.? ?[0-9]"
)
"""Whatever holds no calendar expression at all fails this one search."""

CENTURY_HINT: Final = re.compile(r"[Cc][Ee][Nn][Tt](?:[Uu][Rr]|\.)|[0-9](?:st|nd|rd|th)\s?[Cc]\b")
ERA_HINT: Final = re.compile(r"[0-9]\s?(?:BC|AD|CE|B\. ?C|A\. ?D)|A\.? ?D\.? ?[0-9]")
DATE_HINT: Final = re.compile(
    r"[0-9][-/.]\Z|[IVX]\.\s?\Z|(?i:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Spring|Summer|Autumn|Fall|Winter)"
)

YEAR: Final = re.compile(rf"(?<![0-9]){ONE_YEAR}(?![0-9])")

DATE_BEFORE: Final = re.compile(
    rf"(?<![\w])(?:(?P<words>{_DAY_MONTHS},?\s{{0,2}})"
    rf"|(?P<one>[0-9]{{1,2}})(?P<point>[-/.])(?P<two>[0-9]{{1,2}})(?P=point)"
    rf"|[0-9]{{1,2}}\.\s?[IVX]{{1,4}}\.\s?|(?P<month>0?[1-9]|1[0-2])/)\Z"
)
MONTH_BEFORE: Final = re.compile(
    r"""(?:
      \A\W{0,12}(?:(?:to|and|or|until|till|through)\s)?
    | \n\s*
    | (?<![0-9])[,;:]\s{0,2}                       # not the second of COPY 1/1900, 1/1901
    | \w{5}[.)\]]{1,2}\s{1,2} | \.{2,}\s{0,2}
    | \s[‐‑‒–—−-]\s | (?<!\w)[(\["'“‘?]
    | (?<!\w)(?:c|ca|circa)\.?\s{0,2} | (?<!\w)(?i:dated?|circa|in|on|since|until|before|after|from)\s
    | (?<![\w./-])(?<![0-9]\s)(?!(?:wo|copy|copies|box|boxes|album|folder|sheet|piece|print|photo|photograph
        |case|drawer|envelope|part|series|section|bundle|packet|register|entry|set|bag|tray|shelf|bay|film|tape
        |disc|job|order|size|scale|grade|class|group|batch|slide|card|map|drawing|lens|exposure)\s)
      [^\W\d_A-ZÀ-Þ]{2,}\s{1,2}
    )\Z""",
    re.VERBOSE,
)
"""What a month and year may follow: 11/1965 after a place and a comma, not 1/1900 after a series' letters."""
PART_BEFORE: Final = re.compile(
    r"\b(?i:(?P<part>early[\s-]+(?:to\s+)?mid|mid[\s-]+(?:to\s+)?late|early|mid|late))(?:[\s,]+|\s?[-–]\s?|\.\s?)\Z"
)
CIRCA_BEFORE: Final = re.compile(rf"(?<!\w)(?i:(?:\?\s?)?(?<![\w.]){CIRCA}\\?\??\s*|\?\s?)\Z")
BETWEEN_BEFORE: Final = re.compile(r"\b(?i:between)\s+(?:the\s+)?(?:years\s+)?\Z")
WHEN_BEFORE: Final = re.compile(r"\b(?i:in|during|since|dated|circa|early|late|mid)[\s-]\Z")

ISO_AFTER: Final = re.compile(
    r"-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T[0-9:.,+]+Z?)?(?![0-9A-Za-z])"
)
DECADE_AFTER: Final = re.compile(r"['’`´]?s(?!\w)")
DATE_AFTER: Final = re.compile(
    rf",?\s{{1,2}}{_MONTH}\b\.?(?!\.)(?:\s{_DAY}(?!\w))?(?!{DASH}[0-9])(?!,?\s{{0,2}}[0-9])"
)
RANGE_AFTER: Final = re.compile(
    rf"(?:,?\s{{1,2}}{_MONTH}\b\.?(?:\s{_DAY}(?!\w))?(?={DASH}{ONE_YEAR}))?"
    rf"(?P<join>{DASH}|\s+(?i:to|or|and|until|till|through)\s+|/)(?i:{MARK})"
    rf"(?:(?P<part>(?i:{_PART}))?(?P<date>{_DAY_MONTHS},?\s{{0,2}}|[0-3]?[0-9](?P<point>[./])[01]?[0-9](?P=point))?(?P<year>{ONE_YEAR})(?P<decade>['’]?s)?(?!\w)"
    r"(?P<tail>[–—][0-9]{1,2}(?![\w/.-]))?)"
    r"|(?P<short_join>[-‐‑‒–—−]|\s[–—](?=[0-9])|\s+or\s+|/)(?:\?|c\.\s?)?\[?(?P<short>[0-9]{1,2})(?P<tens>['’]?s)?(?!\w)"
)
DOUBT_AFTER: Final = re.compile(r"\s?[\[(]?\?")

# What makes four digits something else than a year.

TOKEN_BEFORE: Final = re.compile(
    r"""(?:
      [^\W_](?<!\b[bd])                          # T1958, but not b1958
    | [\w)\]][-/+=_@&~^*]                        # CM.2666-2003, COPY 1/1900, item=1958
    | [0-9)\]][‐‑‒–—−]
    | [0-9][:.]                                   # 12.1958
    | (?<![a-z]{3})(?<!\b[bdB])(?<!\bfl)[A-Za-z]\.   # T.1958, but not Museum.1958 nor b.1958
    | [+*/=&]\.                                   # OA+.2043
    | (?<![0-9])[0-9]{4},                         # 1962,1208
    | [$£€¥#]\s?
    | [0-9]\s?[x×]\s?
    )\Z""",
    re.VERBOSE,
)
LABEL_BEFORE: Final = re.compile(
    r"""\b(?:ISBN[\s0-9X:-]*|(?:MSS?|OR)\.?\s(?:[0-9]+[,;\s-]+){0,3}
    |(?i:nos?|nrs?|numbers?|num|lots?|model|plates?|pls?|figs?|pp?|pages?|cat|catalogue|acc|accession
      |inv|inventory|ref|reference|items?|negs?|negatives?|fol|folios?|ff?|vols?|volumes?|rooms?|suite|file|lugt
      |bartsch|hollstein|delteil|local|lodge|troop|channel|engine|locomotive|phone|tel|telephone|apt|apartment
      |unit|code|type|serial|roll|frame|shelfmark|heights?|widths?|depths?
      |(?<!full.)lengths?|diam|diameter|thickness|weight|chapter|psalm|opus|op|patent|flight|route|bus
      |edition\s+of)\b(?:\.|\s?:)?\s*)\Z""",
    re.VERBOSE,
)
NOT_AFTER: Final = re.compile(
    r"""
      \w
    | [-‐‑‒–—−](?=[0-9])(?!(?:1[0-9]{3}|20[0-9]{2})(?![0-9]))   # 1978-3-2
    | -[A-Z](?!\w)
    | [.:][0-9]                                                 # 1978.12
    | /[0-9](?!(?<=[12])[0-9]{3}(?![0-9]))                      # 1978/12, but not 1967-68/1983
    | /[A-Z]{1,2}[0-9]
    | ,[0-9]{3}(?![0-9])
    | ,[0-9]{1,4}(?:,0)?\.[0-9]                                 # 1962,1208.34
    | ,(?:0[0-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![0-9])     # 1858,0417
    | \([0-9]
    | \s?[x×]\s?[0-9]
    | \s?%
    | \s(?:wide|high|tall|deep|long|thick)(?=\s*(?:\Z|[^\w\s]|(?:and|by|x)\b|[0-9]))
    | \s?(?:mm|cm|m|km|kg|g|lbs?|ft|feet|inch(?:es)?|yards?|yds|miles?|acres?|tons?|hrs?|hours|dpi|volts?
        |pounds|dollars|guineas|francs|marks|lire|rupees|cents|people|persons|men|women|children|copies
        |pages|pp(?!\.?\s?[0-9])|photographs|prints|negatives|items|cards|objects|pieces|members|visitors|metres|meters)\b
    """,
    re.VERBOSE,
)
STREET_AFTER: Final = re.compile(
    r"(?:[-–][0-9]+)?(?:\s(?:[A-Z][\w.'’-]*|[0-9]+(?:st|nd|rd|th))){0,3}?"
    r"\s(?:Streets?|Str|Avenue|Av|Ave|Road|Rd|Lane|Drive|Dr|Boulevard|Blvd|Way|Place|Court|Terrace|Crescent|Square"
    r"|Row|Alley|Parkway|Highway|St(?!\.?\s[A-Z]))(?!\w)"
)
COUNTED_AFTER: Final = re.compile(r"\s(?!was\b|is\b|has\b|as\b|its\b|this\b|series\b|process\b)[a-z]+s\b")
URL: Final = re.compile(r"(?:[a-z]+://|www\.)\S+")

# Centuries, and years with an era.

_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth", "twentieth", "twenty-first"),
)
ORDINALS: Final = {word: number for number, word in enumerate(_ORDINALS, 1)}
_ROMAN = (
    *("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI"),
    *("XII", "XIII", "XIV", "XV", "XVI", "XVII", "XVIII", "XIX", "XX", "XXI"),
)
ROMAN: Final = {numeral: number for number, numeral in enumerate(_ROMAN, 1)}
_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_number(numeral: Iterable[str]) -> int:
    """The number that Roman digits make, also where they are not in their usual order.

    >>> roman_number("MDCCXLIX")
    1749
    """
    values = [_DIGITS[letter] for letter in numeral]
    return sum(-one if one < two else one for one, two in pairwise([*values, 0]))


OLDEST: Final = 30  # centuries before Christ: those of Egypt's first dynasties
LATEST: Final = 21
MILLENNIUM: Final = re.compile(r"[\s-]*(?i:mil|jahrt|jt|tys)")

ERA: Final = r"(?:BCE|CE|BC|AD|B\. ?C\. ?E\.|B\. ?C\.|A\. ?D\.|C\. ?E\.)(?!\w)"
_PLACE = r"early|mid(?:dle)?|later?|beginning|end"
_SHARE = r"(?:first|second|third|fourth|last|latter|1st|2nd|3rd|4th)[\s-]+(?:half|third|quarter)"
_SPAN = (
    rf"(?i:(?:{_PLACE})(?:(?:\s*-?\s+(?:to|or)\s+|\s*[-/]\s*)(?:{_PLACE}))?|{_SHARE}|turn)"
    r"(?:\s*-\s*|\s+)(?:of\s+)?(?:the\s+)?"
)
_ORDINAL = (
    rf"(?:[0-9]{{1,2}}{TH}|(?i:{'|'.join(reversed(_ORDINALS))})"
    r"|[IVX]{1,5}(?:th)?|[ivx]{1,5}(?=[\s-]+cent))"
)
_NUMBER = r"[0-9]{1,4}"
_CENTURY = r"(?:[\s-]*(?i:centur(?:y|ies)|cent\.)|\s?[Cc](?:\.|\b)(?!\s?[0-9]))"


def century(span: str, ordinal: str, unit: str, join: str, era: str, after: str = "(?!)") -> re.Pattern[str]:
    """Centuries whose number stands before the word for them, and ranges of them.

    The groups ``span``, ``ordinal``, ``unit`` and ``era1`` hold the parts of the first century, ``span2``,
    ``ordinal2``, ``unit2`` and ``era`` those of the last one. The first of a range may lack the word.
    ``after`` is a part of the century that stands behind it: 18. Jahrhundert, 2. Hälfte.
    """
    return re.compile(
        rf"(?<!\w)(?:(?<![^\W\d]-)|(?<=(?:BC|AD|CE)-))(?P<span>{span})?(?P<ordinal>{ordinal})(?P<unit>{unit})?(?:(?<![0-9])\s(?P<era1>{era}))?"
        rf"(?:(?:{join})(?i:{MARK})(?:the\s+)?(?P<span2>{span})?(?P<ordinal2>{ordinal})(?P<unit2>{unit}))?"
        rf"(?(unit2)|(?(unit)|(?!)))(?!\sFox)(?!\w)(?:\s*(?P<era>{era}))?"
        rf"(?:\s*[,(/]\s*(?P<after>{after})(?!\w)\)?(?!\W*(?:[0-9]|[IVX]+\b|[^\W\d]+\s+(?:[0-9]|[IVX]+\b))))?"
    )


def era_years(era: str, joiners: str = "to|and|or") -> re.Pattern[str]:
    """Years of which at least one may have an era before or behind it, and ranges of them."""
    return re.compile(
        rf"(?:(?<![\w.,/-])|(?<=\b[cC]\.)|(?<=\b[cC]a\.)|(?<=[CDE]/))(?P<ad1>(?:AD|A\. ?D\.?)\s*)?"
        rf"(?P<one>{_NUMBER})(?![0-9])(?:\s*(?P<era1>{era}))?"
        rf"(?:\]?(?:{DASH}|\s+(?:{joiners})\s+)(?:{MARK})(?P<ad2>(?:AD|A\. ?D\.?)\s*)?"
        rf"(?P<two>{_NUMBER})(?![^\W_A-Z])(?:\s*(?P<era2>{era}))?(?!\w))?"
    )


BEFORE_CHRIST: Final = re.compile(r"B|v|av|ant|a[. ]|p\. ?n|przed|f")
"""The beginning of an era before Christ in one of the languages of date fields."""

CENTURY: Final = century(_SPAN, _ORDINAL, _CENTURY, rf"{DASH}|\s+(?i:to|or|and|&)\s+|/", ERA)
ERA_YEAR: Final = era_years(ERA)
NAMED_FUND: Final = re.compile(r"(?:First|Second|Third|Fourth|Fifth)\sCentury\s[A-Z]")
"""A title such as Second Century Acquisition Fund counts an institution's age."""
