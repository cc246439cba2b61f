"""Path similarity: the fewer steps between two synsets, the more alike (Pedersen and others 2004)."""

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def path(shared: Shared) -> Doubles:
    """``1 / (1 + steps)``, where the steps go up to the shared ancestor and down again.

    >>> import numpy as np
    >>> none = np.zeros(2)
    >>> steps = Shared(np.array([2.0, 0.0]), np.array([2.0, 0.0]), none, none, none, none, none, none)
    >>> path(steps).tolist()  # dog and cat are 2 + 2 steps apart: 1 / 5; a synset and itself: 1 / 1
    [0.2, 1.0]
    """
    similar: Doubles = 1.0 / (1.0 + shared.left + shared.right)
    return similar
