"""Leacock and Chodorow (1998): the length of the path against the depth of the whole taxonomy."""

import numpy as np

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def leacock_chodorow(shared: Shared) -> Doubles:
    """``-ln((1 + steps) / 2D)`` over the highest value ``ln 2D``, with D steps on the longest way to a root.

    Nouns of WordNet 3.0 have D = 19, as in NLTK. Dog and cat are 4 steps apart:
    -ln(5 / 38) = 2.0281 of ln 38 = 3.6376. A path as long as 2D or longer is 0.

    >>> none, deepest = np.zeros(2), np.array([19.0, 19.0])
    >>> steps = Shared(np.array([2.0, 0.0]), np.array([2.0, 0.0]), none, none, none, none, deepest, none)
    >>> leacock_chodorow(steps).round(4).tolist()
    [0.5576, 1.0]
    """
    whole = 2.0 * shared.deepest
    values: Doubles = -np.log((1.0 + shared.left + shared.right) / whole) / np.log(whole)
    return np.maximum(values, 0.0)
