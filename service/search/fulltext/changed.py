"""The items that were put since a collection was built: few enough to look through at every question."""

from collections.abc import Mapping, Sequence
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np

from features.arrays import Floats, Rows
from features.collection.delta import Delta
from features.fulltext.index_file import COLUMNS, sort_key, texts
from features.fulltext.text_index import TextIndex
from ingest.record import Record
from service.search.fulltext.language import TOKENS, Term
from service.search.fulltext.relevance import MORE, WeightedTerm, usual

_Words = Mapping[str, Sequence[str]]


class ChangedWords:
    """The words of the items that were put, by their ``rows`` in the changed collection, ascending."""

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

    def matching(self, wanted: Sequence[Term], unwanted: Sequence[Term]) -> Rows:
        """The rows that have all terms of one kind and none of the other."""
        fits = [
            all(_has(term, words) for term in wanted) and not any(_has(term, words) for term in unwanted)
            for words in self._words
        ]
        return np.asarray(self.rows[np.array(fits, dtype=bool)])

    def scores(self, terms: Sequence[WeightedTerm], index: TextIndex) -> Floats:
        """How well each of the items fits that has all the terms.

        How rare a term is, and how long an item usually is, is that of the collection that was built: an item
        that was put as it was already fits as well as before.
        """
        lengths = [sum(map(len, words.values())) for words in self._words]
        long, total = usual(np.array(lengths, np.float64), index), np.zeros(len(self._words))
        for one in terms:
            weights = [
                1 + sum(MORE[field] for field in one.fields if _occurs(one.term, words[field]))
                for words in self._words
            ]
            total += one.score(np.array(weights, np.float64), long)
        return total


def _has(term: Term, words: _Words) -> bool:
    return any(_occurs(term, words[column]) for column in COLUMNS if term.field in (None, column))


def _occurs(term: Term, words: Sequence[str]) -> bool:
    *first, last = term.words
    length = len(term.words)
    return any(
        list(words[at : at + length - 1]) == first
        and (words[at + length - 1].startswith(last) if term.begins else words[at + length - 1] == last)
        for at in range(len(words) - length + 1)
    )


_made: WeakKeyDictionary[Delta, ChangedWords] = WeakKeyDictionary()
_making = Lock()


def changed_of(collection: Delta) -> ChangedWords:
    """What was put into a collection, made ready for questions when it is first asked for."""
    with _making:
        if collection not in _made:
            rows = np.flatnonzero(~collection.stored)
            _made[collection] = ChangedWords(rows, [collection.record(row) for row in rows.tolist()])
        return _made[collection]
