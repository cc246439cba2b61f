"""Parts of a century in words, and the years of it that they leave: late, second half, 1. Viertel, début.

The languages are English, German, French, Italian, Spanish, Dutch and Polish.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeVar

_Meaning = TypeVar("_Meaning")

_SUFFIX = r"(?:st|nd|rd|th|ère|ème|eme|er|re|de|ste|[eª.º°])?"
_RANKS: Final = (
    (1, rf"1{_SUFFIX}|I\.?|first|erste[sn]?|premi(?:er|ère)|prim[ao]|primera?|eerste|pierwsz\w+"),
    (2, rf"2{_SUFFIX}|II\.?|second[aeo]?|zweite[sn]?|deuxième|segund[ao]|tweede|drug\w+"),
    (3, rf"3{_SUFFIX}|III\.?|third|dritte[sn]?|troisième|terz[ao]|tercera?|derde|trzeci\w*"),
    (4, rf"4{_SUFFIX}|IV\.?|fourth|vierte[sn]?|quatrième|quart[ao]|cuart[ao]|vierde|czwart\w+"),
    (0, r"last|latter|letzte[sn]?|derni(?:er|ère)|[uú]ltim[ao]|laatste|ostatni\w*"),
)
_NOUNS: Final = (
    (2, r"half|Hälfte|moitié|metà|mitad|helft|poł(?:ow\w+)?"),
    (3, r"third|Drittel|tiers|terzo|tercio|derde"),
    (4, r"quarter|Viertel|quarto|quart|quater|cuarto|kwart|ćw(?:ier\w+)?"),
)
_TENS: Final = (  # German; the others, which say years before; English
    (r"zehner", r"dix|dieci|diez|tien", r"tens"),
    (r"zwanziger", r"vingt|venti|veinte|twintig", r"twenties"),
    (r"drei(?:ß|ss)iger", r"trente|trenta|treinta|dertig", r"thirties"),
    (r"vierziger", r"quarante|quaranta|cuarenta|veertig", r"forties"),
    (r"fünfziger", r"cinquante|cinquanta|cincuenta|vijftig", r"fifties"),
    (r"sechziger", r"soixante(?!-dix)|sessanta|sesenta|zestig", r"sixties"),
    (r"siebziger", r"soixante-dix|settanta|setenta|zeventig", r"seventies"),
    (r"achtziger", r"quatre-vingts?(?!-dix)|ottanta|ochenta|tachtig", r"eighties"),
    (r"neunziger", r"quatre-vingt-dix|novanta|noventa|negentig", r"nineties"),
)


def _decades() -> Iterator[tuple[tuple[int, int], str]]:
    """The decades of a century in words: zwanziger Jahre, anni '20, jaren twintig."""
    for ten, (german, behind, english) in enumerate(_TENS, 1):
        yield (
            (10 * ten, 10 * ten + 9),
            rf"(?:{german}|{ten}0er)[\s-]Jahren?|(?:anni|années|años|jaren)\s+(?:{behind}|['’‘]?{ten}0)|{english}",
        )


_POSITIONS: Final = (  # early, mid and late share their bounds, and so do the three thirds
    ((0, 33), (r"early|begin(?:ning)?|Anfang|Beginn|früh\w*|début|inizi[oi]?|principios|comienzos|vroege?"
     r"|pocz\w*")),
    ((33, 66), r"mid(?:dle)?|mi-|Mitte|milieu|metà|mediados|midden|poł\w*"),
    ((66, 99), (r"later?|end|Ende|spät\w*|fin(?:e|ales|es|al)?|eind\w*|laatst|laat|koniec|końc\w*"
     r"|schył\w*|k\.")),
    ((-10, 10), r"turn|Wende"),
    *_decades(),
)  # fmt: skip
_RANK = "|".join(words for _, words in _RANKS)
_NOUN = "|".join(words for _, words in _NOUNS)
_POSITION = "|".join(words for _, words in _POSITIONS)
_LINK = r"[\s.,-]*(?:(?:of|the|des?|du|del|dell[ao]|van|het|der)\s+)*"

PART: Final = (
    rf"(?i:(?:{_POSITION})(?:(?:\s*-?\s+(?:to|or|bis)\s+|\s*[-/]\s*)(?:{_POSITION}))?"
    rf"|(?:{_RANK})(?:\s*[-/]\s*(?:{_RANK}))?[\s.-]*(?:{_NOUN}))(?i:{_LINK})"
)
"""A pattern of the words before a century, with what links them to it."""

_SHARE: Final = re.compile(
    rf"(?<!\w)(?i:(?P<rank>{_RANK})(?:\s*[-/]\s*(?P<rank2>{_RANK}))?[\s.-]*(?P<noun>{_NOUN})"
    rf"|(?P<position>{_POSITION}))"
)


def share(words: str) -> tuple[int, int]:
    """The first and the last hundredth of a century that some words leave; the turn begins before it.

    >>> share("second half of the"), share("2nd-3rd quarter"), share("early to mid"), share("dernier tiers")
    ((50, 99), (25, 74), (0, 66), (66, 99))
    >>> share("anni Venti"), share("20er Jahre des"), share("jaren '60 van de"), share("années soixante-dix")
    ((20, 29), (20, 29), (60, 69), (70, 79))
    >>> share("")
    (0, 99)
    """
    bounds = [_bounds(match) for match in _SHARE.finditer(words)]
    return (min(low for low, _ in bounds), max(high for _, high in bounds)) if bounds else (0, 99)


def _bounds(match: re.Match[str]) -> tuple[int, int]:
    if match["position"]:
        return _meant(match["position"], _POSITIONS)
    parts = _meant(match["noun"], _NOUNS)
    one = _meant(match["rank"], _RANKS) or parts
    two = (_meant(match["rank2"], _RANKS) or parts) if match["rank2"] else one
    if parts == 3:
        return 33 * (one - 1), 33 * two
    return 100 // parts * (one - 1), 100 // parts * two - 1


def _meant(word: str, table: tuple[tuple[_Meaning, str], ...]) -> _Meaning:
    return next(meaning for meaning, words in table if re.fullmatch(words, word, re.IGNORECASE))
