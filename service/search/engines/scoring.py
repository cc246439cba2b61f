"""Scores of one item with all others: of every item in single precision, of the best in double.

A pass over the columns gives every item, or those that may be among the best, a score that is off by no more
than the rounding of single precision. Whatever may be among the best, by that much, is then scored again as
an answer shows it: so the search is exact, and what is shown, ranked and explained is one number.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, TypeVar

import numpy as np

from features.arrays import Doubles, Rows, Singles
from features.collection.collection import Collection, Costly, Query, Values
from models.systems import System
from models.types import SimilarityType
from service.search.engines.pruning import PrunedPass, Stage, Wanted, stages
from service.search.engines.terms import EPSILON, CurveSum, add_terms, follow, limit

_FURTHEST: Final = 64.0
"""How far from 0 a raw score of a system that is not additive may be: scores run from 0 to 5."""

_FEW: Final = 1000  # rows of a type up to which they are compared with those of other types
_CHUNK: Final = 4096  # items whose features are in memory at once where a system is not additive


class Scorer:
    """Raw scores by a system: before they are cut to the scale, minus infinity where a type does not apply.

    They are at most 2 where not both items have anything of a type (``both`` of the system).
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._sum, self._stages = lru_cache(partial(CurveSum.of, system)), lru_cache(self._stages_of)

    def every(
        self,
        collection: Collection,
        query: Query,
        types: Sequence[SimilarityType],
        rows: slice | None = None,
    ) -> Mapping[SimilarityType, Singles]:
        """The scores of each type of an item with every row, float32[rows], within ``rounding`` of their own.

        ``rows``: with these alone, which follow one another.
        Of a system that is not additive they are rounded and nothing more, and take long.
        """
        if self.system.additive is None:
            scores = self._by_chunks(collection, query, types, rows or slice(0, len(collection)))
        else:
            scores = collection.mapped(query, partial(self._sums, types), len(types), rows)
        return dict(zip(types, scores, strict=True))

    def best(
        self,
        collection: Collection,
        query: Query,
        kind: SimilarityType,
        wanted: Wanted,
        rows: slice | None = None,
    ) -> Singles:
        """The scores of a type, within ``rounding`` of their own as those of ``every`` are.

        Minus infinity for what is not eligible, or surely not among the best.
        """
        if self.system.additive is None:
            return self.every(collection, query, [kind], rows)[kind]
        own, costly = self._sum(kind), collection.costly
        pruned = PrunedPass(self.system, kind, own, self._stages(kind, tuple(costly.items())), wanted)
        scores: Singles = collection.mapped(query, pruned, 1, rows, wanted.eligible)[0]
        return scores

    def some(
        self, collection: Collection, query: Query, rows: Mapping[SimilarityType, Rows]
    ) -> Mapping[SimilarityType, Doubles]:
        """The scores of an item with some rows of each type: float64[rows].

        Few rows are compared together, whatever their types: most of the work is the same for one row and for
        a hundred.
        """
        few = [own for own in rows.values() if len(own) <= _FEW]
        together = np.unique(np.concatenate([np.empty(0, np.intp), *few]))
        values, scores = collection.values(query, together), {}
        for kind, own in rows.items():
            if len(own) <= _FEW:
                scores[kind] = self._exact(kind, values)[np.searchsorted(together, own)]
            else:
                scores[kind] = self._exact(kind, collection.values(query, own))
        return scores

    def _exact(self, kind: SimilarityType, values: Values) -> Doubles:
        """The scores of a type, float64[rows]."""
        system, additive = self.system, self.system.additive
        if additive is None:
            scores = system.raw_of(values.stacked(system.features), kind)
        else:
            at = system.position(kind)
            scores = np.full(values.rows, additive.base[at])
            for term in self._sum(kind).terms:
                follow(scores, np.asarray(values[term.feature], np.float64), *term.line)
        limit(self.system, kind, scores, values)
        return scores

    def rounding(self, kind: SimilarityType) -> float:
        """How far a score of ``every`` may be from that of ``some``."""
        return self._sum(kind).rounding if self.system.additive else EPSILON * _FURTHEST

    def _sums(self, types: Sequence[SimilarityType], values: Values) -> Singles:
        """The scores of some rows, float32[types, rows], as sums of terms."""
        every = np.empty((len(types), values.rows), np.float32)
        for kind, sums in zip(types, every, strict=True):
            own = self._sum(kind)
            sums[:] = own.base
            add_terms(own.terms, sums, values)
            limit(self.system, kind, sums, values)
        return every

    def _stages_of(self, kind: SimilarityType, costly: tuple[tuple[str, Costly], ...]) -> list[Stage]:
        return stages(self._sum(kind), dict(costly))

    def _by_chunks(
        self, collection: Collection, query: Query, types: Sequence[SimilarityType], rows: slice
    ) -> Singles:
        scores = np.empty((len(types), rows.stop - rows.start), np.float32)
        for start in range(rows.start, rows.stop, _CHUNK):
            chunk = np.arange(start, min(start + _CHUNK, rows.stop))
            values = collection.values(query, chunk)
            for kind, own in zip(types, scores, strict=True):
                own[chunk - rows.start] = self._exact(kind, values)
        return scores


_Raw = TypeVar("_Raw", Singles, Doubles)


def joined(shares: Sequence[float], raw: Sequence[_Raw]) -> _Raw:
    """The raw scores of all seeds as one; minus infinity where no seed that is wanted has any.

    >>> joined((0.5, 0.5), [np.array([4.0, 3.0, -np.inf]), np.array([2.0, -np.inf, -np.inf])]).tolist()
    [3.0, 1.5, -inf]
    """
    if len(raw) == 1:
        return raw[0]
    total, none = np.zeros_like(raw[0]), np.ones(raw[0].shape, dtype=bool)
    for share, scores in zip(shares, raw, strict=True):
        applies = scores > -np.inf
        total[applies] += share * scores[applies]
        if share > 0:
            none &= ~applies
    total[none] = -np.inf
    return total
