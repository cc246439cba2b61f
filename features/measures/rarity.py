"""How rare terms are: inverse document frequency."""

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt

from features.measures.bags import numbers
from features.measures.base import Arrays, Scores


def idf(items: int, frequencies: npt.NDArray[np.integer]) -> Scores:
    """Inverse document frequency ``ln(1 + N / df)``, natural logarithm; ``df`` is 1 at least.

    >>> idf(4, np.array([1, 2, 4])).round(4).tolist()  # ln 5, ln 3, ln 2
    [1.6094, 1.0986, 0.6931]
    """
    values: Scores = np.log1p(items / np.maximum(frequencies, 1))
    return values


class Rarity:
    """The idf of terms among the items of a collection; one that none has counts as ``df = 1``.

    ``arrays`` holds the vocabulary (see ``features.measures.bags``) and its document ``frequencies``.

    >>> from features.measures.bags import written
    >>> rarity = Rarity(4, {"frequencies": np.array([4]), **written(["sea"])})
    >>> round(rarity("sea"), 4), round(rarity("ship"), 4)  # ln 2, ln 5
    (0.6931, 1.6094)
    """

    def __init__(self, items: int, arrays: Arrays) -> None:
        self._items = items
        self._arrays = arrays
        self._unseen = math.log1p(max(1, items))

    def __call__(self, term: str) -> float:
        """The idf of a term."""
        number = self.ids.get(term)
        return self._unseen if number is None else self._idf.item(number)

    @cached_property
    def ids(self) -> dict[str, int]:
        """The number of every term of the vocabulary."""
        return numbers(self._arrays)

    @cached_property
    def _idf(self) -> Scores:
        return idf(self._items, np.asarray(self._arrays["frequencies"], np.int32))
