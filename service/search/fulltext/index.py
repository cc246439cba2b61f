"""The full-text index of a collection as it was built, and how well its items fit a query: BM25.

Of each field in which an item has a term the term counts once.
"""

import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from rapidfuzz.distance import OSA

from features.arrays import Floats, Rows
from features.collection import fulltext
from features.collection.collection import Built
from features.text.text_cache import text_cache
from service.search.fulltext.language import Term

_Results: TypeAlias = tuple[Any, ...]  # a row of an answer; the schema of the index knows the types

_CLOSE: Final = {3: 1, 4: 1, 5: 1}
"""Letters that may be wrong in a word of so many letters; in a longer one two."""

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

    def knows(self, word: str) -> bool:
        """Whether any item has a word."""
        return bool(self._all("SELECT 1 FROM items WHERE items MATCH ? LIMIT 1", f'"{word}"'))

    def nearest(self, word: str) -> str | None:
        """The word of the collection that is most like one; None where none is close.

        Those that share most runs of three letters are compared by the letters that are wrong, missing, too
        many or exchanged. Of several the one that most items have.
        """
        parts, most = sorted(fulltext.trigrams(word)), _CLOSE.get(len(word), 2)
        query = _ALIKE.format(",".join("?" * len(parts)))
        return closest(word, self._all(query, *parts, len(word) - most, len(word) + most))

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
        with self._lock, fulltext.translated(self._path):
            return self._connection.execute(query, parameters).fetchall()


_ALIKE: Final = """
    SELECT w.word, w.items FROM trigrams t JOIN words w ON w.id = t.word WHERE t.trigram IN ({})
    AND length(w.word) BETWEEN ? AND ? GROUP BY w.id ORDER BY count(*) DESC, w.items DESC LIMIT 400
"""

_opened: WeakKeyDictionary[Built, tuple[object, TextIndex]] = WeakKeyDictionary()
_opening = Lock()


def closest(word: str, others: Iterable[tuple[str, int]]) -> str | None:
    """Of other words, each with how many items have it, the one with the fewest wrong letters; None for none.

    >>> closest("venise", [("venice", 9), ("venus", 30), ("vernis", 12)])
    'venice'
    """
    most = _CLOSE.get(len(word), 2)
    close = [
        (wrong, -items, other)
        for other, items in others
        if (wrong := OSA.distance(word, other, score_cutoff=most)) <= most
    ]
    return str(min(close)[2]) if close else None


def index_of(collection: Built) -> TextIndex:
    """The index of a built collection, opened when it is first asked for, and again where it was made anew.

    Raises ``ResourceMissing`` where it was built without one, and ``DamagedArtefact``.
    """
    with _opening:
        file = _file(collection)
        if collection not in _opened or _opened[collection][0] != file:
            _opened[collection] = file, _open(collection)
        return _opened[collection][1]


def _file(collection: Built) -> object:
    """What tells the file of an index from another at its place; None for one in memory."""
    if collection.folder is None:
        return None
    try:
        status = (collection.folder / fulltext.FILE).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _open(collection: Built) -> TextIndex:
    if collection.folder is None:
        records = (collection.record(row) for row in range(len(collection)))
        return TextIndex(fulltext.in_memory(records), Path(":memory:"))
    path = collection.folder / fulltext.FILE
    return TextIndex(fulltext.opened(path, len(collection)), path)


MORE: Final[Mapping[str, float]] = {"title": 7.0, "creator": 3.0, "subject": 2.0, "places": 1.0}
"""How much more than once a term counts where one of these fields has it."""

_MANY: Final = 40_000
"""A term that more items have counts more in titles alone: elsewhere it costs most, to little effect."""

_K1: Final = 1.2
_B: Final = 0.75
_LEAST: Final = 1e-6
"""The constants of BM25 as SQLite has them, and the rarity of what more than half of the items have."""


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term, how many items have it, how rare that is, and in which fields it counts more than once."""

    term: Term
    having: int
    rarity: float
    fields: tuple[str, ...]

    def score(self, weights: Floats, usual: Floats) -> Floats:
        """What the term adds to items of these weights: once, and what it counts more."""
        return self.rarity * weights * (_K1 + 1) / (weights + usual)


def weighted(wanted: Sequence[Term], index: TextIndex) -> list[WeightedTerm]:
    """Terms by how rare they are in the collection as it was built."""
    items, terms = index.size[0], []
    for term in wanted:
        having = index.count(term.match)
        rarity = max(math.log((items - having + 0.5) / (having + 0.5)), _LEAST)
        # a term of one field counts once
        fields = () if term.field else ("title",) if having > _MANY else tuple(MORE)
        terms.append(WeightedTerm(term, having, rarity, fields))
    return terms


def relevance(terms: Sequence[WeightedTerm], index: TextIndex) -> Floats:
    """How well each row of the collection as it was built fits, the higher the better.

    That of a row that lacks any of the terms means nothing.
    """
    total = np.zeros(index.size[0])
    long = usual(index.lengths, index)
    rarest = min(terms, key=lambda one: one.having)
    for one in terms:
        weights = np.ones(len(total))
        for field in one.fields:
            match = replace(one.term, field=field).match
            # rows that lack the rarest term do not count
            near = match if one is rarest else f"{match} AND {rarest.term.match}"
            weights[index.rows(near)] += MORE[field]
        total += one.score(weights, long)
    return total


def usual(lengths: Floats, index: TextIndex) -> Floats:
    """What makes terms count less in items of more words; ``lengths`` are their numbers of words."""
    items, words = index.size
    compared: Floats = lengths * items / words if words else np.ones_like(lengths)
    return _K1 * (1 - _B + _B * compared)
