"""The terms of every type of an additive system, chosen step by step by what they bring and cost.

The choice is part of the training, so for figures it is repeated inside what every division trains on.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from pydantic import JsonValue
from threadpoolctl import threadpool_limits

from evaluation.criteria import ChoosingPairs, Criterion
from evaluation.fitting import Division, Prediction
from evaluation.forward import Forward, SelectionTrials, blocks
from features.arrays import Doubles
from features.measures.base import MeasureSettings, needed
from features.processes import spread
from ingest.errors import UsageError
from models.regressors.additive import AdditiveSettings
from models.systems import fit
from models.types import SimilarityType, Types

_LOST = "a process of the selection was ended from outside (memory is the usual reason); run it again"


class SelectionLimits(NamedTuple):
    """How far a selection goes.

    ``terms`` is the most of a type and ``features`` the most in all, their parts and those of
    ``not_applicable`` and ``both`` among them. ``price`` is the r that a millisecond of a question must bring
    a type.
    """

    terms: int = 16
    features: int = 40
    price: float = 0.001


TERM_COST = 0.2
"""Milliseconds that a further term takes over a column that is read anyway."""


class SelectionStep(NamedTuple):
    """A term that was chosen for a type: r of the type with it, what it brought, and what that cost.

    ``r`` has the figures of the criterion by their names, NaN for one that cannot be had.
    """

    kind: SimilarityType
    term: str
    r: dict[str, float]
    gain: float
    price: float


class CandidateTerms(NamedTuple):
    """What terms are chosen among, and by what prices.

    ``names`` are the columns of the values; ``among`` says of each type which of them it may use.
    ``read`` are features that the system reads in any case.
    """

    names: tuple[str, ...]
    among: Mapping[SimilarityType, tuple[str, ...]]
    read: tuple[str, ...]
    declared: Mapping[str, MeasureSettings]

    @classmethod
    def of(
        cls,
        row: AdditiveSettings,
        types: Sequence[SimilarityType],
        declared: Mapping[str, MeasureSettings],
        present: Mapping[str, MeasureSettings],
    ) -> "CandidateTerms":
        """The candidates of a system's row that are ``present``."""
        among = {kind: tuple(name for name in row.choice(kind) if name in present) for kind in types}
        read = tuple(dict.fromkeys((*row.not_applicable.values(), *row.both.values())))
        names = tuple(dict.fromkeys((*(name for each in among.values() for name in each), *read)))
        return cls(names, among, read, declared)

    def parts(self, *names: str) -> frozenset[str]:
        """Features with the parts that they are made of."""
        return frozenset(needed(names, self.declared))

    def cost(self, name: str, read: frozenset[str]) -> float:
        """Milliseconds that a term over a feature adds where some features are read already."""
        fresh = self.parts(name) - read
        return TERM_COST + sum(self.declared[part].search_cost for part in sorted(fresh))


def choose(
    row: AdditiveSettings,
    field: CandidateTerms,
    learnt: ChoosingPairs,
    limits: SelectionLimits,
    criterion: Criterion,
    advance: Callable[[int], None] = lambda _: None,
) -> list[SelectionStep]:
    """The terms of all types, in the order in which they were chosen.

    Every step takes, over all types, the term that brings most: the mean of the figures of the criterion,
    less the price of what has to be read for it. It ends where none brings more than its price; a type that
    has none yet takes its best. ``advance`` is called with 1 after every step.
    """
    design = blocks(learnt.values, row.knots, row.width)
    trials = SelectionTrials(design, criterion.ways(learnt))
    types = [
        _TypeSelection(
            kind, Forward(trials, learnt.gold[:, n], learnt.known[:, n], row.ridge), field, criterion
        )
        for n, kind in enumerate(field.among)
    ]
    steps: list[SelectionStep] = []
    read = field.parts(*field.read)
    while True:
        best = [(*own.best(read, limits), own) for own in types]
        gain, at, own = max(best, key=lambda option: (option[0] > 0 or not option[2].steps, option[0]))
        if gain <= 0 and own.steps:
            return steps
        if gain == -np.inf:
            raise UsageError(
                f"no feature that {own.kind} may use fits beside those that are read: raise --most-features"
            )
        steps.append(own.add(at, read, limits))
        advance(1)
        read |= field.parts(field.names[at])


