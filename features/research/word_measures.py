"""The measures of two words by their names in a row of ``features``: over WordNet, as numbers, by vectors."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol, TypeAlias, get_args

import numpy as np

from features.arrays import Doubles
from features.knowledge.resources import Resources
from features.research.numbers import NumberSimilarity
from features.research.walk_words import WalkSimilarity
from features.research.word_clusters import ClusterSimilarity
from features.research.word_vectors import WordVectors, word_vectors
from features.research.wordnet_similarity.extended_lesk import ExtendedLesk
from features.research.wordnet_similarity.hirst_st_onge import HirstStOnge
from features.research.wordnet_similarity.measures import SynsetMeasure
from features.research.wordnet_similarity.words import WordSimilarity

WordMeasureName: TypeAlias = SynsetMeasure | Literal["hso", "lesk", "walks", "numbers", "vectors", "clusters"]

OVER_WORDNET: Final = frozenset({*get_args(SynsetMeasure), "hso", "lesk", "walks"})
"""The measures that need WordNet."""


class WordMeasure(Protocol):
    """How alike words are."""

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others] in [0, 1]; of the same, 1."""


class VectorSimilarity:
    """The cosine of word vectors, 0 where it is negative or a word has none."""

    def __init__(self, words: WordVectors) -> None:
        self._words = words

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        >>> toy = WordVectors({"sea": 0, "ship": 1}, np.array([[3, 4], [1, 0]], np.float32), b"")
        >>> VectorSimilarity(toy).of(["sea", "unheard"], ["ship", "unheard"]).round(2).tolist()
        [[0.6, 0.0], [0.0, 1.0]]
        """
        rows = (self._words.rows(some) for some in (words, others))
        left, right = (self._words.units(own).astype(np.float64) for own in rows)
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        cosines = np.clip(left @ right.T, 0.0, 1.0)
        values: Doubles = np.where(same.reshape(cosines.shape), 1.0, cosines)
        return values


def word_measure(name: WordMeasureName, resources: Resources) -> WordMeasure:
    """The measure of this name; raises ``ResourceMissing`` where it needs a WordNet that is not installed."""
    if name == "numbers":
        return NumberSimilarity()
    if name == "vectors":
        return VectorSimilarity(word_vectors())
    if name == "clusters":
        return ClusterSimilarity(word_vectors())
    if name == "walks":
        return WalkSimilarity(resources.wordnet, resources.wordnet_walks)
    if name == "hso":
        return HirstStOnge(resources.wordnet)
    if name == "lesk":
        return ExtendedLesk(resources.wordnet)
    return WordSimilarity(resources.wordnet, name)
