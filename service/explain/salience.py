"""Which words tell anything when they stand alone, and which evidence does."""

import re
from typing import Final

from features.measures.base import EvidencePair
from features.text.names.placeholders import says_no_maker
from features.text.names.words import PARTICLES as PARTICLES_OF_NAMES
from features.text.text_cache import text_cache

_FUNCTION_WORDS = """
a about across after again against all along alongside also although always am among an and any are around
as at be because been before behind being beneath beside between beyond both but by can could did do does
done during each either even ever every everything for from had has have he her hers him his how however i
if in inside into is it its itself me more most much my neither never no nor not nothing of off often on
once one only onto or other others our out outside over per perhaps quite rather same she should so some
something somewhat such than that the their them then there these they this those though through thus to
together too toward towards two under underneath until up upon usually very via was we were what when where
whether which while who whom whose why with within without would yet you your 's
"""
_LIGHT_VERBS = """
became become becomes becoming began begin begins begun came come comes coming gave get gets getting give
given gives giving go goes going gone got include included includes including keep keeping keeps kept known
made make makes making said saw say saying says see seeing seen sees show showed showing shown shows take
taken takes taking took use used uses using went
"""
_BEFORE_NAMES = "el il lo los las au aux et und y een san sant santa santo st ste sir mr mrs ms dr messrs"

# ten is a number first
PARTICLES: Final = (PARTICLES_OF_NAMES | frozenset(_BEFORE_NAMES.split())) - {"ten"}
"""Words that a name may begin with and that are no name alone: van, de, San."""

SMALL: Final = PARTICLES | frozenset(f"{_FUNCTION_WORDS} {_LIGHT_VERBS}".split())
"""Words that a sentence does not name as what two items share."""

_REMEMBERED: Final = 1 << 14  # words of which it is remembered whether they are small
_NUMERAL: Final = re.compile(r"[a-z]|x{0,3}(?:ix|iv|v?i{0,3})")  # a letter, a Roman numeral, or nothing


@text_cache(_REMEMBERED)
def is_small(word: str) -> bool:
    """Whether a word alone tells nothing: an article, a particle, an initial, a Roman numeral, 'unknown'.

    >>> [word for word in ("of", "Van", "III", "J.", "unbekannt", "Gogh", "1840") if not is_small(word)]
    ['Gogh', '1840']
    """
    bare = word.casefold().strip(".,;:()[]'’\"")
    if word.casefold() in SMALL or bare in SMALL or _NUMERAL.fullmatch(bare) is not None:
        return True
    return says_no_maker(word)


def is_salient(evidence: EvidencePair) -> bool:
    """Whether evidence rests on more than small words, on both sides.

    Of a text that is compared as a whole the term is all its words.
    """
    return all(
        any(not is_small(word) for occurrence in side for word in occurrence.term.split())
        for side in (evidence.left, evidence.right)
    )
