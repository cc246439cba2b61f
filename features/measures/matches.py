"""Evidence from words: those that both sides have, and those that are alike without being the same."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from features.arrays import Floats
from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence

MOST = 5
"""How many pairs of words are named at most."""


_Term = TypeVar("_Term", bound=Hashable)


def shared_terms(
    amounts: Mapping[_Term, float],
    left: Mapping[_Term, Sequence[Occurrence]],
    right: Mapping[_Term, Sequence[Occurrence]],
) -> tuple[EvidencePair, ...]:
    """The terms that both sides have, each with its share of all the ``amounts``, the largest first."""
    total = sum(amounts.values())
    found = [
        EvidencePair(tuple(left[term]), tuple(right[term]), amount / total)
        for term, amount in amounts.items()
    ]
    return tuple(sorted(found, key=lambda evidence: (-evidence.share, evidence.left[0].term)))


def matches(
    amounts: Floats,
    left: Mapping[_Term, Sequence[Occurrence]],
    right: Mapping[_Term, Sequence[Occurrence]],
) -> tuple[EvidencePair, ...]:
    """The strongest pairs of words, each word in one pair, with their shares among those named.

    ``amounts`` float[left, right] says what each pair of terms brings, in the order of the
    mappings. The strongest pair is taken first, then the strongest of what is left.
    """
    rest = np.array(amounts, dtype=np.float64)
    ours, theirs = list(left), list(right)
    found: list[tuple[_Term, _Term, float]] = []
    while rest.size and len(found) < MOST:
        row, at = divmod(int(rest.argmax()), len(theirs))
        amount = float(rest[row, at])
        if amount <= 0:
            break
        found.append((ours[row], theirs[at], amount))
        rest[row, :] = rest[:, at] = 0.0
    total = sum(amount for _, _, amount in found)
    return tuple(EvidencePair(tuple(left[a]), tuple(right[b]), amount / total) for a, b, amount in found)
