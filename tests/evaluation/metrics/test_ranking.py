"""Cumulated gain, its discount and its share, by reckoned cases and by what holds of all orders."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.metrics.ranking import (
    cumulated_gain,
    discounted_gain,
    mean_ncg,
    mean_ndcg,
    ncg,
    ndcg,
)
from ingest.errors import UsageError

GOLD = np.array([3.0, 2.0, 3.0, 0.0, 1.0, 2.0])
FALLING = np.arange(6.0, 0.0, -1)  # the order in which the gold stands above

grades = st.lists(st.integers(0, 5).map(float), min_size=2, max_size=12)


def test_gains_worked_out() -> None:
    assert [cumulated_gain(GOLD, FALLING, k) for k in (1, 2, 3, 6)] == [3, 5, 8, 11]
    # 3 + 2 / log2 2 + 3 / log2 3 + 0 + 1 / log2 5 + 2 / log2 6
    expected = 3 + 2 + 3 / np.log2(3) + 1 / np.log2(5) + 2 / np.log2(6)
    assert discounted_gain(GOLD, FALLING) == pytest.approx(expected)
    # the best order is 3 3 2 2 1 0
    ideal = 3 + 3 + 2 / np.log2(3) + 2 / 2 + 1 / np.log2(5)
    assert ndcg(GOLD, FALLING) == pytest.approx(expected / ideal)
    assert ncg(GOLD, FALLING, 2) == pytest.approx(5 / 6)
    assert mean_ncg(GOLD, FALLING) == pytest.approx((8 / 8 + 9 / 11 + 11 / 11) / 3)
    assert mean_ndcg(GOLD, FALLING, (1, 2)) == pytest.approx((1 + 5 / 6) / 2)


def test_the_first_two_ranks_count_in_full() -> None:
    gold = np.array([4.0, 1.0, 0.0])
    assert discounted_gain(gold, np.array([3.0, 2.0, 1.0])) == discounted_gain(
        gold, np.array([2.0, 3.0, 1.0])
    )


def test_equal_scores_have_the_mean_of_all_their_orders() -> None:
    gold, scores = np.array([5.0, 1.0, 3.0, 0.0]), np.array([2.0, 2.0, 2.0, 1.0])
    for k in (1, 2, 3, 4):
        orders = [[*order, 3] for order in permutations(range(3))]
        broken = [discounted_gain(gold[order], np.arange(4.0, 0.0, -1), k) for order in orders]
        assert discounted_gain(gold, scores, k) == pytest.approx(np.mean(broken))


@given(grades, st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_shares_lie_between_0_and_1_and_the_best_order_has_1(grade: list[float], k: int, seed: int) -> None:
    gold = np.array([*grade, 1.0])
    scores = np.random.default_rng(seed).permutation(len(gold)).astype(float)
    for metric in (ncg, ndcg):
        assert 0 <= metric(gold, scores, k) <= 1 + 1e-12
        assert metric(gold, gold * 2 + 1, k) == pytest.approx(1)
        assert metric(gold * 3, scores, k) == pytest.approx(metric(gold, scores, k))
        order = np.random.default_rng(seed + 1).permutation(len(gold))
        assert metric(gold[order], scores[order], k) == pytest.approx(metric(gold, scores, k))


def test_undefined_and_refused() -> None:
    assert np.isnan(ndcg(np.zeros(3), np.arange(3.0)))
    with pytest.raises(UsageError, match="k of 1 or more"):
        ncg(GOLD, FALLING, 0)
    with pytest.raises(UsageError, match="gold below 0"):
        ndcg(-GOLD, FALLING)
    with pytest.raises(UsageError, match="one length"):
        mean_ncg(GOLD, FALLING, ())
