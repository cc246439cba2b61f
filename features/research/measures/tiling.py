"""Greedy string tiling (Wise 1993): how much of two texts is covered by passages that both have.

The longest passage that both texts share is a tile; then the longest of what no tile covers yet, and so on
down to tiles of ``least`` characters. Of equally long passages that which stands first is used, first in the
shorter text (of equally long texts in that which comes first in the alphabet), so that the measure is
symmetric. With tiles of t characters in all, texts of a and b have 2 t / (a + b). Order does not count but
within a tile: 'boats of Venice' and 'Venice boats' share 'venice' and 'boats', 2 x 11 / (15 + 12).

A text of fewer than ``least`` characters cannot have a tile: NaN.
"""

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Ints, Longs
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.base import Columns
from features.measures.selections import ScopeReader
from features.research.measures.texts import SharedRun, TextColumn, TextRows, TextSettings


class TilingSettings(TextSettings):
    """Greedy string tiling over one scope."""

    EXAMPLES = ({}, {"least": 6})

    measure: Literal["tiling"] = Field(description="greedy string tiling (Wise 1993)")
    least: int = Field(3, ge=1, description="how many characters in a row make a shared passage")

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "TilingColumn":
        """The column over stored arrays, used where they lie."""
        return TilingColumn(ScopeReader(self.scope, resources), arrays, self.least)


def tiles(one: str, other: str, least: int) -> list[SharedRun]:
    """The tiles of two texts, the longest first.

    >>> tiles("boats of venice", "venice boats", 3)
    [SharedRun(left=9, right=0, size=6), SharedRun(left=0, right=7, size=5)]
    """
    swapped = (len(other), other) < (len(one), one)
    first, second = (other, one) if swapped else (one, other)
    return _in_order(
        _tiles(TextRows.written([first]).points, TextRows.written([second]).points, least), swapped
    )


def common_runs(one: Sequence[str], other: Sequence[str]) -> list[SharedRun]:
    """The tiles of two lists of words, of one word and more, the longest first.

    >>> common_runs(["the", "old", "boat"], ["boat", "the", "old"])
    [SharedRun(left=0, right=1, size=2), SharedRun(left=2, right=0, size=1)]
    """
    swapped = (len(other), list(other)) < (len(one), list(one))
    numbers = {word: number for number, word in enumerate(dict.fromkeys((*one, *other)))}
    sides = [np.array([numbers[word] for word in words], np.int32) for words in (one, other)]
    first, second = reversed(sides) if swapped else sides
    return _in_order(_tiles(first, second, 1), swapped)


def _in_order(covered: Longs, swapped: bool) -> list[SharedRun]:
    """The tiles with the sides as they were given."""
    return [
        SharedRun(right, left, size) if swapped else SharedRun(left, right, size)
        for left, right, size in covered.tolist()
    ]


class TilingColumn(TextColumn):
    """Texts compared by the tiles that cover them."""

    def similarity(self, one: str, other: str) -> float:
        """Twice the characters of all tiles over those of both texts."""
        return 2 * sum(tile.size for tile in self.spans(one, other)) / (len(one) + len(other))

    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """The tiles."""
        return iter(tiles(one, other, self._least))


@compiled
def _tiles(one: Ints, other: Ints, least: int) -> Longs:
    """Where every tile begins in both texts and its length: int64[tiles, 3], the longest first.

    Every run of equal characters waits in a heap, the longest and then the first on top. One that a tile
    covers in part goes back as the pieces that are left of it: so no run is looked for twice.
    """
    runs = [(np.int64(0), np.int64(0), np.int64(0))]
    runs.pop()
    lengths = np.zeros(len(other) + 1, np.int64)
    for i in range(len(one)):
        diagonal = np.int64(0)
        for j in range(len(other)):
            above = lengths[j + 1]
            lengths[j + 1] = diagonal + 1 if one[i] == other[j] else 0
            diagonal = above
            size = lengths[j + 1]
            ends = i + 1 == len(one) or j + 1 == len(other) or one[i + 1] != other[j + 1]
            if ends and size >= least:
                runs.append((-size, np.int64(i + 1 - size), np.int64(j + 1 - size)))
    heapify(runs)
    here, there = np.zeros(len(one), np.bool_), np.zeros(len(other), np.bool_)
    covered = np.empty((len(one), 3), np.int64)
    count = 0
    while len(runs) > 0:
        negative, left, right = heappop(runs)
        size, free, whole = -negative, np.int64(0), True
        for k in range(size + 1):
            if k < size and not (here[left + k] or there[right + k]):
                free += 1
                continue
            whole = whole and k == size
            if not whole and free >= least:
                heappush(runs, (-free, left + k - free, right + k - free))
            free = np.int64(0)
        if whole:
            here[left : left + size] = True
            there[right : right + size] = True
            covered[count, 0], covered[count, 1], covered[count, 2] = left, right, size
            count += 1
    return covered[:count]
