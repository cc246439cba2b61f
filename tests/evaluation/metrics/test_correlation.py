"""Correlations by rank, over several sets and by confidence: printed figures, scipy, cases worked out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluation.correlation import pearson
from evaluation.metrics.correlation import (
    confidence_pearson,
    mean_by_size,
    normalised_pooled_pearson,
    pooled_pearson,
    spearman,
    sum_of_correlations,
)
from features.arrays import Doubles
from ingest.errors import UsageError

NAN = float("nan")
values = st.lists(st.integers(0, 5).map(float), min_size=3, max_size=20)


def test_a_mean_by_size_worked_out() -> None:
    # (.8 * 750 + .4 * 250) / 1000, and with nothing for the second set
    assert mean_by_size([0.8, 0.4], [750, 250]) == pytest.approx(0.7)
    assert mean_by_size([0.8, NAN], [750, 250]) == pytest.approx(0.6)


def test_the_printed_sums_of_cross_level_similarity() -> None:
    # SemEval-2014 Task 3, Table 5: SimCompass run 1, and Meerkat SuperSaiyan, which leaves two types out
    assert sum_of_correlations([0.811, 0.742, 0.415, 0.356]) == pytest.approx(2.324)
    assert sum_of_correlations([0.834, 0.777, NAN, NAN]) == pytest.approx(1.611)


@given(st.integers(0, 2**32 - 1), st.integers(3, 30))
def test_spearman_is_that_of_scipy_and_knows_only_the_order(seed: int, number: int) -> None:
    draw = np.random.default_rng(seed)
    gold, scores = draw.integers(0, 5, number).astype(float), draw.integers(0, 5, number).astype(float)
    gold[:2], scores[:2] = (0, 1), (2, 1)  # both vary
    r = spearman(gold, scores)
    assert r == pytest.approx(float(stats.spearmanr(gold, scores).statistic))
    assert r == pytest.approx(spearman(gold, np.exp(scores)))
    assert spearman(gold, gold) == pytest.approx(1)


def test_spearman_of_a_side_that_does_not_vary_is_undefined() -> None:
    assert np.isnan(spearman(np.array([1.0, 2.0, 3.0]), np.ones(3)))


def sets() -> tuple[list[Doubles], list[Doubles]]:
    draw = np.random.default_rng(5)
    gold = [draw.uniform(low, low + 2, 40) for low in (0.0, 3.0)]
    return gold, [own * slope + draw.normal(0, 0.3, 40) for own, slope in zip(gold, (1.0, -0.5), strict=True)]


def test_pooled_is_pearson_of_what_is_put_together() -> None:
    gold, scores = sets()
    assert pooled_pearson(gold, scores) == pytest.approx(
        np.corrcoef(np.concatenate(gold), np.concatenate(scores))[0, 1]
    )


def test_normalised_fits_a_line_in_each_set() -> None:
    gold, scores = sets()
    fitted = [np.polyval(np.polyfit(given, own, 1), given) for own, given in zip(gold, scores, strict=True)]
    expected = np.corrcoef(np.concatenate(gold), np.concatenate(fitted))[0, 1]
    assert normalised_pooled_pearson(gold, scores) == pytest.approx(expected)
    assert normalised_pooled_pearson(gold, scores) > pooled_pearson(gold, scores)
    moved = [scores[0] * 7 - 3, scores[1] / 5]
    assert normalised_pooled_pearson(gold, moved) == pytest.approx(expected)


def test_scores_that_do_not_vary_in_a_set_become_its_mean() -> None:
    # 1, 1 and 4, 4 for gold 0, 2, 3, 5: deviations -2.5 -.5 .5 2.5 and -1.5 -1.5 1.5 1.5: 9 / sqrt(13 * 9)
    gold = [np.array([0.0, 2.0]), np.array([3.0, 5.0])]
    r = normalised_pooled_pearson(gold, [np.full(2, 4.0), np.full(2, 1.0)])
    assert r == pytest.approx(9 / np.sqrt(13 * 9))


def test_confidence_counts_as_pairs_do() -> None:
    draw = np.random.default_rng(7)
    gold, scores, times = draw.uniform(0, 5, 30), draw.uniform(0, 5, 30), draw.integers(0, 4, 30)
    expected = np.corrcoef(np.repeat(gold, times), np.repeat(scores, times))[0, 1]
    confidence = 25 * times.astype(np.float64)
    assert confidence_pearson(gold, scores, confidence) == pytest.approx(expected)
    assert confidence_pearson(gold, scores * 1e-9, confidence) == pytest.approx(expected)
    same = pearson(gold, scores)
    assert confidence_pearson(gold, scores, np.full(30, 60.0)) == pytest.approx(same)
    assert confidence_pearson(gold, scores, np.zeros(30)) == pytest.approx(same)
    assert np.isnan(confidence_pearson(gold, np.full(30, 2.0), confidence))


def test_what_does_not_fit_together_is_refused() -> None:
    three = np.array([1.0, 2.0, 3.0])
    with pytest.raises(UsageError, match="one score for every gold value"):
        spearman(three, three[:2])
    with pytest.raises(UsageError, match="NaN or infinite"):
        spearman(three, np.array([1.0, NAN, 2.0]))
    with pytest.raises(UsageError, match="below 0"):
        confidence_pearson(three, three, -three)
    with pytest.raises(UsageError, match="every set"):
        pooled_pearson([three], [])
    with pytest.raises(UsageError, match="number of pairs"):
        mean_by_size([0.5], [1, 2])
