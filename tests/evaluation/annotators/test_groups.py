"""Groups of raters compared, against printed figures and what holds of all groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.annotators.groups import analysis_of_variance, normality, two_sample_t_test
from features.arrays import Doubles
from ingest.errors import UsageError


def of_moments(number_of: int, average: float, deviation: float) -> Doubles:
    halves = np.where(np.arange(number_of) < number_of // 2, -1.0, 1.0)
    moved: Doubles = average + deviation * (halves - halves.mean()) / halves.std(ddof=1)
    return moved


def test_the_printed_t_of_the_raters_of_two_data_sets() -> None:
    # O'Shea et al. (2013): 64 raters with .891 and 32 with .825 on average, t 4.7735. Their deviations are
    # not printed; those that the t against the systems imply are .0570 and .0754. Three digits allow 1.5 %
    result = two_sample_t_test(of_moments(64, 0.891, 0.0570), of_moments(32, 0.825, 0.0754))
    assert result.statistic == pytest.approx(4.7735, rel=0.015)
    assert result.p < 0.0001


@given(st.integers(0, 2**32 - 1), st.integers(2, 20), st.integers(2, 20))
def test_two_groups_have_one_p(seed: int, first: int, second: int) -> None:
    draw = np.random.default_rng(seed)
    one, two = draw.normal(0, 1, first), draw.normal(0.5, 1, second)
    t, back, f = two_sample_t_test(one, two), two_sample_t_test(two, one), analysis_of_variance(one, two)
    assert f.statistic == pytest.approx(t.statistic**2)
    assert t.statistic == pytest.approx(-back.statistic)
    assert t.p == pytest.approx(back.p) == pytest.approx(f.p)


def test_normal_ratings_lie_on_a_line() -> None:
    draw = np.random.default_rng(3)
    means = draw.uniform(0, 5, (200, 1))
    assert normality(means + draw.normal(0, 1, (200, 10))) > 0.999
    assert normality(means + draw.exponential(1, (200, 10)) ** 2) < 0.9
    ratings = means + draw.normal(0, 1, (200, 10))
    ratings[draw.random(ratings.shape) < 0.5] = np.nan
    assert normality(ratings) > 0.995


def test_undefined_and_refused() -> None:
    same = np.full(3, 0.1 + 0.2)
    assert np.isnan(two_sample_t_test(same, same)).all()
    assert np.isnan(analysis_of_variance(same, np.ones(3), same)).all()
    assert np.isnan(normality(np.array([[1.0, np.nan]])))
    with pytest.raises(UsageError, match="two values each"):
        two_sample_t_test(np.zeros(1), np.zeros(3))
    with pytest.raises(UsageError, match="two groups"):
        analysis_of_variance(np.zeros(3))
