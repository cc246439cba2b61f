"""Where the lists of a type should end: the score that best tells pairs that are not alike from others."""

from collections.abc import Iterable

import numpy as np

from features.arrays import Doubles
from models.types import SimilarityType

ALIKE = 2.5
"""Gold from here on is nearer to 3, related, than to 2, somewhat related."""

_STEP = 0.05


def floors(gold: Doubles, scores: Doubles, types: Iterable[SimilarityType]) -> dict[SimilarityType, float]:
    """For each type the score below which most pairs are not alike: the fewest pairs stand on the wrong side.

    ``gold`` and ``scores`` are float64[pairs, types]. A pair of score 0, to which the type does not apply or
    that would end every list, is left out. Of equally good scores it is the lowest, in steps of .05.

    >>> scores = np.array([[1.0], [1.5], [2.2], [3.0]])
    >>> floors(np.array([[0.0], [1.0], [3.0], [4.0]]), scores, ("time",))
    {'time': 1.55}
    """
    grid = np.arange(0.0, 5.0, _STEP)
    found = {}
    for n, kind in enumerate(types):
        given = scores[:, n] > 0
        alike, ours = gold[given, n] >= ALIKE, scores[given, n]
        wrong = [np.count_nonzero((ours >= floor) != alike) for floor in grid]
        found[kind] = round(float(grid[int(np.argmin(wrong))]), 2)
    return found
