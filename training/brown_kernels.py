"""The compiled loops of Brown clusters, which stand in slots.

``counts[a, b]`` says how often cluster a stands before b; ``left`` and ``right`` are its sums by either.
``gains[a, b]`` is what the objective (see :mod:`training.word_clustering`) changes by when a and b are
merged, never above 0 but by rounding. Each step brings it up to date for the clusters concerned alone.
``table`` has ``n log n`` of small counts, which are nearly all.
"""

from typing import TypeAlias

import numpy as np

from features.arrays import Bools, Doubles, Ints, Longs
from features.compiled import compiled

Whole: TypeAlias = int | np.int64


@compiled
def entropy(number: Whole) -> float:
    """``n log n``."""
    return number * np.log(number) if number > 1 else 0.0


@compiled
def entropies(size: Whole) -> Doubles:
    """``n log n`` of the numbers below ``size``."""
    table = np.zeros(size)
    for number in range(size):
        table[number] = entropy(number)
    return table


@compiled
def looked_up_entropy(table: Doubles, number: Whole) -> float:
    """``n log n``, from the table where it is there."""
    return table[number] if number < len(table) else entropy(number)


@compiled
def _together(table: Doubles, one: Whole, other: Whole) -> float:
    """What ``n log n`` grows by when two counts become one."""
    if one == 0 or other == 0:
        return 0.0
    parts = looked_up_entropy(table, one) + looked_up_entropy(table, other)
    return looked_up_entropy(table, one + other) - parts


@compiled
def _own(table: Doubles, counts: Longs, left: Longs, right: Longs, v: Whole, w: Whole) -> float:
    """The part of a gain that is of the two clusters alone: their sums and their own four counts."""
    cells, total = 0.0, np.int64(0)
    for number in (counts[v, v], counts[v, w], counts[w, v], counts[w, w]):
        cells -= looked_up_entropy(table, number)
        total += number
    cells += looked_up_entropy(table, total)
    return cells - _together(table, left[v], left[w]) - _together(table, right[v], right[w])


@compiled
def _add(
    table: Doubles,
    counts: Longs,
    left: Longs,
    right: Longs,
    used: Bools,
    gains: Doubles,
    slot: Whole,
    row: Longs,
    column: Longs,
) -> None:
    """Put a word into a free slot; ``row`` are its counts before each slot, ``column`` after each."""
    near = np.flatnonzero((row > 0) | (column > 0))
    old_left, old_right = left.copy(), right.copy()
    for x in near:
        counts[slot, x], counts[x, slot] = row[x], column[x]
        left[x] += column[x]
        right[x] += row[x]
    left[slot], right[slot] = row.sum(), column.sum()
    for v in near:
        for w in range(len(used)):
            # of two clusters that both stand beside the word, the pair counts once
            if not used[w] or v in (w, slot) or ((row[w] > 0 or column[w] > 0) and w < v):
                continue
            change = _together(table, column[v], column[w]) + _together(table, row[v], row[w])
            change += _together(table, old_left[v], old_left[w]) - _together(table, left[v], left[w])
            change += _together(table, old_right[v], old_right[w]) - _together(table, right[v], right[w])
            gains[v, w] += change
            gains[w, v] = gains[v, w]
    for other in np.flatnonzero(used):
        total = _own(table, counts, left, right, slot, other)
        for x in near:
            if x not in (slot, other):
                total += _together(table, row[x], counts[other, x])
                total += _together(table, column[x], counts[x, other])
        gains[slot, other] = gains[other, slot] = total
    used[slot] = True


@compiled
def _merged_neighbours(
    table: Doubles, to_s: Longs, to_t: Longs, used: Bools, gains: Doubles, s: Whole, t: Whole
) -> None:
    """Gains of pairs whose neighbours s and t are one from now on; of one side, and of others than those."""
    for v in np.flatnonzero(to_t):
        for w in range(len(used)):
            if not used[w] or v in (s, t) or w in (s, t, v) or (to_t[w] > 0 and w < v):
                continue
            change = _together(table, to_s[v] + to_t[v], to_s[w] + to_t[w])
            change -= _together(table, to_s[v], to_s[w]) + _together(table, to_t[v], to_t[w])
            gains[v, w] += change
            gains[w, v] = gains[v, w]


