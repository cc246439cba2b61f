"""Fitting a system of which some settings are chosen by the data, inside what it is trained on.

A row of ``systems`` may list candidates for its settings under ``select``. They are told apart by a
cross-validation of the pairs to train on and of nothing else, so that what tests the system later
had no part in the choice (nested cross-validation).
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
from pydantic import JsonValue

from evaluation.correlation import pearson
from evaluation.folds import folds
from features.arrays import Doubles, Rows
from ingest.errors import PairsError
from models.systems import System, SystemSettings
from models.systems import fit as fit_chosen
from models.types import EIGHT, Types

INNER_FOLDS = 5
"""Folds of the cross-validation that chooses."""


class FittedSystem(NamedTuple):
    """A system, the row that it was fitted by, and what was chosen for that row; often nothing."""

    system: System
    row: SystemSettings
    chosen: Mapping[str, JsonValue]


class Fit(Protocol):
    """Trains a system on pairs: whatever it chooses, it chooses from these alone."""

    def __call__(self, values: Doubles, gold: Doubles, group: Rows, seed: int) -> FittedSystem:
        """Fit to values float64[pairs, features] and gold float64[pairs, types] of pairs in groups."""
        ...


def fitting(name: str, settings: SystemSettings, types: Types = EIGHT) -> Fit:
    """How a declared system is fitted: as it stands, or with the best of its candidates.

    The best is the one of which the inner cross-validation has the highest mean Pearson r over
    the types, the first of equal ones.
    """

    def fit(values: Doubles, gold: Doubles, group: Rows, seed: int) -> FittedSystem:
        candidates = settings.candidates
        means = (
            inner_means(name, settings, values, gold, group, seed, types) if len(candidates) > 1 else [0.0]
        )
        chosen, best = candidates[int(np.argmax(means))]
        return FittedSystem(fit_chosen(name, best, values, gold, types), best, chosen)

    return fit


def inner_means(
    name: str,
    settings: SystemSettings,
    values: Doubles,
    gold: Doubles,
    group: Rows,
    seed: int,
    types: Types = EIGHT,
) -> list[float]:
    """The mean r of every candidate, in their order, each pair scored by a model of the other inner folds.

    A correlation that is undefined counts as 0. Raises ``PairsError`` where all pairs hang together.
    """
    number = min(INNER_FOLDS, len(np.unique(group)))
    if number < 2:
        raise PairsError(
            f"system {name!r} chooses among settings, for which the {len(gold)} pairs it is trained on"
            " must make two groups that share no record; train it on more pairs"
        )
    divisions = folds(group, number, seed)
    means = []
    for _, candidate in settings.candidates:
        scores = np.full(gold.shape, np.nan)
        for _, train, test in divisions:
            fitted = fit_chosen(name, candidate, values[train], gold[train], types)
            scores[test] = fitted.score(values[test])
        each = [pearson(gold[:, n], scores[:, n]) for n in range(gold.shape[1])]
        means.append(float(np.mean(np.nan_to_num(each))))
    return means
