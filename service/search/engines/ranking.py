"""Ranking, one for all engines: which rows may be neighbours, and the best of them, in one type or in all."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import log10
from typing import Final

import numpy as np

from features.arrays import Array, Bools, Doubles, Rows, Singles
from models.types import SCALE, SimilarityType
from service.search.engines.port import ProposedItem

PLACES = 6  # decimals at which scores are compared: sums of the same terms in another order are ties

STEP: Final = 10.0**-PLACES  # how far apart two scores are at least that are no tie
_CHUNK: Final = 256  # scores of which the best is found first
_FEW: Final = 4  # groups of duplicates up to which it takes less time to look for one after the other


class Eligible:
    """Which rows an answer may hold: bool[rows]; ``duplicates`` gives exact duplicates the same number.

    >>> eligible = Eligible(np.array([0, 1, 1, 0, 2, 2]))
    >>> np.flatnonzero(eligible([0], None)).tolist()  # 3 is a duplicate of the seed
    [1, 4]
    >>> np.flatnonzero(eligible([0, 1], np.array([True, True, True, True, False, True]))).tolist()
    [5]
    """

    def __init__(self, duplicates: Array) -> None:
        self._groups = np.asarray(duplicates, np.int32)
        self._number = int(self._groups.max(initial=-1)) + 1

    def __call__(self, without: Sequence[int], allowed: Bools | None) -> Bools:
        """All but some rows and their duplicates, among those that are allowed."""
        mask = self.firsts.copy() if allowed is None else self._first_of(np.flatnonzero(allowed))
        groups = set(self._groups[list(without)].tolist())
        if len(groups) <= _FEW:
            for group in groups:
                mask[self._groups == group] = False
            return mask
        gone = np.zeros(self._number, dtype=bool)
        gone[list(groups)] = True
        mask[gone[self._groups]] = False
        return mask

    @cached_property
    def firsts(self) -> Bools:
        """The first row of each group of duplicates."""
        return self._first_of(np.arange(len(self._groups)))

    def _first_of(self, rows: Rows) -> Bools:
        """Of some rows the first of each group of duplicates."""
        first = np.full(self._number, -1)
        # backwards, so that of several duplicates the first row is written last
        first[self._groups[rows[::-1]]] = rows[::-1]
        firsts: Bools = np.zeros(len(self._groups), dtype=bool)
        firsts[first[first >= 0]] = True
        return firsts


def candidates(scores: Singles, number: int, margin: float) -> Rows:
    """The rows, ascending, of all scores that are less than ``margin`` below the best ``number``.

    A score of minus infinity is no score.

    >>> candidates(np.array([1.0, 3.0, 2.9, -np.inf, 2.0], np.float32), 1, 0.2).tolist()
    [1, 2]
    """
    # the best of each chunk are among the scores: the last of the best of all is as high as that of theirs
    chunks = scores[: len(scores) // _CHUNK * _CHUNK].reshape(-1, _CHUNK).max(axis=1)
    last = last_of(chunks, number)
    rows = np.flatnonzero(scores >= last - margin if last > -np.inf else scores > -np.inf)
    return rows[scores[rows] >= last_of(scores[rows], number) - margin]


def last_of(scores: Singles, number: int) -> float:
    """The last of the best ``number``; minus infinity where there are fewer."""
    return float(np.partition(scores, -number)[-number]) if len(scores) >= number else -np.inf


def nearest(
    ids: Sequence[str],
    rows: Rows,
    scores: Doubles,
    limit: int,
    after: ProposedItem | None = None,
    above: int = 0,
) -> list[ProposedItem]:
    """The ``limit`` best of some rows, which ascend, behind ``after``: score down, ties by id.

    A score of minus infinity is no score. ``above`` is how many others score higher than all of the rows.

    >>> ids, scores = ["a", "b", "c", "d", "e"], np.array([1.0, 3.0, 2.0, 3.0, -np.inf])
    >>> [tuple(one) for one in nearest(ids, np.arange(5), scores, 2)]
    [('b', 3.0, 2), ('d', 3.0, 2)]
    >>> [one.id for one in nearest(ids, np.arange(5), scores, 9, ProposedItem("b", 3.0))]
    ['d', 'c', 'a']
    """
    bounds = np.round(scores, PLACES)
    every, behind = np.sort(-bounds), (bounds > -np.inf) & ~_passed(ids, rows, bounds, after)
    rows, bounds = rows[behind], bounds[behind]
    # rows are in the order of ids, so a stable sort by score settles ties by id
    best = np.argsort(-bounds, kind="stable")[:limit]
    ranks = above + np.searchsorted(every, -bounds[best], side="right")
    each = zip(rows[best].tolist(), bounds[best].tolist(), ranks.tolist(), strict=True)
    return [ProposedItem(ids[row], score, rank) for row, score, rank in each]


def passed(ids: Sequence[str], rows: Rows, scores: Doubles, after: ProposedItem | None) -> int:
    """How many of some rows stand before a place in the order, or on it.

    >>> passed(["a", "b", "c"], np.arange(3), np.array([1.0, 3.0, 3.0]), ProposedItem("b", 3.0))
    1
    """
    return int(np.count_nonzero(_passed(ids, rows, np.round(scores, PLACES), after)))


def _passed(ids: Sequence[str], rows: Rows, bounds: Doubles, after: ProposedItem | None) -> Bools:
    if after is None:
        return np.zeros(len(rows), np.bool_)
    tied = (bounds == after.bound) & (rows < bisect_right(ids, after.id))
    before: Bools = (bounds > after.bound) | tied
    return before


def motivated(
    nearest: Mapping[SimilarityType, Sequence[ProposedItem]], items: int, limit: int
) -> list[tuple[str, SimilarityType]]:
    """Neighbours of all types as one list of ids, each with the type in which it stands out most.

    It stands out by its score (as a part of 5) times the information, in decimal digits, of how few of
    ``items`` score as high: being one of three in a hundred thousand by the same place says more than being
    one of fifty thousand by the same author.

    >>> place, time = "location", "time"
    >>> near = {place: [ProposedItem("g", 4.0, 2), ProposedItem("h", 4.0, 2)], time: [ProposedItem("i", 5.0)]}
    >>> motivated(near, 99, 2) == [("i", time), ("g", place)]  # 2.0; .8 x 1.7, twice
    True
    """
    strongest: dict[str, tuple[float, SimilarityType]] = {}
    for kind, proposals in nearest.items():
        for one in proposals:
            part = min(max(one.bound, SCALE[0]), SCALE[1]) / SCALE[1]
            strength = part * log10((items + 1) / one.tied_rank)
            if one.id not in strongest or strength > strongest[one.id][0]:
                strongest[one.id] = (strength, kind)
    order = sorted(strongest.items(), key=lambda each: (-each[1][0], each[0]))[:limit]
    return [(item, kind) for item, (_, kind) in order]
