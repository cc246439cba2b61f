"""The terms of every type of an additive system, chosen step by step from what pairs and prices say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from evaluation.folds import Division, folds, unseen
from evaluation.forward import Forward, SelectionTrials, blocks
from evaluation.selection import INNER_FOLDS
from features.arrays import Bools, Doubles, Rows
from features.measures.base import MeasureSettings, needed
from ingest.errors import PairsError, UsageError
from models.regressors.additive import AdditiveSettings
from models.types import SimilarityType


class SelectionLimits(NamedTuple):
    """How far a selection goes.

    ``terms`` is the most of a type and ``features`` the most in all, their parts and those of
    ``not_applicable`` among them. ``price`` is the r that a millisecond of a question must bring a type.
    """

    terms: int = 16
    features: int = 40
    price: float = 0.001


TERM_COST = 0.2
"""Milliseconds that a further term takes over a column that is read anyway."""


class SelectionStep(NamedTuple):
    """A term that was chosen for a type: r of the type with it, what it brought, and what that cost."""

    kind: SimilarityType
    term: str
    folds: float
    unseen: float
    gain: float
    price: float


@dataclass(frozen=True, eq=False)
class CandidateTerms:
    """What terms are chosen among, and by what prices.

    ``names`` are the columns of the values; ``among`` says of each type which of them it may use, ``given``
    which it has in any case. ``read`` are features that the system reads whatever is chosen.
    """

    names: tuple[str, ...]
    among: Mapping[SimilarityType, tuple[str, ...]]
    given: Mapping[SimilarityType, tuple[str, ...]]
    read: tuple[str, ...]
    declared: Mapping[str, MeasureSettings]

    @classmethod
    def of(
        cls,
        row: AdditiveSettings,
        types: Sequence[SimilarityType],
        declared: Mapping[str, MeasureSettings],
        kept: Mapping[str, MeasureSettings],
    ) -> "CandidateTerms":
        """The field of a system's row; of its candidates those that are ``kept``."""
        among = {kind: tuple(name for name in row.choice(kind) if name in kept) for kind in types}
        given = {kind: (name,) for kind, name in row.decisive.items() if kind in among}
        read = tuple(dict.fromkeys(row.not_applicable.values()))
        names = tuple(dict.fromkeys((*(name for each in among.values() for name in each), *read)))
        return cls(names, among, given, read, declared)

    @cached_property
    def _parts(self) -> dict[str, frozenset[str]]:
        return {name: frozenset(needed((name,), self.declared)) for name in self.names}

    def parts(self, *names: str) -> frozenset[str]:
        """Features with the parts that they are made of."""
        return frozenset[str]().union(*(self._parts[name] for name in names))

    def cost(self, name: str, read: frozenset[str]) -> float:
        """Milliseconds that a term over a feature adds where some features are read already."""
        fresh = self.parts(name) - read
        return TERM_COST + sum(self.declared[part].search_cost for part in sorted(fresh))


class ChoosingPairs(NamedTuple):
    """Pairs to choose by: values float64[pairs, names], gold float64[pairs, types], groups and providers."""

    values: Doubles
    gold: Doubles
    known: Bools
    group: Rows
    providers: list[tuple[str, str]]

    def over(self, rows: Rows) -> "ChoosingPairs":
        """Some of the pairs."""
        providers = [self.providers[row] for row in rows]
        return ChoosingPairs(
            self.values[rows], self.gold[rows], self.known[rows], self.group[rows], providers
        )


def ways(learnt: ChoosingPairs, number: int, seed: int) -> list[list[Division]]:
    """The divisions that tell terms apart: folds, and providers left out where pairs remain to train on.

    Raises ``PairsError`` where all pairs hang together.
    """
    number = min(number, len(np.unique(learnt.group)))
    if number < 2:
        raise PairsError(
            f"terms are told apart by folds, for which the {len(learnt.group)} pairs that they are chosen"
            " from must make two groups that share no record; choose from more pairs"
        )
    left_out = unseen(learnt.providers, strict=False)
    return [folds(learnt.group, number, seed), *([left_out] if left_out else [])]


def choose(
    row: AdditiveSettings,
    field: CandidateTerms,
    learnt: ChoosingPairs,
    limits: SelectionLimits,
    seed: int,
    number: int = INNER_FOLDS,
) -> list[SelectionStep]:
    """The terms of all types, in the order in which they were chosen.

    Every step takes, over all types, the term that brings most: the mean of r over the folds and r on
    providers left out, less the price of what has to be read for it. It ends where none brings more than
    its price; a type that has none yet takes its best.
    """
    design = blocks(learnt.values, row.knots, row.width)
    trials = SelectionTrials(design, ways(learnt, number, seed))
    chosen = [
        _Type(kind, Forward(trials, learnt.gold[:, n], learnt.known[:, n], row.ridge), field)
        for n, kind in enumerate(field.among)
    ]
    steps: list[SelectionStep] = []
    read = field.parts(*field.read)
    for each in chosen:
        for name in field.given.get(each.kind, ()):
            steps.append(each.take(field.names.index(name), read, limits))
            read |= field.parts(name)
    while True:
        best = [(*each.best(read, limits), each) for each in chosen]
        gain, at, each = max(best, key=lambda found: (found[0] > 0 or not found[2].steps, found[0]))
        if gain <= 0 and each.steps:
            return steps
        if gain == -np.inf:
            raise UsageError(
                f"no feature that {each.kind} may use fits beside those that are read: raise --most-features"
            )
        steps.append(each.take(at, read, limits))
        read |= field.parts(field.names[at])


class _Type:
    """The selection of one type."""

    def __init__(self, kind: SimilarityType, forward: Forward, field: CandidateTerms) -> None:
        self.kind, self._forward, self._field = kind, forward, field
        self._free = np.array([name in field.among[kind] for name in field.names], dtype=bool)
        self._now, self.steps = 0.0, 0
        self._look()

    def _look(self) -> None:
        self._found = self._forward.agreement(self._forward.trial())
        self._means = self._found.mean(axis=0)

    def best(self, read: frozenset[str], limits: SelectionLimits) -> tuple[float, int]:
        """The highest gain above its price among the features that are free, and where it is."""
        gains = np.full(len(self._field.names), -np.inf)
        if self.steps >= limits.terms:
            return -np.inf, 0
        for n in np.flatnonzero(self._free):
            name = self._field.names[n]
            if len(read | self._field.parts(name)) <= limits.features:
                price = limits.price * self._field.cost(name, read)
                gains[n] = self._means[n] - self._now - price
        return float(gains.max()), int(gains.argmax())

    def take(self, at: int, read: frozenset[str], limits: SelectionLimits) -> SelectionStep:
        """Choose a feature."""
        found, mean, name = self._found[:, at], float(self._means[at]), self._field.names[at]
        gain, price = mean - self._now, limits.price * self._field.cost(name, read)
        self._forward.add(at)
        self._free[at] = False
        self._now, self.steps = mean, self.steps + 1
        self._look()
        return SelectionStep(
            self.kind, name, float(found[0]), float(found[1]) if len(found) > 1 else np.nan, gain, price
        )


def own(
    steps: Sequence[SelectionStep], types: Sequence[SimilarityType]
) -> dict[SimilarityType, tuple[str, ...]]:
    """The chosen terms by type, in the order in which they were chosen."""
    return {kind: tuple(step.term for step in steps if step.kind == kind) for kind in types}
