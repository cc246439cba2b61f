"""What stands beside a maker's name: another name in brackets, and the nation.

>>> [found.key for found in nations("Calder, American (born Philadelphia)", 0, 6, 36)]
['american']
>>> other_names("Kunisada (Toyokuni III)", 0, 23), other_names("Smith (Sicilian, 1790-1850)", 0, 27)
(((10, 22),), ())
"""

import re
from typing import Final

from features.text.names import words as w
from features.text.names.cultures import Culture, cultures_in, only_cultures
from features.text.names.parts import count_words, fold, trim

_BRACKETS: Final = re.compile(r"\(([^()]*)")
_BEHIND: Final = re.compile(r",([^,()]*)")
_CALLED: Final = re.compile(
    r"(?i:\s*(?:(?:(?:also|formerly|better|later) )?(?:called|known as|named)|alias|dite?|detto|genannt"
    r"|née?|born|formerly|or|real name|i\.e\.)\b[ :]*)?"
)
_ALIAS: Final = re.compile(r"(?:[^\W\d_a-z][\w'’.-]*|[a-z]{1,3}|dell[ae]|\s)+")
_NO_ALIAS: Final = re.compile(rf"(?:[IVX]+|(?i:{w.TRADES}))s?\Z|(?i:now|with|after|by|of|in|on)\b")
_FORENAMES: Final = frozenset({"roman", "german", "norman"})
"""Cultures that are forenames too: behind one word and a comma they are read as these."""


def nations(text: str, start: int, end: int, beyond: int) -> tuple[Culture, ...]:
    """The cultures of the name ``text[start:end]``, with their offsets in the text.

    Brackets up to ``beyond`` name them, or they stand alone between commas behind the name.
    """
    read = ((_BRACKETS, cultures_in, start), (_BEHIND, only_cultures, end))
    return tuple(
        Culture(found.key, found.start + span.start(1), found.end + span.start(1))
        for pattern, cultures, first in read
        for span in pattern.finditer(text, first, beyond)
        for found in cultures(span[1])
    )


def without_nation(text: str, start: int, end: int) -> int:
    """Where a name ends that a nation follows behind a comma: ``Calder, American``.

    >>> without_nation("Monet, Claude, French", 0, 21), without_nation("Polanski, Roman", 0, 15)
    (13, 15)
    """
    comma = text.rfind(",", start, end)
    if comma < 0 or not only_cultures(text[comma:end]):
        return end
    forename = count_words(text, (start, comma)) < 2 and fold(text[comma + 1 : end].strip()) in _FORENAMES
    return end if forename else trim(text, start, comma)[1]


def other_names(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where brackets hold another name of the same maker: capitalised words, no remark, trade or nation."""
    found = []
    for bracket in _BRACKETS.finditer(text, start, end):
        lead = _CALLED.match(text, bracket.start(1), bracket.end(1))
        span = trim(text, lead.end() if lead else bracket.start(1), bracket.end(1))
        content = text[slice(*span)]
        if _ALIAS.fullmatch(content) and not _is_remark(content):
            found.append(span)
    return tuple(found)


def _is_remark(content: str) -> bool:
    return (
        not content[:1].isupper()
        or _NO_ALIAS.match(content) is not None
        or w.PLACES.match(content) is not None
        or w.INSTITUTION.search(content) is not None
        or bool(cultures_in(content))
    )
