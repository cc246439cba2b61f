"""Articles as vectors of their links (WLVM: Milne 2007; thesis eq. 6.4 to 6.6).

The weight of a link from x to y is ``|x->y| * log(t / |z->y|)``, over the number t of all articles and
the number of articles z that link to y: what few articles link to says more. The thesis prints a sum
over z inside the logarithm, and ``t/(z->y)`` under it; read so the number depends on units, and Milne's
own text says that weights are low for targets that many articles link to, so it is read as t over the
in-degree. ``|x->y|`` is 1: the dumps keep a link once, however often an article repeats it.
"""

from typing import TYPE_CHECKING

import numpy as np

from features.arrays import Doubles, Integers, Ints
from features.research.wikipedia.store import Wikipedia

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class LinkVectors:
    """The vectors of one Wikipedia's articles, and their cosines."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        self.wikipedia = wikipedia

    def rows(self, articles: Ints) -> "csr_array":
        """The vectors of articles, each of length 1, or 0 without links: float64[articles, all articles]."""
        from scipy.sparse import csr_array

        links = [self.wikipedia.links(article) for article in articles.tolist()]
        starts = np.concatenate(([0], np.cumsum([len(own) for own in links], dtype=np.int64)))
        targets = np.concatenate([np.empty(0, np.int32), *links])
        weights = link_weights(len(self.wikipedia), self.wikipedia.indegrees[targets])
        found = csr_array((weights, targets, starts), shape=(len(articles), len(self.wikipedia)))
        lengths = np.sqrt(np.asarray(found.power(2).sum(axis=1)).reshape(-1))
        found.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(starts))
        return found

    def cosines(self, left: Ints, right: Ints, rows: "csr_array | None" = None) -> Doubles:
        """Of articles with articles, float64[left, right]; 1 for one with itself, whatever it links to.

        ``rows`` are those of ``left`` where they are known already.
        """
        products = (self.rows(left) if rows is None else rows) @ self.rows(right).T
        cosines: Doubles = np.minimum(products.toarray(), 1.0)
        cosines[left[:, np.newaxis] == right] = 1.0
        return cosines


def link_weights(articles: int, indegrees: Integers) -> Doubles:
    """The weights of links to articles of these in-degrees (eq. 6.4), natural logarithm.

    >>> link_weights(100, np.array([1, 10, 100])).round(4).tolist()  # ln 100, ln 10, ln 1
    [4.6052, 2.3026, 0.0]
    """
    weights: Doubles = np.log(articles / np.maximum(indegrees, 1))
    return weights
