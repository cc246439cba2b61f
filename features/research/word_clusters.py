"""Words of one cluster: 1, of two 0, as the cluster layers of the Cube have it (thesis 4.3.1).

The thesis' clusters (word2vec, Clark, Brown) can't be had. These are of k-means over the static word vectors,
and stand for those of word2vec.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np

from features.arrays import Doubles, Ints
from features.research.word_vectors import WordVectors

CLUSTERS: Final = 1000
_SEED: Final = 20130613


class ClusterSimilarity:
    """Whether two words are of one cluster; of a word without a vector only it is."""

    def __init__(self, words: WordVectors, clusters: int = CLUSTERS) -> None:
        self._words, self._clusters = words, clusters

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        >>> vectors = np.array([[1, 0], [0.9, 0.1], [0, 1]], np.float32)
        >>> toy = WordVectors({"sea": 0, "ocean": 1, "tax": 2}, vectors, b"")
        >>> ClusterSimilarity(toy, 2).of(["sea", "unheard"], ["ocean", "tax", "unheard"]).tolist()
        [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
        """
        labels = _labels(self._words, self._clusters)
        left, right = (np.append(labels, -1)[self._words.rows(some)] for some in (words, others))
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        together = (left[:, np.newaxis] == right) & (right >= 0)
        values: Doubles = (together | same.reshape(together.shape)).astype(np.float64)
        return values


@cache
def _labels(words: WordVectors, clusters: int) -> Ints:
    """The cluster of each row of the vectors, -1 for a row without one."""
    from sklearn.cluster import MiniBatchKMeans

    units = words.units(np.arange(len(words.vectors), dtype=np.int32))
    known = np.flatnonzero((units * units).sum(axis=1) > 0)
    model = MiniBatchKMeans(
        min(clusters, len(known)), random_state=_SEED, batch_size=4096, n_init=1, max_iter=20
    )
    labels = np.full(len(units), -1, np.int32)
    labels[known] = model.fit_predict(units[known])
    return labels
