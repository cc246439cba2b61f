"""How far annotators agree: each against the rest, Krippendorff's alpha, noise, and the ceiling of systems.

Ratings are float64[pairs, annotators], NaN where an annotator did not rate a pair.
"""

from typing import NamedTuple

import numpy as np

from evaluation.correlation import pearson
from features.arrays import Doubles
from ingest.errors import UsageError

LEAST_AGREEMENT = 0.5
"""An annotator who correlates less with the mean of the others is left out (thesis 3.3.1)."""


class Ceiling(NamedTuple):
    """What a system may reach: the correlations of annotators with the rest (O'Shea 2013, Table IV)."""

    mean: float
    best: float
    worst: float


def against_rest(ratings: Doubles) -> Doubles:
    """Pearson's r of every annotator with the mean of the others, over the pairs of both (thesis 3.3.1).

    >>> ratings = np.array([[0.0, 0.0, 4.0], [2.0, 2.0, 2.0], [4.0, 4.0, 0.0]])
    >>> against_rest(ratings).tolist()  # the mean of the others is 2, 2, 2 but for the third: 0, 2, 4
    [nan, nan, -1.0]
    """
    _require(ratings)
    rated = ~np.isnan(ratings)
    values = np.where(rated, ratings, 0.0)
    numbers = rated.sum(axis=1, keepdims=True) - rated
    rest = (values.sum(axis=1, keepdims=True) - values) / np.maximum(numbers, 1)
    both = rated & (numbers > 0)
    columns = zip(values.T, rest.T, both.T, strict=True)
    return np.array([pearson(own[shared], others[shared]) for own, others, shared in columns])


def ceiling(ratings: Doubles) -> Ceiling:
    """The mean, best and worst of ``against_rest``; the mean is the upper bound of systems (thesis 3.3.1).

    An annotator whose correlation is undefined is left out; NaN where all are.

    >>> ratings = np.array([[0.0, 0.0], [1.0, 3.0], [2.0, 2.0], [3.0, 3.0]])
    >>> [round(r, 4) for r in ceiling(ratings)]  # 4 / sqrt(5 * 6), for both
    [0.7303, 0.7303, 0.7303]
    """
    known = against_rest(ratings)
    known = known[~np.isnan(known)]
    if not len(known):
        return Ceiling(float("nan"), float("nan"), float("nan"))
    return Ceiling(float(known.mean()), float(known.max()), float(known.min()))


def noise(ratings: Doubles, highest: float) -> float:
    """The mean over pairs of the standard deviation of their ratings, as a share of the scale (O'Shea 2013).

    ``highest`` is the top of a scale that begins at 0. A pair with one rating has no deviation and is left
    out.

    >>> noise(np.array([[1.0, 3.0], [2.0, 2.0]]), 4.0)  # sd 1.4142 and 0, of 4
    0.1767766952966369
    """
    _require(ratings)
    if highest <= 0:
        raise UsageError("the top of the scale must be above 0")
    several = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    return float(np.nanstd(several, axis=1, ddof=1).mean()) / highest if len(several) else float("nan")


def krippendorff_alpha(ratings: Doubles) -> float:
    """Krippendorff's alpha for ratings on an interval scale (SemEval-2014 Task 3).

    It is 1 - observed / expected disagreement. Disagreement is the mean squared difference of two ratings:
    observed, of the same pair, each rating counting the same; expected, of all ratings of pairs that have
    two or more. NaN where all ratings are one. (The library krippendorff is under the GPL.)

    >>> ratings = np.array([[1.0, 2.0], [3.0, 3.0], [np.nan, 5.0]])
    >>> # 1, 2, 3, 3: observed (1 + 1) / 4; expected 2 * (1 + 4 + 4 + 1 + 1 + 0) / 12
    >>> round(krippendorff_alpha(ratings), 4)  # 1 - .5 / 1.8333
    0.7273
    """
    _require(ratings)
    several = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    if not several.size:
        return float("nan")
    numbers = (~np.isnan(several)).sum(axis=1)
    total = int(numbers.sum())
    # the squared differences of n values, each pair both ways, add up to 2 n^2 variances
    observed = float((2 * numbers**2 * np.nanvar(several, axis=1) / (numbers - 1)).sum()) / total
    expected = float(2 * total * np.nanvar(several)) / (total - 1)
    return (
        1 - observed / expected if expected > 1e-24 * max(1.0, float(np.nanmax(several**2))) else float("nan")
    )


def _require(ratings: Doubles) -> None:
    if ratings.ndim != 2 or ratings.shape[1] < 2:
        raise UsageError("agreement needs ratings of two annotators or more: an array of pairs by annotators")
    if np.isinf(ratings).any():
        raise UsageError("a rating is infinite: put NaN where there is none")
