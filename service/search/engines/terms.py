"""The scores of a type as sums of terms: in single precision of every row, in double of a few."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np

from features.arrays import Bools, Doubles, Singles
from features.collection.collection import Values
from features.compiled import compiled
from features.measures.base import ROUNDING
from models.regressors.base import AdditiveRegressor, Polyline
from models.systems import NOT_BOTH, System
from models.types import SimilarityType
from service.search.engines.ranking import STEP
from service.search.queries import SEEDS

EPSILON: Final = float(np.finfo(np.float32).eps)

_BLOCK: Final = 512  # rows whose values stay in the nearest cache


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


@compiled
def cut(scores: Singles | Doubles, rows: Bools, most: float) -> None:
    """Give each row of a mask at most a score; a mask of numpy takes thirty times as long.

    >>> scores = np.array([1.0, 3.0, 3.0], np.float32)
    >>> cut(scores, np.array([True, True, False]), 2.0)
    >>> scores.tolist()
    [1.0, 2.0, 3.0]
    """
    for n in range(len(scores)):
        scores[n] = min(scores[n], most) if rows[n] else scores[n]


class CurveTerm(NamedTuple):
    """A term of a feature, as it is and as hinges: in double and in single precision."""

    feature: str
    line: Polyline
    hinges: Hinges

    @property
    def most(self) -> float:
        """What it adds at most.

        >>> line = Polyline(np.array([0.0, 1.0]), np.array([0.0, 2.0]), -1.0)
        >>> CurveTerm("tfidf", line, Hinges.of(line)).most
        2.0
        """
        return max(float(self.line.heights.max()), self.line.missing)


class CurveSum(NamedTuple):
    """What the scores of a type are made of: the base, and the terms of the features that move it.

    ``rounding``: how far a sum in single precision may be from that in double.
    """

    base: float
    terms: tuple[CurveTerm, ...]
    rounding: float

    @classmethod
    def of(cls, system: System, kind: SimilarityType) -> Self:
        """The sum of a type; raises ``TypeError`` for a system that is not additive."""
        at, additive = system.position(kind), system.additive
        if additive is None:
            raise TypeError("a system that is not additive has no terms")
        moving = np.flatnonzero(additive.active[:, at]).tolist()
        lines = {system.features[n]: additive.line(n, at) for n in moving}
        terms = tuple(CurveTerm(name, line, Hinges.of(line)) for name, line in lines.items())
        return cls(float(additive.base[at]), terms, _rounding(additive, at, moving))


def add_terms(terms: Sequence[CurveTerm], sums: Singles, values: Values) -> None:
    """Add some terms of the same rows to their sums, in single precision."""
    for term in terms:
        add(sums, np.asarray(values[term.feature], np.float32), *term.hinges)


def margin(rounding: float) -> float:
    """How far apart two scores may be that are not surely in this order: both rounded, or a tie."""
    return 2 * rounding + STEP


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
    return steepest * ROUNDING + highest * additions * EPSILON / 2


def limit(system: System, kind: SimilarityType, scores: Singles | Doubles, values: Values) -> None:
    """Cut the scores where not both items have anything of a type, and take away those where none has.

    A cut moves no two scores apart, so that those of a ``CurveSum`` stay within its ``rounding``.
    """
    if kind in system.both:
        cut(scores, system.one_sided(values[system.both[kind]]), NOT_BOTH)
    if kind in system.not_applicable:
        cut(scores, system.lacks(kind, values[system.not_applicable[kind]]), -np.inf)
