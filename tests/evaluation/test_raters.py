"""Agreement of annotators: printed and reckoned cases, and what holds of all ratings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.raters import LEAST_AGREEMENT, against_rest, ceiling, krippendorff_alpha, noise
from ingest.errors import UsageError

NAN = float("nan")


def test_each_against_the_mean_of_the_rest() -> None:
    draw = np.random.default_rng(3)
    truth = draw.uniform(0, 5, 200)
    ratings = truth[:, np.newaxis] + draw.normal(0, [0.3, 0.5, 0.4, 0.6, 8.0], (200, 5))
    results = against_rest(ratings)
    expected = [
        np.corrcoef(ratings[:, n], np.delete(ratings, n, axis=1).mean(axis=1))[0, 1] for n in range(5)
    ]
    assert results == pytest.approx(expected)
    assert (results < LEAST_AGREEMENT).tolist() == [False, False, False, False, True]
    assert ceiling(ratings) == pytest.approx((np.mean(expected), max(expected), min(expected)))


def test_ratings_that_are_missing_are_left_out() -> None:
    # the second rated three of the pairs of the first; of the third pair nobody else says anything
    ratings = np.array([[1.0, 2.0], [2.0, 4.0], [9.0, NAN], [4.0, 8.0]])
    assert against_rest(ratings) == pytest.approx([1, 1])
    assert np.isnan(ceiling(np.ones((3, 2)))).all()


def test_noise_is_a_share_of_the_scale() -> None:
    # deviations of 0, 2 and of 1, 3: sqrt 2 each; a pair with one rating counts nothing
    assert noise(np.array([[0.0, 2.0], [1.0, 3.0], [4.0, NAN]]), 4.0) == pytest.approx(np.sqrt(2) / 4)
    assert noise(np.ones((3, 2)), 5.0) == 0
    assert np.isnan(noise(np.array([[1.0, NAN]]), 5.0))


def test_alpha_of_the_usual_example() -> None:
    # Krippendorff (2011), Computing Krippendorff's alpha-reliability, D: interval data, alpha .849
    ratings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    assert krippendorff_alpha(np.array(ratings).T) == pytest.approx(0.849, abs=5e-4)


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_alpha_is_one_less_the_ratio_of_squared_differences(seed: int, annotators: int) -> None:
    draw = np.random.default_rng(seed)
    ratings = draw.integers(0, 6, (12, annotators)).astype(float)
    ratings[draw.random(ratings.shape) < 0.2] = NAN
    ratings[0], ratings[1] = 0, 5  # something varies
    units = [row[~np.isnan(row)] for row in ratings]
    units = [row for row in units if len(row) > 1]
    everything = np.concatenate(units)
    n = len(everything)
    observed = sum(np.square(u[:, None] - u).sum() / (len(u) - 1) for u in units) / n
    expected = np.square(everything[:, None] - everything).sum() / (n * (n - 1))
    alpha = krippendorff_alpha(ratings)
    assert alpha == pytest.approx(1 - observed / expected)
    assert alpha <= 1
    assert krippendorff_alpha(ratings * 2 + 1) == pytest.approx(alpha)
    assert krippendorff_alpha(np.repeat(ratings[:, :1], 3, axis=1)) == pytest.approx(1)


def test_undefined_and_refused() -> None:
    assert np.isnan(krippendorff_alpha(np.ones((4, 2))))
    assert np.isnan(krippendorff_alpha(np.array([[1.0, NAN]])))
    with pytest.raises(UsageError, match="two annotators"):
        krippendorff_alpha(np.ones((4, 1)))
    with pytest.raises(UsageError, match="infinite"):
        against_rest(np.array([[1.0, np.inf]]))
    with pytest.raises(UsageError, match="top of the scale"):
        noise(np.ones((3, 2)), 0)
