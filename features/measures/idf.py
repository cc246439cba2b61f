"""How rare terms are: inverse document frequency."""

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from features.measures.base import Arrays, Scores
from features.measures.vocabulary import Vocabulary


def idf(items: int, frequencies: npt.NDArray[np.integer]) -> Scores:
    """Inverse document frequency ``ln(1 + N / df)``, natural logarithm; ``df`` is 1 at least.

    >>> idf(4, np.array([1, 2, 4])).round(4).tolist()  # ln 5, ln 3, ln 2
    [1.6094, 1.0986, 0.6931]
    """
    values: Scores = np.log1p(items / np.maximum(frequencies, 1))
    return values


class Rarity:
    """The idf of terms among the items of a collection; one that none has counts as ``df = 1``.

    ``arrays`` holds the vocabulary (see ``features.measures.vocabulary``) and its document ``frequencies``.

    >>> from features.measures.vocabulary import written
    >>> rarity = Rarity(4, {"frequencies": np.array([4]), **written(["sea"])})
    >>> rarity.of(rarity.vocabulary.numbers(["sea", "ship"])).round(4).tolist()  # ln 2, ln 5
    [0.6931, 1.6094]
    """

    def __init__(self, items: int, arrays: Arrays) -> None:
        self._items = items
        self._arrays = arrays
        self._unseen = math.log1p(max(1, items))

    def of(self, numbers: npt.NDArray[np.int32]) -> Scores:
        """The idf of terms by their numbers, float64[terms]; -1 is one that no item has."""
        found = np.full(len(numbers), self._unseen)
        known = numbers >= 0
        found[known] = self.idf[numbers[known]]
        return found

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The terms of the collection."""
        return Vocabulary(self._arrays)

    @cached_property
    def idf(self) -> Scores:
        """The idf of every term of the vocabulary."""
        return idf(self._items, np.asarray(self._arrays["frequencies"], np.int32))
