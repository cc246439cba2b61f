"""Jiang and Conrath (1997): the information content that two synsets do not share."""

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def jiang_conrath(shared: Shared) -> Doubles:
    """``1 / (1 + distance)``, with ``distance = IC(one) + IC(other) - 2 IC(ancestor)``.

    The usual ``1 / distance`` has no highest value: two synsets at no distance are 1 here.

    >>> import numpy as np
    >>> none, three = np.zeros(1), np.array([3.0])
    >>> jiang_conrath(Shared(none, none, none, three, three, np.array([6.0]), none, none)).tolist()
    [0.25]

    The distance is 3 + 6 - 2 x 3 = 3.
    """
    distance = shared.left_content + shared.right_content - 2.0 * shared.content
    similar: Doubles = 1.0 / (1.0 + distance)
    return similar
