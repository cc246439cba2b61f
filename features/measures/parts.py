"""Parts of a collection: rows that follow one another, so few that their values stay in a core's cache."""

import os
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Final, TypeVar, cast

import numpy as np

from features.arrays import Rows, Singles

_SIZE: Final = 1 << 17
"""Rows of a part: few enough that a feature's values stay in cache, so many that calls cost little beside."""

_threads_each = len(os.sched_getaffinity(0))

_Result = TypeVar("_Result")


class RowPart:
    """Some rows that follow one another, and what was computed of them for one question.

    ``picked``: the few among them whose values are asked for, None for all.

    >>> part = RowPart(slice(10, 15)).pick(np.array([0, 3]))
    >>> len(part), part.picked.tolist()
    (2, [10, 13])
    """

    def __init__(self, rows: slice, picked: Rows | None = None) -> None:
        self.rows, self.picked = rows, picked
        self._known: dict[Hashable, object] = {}

    def __len__(self) -> int:
        return int(self.rows.stop - self.rows.start) if self.picked is None else len(self.picked)

    @property
    def at(self) -> slice | Rows:
        """Where in an array of all rows those stand whose values are asked for."""
        return self.rows if self.picked is None else self.picked

    def pick(self, rows: Rows) -> "RowPart":
        """Some of the rows, counted from the first of the part."""
        return RowPart(self.rows, self.rows.start + rows)

    def once(self, key: Hashable, make: Callable[[], _Result]) -> _Result:
        """What was made for a key, made when it is first asked for; not to be written to."""
        if key not in self._known:
            self._known[key] = make()
        return cast("_Result", self._known[key])


def cut(rows: slice, number: int, of: int) -> slice:
    """One of so many parts, of about the same size, of rows that follow one another.

    >>> [cut(slice(10, 15), number, 2) for number in range(2)]
    [slice(10, 12, None), slice(12, 15, None)]
    """
    size = rows.stop - rows.start
    return slice(rows.start + number * size // of, rows.start + (number + 1) * size // of)


def unknown(part: RowPart) -> Singles:
    """The values of an item that gives no information."""
    return part.once(unknown, lambda: np.full(len(part), np.nan, np.float32))


def one_thread() -> None:
    """From now on run loops in the calling thread: for as many processes as there are cores."""
    global _threads_each
    _threads_each = 1


def over_parts(loop: Callable[[RowPart], None], rows: slice) -> None:
    """Run a loop for every part of rows that follow one another, in as many threads as there are cores."""
    number = -(-(rows.stop - rows.start) // _SIZE)
    parts = [RowPart(cut(rows, n, number)) for n in range(number)]
    shares = min(_threads_each, number)

    def run(share: int) -> None:
        for part in parts[number * share // shares : number * (share + 1) // shares]:
            loop(part)

    under_way = [_threads().submit(run, share) for share in range(1, shares)]
    if parts:
        run(0)
    for each in under_way:
        each.result()


@cache
def _threads() -> ThreadPoolExecutor:
    # the calling thread works on a share too
    return ThreadPoolExecutor(max(1, _threads_each - 1), "parts")
