"""The cosine of two words' random walks over WordNet (thesis eq. 2.2, 2.3), whatever their part of speech."""

from collections.abc import Sequence

import numpy as np

from features.arrays import Doubles, Ints
from features.knowledge.wordnet.reader import OPEN_TAGS, WordNet
from features.research.walks.walks import Walks


class WalkSimilarity:
    """The highest cosine of the walks of two words of one part of speech."""

    def __init__(self, wordnet: WordNet, walks: Walks) -> None:
        self._wordnet, self._walks = wordnet, walks

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others]; of the same, 1."""
        same = np.array([[word == other for other in others] for word in words], np.bool_)
        values = same.reshape(len(words), len(others)).astype(np.float64)
        for tag in OPEN_TAGS:
            left, right = (self._ids(some, tag) for some in (words, others))
            rows, columns = np.flatnonzero(left >= 0), np.flatnonzero(right >= 0)
            if len(rows) and len(columns):
                cosines = self._walks.cosines(left[rows], right[columns])
                at = np.ix_(rows, columns)
                values[at] = np.maximum(values[at], np.clip(cosines, 0.0, 1.0))
        return values

    def _ids(self, words: Sequence[str], tag: str) -> Ints:
        keys = [
            next((f"{lemma}#{pos}" for lemma, pos in self._wordnet.lemmas(word, tag)), "") for word in words
        ]
        known = [key for key in keys if key]
        numbers = iter(self._walks.ids(known).tolist())
        return np.array([next(numbers) if key else -1 for key in keys], np.int32)
