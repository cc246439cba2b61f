"""What an evaluation gives: one result for each way of choosing what a system was trained on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from pydantic import JsonValue

from evaluation.correlation import (
    Agreement,
    Interval,
    agreement,
    floors,
    group_counts,
    interval,
    resampled_pearson,
)
from evaluation.fitting import (
    Division,
    Fit,
    FittedSystem,
    Prediction,
    fitting,
    folds,
    labels,
    predict,
    provider,
    unseen,
)
from evaluation.pooled import CarryOver, PooledCheck, carry_over, pooled_check
from evaluation.provenance import LearntPairs
from evaluation.readers import Readers, agreed, two_readers
from evaluation.typed import DirectoryPairs, Pairs
from features.arrays import Bools, Doubles, Rows
from ingest.errors import PairsError
from models.systems import System, SystemSettings, untrained
from models.types import SimilarityType, Types
from service.sections import EvaluationSettings

Way = Literal["untrained", "weights", "cross-validation", "unseen", "held out", "given"]


@dataclass(frozen=True, eq=False)
class Result:
    """A system's agreement with the gold; ``statement`` says how it was trained and on what it was tested.

    ``resampled`` is the mean in each bootstrap resample, ``intervals`` are those of the types. ``chosen`` are
    the settings that were chosen in each division, if any. ``floor`` is where lists of a type should end.
    ``carry_over`` and ``pooled`` say how far r rests on telling providers apart; they are None where all
    pairs are of the same. ``parts`` is the agreement over the pairs of each of several directories.
    """

    way: Way
    label: str
    statement: str
    scores: Doubles
    agreement: Agreement
    resampled: Doubles = field(repr=False)
    chosen: Mapping[str, Mapping[str, JsonValue]]
    floor: Mapping[SimilarityType, float]
    intervals: Mapping[SimilarityType, Interval]
    carry_over: CarryOver | None = None
    pooled: PooledCheck | None = None
    parts: Mapping[str, Agreement] = field(default_factory=dict)

    @cached_property
    def interval(self) -> Interval:
        """The 95 % bootstrap interval of the mean."""
        return interval(self.resampled)


@dataclass(frozen=True, eq=False)
class EvaluationData:
    """What every system is measured on: pairs that have gold, and how they are divided.

    ``fitted_on`` says in words what records features are fitted on.
    """

    pairs: Pairs
    settings: EvaluationSettings
    fitted_on: str = "the records of these pairs"
    advance: Callable[[int], None] = field(default=lambda _: None, repr=False)

    @cached_property
    def gold(self) -> Doubles:
        """The gold float64[pairs, types of the pairs]."""
        return self.pairs.known_gold()

    def gold_of(self, types: Iterable[SimilarityType]) -> Doubles:
        """The columns of the gold for some types."""
        columns = tuple(self.pairs.types)
        return self.gold[:, [columns.index(kind) for kind in types]]

    @cached_property
    def group(self) -> Rows:
        """The group of each pair: pairs that share a record or a text, by any chain, are in one."""
        return labels(self.pairs.ids, self.pairs.texts)

    @cached_property
    def providers(self) -> list[tuple[str, str]]:
        """The providers of both records of each pair."""
        rules = self.settings.providers
        both = zip(self.pairs.left, self.pairs.right, strict=True)
        return [(provider(left, rules), provider(right, rules)) for left, right in both]

    @cached_property
    def readers(self) -> dict[str, Readers]:
        """How well two readers agree, by directory with such pairs, and over all where these are several."""
        kinds = tuple(self.pairs.types)
        known = {part.name: two_readers(part.folder, kinds) for part in self.pairs.parts if part.folder}
        judged = {name: each for name, each in known.items() if each is not None and len(each)}
        answer = {name: agreed(each, kinds) for name, each in judged.items()}
        if len(judged) > 1:
            answer["all"] = agreed(np.concatenate(list(judged.values())), kinds)
        return answer

    @property
    def provider_names(self) -> str:
        """Every provider of a record, in words."""
        return ", ".join(sorted({name for pair in self.providers for name in pair}))

    def folds(self, number: int) -> list[Division]:
        """Divisions for a cross-validation; 0: as many as are configured."""
        return folds(self.group, number or self.settings.folds, self.settings.seed)

    @cached_property
    def unseen(self) -> list[Division]:
        """Divisions for the test on collections never seen; raises ``PairsError`` for too few providers."""
        return unseen(self.providers)

    @cached_property
    def unseen_refused(self) -> str:
        """Why these pairs allow no test on collections never seen; empty where they do."""
        try:
            return "" if self.unseen else "there is no pair"
        except PairsError as error:
            return error.detail

    def of_each_part(
        self, gold: Doubles, scores: Doubles, types: Iterable[SimilarityType]
    ) -> dict[str, Agreement]:
        """The agreement over the pairs of each directory by its name; empty where there is one only."""
        parts, kinds = self.pairs.parts, tuple(types)
        if len(parts) < 2:
            return {}
        return {part.name: agreement(gold[part.rows], scores[part.rows], kinds) for part in parts}


@dataclass(frozen=True, eq=False)
class Task:
    """A declared system with the feature values float64[pairs, features] of the pairs."""

    name: str
    settings: SystemSettings
    grounds: EvaluationData
    values: Doubles

    @cached_property
    def types(self) -> Types:
        """The types that both the gold and the system have."""
        return self.settings.types(self.grounds.pairs.types)

    @cached_property
    def gold(self) -> Doubles:
        """The gold of these types, float64[pairs, types]."""
        return self.grounds.gold_of(self.types)

    def as_trained(self, system: System, learnt: LearntPairs) -> Result:
        """The result of stored weights."""
        statement = of_weights(learnt, self.grounds.pairs.ids, self.grounds.pairs.parts)
        return self.scored_by(system, "weights", "as trained", statement)

    def chosen_inside(self, label: str, predicted: Prediction, strict: bool) -> Result:
        """The result of a procedure that chooses a system inside what each division trains on."""
        divided = "collections never seen" if strict else "folds that share no record"
        statement = f"terms chosen anew inside the training pairs of each division ({divided}, nested)"
        return self._result("unseen" if strict else "cross-validation", label, statement, predicted)

    def scored_by(self, system: System, way: Way, label: str, statement: str) -> Result:
        """The result of a system that was trained elsewhere."""
        # weights may be older than a type of the gold
        own = [kind for kind in self.types if kind in system.types]
        scores = system.score_pairs(self.values, self.grounds.pairs.same)
        scores = scores[:, [system.position(kind) for kind in own]]
        return self._result(way, label, statement, Prediction(scores, {}), types=own)

    def untrained(self) -> Result:
        """A system that has nothing to train, scored once."""
        system = untrained(self.name, self.settings, self.types)
        scores = system.score_pairs(self.values, self.grounds.pairs.same)
        statement = (
            "no gold was used to train: this system has nothing to train, so --cv and --unseen change nothing"
        )
        return self._result("untrained", "untrained", statement, Prediction(scores, {}))

    def cross_validated(self, number: int) -> Result:
        """Every pair scored by a model trained on the other folds; no record is in two folds."""
        divisions = self.grounds.folds(number)
        statement = (
            f"{len(divisions)}-fold cross-validation, pairs that share a record or a text in one fold, "
            f"seed {self.grounds.settings.seed}"
        )
        predicted = self.predicted(divisions)
        return self._result("cross-validation", f"{len(divisions)} folds", statement, predicted)

    def never_seen(self) -> Result:
        """Every pair scored by a model trained on no pair that touches a provider of its records."""
        predicted = self.predicted(self.grounds.unseen)
        statement = (
            "collections never seen: each pair scored by a model trained on no pair that touches a provider "
            f"of its two records (providers: {self.grounds.provider_names}); r over all pairs pooled"
        )
        return self._result("unseen", "unseen", statement, predicted)

    @property
    def _fit(self) -> Fit:
        return fitting(self.name, self.settings, self.types)

    def fitted(self, rows: Bools | Rows | slice = slice(None)) -> FittedSystem:
        """The system fitted to some of the pairs, or to all."""
        data = self.grounds
        return self._fit(self.values[rows], self.gold[rows], data.group[rows], data.settings.seed)

    def predicted(self, divisions: list[Division]) -> Prediction:
        """Scores of every pair by the models of the divisions."""
        data, given = self.grounds, (self.values, self.gold, self.grounds.group)
        return predict(self._fit, *given, divisions, data.settings.seed, data.pairs.same, data.advance)

    def _result(
        self,
        way: Way,
        label: str,
        statement: str,
        predicted: Prediction,
        types: Iterable[SimilarityType] | None = None,
    ) -> Result:
        statement = f"{statement}; features fitted on {self.grounds.fitted_on}"
        return result(self.grounds, self.types if types is None else types, way, label, statement, predicted)


def result(
    data: EvaluationData,
    types: Iterable[SimilarityType],
    way: Way,
    label: str,
    statement: str,
    predicted: Prediction,
) -> Result:
    """What scores float64[pairs, types] are worth, whoever made them."""
    types = tuple(types)
    gold, scores, seed = data.gold_of(types), predicted.scores, data.settings.seed
    resampled = resampled_pearson(gold, scores, group_counts(data.group, seed))
    pooled = pooled_check(gold, scores, data.providers, seed)
    return Result(
        way=way,
        label=label,
        statement=f"{statement}; gold: {data.pairs.gold_source}",
        scores=scores,
        agreement=agreement(gold, scores, types),
        resampled=resampled.mean(axis=1),
        intervals=dict(zip(types, map(interval, resampled.T), strict=True)),
        chosen=predicted.chosen,
        floor=floors(gold, scores, types),
        carry_over=carry_over(gold, scores, data.providers) if pooled else None,
        pooled=pooled,
        parts=data.of_each_part(gold, scores, types),
    )


def of_weights(learnt: LearntPairs, ids: Sequence[tuple[str, str]], parts: Sequence[DirectoryPairs]) -> str:
    """What a figure of stored weights says of their training, and of the pairs that they learnt.

    >>> from evaluation.provenance import pair_digests
    >>> weights = LearntPairs("c (2 pairs)", pair_digests([("1", "2"), ("3", "4")]))
    >>> parts = [DirectoryPairs("a", 0, 1, "", ""), DirectoryPairs("b", 1, 2, "", "")]
    >>> of_weights(weights, [("2", "1"), ("3", "4"), ("5", "6")], parts).partition(": ")[2]
    'the pairs of a, b (1 of 2) among these, so the figures flatter it; use --cv'
    """
    statement, seen = f"weights trained on {learnt.trained_on}", learnt.among(ids)
    each = [(part, seen[part.rows]) for part in parts]
    some = [
        part.name if own.all() else f"{part.name} ({np.count_nonzero(own):,} of {part.number:,})"
        for part, own in each
        if own.any()
    ]
    if not some:
        return statement
    these = (
        "these very pairs"
        if all(own.all() for _, own in each)
        else f"the pairs of {', '.join(some)} among these"
    )
    return f"{statement}: {these}, so the figures flatter it; use --cv"


def evaluate(task: Task, number: int | None, strict: bool) -> list[Result]:
    """The results without stored weights: in folds (0: as configured; None: not), and unseen."""
    if not task.settings.trained:
        return [task.untrained()]
    results = [] if number is None else [task.cross_validated(number)]
    return [*results, task.never_seen()] if strict else results
