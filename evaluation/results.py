"""What an evaluation finds: one result for each way of choosing what a system was trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.correlation import Agreement, agreement
from evaluation.folds import folds, provider, unseen
from evaluation.prediction import CarryOver, carry_over, predict
from evaluation.provenance import trained_digest
from evaluation.typed import Pairs
from models.systems import Matrix, System, SystemSettings, untrained
from service.settings import EvaluationSettings, ProviderRule

Way = Literal["untrained", "weights", "cross-validation", "unseen"]


@dataclass(frozen=True, slots=True)
class Result:
    """A system's agreement with the gold, how it was trained, and on what it was tested.

    ``statement`` says both, and what the gold is.
    """

    way: Way
    label: str
    statement: str
    agreement: Agreement
    carry_over: CarryOver | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A declared system with the feature values float64[pairs, features] of pairs that have gold."""

    name: str
    settings: SystemSettings
    pairs: Pairs
    values: Matrix

    def as_it_is(self, system: System, trained_on: str) -> Result:
        """The system with the weights it has."""
        statement = f"weights trained on {trained_on}"
        if trained_digest(trained_on) == self.pairs.digest:
            statement += ": these very pairs, so the figures flatter it; use --cv"
        return self._result("weights", "as trained", statement, system.score(self.values))

    def untrained(self) -> Result:
        """A system that has nothing to train."""
        scores = untrained(self.name, self.settings).score(self.values)
        statement = "no gold was used to train: this system has nothing to train, so --cv changes nothing"
        return self._result("untrained", "untrained", statement, scores)

    def cross_validated(self, number: int, seed: int) -> Result:
        """Every pair scored by a model trained on the other folds; no record is in two folds."""
        gold = self.pairs.known_gold()
        divisions = folds(self.pairs.ids, number, seed)
        scores = predict(self.name, self.settings, self.values, gold, divisions)
        statement = f"{number}-fold cross-validation, pairs that share a record in one fold, seed {seed}"
        return self._result("cross-validation", f"{number} folds", statement, scores)

    def never_seen(self, rules: Sequence[ProviderRule]) -> Result:
        """Every pair scored by a model trained on no pair that touches a provider of its records."""
        gold = self.pairs.known_gold()
        both = zip(self.pairs.left, self.pairs.right, strict=True)
        providers = [(provider(left, rules), provider(right, rules)) for left, right in both]
        divisions = unseen(providers)
        scores = predict(self.name, self.settings, self.values, gold, divisions)
        names = sorted({name for pair in providers for name in pair})
        statement = (
            "collections never seen: each pair scored by a model trained on no pair that touches a provider "
            f"of its two records (providers: {', '.join(names)}); r over all pairs pooled"
        )
        return self._result("unseen", "unseen", statement, scores, carry_over(gold, scores, providers))

    def _result(
        self, way: Way, label: str, statement: str, scores: Matrix, carried: CarryOver | None = None
    ) -> Result:
        said = f"{statement}; gold: {self.pairs.gold_source}"
        return Result(way, label, said, agreement(self.pairs.known_gold(), scores), carried)


def evaluate(task: Task, settings: EvaluationSettings, number: int | None, strict: bool) -> list[Result]:
    """The results that are asked for without weights on the disk: folds (0: as configured), unseen."""
    results = []
    if not task.settings.trained:
        results.append(task.untrained())
    elif number is not None:
        results.append(task.cross_validated(number or settings.folds, settings.seed))
    if strict:
        results.append(task.never_seen(settings.providers))
    return results
