"""Evidence from words that are alike without being the same."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from features.arrays import Floats
from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence

_Term = TypeVar("_Term", bound=Hashable)

MOST = 5  # how many pairs of words are named at most


def matches(
    amounts: Floats, left: Mapping[_Term, Sequence[Occurrence]], right: Mapping[_Term, Sequence[Occurrence]]
) -> tuple[EvidencePair, ...]:
    """The strongest pairs of words, each word in one pair, with their shares among those named.

    ``amounts`` float[left, right] is what each pair of terms brings, in the order of the mappings.
    """
    rest = np.array(amounts, dtype=np.float64)
    lefts, rights = list(left.values()), list(right.values())
    pairs: list[EvidencePair] = []
    while rest.size and len(pairs) < MOST:
        row, column = divmod(int(rest.argmax()), len(rights))
        amount = float(rest[row, column])
        if amount <= 0:
            break
        pairs.append(EvidencePair(tuple(lefts[row]), tuple(rights[column]), amount))
        rest[row, :] = rest[:, column] = 0.0
    total = sum(pair.share for pair in pairs)
    return tuple(replace(pair, share=pair.share / total) for pair in pairs)


def weighted_matches(
    left: Mapping[_Term, Sequence[Occurrence]],
    left_weights: Mapping[_Term, float],
    right: Mapping[_Term, Sequence[Occurrence]],
    right_weights: Mapping[_Term, float],
) -> tuple[EvidencePair, ...]:
    """The strongest pairs of words by the smaller of their weights; a word with itself counts twice that."""
    if not (left and right):
        return ()
    amounts = np.minimum.outer([left_weights[term] for term in left], [right_weights[term] for term in right])
    same = np.array([[one == two for two in right] for one in left])
    return matches(np.where(same, 2 * amounts, amounts), left, right)
