"""Lin (1998): the information content that two synsets share, against that which they have."""

import numpy as np

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def lin(shared: Shared) -> Doubles:
    """``2 IC(ancestor) / (IC(one) + IC(other))``; 1 for two roots, which have no content.

    >>> none, three = np.zeros(1), np.array([3.0])
    >>> lin(Shared(none, none, none, three, np.array([4.0]), np.array([8.0]), none, none)).tolist()  # 6 / 12
    [0.5]
    >>> lin(Shared(none, none, none, none, none, none, none, none)).tolist()
    [1.0]
    """
    both = shared.left_content + shared.right_content
    similar: Doubles = np.where(both > 0, 2.0 * shared.content / np.where(both > 0, both, 1.0), 1.0)
    return similar
