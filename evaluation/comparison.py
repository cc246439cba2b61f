"""Systems side by side on the same pairs, and what single features, or leaving them out, is worth."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from evaluation.correlation import agreement, pearson
from evaluation.results import EvaluationData, Result, Task, evaluate
from evaluation.scoring import FeatureTable, PreparedFeatures
from features.arrays import Doubles
from ingest.errors import UsageError
from models.systems import SystemSettings
from models.types import SimilarityType


@dataclass(frozen=True, slots=True)
class Component:
    """A single feature against the gold (thesis, Table 6.1).

    ``pearson`` is over all pairs, a pair without information counting as 0; ``among_informed`` over
    the ``informed`` pairs alone. NaN where a side does not vary.
    """

    feature: str
    informed: int
    pearson: dict[SimilarityType, float]
    among_informed: dict[SimilarityType, float]


def components(table: FeatureTable, gold: Doubles, types: Iterable[SimilarityType]) -> list[Component]:
    """Every feature of a table against gold float64[pairs, types], in the table's order.

    >>> table = FeatureTable(("f",), np.array([[np.nan], [1.0], [0.5]]))
    >>> (component,) = components(table, np.array([[0.0], [2.0], [4.0]]), ["time"])
    >>> # 0, 1, .5 with 0, 2, 4: 1 / sqrt(.5 * 8); informed: 1, .5 with 2, 4
    >>> component.informed, round(component.pearson["time"], 4), component.among_informed["time"]
    (2, 0.5, -1.0)
    """
    rows, columns = [], dict(zip(types, gold.T, strict=True))
    for name, column in zip(table.names, table.values.T, strict=True):
        informed = ~np.isnan(column)
        filled = np.where(informed, column, 0.0)
        r = {kind: pearson(filled, own) for kind, own in columns.items()}
        among = {kind: pearson(column[informed], own[informed]) for kind, own in columns.items()}
        rows.append(Component(name, int(informed.sum()), r, among))
    return rows


class SystemResult(NamedTuple):
    """A system with its results: untrained, or cross-validated and on collections never seen."""

    name: str
    settings: SystemSettings
    results: tuple[Result, ...]


class Comparison(NamedTuple):
    """Systems as they are declared, those that cannot be scored with the reason, and components."""

    grounds: EvaluationData
    standings: tuple[SystemResult, ...]
    absent: Mapping[str, str]
    components: tuple[Component, ...]


def compare(
    systems: Mapping[str, SystemSettings], prepared: PreparedFeatures, grounds: EvaluationData, number: int
) -> Comparison:
    """Score every system that can be, in folds (``number``, or as configured) and, if possible, unseen."""
    standings = []
    for name, settings in systems.items():
        if name not in prepared.absent:
            task = Task(name, settings, grounds, prepared.table.over(settings.needs))
            strict = not (settings.trained and grounds.unseen_refused)
            standings.append(SystemResult(name, settings, tuple(evaluate(task, number, strict))))
    single = components(prepared.table, grounds.gold, grounds.pairs.types)
    return Comparison(grounds, tuple(standings), prepared.absent, tuple(single))


@dataclass(frozen=True, slots=True)
class AblationResult:
    """A system without some features: its mean r and the change, the same on collections never seen."""

    without: str
    features: tuple[str, ...]
    mean: float
    change: float
    unseen: float
    unseen_change: float


def ablate(task: Task, parts: Mapping[str, Sequence[str]], number: int) -> list[AblationResult]:
    """Leave out each part in turn, named features of the system; what costs most comes first.

    Every mean is of folds (``number``, or as configured) and of collections never seen. A feature is left out
    by being 1 in every pair: then it tells nothing, and no type lacks information by its account. Settings
    that the system chooses are chosen anew. Raises ``UsageError`` for a system that is not trained.
    """
    if not task.settings.trained:
        raise UsageError(
            f"system {task.name!r} has one feature a type; without it nothing is left: ablate another system"
        )
    whole, whole_unseen = _means(task, number)
    rows = []
    for name, features in parts.items():
        values = task.values.copy()
        values[:, [task.settings.needs.index(feature) for feature in features]] = 1.0
        mean, unseen = _means(replace(task, values=values), number)
        rows.append(AblationResult(name, tuple(features), mean, mean - whole, unseen, unseen - whole_unseen))
    return sorted(rows, key=lambda row: (np.nan_to_num(row.change), row.without))


def _means(task: Task, number: int) -> tuple[float, float]:
    def mean(unseen: bool) -> float:
        divisions = task.grounds.unseen if unseen else task.grounds.folds(number)
        return agreement(task.gold, task.predicted(divisions).scores, task.types).mean

    return mean(unseen=False), float("nan") if task.grounds.unseen_refused else mean(unseen=True)
