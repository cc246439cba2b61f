"""The inner loops of the walk and its tables, compiled.

A best-match average over 160,000 texts is some 80 million look-ups of one byte: a compiled loop keeps the
running maxima of a text in a register, where numpy writes an array for every word of the query.
"""

import numpy as np

from features.arrays import Bytes, Doubles, Ints, Longs, Singles
from features.compiled import compiled


@compiled
def step(
    starts: Longs, neighbours: Ints, now: Singles, start: Singles, share: np.float32, out: Singles
) -> None:
    """One step of Horner's rule, ``out = share start + W now``: W averages over a node's neighbours.

    All three blocks are float32[nodes, batch].
    """
    batch = now.shape[1]
    total = np.empty(batch, np.float32)
    for node in range(len(starts) - 1):
        total[:] = 0.0
        for at in range(starts[node], starts[node + 1]):
            other = neighbours[at]
            for k in range(batch):
                total[k] += now[other, k]
        scale = np.float32(1.0) / np.float32(starts[node + 1] - starts[node])
        for k in range(batch):
            out[node, k] = share * start[node, k] + scale * total[k]


@compiled
def _code(triangle: Bytes, more: Bytes, low: np.int64, high: np.int64) -> np.uint8:
    """The code of two words, by their rows."""
    at = high * (high - 1) // 2 + low
    code: np.uint8 = triangle[at] if at < len(triangle) else more[at - len(triangle)]
    return code


@compiled
def codes(triangle: Bytes, more: Bytes, words: Ints, ids: Ints) -> Bytes:
    """The codes of words with the words ``ids``, uint8[words, columns]; 255 is a word with itself.

    ``triangle`` and what continues it in ``more`` hold, row by row, the codes of word v with the words 0 to
    v - 1. Columns are filled up with zeros to a multiple of 16, what a processor takes in one go.
    """
    matrix = np.zeros((len(words), (len(ids) + 15) // 16 * 16), np.uint8)
    size = len(triangle)
    for n in range(len(words)):
        v = np.int64(words[n])
        row = v * (v - 1) // 2
        for k in range(len(ids)):
            w = np.int64(ids[k])
            at = row + w if w < v else w * (w - 1) // 2 + v
            if w == v:
                matrix[n, k] = 255
            elif at < size:
                matrix[n, k] = triangle[at]
            else:
                matrix[n, k] = more[at - size]
    return matrix


@compiled
def between(triangle: Bytes, more: Bytes, levels: Doubles, left: Ints, right: Ints) -> Doubles:
    """The cosines of words with words, float64[len(left), len(right)]; 0 where an id is -1."""
    cosines = np.zeros((len(left), len(right)))
    for i in range(len(left)):
        for j in range(len(right)):
            low, high = np.int64(min(left[i], right[j])), np.int64(max(left[i], right[j]))
            if low < 0:
                continue
            cosines[i, j] = 1.0 if low == high else levels[_code(triangle, more, low, high)]
    return cosines


@compiled
def squares(
    triangle: Bytes, more: Bytes, levels: Doubles, starts: Longs, ids: Ints, weights: Doubles
) -> Doubles:
    """``a C a`` of every text: text t has the words ``ids[starts[t]:starts[t + 1]]``."""
    norms = np.empty(len(starts) - 1)
    for text in range(len(norms)):
        total = 0.0
        for i in range(starts[text], starts[text + 1]):
            total += weights[i] * weights[i]
            for j in range(starts[text], i):
                low, high = np.int64(min(ids[i], ids[j])), np.int64(max(ids[i], ids[j]))
                level = levels[_code(triangle, more, low, high)]
                total += 2.0 * weights[i] * weights[j] * level
        norms[text] = total
    return norms


@compiled
def sums(starts: Longs, ids: Ints, weights: Singles, values: Doubles) -> Doubles:
    """Per text the sum of ``weights`` times the ``values`` of its words."""
    totals = np.empty(len(starts) - 1)
    for text in range(len(totals)):
        total = 0.0
        for at in range(starts[text], starts[text + 1]):
            total += weights[at] * values[ids[at]]
        totals[text] = total
    return totals


@compiled
def spread(query: Bytes, levels: Doubles, weights: Doubles) -> Doubles:
    """Per word the sum of the query's weights times its cosines with it: ``C a``."""
    products = np.empty(len(query))
    for word in range(len(query)):
        total = 0.0
        for k in range(len(weights)):
            total += weights[k] * levels[query[word, k]]
        products[word] = total
    return products


@compiled
def best_matches(starts: Longs, ids: Ints, query: Bytes, levels: Doubles) -> tuple[Doubles, Doubles]:
    """Sums of best matches per text: of the query's words there, and of its own words in the query.

    ``query`` holds the codes of the query's words with every word, uint8[words, query words]. Codes
    grow with the cosine, so that the maximum can be taken of bytes.
    """
    texts, width = len(starts) - 1, query.shape[1]
    there, back = np.zeros(texts), np.zeros(texts)
    highest = np.zeros(len(query))
    for word in range(len(query)):
        top = np.uint8(0)
        for k in range(width):
            top = max(top, query[word, k])
        highest[word] = levels[top]
    best = np.empty(width, np.uint8)
    for text in range(texts):
        best[:] = 0
        total = 0.0
        for at in range(starts[text], starts[text + 1]):
            total += highest[ids[at]]
            row = query[ids[at]]
            for k in range(width):
                best[k] = best[k] if best[k] > row[k] else row[k]
        back[text] = total
        total = 0.0
        for k in range(width):
            total += levels[best[k]]
        there[text] = total
    return there, back
