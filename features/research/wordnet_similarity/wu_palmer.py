"""Wu and Palmer (1994): how deep the shared ancestor stands against the two synsets below it."""

from features.arrays import Doubles
from features.research.wordnet_similarity.shared import Shared


def wu_palmer(shared: Shared) -> Doubles:
    """``2 depth / (2 depth + steps)``, with the depth of the shared ancestor in nodes from the root.

    >>> import numpy as np
    >>> none, two = np.zeros(1), np.array([2.0])
    >>> carnivore = Shared(two, two, np.array([12.0]), none, none, none, none, none)
    >>> wu_palmer(carnivore).round(4).tolist()  # dog and cat below carnivore, the 12th node: 24 / (24 + 4)
    [0.8571]
    """
    above = 2.0 * shared.depth
    similar: Doubles = above / (above + shared.left + shared.right)
    return similar
