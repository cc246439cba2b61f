"""Decisions on low and high similarity, and the composites, against reckoned cases and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from evaluation.metrics.classes import class_metrics, decision, scaled_to


@given(st.integers(0, 2**32 - 1))
def test_decisions_are_those_of_scikit_learn(seed: int) -> None:
    draw = np.random.default_rng(seed)
    gold, scores = draw.uniform(0, 5, 40), draw.uniform(0, 5, 40)
    metrics = class_metrics(gold, scores)
    assert metrics.low.f1 == pytest.approx(f1_score(gold < 1.5, scores < 1.5))
    assert metrics.high.f1 == pytest.approx(f1_score(gold > 3.5, scores > 3.5))
    assert metrics.high.accuracy == pytest.approx(accuracy_score(gold > 3.5, scores > 3.5))
    assert metrics.f1_macro == pytest.approx((metrics.low.f1 + metrics.high.f1) / 2)
    assert metrics.f1_hmean <= metrics.f1_macro + 1e-12
    perfect = class_metrics(gold, gold)
    assert perfect.f1_hmean == perfect.accuracy_hmean == 1


def test_the_limits_themselves_are_in_neither_class() -> None:
    gold = np.array([1.5, 3.5, 1.0, 4.0])
    scores = np.array([1.4, 3.6, 1.5, 3.5])
    metrics = class_metrics(gold, scores)  # of each class one is named and another is there
    assert (metrics.low.f1, metrics.high.f1, metrics.low.accuracy) == (0, 0, 0.5)
    assert metrics.f1_hmean == 0


def test_a_class_that_is_nowhere_has_no_f1() -> None:
    nobody, somebody = np.zeros(3, dtype=bool), np.array([True, False, False])
    assert np.isnan(decision(nobody, nobody).f1)
    assert decision(nobody, nobody).accuracy == 1
    assert decision(nobody, somebody).f1 == decision(somebody, nobody).f1 == 0
    assert np.isnan(class_metrics(np.full(3, 2.0), np.full(3, 2.0)).f1_hmean)


def test_scores_are_scaled_by_a_line_through_the_origin() -> None:
    draw = np.random.default_rng(3)
    gold, scores = draw.uniform(0, 5, 20), draw.uniform(0, 1, 20)
    slope = np.linalg.lstsq(scores[:, np.newaxis], gold, rcond=None)[0][0]
    assert scaled_to(gold, scores) == pytest.approx(slope * scores)
    assert scaled_to(gold, np.zeros(20)).tolist() == [0.0] * 20
