"""Products of a row of numbers with every row of a matrix, compiled.

Each row's product is summed up alone, the same in whatever company; sums of whole numbers are exact. Where 32
bits are enough for one they are declared, since Numba takes 64 and a processor then multiplies fewer at once.
"""

import math

import numpy as np
import numpy.typing as npt

from features.arrays import Bytes, Doubles, Floats, Int8s, Ints, Rows, Singles
from features.compiled import compiled, compiled_grouped, prefetch

_BLOCK = 8192  # rows turned from sixteen bits to thirty-two at a time: a block stays in the processor's cache
_AHEAD = 32  # rows that memory is asked for before they are read
_FURTHER_AHEAD = 64  # the same of short rows, of some 64 bytes
_PICKED_AHEAD = 16  # the same of rows that lie apart
_LINE = 64  # bytes that memory gives at once


def products(matrix: Floats, vector: Floats) -> Doubles:
    """The products of rows of small floating-point numbers, added up in 64 bits.

    >>> products(np.array([[1, 2], [3, -4]], np.float16), np.array([0.5, 0.25], np.float32)).tolist()
    [1.0, 0.5]
    """
    values = np.empty(len(matrix))
    for start in range(0, len(matrix), _BLOCK):
        block = matrix[start : start + _BLOCK].astype(np.float32, copy=False)
        values[start : start + _BLOCK] = _products(block, vector.astype(np.float32, copy=False))
    return values


@compiled_grouped
def _products(matrix: Singles, vector: Singles) -> Doubles:
    values = np.empty(len(matrix))
    for row in range(len(matrix)):
        total = 0.0
        for k in range(len(vector)):
            total += np.float64(matrix[row, k]) * np.float64(vector[k])
        values[row] = total
    return values


def cosines(matrix: Int8s, squares: Ints, vector: Int8s, square: int) -> Doubles:
    """The cosines of rows of whole numbers with one; ``squares`` are those of their lengths.

    A row of length 0 has 0.

    >>> matrix, squares = np.array([[3, 4], [4, -3], [0, 0]], np.int8), np.array([25, 25, 0], np.int32)
    >>> cosines(matrix, squares, np.array([6, 8], np.int8), 100).tolist()
    [1.0, 0.0, 0.0]
    """
    products: Doubles = _added_products(matrix, vector.astype(np.int16)) / np.sqrt(
        np.maximum(squares, 1) * float(square)
    )
    return products


def single_cosines(matrix: Int8s, shares: Singles, vector: Int8s, square: int) -> Singles:
    """The same in single precision; ``shares`` are what ``inverse`` gives of the rows' lengths.

    >>> matrix, shares = np.array([[3, 4], [-3, -4], [0, 0]], np.int8), inverse(np.array([5.0, 5.0, 0.0]))
    >>> single_cosines(matrix, shares, np.array([6, 8], np.int8), 100).round(6).tolist()
    [1.0, -1.0, nan]
    """
    products = _added_products(matrix, vector.astype(np.int16))
    return _scaled(products, shares, np.float32(1 / math.sqrt(square)))


def picked_cosines(matrix: Int8s, shares: Singles, vector: Int8s, square: int, picked: Rows) -> Singles:
    """The same of some rows alone, read where they lie.

    >>> matrix, shares = np.array([[3, 4], [-3, -4], [0, 0]], np.int8), inverse(np.array([5.0, 5.0, 0.0]))
    >>> picked_cosines(matrix, shares, np.array([6, 8], np.int8), 100, np.array([2, 0])).round(6).tolist()
    [nan, 1.0]
    """
    products = _picked_products(matrix, vector.astype(np.int16), picked)
    return _scaled(products, shares[picked], np.float32(1 / math.sqrt(square)))


def inverse(lengths: Doubles) -> Singles:
    """1 over each length, NaN for 0: what a product times it is a cosine, or is not known."""
    return (1.0 / np.where(lengths > 0, lengths, np.nan)).astype(np.float32)


@compiled
def _added_products(matrix: Int8s, vector: npt.NDArray[np.int16]) -> Ints:
    values = np.empty(len(matrix), np.int32)
    rows = matrix.reshape(-1)
    for n in range(len(matrix)):
        for k in range((n + _AHEAD) * len(vector), (n + _AHEAD + 1) * len(vector), _LINE):
            prefetch(rows, k)
        values[n] = _product(matrix[n], vector)
    return values


@compiled
def _picked_products(matrix: Int8s, vector: npt.NDArray[np.int16], picked: Rows) -> Ints:
    values = np.empty(len(picked), np.int32)
    rows = matrix.reshape(-1)
    for n in range(len(picked)):
        ahead = picked[min(n + _PICKED_AHEAD, len(picked) - 1)] * len(vector)
        for k in range(ahead, ahead + len(vector), _LINE):
            prefetch(rows, k)
        values[n] = _product(matrix[picked[n]], vector)
    return values


@compiled
def _product(row: Int8s, vector: npt.NDArray[np.int16]) -> np.int32:
    # a processor multiplies sixteen bits with sixteen and adds pairs of products in one step
    total = np.int32(0)
    for k in range(len(vector)):
        total = np.int32(total + np.int32(np.int32(row[k]) * np.int32(vector[k])))
    return total


@compiled
def _scaled(products: Ints, shares: Singles, share: np.float32) -> Singles:
    values = np.empty(len(products), np.float32)
    for n in range(len(products)):
        values[n] = np.float32(products[n]) * share * shares[n]
    return values


@compiled_grouped
def weighted_cosines(matrix: Bytes, weights: Singles, shares: Singles) -> Singles:
    """Such products in single precision, each times what its row's length leaves of it.

    >>> matrix, shares = np.array([[3, 4], [0, 0]], np.uint8), np.array([0.2, np.nan], np.float32)
    >>> weighted_cosines(matrix, np.array([0.6, 0.8], np.float32), shares).round(6).tolist()
    [1.0, nan]
    """
    values = np.empty(len(matrix), np.float32)
    rows = matrix.reshape(-1)
    for n in range(len(matrix)):
        prefetch(rows, (n + _FURTHER_AHEAD) * len(weights))
        row, total = matrix[n], np.float32(0.0)
        for k in range(len(weights)):
            total += np.float32(row[k]) * weights[k]
        values[n] = total * shares[n]
    return values
