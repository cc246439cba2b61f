"""The average of the best matches of two sets, half for each side (thesis eq. 6.7; with weights, eq. 2.7)."""

from collections.abc import Mapping

import numpy as np

from features.arrays import Doubles, Integers, Ints, Longs
from features.compiled import compiled
from features.profiles.profile import Occurrence


@compiled
def best_matches(starts: Longs, members: Ints, values: Doubles, weights: Doubles, own: Doubles) -> Doubles:
    """Of every row with the query; 0 for an empty row.

    ``members[starts[r]:starts[r + 1]]`` are the places in ``values`` float64[members, query] and in
    ``weights`` of what row r has; ``own`` weighs the query. A query of 2 with best matches .5 and .3, a row
    of 1 whose best is .5: (.8 / 2 + .5 / 1) / 2. Where the two weigh 3 and 1:
    ((3 x .5 + 1 x .3) / 4 + .5) / 2.

    >>> values, two = np.array([[0.5, 0.3], [0.9, 0.9]]), np.ones(2)
    >>> rows = np.array([0, 1, 1]), np.array([0], np.int32)
    >>> best_matches(*rows, values, two, two).round(4).tolist()
    [0.45, 0.0]
    >>> best_matches(*rows, values, two, np.array([3.0, 1.0])).round(4).tolist()
    [0.475, 0.0]
    """
    rows, width = len(starts) - 1, values.shape[1]
    averages = np.zeros(rows)
    best = np.zeros(width)
    for row in range(rows):
        best[:] = 0.0
        theirs = 0.0
        whole = 0.0
        for at in range(starts[row], starts[row + 1]):
            member = members[at]
            most = 0.0
            for k in range(width):
                value = values[member, k]
                most = max(most, value)
                best[k] = max(best[k], value)
            theirs += weights[member] * most
            whole += weights[member]
        if whole > 0.0:
            averages[row] = ((best * own).sum() / own.sum() + theirs / whole) / 2.0
    return averages


def pair_amounts(values: Doubles, left: int, right: int) -> Doubles:
    """What each pair brings to the average of the best matches of ``left`` and ``right`` members.

    ``values`` may lack members that are 0 to all.

    >>> pair_amounts(np.array([[0.5, 0.3]]), 1, 2).tolist()  # .5 / 2 + .5 / 4; .3 / 4
    [[0.375, 0.075]]
    """
    return weighted_amounts(values, np.ones(values.shape[0]), np.ones(values.shape[1]), left, right)


def weighted_amounts(
    values: Doubles, left: Doubles, right: Doubles, left_sum: float, right_sum: float
) -> Doubles:
    """The same by the weights of the members of both sides, and what all of a side weigh.

    >>> weighted_amounts(np.array([[0.5, 0.3]]), np.ones(1), np.array([3.0, 1.0]), 1, 4).round(4).tolist()
    [[0.4375, 0.0375]]

    .5 is the best of the left word, which counts 1/2, and of the first right word, 3/8; .3 that of the
    other, 1/8.
    """
    amounts = np.zeros_like(values)
    if values.size:
        rows, columns = np.arange(values.shape[0]), np.arange(values.shape[1])
        best, back = values.argmax(axis=1), values.argmax(axis=0)
        amounts[rows, best] += values[rows, best] * left / (2 * left_sum)
        amounts[back, columns] += values[back, columns] * right / (2 * right_sum)
    return amounts


def in_order(standing: Mapping[int, list[Occurrence]], numbers: Integers) -> dict[int, list[Occurrence]]:
    """Where some terms or articles stand, in the order of their numbers."""
    return {number: standing[number] for number in numbers.tolist()}
