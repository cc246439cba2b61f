"""Li, Bandar and McLean (2003): how short the way between two synsets is, and how deep their ancestor lies.

It is the similarity of words within STASIS (Li and others 2006).
"""

from typing import Final

import numpy as np

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared

_SHORT: Final = 0.2
_DEEP: Final = 0.45


def li(shared: Shared) -> Doubles:
    """``exp(-.2 l) tanh(.45 h)``: l steps from one to the other, h steps from the root to their ancestor.

    >>> import numpy as np
    >>> none = np.zeros(1)
    >>> one, other, depth = np.array([1.0]), np.array([2.0]), np.array([6.0])
    >>> li(Shared(one, other, depth, none, none, none, none, none)).round(4).tolist()
    [0.5368]

    Three steps apart, below an ancestor that is the sixth node from the root: exp(-.6) tanh(2.25).
    """
    similar: Doubles = np.exp(-_SHORT * (shared.left + shared.right)) * np.tanh(_DEEP * (shared.depth - 1))
    return similar
