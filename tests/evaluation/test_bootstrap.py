"""Bootstrap intervals: groups are drawn whole, the same for every system, fixed by the seed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.correlation import RESAMPLES, interval, resampled_means, weighted_pearson

RNG = np.random.default_rng(3)
GOLD = RNG.uniform(0, 5, (60, 8))
SCORES = GOLD + RNG.normal(0, 1, (60, 8))
GROUP = np.repeat(np.arange(30), 2)


def test_the_same_seed_gives_the_same_digits() -> None:
    first = resampled_means(GOLD, SCORES, GROUP, 5)
    assert first.shape == (RESAMPLES,)
    assert np.array_equal(first, resampled_means(GOLD, SCORES, GROUP, 5))
    assert not np.array_equal(first, resampled_means(GOLD, SCORES, GROUP, 6))
    assert interval(first).low < np.corrcoef(GOLD[:, 0], SCORES[:, 0])[0, 1] < interval(first).high


def test_a_resample_is_pearson_of_the_groups_that_were_drawn() -> None:
    drawn = np.random.default_rng(5).multinomial(30, np.full(30, 1 / 30), size=RESAMPLES)
    means = resampled_means(GOLD, SCORES, GROUP, 5)
    for n in (0, 1, RESAMPLES - 1):
        rows = np.repeat(np.arange(60), drawn[n][GROUP])
        expected = [np.corrcoef(GOLD[rows, k], SCORES[rows, k])[0, 1] for k in range(8)]
        assert means[n] == pytest.approx(np.mean(expected))


def test_what_hangs_together_is_never_parted() -> None:
    # one group: every resample is all there is, and the interval is the figure itself
    expected = np.mean([np.corrcoef(GOLD[:, k], SCORES[:, k])[0, 1] for k in range(8)])
    whole = interval(resampled_means(GOLD, SCORES, np.zeros(60, dtype=np.intp), 5))
    assert whole == pytest.approx((expected, expected))


def test_dependent_pairs_make_the_interval_wider() -> None:
    gold, scores = np.repeat(GOLD, 4, axis=0), np.repeat(SCORES, 4, axis=0)
    alone = interval(resampled_means(gold, scores, np.arange(240), 5))
    together = interval(resampled_means(gold, scores, np.repeat(np.arange(60), 4), 5))
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_perfect_scores_leave_no_doubt() -> None:
    assert interval(resampled_means(GOLD, GOLD * 2 - 1, GROUP, 5)) == pytest.approx((1, 1))


def test_an_undefined_correlation_has_no_interval() -> None:
    flat = SCORES.copy()
    flat[:, 3] = 2.5
    assert np.isnan(interval(resampled_means(GOLD, flat, GROUP, 5))).all()


@given(st.lists(st.integers(0, 3), min_size=60, max_size=60).filter(lambda c: np.count_nonzero(c) > 2))
def test_counts_are_repetitions(counts: list[int]) -> None:
    rows = np.repeat(np.arange(60), counts)
    r = weighted_pearson(GOLD, SCORES, np.array([counts]))[0]
    expected = [np.corrcoef(GOLD[rows, k], SCORES[rows, k])[0, 1] for k in range(8)]
    assert r == pytest.approx(expected, abs=1e-9)
