"""The compiled loop of the exchange algorithm: words move between classes one at a time."""

import numpy as np

from features.arrays import Doubles, Ints, Longs
from features.compiled import compiled
from training.brown_kernels import Whole, entropies, looked_up_entropy


@compiled
def _move(
    counts: Longs,
    turned: Longs,
    left: Longs,
    right: Longs,
    row: Longs,
    column: Longs,
    own: Whole,
    label: Whole,
    sign: Whole,
) -> None:
    """A word leaves a class (-1), or comes into it (+1); ``turned`` is ``counts`` with sides changed."""
    for c in range(len(row)):
        counts[label, c] += sign * row[c]
        turned[c, label] += sign * row[c]
        counts[c, label] += sign * column[c]
        turned[label, c] += sign * column[c]
    counts[label, label] += sign * own
    turned[label, label] += sign * own
    left[label] += sign * (row.sum() + own)
    right[label] += sign * (column.sum() + own)


@compiled
def _grown(table: Doubles, number: Whole, more: Whole) -> float:
    """What ``n log n`` grows by when a count does."""
    return looked_up_entropy(table, number + more) - looked_up_entropy(table, number)


@compiled
def _beside(starts: Longs, neighbours: Ints, numbers: Longs, labels: Ints, word: Whole, sums: Longs) -> Whole:
    """How often a word stands beside each class, on one side; gives how often beside itself, left out."""
    sums[:] = 0
    own = np.int64(0)
    for at in range(starts[word], starts[word + 1]):
        if neighbours[at] == word:
            own += numbers[at]
        else:
            sums[labels[neighbours[at]]] += numbers[at]
    return own


@compiled
def exchange(
    after_starts: Longs,
    after: Ints,
    after_counts: Longs,
    before_starts: Longs,
    before: Ints,
    before_counts: Longs,
    labels: Ints,
    classes: Whole,
    sweeps: Whole,
) -> Whole:
    """Move words between classes, in place, until none moves; gives the number of sweeps."""
    words = len(labels)
    table = entropies(1 << 16)
    counts = np.zeros((classes, classes), np.int64)  # how often a class stands before another
    for word in range(words):
        for at in range(after_starts[word], after_starts[word + 1]):
            counts[labels[word], labels[after[at]]] += after_counts[at]
    turned = counts.T.copy()
    left, right = counts.sum(axis=1), counts.sum(axis=0)
    row, column = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    gains = np.zeros(classes)
    for sweep in range(sweeps):
        moves = 0
        for word in range(words):
            own = _beside(after_starts, after, after_counts, labels, word, row)
            _beside(before_starts, before, before_counts, labels, word, column)
            old = np.int64(labels[word])
            _move(counts, turned, left, right, row, column, own, old, -1)
            _gains(counts, turned, left, right, row, column, own, table, gains)
            new = np.int64(np.argmax(gains))
            if gains[new] <= gains[old]:
                new = old
            _move(counts, turned, left, right, row, column, own, new, 1)
            labels[word] = new
            moves += new != old
        if moves == 0:
            return sweep + 1
    return sweeps


@compiled
def _gains(
    counts: Longs,
    turned: Longs,
    left: Longs,
    right: Longs,
    row: Longs,
    column: Longs,
    own: Whole,
    table: Doubles,
    gains: Doubles,
) -> None:
    """What the objective grows by when a word that is in no class comes into each of them."""
    classes = len(gains)
    lefts, rights = row.sum() + own, column.sum() + own
    for k in range(classes):
        gains[k] = _grown(table, counts[k, k], row[k] + column[k] + own)
        gains[k] -= _grown(table, left[k], lefts) + _grown(table, right[k], rights)
    for c in range(classes):
        if row[c] > 0:
            for k in range(classes):  # turned[c] are the counts of all classes before c
                if k != c:
                    gains[k] += _grown(table, turned[c, k], row[c])
        if column[c] > 0:
            for k in range(classes):
                if k != c:
                    gains[k] += _grown(table, counts[c, k], column[c])
