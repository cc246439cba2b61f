"""Words by the articles of Wikipedia that they may name (thesis eq. 4.1).

The articles that a word may name are the candidates of the surface that it is, whatever a text means by it:

    sim(v, w) = |A & B| / |A | B|

over the candidates A of v and B of w. The thesis takes them from the dictionary of UKB, which can't be had;
here they are those of the Wikipedia that was built, at most 32 of each surface.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from features.arrays import Doubles
from features.research.wikipedia.phrases import LONGEST, phrase_key, places, units
from features.research.wikipedia.store import Wikipedia


class ArticleSimilarity:
    """The share of their candidate articles that two words have in common; 0 where a word is no surface."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        arrays = wikipedia.arrays
        self._surfaces = np.asarray(arrays["surfaces"], np.uint64)
        self._starts = np.asarray(arrays["candidates-starts"], np.int64)
        self._candidates = np.asarray(arrays["candidates"], np.int32)
        self._articles = lru_cache(1 << 16)(self.candidates)

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others]."""
        values = np.array([[float(word == other) for other in others] for word in words])
        values = values.reshape(len(words), len(others))
        theirs = [self._articles(other) for other in others]
        # few words share an article with another: those of an article are looked up by it
        naming: dict[int, list[int]] = {}
        for column, articles in enumerate(theirs):
            for article in articles:
                naming.setdefault(article, []).append(column)
        for row, word in enumerate(words):
            own = self._articles(word)
            for column in {column for article in own for column in naming.get(article, ())}:
                values[row, column] = shared_articles(own, theirs[column])
        return values

    def candidates(self, word: str) -> frozenset[int]:
        """The articles that a word may name; none where it is no surface."""
        parts = units(word)
        if not parts or len(parts) > LONGEST:
            return frozenset()
        row = int(places(self._surfaces, np.array([phrase_key(parts)], np.uint64))[0])
        if row < 0:
            return frozenset()
        return frozenset(self._candidates[self._starts[row] : self._starts[row + 1]].tolist())


def shared_articles(one: frozenset[int], other: frozenset[int]) -> float:
    """Eq. 4.1; 0 of nothing.

    >>> round(shared_articles(frozenset({1, 2, 3}), frozenset({2, 3, 4, 5})), 4)  # 2 of 5
    0.4
    """
    return len(one & other) / len(one | other) if one and other else 0.0
