"""Why a wide interval of years is weak evidence of nearness in time.

A cathedral of 1248 to 1880 meets every year of the 18th century and is of none of them. What the nearness of
two intervals is worth is therefore the part of the wider one that the two share, where that is wider than
a century; a century counts as shared in any case, so that narrower intervals are worth what they always were.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from features.arrays import Doubles

ORDINARY: Final = 100
"""Years up to which an interval is no weak evidence: 'the 19th century' is how museums date."""


def worth(one: npt.NDArray[np.number], other: npt.NDArray[np.number]) -> Doubles:
    """What nearness of intervals is worth, 0 to 1; the last axis of each is a first and a last year.

    >>> cathedral, others = np.array([1248, 1880]), np.array([[1750, 1750], [1300, 1800], [1248, 1880]])
    >>> worth(cathedral, others).round(2).tolist()  # 100, 501 and 633 of 633 years
    [0.16, 0.79, 1.0]
    >>> worth(np.array([1700, 1799]), others[:1]).tolist()
    [1.0]
    """
    shared = np.minimum(one[..., 1], other[..., 1]) - np.maximum(one[..., 0], other[..., 0]) + 1.0
    wider = np.maximum(one[..., 1] - one[..., 0], other[..., 1] - other[..., 0]) + 1.0
    share: Doubles = np.minimum(1.0, np.maximum(shared, ORDINARY) / wider)
    return share
