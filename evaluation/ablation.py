"""What a system loses without a feature, or without all features of a measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.correlation import agreement
from evaluation.results import Task
from ingest.errors import UsageError


@dataclass(frozen=True, slots=True)
class AblationResult:
    """A system without some features: its mean r and what that is more than with them.

    ``unseen`` and ``unseen_change`` are the same on collections never seen.
    """

    without: str
    features: tuple[str, ...]
    mean: float
    change: float
    unseen: float
    unseen_change: float


def ablate(task: Task, parts: Mapping[str, Sequence[str]], number: int) -> list[AblationResult]:
    """Leave out each part in turn, named features of the system; what costs most comes first.

    Every mean is of ``number`` folds (0: as configured) and of collections never seen.

    A feature is left out by being 1 in every pair: then it tells nothing, whatever the regressor does
    with it and whichever types have it, and no pair has nothing of a type by its account. A feature
    that is made of it stays. Settings that the system chooses are chosen anew. Raises ``UsageError``
    for a system that is not trained: it has nothing to put in a feature's place.
    """
    if not task.settings.trained:
        raise UsageError(
            f"system {task.name!r} has one feature a type; without it nothing is left: ablate another system"
        )
    whole, whole_unseen = _means(task, number)
    found = []
    for name, features in parts.items():
        values = task.values.copy()
        values[:, [task.settings.needs.index(feature) for feature in features]] = 1.0
        mean, unseen = _means(replace(task, values=values), number)
        found.append(AblationResult(name, tuple(features), mean, mean - whole, unseen, unseen - whole_unseen))
    return sorted(found, key=lambda each: (np.nan_to_num(each.change), each.without))


def _means(task: Task, number: int) -> tuple[float, float]:
    grounds, types = task.grounds, task.types
    seen = task.predicted(grounds.folds(number)).scores
    if grounds.unseen_refused:
        return agreement(task.gold, seen, types).mean, float("nan")
    unseen = task.predicted(grounds.unseen).scores
    return agreement(task.gold, seen, types).mean, agreement(task.gold, unseen, types).mean


def by_measure(features: Sequence[str], measures: Mapping[str, str]) -> dict[str, list[str]]:
    """Features by measure; ``measures`` says of each its own.

    >>> by_measure(("f", "g", "h"), {"f": "tfidf", "g": "years", "h": "tfidf"})
    {'tfidf': ['f', 'h'], 'years': ['g']}
    """
    found: dict[str, list[str]] = {}
    for feature in features:
        found.setdefault(measures[feature], []).append(feature)
    return found
