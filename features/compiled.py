"""How inner loops are compiled: kept for later runs, and run without the interpreter's lock.

Numba, which takes half a second to load, loads when the first loop runs.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """A function of arrays and numbers, compiled as it stands."""
    return cast("_Function", _Compiled(function, fastmath=False))


def compiled_grouped(function: _Function) -> _Function:
    """As ``compiled``, but sums may be taken several numbers at a time, the same way for every row."""
    return cast("_Function", _Compiled(function, fastmath={"reassoc", "contract", "nsz"}))


class _Compiled:
    """A function that is compiled when it, or a compiled function that calls it, is first called."""

    def __init__(self, function: Callable[..., object], fastmath: bool | set[str]) -> None:
        update_wrapper(self, function)
        self._function, self._fastmath = function, fastmath

    def __call__(self, *arguments: object) -> object:
        return self._dispatcher(*arguments)

    @cached_property
    def _dispatcher(self) -> Callable[..., object]:
        from numba import njit

        compiling = njit(cache=True, nogil=True, fastmath=self._fastmath)
        dispatcher: Callable[..., object] = compiling(self._function)
        return dispatcher

    @property
    def _numba_type_(self) -> object:
        """How Numba learns what a compiled function calls: its own dispatchers have the same property."""
        return self._dispatcher._numba_type_  # type: ignore[attr-defined]
