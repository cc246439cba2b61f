"""Which words tell anything when they stand alone, and which evidence does."""

import re
from typing import Final

from features.measures.base import EvidencePair
from features.profiles.profile import PLACES
from features.text.caches import text_cache
from features.text.names.placeholders import says_no_maker
from features.text.names.words import PARTICLES as PARTICLES_OF_NAMES
from features.text.word_lists import word_list
from ingest.record import Field

_FUNCTION_WORDS = """
a about across after again against all along alongside also although always am among an and any are around
as at be because been before behind being beneath beside between beyond both but by can could did do does down
done during each either even ever every everything for from had has have he her hers him his how however i
if in inside into is it its itself me more most much my neither never no nor not nothing of off often on
once one only onto or other others our out outside over per perhaps possibly probably quite rather same she
should so some something somewhat such than that the their them then there these they this those though
through thus to together too toward towards two under underneath until up upon usually very via was we were
what when where whether which while who whom whose why with within without would yet you your 's
"""
_LIGHT_VERBS = """
became become becomes becoming began begin begins begun came come comes coming gave get gets getting give
given gives giving go goes going gone got include included includes including keep keeping keeps kept known
made make makes making said saw say saying says see seeing seen sees show showed showing shown shows take
taken takes taking took use used uses using wear wearing wears went worn
"""
_OF_RECORDS = """
added blank blz born ca circa cm co copyright corner date dated entitled fol folio individuals inscribed
inscription inscriptions inv left lower mm page pages recto right series sheet sheets signature signed
surname title titled unidentified unknown untitled upper verso
"""
_BEFORE_NAMES = "são el il lo los las au aux et und y een san sant santa santo st ste sir mr mrs ms dr messrs"

# ten is a number first
PARTICLES: Final = (PARTICLES_OF_NAMES | frozenset(_BEFORE_NAMES.split())) - {"ten"}
"""Words that a name may begin with and that are no name alone: van, de, San."""

SMALL: Final = PARTICLES | frozenset(
    (*f"{_FUNCTION_WORDS} {_LIGHT_VERBS} {_OF_RECORDS}".split(), *word_list("small word in other languages"))
)
"""Words that a sentence does not name as what two items share."""

_NOT_ALONE: Final = word_list("not alone")
"""Words of direction and place in a picture, which stay at the ends of a phrase."""

_OBJECTS: Final = word_list("kind of object")
"""Words for what an item is, is made of or was published as, and for its parts, in seven languages."""

_INDEXED: Final = frozenset({Field.TITLE, Field.SUBJECT, PLACES})

_REMEMBERED: Final = 1 << 14  # words of which it is remembered whether they are small
_NUMERAL: Final = re.compile(r"[a-z]|x{0,3}(?:ix|iv|v?i{0,3})")  # a letter, a Roman numeral, or nothing
_YEARS: Final = re.compile(r"(?:1\d|20)\d\d(?:s|[-–/](?:1\d|20)?\d\d)?|\d{1,2}(?:st|nd|rd|th)")
_SPAN: Final = re.compile(r"((?:1\d|20)\d\d)[-–/]((?:1\d|20)\d\d)")
_ABBREVIATION: Final = re.compile(r"(?:[A-Z]\.){2,}")  # N.Y., behind the name of a place in a heading
_SHORT_SPAN: Final = 12  # years
_SHELF_MARK: Final = re.compile(r"(?=.*\d)(?:.*[^\W\d_].*|.*\d[./]\d.*|.*\d{5}.*)")
"""A digit with a letter, or with a point between two digits, or five digits: D12345, 1997.0.14."""


def is_small(word: str) -> bool:
    """Whether a word alone tells nothing: an article, a particle, an initial, a number, 'unknown', 'verso'.

    So does a span of more years than a war has, which is somebody's life.

    >>> words = ("of", "Van", "III", "J.", "unbekannt", "Gogh", "1840", "17", "D12345", "verso", "[Blank]")
    >>> [word for word in (*words, "1914-1918", "1901-1966") if not is_small(word)]
    ['Gogh', '1840', '1914-1918']
    """
    bare = _bare(word)
    if (
        is_small_term(word)
        or _ABBREVIATION.fullmatch(word)
        or (any(map(str.isdigit, bare)) and _YEARS.fullmatch(bare) is None)
    ):
        return True
    span = _SPAN.fullmatch(bare)
    return span is not None and int(span[2]) - int(span[1]) > _SHORT_SPAN


@text_cache(_REMEMBERED)
def is_small_term(word: str) -> bool:
    """The same of a word of a term, which may be the number of a synset or an address.

    >>> is_small_term("verso"), is_small_term("10084295-n")
    (True, False)
    """
    bare = _bare(word)
    if not {word.casefold(), bare}.isdisjoint(SMALL | _NOT_ALONE) or _NUMERAL.fullmatch(bare) is not None:
        return True
    return says_no_maker(word)


def ends_no_phrase(word: str) -> bool:
    """Whether a phrase does not end in a word: in a small one, or in a shelf mark, as a number may.

    >>> [word for word in ("of", "D12345", "1997.0.14", "11", "Gogh") if ends_no_phrase(word)]
    ['of', 'D12345', '1997.0.14']
    """
    bare = _bare(word)
    # what is left of 19e siècle
    letter = len(bare) == 1 and word[:1].islower()
    return letter or word.casefold() in SMALL or bare in SMALL or is_shelf_mark(word)


def is_year(phrase: str) -> bool:
    """Whether a phrase is a year, a stretch of years or the number of a century alone.

    >>> [phrase for phrase in ("1886", "1914-1918", "1840s", "20th", "1886 ball") if is_year(phrase)]
    ['1886', '1914-1918', '1840s', '20th']
    """
    return _YEARS.fullmatch(_bare(phrase)) is not None


def is_of_object(phrase: str) -> bool:
    """Whether a phrase says nothing but what kind of object an item is, or what it is made of.

    >>> [one for one in ("ink on paper", "photographs", "Zeichnung", "book of hours") if is_of_object(one)]
    ['ink on paper', 'photographs', 'Zeichnung']
    """
    words = [_bare(word) for word in phrase.split() if not is_small(word)]
    return all(not {word, word.removesuffix("s")}.isdisjoint(_OBJECTS) for word in words)


def is_shelf_mark(word: str) -> bool:
    """Whether a word is a shelf mark, not a year.

    >>> [word for word in ("W.653", "1997.0.14", "1840s", "Qur'an") if is_shelf_mark(word)]
    ['W.653', '1997.0.14']
    """
    bare = _bare(word)
    return _SHELF_MARK.fullmatch(bare) is not None and _YEARS.fullmatch(bare) is None


def _bare(word: str) -> str:
    return word.casefold().strip(".,;:()[]'’\"?")


def is_salient(evidence: EvidencePair) -> bool:
    """Whether evidence rests on more than small words, on both sides.

    Of a text that is compared as a whole the term is all its words.
    """
    return all(
        any(not is_small_term(word) for occurrence in side for word in occurrence.term.split())
        for side in (evidence.left, evidence.right)
    )


def prominence(evidence: EvidencePair) -> float:
    """How surely a shared word says what two items are about, by where it stands.

    Most in both titles, then in the subjects or places; in descriptions it may be what they are made of: 0.
    """
    parts = [{one.part for one in side} & _INDEXED for side in (evidence.left, evidence.right)]
    if all(Field.TITLE in side for side in parts):
        return 4.0
    return 2.0 if all(parts) else 1.0 if any(parts) else 0.0
