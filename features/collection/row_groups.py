"""Twins: rows that a measure cannot tell apart, so that one of them is compared for all.

Thousands of records have the same creator, date or place. A column says by keys which rows are alike in
all that it sees of them; the generation keeps, for the columns where that spares most of the work, the
first row of each kind and the kind of every row.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from features.compiled import compiled

Keys = npt.NDArray[np.uint64]
"""uint64[rows, 2]: rows with the same key have the same numbers with every item, to the last bit."""

Ints = npt.NDArray[np.int32]
Rows = npt.NDArray[np.intp]

_PAYS: Final = 0.5
"""Kinds are kept where they are at most this share of the rows: to look up a row's kind costs something."""

_SEEDS: Final = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)


class Twins(NamedTuple):
    """The first row of each kind, and the kind of every row, int32[rows]."""

    first: Rows
    kinds: Ints


def of_rows(*arrays: npt.NDArray[np.generic]) -> Keys:
    """Keys of rows by arrays that have one number, or a row of numbers, for each.

    >>> keys = of_rows(np.array([0.5, 0.0, 0.5]), np.array([[1, 2], [1, 2], [1, 2]], np.int8))
    >>> (keys[0] == keys[2]).all().item(), (keys[0] == keys[1]).any().item()
    (True, False)
    """
    rows = len(arrays[0])
    keys = np.zeros((rows, 2), np.uint64)
    for array in arrays:
        width = math.prod(array.shape[1:])
        numbers = _numbers(np.ascontiguousarray(array).reshape(-1))
        for place, seed in enumerate(_SEEDS):
            _stir(keys[:, place], np.arange(rows + 1) * width, numbers, np.uint64(seed))
    return keys


def of_lists(starts: npt.NDArray[np.int64], *entries: npt.NDArray[np.generic]) -> Keys:
    """Keys of rows by lists laid end to end: those of row r stand from ``starts[r]`` to ``starts[r + 1]``.

    >>> keys = of_lists(np.array([0, 2, 4, 5]), np.array([7, 8, 7, 8, 7]))
    >>> (keys[0] == keys[1]).all().item(), (keys[0] == keys[2]).any().item()
    (True, False)
    """
    keys = np.zeros((len(starts) - 1, 2), np.uint64)
    for array in entries:
        for place, seed in enumerate(_SEEDS):
            _stir(keys[:, place], np.asarray(starts, np.int64), _numbers(array), np.uint64(seed))
    return keys


def found(keys: Keys) -> Twins | None:
    """The twins among rows; None where they spare too little.

    >>> found(np.array([[5, 0], [3, 0], [5, 0], [5, 0]], np.uint64))
    Twins(first=array([0, 1]), kinds=array([0, 1, 0, 0], dtype=int32))
    >>> found(np.array([[5, 0], [3, 0], [5, 0]], np.uint64)) is None
    True
    """
    _, first, kinds = np.unique(keys[:, 0], return_index=True, return_inverse=True)
    # two halves that fall together by chance are told apart by the other: such a column has no twins
    if len(first) > _PAYS * len(keys) or (keys[first, 1][kinds] != keys[:, 1]).any():
        return None
    order = np.argsort(first)
    places = np.empty(len(first), np.int32)
    places[order] = np.arange(len(first), dtype=np.int32)
    return Twins(first[order], places[kinds])


def as_arrays(keys: Keys) -> dict[str, npt.NDArray[np.generic]]:
    """What a generation keeps; nothing where twins spare too little."""
    twins = found(keys)
    return {} if twins is None else {"twins": twins.kinds, "firsts": twins.first}


def stored(arrays: Mapping[str, npt.NDArray[np.generic]], names: Iterable[str]) -> dict[str, Twins]:
    """The twins of those features that have some; of equal arrays the same object."""
    known: dict[int, Twins] = {}
    result = {}
    for name in names:
        kinds = arrays.get(f"{name}-twins.npy")
        if kinds is not None:
            twins = Twins(np.asarray(arrays[f"{name}-firsts.npy"], np.intp), np.asarray(kinds, np.int32))
            result[name] = known.setdefault(id(kinds), twins)
    return result


def _numbers(array: npt.NDArray[np.generic]) -> npt.NDArray[np.integer]:
    """The bits of numbers, as whole numbers."""
    bits = array.view(f"u{array.itemsize}") if array.dtype.kind == "f" else array
    return np.asarray(bits)


@compiled
def _stir(
    keys: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.integer],
    seed: np.uint64,
) -> None:
    """Mix the numbers of each row into its key (the finalizer of Steele, Lea and Flood's SplitMix, 2014)."""
    for row in range(len(keys)):
        key = keys[row] + seed * np.uint64(starts[row + 1] - starts[row] + 1)
        for at in range(starts[row], starts[row + 1]):
            key = (key ^ np.uint64(numbers[at])) + seed
            key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            key ^= key >> np.uint64(31)
        keys[row] = key
