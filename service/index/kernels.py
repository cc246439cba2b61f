"""The inner loop of search, compiled: add one feature's term to the sums of many items."""

import numpy as np
import numpy.typing as npt

from features.compiled import compiled
from models.types import Matrix

Sums = npt.NDArray[np.float64]

_BLOCK = 1024


@compiled
def add(sums: Sums, values: Matrix, knots: Matrix, heights: Matrix, missing: float) -> None:
    """``sums += term(values)``, for a term that is lines between knots and ``missing`` for NaN.

    The lines are taken as a sum of hinges ``c max(0, x - knot)``: without a branch and without looking
    a knot up, a processor takes several items at once.

    >>> sums, line = np.zeros(3), (np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    >>> add(sums, np.array([0.25, np.nan, 7.0]), *line, -1.0)
    >>> sums.tolist()  # .25 x 2; missing; level beyond the last knot
    [0.5, -1.0, 2.0]
    """
    first, beyond = knots[0], knots[-1]
    bends = np.diff(heights) / np.diff(knots)
    bends[1:] -= bends[:-1].copy()
    inside, found = np.empty(_BLOCK), np.empty(_BLOCK)
    for start in range(0, len(values), _BLOCK):
        size = min(_BLOCK, len(values) - start)
        block = values[start : start + size]
        for n in range(size):
            value = block[n]
            inside[n] = min(max(value, first), beyond) if value == value else first
            found[n] = heights[0]
        for k in range(len(bends)):
            bend, knot = bends[k], knots[k]
            for n in range(size):
                found[n] += bend * max(inside[n] - knot, 0.0)
        for n in range(size):
            sums[start + n] += found[n] if block[n] == block[n] else missing
