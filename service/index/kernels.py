"""The inner loop of search, compiled: add one feature's term to the sums of many items."""

import numpy as np
import numpy.typing as npt

from features.compiled import compiled
from models.types import Matrix

Sums = npt.NDArray[np.float64]

_PARTS = 128


@compiled
def add(sums: Sums, values: Matrix, knots: Matrix, heights: Matrix, missing: float) -> None:
    """``sums += term(values)``, for a term that is lines between knots and ``missing`` for NaN.

    >>> sums, line = np.zeros(3), (np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    >>> add(sums, np.array([0.25, np.nan, 7.0]), *line, -1.0)
    >>> sums.tolist()  # .25 x 2; missing; level beyond the last knot
    [0.5, -1.0, 2.0]
    """
    last = len(knots) - 1
    first, beyond = knots[0], knots[last]
    # most items share nothing in most features
    at_zero = heights[0] if first >= 0.0 else np.interp(0.0, knots, heights)
    # for each of some even parts of the range the last knot before it: a knot is found without halving
    before = np.zeros(_PARTS, np.int64)
    scale = _PARTS / (beyond - first)
    for part in range(1, _PARTS):
        before[part] = before[part - 1]
        while before[part] < last - 1 and knots[before[part] + 1] < first + part / scale:
            before[part] += 1
    slopes = np.diff(heights) / np.diff(knots)
    for n in range(len(values)):
        value = values[n]
        if value == 0.0:
            sums[n] += at_zero
        elif value != value:
            sums[n] += missing
        elif value <= first:
            sums[n] += heights[0]
        elif value >= beyond:
            sums[n] += heights[last]
        else:
            low = before[min(int((value - first) * scale), _PARTS - 1)]
            while low > 0 and knots[low] >= value:
                low -= 1
            while knots[low + 1] < value:
                low += 1
            sums[n] += heights[low] + (value - knots[low]) * slopes[low]
