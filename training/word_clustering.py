"""Clusters of words by the words beside them: those of Brown and others (1992), and those of an exchange.

Both look for the classes that make the text most likely by a bigram model over classes: those of the highest
mutual information of neighbouring classes. With counts n and ``f(n) = n log n`` that is, but for
constants,

    sum over classes a, b of f(n(a, b)) - sum over a of f(n(a, any)) - sum over b of f(n(any, b))

In this form a class that stands beside only one of two others says nothing about merging these: most of the
work falls away, since few words stand beside many classes.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Ints, Longs
from training.brown_kernels import brown_merges
from training.exchange_kernels import exchange


class Bigrams(NamedTuple):
    """How often each word stands before each other: of each those after and those before it (CSR)."""

    after_starts: Longs
    after: Ints
    after_counts: Longs
    before_starts: Longs
    before: Ints
    before_counts: Longs

    def __len__(self) -> int:
        return len(self.after_starts) - 1

    @classmethod
    def of(cls, tokens: Ints, words: int) -> "Bigrams":
        """Count the bigrams of a text of word numbers; -1 parts sentences and stands for unknown words.

        >>> bigrams = Bigrams.of(np.array([0, 1, -1, 0, 1, 0], np.int32), 2)
        >>> bigrams.after_starts.tolist(), bigrams.after.tolist(), bigrams.after_counts.tolist()
        ([0, 1, 2], [1, 0], [2, 1])
        """
        first, second = tokens[:-1].astype(np.int64), tokens[1:].astype(np.int64)
        both = (first >= 0) & (second >= 0)
        pairs, counts = np.unique(first[both] * words + second[both], return_counts=True)
        left, right = np.divmod(pairs, words)
        order = np.lexsort((left, right))
        edges = np.arange(words + 1)
        return cls(
            np.searchsorted(left, edges),
            right.astype(np.int32),
            counts.astype(np.int64),
            np.searchsorted(right[order], edges),
            left[order].astype(np.int32),
            counts[order].astype(np.int64),
        )


def brown_paths(bigrams: Bigrams, clusters: int) -> list[str]:
    """The path of 0 and 1 from the root to each word's cluster; words stand by falling frequency.

    The most frequent words begin as clusters of their own. Each further word is added as one more, and then
    the two clusters are merged by which the least mutual information is lost. In the end all are merged:
    that is the tree.
    """
    words = len(bigrams)
    slots, merges = brown_merges(*bigrams, min(clusters, words))
    # a merge puts both into the first slot, so the tree grows from the last merge back
    paths = {int(slots[0]) if not len(merges) else int(merges[-1, 0]): ""}
    for one, other in merges[::-1].tolist():
        path = paths[one]
        paths[one], paths[other] = path + "0", path + "1"
    return [paths[slot] for slot in slots.tolist()]


def exchange_classes(bigrams: Bigrams, classes: int, sweeps: int) -> Ints:
    """The class of each word; words stand by falling frequency (Ney, Essen and Kneser 1994, Clark 2003).

    The most frequent words begin in classes of their own, all others in the last. In each sweep every word
    moves to the class where it makes the text most likely, until none moves.
    """
    labels = np.minimum(np.arange(len(bigrams)), classes - 1).astype(np.int32)
    exchange(*bigrams, labels, min(classes, len(bigrams)), sweeps)
    return labels


def numbered(sentences: Iterable[Sequence[str]], row: dict[str, int]) -> Ints:
    """A text as word numbers, -1 for an unknown word and after each sentence.

    >>> numbered([["the", "sea"], ["the", "ship"]], {"the": 0, "sea": 1}).tolist()
    [0, 1, -1, 0, -1, -1]
    """
    numbers = (row.get(word, -1) for sentence in sentences for word in (*sentence, ""))
    return np.fromiter(numbers, np.int32)
