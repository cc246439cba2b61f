"""The full-text index of a collection as it was built, open for questions."""

import sqlite3
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias

import numpy as np
from rapidfuzz.distance import OSA

from features.arrays import Floats, Rows
from features.fulltext.index_file import translated, trigrams
from features.text.caches import text_cache

_Results: TypeAlias = tuple[Any, ...]  # a row of an answer; the schema of the index knows the types

_CLOSE: Final = {3: 1, 4: 1, 5: 1}
"""Letters that may be wrong in a word of so many letters; in a longer one two."""

RARE: Final = 2  # items that may have a word of which another is suggested all the same
_COMMONER: Final = 10  # how many times as many then have the other

_COUNTED: Final = 1 << 12  # expressions whose number of rows is remembered


class TextIndex:
    """Which rows of a built collection have what; threads may share it, one asks at a time.

    ``path`` is named in errors. Every method may raise ``DamagedArtefact``.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection, self._path = connection, path
        self._lock = Lock()
        self.count = text_cache(_COUNTED)(self._count)

    def rows(self, match: str) -> Rows:
        """The rows that fit an expression of FTS5."""
        # one text for all of them is read many times as fast as a row for each
        (rows,) = self._one("SELECT group_concat(rowid) FROM items WHERE items MATCH ?", match)
        return np.empty(0, np.intp) if rows is None else np.fromstring(rows, dtype=np.intp, sep=",")

    def _count(self, match: str) -> int:
        """How many rows fit an expression of FTS5."""
        (number,) = self._one("SELECT count(*) FROM items WHERE items MATCH ?", match)
        return int(number)

    def nearest(self, word: str) -> str | None:
        """The word most like one, of those that share most runs of three letters; None for none close.

        A word that some items have may be meant; only one that is much more common is then near.
        """
        items = self.count(f'"{word}"')
        if items > RARE:
            return None
        parts, most = sorted(trigrams(word)), _CLOSE.get(len(word), 2)
        query = _ALIKE.format(",".join("?" * len(parts)))
        return closest(word, self._all(query, *parts, len(word) - most, len(word) + most), items)

    @cached_property
    def titles(self) -> Rows:
        """The place of each row in the order of the titles."""
        (places,) = self._one("SELECT titles FROM about")
        return np.frombuffer(places, np.int32).astype(np.intp)

    @cached_property
    def lengths(self) -> Floats:
        """How many words each row has."""
        # a row has a number for each column, seven bits a byte; only the last byte of a number is below 128
        sizes = [size for (size,) in self._all("SELECT sz FROM items_docsize ORDER BY id")]
        data = np.frombuffer(b"".join(sizes), np.uint8)
        last = np.flatnonzero(data < 128)
        at = np.arange(len(data))
        behind = last[np.searchsorted(last, at)] - at
        upto = np.concatenate([[0], np.cumsum((data & 127).astype(np.int64) << 7 * behind)])
        ends = np.cumsum([len(size) for size in sizes], dtype=np.intp)
        return np.diff(upto[ends], prepend=0).astype(np.float64)

    @cached_property
    def size(self) -> tuple[int, int]:
        """How many items there are, and how many words they have together."""
        items, tokens = self._one("SELECT items, tokens FROM about")
        return int(items), int(tokens)

    def _one(self, query: str, *parameters: str | int) -> _Results:
        return self._all(query, *parameters)[0]

    def _all(self, query: str, *parameters: str | int) -> list[_Results]:
        with self._lock, translated(self._path):
            return self._connection.execute(query, parameters).fetchall()


_ALIKE: Final = """
    SELECT w.word, w.items FROM trigrams t JOIN words w ON w.id = t.word WHERE t.trigram IN ({})
    AND length(w.word) BETWEEN ? AND ? GROUP BY w.id ORDER BY count(*) DESC, w.items DESC LIMIT 400
"""


def closest(word: str, others: Iterable[tuple[str, int]], items: int = 0) -> str | None:
    """Of other words, each with how many items have it, the one with the fewest wrong letters; None for none.

    Where ``items`` have the word itself, another has to be in ten times as many.

    >>> closest("venise", [("venice", 9), ("venus", 30), ("vernis", 12)])
    'venice'
    >>> closest("venise", [("venise", 1), ("venice", 9)], 1)
    """
    most = _CLOSE.get(len(word), 2)
    close = [
        (wrong, -having, other)
        for other, having in others
        if other != word
        and having >= _COMMONER * items
        and (wrong := OSA.distance(word, other, score_cutoff=most)) <= most
    ]
    return str(min(close)[2]) if close else None
