"""How inner loops are compiled: kept for later runs, and run without the interpreter's lock.

Numba, which takes half a second to load, loads when the first loop runs.
"""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import TYPE_CHECKING, Final, TypeVar, cast

from features.arrays import Array

if TYPE_CHECKING:
    from llvmlite import ir
    from numba.core.base import BaseContext
    from numba.core.typing.templates import Signature

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


class _Prefetch:
    """For compiled loops: asks memory for an entry of an array that is read soon, and waits for nothing.

    By itself a processor looks a few rows ahead. Where a row has hundreds of bytes it waits for each of them,
    and takes three times as long as memory needs. An entry beyond the end is asked for in vain.
    """

    def __call__(self, array: Array, place: int) -> None:
        """Outside of a compiled loop, do nothing."""

    @cached_property
    def _numba_type_(self) -> object:
        from numba.core.registry import cpu_target

        intrinsic, typing = self._intrinsic, cpu_target.typing_context
        typing.refresh()
        return typing.resolve_value_type(intrinsic)

    @cached_property
    def _intrinsic(self) -> object:
        from numba import types
        from numba.extending import intrinsic

        def typed(
            _: object, array: types.Type, place: types.Type
        ) -> "tuple[Signature, Callable[..., ir.Value]]":
            return types.void(array, place), _instruction

        return intrinsic(typed)


prefetch: Final = _Prefetch()


def _instruction(
    context: "BaseContext", builder: "ir.IRBuilder", signature: "Signature", given: "list[ir.Value]"
) -> "ir.Value":
    """The instruction in LLVM's terms: to read (0), into the nearest cache (3), numbers (1)."""
    from llvmlite import ir

    array = context.make_array(signature.args[0])(context, builder, given[0])
    address, flag = builder.gep(array.data, [given[1]]), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
    instruction = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
    builder.call(instruction, [address, flag(0), flag(3), flag(1)])
    return context.get_dummy_value()
