"""Distances of rankings; Beyer's tables of them are derived in tests/evaluation/published."""

import numpy as np
import pytest

from evaluation.metrics.errors import (
    compare_rankings,
    mean_absolute_difference,
    mean_square_difference,
    places,
)
from ingest.errors import UsageError


def test_places_as_they_are_printed() -> None:
    # Beyer, Table 10: places that are shared are the better one
    accuracy = np.array([0.12, 0.19, 0.06, 0.46, 0.19, 0.28, 0.44, 0.38, 0.43, 0.46, 0.43, 0.33, 0.62, 0.67])
    assert places(accuracy).tolist() == [13, 11, 14, 3, 11, 10, 5, 8, 6, 3, 6, 9, 2, 1]


def test_equal_rankings_are_not_apart() -> None:
    one = np.array([1.0, 2.0, 3.0])
    assert compare_rankings(one, one) == (0, 0, 1)
    assert np.isnan(mean_absolute_difference(np.zeros(0), np.zeros(0)))
    assert np.isnan(mean_square_difference(np.zeros(0), np.zeros(0)))
    with pytest.raises(UsageError, match="one score for every"):
        mean_absolute_difference(one, one[:2])
