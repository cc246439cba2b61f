"""Tables: what a measure stores of items, a row an item: those of a collection, of a pair, or put since."""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import chain
from typing import ClassVar, Final, Generic, Self, TypeVar

import numpy as np

from features.arrays import Array, Arrays, Bools, Doubles, Floats, Hashes, Integers, Ints, Longs, Rows
from features.compiled import compiled
from features.measures.spill_buffers import SpillBuffer, parts
from features.profiles.blocks import stretched

_Table = TypeVar("_Table", bound="Table")

_SEEDS: Final = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of arrays. A subclass declares the arrays as its fields, each an array.

    A field named in ``LISTS`` holds the entries of all rows end to end: those of row r stand from
    ``starts[r]`` to ``starts[r + 1]``. A field named in ``SHARED`` belongs to the table as a whole. Every
    other field has one number, or one row of numbers, a row.

    >>> @dataclass(frozen=True, slots=True, eq=False)
    ... class Words(Table):
    ...     LISTS = ("terms",)
    ...     starts: Longs
    ...     terms: Longs
    ...     sizes: Longs
    >>> words = Words(np.array([0, 2, 2, 3]), np.array([7, 8, 7]), np.array([2, 0, 1]))
    >>> len(words), words.row(0).terms.tolist(), words.at(np.array([2, 0])).terms.tolist()
    (3, [7, 8], [7, 7, 8])
    >>> joined(words.row(0), [words.row(2)]).starts.tolist()
    [0, 2, 3]
    """

    LISTS: ClassVar[tuple[str, ...]] = ()
    SHARED: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def of(cls, arrays: Arrays) -> Self:
        """The table of stored arrays, used where they lie (memory-mapped or not); of none an empty one."""
        if not arrays:
            return cls(*(np.zeros(int(name == "starts"), np.int64) for name in cls._names()))
        return cls(*(np.asarray(arrays[name]) for name in cls._names()))

    def arrays(self) -> dict[str, Array]:
        """What has to be stored, by name."""
        return {name: getattr(self, name) for name in self._names()}

    @classmethod
    @cache
    def _names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))

    @classmethod
    @cache
    def _places(cls) -> tuple[tuple[str, str], ...]:
        """Every field, and what it has a number for: rows, lists, starts (of lists) or the table."""
        places = dict.fromkeys(cls._names(), "rows") | ({"starts": "starts"} if cls.LISTS else {})
        places |= dict.fromkeys(cls.LISTS, "lists") | dict.fromkeys(cls.SHARED, "table")
        return tuple(places.items())

    def __len__(self) -> int:
        if self.LISTS:
            return len(self._starts) - 1
        return next(len(getattr(self, name)) for name, place in self._places() if place == "rows")

    @property
    def filled(self) -> Bools:
        """Which rows have an entry in their lists: bool[rows]; all where there are no lists."""
        return np.diff(self._starts) > 0 if self.LISTS else np.ones(len(self), np.bool_)

    def row(self, row: int) -> Self:
        """One row as a table, nothing copied."""
        first, beyond = (self._starts[row], self._starts[row + 1]) if self.LISTS else (0, 0)
        return self._with(
            rows=slice(row, row + 1),
            lists=slice(first, beyond),
            starts=np.array([0, beyond - first], np.int64),
        )

    def at(self, rows: Rows) -> Self:
        """Some rows as a table, in the order in which they are named."""
        starts, entries = self._starts, np.empty(0, np.int64)
        if self.LISTS:
            first = starts[rows]
            sizes = starts[rows + 1] - first
            starts = starts_of(sizes)
            entries = stretched(first, sizes)
        return self._with(rows=rows, lists=entries, starts=starts)

    def keys(self) -> Hashes:
        """A hash of each row: rows with the same key are the same in all that the table has of them."""
        keys = np.zeros((len(self), 2), np.uint64)
        for name, place in self._places():
            if place not in ("rows", "lists"):
                continue
            array = getattr(self, name)
            width = math.prod(array.shape[1:])
            starts = self._starts if place == "lists" else np.arange(len(self) + 1)
            numbers = np.ascontiguousarray(array).reshape(-1)
            if numbers.dtype.kind in "fb":  # whole numbers of the same bits
                numbers = numbers.view(f"u{numbers.itemsize}")
            for half, seed in enumerate(_SEEDS):
                _stir(keys[:, half], np.asarray(starts, np.int64) * width, numbers, np.uint64(seed))
        return keys

    @classmethod
    def by_item(cls) -> tuple[str, ...]:
        """The fields that grow with the items, ``starts`` aside: those of rows, then those of lists."""
        every = cls._places()
        return tuple(name for wanted in ("rows", "lists") for name, place in every if place == wanted)

    @property
    def _starts(self) -> Longs:
        starts: Longs = getattr(self, "starts", np.empty(0, np.int64))
        return starts

    def _with(self, **picked: Rows | slice) -> Self:
        """Another with some of the rows and of the entries of lists; ``starts`` say where these begin."""
        fields = {name: getattr(self, name) for name in self._names()}
        for name, place in self._places():
            if place != "table":  # what all rows share stays the same object
                fields[name] = picked[place] if place == "starts" else fields[name][picked[place]]
        return type(self)(*fields.values())


def joined(empty: _Table, tables: Sequence[_Table]) -> _Table:
    """The rows of some tables, one table after the other; ``empty`` is one without rows."""
    every = [empty, *tables]
    own = {
        name: np.concatenate([table.arrays()[name] for table in every])
        for name in empty.arrays()
        if name not in ("starts", *empty.SHARED)
    }
    sizes = [np.diff(table.arrays()["starts"]) for table in every] if empty.LISTS else []
    starts = {"starts": starts_of(np.concatenate(sizes))} if empty.LISTS else {}
    return type(empty).of({**empty.arrays(), **own, **starts})


class TableSpillBuffer(Generic[_Table]):
    """Rows of tables, in files until all are there; ``empty`` is a table without rows."""

    def __init__(self, empty: _Table) -> None:
        self._empty = empty
        self._buffers = {
            name: SpillBuffer(array.dtype, *array.shape[1:])
            for name, array in empty.arrays().items()
            if name not in empty.SHARED
        }

    def add(self, table: _Table) -> None:
        """Set the next rows aside."""
        for name, array in table.arrays().items():
            if name in self._buffers:
                self._buffers[name].add(np.diff(array) if name == "starts" else array)

    def whole(self) -> _Table:
        """All rows; their numbers are mapped from the files."""
        arrays = {**self._empty.arrays(), **{name: one.whole() for name, one in self._buffers.items()}}
        if self._empty.LISTS:
            arrays["starts"] = starts_of(arrays["starts"])
        return type(self._empty).of(arrays)


def items_of(arrays: Arrays, table: Table) -> int:
    """How many items a column was fitted over: its rows, or the stored number of rows that lie elsewhere."""
    return int(arrays["items"]) if "items" in arrays else len(table)


_Key = TypeVar("_Key", bound=Hashable)


def numbered(rows: Iterable[Iterable[_Key]], distinct: dict[_Key, int]) -> list[list[int]]:
    """The number of each key, row by row; ``distinct`` numbers the keys as they are met, and grows.

    >>> numbered(["ab", "", "bc"], distinct := {}), distinct
    ([[0, 1], [], [1, 2]], {'a': 0, 'b': 1, 'c': 2})
    """
    return [[distinct.setdefault(key, len(distinct)) for key in row] for row in rows]


def end_to_end(lists: Sequence[Sequence[int]]) -> tuple[Longs, Ints]:
    """Lists of numbers as one array, and where each of them starts and the last ends.

    >>> starts, numbers = end_to_end([[7, 8], [], [9]])
    >>> starts.tolist(), numbers.tolist()
    ([0, 2, 2, 3], [7, 8, 9])
    """
    return starts_of(map(len, lists)), np.fromiter(chain.from_iterable(lists), np.int32)


def starts_of(sizes: Iterable[int] | Integers) -> Longs:
    """Where lists of some sizes start that stand end to end, and where the last ends."""
    counts = sizes if isinstance(sizes, np.ndarray) else np.fromiter(sizes, np.int64)
    return np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))


class ListSpillBuffer:
    """Lists of numbers, one a row, in files until all are there."""

    def __init__(self) -> None:
        self._sizes, self._numbers = SpillBuffer(np.int64), SpillBuffer(np.int32)

    def add(self, lists: Sequence[Sequence[int]]) -> None:
        """Set the next rows aside."""
        starts, numbers = end_to_end(lists)
        self._sizes.add(np.diff(starts))
        self._numbers.add(numbers)

    def whole(self) -> tuple[Longs, Ints]:
        """All rows as :func:`end_to_end` gives them."""
        return starts_of(self._sizes.whole()), self._numbers.whole()


def row_sums(starts: Longs, values: Floats) -> Doubles:
    """The sum of the values of each row, which stand from ``starts[r]`` to ``starts[r + 1]``."""
    return reduced(np.add, starts, values)


def reduced(operation: np.ufunc, starts: Longs, values: Floats) -> Doubles:
    """The values of each row joined by an operation; 0 for a row without any.

    >>> reduced(np.maximum, np.array([0, 2, 2, 3]), np.array([1.0, 2.0, 4.0])).tolist()
    [2.0, 0.0, 4.0]
    """
    joined = np.zeros(len(starts) - 1)
    filled = np.diff(starts) > 0
    if filled.any():
        joined[filled] = operation.reduceat(values, starts[:-1][filled])
    return joined


@compiled
def largest(starts: Longs, numbers: Integers, values: Doubles) -> Doubles:
    """The largest of the values that the numbers of each row stand for, at least 0; 0 for a row without any.

    >>> starts, numbers = np.array([0, 2, 2, 3]), np.array([1, 0, 1])
    >>> largest(starts, numbers, np.array([2.0, 4.0])).tolist()
    [4.0, 0.0, 4.0]
    """
    most = np.zeros(len(starts) - 1)
    for row in range(len(most)):
        for at in range(starts[row], starts[row + 1]):
            most[row] = max(most[row], values[numbers[at]])
    return most


def summed(starts: Longs, values: Callable[[slice], Floats]) -> Doubles:
    """``row_sums`` of values that are worked out for some entries at once.

    >>> summed(np.array([0, 2, 2, 3]), lambda own: np.array([1.0, 2.0, 4.0])[own]).tolist()
    [3.0, 0.0, 4.0]
    """
    sums = np.zeros(len(starts) - 1)
    for rows in parts(starts):
        own = slice(starts[rows.start], starts[rows.stop])
        sums[rows] = row_sums(starts[rows.start : rows.stop + 1] - own.start, values(own))
    return sums


@compiled
def _stir(keys: Hashes, starts: Longs, numbers: Integers, seed: np.uint64) -> None:
    """Mix the numbers of each row into its key (the finalizer of Steele, Lea and Flood's SplitMix, 2014)."""
    for row in range(len(keys)):
        key = keys[row] + seed * np.uint64(starts[row + 1] - starts[row] + 1)
        for at in range(starts[row], starts[row + 1]):
            key = (key ^ np.uint64(numbers[at])) + seed
            key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            key ^= key >> np.uint64(31)
        keys[row] = key
