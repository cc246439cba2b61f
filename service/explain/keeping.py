"""What a record says of its keeping, which no reason names: credit lines, and the names of its holder."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from features.measures.archive_places import TAG
from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.boilerplate import Spans, boilerplate_spans
from features.text.caches import text_cache
from features.text.names.parts import fold
from features.text.names.words import INSTITUTION
from features.text.notations import NOTATION
from ingest.record import Field, Record
from service.explain.phrases import opening

_KEEPING: Final = frozenset({Field.SOURCE, Field.DESCRIPTION, Field.TITLE, Field.SUBJECT})
"""Where a record may tell of its keeping."""

_FORM: Final = re.compile(
    r"(?is)\b(?:copyright\s+(?:owner|author|proprietor)|no\s+cop(?:y|ies)\s+of\s+(?:photograph|artwork|the\s+artwork)"
    r"|registration\s+stamp|form\s+completed)\b.*"
)
"""A form of registration, from where it begins in a title to its end."""

_SUBDIVISION: Final = re.compile(
    r"(?i)(?:^|--)\s*(?:early\s+works\s+to\s+\d{4}|sources|specimens|archives|texts|facsimiles|catalogs|periodicals"
    r"|dictionaries|manuscripts|history|\d{1,2}th\s+century|pictorial\s+works|handbooks,\s+manuals,\s+etc|social\s+life\s+and\s+customs|manners\s+and\s+customs"
    r"|description\s+and\s+travel)\.?\s*(?=--|$)|,\s*active\b[^-]*"
    r"|--\s*(?:(?:economic|social)\s+(?:aspects|conditions)|law\s+and\s+legislation|politics\s+and\s+government"
    r"|study\s+and\s+teaching|history\s+and\s+criticism|church\s+history|congresses"
    r"|biography|correspondence|diaries|anecdotes|bibliography|guidebooks|statistics|exhibitions|interviews"
    r"|maps|portraits|photographs|juvenile\s+literature|fiction|drama|poetry)"
    r"\.?\s*(?=--|$)"
)
"""A part of a subject that tells its form or aspect, or when a person was active."""

QUALIFIER: Final = re.compile(
    r"(?i)\((?:state|city|town|county|province|department|dept|region|island|country|borough|nation)\)"
)
"""What tells a place from its namesakes."""

_SENTENCE: Final = re.compile(r"(?:[^.;\n]|[.](?!\s|$))+[.;]?")
_LABELLED: Final = re.compile(
    r"(?i)\W*(?:conservée?s?|collecti(?:e|on|ons)|sammlung|standort|bewaarplaats|herkomst|verwerving|aanwinst|schenking"
    r"|arkivreferenser|bilden har förvarats i[^:]*|fondo|collezione|colección|former(?:ly)?\s+owners?|from"
    r"|origine)\s*:"
    r"|\W*(?i:formerly\s+owned\s+by|sold\s+(?:by|at|in|to)|(?:generously\s+)?sponsored\s+by|for\s+(?:more|further)\s+information)\b"
)
"""What begins a sentence that tells where an item is or how it came there, in seven languages."""

_GATHERED: Final = re.compile(
    r"\W*(?:The\s+)?(?:[^\W\d_a-z][\w.'’&-]*\s+(?:(?:and|of|the|de|van|von|&)\s+)*){1,8}"
    r"(?:Collection|Collectie|Sammlung)(?:\s+Gift)?\W*"
)
"""A sentence that is the name of a collection alone."""

_LONGEST: Final = 160  # letters of a sentence that the name of the holder makes one of keeping

_WORD: Final = re.compile(r"\w+")
_PIECES: Final = re.compile(r"\s*[,;:()|]\s*|\s+[-–—]\s+")
"""What stands between the parts of a holder's name: *Carnegie Museum of Art — Teenie Harris Archive*."""


def nameable(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair | None:
    """What of some evidence tells of the items, not of their keeping; None where a side has nothing else.

    The signs of a notation are no words.
    """
    if evidence.left and evidence.left[0].tag == NOTATION:
        return None
    if all(one.part not in _KEEPING for side in (evidence.left, evidence.right) for one in side):
        return evidence
    ours = tuple(one for one in evidence.left if not is_of_keeping(left, one))
    theirs = tuple(one for one in evidence.right if not is_of_keeping(right, one))
    return replace(evidence, left=ours, right=theirs) if ours and theirs else None


def is_of_keeping(record: Record, occurrence: Occurrence) -> bool:
    """Whether a word stands in the holder's name, a form of registration, a credit line or a subdivision.

    A credit line of a description is also what names the holder (*Posada Prints Collection. Amon Carter
    Museum, Fort Worth, Texas*), or has a label that says so (*Conservé : Musée du Louvre*).
    """
    if occurrence.part == Field.SOURCE:
        # where the place of an archive counts, its name stands for what it holds
        return occurrence.tag != TAG
    text = opening(record, occurrence)
    if occurrence.part == Field.SUBJECT:
        parts = chain(_SUBDIVISION.finditer(text), QUALIFIER.finditer(text))
        return any(part.start() <= occurrence.start < part.end() for part in parts)
    if occurrence.part == Field.TITLE:
        form = _FORM.search(text)
        return form is not None and form.start() <= occurrence.start
    if occurrence.part != Field.DESCRIPTION:
        return False
    lines = _credit_lines(text, tuple(_pieces(record)))
    return any(start <= occurrence.start < end for start, end in lines)


@text_cache(512, longest=100_000)  # asked of every word of a description, which may be long
def _credit_lines(text: str, holders: tuple[str, ...]) -> Spans:
    houses = [_joined(piece) for piece in holders if " " in piece and INSTITUTION.search(piece)]
    return boilerplate_spans(text) + tuple(
        sentence.span() for sentence in _SENTENCE.finditer(text) if _is_credit(sentence[0], houses)
    )


def _is_credit(sentence: str, houses: Sequence[str]) -> bool:
    if _LABELLED.match(sentence) or _GATHERED.fullmatch(sentence):
        return True
    if len(sentence) > _LONGEST:
        return False
    words = f" {_joined(sentence)} "
    return any(f" {one} " in words for one in houses)


def _pieces(record: Record) -> list[str]:
    """The parts of the holder's names."""
    names = (record.provider or "", *(value.text for value in record.source))
    return [piece for name in names for piece in _divided(name)]


@text_cache(1024, longest=1000)  # asked of every word, too
def _divided(name: str) -> tuple[str, ...]:
    return tuple(piece for piece in _PIECES.split(name) if piece)


def names_holder(phrase: str, *records: Record) -> bool:
    """Whether a phrase is the name of a holder, a part of it between commas, or several words of it.

    >>> harris = Record(id="a", provider="Carnegie Museum of Art — Teenie Harris Archive")
    >>> [names_holder(one, harris) for one in ("Museum of Art", "Teenie Harris Archive", "Harris", "of Art")]
    [True, True, False, True]
    """
    own = _joined(phrase)
    holders = (_joined(piece) for record in records for piece in _pieces(record))
    return any(own == one or (" " in own and f" {own} " in f" {one} ") for one in holders if one)


@text_cache(4096, longest=1000)
def _joined(text: str) -> str:
    """The words of a text without case and accents, with a blank between them."""
    return " ".join(_WORD.findall(fold(text)))
