"""What a record says of its keeping, which no reason names: credit lines, and the names of its holder."""

import re
from dataclasses import replace
from typing import Final

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from features.text.boilerplate import Spans, boilerplate_spans
from features.text.names.parts import fold
from features.text.text_cache import text_cache
from ingest.record import Field, Record
from service.explain.phrases import opening

_KEEPING: Final = frozenset({Field.SOURCE, Field.DESCRIPTION})
"""Where a record may tell of its keeping."""

_WORD: Final = re.compile(r"\w+")
_PIECES: Final = re.compile(r"\s*[,;:()|]\s*|\s+[-–—]\s+")
"""What stands between the parts of a holder's name: *Carnegie Museum of Art — Teenie Harris Archive*."""


def nameable(evidence: EvidencePair, left: Record, right: Record) -> EvidencePair | None:
    """What of some evidence tells of the items, not of their keeping; None where a side has nothing else."""
    if all(one.part not in _KEEPING for side in (evidence.left, evidence.right) for one in side):
        return evidence
    ours = tuple(one for one in evidence.left if not is_of_keeping(left, one))
    theirs = tuple(one for one in evidence.right if not is_of_keeping(right, one))
    return replace(evidence, left=ours, right=theirs) if ours and theirs else None


def is_of_keeping(record: Record, occurrence: Occurrence) -> bool:
    """Whether a word stands in the name of the holder or in a credit line of a description."""
    if occurrence.part == Field.SOURCE:
        return True
    if occurrence.part != Field.DESCRIPTION:
        return False
    spans = _credit_lines(opening(record, occurrence))
    return any(start <= occurrence.start < end for start, end in spans)


@text_cache(64, longest=100_000)  # asked of every word of a description, which may be long
def _credit_lines(text: str) -> Spans:
    return boilerplate_spans(text)


def names_holder(phrase: str, *records: Record) -> bool:
    """Whether a phrase is the name of a holder, a part of it between commas, or several words of it.

    >>> harris = Record(id="a", provider="Carnegie Museum of Art — Teenie Harris Archive")
    >>> [names_holder(one, harris) for one in ("Museum of Art", "Teenie Harris Archive", "Harris", "of Art")]
    [True, True, False, True]
    """
    own = _words(phrase)
    holders = [text for one in records for text in (one.provider, *(value.text for value in one.source))]
    return any(
        own == words or (len(own) > 1 and f" {' '.join(own)} " in f" {' '.join(words)} ")
        for holder in holders
        if holder
        for words in map(_words, _PIECES.split(holder))
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))
