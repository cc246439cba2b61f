"""How catalogues in the languages of Europe say that a date or a maker is not known.

Values are compared in lower case, without accents and marks: 'N.D.' and '(n. d.)' are both 'n d'.
"""

import re
from typing import Final

from features.text.names.cultures import is_culture
from features.text.names.parts import fold
from features.text.names.words import INSTITUTION, TRADES
from features.text.word_lists import word_list

_WORD: Final = re.compile(r"[^\W_]+")
_DATELESS, _UNNAMED, _NOBODIES, _BESIDE = (
    frozenset(map(fold, word_list(name))) for name in ("no date", "unknown maker", "nobody", "beside unknown")
)
_TRADE: Final = re.compile(rf"(?i:{TRADES})")
_NO_FORENAME: Final = frozenset({"unknown", "unidentified", "anonymous", "unattributed"})
_ARTICLE: Final = re.compile(r"(?i)\A\W*(?:(?:the|an?)\s+)?|\(s\)|\(in\)")
_NOT_KNOWN: Final = re.compile(
    r"(?i)\b(?:not|nicht|non|niet|no)\s+(?:known|recorded|bekannt|bekend|identifi\w+)"
)
_REMARK: Final = re.compile(r"(?<=\w)\s*[,(\[;:/]|\s[-–—]\s")


def says_no_date(text: str) -> bool:
    """Whether a date field says that no date is known, or holds neither a letter nor a digit but 0.

    >>> [says_no_date(text) for text in ("(undated)", "N.D.", "o. J.", "????", "0000-00-00", "Meiji period")]
    [True, True, True, True, True, False]
    """
    words = _WORD.findall(fold(text))
    return " ".join(words) in _DATELESS or all(not word.strip("0") for word in words)


def says_no_maker(text: str) -> bool:
    """Whether a value of a creator field, or a name in one, says that the maker is not known.

    Beside 'unknown' and its translations only a trade, a nation, or words in lower case may stand. What
    follows a comma or stands in brackets is a remark. Behind the English words a capitalised word is a
    people (unknown Baulé), unless the whole is an institution.

    >>> [says_no_maker(text) for text in ("unbekannter Künstler", "Anonymous (French)", "-")]
    [True, True, True]
    >>> [says_no_maker(text) for text in ("Unknown Warriors Studio", "Inconnu Jean", "Staff of Life")]
    [False, False, False]
    """
    words = _WORD.findall(fold(text))
    if not words or " ".join(words) in _NOBODIES:
        return True
    plain = _NOT_KNOWN.sub("unknown", _ARTICLE.sub("", text))
    head = _WORD.findall(_REMARK.split(plain)[0])
    return _names_nobody(_WORD.findall(plain)) or _names_nobody(head)


def _names_nobody(words: list[str]) -> bool:
    if not any(fold(word) in _UNNAMED for word in words):
        return False
    people = fold(words[0]) in _NO_FORENAME and not INSTITUTION.search(" ".join(words))
    return people or all(map(_describes, words))


def _describes(word: str) -> bool:
    """Whether a word beside 'unknown' is none of a name: a trade, a nation, a number or in lower case."""
    folded = fold(word)
    return (
        not word[0].isupper()
        or folded in _UNNAMED
        or folded in _BESIDE
        or _TRADE.fullmatch(folded) is not None
        or is_culture(word)
        or re.fullmatch("[IVX]+", word) is not None
    )
