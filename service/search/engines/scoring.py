"""Scores of one item with all others: of every item in single precision, of the best in double.

One plain pass over the columns gives every item a score that is off by no more than the rounding of
single precision. Whatever may be among the best, by that much, is then scored again as an answer shows it:
so the search is exact, and what is shown, ranked and explained is one number.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple, Self, TypeVar

import numpy as np

from features.arrays import Doubles, Rows, Singles
from features.collection.collection import Collection, Query, Values
from features.compiled import compiled
from features.measures.base import ROUNDING
from models.regressors.base import AdditiveRegressor, Polyline
from models.systems import NOT_BOTH, System
from models.types import SimilarityType
from service.search.queries import SEEDS

_EPSILON: Final = float(np.finfo(np.float32).eps)

_FURTHEST: Final = 64.0
"""How far from 0 a raw score of a system that is not additive may be: scores run from 0 to 5."""

_FEW: Final = 1000  # rows of a type up to which they are compared with those of other types
_CHUNK: Final = 4096  # items whose features are in memory at once where a system is not additive


_BLOCK = 512


class Hinges(NamedTuple):
    """A term as ``start + sum(bends * max(0, value - knots))``, in single precision; ``missing`` for NaN.

    Without a branch, and without looking a knot up, a processor takes many items at once. Beyond the last
    knot the term goes on level: the last bend takes the slope away.

    >>> term = Hinges.of(Polyline(np.array([0.0, 1.0]), np.array([0.0, 2.0]), -1.0))
    >>> term.bends.tolist(), term.knots.tolist()
    ([2.0, -2.0], [0.0, 1.0])
    """

    knots: Singles
    bends: Singles
    start: np.float32
    missing: np.float32

    @classmethod
    def of(cls, line: Polyline) -> Self:
        """The hinges of lines between knots."""
        slopes: Doubles = np.diff(line.heights) / np.diff(line.knots)
        bends = np.diff(slopes, prepend=0.0, append=0.0)
        return cls(
            line.knots.astype(np.float32),
            bends.astype(np.float32),
            np.float32(line.heights[0]),
            np.float32(line.missing),
        )


@compiled
def add(
    sums: Singles, values: Singles, knots: Singles, bends: Singles, start: np.float32, missing: np.float32
) -> None:
    """``sums += term(values)``, the term given as ``Hinges``.

    >>> sums = np.zeros(3, np.float32)
    >>> term = Hinges.of(Polyline(np.array([0.0, 1.0]), np.array([0.0, 2.0]), -1.0))
    >>> add(sums, np.array([0.25, np.nan, 7.0], np.float32), *term)
    >>> sums.tolist()  # .25 x 2; missing; level beyond the last knot
    [0.5, -1.0, 2.0]
    """
    none = np.float32(0.0)
    for at in range(0, len(values), _BLOCK):
        own, total = values[at : at + _BLOCK], sums[at : at + _BLOCK]
        for n in range(len(own)):
            total[n] += start if own[n] == own[n] else missing
        for k in range(len(knots)):
            knot, bend = knots[k], bends[k]
            for n in range(len(own)):
                beyond = own[n] - knot
                # of NaN nothing is greater
                total[n] += bend * (beyond if beyond > none else none)


@compiled
def follow(sums: Doubles, values: Doubles, knots: Doubles, heights: Doubles, missing: float) -> None:
    """``sums += term(values)`` in double precision, the term given as a ``Polyline``.

    >>> sums = np.zeros(3)
    >>> follow(sums, np.array([0.25, np.nan, 7.0]), np.array([0.0, 1.0]), np.array([0.0, 2.0]), -1.0)
    >>> sums.tolist()
    [0.5, -1.0, 2.0]
    """
    last = len(knots) - 1
    for n in range(len(values)):
        value = values[n]
        if value != value:
            sums[n] += missing
            continue
        right = 1
        while right < last and knots[right] < value:
            right += 1
        part = min(max((value - knots[right - 1]) / (knots[right] - knots[right - 1]), 0.0), 1.0)
        sums[n] += heights[right - 1] * (1.0 - part) + heights[right] * part


class Scorer:
    """Raw scores by a system: before they are cut to the scale, minus infinity where a type does not apply.

    They are at most 2 where not both items have anything of a type (``both`` of the system).
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._sum = lru_cache(self._sum_of)

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
            for name, line, _ in self._sum(kind).terms:
                follow(scores, np.asarray(values[name], np.float64), *line)
        self._limit(kind, scores, values)
        return scores

    def rounding(self, kind: SimilarityType) -> float:
        """How far a score of ``every`` may be from that of ``some``."""
        return self._sum(kind).rounding if self.system.additive else _EPSILON * _FURTHEST

    def _sums(self, types: Sequence[SimilarityType], values: Values) -> Singles:
        """The scores of some rows, float32[types, rows], as sums of terms."""
        every = np.empty((len(types), values.rows), np.float32)
        for kind, sums in zip(types, every, strict=True):
            own = self._sum(kind)
            sums[:] = own.base
            for name, _, hinges in own.terms:
                add(sums, np.asarray(values[name], np.float32), *hinges)
            self._limit(kind, sums, values)
        return every

    def _limit(self, kind: SimilarityType, scores: Singles | Doubles, values: Values) -> None:
        """Cut the scores where not both items have anything of a type, and take away those where none has.

        A cut moves no two scores apart, so that those of ``every`` stay within ``rounding``.
        """
        system = self.system
        if kind in system.both:
            one_sided = system.one_sided(values[system.both[kind]])
            np.minimum(scores, NOT_BOTH, out=scores, where=one_sided)
        if kind in system.not_applicable:
            scores[system.lacks(kind, values[system.not_applicable[kind]])] = -np.inf

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

    def _sum_of(self, kind: SimilarityType) -> "_Sum":
        at, additive = self.system.position(kind), self.system.additive
        if additive is None:
            raise TypeError("a system that is not additive has no terms")
        moving = np.flatnonzero(additive.active[:, at]).tolist()
        lines = {self.system.features[n]: additive.line(n, at) for n in moving}
        terms = tuple((name, line, Hinges.of(line)) for name, line in lines.items())
        return _Sum(float(additive.base[at]), terms, _rounding(additive, at, moving))


class _Sum(NamedTuple):
    """What the scores of a type are made of: the base, and the terms of the features that move it.

    Each term is there as it is and as hinges, in double and in single precision.
    """

    base: float
    terms: tuple[tuple[str, Polyline, Hinges], ...]
    rounding: float


def _rounding(additive: AdditiveRegressor, at: int, features: Sequence[int]) -> float:
    """How far a sum in single precision may be off at most: by the values, and by what adding up loses.

    Each addition loses half a unit in the last place of what it comes to.
    """
    steepest, highest, additions = 0.0, abs(float(additive.base[at])), 2 * SEEDS
    for n in features:
        line = additive.line(n, at)
        slopes = np.diff(line.heights) / np.diff(line.knots)
        steepest += float(np.abs(slopes).max())
        # the hinges of a term may add up to more than the term
        bends = float(np.abs(np.diff(slopes, prepend=0.0, append=0.0)).sum())
        highest += float(np.abs(line.heights).max()) + bends + abs(line.missing)
        additions += len(line.knots) + 1
    return steepest * ROUNDING + highest * additions * _EPSILON / 2


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
