"""Scores for pairs by models that were trained on other pairs, and how well they carry over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from pydantic import JsonValue

from evaluation.correlation import pearson
from evaluation.folds import Division
from evaluation.selection import Fit
from features.arrays import Doubles, Rows


class Prediction(NamedTuple):
    """Scores float64[pairs, types], and by division the settings that were chosen in it, if any."""

    scores: Doubles
    chosen: dict[str, Mapping[str, JsonValue]]


def predict(
    fit: Fit,
    values: Doubles,
    gold: Doubles,
    group: Rows,
    divisions: Sequence[Division],
    seed: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Score each pair by the model of the division that tests it; divisions together test every pair once.

    ``fit`` is given the pairs to train on and nothing of the others. ``advance`` is called with 1
    after every division.

    >>> from evaluation.selection import fitting
    >>> from models.regressors.linear import LinearSettings
    >>> line = fitting("demo", LinearSettings(title="demo", regressor="linear", features=("f",)))
    >>> values, rows = np.array([[0.0], [1.0], [0.5]]), np.arange(3)
    >>> gold = np.repeat([[1.0], [3.0], [5.0]], 8, axis=1)
    >>> divisions = [Division("1", rows[:2], rows[2:]), Division("2", rows[1:], rows[:2])]
    >>> found = predict(line, values, gold, rows, divisions, 0).scores
    >>> found[:, 0].round(4).tolist()  # 7 - 4f, 7 - 4f, 1 + 2f
    [5.0, 3.0, 2.0]
    """
    scores = np.full(gold.shape, np.nan)
    chosen = {}
    for name, train, test in divisions:
        fitted = fit(values[train], gold[train], group[train], seed)
        scores[test] = fitted.system.score(values[test])
        if fitted.chosen:
            chosen[name] = fitted.chosen
        advance(1)
    return Prediction(scores, chosen)


@dataclass(frozen=True, slots=True)
class CarryOver:
    """What is left of a system on collections never seen, beside the pooled correlations.

    ``within`` is the mean over providers of the mean r over types, each r over the pairs whose two
    records are both of that provider; a type whose gold or scores do not vary there is left out,
    and so is a provider where none does. ``bias`` is the mean over these providers and all
    types of |mean(score - gold)| over the same pairs. NaN where no provider has such pairs.
    """

    within: float
    bias: float
    providers: dict[str, float]


def carry_over(gold: Doubles, scores: Doubles, providers: Sequence[tuple[str, str]]) -> CarryOver:
    """Within-provider correlation and bias of scores.

    >>> gold = np.repeat([[0.0], [2.0], [4.0], [1.0]], 8, axis=1)
    >>> found = carry_over(gold, gold / 2 + 1, [("a", "a"), ("a", "a"), ("a", "a"), ("a", "b")])
    >>> found.within, found.bias, found.providers  # scores 1, 2, 3 of 0, 2, 4: right in order, mean 2 of 2
    (1.0, 0.0, {'a': 1.0})
    """
    means: dict[str, float] = {}
    biases: list[float] = []
    for name in sorted({left for left, right in providers if left == right}):
        rows = [row for row, pair in enumerate(providers) if pair == (name, name)]
        ours, theirs = gold[rows], scores[rows]
        found = [pearson(ours[:, n], theirs[:, n]) for n in range(gold.shape[1])]
        kept = [r for r in found if not np.isnan(r)]
        if kept:
            means[name] = float(np.mean(kept))
            biases.append(float(np.mean(np.abs((theirs - ours).mean(axis=0)))))
    if not means:
        return CarryOver(float("nan"), float("nan"), {})
    return CarryOver(float(np.mean(list(means.values()))), float(np.mean(biases)), means)
