"""Word vectors with a boost from WordNet 3.0, as Ebiquity-Core has them (Han and others 2013; thesis 2.8.3).

The cosine of two words rises by ``e^(-D / 4) / 2``, to 1 at most, where WordNet relates them: D is 0 for two
words of one synset, 1 where a synset of one is directly above a synset of the other, and 2 where one is
derived from the other. Their space, LSA over the web texts of WebBase, can't be had: the cosines are those of
the skip-gram vectors that come with Kindred.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet
from features.research.word_vectors import VectorSimilarity

_DECAY: Final = 0.25
_MOST: Final = 0.5
"""The boost at the distance 0."""


class _Place(NamedTuple):
    """Where a word stands in WordNet: its synsets, those directly above, those that it is derived from."""

    own: frozenset[int]
    above: frozenset[int]
    derived: frozenset[int]


class BoostedVectors:
    """The cosine of two words, raised by what WordNet says of them."""

    def __init__(self, vectors: VectorSimilarity, wordnet: WordNet) -> None:
        self._vectors, self._wordnet = vectors, wordnet
        self._place = lru_cache(1 << 16)(self._of_word)

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others]; of the same, 1."""
        boosts = np.array(
            [[boost(self.distance(one, other)) for other in others] for one in words], np.float64
        )
        values: Doubles = np.minimum(
            1.0, self._vectors.of(words, others) + boosts.reshape(len(words), len(others))
        )
        return values

    def distance(self, one: str, other: str) -> int | None:
        """How far apart WordNet has two words: 0, 1 or 2, or None."""
        here, there = self._place(one), self._place(other)
        if not here.own.isdisjoint(there.own):
            return 0
        if not (here.above.isdisjoint(there.own) and there.above.isdisjoint(here.own)):
            return 1
        if not (here.derived.isdisjoint(there.own) and there.derived.isdisjoint(here.own)):
            return 2
        return None

    def _of_word(self, word: str) -> _Place:
        wordnet = self._wordnet
        own = {node for lemma, pos in wordnet.first_lemmas(word) for node in wordnet.senses(lemma, pos)}
        above = {up for node in own for up in wordnet.hypernyms(node)}
        derived = {link.target for node in own for link in wordnet.derivations(node)}
        return _Place(frozenset(own), frozenset(above), frozenset(derived))


def boost(distance: int | None) -> float:
    """What a distance in WordNet adds to a cosine.

    >>> boost(0), round(boost(1), 4), boost(None)  # e^0 / 2, e^(-1/4) / 2
    (0.5, 0.3894, 0.0)
    """
    return 0.0 if distance is None else _MOST * exp(-_DECAY * distance)
