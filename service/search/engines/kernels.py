"""The inner loops of search, compiled: add one feature's term to the sums of many items."""

from typing import NamedTuple, Self

import numpy as np

from features.arrays import Doubles, Singles
from features.compiled import compiled
from models.regressors.base import Polyline

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
        own, found = values[at : at + _BLOCK], sums[at : at + _BLOCK]
        for n in range(len(own)):
            found[n] += start if own[n] == own[n] else missing
        for k in range(len(knots)):
            knot, bend = knots[k], bends[k]
            for n in range(len(own)):
                beyond = own[n] - knot
                # of NaN nothing is greater
                found[n] += bend * (beyond if beyond > none else none)


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
