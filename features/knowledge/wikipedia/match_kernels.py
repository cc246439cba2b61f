"""The inner loop of the best-match average over many items, compiled."""

import numpy as np
import numpy.typing as npt

from features.compiled import compiled

Doubles = npt.NDArray[np.float64]


@compiled
def best_matches(
    starts: npt.NDArray[np.int64], members: npt.NDArray[np.int32], values: Doubles
) -> tuple[Doubles, Doubles]:
    """For every item the sums of the best matches, from the query's side and from its own.

    ``members[starts[i]:starts[i + 1]]`` are the rows of ``values`` float64[members, query] that item i has.
    """
    items, width = len(starts) - 1, values.shape[1]
    ours, theirs = np.zeros(items), np.zeros(items)
    best = np.zeros(width)
    for item in range(items):
        best[:] = 0.0
        for at in range(starts[item], starts[item + 1]):
            row = members[at]
            most = 0.0
            for k in range(width):
                value = values[row, k]
                most = max(most, value)
                best[k] = max(best[k], value)
            theirs[item] += most
        for k in range(width):
            ours[item] += best[k]
    return ours, theirs
