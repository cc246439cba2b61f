"""Which full-text index belongs to a collection, and how well its items fit a query: BM25.

Of each field in which an item has a term the term counts once.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from features.arrays import Floats
from features.collection.collection import Built
from features.fulltext import index_file
from features.fulltext.text_index import TextIndex
from service.search.fulltext.language import Term

_opened: WeakKeyDictionary[Built, tuple[object, TextIndex]] = WeakKeyDictionary()
_opening = Lock()


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
        status = (collection.folder / index_file.FILE).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _open(collection: Built) -> TextIndex:
    if collection.folder is None:
        records = (collection.record(row) for row in range(len(collection)))
        return TextIndex(index_file.in_memory(records), Path(":memory:"))
    path = collection.folder / index_file.FILE
    return TextIndex(index_file.opened(path, len(collection)), path)


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
