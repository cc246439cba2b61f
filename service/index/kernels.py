"""The inner loop of search, compiled: add one feature's term to the sums of many items."""

from collections.abc import Callable
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt
from numba import njit

from models.types import Matrix

_Function = TypeVar("_Function", bound=Callable[..., object])

Sums = npt.NDArray[np.float64]

# without the interpreter's lock: a service answers meanwhile
_jit = njit(cache=True, nogil=True)


def _compiled(function: _Function) -> _Function:
    return cast("_Function", _jit(function))


@_compiled
def add(sums: Sums, values: Matrix, knots: Matrix, heights: Matrix, missing: float) -> None:
    """``sums += term(values)``, for a term that is lines between knots and ``missing`` for NaN.

    >>> sums, line = np.zeros(3), (np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    >>> add(sums, np.array([0.25, np.nan, 7.0]), *line, -1.0)
    >>> sums.tolist()  # .25 x 2; missing; level beyond the last knot
    [0.5, -1.0, 2.0]
    """
    last = len(knots) - 1
    # most items share nothing in most features
    at_zero = heights[0] if knots[0] >= 0.0 else np.interp(0.0, knots, heights)
    for n in range(len(values)):
        value = values[n]
        if value == 0.0:
            sums[n] += at_zero
        elif value != value:
            sums[n] += missing
        elif value <= knots[0]:
            sums[n] += heights[0]
        elif value >= knots[last]:
            sums[n] += heights[last]
        else:
            low, high = 0, last
            while high - low > 1:
                middle = (low + high) // 2
                if knots[middle] < value:
                    low = middle
                else:
                    high = middle
            part = (value - knots[low]) / (knots[high] - knots[low])
            sums[n] += heights[low] * (1.0 - part) + heights[high] * part
