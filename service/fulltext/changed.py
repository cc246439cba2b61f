"""The items that were put since a collection was built: few enough to look through at every question."""

import math
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from features.collection.fulltext import COLUMNS, sort_key, texts
from features.collection.overlay import Overlay
from ingest.record import Record
from service.fulltext.index import WEIGHTS, Index, Ranked, Rows
from service.fulltext.language import TOKENS, Term

_K1: Final = 1.2
_B: Final = 0.75
"""The constants of BM25 as SQLite has them."""

_Words = Mapping[str, Sequence[str]]


class Changed:
    """The words of the items that were put, and what a question finds among them.

    ``rows`` are those that they have in the collection with its changes, ascending.
    """

    def __init__(self, rows: Rows, records: Sequence[Record]) -> None:
        self.rows = rows
        self.titles = [sort_key(record.label) for record in records]
        self._words: list[_Words] = [
            dict(zip(COLUMNS, map(TOKENS, texts(record)), strict=True)) for record in records
        ]
        self._known = {word for words in self._words for column in words.values() for word in column}

    def knows(self, word: str) -> bool:
        """Whether any of the items has a word."""
        return word in self._known

    def found(self, wanted: Sequence[Term], unwanted: Sequence[Term], index: Index) -> Ranked:
        """The rows that have all terms of one kind and none of the other, and how well each fits.

        How rare a term is, and how long an item usually is, is that of the collection that was built: an item
        that was put as it was already fits as well as before.
        """
        fits = [
            at
            for at, words in enumerate(self._words)
            if all(_weight(term, words) for term in wanted)
            and not any(_weight(term, words) for term in unwanted)
        ]
        rarity = [_rarity(term, index) for term in wanted] if fits else []
        scores = [self._score(self._words[at], wanted, rarity, index) for at in fits]
        return Ranked(self.rows[fits], np.array(scores, np.float64))

    def _score(self, words: _Words, wanted: Sequence[Term], rarity: Sequence[float], index: Index) -> float:
        """BM25 over weighted columns, as SQLite works it out."""
        items, tokens = index.size
        length = sum(map(len, words.values())) * items / tokens if tokens else 1.0
        usual = _K1 * (1 - _B + _B * length)
        weights = [_weight(term, words) for term in wanted]
        return sum(
            rare * weight * (_K1 + 1) / (weight + usual) for rare, weight in zip(rarity, weights, strict=True)
        )


def _rarity(term: Term, index: Index) -> float:
    items, having = index.size[0], index.count(term.match)
    return max(math.log((items - having + 0.5) / (having + 0.5)), 1e-6)


def _weight(term: Term, words: _Words) -> float:
    """How often an item has a term, each time as much as its column counts."""
    return sum(
        weight * _times(term, words[column])
        for column, weight in zip(COLUMNS, WEIGHTS, strict=True)
        if term.field in (None, column)
    )


def _times(term: Term, words: Sequence[str]) -> int:
    *first, last = term.words
    length = len(term.words)
    return sum(
        list(words[at : at + length - 1]) == first
        and (words[at + length - 1].startswith(last) if term.begins else words[at + length - 1] == last)
        for at in range(len(words) - length + 1)
    )


_made: WeakKeyDictionary[Overlay, Changed] = WeakKeyDictionary()
_making = Lock()


def changed_of(collection: Overlay) -> Changed:
    """What was put into a collection, made ready for questions when it is first asked for."""
    with _making:
        found = _made.get(collection)
        if found is None:
            rows = np.flatnonzero(~collection.stored)
            records = [collection.record(row) for row in rows.tolist()]
            found = _made[collection] = Changed(rows, records)
        return found
