"""Which rows may be neighbours, and the best of them."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log10

import numpy as np
import numpy.typing as npt

from features.measures.base import Bools, Rows, Scores
from models.types import SCALE, SimilarityType
from service.index.port import Proposal

PLACES = 6
"""Decimals at which scores are told apart: sums of the same terms in another order are ties."""


class Eligible:
    """Which rows an answer may hold: bool[rows]; ``duplicates`` gives exact duplicates the same number.

    >>> eligible = Eligible(np.array([0, 1, 1, 0, 2, 2]))
    >>> np.flatnonzero(eligible([0], None)).tolist()  # 3 is a duplicate of the seed
    [1, 4]
    >>> np.flatnonzero(eligible([0, 1], np.array([True, True, True, True, False, True]))).tolist()
    [5]
    """

    def __init__(self, duplicates: npt.NDArray[np.generic]) -> None:
        self._groups = np.asarray(duplicates, np.int32)
        self._number = int(self._groups.max(initial=-1)) + 1

    def __call__(self, without: Sequence[int], allowed: Bools | None) -> Bools:
        """All but some rows and their duplicates, among those that are allowed."""
        gone = np.zeros(self._number, dtype=bool)
        gone[self._groups[list(without)]] = True
        firsts = self._firsts if allowed is None else self._first_of(np.flatnonzero(allowed))
        mask: Bools = firsts & ~gone[self._groups]
        return mask

    @cached_property
    def _firsts(self) -> Bools:
        return self._first_of(np.arange(len(self._groups)))

    def _first_of(self, rows: Rows) -> Bools:
        """Of some rows the first of each group of duplicates."""
        first = np.full(self._number, -1)
        # backwards, so that of several duplicates the first row is written last
        first[self._groups[rows[::-1]]] = rows[::-1]
        found: Bools = np.zeros(len(self._groups), dtype=bool)
        found[first[first >= 0]] = True
        return found


def nearest(
    ids: Sequence[str], scores: Scores, eligible: Bools, limit: int, after: Proposal | None = None
) -> list[Proposal]:
    """The ``limit`` best of the items that may be given, behind ``after``: score down, ties by id.

    The ids ascend. A score of minus infinity is no score.

    >>> ids, scores = ["a", "b", "c", "d", "e"], np.array([1.0, 3.0, 2.0, 3.0, -np.inf])
    >>> [tuple(one) for one in nearest(ids, scores, np.full(5, True), 2)]
    [('b', 3.0, 2), ('d', 3.0, 2)]
    >>> [one.id for one in nearest(ids, scores, np.full(5, True), 9, Proposal("b", 3.0))]
    ['d', 'c', 'a']
    """
    ranked = np.where(eligible, scores, -np.inf)
    given = 0
    if after is not None:
        ranked = np.round(ranked, PLACES)
        upto = bisect_right(ids, after.id)
        before = ranked > after.bound
        before[:upto] |= ranked[:upto] == after.bound
        given = int(np.count_nonzero(before))
        ranked[before] = -np.inf
    limit = min(limit, int(np.count_nonzero(ranked > -np.inf)))
    if not limit:
        return []
    # every row that ties with the last place is a candidate for it; to round them all would cost more
    last = np.partition(ranked, len(ranked) - limit)[len(ranked) - limit]
    rows = np.flatnonzero(ranked >= last - 10.0**-PLACES)
    bounds = np.round(ranked[rows], PLACES)
    # rows are in id order, so a stable sort by score settles ties by id
    order = np.argsort(-bounds, kind="stable")
    order = order[bounds[order] >= bounds[order[limit - 1]]]
    rows, bounds = rows[order], bounds[order]
    as_high = given + np.searchsorted(-bounds, -bounds[:limit], side="right")
    found = zip(rows[:limit].tolist(), bounds[:limit].tolist(), as_high.tolist(), strict=True)
    return [Proposal(ids[row], score, number) for row, score, number in found]


def motivated(
    nearest: Mapping[SimilarityType, Sequence[Proposal]], items: int, limit: int
) -> list[tuple[str, SimilarityType]]:
    """Neighbours of all types as one list of ids, each with the type in which it stands out most.

    It stands out by its score (as a part of 5) times the information, in decimal digits, of how few of
    ``items`` score as high: being one of three in a hundred thousand by the same place says more than being
    one of fifty thousand by the same author.

    >>> place, time = "location", "time"
    >>> near = {place: [Proposal("g", 4.0, 2), Proposal("h", 4.0, 2)], time: [Proposal("i", 5.0)]}
    >>> motivated(near, 99, 2) == [("i", time), ("g", place)]  # 2.0; .8 x 1.7, twice
    True
    """
    strongest: dict[str, tuple[float, SimilarityType]] = {}
    for kind, found in nearest.items():
        for one in found:
            part = min(max(one.bound, SCALE[0]), SCALE[1]) / SCALE[1]
            strength = part * log10((items + 1) / one.as_high)
            if one.id not in strongest or strength > strongest[one.id][0]:
                strongest[one.id] = (strength, kind)
    order = sorted(strongest.items(), key=lambda each: (-each[1][0], each[0]))[:limit]
    return [(item, kind) for item, (_, kind) in order]
