"""Words that may stand for each other, in the place of the paraphrases of PPDB: by WordNet 3.0.

As in the aligner of Sultan and others (2014) a word and itself, or a spelling that differs by one letter, are
1, and paraphrases .9: here words of one synset, and words of which one is derived from the other (*paint*,
*painter*).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from features.arrays import Doubles
from features.knowledge.wordnet.reader import WordNet

PARAPHRASE: Final = 0.9
_LEAST_LETTERS: Final = 4
"""Shorter words that differ by a letter are two words."""


class Paraphrases:
    """1 for the same word, .9 for paraphrases, 0 for all others."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._meanings = lru_cache(1 << 16)(self._nodes)

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others]."""
        left, right = ([self._meanings(word) for word in some] for some in (words, others))
        values = np.zeros((len(words), len(others)))
        for row, one in enumerate(words):
            for column, other in enumerate(others):
                if _is_spelling(one, other):
                    values[row, column] = 1.0
                elif not left[row].isdisjoint(right[column]):
                    values[row, column] = PARAPHRASE
        return values

    def _nodes(self, word: str) -> frozenset[int]:
        """The synsets of a word, and those of the words that one of both is derived from."""
        wordnet, nodes = self._wordnet, set()
        for lemma, pos in wordnet.first_lemmas(word):
            for node in wordnet.senses(lemma, pos):
                nodes.add(node)
                nodes |= {link.target for link in wordnet.derivations(node) if link.word.lower() == lemma}
        return frozenset(nodes)


def _is_spelling(one: str, other: str) -> bool:
    """Whether two words are the same, or differ by one letter.

    >>> _is_spelling("portrait", "portait"), _is_spelling("cat", "cap"), _is_spelling("1914", "1915")
    (True, False, False)
    """
    from rapidfuzz.distance import Levenshtein

    if one == other:
        return True
    if min(len(one), len(other)) < _LEAST_LETTERS or not (one.isalpha() and other.isalpha()):
        return False
    return Levenshtein.distance(one, other, score_cutoff=1) <= 1
