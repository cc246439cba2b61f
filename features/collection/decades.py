"""How many items of a collection have years in each decade."""

from typing import NamedTuple, Protocol

import numpy as np

from features.arrays import Bools, Ints, Longs


class Decades(NamedTuple):
    """Stretches of decades, none twice in a row: a decade is its first year divided by ten."""

    rows: Longs
    first: Longs
    last: Longs

    @classmethod
    def of(cls, years: Ints) -> "Decades":
        """The decades that stretches of years meet, these being by row.

        >>> Decades.of(np.array([[0, 1838, 1842], [0, 1841, 1855], [1, -44, -44]], np.int32))
        Decades(rows=array([0, 0, 1]), first=array([183, 185,  -5]), last=array([184, 185,  -5]))
        """
        rows, first, last = years.T.astype(np.int64)
        first, last = first // 10, last // 10
        order = np.lexsort((first, rows))
        rows, first, last = rows[order], first[order], last[order]
        # each stretch begins behind the last decade of those of its row before it
        span = 2 * int(np.abs(years[:, 1:]).max(initial=0)) + 1
        reached = np.maximum.accumulate(rows * span + last) - rows * span
        same = rows[1:] == rows[:-1]
        first[1:][same] = np.maximum(first[1:], reached[:-1] + 1)[same]
        new = first <= last
        return cls(rows[new], first[new], last[new])

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """See :class:`CountsDecades`."""
        first, last = self.first, self.last
        if among is not None:
            counted = among[self.rows]
            first, last = first[counted], last[counted]
        if not len(first):
            return 0, np.zeros(0, np.int64)
        begin, width = int(first.min()), int(last.max() - first.min()) + 2
        change = np.bincount(first - begin, minlength=width) - np.bincount(last + 1 - begin, minlength=width)
        return begin, np.cumsum(change)[:-1]


class CountsDecades(Protocol):
    """Counts items by the decades that they have years in."""

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """The first decade of any, and how many items (of ``among``) have years in it and in each next."""
        ...
