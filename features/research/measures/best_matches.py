"""The average of the best matches of two sets, half for each side (thesis eq. 6.7)."""

from collections.abc import Mapping

import numpy as np

from features.arrays import Doubles, Integers, Ints, Longs
from features.compiled import compiled
from features.profiles.profile import Occurrence


@compiled
def best_matches(starts: Longs, members: Ints, values: Doubles) -> Doubles:
    """Of every row with the query; 0 for an empty row.

    ``members[starts[r]:starts[r + 1]]`` are the places in ``values`` float64[members, query] of what row r
    has. A query of 2 with best matches .5 and .3, a row of 1 whose best is .5: (.8 / 2 + .5 / 1) / 2.

    >>> values = np.array([[0.5, 0.3], [0.9, 0.9]])
    >>> best_matches(np.array([0, 1, 1]), np.array([0], np.int32), values).round(4).tolist()
    [0.45, 0.0]
    """
    rows, width = len(starts) - 1, values.shape[1]
    averages = np.zeros(rows)
    best = np.zeros(width)
    for row in range(rows):
        size = starts[row + 1] - starts[row]
        if size == 0:
            continue
        best[:] = 0.0
        own = 0.0
        for at in range(starts[row], starts[row + 1]):
            member = members[at]
            most = 0.0
            for k in range(width):
                value = values[member, k]
                most = max(most, value)
                best[k] = max(best[k], value)
            own += most
        averages[row] = (best.sum() / width + own / size) / 2.0
    return averages


def pair_amounts(values: Doubles, left: int, right: int) -> Doubles:
    """What each pair brings to the average of the best matches of ``left`` and ``right`` members.

    ``values`` may lack members that are 0 to all.

    >>> pair_amounts(np.array([[0.5, 0.3]]), 1, 2).tolist()  # .5 / 2 + .5 / 4; .3 / 4
    [[0.375, 0.075]]
    """
    amounts = np.zeros_like(values)
    if values.size:
        rows, columns = np.arange(values.shape[0]), np.arange(values.shape[1])
        best, back = values.argmax(axis=1), values.argmax(axis=0)
        amounts[rows, best] += values[rows, best] / (2 * left)
        amounts[back, columns] += values[back, columns] / (2 * right)
    return amounts


def in_order(standing: Mapping[int, list[Occurrence]], numbers: Integers) -> dict[int, list[Occurrence]]:
    """Where some terms or articles stand, in the order of their numbers."""
    return {number: standing[number] for number in numbers.tolist()}
