"""Inverse document frequency: how rare terms are among documents."""

import numpy as np

from features.arrays import Doubles, Integers


def idf(documents: int, frequencies: Integers) -> Doubles:
    """Inverse document frequency ``ln(1 + N / df)``, natural logarithm; ``df`` is 1 at least.

    >>> idf(4, np.array([0, 1, 2, 4])).round(4).tolist()  # ln 5, ln 5, ln 3, ln 2
    [1.6094, 1.6094, 1.0986, 0.6931]
    """
    values: Doubles = np.log1p(max(1, documents) / np.maximum(frequencies, 1))
    return values


def looked_up(known: Doubles, unseen: Doubles | float, terms: Integers) -> Doubles:
    """The idf of terms by their number; of those beyond ``known`` in ``unseen``, or all the same.

    >>> looked_up(np.array([0.5]), np.array([1.0, 2.0]), np.array([0, 2])).tolist()
    [0.5, 2.0]
    >>> looked_up(np.array([0.5]), 3.0, np.array([0, 2])).tolist()
    [0.5, 3.0]
    """
    beyond = terms >= len(known)
    found = np.empty(len(terms))
    found[~beyond] = known[terms[~beyond]]
    found[beyond] = unseen[terms[beyond] - len(known)] if isinstance(unseen, np.ndarray) else unseen
    return found
