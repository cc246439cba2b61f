"""How sure a mean correlation is: bootstrap intervals over groups of pairs.

Pairs that share a record are not independent, so that whole groups are drawn, with replacement, as
many as there are; a group counts as often as it was drawn. Scores stay as they are: the interval
says what other pairs of the same kind would do to the figure, not what other training would.
"""

from typing import NamedTuple

import numpy as np

from features.arrays import Doubles, Longs, Rows

RESAMPLES = 2000
"""How often the groups are drawn."""

_COVERED = (2.5, 97.5)
_FLAT = 1e-12


class Interval(NamedTuple):
    """Between these two lie 95 % of the resampled figures; NaN where none is defined."""

    low: float
    high: float


def resampled_means(gold: Doubles, scores: Doubles, group: Rows, seed: int) -> Doubles:
    """The mean over the columns of Pearson's r in each resample: float64[RESAMPLES].

    ``group`` is int[pairs] (``folds.labels``). The draws depend on the groups and the seed alone:
    two systems on the same pairs meet the same resamples, and may be subtracted. NaN where a
    correlation is undefined in a resample.
    """
    _, position = np.unique(group, return_inverse=True)
    number = int(position.max()) + 1
    drawn = np.random.default_rng(seed).multinomial(number, np.full(number, 1 / number), size=RESAMPLES)
    # centred first: only rounding errors depend on it
    ours, theirs = gold - gold.mean(axis=0), scores - scores.mean(axis=0)
    found: Doubles = weighted_pearson(ours, theirs, drawn[:, position]).mean(axis=1)
    return found


def weighted_pearson(one: Doubles, two: Doubles, counts: Longs) -> Doubles:
    """Pearson's r of each column with pairs counted several times: float64[resamples, columns].

    ``one`` and ``two`` are float64[pairs, columns], ``counts`` int[resamples, pairs].

    >>> one, two = np.array([[1.0], [2.0], [3.0]]), np.array([[1.0], [3.0], [2.0]])
    >>> weighted_pearson(one, two, np.array([[1, 1, 1], [1, 1, 0], [0, 2, 0]])).round(4).tolist()
    [[0.5], [1.0], [nan]]
    """
    weights = counts.astype(np.float64)
    total = weights.sum(axis=1, keepdims=True)
    mean_one, mean_two = weights @ one / total, weights @ two / total
    covariance = weights @ (one * two) / total - mean_one * mean_two
    variance_one = weights @ one**2 / total - mean_one**2
    variance_two = weights @ two**2 / total - mean_two**2
    with np.errstate(invalid="ignore", divide="ignore"):
        found = covariance / np.sqrt(variance_one * variance_two)
    return np.where((variance_one > _FLAT) & (variance_two > _FLAT), np.clip(found, -1.0, 1.0), np.nan)


def interval(resampled: Doubles) -> Interval:
    """The middle 95 % of resampled figures; a resample in which the figure is undefined is left out.

    >>> interval(np.arange(0.0, 101.0)), interval(np.array([np.nan]))
    (Interval(low=2.5, high=97.5), Interval(low=nan, high=nan))
    """
    known = resampled[~np.isnan(resampled)]
    if not len(known):
        return Interval(float("nan"), float("nan"))
    low, high = np.percentile(known, _COVERED)
    return Interval(float(low), float(high))
