"""Which rows may be neighbours, and the best of them: shared by every index."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log10

import numpy as np
import numpy.typing as npt

from features.measures.base import Rows, Scores
from models.types import SCALE, SimilarityType
from service.index.port import Asked, Found, Mask

PLACES = 9
"""Decimals at which scores are told apart: sums of the same terms in another order are ties."""


class Eligible:
    """Which rows an answer may hold: bool[rows]; ``duplicates`` gives exact duplicates the same number.

    >>> from service.index.port import Seed
    >>> eligible = Eligible(np.array([0, 1, 1, 0, 2, 2]))
    >>> np.flatnonzero(eligible(Asked((Seed(0),)))).tolist()  # 3 is a duplicate of the seed
    [1, 4]
    >>> some = np.array([True, True, True, True, False, True])
    >>> np.flatnonzero(eligible(Asked((Seed(0),), some, frozenset({1})))).tolist()
    [5]
    """

    def __init__(self, duplicates: npt.NDArray[np.generic]) -> None:
        self._groups = np.asarray(duplicates, np.int32)
        self._number = int(self._groups.max(initial=-1)) + 1

    def __call__(self, asked: Asked) -> Mask:
        """The rows for what is asked."""
        gone = np.zeros(self._number, dtype=bool)
        gone[self._groups[[*asked.without, *(seed.row for seed in asked.seeds)]]] = True
        firsts = self._firsts if asked.allowed is None else self._first_of(np.flatnonzero(asked.allowed))
        may: Mask = firsts & ~gone[self._groups]
        return may

    @cached_property
    def _firsts(self) -> Mask:
        return self._first_of(np.arange(len(self._groups)))

    def _first_of(self, rows: Rows) -> Mask:
        """Of some rows the first of each group of duplicates."""
        first = np.full(self._number, -1)
        # backwards, so that of several duplicates the first row is written last
        first[self._groups[rows[::-1]]] = rows[::-1]
        found: Mask = np.zeros(len(self._groups), dtype=bool)
        found[first[first >= 0]] = True
        return found


def best(scores: Scores, may: Mask, limit: int, after: Found | None = None) -> list[Found]:
    """The ``limit`` best of the rows that may be given, from ``after`` on: score down, ties by row.

    A score of minus infinity is no score.

    >>> scores = np.array([1.0, 3.0, 2.0, 3.0, -np.inf])
    >>> best(scores, np.full(5, True), 2)
    [Found(row=1, score=3.0), Found(row=3, score=3.0)]
    >>> [found.row for found in best(scores, np.full(5, True), 9, Found(1, 3.0))]
    [3, 2, 0]
    """
    ranked = np.where(may, np.round(scores, PLACES), -np.inf)
    if after is not None:
        gone = ranked > after.score
        gone[: after.row + 1] |= ranked[: after.row + 1] == after.score
        ranked[gone] = -np.inf
    limit = min(limit, int(np.count_nonzero(ranked > -np.inf)))
    if not limit:
        return []
    # every row that ties with the last place is a candidate for it
    bound = np.partition(ranked, len(ranked) - limit)[len(ranked) - limit]
    rows: npt.NDArray[np.intp] = np.flatnonzero(ranked >= bound)
    # rows are in id order, so a stable sort by score settles ties by id
    chosen = rows[np.argsort(-ranked[rows], kind="stable")][:limit]
    return [Found(int(row), float(ranked[row])) for row in chosen]


def best_of(rows: Rows, scores: Scores, limit: int, after: Found | None = None) -> list[Found]:
    """As ``best``, of some rows, ascending, whose scores are given.

    >>> best_of(np.array([4, 7]), np.array([2.0, 2.0]), 9, Found(5, 2.0))
    [Found(row=7, score=2.0)]
    """
    if after is not None:
        after = Found(int(np.searchsorted(rows, after.row, "right")) - 1, after.score)
    found = best(scores, np.ones(len(rows), dtype=bool), limit, after)
    return [Found(int(rows[one.row]), one.score) for one in found]


def motivated(
    nearest: Mapping[SimilarityType, Sequence[Found]], items: int, limit: int
) -> list[tuple[Found, SimilarityType]]:
    """Neighbours of all types as one list, each with the type in which it stands out most.

    It stands out by its score (as a part of 5) times the information, in decimal digits, of how few of
    ``items`` are as near: being one of three in a hundred thousand by the same place says more than being
    one of fifty thousand by the same author.

    >>> place, time = "location", "time"
    >>> near = {place: [Found(7, 4.0), Found(8, 4.0), Found(9, 1.0)], time: [Found(9, 5.0)]}
    >>> motivated(near, 99, 2) == [(Found(9, 5.0), time), (Found(7, 4.0), place)]  # 2.0; .8 x 1.7, twice
    True
    """
    strongest: dict[int, tuple[float, Found, SimilarityType]] = {}
    for kind, found in nearest.items():
        scores = [one.score for one in found]
        for one in found:
            # the scores descend: those that tie with this one count as well
            as_high = bisect_right(scores, -one.score, key=lambda score: -score)
            strength = min(max(one.score, SCALE[0]), SCALE[1]) / SCALE[1] * log10((items + 1) / as_high)
            if one.row not in strongest or strength > strongest[one.row][0]:
                strongest[one.row] = (strength, one, kind)
    order = sorted(strongest.values(), key=lambda each: (-each[0], each[1].row))[:limit]
    return [(one, kind) for _, one, kind in order]
