"""Tests of significance, against printed figures, scipy, and how often they see what is not there."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.correlation import RESAMPLES
from evaluation.significance import (
    Significance,
    fisher_interval,
    fisher_test,
    holm,
    levene_test,
    one_sample_t_test,
    paired_bootstrap,
    paired_t_test,
    steiger_test,
    williams_test,
)
from features.arrays import Doubles
from ingest.errors import UsageError

# *SEM 2013, CORE: mean r of the runs by place. The best differs (p < .05) from all but the second,
# the second from the seventh on
BY_PLACE = {1: 0.6181, 2: 0.5927, 3: 0.5795, 6: 0.5649, 7: 0.5587}


@pytest.mark.parametrize(
    ("better", "worse", "differ"), [(1, 2, False), (1, 3, True), (2, 6, False), (2, 7, True)]
)
def test_the_printed_sentences_on_significance(better: int, worse: int, differ: bool) -> None:
    assert (fisher_test(BY_PLACE[better], BY_PLACE[worse], 2250).p < 0.05) == differ


@pytest.mark.parametrize(("r", "low", "high"), [(0.8239, 0.8123, 0.8349), (0.8138, 0.8016, 0.8254)])
def test_the_printed_intervals(r: float, low: float, high: float) -> None:
    # SemEval-2012 Task 6, 3108 pairs; r has four digits too
    assert fisher_interval(r, 3108) == pytest.approx((low, high), abs=1e-4)
    inner = fisher_interval(r, 3108, 0.5)
    assert low < inner.low < r < inner.high < high


@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.integers(10, 500))
def test_tests_of_correlations_know_no_order(one: float, two: float, pairs: int) -> None:
    between = one * two  # always possible
    for test in (steiger_test, williams_test):
        forth, back = test(one, two, between, pairs), test(two, one, between, pairs)
        assert forth.statistic == pytest.approx(-back.statistic)
        assert forth.p == pytest.approx(back.p)
        assert 0 <= forth.p <= 1
        assert test(one, one, one**2, pairs) == (0, 1)


def test_systems_that_are_alike_are_told_apart_sooner() -> None:
    for test in (steiger_test, williams_test):
        results = [test(0.70, 0.75, between, 200).p for between in (0.5, 0.8, 0.95)]
        assert results == sorted(results, reverse=True)
        assert results[2] < 0.002 < 0.05 < results[0]
    # one-tailed, and as if the systems were of different pairs
    assert fisher_test(0.75, 0.70, 200).p > williams_test(0.75, 0.70, 0.95, 200).p
    assert steiger_test(0.7, 0.7, 1.0, 200) == williams_test(0.7, 0.7, 1.0, 200) == (0, 1)


@pytest.mark.parametrize("test", [steiger_test, williams_test])
def test_systems_that_do_not_differ_seldom_seem_to(
    test: Callable[[float, float, float, int], Significance],
) -> None:
    draw, pairs, times = np.random.default_rng(3), 60, 1500
    gold = draw.normal(size=(times, pairs))
    shared = gold + draw.normal(size=(times, pairs))
    results = [
        test(*_correlations(own, both + a, both + b), pairs).p
        for own, both, a, b in zip(gold, shared, *draw.normal(0, 0.7, (2, times, pairs)), strict=True)
    ]
    # 5 % of 1500 with a standard deviation of .56 %
    assert np.mean(np.array(results) < 0.05) == pytest.approx(0.05, abs=0.0175)


def _correlations(gold: Doubles, one: Doubles, two: Doubles) -> tuple[float, float, float]:
    r = np.corrcoef([gold, one, two])
    return float(r[0, 1]), float(r[0, 2]), float(r[1, 2])


def test_t_and_levene_are_those_of_scipy() -> None:
    draw = np.random.default_rng(5)
    one, two, three = draw.normal(0, 1, 20), draw.normal(0.5, 2, 20), draw.normal(0, 1, 9)
    paired = stats.ttest_rel(one, two)
    assert paired_t_test(one, two) == pytest.approx((paired.statistic, paired.pvalue))
    alone = stats.ttest_1samp(one, 0.3)
    assert one_sample_t_test(one, 0.3) == pytest.approx((alone.statistic, alone.pvalue))
    spread = stats.levene(one, two, three)
    assert levene_test(one, two, three) == pytest.approx((spread.statistic, spread.pvalue))


def test_the_printed_t_of_a_system_against_raters() -> None:
    # O'Shea et al. (2013): 64 raters correlate .891 on the mean, STASIS .636 and LSA .693, t 35.79 and 27.79
    draw = np.random.default_rng(7)
    raters = draw.normal(size=64)
    raters = 0.891 + 0.0570 * (raters - raters.mean()) / raters.std(ddof=1)
    assert one_sample_t_test(raters, 0.636).statistic == pytest.approx(35.79, abs=0.05)
    assert one_sample_t_test(raters, 0.693).statistic == pytest.approx(27.79, abs=0.05)
    assert one_sample_t_test(raters, 0.636).p < 0.0001


def test_values_without_spread_have_no_test() -> None:
    same = np.array([0.1 + 0.2, 0.3, 0.3])
    assert np.isnan(paired_t_test(same, np.zeros(3))).all()
    assert np.isnan(levene_test(same, same)).all()


GOLD = np.random.default_rng(9).uniform(0, 5, (60, 3))
NOISE = np.random.default_rng(11).normal(0, 1, (2, 60, 3))


def test_the_bootstrap_sees_what_is_there_and_nothing_else() -> None:
    group = np.repeat(np.arange(30), 2)
    good, poor = GOLD + 0.3 * NOISE[0], GOLD + 2 * NOISE[1]
    result = paired_bootstrap(GOLD, good, poor, group, 3)
    expected = np.mean(
        [
            np.corrcoef(GOLD[:, n], good[:, n])[0, 1] - np.corrcoef(GOLD[:, n], poor[:, n])[0, 1]
            for n in range(3)
        ]
    )
    assert result.difference == pytest.approx(expected)
    assert 0 < result.interval.low < expected < result.interval.high
    assert result.p == pytest.approx(2 / (RESAMPLES + 1))
    back = paired_bootstrap(GOLD, poor, good, group, 3)
    assert back.difference == pytest.approx(-expected)
    assert back.p == result.p
    assert paired_bootstrap(GOLD, good, 2 * good + 1, group, 3).p == 1
    alike = paired_bootstrap(GOLD, GOLD + NOISE[0], GOLD + NOISE[1], group, 3)
    assert alike.p > 0.05
    assert alike.interval.low < 0 < alike.interval.high


def test_an_undefined_difference() -> None:
    result = paired_bootstrap(GOLD, GOLD, np.zeros_like(GOLD), np.arange(60), 3)
    assert np.isnan([result.difference, *result.interval, result.p]).all()


@given(st.lists(st.floats(0, 1), max_size=10))
def test_holm_is_between_no_correction_and_that_of_bonferroni(probabilities: list[float]) -> None:
    corrected = holm(probabilities)
    for own, result in zip(probabilities, corrected, strict=True):
        assert own <= result <= min(1, own * len(probabilities)) or result == max(corrected)
        assert own <= result <= 1
    order = np.argsort(probabilities, kind="stable")
    assert np.all(np.diff(np.array(corrected)[order]) >= 0)


def test_holm_worked_out() -> None:
    # .005 * 4, .01 * 3, .03 * 2 and .04 * 1, which is raised to .06
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_what_no_data_have_is_refused() -> None:
    with pytest.raises(UsageError, match="no pairs have the correlations"):
        steiger_test(0.9, -0.9, 0.9, 100)
    with pytest.raises(UsageError, match="too few"):
        fisher_test(0.5, 0.4, 3)
    with pytest.raises(UsageError, match="1, -1 or none"):
        williams_test(1.0, 0.5, 0.5, 100)
    with pytest.raises(UsageError, match="level"):
        fisher_interval(0.5, 100, 95)
    with pytest.raises(UsageError, match="as many on one"):
        paired_t_test(np.zeros(3), np.zeros(4))
    with pytest.raises(UsageError, match="two values"):
        one_sample_t_test(np.zeros(1), 0)
    with pytest.raises(UsageError, match="two groups"):
        levene_test(np.zeros(3))
    with pytest.raises(UsageError, match="same pairs"):
        paired_bootstrap(GOLD, GOLD[:3], GOLD, np.arange(60), 3)
    with pytest.raises(UsageError, match="between 0 and 1"):
        holm([0.5, float("nan")])
