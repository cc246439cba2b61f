"""Words related by their nearest two senses, of all parts of speech, by what two senses have in common.

Unlike similarity by a shared ancestor (:mod:`.words`) this compares a tree with wood and sharp with knife.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np

from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet


class WordRelatedness:
    """One measure over the words of WordNet; it remembers the pairs that it has met."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._pair = lru_cache(1 << 20)(self._nearest)

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The relatedness of all words with all others, float64[words, others].

        0 where WordNet lacks either; a word and itself are 1, known or not.
        """
        values = [self._pair(*sorted(pair)) for pair in product(words, others)]
        return np.array(values, np.float64).reshape(len(words), len(others))

    def _nearest(self, word: str, other: str) -> float:
        if word == other:
            return 1.0
        pairs = product(self._senses(word), self._senses(other))
        return max((self.related(*sorted(pair)) for pair in pairs), default=0.0)

    def _senses(self, word: str) -> list[int]:
        """The synsets of a word by its first lemma as each part of speech."""
        lemmas = self._wordnet.first_lemmas(word)
        return [node for lemma, pos in lemmas for node in self._wordnet.senses(lemma, pos)]

    @abstractmethod
    def related(self, sense: int, other: int) -> float:
        """How related two synsets are, in [0, 1], the same in either order."""
