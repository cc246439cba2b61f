"""How inner loops are compiled: kept for later runs, and run without the interpreter's lock.

So loops run beside each other, and a service answers meanwhile.
"""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

_Function = TypeVar("_Function", bound=Callable[..., object])

_jit = njit(cache=True, nogil=True)
_grouped = njit(cache=True, nogil=True, fastmath={"reassoc", "contract", "nsz"})


def compiled(function: _Function) -> _Function:
    """A function of arrays and numbers, compiled as it stands."""
    return cast("_Function", _jit(function))


def compiled_grouped(function: _Function) -> _Function:
    """As ``compiled``, but sums may be taken several numbers at a time, the same way for every row."""
    return cast("_Function", _grouped(function))