class _TypeSelection:
    def __init__(
        self, kind: SimilarityType, forward: Forward, field: CandidateTerms, criterion: Criterion
    ) -> None:
        self.kind, self._forward, self._field, self._criterion = kind, forward, field, criterion
        self._free = np.array([name in field.among[kind] for name in field.names], dtype=bool)
        self._now, self.steps = 0.0, 0
        self._try()

    def _try(self) -> None:
        r = self._forward.agreement(self._forward.trial())
        self._r = self._criterion.figures(r, self._forward.golds)

    def best(self, read: frozenset[str], limits: SelectionLimits) -> tuple[float, int]:
        """The highest gain above its price among the features that are free, and where it is."""
        gains, means = np.full(len(self._field.names), -np.inf), self._r.mean(axis=0)
        for n in np.flatnonzero(self._free) if self.steps < limits.terms else ():
            name = self._field.names[n]
            if len(read | self._field.parts(name)) <= limits.features:
                gains[n] = means[n] - self._now - limits.price * self._field.cost(name, read)
        return float(gains.max()), int(gains.argmax())

    def add(self, at: int, read: frozenset[str], limits: SelectionLimits) -> SelectionStep:
        """Choose a feature."""
        r, mean, name = self._r[:, at], float(self._r.mean(axis=0)[at]), self._field.names[at]
        gain, price = mean - self._now, limits.price * self._field.cost(name, read)
        self._forward.add(at)
        self._free[at] = False
        self._now, self.steps = mean, self.steps + 1
        self._try()
        figures = dict.fromkeys(self._criterion.heads, np.nan)
        figures |= dict(zip(self._criterion.heads, r.tolist(), strict=False))
        return SelectionStep(self.kind, name, figures, gain, price)


def terms(
    steps: Sequence[SelectionStep], types: Iterable[SimilarityType]
) -> dict[SimilarityType, tuple[str, ...]]:
    """The chosen terms by type, in the order in which they were chosen."""
    return {kind: tuple(step.term for step in steps if step.kind == kind) for kind in types}


class NestedSelection(NamedTuple):
    """A selection from some pairs that is repeated inside what every division trains on."""

    name: str
    row: AdditiveSettings
    field: CandidateTerms
    learnt: ChoosingPairs
    types: Types
    limits: SelectionLimits
    criterion: Criterion

    def scores(self, division: Division) -> tuple[Doubles, dict[str, tuple[str, ...]]]:
        """Scores of the pairs that a division tests, by a system of the others, and its terms."""
        learnt = self.learnt.over(division.train)
        chosen = terms(choose(self.row, self.field, learnt, self.limits, self.criterion), self.types)
        row = self.row.model_copy(update={"features": (), "own": chosen, "among": {}})
        columns = [self.field.names.index(name) for name in row.needs]
        system = fit(self.name, row, learnt.values[:, columns], learnt.gold, self.types)
        values, same = self.learnt.values[division.test][:, columns], self.learnt.same[division.test]
        return system.score_pairs(values, same), chosen


def predict_nested(
    selection: NestedSelection,
    divisions: Sequence[Division],
    workers: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Scores of all pairs that a division tests, by the procedure on its training pairs; else NaN."""
    scores = np.full(selection.learnt.gold.shape, np.nan)
    chosen: dict[str, Mapping[str, JsonValue]] = {}
    with spread(workers, _LOST, _load, selection) as pool:
        for division, (own, names) in zip(divisions, pool.map(_run, divisions), strict=True):
            scores[division.test] = own
            chosen[division.name] = {"own": {kind: list(terms) for kind, terms in names.items()}}
            advance(1)
    return Prediction(scores, chosen)


_selection: NestedSelection


def _load(selection: NestedSelection) -> None:
    global _selection
    _selection = selection


def _run(division: Division) -> tuple[Doubles, dict[str, tuple[str, ...]]]:
    # the matrices are small: threads would wait for each other
    with threadpool_limits(1):
        return _selection.scores(division)
