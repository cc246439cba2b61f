"""Products of a row of numbers with every row of a matrix, compiled.

Each row's product is summed up alone, so that it is the same in whatever company; sums of whole numbers
are exact.
"""

import math

import numpy as np
import numpy.typing as npt

from features.compiled import compiled, compiled_grouped, over_rows

Doubles = npt.NDArray[np.float64]
Small = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]
Whole = npt.NDArray[np.int32]

_BLOCK = 8192
"""Rows turned from sixteen bits to thirty-two at a time: a block stays in the processor's cache."""


def products(matrix: npt.NDArray[np.floating], vector: npt.NDArray[np.floating]) -> Doubles:
    """The products of rows of small floating-point numbers, added up in 64 bits.

    >>> products(np.array([[1, 2], [3, -4]], np.float16), np.array([0.5, 0.25], np.float32)).tolist()
    [1.0, 0.5]
    """
    found = np.empty(len(matrix))
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK].astype(np.float32, copy=False)
        found[start : start + _BLOCK] = _products(block, vector.astype(np.float32, copy=False))
    return found


@compiled_grouped
def _products(matrix: npt.NDArray[np.float32], vector: npt.NDArray[np.float32]) -> Doubles:
    found = np.empty(len(matrix))
    for row in range(len(matrix)):
        total = 0.0
        for k in range(len(vector)):
            total += np.float64(matrix[row, k]) * np.float64(vector[k])
        found[row] = total
    return found


def cosines(matrix: Small, squares: Whole, vector: Small, square: int) -> Doubles:
    """The cosines of rows of whole numbers with one; ``squares`` are those of their lengths.

    A row of length 0 has 0.

    >>> matrix, squares = np.array([[3, 4], [4, -3], [0, 0]], np.int8), np.array([25, 25, 0], np.int32)
    >>> cosines(matrix, squares, np.array([6, 8], np.int8), 100).tolist()
    [1.0, 0.0, 0.0]
    """
    found = np.empty(len(matrix))
    over_rows(
        lambda part: _cosines(matrix[part], squares[part], vector, float(square), found[part]), len(matrix)
    )
    return found


@compiled
def _cosines(matrix: Small, squares: Whole, vector: Small, square: float, found: Doubles) -> None:
    for n in range(len(matrix)):
        row, total = matrix[n], np.int32(0)
        for k in range(len(vector)):
            total += np.int32(row[k]) * np.int32(vector[k])
        found[n] = total / math.sqrt(max(squares[n], 1) * square)


def weighted_products(matrix: Bytes, weights: Doubles) -> Doubles:
    """The products of rows with whole weights: exact below 2^53, in any order.

    >>> weighted_products(np.array([[1, 2], [3, 0]], np.uint8), np.array([10.0, 1.0])).tolist()
    [12.0, 30.0]
    """
    found = np.empty(len(matrix))
    over_rows(lambda part: _weighted_products(matrix[part], weights, found[part]), len(matrix))
    return found


@compiled_grouped
def _weighted_products(matrix: Bytes, weights: Doubles, found: Doubles) -> None:
    for n in range(len(matrix)):
        row, total = matrix[n], 0.0
        for k in range(len(weights)):
            total += np.float64(row[k]) * weights[k]
        found[n] = total


@compiled
def least_sums(matrix: Bytes, vector: Bytes) -> Doubles:
    """The sums of the smaller numbers of each row and a vector.

    >>> least_sums(np.array([[1, 9]], np.uint8), np.array([4, 4], np.uint8)).tolist()
    [5.0]
    """
    found = np.empty(len(matrix))
    for n in range(len(matrix)):
        row, total = matrix[n], np.int32(0)
        for k in range(len(vector)):
            total += np.int32(min(row[k], vector[k]))
        found[n] = total
    return found
