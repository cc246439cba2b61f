"""Distances of rankings: the tables that Beyer (2015) prints come out of his other tables exactly."""

import numpy as np
import pytest

from evaluation.metrics.errors import (
    compare_rankings,
    mean_absolute_difference,
    mean_square_difference,
    places,
)
from ingest.errors import UsageError

# Table 4: the places of fourteen measures of strings by each metric
PLACES = {
    "PCC": [4, 6, 10, 14, 5, 8, 7, 11, 12, 9, 12, 1, 2, 3],
    "SCC": [4, 5, 8, 12, 7, 9, 6, 11, 13, 10, 13, 1, 2, 3],
    "nDCG_All": [10, 11, 9, 12, 13, 5, 14, 3, 1, 6, 1, 7, 8, 4],
    "nDCG_Avg": [14, 9, 12, 13, 10, 4, 11, 1, 1, 4, 1, 8, 7, 6],
    "F1_low": [10, 13, 14, 9, 12, 4, 11, 6, 7, 5, 7, 2, 1, 3],
    "F1_hmean": [8, 13, 14, 6, 12, 4, 9, 7, 10, 5, 10, 2, 1, 3],
    "SCC_nCG": [4, 5, 10, 14, 9, 6, 7, 11, 12, 8, 12, 3, 1, 2],
    "SCC_F1": [5, 13, 14, 8, 10, 4, 7, 9, 11, 6, 11, 1, 2, 3],
}
# Tables 6 and 10: their places by what they are worth in two applications
REUSE = [14, 11, 13, 2, 10, 8, 9, 3, 5, 7, 6, 12, 4, 1]
ONE_OF_20 = [13, 11, 14, 3, 11, 10, 5, 8, 6, 3, 6, 9, 2, 1]
# Tables 7 and 11: MAD, MSD and Spearman
TABLE_7 = {
    "PCC": (5.36, 42.07, -0.326),
    "SCC": (5.64, 42.50, -0.343),
    "nDCG_All": (3.64, 19.07, 0.431),
    "nDCG_Avg": (3.29, 17.86, 0.504),
    "F1_low": (3.21, 16.07, 0.497),
    "F1_hmean": (3.50, 17.93, 0.427),
    "SCC_nCG": (5.07, 38.50, -0.216),
    "SCC_F1": (4.07, 26.36, 0.163),
}
TABLE_11 = {
    "PCC": (5.00, 33.71, -0.031),
    "SCC": (5.00, 34.00, -0.040),
    "nDCG_All": (4.43, 25.57, 0.238),
    "nDCG_Avg": (4.07, 23.79, 0.338),
    "F1_low": (2.86, 13.29, 0.611),
    "F1_hmean": (3.00, 13.00, 0.614),
    "SCC_nCG": (4.71, 30.14, 0.084),
    "SCC_F1": (3.43, 18.71, 0.439),
}


@pytest.mark.parametrize("metric", PLACES)
@pytest.mark.parametrize(("outside", "table"), [(REUSE, TABLE_7), (ONE_OF_20, TABLE_11)], ids=["7", "11"])
def test_the_printed_comparisons_of_rankings(
    metric: str, outside: list[int], table: dict[str, tuple[float, float, float]]
) -> None:
    result = compare_rankings(np.array(PLACES[metric], float), np.array(outside, float))
    assert [round(value, digits) for value, digits in zip(result, (2, 2, 3), strict=True)] == list(
        table[metric]
    )


def test_places_as_they_are_printed() -> None:
    accuracy = np.array([0.12, 0.19, 0.06, 0.46, 0.19, 0.28, 0.44, 0.38, 0.43, 0.46, 0.43, 0.33, 0.62, 0.67])
    assert places(accuracy).tolist() == ONE_OF_20  # Table 10


def test_equal_rankings_are_not_apart() -> None:
    one = np.array([1.0, 2.0, 3.0])
    assert compare_rankings(one, one) == (0, 0, 1)
    assert np.isnan(mean_absolute_difference(np.zeros(0), np.zeros(0)))
    assert np.isnan(mean_square_difference(np.zeros(0), np.zeros(0)))
    with pytest.raises(UsageError, match="one score for every"):
        mean_absolute_difference(one, one[:2])
