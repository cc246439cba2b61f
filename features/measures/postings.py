"""Posting lists: which rows of a table have each term."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.compiled import compiled
from features.measures.tables import Array, Arrays, Longs

Counts = npt.NDArray[np.integer]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]


class Postings(NamedTuple):
    """The posting list of term ``terms[n]`` is ``rows[lists[n]:lists[n + 1]]``, with ``counts`` beside it.

    ``terms`` ascend.

    >>> found = inverted(np.array([0, 2, 3]), np.array([3, 7, 7]), np.array([1, 2, 1]))
    >>> found.terms.tolist(), found.rows.tolist(), found.counts.tolist()
    ([3, 7], [0, 0, 1], [1, 2, 1])
    >>> found.sums(np.array([5, 7]), np.array([9.0, 0.5]), 2).tolist()  # 2 x .5, 1 x .5
    [1.0, 0.5]
    """

    terms: Ints
    lists: Longs
    rows: Ints
    counts: Counts

    @classmethod
    def of(cls, arrays: Arrays) -> "Postings":
        """Stored posting lists, used where they lie."""
        terms, lists, rows, counts = (np.asarray(arrays[f"posting_{name}"]) for name in cls._fields)
        return cls(terms.view(np.int32), lists.view(np.int64), rows.view(np.int32), np.asarray(counts))

    def arrays(self) -> dict[str, Array]:
        """What has to be stored, by name."""
        return {f"posting_{name}": array for name, array in self._asdict().items()}

    def sums(self, terms: Counts, weights: Doubles, size: int) -> Doubles:
        """Of each of ``size`` rows the sum of its counts of some terms times their weights."""
        places = np.minimum(np.searchsorted(self.terms, terms), max(len(self.terms) - 1, 0))
        known = self.terms[places] == terms if len(self.terms) else np.zeros(len(terms), np.bool_)
        found = np.zeros(size)
        _add(found, self.lists, self.rows, self.counts, places[known], weights[known])
        return found

    def having(self, term: int) -> Ints:
        """The rows that have a term.

        >>> inverted(np.array([0, 2, 3]), np.array([3, 7, 7]), np.array([1, 2, 1])).having(7).tolist()
        [0, 1]
        """
        place = int(np.searchsorted(self.terms, term))
        known = place < len(self.terms) and self.terms[place] == term
        return self.rows[self.lists[place] : self.lists[place + 1]] if known else self.rows[:0]


def inverted(starts: Longs, terms: Counts, counts: Counts) -> Postings:
    """The posting lists of rows whose terms are ``terms[starts[r]:starts[r + 1]]``."""
    order = np.argsort(terms, kind="stable")
    rows = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))[order]
    distinct, first = np.unique(terms[order], return_index=True)
    return Postings(
        distinct.astype(np.int32), np.append(first, len(rows)).astype(np.int64), rows, counts[order]
    )


@compiled
def _add(found: Doubles, lists: Longs, rows: Ints, counts: Counts, places: Longs, weights: Doubles) -> None:
    for n in range(len(places)):
        for at in range(lists[places[n]], lists[places[n] + 1]):
            found[rows[at]] += counts[at] * weights[n]
