"""Whether a difference is more than chance: tests of correlations, of values and of resampled figures."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from evaluation.correlation import Interval, interval, pearson, resampled_means
from features.arrays import Doubles, Rows
from ingest.errors import UsageError


class Significance(NamedTuple):
    """A statistic, and the probability of one as extreme if there were no difference."""

    statistic: float
    p: float


class Difference(NamedTuple):
    """The difference of two systems with its bootstrap interval and two-sided p."""

    difference: float
    interval: Interval
    p: float


def fisher_interval(r: float, pairs: int, level: float = 0.95) -> Interval:
    """The interval of a correlation by Fisher's z, as SemEval-2012 Task 6 prints it.

    It is tanh(atanh r -+ z / sqrt(pairs - 3)). It takes the pairs as independent; where they share records,
    resample groups of them.

    >>> [round(end, 4) for end in fisher_interval(0.8239, 3108)]  # printed: .8123 and .8349
    [0.8123, 0.8349]
    """
    _require(pairs, r)
    if not 0 < level < 1:
        raise UsageError(f"an interval of {level:g} is none: give a level between 0 and 1")
    reach = float(stats.norm.ppf((1 + level) / 2)) / np.sqrt(pairs - 3)
    return Interval(*np.tanh(np.arctanh(r) + np.array([-reach, reach])).tolist())


def fisher_test(better: float, worse: float, pairs: int) -> Significance:
    """One-tailed test that a correlation is higher, by Fisher's z (*SEM 2013; Press et al. 14.5.10).

    z = (atanh better - atanh worse) / sqrt(2 / (pairs - 3)), each with the same number of pairs. It takes
    the two as independent. Systems on the same pairs are not: ``steiger_test`` and ``williams_test`` see
    more there.

    >>> round(fisher_test(0.6181, 0.5927, 2250).p, 3)  # *SEM 2013, first and second: not significant
    0.089
    """
    _require(pairs, better, worse)
    z = float((np.arctanh(better) - np.arctanh(worse)) / np.sqrt(2 / (pairs - 3)))
    return Significance(z, float(stats.norm.sf(z)))


def steiger_test(one: float, two: float, between: float, pairs: int) -> Significance:
    """Two-sided test that two systems correlate differently with one gold, by Steiger's Z (1980, eq. 14).

    ``one`` and ``two`` are the correlations of the systems with the gold, ``between`` that of the systems
    with each other. With m the mean of one and two, z = (atanh one - atanh two) sqrt(pairs - 3) / sqrt(2 -
    2 s), where s = (between (1 - 2 m^2) - m^2 (1 - 2 m^2 - between^2) / 2) / (1 - m^2)^2. O'Shea et al.
    (2013) compare systems by it.

    >>> result = steiger_test(0.4, 0.5, 0.1, 103)  # s .0004: z = -.1257 * 10 / sqrt(1.9992)
    >>> round(result.statistic, 3), round(result.p, 3)
    (-0.889, 0.374)
    """
    _require(pairs, one, two)
    _require_possible(one, two, between)
    if between == 1:
        return Significance(0.0, 1.0)
    squared = ((one + two) / 2) ** 2
    psi = between * (1 - 2 * squared) - squared * (1 - 2 * squared - between**2) / 2
    shared = psi / (1 - squared) ** 2
    z = float((np.arctanh(one) - np.arctanh(two)) * np.sqrt(pairs - 3) / np.sqrt(2 - 2 * shared))
    return Significance(z, float(2 * stats.norm.sf(abs(z))))


def williams_test(one: float, two: float, between: float, pairs: int) -> Significance:
    """Two-sided test as ``steiger_test``, by Williams' t with n - 3 degrees of freedom (Steiger 1980, eq. 7).

    With n pairs, m the mean of one and two and D = 1 - one^2 - two^2 - between^2 + 2 one two between,
    t = (one - two) sqrt((n - 1)(1 + between) / (2 D (n - 1) / (n - 3) + m^2 (1 - between)^3)).

    >>> result = williams_test(0.4, 0.5, 0.1, 103)  # D .62: -.1 * sqrt(102 * 1.1 / (1.2648 + .2025 * .729))
    >>> round(result.statistic, 3), round(result.p, 3)
    (-0.891, 0.375)
    """
    _require(pairs, one, two)
    determinant = _require_possible(one, two, between)
    if between == 1:
        return Significance(0.0, 1.0)
    below = 2 * determinant * (pairs - 1) / (pairs - 3) + ((one + two) / 2) ** 2 * (1 - between) ** 3
    t = float((one - two) * np.sqrt((pairs - 1) * (1 + between) / below))
    return Significance(t, float(2 * stats.t.sf(abs(t), pairs - 3)))


def paired_t_test(one: Doubles, two: Doubles) -> Significance:
    """Two-sided t test of the differences of values that belong together, such as the errors of two systems.

    NaN where all differences are the same.

    >>> result = paired_t_test(np.array([2.0, 4.0, 6.0]), np.array([1.0, 2.0, 3.0]))  # 2 / (1 / sqrt 3)
    >>> round(result.statistic, 4), round(result.p, 4)
    (3.4641, 0.0742)
    """
    if one.shape != two.shape or one.ndim != 1 or len(one) < 2:
        raise UsageError(
            "a paired t test needs two or more values on each side, as many on one as on the other"
        )
    return one_sample_t_test(one - two, 0.0)


def one_sample_t_test(values: Doubles, expected: float) -> Significance:
    """Two-sided t test that a mean differs from a number (O'Shea 2013).

    The source compares the correlations of annotators with that of a system.
    NaN where all values are the same.

    >>> result = one_sample_t_test(np.array([1.0, 2.0, 3.0]), 0.0)  # 2 / (1 / sqrt 3)
    >>> round(result.statistic, 4)
    3.4641
    """
    if len(values) < 2:
        raise UsageError("a t test needs two values or more")
    if np.ptp(values) <= 1e-12 * max(1.0, float(np.abs(values).max())):
        return Significance(float("nan"), float("nan"))
    result = stats.ttest_1samp(values, expected)
    return Significance(float(result.statistic), float(result.pvalue))


def levene_test(*groups: Doubles) -> Significance:
    """Levene's test that groups spread differently, around their medians (O'Shea 2013; Brown and Forsythe).

    NaN where no value is off the median by more or less than the others of its group.

    >>> # distances 1 0 1 and 2 0 2: F = (2/3) / ((2/3 + 8/3) / 4)
    >>> round(levene_test(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])).statistic, 4)
    0.8
    """
    if len(groups) < 2 or any(len(group) < 2 for group in groups):
        raise UsageError("Levene's test needs two groups or more of two values or more")
    distances = [np.abs(group - np.median(group)) for group in groups]
    if all(np.ptp(own) <= 1e-12 * max(1.0, float(own.max())) for own in distances):
        return Significance(float("nan"), float("nan"))
    result = stats.levene(*groups, center="median")
    return Significance(float(result.statistic), float(result.pvalue))


def paired_bootstrap(gold: Doubles, one: Doubles, two: Doubles, group: Rows, seed: int) -> Difference:
    """The difference of the mean Pearson r of two systems, by resampling whole groups of pairs.

    ``gold``, ``one`` and ``two`` are float64[pairs, types]; pairs that share a record belong to one
    ``group``. Both systems meet the same resamples. p is twice the smaller share of resamples, themselves
    and the figure counted, in which the difference is on one side of 0 or at it; it is never below 2 /
    (resamples + 1). All NaN where a correlation is undefined in every resample.

    >>> gold = np.arange(20.0)[:, np.newaxis]
    >>> paired_bootstrap(gold, gold, gold[::-1], np.arange(20), 3)[:2]
    (2.0, Interval(low=2.0, high=2.0))
    """
    if not gold.shape == one.shape == two.shape or len(group) != len(gold):
        raise UsageError("the systems and the groups must be of the same pairs as the gold")
    resampled = resampled_means(gold, one, group, seed) - resampled_means(gold, two, group, seed)
    return of_resampled(_mean_r(gold, one) - _mean_r(gold, two), resampled)


def of_resampled(difference: float, resampled: Doubles) -> Difference:
    """A difference with its interval and p, from what it is in each resample, as of ``paired_bootstrap``.

    >>> of_resampled(1.0, np.array([2.0, 1.0, 1.0, -1.0]))  # 1 of 4 below 0: 2 * 2 / 5
    Difference(difference=1.0, interval=Interval(low=-0.85, high=1.9249999999999998), p=0.8)
    """
    known = resampled[~np.isnan(resampled)]
    if not len(known):
        return Difference(float("nan"), interval(known), float("nan"))
    # resamples of equal systems differ by rounding alone
    above, below = np.count_nonzero(known >= -1e-12), np.count_nonzero(known <= 1e-12)
    p = min(1.0, 2 * (1 + min(above, below)) / (1 + len(known)))
    return Difference(difference, interval(known), float(p))


def holm(probabilities: Sequence[float]) -> list[float]:
    """The p of several tests, corrected for their number (Holm 1979).

    Among those at .05 or below, one is false in at most 5 % of such families. The smallest of n is
    multiplied by n, the next by n - 1, and so on; none is less than one before it, or above 1.

    >>> holm([0.01, 0.04, 0.03])  # .01 * 3, .03 * 2, and .04 * 1 raised to the one before it
    [0.03, 0.06, 0.06]
    """
    if any(not 0 <= p <= 1 for p in probabilities):
        raise UsageError("a p is between 0 and 1: leave out the tests that have none")
    corrected, highest = [0.0] * len(probabilities), 0.0
    for place, n in enumerate(np.argsort(probabilities, kind="stable").tolist()):
        highest = max(highest, min(1.0, probabilities[n] * (len(probabilities) - place)))
        corrected[n] = highest
    return corrected


def holm_of_defined(probabilities: Sequence[float]) -> list[float]:
    """As ``holm``, of the tests that have a p; NaN, where there was nothing to test, stays.

    >>> holm_of_defined([0.01, float("nan"), 0.03])
    [0.02, nan, 0.03]
    """
    defined = iter(holm([p for p in probabilities if not np.isnan(p)]))
    return [p if np.isnan(p) else next(defined) for p in probabilities]


def _mean_r(gold: Doubles, scores: Doubles) -> float:
    return float(np.mean([pearson(own, given) for own, given in zip(gold.T, scores.T, strict=True)]))


def _require(pairs: int, *correlations: float) -> None:
    if pairs < 4:
        raise UsageError(f"{pairs} pairs are too few for a test of correlations: it needs 4")
    if any(not -1 < r < 1 for r in correlations):
        raise UsageError("a correlation of 1, -1 or none has no test: give numbers between them")


def _require_possible(one: float, two: float, between: float) -> float:
    """The determinant of the three correlations; raises where no data have them."""
    determinant = 1 - one**2 - two**2 - between**2 + 2 * one * two * between
    if not (-1 <= between <= 1 and determinant >= -1e-9):
        raise UsageError(
            f"no pairs have the correlations {one:g}, {two:g} and {between:g}: look at the third"
        )
    return max(determinant, 0.0)