@compiled
def _merge(
    table: Doubles,
    counts: Longs,
    left: Longs,
    right: Longs,
    used: Bools,
    gains: Doubles,
    s: Whole,
    t: Whole,
) -> None:
    """Merge cluster ``t`` into ``s``; quickest where ``t`` stands beside few clusters."""
    to_s, of_s, to_t, of_t = counts[:, s].copy(), counts[s].copy(), counts[:, t].copy(), counts[t].copy()
    near = np.flatnonzero((to_t > 0) | (of_t > 0))
    _merged_neighbours(table, to_s, to_t, used, gains, s, t)
    _merged_neighbours(table, of_s, of_t, used, gains, s, t)
    for w in np.flatnonzero(used):
        if w in (s, t):
            continue
        change = -_own(table, counts, left, right, s, w)
        change -= _together(table, of_s[t], to_t[w]) + _together(table, to_s[t], of_t[w])
        for x in near:
            if x not in (s, t, w):
                after, before = counts[w, x], counts[x, w]
                change += _together(table, of_s[x] + of_t[x], after) - _together(table, of_s[x], after)
                change += _together(table, to_s[x] + to_t[x], before) - _together(table, to_s[x], before)
        gains[s, w] += change
    counts[s] += counts[t]
    counts[:, s] += counts[:, t]
    counts[t] = 0
    counts[:, t] = 0
    left[s] += left[t]
    right[s] += right[t]
    left[t] = right[t] = 0
    used[t] = False
    gains[t] = -np.inf
    gains[:, t] = -np.inf
    for w in np.flatnonzero(used):
        if w != s:
            gains[s, w] += _own(table, counts, left, right, s, w)
            gains[w, s] = gains[s, w]


@compiled
def _best(counts: Longs, gains: Doubles) -> tuple[Whole, Whole]:
    """The two clusters to merge, the one that stands beside fewer clusters second."""
    at = np.int64(np.argmax(gains))
    one, other = at // len(gains), at % len(gains)
    near_one = np.count_nonzero(counts[one]) + np.count_nonzero(counts[:, one])
    near_other = np.count_nonzero(counts[other]) + np.count_nonzero(counts[:, other])
    return (one, other) if near_one >= near_other else (other, one)


@compiled
def _beside(starts: Longs, neighbours: Ints, numbers: Longs, slots: Ints, word: Whole, size: Whole) -> Longs:
    """How often a word stands beside each cluster, on one side."""
    beside = np.zeros(size, np.int64)
    for at in range(starts[word], starts[word + 1]):
        if slots[neighbours[at]] >= 0:
            beside[slots[neighbours[at]]] += numbers[at]
    return beside


@compiled
def brown_merges(
    after_starts: Longs,
    after: Ints,
    after_counts: Longs,
    before_starts: Longs,
    before: Ints,
    before_counts: Longs,
    clusters: Whole,
) -> tuple[Ints, Ints]:
    """The slot of each word's cluster, and the merges of the clusters up to the root: into the first slot."""
    words, size = len(after_starts) - 1, clusters + 1
    table = entropies(1 << 16)
    counts = np.zeros((size, size), np.int64)
    left, right = np.zeros(size, np.int64), np.zeros(size, np.int64)
    used = np.zeros(size, np.bool_)
    gains = np.full((size, size), -np.inf)
    slots = np.full(words, -1, np.int32)
    free: Whole = np.int64(0)
    for word in range(words):
        slots[word] = free
        row = _beside(after_starts, after, after_counts, slots, word, size)
        column = _beside(before_starts, before, before_counts, slots, word, size)
        _add(table, counts, left, right, used, gains, free, row, column)
        free = np.int64(word + 1)
        if word >= clusters:
            s, t = _best(counts, gains)
            _merge(table, counts, left, right, used, gains, s, t)
            slots[slots == t] = s
            free = t
    last = min(words, clusters) - 1
    merges = np.zeros((last, 2), np.int32)
    for number in range(last):
        s, t = _best(counts, gains)
        _merge(table, counts, left, right, used, gains, s, t)
        merges[number, 0], merges[number, 1] = s, t
    return slots, merges
