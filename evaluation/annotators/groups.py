"""Whether groups of raters differ, and whether their ratings are spread normally (O'Shea et al. 2013)."""

import numpy as np
from scipy import stats

from evaluation.significance import Significance
from features.arrays import Doubles
from ingest.errors import UsageError


def two_sample_t_test(one: Doubles, two: Doubles) -> Significance:
    """Two-sided t test that two groups differ in their mean, taken to spread alike (O'Shea et al. 2013, 4.3).

    The source compares the average correlations of the raters of two data sets by it. NaN where neither group
    varies.

    >>> result = two_sample_t_test(np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 5.0]))  # -2 / sqrt(1 * 2/3)
    >>> round(result.statistic, 4), round(result.p, 4)
    (-2.4495, 0.0705)
    """
    _require(one, two)
    if _constant(one) and _constant(two):
        return Significance(float("nan"), float("nan"))
    result = stats.ttest_ind(one, two)
    return Significance(float(result.statistic), float(result.pvalue))


def analysis_of_variance(*groups: Doubles) -> Significance:
    """The F of a one-way analysis of variance: whether groups differ in their mean (O'Shea et al. 2013, 4).

    With g groups of n values in all it has g - 1 and n - g degrees of freedom, in the source F(1, 130) of the
    mean ratings of 66 pairs by students and by others. NaN where no group varies.

    >>> # means 2 and 4 around 3: 6 / 1, over (2 + 2) / 4
    >>> result = analysis_of_variance(np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 5.0]))
    >>> round(result.statistic, 4), round(result.p, 4)  # the square of the t above, and its p
    (6.0, 0.0705)
    """
    _require(*groups)
    if all(_constant(group) for group in groups):
        return Significance(float("nan"), float("nan"))
    result = stats.f_oneway(*groups)
    return Significance(float(result.statistic), float(result.pvalue))


def normality(ratings: Doubles) -> float:
    """How straight the normal probability plot of ratings is: its r, 1 for ratings that are spread normally.

    ``ratings`` are float64[pairs, raters], NaN where there is none. Each pair's are first centred on their
    mean, so that the plot is of how raters differ and not of how pairs do (O'Shea et al. 2013, 2.4.3). NaN
    where nothing varies.

    >>> round(normality(np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 2.0]])), 3)  # -1 -1 0 0 1 1: three steps
    0.942
    >>> normality(np.ones((3, 2)))
    nan
    """
    several = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    centred = several - np.nanmean(several, axis=1, keepdims=True) if len(several) else several
    values = centred[~np.isnan(centred)]
    if len(values) < 2 or _constant(values):
        return float("nan")
    (_, _), (_, _, r) = stats.probplot(values)
    return float(r)


def _require(*groups: Doubles) -> None:
    if len(groups) < 2 or any(group.ndim != 1 or len(group) < 2 for group in groups):
        raise UsageError("give two groups or more, of two values each or more")


def _constant(group: Doubles) -> bool:
    return bool(np.ptp(group) <= 1e-12 * max(1.0, float(np.abs(group).max())))
