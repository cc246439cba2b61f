"""The inner loops of the measures over terms, compiled.

Each sums up in one order, that of the numbers of the terms, whether all items are asked for or some: the
sums are then the same to the last bit.
"""

import numpy as np
import numpy.typing as npt

from features.compiled import compiled, compiled_grouped

Doubles = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Counts = npt.NDArray[np.integer]
Small = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]
Rows = npt.NDArray[np.intp]

_LEAST = np.finfo(np.float64).tiny
"""A length that is divided by in place of 0: no vector is so short."""


@compiled
def sums(starts: Longs, values: Doubles) -> Doubles:
    """The sum of the values of each item, one after the other."""
    found = np.zeros(len(starts) - 1)
    for item in range(len(found)):
        for at in range(starts[item], starts[item + 1]):
            found[item] += values[at]
    return found


def cheaper_whole(lists: Longs, starts: Longs, terms: Ints, rows: Rows) -> bool:
    """Whether the inverted lists of some terms are shorter than the rows' own terms together.

    >>> lists, starts = np.array([0, 9, 10]), np.array([0, 2, 4])  # a term of 9 items, and one of 1
    >>> rows = np.array([0, 1])
    >>> cheaper_whole(lists, starts, np.array([0]), rows), cheaper_whole(lists, starts, np.array([1]), rows)
    (False, True)
    """
    postings = int((lists[terms + 1] - lists[terms]).sum())
    mean = float(starts[-1]) / (len(starts) - 1)
    return postings < len(rows) * mean


@compiled
def shared(lists: Longs, items: Ints, size: int, terms: Ints, weights: Doubles) -> Doubles:
    """Per item the sum of the weights of those terms that it has; float64[size], by inverted lists."""
    found = np.zeros(size)
    for n in range(len(terms)):
        for at in range(lists[terms[n]], lists[terms[n] + 1]):
            found[items[at]] += weights[n]
    return found


@compiled
def shared_of(rows: Rows, starts: Longs, own: Ints, terms: Ints, weights: Doubles) -> Doubles:
    """The same of some rows; the terms, those of a row and those given, ascend."""
    found = np.zeros(len(rows))
    for n in range(len(rows)):
        at, end, k = starts[rows[n]], starts[rows[n] + 1], 0
        while at < end and k < len(terms):
            if own[at] < terms[k]:
                at += 1
            elif own[at] > terms[k]:
                k += 1
            else:
                found[n] += weights[k]
                at += 1
                k += 1
    return found


@compiled
def products(
    lists: Longs, items: Ints, counts: Counts, idf: Doubles, norms: Doubles, terms: Ints, weights: Doubles
) -> Doubles:
    """Per item the product of its unit vector of ``count x idf`` with a query's; by inverted lists."""
    found = np.zeros(len(norms))
    for n in range(len(terms)):
        weight = idf[terms[n]] * weights[n]
        for at in range(lists[terms[n]], lists[terms[n] + 1]):
            found[items[at]] += counts[at] * weight
    for item in range(len(norms)):
        found[item] /= max(norms[item], _LEAST)
    return found


@compiled
def products_of(
    rows: Rows,
    starts: Longs,
    own: Ints,
    counts: Counts,
    idf: Doubles,
    norms: Doubles,
    terms: Ints,
    weights: Doubles,
) -> Doubles:
    """The same of some rows; the terms, those of a row and those given, ascend."""
    found = np.zeros(len(rows))
    for n in range(len(rows)):
        at, end, k = starts[rows[n]], starts[rows[n] + 1], 0
        while at < end and k < len(terms):
            if own[at] < terms[k]:
                at += 1
            elif own[at] > terms[k]:
                k += 1
            else:
                found[n] += counts[at] * (idf[own[at]] * weights[k])
                at += 1
                k += 1
        found[n] /= max(norms[rows[n]], _LEAST)
    return found


@compiled_grouped
def dense(rows: Rows, matrix: Floats, vector: Floats) -> Doubles:
    """The products of some rows of a matrix with a vector; unlike BLAS the same in whatever company."""
    found = np.empty(len(rows))
    for n in range(len(rows)):
        total = 0.0
        for k in range(len(vector)):
            total += np.float64(matrix[rows[n], k]) * np.float64(vector[k])
        found[n] = total
    return found


@compiled
def whole_products(rows: Rows, matrix: Small, vector: Small) -> Doubles:
    """The products of some rows of whole numbers with a vector of such: exact.

    >>> matrix, vector = np.array([[1, 2], [3, -4]], np.int8), np.array([5, 6], np.int8)
    >>> whole_products(np.array([1]), matrix, vector).tolist()
    [-9.0]
    """
    found = np.empty(len(rows))
    for n in range(len(rows)):
        row, total = matrix[rows[n]], np.int32(0)
        for k in range(len(vector)):
            total += np.int32(row[k]) * np.int32(vector[k])
        found[n] = total
    return found


@compiled_grouped
def weighted_products(rows: Rows, matrix: Bytes, weights: Doubles) -> Doubles:
    """The products of some rows with whole weights: exact below 2^53, in any order."""
    found = np.empty(len(rows))
    for n in range(len(rows)):
        row, total = matrix[rows[n]], 0.0
        for k in range(len(weights)):
            total += np.float64(row[k]) * weights[k]
        found[n] = total
    return found


@compiled
def least_sums(rows: Rows, matrix: Bytes, vector: Bytes) -> Doubles:
    """The sums of the smaller numbers of some rows and a vector.

    >>> least_sums(np.array([0]), np.array([[1, 9]], np.uint8), np.array([4, 4], np.uint8)).tolist()
    [5.0]
    """
    found = np.empty(len(rows))
    for n in range(len(rows)):
        row, total = matrix[rows[n]], np.int32(0)
        for k in range(len(vector)):
            total += np.int32(min(row[k], vector[k]))
        found[n] = total
    return found
