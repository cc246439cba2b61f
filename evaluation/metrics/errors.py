"""Distances of values, and of the places that two metrics give the same systems."""

from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from evaluation.metrics.correlation import require_pairs, spearman
from features.arrays import Doubles


class RankingComparison(NamedTuple):
    """How far two rankings of the same systems are apart (Beyer 3.1.3, Tables 1 and 7)."""

    mean_absolute_difference: float
    mean_square_difference: float
    spearman: float


def mean_absolute_difference(one: Doubles, two: Doubles) -> float:
    """MAD: the mean of |one - two| (Beyer 3.1.3); NaN where there are no values.

    >>> mean_absolute_difference(np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 2.0]))  # (0 + 2 + 1) / 3
    1.0
    """
    require_pairs(one, two)
    return float(np.abs(one - two).mean()) if len(one) else float("nan")


def mean_square_difference(one: Doubles, two: Doubles) -> float:
    """MSD: the mean of (one - two)^2 (Beyer 3.1.3); NaN where there are no values.

    >>> one, two = np.array([1.0, 2.0, 3.0]), np.array([1.0, 4.0, 2.0])
    >>> round(mean_square_difference(one, two), 4)  # (0 + 4 + 1) / 3
    1.6667
    """
    require_pairs(one, two)
    return float(np.square(one - two).mean()) if len(one) else float("nan")


def places(figures: Doubles) -> Doubles:
    """The places of systems by a metric, the best first; equal ones share the better place (Beyer, Table 4).

    >>> places(np.array([0.5, 1.0, 1.0, 0.2])).tolist()
    [3.0, 1.0, 1.0, 4.0]
    """
    ranks: Doubles = rankdata(-figures, method="min").astype(np.float64)
    return ranks


def compare_rankings(one: Doubles, two: Doubles) -> RankingComparison:
    """MAD, MSD and Spearman's correlation of the places of the same systems in two rankings (Beyer 3.1.3).

    >>> compare_rankings(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0]))._asdict()["spearman"]
    -1.0
    """
    return RankingComparison(
        mean_absolute_difference(one, two), mean_square_difference(one, two), spearman(one, two)
    )
