"""Scores for pairs by models that were trained on other pairs, and how well they carry over."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.correlation import pearson
from evaluation.folds import Division
from models.regression import fit
from models.systems import Matrix, SystemSettings


def predict(
    name: str, settings: SystemSettings, values: Matrix, gold: Matrix, divisions: Sequence[Division]
) -> Matrix:
    """Scores float64[pairs, 8], each by the model of the division that tests the pair.

    The divisions together must test every pair once. A system without training scores as always.

    >>> settings = SystemSettings(title="demo", regressor="linear", features=("f",))
    >>> values, rows = np.array([[0.0], [1.0], [0.5]]), np.arange(3)
    >>> gold = np.repeat([[1.0], [3.0], [5.0]], 8, axis=1)
    >>> divisions = [Division("1", rows[:2], rows[2:]), Division("2", rows[1:], rows[:2])]
    >>> predict("demo", settings, values, gold, divisions)[:, 0].round(4).tolist()  # 7 - 4f, 7 - 4f, 1 + 2f
    [5.0, 3.0, 2.0]
    """
    scores = np.full(gold.shape, np.nan)
    for _, train, test in divisions:
        scores[test] = fit(name, settings, values[train], gold[train]).score(values[test])
    return scores


@dataclass(frozen=True, slots=True)
class CarryOver:
    """What is left of a system on collections never seen, beside the pooled correlations.

    ``within`` is the mean over providers of the mean r over types, each r over the pairs whose two
    records are both of that provider; a type whose gold or scores do not vary there is left out,
    and so is a provider where none does. ``bias`` is the mean over these providers and all eight
    types of |mean(score - gold)| over the same pairs. NaN where no provider has such pairs.
    """

    within: float
    bias: float
    providers: dict[str, float]


def carry_over(gold: Matrix, scores: Matrix, providers: Sequence[tuple[str, str]]) -> CarryOver:
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
