"""How inner loops are compiled: kept for later runs, and run without the interpreter's lock.

So loops run beside each other, and a service answers meanwhile. A loop over the rows of a collection is run
in parts, one on each core.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Final, TypeVar, cast

from numba import njit

_LARGE: Final = 1 << 15
"""Rows from which a loop is run in parts: with fewer, to hand a part over takes longer than to run it."""

_Function = TypeVar("_Function", bound=Callable[..., object])

_jit = njit(cache=True, nogil=True)
_grouped = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})


def compiled(function: _Function) -> _Function:
    """A function of arrays and numbers, compiled as it stands."""
    return cast("_Function", _jit(function))


def compiled_grouped(function: _Function) -> _Function:
    """As ``compiled``, but sums may be taken several numbers at a time, the same way for every row."""
    return cast("_Function", _grouped(function))


def over_rows(loop: Callable[[slice], None], rows: int) -> None:
    """Run a loop over some rows, given as slices: many rows in parts at once, each row alone in one of them.

    >>> import numpy as np
    >>> squares = np.arange(5)
    >>> def square(part: slice) -> None:
    ...     squares[part] *= squares[part]
    >>> over_rows(square, 5)
    >>> squares.tolist()
    [0, 1, 4, 9, 16]
    """
    parts = _cores() if rows >= _LARGE else 1
    bounds = [rows * part // parts for part in range(parts + 1)]
    first, *others = (slice(start, end) for start, end in pairwise(bounds))
    under_way = [_threads().submit(loop, part) for part in others]
    loop(first)
    for each in under_way:
        each.result()


@cache
def _cores() -> int:
    return len(os.sched_getaffinity(0))


@cache
def _threads() -> ThreadPoolExecutor:
    # who asks works on a part too
    return ThreadPoolExecutor(max(1, _cores() - 1), "rows")
