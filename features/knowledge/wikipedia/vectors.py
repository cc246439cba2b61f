"""Articles as vectors of their links (WLVM: Milne 2007; thesis eq. 6.4 to 6.6).

The weight of a link from x to y is ``|x->y| * log(t / |z->y|)``, over the number t of all articles and
the number of articles z that link to y: what few articles link to says more. The thesis prints a sum
over z inside the logarithm, and ``t/(z->y)`` under it; read so the number depends on units, and Milne's
own text says that weights are low for targets that many articles link to, so it is read as t over the
in-degree. ``|x->y|`` is 1: the dumps keep a link once, however often an article repeats it.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.knowledge.wikipedia.store import Articles, Wikipedia

Doubles = npt.NDArray[np.float64]


class Vector(NamedTuple):
    """The articles that one links to, ascending, and their weights, scaled to length 1."""

    links: Articles
    weights: Doubles


class LinkVectors:
    """The vectors of one Wikipedia's articles, and their cosines."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        self.wikipedia = wikipedia
        self.vector = lru_cache(maxsize=50_000)(self._vector)
        self._cosine = lru_cache(maxsize=500_000)(self._product)

    def cosine(self, left: int, right: int) -> float:
        """How alike two articles are, in [0, 1]; 1 for an article with itself, whatever it links to."""
        return 1.0 if left == right else self._cosine(min(left, right), max(left, right))

    def cosines(self, left: tuple[int, ...], right: tuple[int, ...]) -> Doubles:
        """Of articles with articles, float64[left, right]."""
        return np.array([[self.cosine(a, b) for b in right] for a in left]).reshape(len(left), len(right))

    def _vector(self, article: int) -> Vector:
        links = self.wikipedia.links(article)
        weights = link_weights(len(self.wikipedia), self.wikipedia.indegrees[links])
        length = float(np.sqrt(weights @ weights))
        return Vector(links, weights / length if length else weights)

    def _product(self, left: int, right: int) -> float:
        small, large = sorted((self.vector(left), self.vector(right)), key=lambda vector: len(vector.links))
        if not len(small.links):
            return 0.0
        at = np.minimum(np.searchsorted(large.links, small.links), len(large.links) - 1)
        shared = large.links[at] == small.links
        return min(1.0, float(small.weights[shared] @ large.weights[at[shared]]))


def link_weights(articles: int, indegrees: npt.NDArray[np.integer]) -> Doubles:
    """The weights of links to articles of these in-degrees (eq. 6.4), natural logarithm.

    >>> link_weights(100, np.array([1, 10, 100])).round(4).tolist()  # ln 100, ln 10, ln 1
    [4.6052, 2.3026, 0.0]
    """
    weights: Doubles = np.log(articles / np.maximum(indegrees, 1))
    return weights
