"""Row groups: rows that a feature cannot tell apart, so that one of them is compared for all."""

from typing import Final, NamedTuple

import numpy as np

from features.arrays import Hashes, Ints, Rows, Singles
from features.compiled import compiled

_PAYS: Final = 0.25
"""Groups are stored where they are at most this share of the rows: to look up a group costs something."""


class RowGroups(NamedTuple):
    """The first row of each group, and the group of every row, int32[rows]."""

    first: Rows
    codes: Ints


def groups_of(keys: Hashes) -> RowGroups | None:
    """The groups of rows by their keys; None where they spare too little.

    >>> groups_of(np.array([[5, 0], [3, 0], [5, 0], [5, 0], [5, 0], [3, 0], [5, 0], [5, 0]], np.uint64))
    RowGroups(first=array([0, 1]), codes=array([0, 1, 0, 0, 0, 1, 0, 0], dtype=int32))
    >>> groups_of(np.array([[5, 0], [3, 0], [5, 0]], np.uint64)) is None
    True
    """
    _, first, codes = np.unique(keys[:, 0], return_index=True, return_inverse=True)
    # where one half of two keys agrees by chance the other does not: such a feature has no groups
    if len(first) > _PAYS * len(keys) or (keys[first, 1][codes] != keys[:, 1]).any():
        return None
    order = np.argsort(first)
    places = np.empty(len(first), np.int32)
    places[order] = np.arange(len(first), dtype=np.int32)
    return RowGroups(first[order], places[codes])


@compiled
def spread_rows(values: Singles, codes: Ints) -> Singles:
    """The value of each row's group."""
    spread = np.empty(len(codes), np.float32)
    for n in range(len(codes)):
        spread[n] = values[codes[n]]
    return spread
