"""Words that the tables lack: walked when a comparison needs them, and held in memory only.

Their rows continue the triangle of the tables: the row of such a word holds its codes with all stored
words and with the words in memory before it, so that its cosines are those that storing it would give.
"""

from collections.abc import Collection, Mapping
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bytes, Ints, Singles
from features.research.walks.growth import WalkGrowth
from features.research.walks.store import StoredWalks, WalkTables

FIRST: Final = 1 << 20
"""The number of the first word in memory. The tables of so many words would take half a terabyte."""

_MOST = 1 << 27
"""Bytes of codes in memory at most; where more would be needed the rows are begun anew."""


class ExtendedTables(NamedTuple):
    """Tables with what continues them in memory; ``rows`` is the row of each number that is there."""

    stored: StoredWalks
    more: Bytes
    lengths: Singles
    rows: Mapping[int, int]

    def find(self, ids: Ints) -> Ints:
        """The rows of numbers; those of stored words are their numbers, and -1 stays."""
        if not (ids >= FIRST).any():
            return ids
        return np.array([self.rows.get(number, number) for number in ids.tolist()], np.int32)


class UnstoredWords:
    """The words that the tables of one process lack; threads may share it.

    The words themselves have numbers for good (there are no more than the graph has); their rows are bounded.
    """

    def __init__(self, tables: WalkTables, growth: WalkGrowth) -> None:
        self._tables, self._growth = tables, growth
        self._numbers: dict[str, int] = {}
        self._keys: list[str] = []
        self._guard = Lock()
        self._now = _begun(tables.stored)

    def number(self, key: str) -> int:
        """The number of a word that is not stored, -1 for one without a start."""
        number = self._numbers.get(key)
        if number is None:
            if not self._growth.walks_from(key):
                return -1
            with self._guard:
                number = self._numbers.setdefault(key, FIRST + len(self._keys))
                if number == FIRST + len(self._keys):
                    self._keys.append(key)
        return number

    def continued(self, ids: Collection[int]) -> ExtendedTables:
        """The tables continued by the rows of these numbers at least; those that are missing are walked."""
        now, stored = self._now, self._tables.stored
        if now.stored is stored and all(number in now.rows for number in ids):
            return now
        with self._guard:
            now = self._now if self._now.stored is stored else _begun(stored)
            new = [number for number in ids if number not in now.rows]
            size = len(now.more) + len(new) * (len(now.lengths) + len(new))
            if size > _MOST and now.rows:
                now, new = _begun(stored), list(ids)
            self._now = self._grown(now, new) if new else now
            return self._now

    def _grown(self, now: ExtendedTables, new: list[int]) -> ExtendedTables:
        words = list(self._tables.numbers)[: now.stored.manifest.words]
        before = [*words, *(self._keys[number - FIRST] for number in now.rows)]
        made = self._growth.rows(before, now.lengths, [self._keys[number - FIRST] for number in new])
        more, lengths = np.concatenate((now.more, *made.codes)), np.concatenate((now.lengths, made.lengths))
        rows = {**now.rows, **{number: row for row, number in enumerate(new, len(before))}}
        return ExtendedTables(now.stored, more, lengths, rows)


def _begun(stored: StoredWalks) -> ExtendedTables:
    return ExtendedTables(stored, np.empty(0, np.uint8), np.asarray(stored.lengths), {})
