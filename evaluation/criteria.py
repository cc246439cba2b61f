"""What the terms of a system are chosen by: how pairs are divided, and what r counts in each division."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from evaluation.fitting import Division, folds, unseen
from evaluation.museums import counts, left_out
from evaluation.typed import DirectoryPairs
from features.arrays import Bools, Doubles, Rows
from ingest.errors import PairsError


class ChoosingPairs(NamedTuple):
    """Pairs to choose by: values float64[pairs, names], gold float64[pairs, types], groups and providers.

    ``same`` says which pairs are of the same texts.

    ``sets`` are the directories that they lie in, one after the other.
    """

    values: Doubles
    gold: Doubles
    known: Bools
    group: Rows
    providers: list[tuple[str, str]]
    same: Bools
    sets: tuple[DirectoryPairs, ...] = ()

    def over(self, rows: Rows) -> "ChoosingPairs":
        """Some of the pairs, in their order."""
        arrays = (self.values[rows], self.gold[rows], self.known[rows], self.group[rows])
        providers = [self.providers[row] for row in rows]
        return ChoosingPairs(*arrays, providers, self.same[rows], _within(self.sets, rows))


def _within(sets: Sequence[DirectoryPairs], rows: Rows) -> tuple[DirectoryPairs, ...]:
    within, first = [], 0
    for each in sets:
        number = int(np.count_nonzero((rows >= each.first) & (rows < each.first + each.number)))
        within.append(each._replace(first=first, number=number))
        first += number
    return tuple(each for each in within if each.number)


class Criterion(Protocol):
    """What a choice is judged by: one or two figures on the scale of r, whose mean each term has to raise."""

    heads: ClassVar[tuple[str, str]]
    """What the figures are called."""

    def ways(self, learnt: ChoosingPairs) -> list[list[Division]]:
        """Divisions of the pairs, in one or more ways; the r of a way is over all pairs that it tests."""
        ...

    def figures(self, r: Doubles, gold: Sequence[Doubles]) -> Doubles:
        """The figures float64[1 or 2, n] of r float64[ways, n]; ``gold`` is that of the pairs of each way."""
        ...


@dataclass(frozen=True)
class FoldsAndProviders:
    """r over pairs in folds, of which there are ``number``, and over those of providers left out: pooled."""

    number: int
    seed: int
    heads: ClassVar[tuple[str, str]] = ("folds", "unseen")

    def ways(self, learnt: ChoosingPairs) -> list[list[Division]]:
        """Folds, and divisions that leave providers out; ``PairsError`` where all pairs hang together."""
        number = min(self.number, len(np.unique(learnt.group)))
        if number < 2:
            raise PairsError(
                f"terms are told apart by folds, for which the {len(learnt.group)} pairs that they are chosen"
                " from must make two groups that share no record; choose from more pairs"
            )
        providers = unseen(learnt.providers, strict=False)
        return [folds(learnt.group, number, self.seed), *([providers] if providers else [])]

    def figures(self, r: Doubles, gold: Sequence[Doubles]) -> Doubles:
        """The r of either way."""
        return r


@dataclass(frozen=True)
class MuseumsLeftOut:
    """r within each of the ``tested`` sets, left out in turn: the mean, and the mean of the worst third.

    Of a type only the museums count in which it counts (:func:`~evaluation.museums.counts`). Where there are
    none both figures are 0.

    >>> r = np.array([[0.9, 0.4], [0.6, 0.5], [0.3, 0.8], [1.0, 1.0]])
    >>> gold = [np.array([0.0, 1.0])] * 3 + [np.zeros(2)]  # the fourth has nothing of the type
    >>> MuseumsLeftOut(("a", "b", "c", "d")).figures(r, gold).round(3).tolist()
    [[0.6, 0.567], [0.3, 0.4]]
    """

    tested: tuple[str, ...]
    heads: ClassVar[tuple[str, str]] = ("museums", "worst")

    def ways(self, learnt: ChoosingPairs) -> list[list[Division]]:
        """A way for each set that is tested, with its one division; ``PairsError`` where there is none."""
        present = [each.name for each in learnt.sets if each.name in self.tested]
        if not present:
            raise PairsError(
                "no museum is left by which terms are told apart; add the set of another museum"
                " to the folder that --museums names"
            )
        return [[division] for division in left_out(learnt.sets, learnt.providers, present)]

    def figures(self, r: Doubles, gold: Sequence[Doubles]) -> Doubles:
        """The mean over the museums, and over the third of them, rounded up, with the lowest r."""
        counted = np.sort(r[[counts(own) for own in gold]], axis=0)
        if not len(counted):
            return np.zeros((2, r.shape[1]))
        worst = counted[: -(-len(counted) // 3)]
        return np.stack([counted.mean(axis=0), worst.mean(axis=0)])
