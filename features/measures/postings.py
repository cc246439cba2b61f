"""Posting lists: which rows of a table have each term."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from features.arrays import Arrays, Bools, Doubles, Integers, Ints, Longs, NewArrays, Singles
from features.compiled import compiled
from features.measures.spill_buffers import blank


class Postings(NamedTuple):
    """The posting list of term ``terms[n]`` is ``rows[lists[n]:lists[n + 1]]``, with ``counts`` beside it.

    ``terms`` ascend.

    >>> postings = inverted(np.array([0, 2, 3]), np.array([3, 7, 7]), np.array([1, 2, 1]))
    >>> postings.terms.tolist(), postings.rows.tolist(), postings.counts.tolist()
    ([3, 7], [0, 0, 1], [1, 2, 1])
    >>> postings.sums(np.array([5, 7]), np.array([9.0, 0.5]))(slice(0, 2)).tolist()  # 2 x .5, 1 x .5
    [1.0, 0.5]
    >>> [postings.having(term).tolist() for term in (3, 7, 5, 9)]
    [[0], [0, 1], [], []]
    """

    terms: Ints
    lists: Longs
    rows: Ints
    counts: Integers

    @classmethod
    def of(cls, arrays: Arrays) -> "Postings":
        """Stored posting lists, used where they lie."""
        terms, lists, rows, counts = (np.asarray(arrays[f"posting_{name}"]) for name in cls._fields)
        return cls(terms.view(np.int32), lists.view(np.int64), rows.view(np.int32), np.asarray(counts))

    def arrays(self) -> NewArrays:
        """What has to be stored, by name."""
        return {f"posting_{name}": array for name, array in self._asdict().items()}

    def sums(self, terms: Integers, weights: Doubles) -> Callable[[slice], Singles]:
        """What gives of each of some rows the sum of its counts of some terms times their weights."""
        places, known = positions_in(self.terms, terms)
        own, factors = places[known], weights[known]
        first, beyond = self.lists[own], self.lists[own + 1]
        return lambda rows: _sums(rows.start, rows.stop, first, beyond, self.rows, self.counts, factors)

    def having(self, term: int) -> Ints:
        """The rows that have a term."""
        place = int(np.searchsorted(self.terms, term))
        known = place < len(self.terms) and self.terms[place] == term
        return self.rows[self.lists[place] : self.lists[place + 1]] if known else self.rows[:0]


def positions_in(terms: Integers, wanted: Integers) -> tuple[Longs, Bools]:
    """The places of some terms among ascending ones, and which of them are there.

    >>> places, there = positions_in(np.array([3, 7]), np.array([7, 5, 9]))
    >>> places[there].tolist(), there.tolist()
    ([1], [True, False, False])
    """
    if not len(terms):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(terms, wanted), len(terms) - 1)
    return places, terms[places] == wanted


def weights_among(terms: Integers, weights: Doubles, wanted: Integers) -> Doubles:
    """The weight of each of some terms among ascending ones with weights; 0 for one that is not there.

    >>> weights_among(np.array([3, 7]), np.array([0.5, 2.0]), np.array([7, 5, 3])).tolist()
    [2.0, 0.0, 0.5]
    """
    places, there = positions_in(terms, wanted)
    own: Doubles = np.append(weights, 0.0)[np.where(there, places, -1)]
    return own


def inverted(starts: Longs, terms: Integers, counts: Integers) -> Postings:
    """The posting lists of rows whose terms are ``terms[starts[r]:starts[r + 1]]``."""
    number = tally(terms, int(terms.max(initial=-1)) + 1)
    beyond = np.cumsum(number)
    rows, own = blank(np.int32, len(terms)).view(np.int32), blank(counts.dtype, len(terms)).view(counts.dtype)
    _place(starts, terms, counts, beyond - number, rows, own)
    distinct = np.flatnonzero(number)
    return Postings(distinct.astype(np.int32), np.append(0, beyond[distinct]), rows, own)


@compiled
def tally(terms: Integers, size: int) -> Longs:
    """How often each of the numbers below ``size`` stands there."""
    counts = np.zeros(size, np.int64)
    for term in terms:
        counts[term] += 1
    return counts


@compiled
def _place(starts: Longs, terms: Integers, counts: Integers, free: Longs, rows: Ints, own: Integers) -> None:
    """Write each row, and its count, at the next free place of each of its terms."""
    for row in range(len(starts) - 1):
        for at in range(starts[row], starts[row + 1]):
            place = free[terms[at]]
            rows[place], own[place] = row, counts[at]
            free[terms[at]] = place + 1


@compiled
def _sums(
    start: int, stop: int, first: Longs, beyond: Longs, rows: Ints, counts: Integers, weights: Doubles
) -> Singles:
    sums = np.zeros(stop - start, np.float32)
    for n in range(len(first)):
        entries = rows[first[n] : beyond[n]]
        own, weight = counts[first[n] : beyond[n]], weights[n]
        for at in range(np.searchsorted(entries, start), len(entries)):
            row = entries[at]
            if row >= stop:
                break
            sums[row - start] += np.float32(own[at] * weight)
    return sums
