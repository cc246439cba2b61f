"""How good the order of scores is: cumulated gain, its discount, and both as shares of the best order.

Every figure is of one list, the answers to one query; of several, take the mean.
"""

from collections.abc import Callable, Sequence

import numpy as np

from evaluation.metrics.correlation import require_pairs
from features.arrays import Doubles
from ingest.errors import UsageError

CUTS = (3, 5, 10)
"""The lengths of lists over which Beyer averages nCG and nDCG (3.1.2)."""


def cumulated_gain(gold: Doubles, scores: Doubles, k: int | None = None) -> float:
    """CG@k: the sum of the gold of the k pairs with the highest scores (Beyer 2.3.2.3); of all without ``k``.

    Where pairs have the same score, each counts with their mean gold: this is what all orders of them have on
    average, and the figure does not depend on the order in which the pairs are given.

    >>> gold, scores = np.array([3.0, 1.0, 5.0, 0.0]), np.array([0.9, 0.8, 0.7, 0.1])
    >>> cumulated_gain(gold, scores, 2)  # 3 + 1
    4.0
    >>> cumulated_gain(gold, np.array([0.9, 0.7, 0.7, 0.1]), 2)  # 3 and the mean of 1 and 5
    6.0
    """
    return _best(gold, scores, k, _plain)


def discounted_gain(gold: Doubles, scores: Doubles, k: int | None = None) -> float:
    """DCG@k: as CG, but the gold at rank i is divided by log2 i from rank 2 on (Beyer 2.3.2.3).

    Ranks 1 and 2 both count in full, unlike in the later form of DCG that divides by log2(i + 1).

    >>> gold, scores = np.array([3.0, 1.0, 5.0, 2.0]), np.array([0.9, 0.8, 0.7, 0.1])
    >>> round(discounted_gain(gold, scores), 4)  # 3 + 1 / 1 + 5 / 1.585 + 2 / 2
    8.1546
    """
    return _best(gold, scores, k, _source_discount)


def ncg(gold: Doubles, scores: Doubles, k: int | None = None) -> float:
    """nCG@k: CG over the CG of the best order (Beyer 2.3.2.3). NaN where no gold is above 0.

    Over all pairs it is 1 for every system, so that it says something for a ``k`` alone.

    >>> ncg(np.array([3.0, 1.0, 5.0, 0.0]), np.array([0.9, 0.8, 0.7, 0.1]), 2)  # 4 of 8
    0.5
    """
    return _share(gold, scores, k, _plain)


def ndcg(gold: Doubles, scores: Doubles, k: int | None = None) -> float:
    """nDCG@k: DCG over the DCG of the best order (Beyer 2.3.2.3). NaN where no gold is above 0.

    >>> gold, scores = np.array([0.0, 2.0, 4.0]), np.array([0.9, 0.8, 0.7])
    >>> round(ndcg(gold, scores), 4)  # (0 + 2 + 4 / 1.585) / (4 + 2 + 0)
    0.754
    """
    return _share(gold, scores, k, _source_discount)


def mean_ncg(gold: Doubles, scores: Doubles, cuts: Sequence[int] = CUTS) -> float:
    """nCG_Avg: the mean of nCG at several lengths (Beyer 3.1.2).

    >>> mean_ncg(np.array([3.0, 1.0, 5.0, 0.0]), np.array([0.9, 0.8, 0.7, 0.1]), (1, 2))  # 3 / 5 and 4 / 8
    0.55
    """
    return _mean([ncg(gold, scores, k) for k in cuts])


def mean_ndcg(gold: Doubles, scores: Doubles, cuts: Sequence[int] = CUTS) -> float:
    """nDCG_Avg: the mean of nDCG at several lengths (Beyer 3.1.2).

    >>> mean_ndcg(np.array([3.0, 1.0, 5.0, 0.0]), np.array([0.9, 0.8, 0.7, 0.1]), (1, 2))  # 3 / 5 and 4 / 8
    0.55
    """
    return _mean([ndcg(gold, scores, k) for k in cuts])


def _mean(values: Sequence[float]) -> float:
    if not values:
        raise UsageError("a mean over lengths needs one length at least")
    return float(np.mean(values))


def _plain(ranks: Doubles) -> Doubles:
    return np.ones_like(ranks)


def _source_discount(ranks: Doubles) -> Doubles:
    discounts: Doubles = 1 / np.log2(np.maximum(ranks, 2.0))  # log2 1 is 0: rank 1 counts as rank 2 does
    return discounts


def _best(gold: Doubles, scores: Doubles, k: int | None, discount: Callable[[Doubles], Doubles]) -> float:
    """The sum of the gold of the best k by score, times the discount of their ranks."""
    require_pairs(gold, scores)
    if k is not None and k < 1:
        raise UsageError(f"a list of {k} has no gain: give a k of 1 or more")
    _, group = np.unique(-scores, return_inverse=True)
    means = np.bincount(group, weights=gold) / np.maximum(np.bincount(group), 1)
    first = means[np.sort(group)][:k]  # groups are numbered from the highest score on
    return float(first @ discount(np.arange(1.0, len(first) + 1)))


def _share(gold: Doubles, scores: Doubles, k: int | None, discount: Callable[[Doubles], Doubles]) -> float:
    if (gold < 0).any():
        raise UsageError("gold below 0 has no share of a gain: move the scale so that it begins at 0")
    ideal = _best(gold, gold, k, discount)
    return _best(gold, scores, k, discount) / ideal if ideal > 0 else float("nan")
