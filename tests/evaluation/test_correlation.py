"""Pearson, the mean of the types and the error counts, against numbers worked out by hand."""

import math

import numpy as np
import pytest

from evaluation.correlation import agreement, pearson, unweighted_mean
from models.types import OFFICIAL

# Thesis, Tables 5.3 and 6.3; *SEM 2013 shared task, Table 3: the eight types and the printed mean
PRINTED = {
    "baseline": ([0.6691, 0.4278, 0.4460, 0.5002, 0.4835, 0.3062, 0.5015, 0.5810], 0.4894),
    "UBC-RUN1": ([0.7256, 0.4568, 0.4467, 0.5762, 0.4858, 0.3090, 0.5015, 0.5810], 0.5103),
    "UBC-RUN2": ([0.7457, 0.6618, 0.6518, 0.7466, 0.7244, 0.6533, 0.7404, 0.7751], 0.7124),
    "UBC-RUN3": ([0.7461, 0.6656, 0.6544, 0.7411, 0.7257, 0.6545, 0.7417, 0.7763], 0.7132),
    "Unitor linear": ([0.7564, 0.8076, 0.6758, 0.7090, 0.7351, 0.6623, 0.7520, 0.7745], 0.7341),
    "Unitor rbf": ([0.7981, 0.8158, 0.6922, 0.7471, 0.7723, 0.6835, 0.7875, 0.7996], 0.7620),
}


@pytest.mark.parametrize(("types", "mean"), PRINTED.values(), ids=PRINTED.keys())
def test_the_printed_means_are_unweighted(types: list[float], mean: float) -> None:
    assert round(unweighted_mean(types), 4) == mean


def test_pearson_worked_out() -> None:
    # means 2.5 and 3.5; deviations -1.5 -.5 .5 1.5 and -2.5 1.5 -.5 1.5; products 3.75 -.75 -.25 2.25 = 5;
    # squares 5 and 11; r = 5 / sqrt(55)
    one, two = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 5.0, 3.0, 5.0])
    assert pearson(one, two) == pytest.approx(5 / math.sqrt(55), abs=1e-15)
    assert pearson(one, -two) == pytest.approx(-5 / math.sqrt(55), abs=1e-15)
    assert pearson(one, 0.001 * two + 4) == pytest.approx(5 / math.sqrt(55), abs=1e-9)


def test_a_constant_column_has_no_correlation_and_says_why() -> None:
    gold = np.random.default_rng(3).uniform(0, 5, (20, 8))
    scores = gold.copy()
    gold[:, OFFICIAL.index("event")] = 0
    scores[:, OFFICIAL.index("time")] = 0.1 + 0.2
    scores[10:, OFFICIAL.index("time")] = 0.3  # another number only by rounding
    result = agreement(gold, scores)
    assert result.undefined == {
        "time": "every score of the system is 0.3",
        "event": "every gold score is 0",
    }
    assert math.isnan(result.pearson["event"])
    assert math.isnan(result.mean)
    assert result.pearson["author"] == pytest.approx(1)


def test_one_pair_has_no_correlation() -> None:
    result = agreement(np.ones((1, 8)), np.ones((1, 8)))
    assert set(result.undefined.values()) == {"a correlation needs two pairs at least"}


def test_errors_are_counted_above_each_limit() -> None:
    # off by 5, 4 (not above 4), 3.5, 3 (not above 3), 2.5, 2 (not above 2), 0
    off = np.array([5.0, 4.0, 3.5, 3.0, 2.5, 2.0, 0.0])
    gold = np.repeat(off[:, np.newaxis], 8, axis=1)
    gold[:, 1] = 5 - off
    scores = np.zeros_like(gold)
    scores[:, 1] = 5
    result = agreement(gold, scores)
    for kind in OFFICIAL[:3]:
        assert [result.errors[limit][kind] for limit in (4, 3, 2)] == [1, 3, 5]
