"""Resnik (1995): the information content of the most informative ancestor that two synsets share."""

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def resnik(shared: Shared) -> Doubles:
    """``IC(ancestor) / most``, over the content of a synset that was never met and has none below it.

    A synset with itself is 1 only where it is such a one: two words of one common sense are less than 1.

    >>> import numpy as np
    >>> none = np.zeros(1)
    >>> resnik(Shared(none, none, none, np.array([3.0]), none, none, none, np.array([12.0]))).tolist()
    [0.25]
    """
    similar: Doubles = shared.content / shared.most
    return similar
