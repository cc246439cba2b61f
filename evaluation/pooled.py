"""What stands beside a correlation over the pairs of several collections pooled, which flatters.

The pairs of one collection, or of two, have a mean gold of their own. A system that knows no more than from
which collections a pair is orders the pairs of all of them quite well.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from evaluation.correlation import Interval, interval, known, pearson, provider_counts, resampled_pearson
from features.arrays import Doubles, Rows


class CarryOver(NamedTuple):
    """What is left of a system inside the collections, beside the pooled correlations.

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
    >>> carry_over(gold, gold / 2 + 1, [("a", "a"), ("a", "a"), ("a", "a"), ("a", "b")])
    CarryOver(within=1.0, bias=0.0, providers={'a': 1.0})

    The scores are 1, 2, 3 of 0, 2, 4: right in order, and of mean 2 both.
    """
    means: dict[str, float] = {}
    biases: list[float] = []
    for name in sorted({left for left, right in providers if left == right}):
        rows = [row for row, pair in enumerate(providers) if pair == (name, name)]
        columns = [known(own, given) for own, given in zip(gold[rows].T, scores[rows].T, strict=True)]
        within = [pearson(own, given) for own, given in columns]
        if defined := [r for r in within if not np.isnan(r)]:
            means[name] = float(np.mean(defined))
            biases.append(float(np.mean([abs(np.mean(given - own)) for own, given in columns if len(own)])))
    if not means:
        return CarryOver(float("nan"), float("nan"), {})
    return CarryOver(float(np.mean(list(means.values()))), float(np.mean(biases)), means)


class PooledCheck(NamedTuple):
    """What says how far a pooled mean r rests on telling collections apart.

    ``centred`` is the mean over the types of r where every gold and every score is less the mean of the pairs
    of the same two providers. ``by_means`` is what the mean gold of these pairs reaches as a score, without
    any look at the records. ``interval`` is that of the pooled mean where providers are resampled. NaN where
    a type has none.
    """

    centred: float
    by_means: float
    interval: Interval


def pooled_check(
    gold: Doubles, scores: Doubles, providers: Sequence[tuple[str, str]], seed: int
) -> PooledCheck | None:
    """The check of scores float64[pairs, types]; None where all pairs are of the same providers.

    >>> gold = np.array([[0.0], [2.0], [3.0], [5.0]])
    >>> scores = np.array([[2.0], [0.0], [5.0], [3.0]])  # right between a and b, and wrong inside each
    >>> check = pooled_check(gold, scores, [("a", "a"), ("a", "a"), ("b", "b"), ("b", "b")], 0)
    >>> check.centred, round(check.by_means, 4)  # means 1 and 4: 9 / sqrt(13 * 9)
    (-1.0, 0.8321)
    """
    cells = _cells(providers)
    if not cells.any():
        return None
    without = centred_pearson(gold, scores, providers)
    means = [pearson(*known(own, own - _less_means(own, cells))) for own in gold.T]
    resampled = resampled_pearson(gold, scores, provider_counts(providers, seed)).mean(axis=1)
    return PooledCheck(float(np.mean(without)), float(np.mean(means)), interval(resampled))


def centred_pearson(gold: Doubles, scores: Doubles, providers: Sequence[tuple[str, str]]) -> list[float]:
    """Pearson's r of each column less the means of the pairs of the same two providers.

    >>> gold, scores = np.array([[0.0], [2.0], [3.0], [5.0]]), np.array([[0.0], [2.0], [0.0], [2.0]])
    >>> centred_pearson(gold, scores, [("a", "a"), ("a", "a"), ("b", "b"), ("b", "b")])
    [1.0]
    """
    cells = _cells(providers)
    columns = zip(gold.T, scores.T, strict=True)
    return [pearson(*known(_less_means(own, cells), _less_means(given, cells))) for own, given in columns]


def _cells(providers: Sequence[tuple[str, str]]) -> Rows:
    """The number of the two providers of each pair, whichever comes first."""
    numbers: dict[tuple[str, ...], int] = {}
    return np.array([numbers.setdefault(tuple(sorted(pair)), len(numbers)) for pair in providers], np.intp)


def _less_means(column: Doubles, cells: Rows) -> Doubles:
    """Values less the mean of their cell, a place that is NaN aside."""
    present = ~np.isnan(column)
    number = np.bincount(cells, present)
    sums = np.bincount(cells, np.where(present, column, 0.0))
    less: Doubles = column - (sums / np.maximum(number, 1))[cells]
    return less
