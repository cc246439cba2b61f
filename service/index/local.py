"""The embedded index: exact, by evaluating the features of one item against every other."""

import numpy as np
import numpy.typing as npt

from features.collection import Collection
from features.measures.base import Scores
from models.systems import Matrix, System
from models.types import SCALE, TYPES, SimilarityType

_PLACES = 9
"""Decimals at which scores are told apart: sums of the same terms in another order are ties."""


class LocalIndex:
    """Exact neighbours of an item: every other item is scored.

    An item is no neighbour in a type of which neither it nor the item asked about has anything.
    """

    def __init__(self, collection: Collection, system: System) -> None:
        self._collection = collection
        self._system = system

    def nearest(self, row: int, kind: SimilarityType, limit: int) -> list[int]:
        """The rows of the ``limit`` items most similar to ``row``, best first, ties by id.

        Ranks by the score before clipping, so that many items at 5 still have an order. Leaves
        out the item and its exact duplicates; gives fewer where the collection has no more.
        """
        return self._best(self._scores(row, kind), row, limit)

    def nearest_of_each(self, row: int, limit: int) -> dict[SimilarityType, list[int]]:
        """As ``nearest``, for all eight types at the price of one."""
        scores = self._all(row)
        return {kind: self._best(scores[:, kind.position], row, limit) for kind in TYPES}

    def motivated(self, row: int, limit: int) -> list[tuple[int, SimilarityType]]:
        """Rows that stand out in some type, each with the type in which it stands out most.

        An item stands out by its score (as a part of 5) times the information, in decimal digits,
        of how few items of the collection score as high: being one of three in a hundred thousand
        by the same place says more than being one of fifty thousand by the same author.
        """
        raw = self._all(row)
        pool = sorted({found for kind in TYPES for found in self._best(raw[:, kind.position], row, limit)})
        strength = np.stack([self._standing_out(raw[:, n], pool) for n in range(len(TYPES))], axis=1)
        if not pool:
            return []
        best = strength.max(axis=1)
        order = sorted(range(len(pool)), key=lambda n: (-best[n], pool[n]))[:limit]
        return [(pool[n], TYPES[int(strength[n].argmax())]) for n in order]

    def _standing_out(self, raw: Scores, pool: list[int]) -> Scores:
        ordered = np.sort(np.round(raw, _PLACES))
        mine = np.round(raw[pool], _PLACES)
        as_high = len(ordered) - np.searchsorted(ordered, mine, side="left")
        return np.clip(mine, *SCALE) / SCALE[1] * np.log10((len(ordered) + 1) / as_high)

    def _scores(self, row: int, kind: SimilarityType) -> Scores:
        """Raw scores of one type with every row; of an additive system only what moves it is compared."""
        additive, at = self._system.additive, kind.position
        if additive is None:
            return self._all(row)[:, at]
        names = self._system.features
        heard = np.flatnonzero(additive.hears[:, at]).tolist()
        asked = [names[n] for n in heard] + [one for of, one in self._system.nothing.items() if of == kind]
        # asked together, so that what several features are made of is compared once
        values = self._collection.compare(self._collection.profile(row), asked)
        scores: Scores = np.full(len(self._collection), additive.base[at])
        for n in heard:
            scores += additive.term(n, values[names[n]], slice(at, at + 1))[:, 0]
        if kind in self._system.nothing:
            scores[values[self._system.nothing[kind]] == 0] = -np.inf
        return scores

    def _all(self, row: int) -> Matrix:
        """Raw scores of all types with every row; minus infinity where there is nothing of a type."""
        columns = self._collection.compare(self._collection.profile(row), self._system.features)
        values = np.stack([columns[name] for name in self._system.features], axis=1)
        return np.where(self._system.silent(values), -np.inf, self._system.raw(values))

    def _best(self, scores: Scores, row: int, limit: int) -> list[int]:
        ranked = np.round(scores, _PLACES)
        twins = self._collection.duplicates
        ranked[twins == twins[row]] = -np.inf
        limit = min(limit, int(np.count_nonzero(ranked > -np.inf)))
        if not limit:
            return []
        # every row that ties with the last place is a candidate for it
        bound = np.partition(ranked, len(ranked) - limit)[len(ranked) - limit]
        rows: npt.NDArray[np.intp] = np.flatnonzero(ranked >= bound)
        # rows are in id order, so a stable sort by score settles ties by id
        return [int(n) for n in rows[np.argsort(-ranked[rows], kind="stable")][:limit]]
