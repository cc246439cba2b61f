"""Maximal marginal relevance: neighbours that are alike to what was asked and not to each other.

After Carbonell and Goldstein (1998), "The use of MMR, diversity-based reranking for reordering documents
and producing summaries": the next neighbour is the one with the greatest
``lambda * relevance - (1 - lambda) * (its greatest similarity to a neighbour before it)``.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from features.arrays import Doubles, Rows
from features.collection.collection import Collection
from models.types import SCALE, SimilarityType
from service.search.engines.ranking import PLACES
from service.search.engines.scoring import Scorer

DEPTH: Final = 5  # so many times the limit are ranked anew
DEEPEST: Final = 200  # the most that are ranked anew


def pool(limit: int) -> int:
    """How many of the best are ranked anew for an answer of ``limit``.

    >>> pool(10), pool(100)
    (50, 200)
    """
    return min(DEPTH * limit, DEEPEST)


def diverse(relevance: Doubles, alike: Callable[[int], Doubles], limit: int, weight: float) -> list[int]:
    """The places of ``limit`` candidates in the order of marginal relevance.

    ``relevance`` is float64[n], best first; ``alike(place)`` gives the similarity of one candidate to all,
    float64[n]; ``weight`` is lambda. Ties go by place.

    >>> likeness = np.array([[1, 0.9, 0.2], [0.9, 1, 0.1], [0.2, 0.1, 1]])
    >>> diverse(np.array([0.9, 0.8, 0.4]), lambda place: likeness[place], 2, 0.5)  # the first two are alike
    [0, 2]
    >>> diverse(np.array([0.9, 0.8, 0.4]), lambda place: likeness[place], 2, 1.0)
    [0, 1]
    """
    chosen: list[int] = []
    nearest: Doubles = np.zeros(len(relevance))
    while len(chosen) < min(limit, len(relevance)):
        worth = np.round(weight * relevance - (1 - weight) * nearest, PLACES)
        worth[chosen] = -np.inf
        chosen.append(int(worth.argmax()))
        # nothing is compared for the last one
        if len(chosen) < limit:
            nearest = np.maximum(nearest, alike(chosen[-1]))
    return chosen


def likeness(collection: Collection, scorer: Scorer, kind: SimilarityType, row: int, others: Rows) -> Doubles:
    """How alike a row is to others in one way, float64[n]: the system's score as a part of 5."""
    raw = scorer.some(collection, collection.query(row), {kind: others})[kind]
    return np.asarray(np.clip(raw, *SCALE) / SCALE[1])
