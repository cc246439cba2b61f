"""What is promised of a type whatever was learnt: that its curves rise, what decides, what is unknown.

A *monotone* type rests on few features of its own, so that a promise can be kept exactly: the terms of
the others are known, and no other feature can outweigh it.
"""

from collections.abc import Sequence

import numpy as np

from features.arrays import Doubles
from models.regressors.curves import Curve

_ALIKE = (0.95, 0.99)
"""Between these a value becomes altogether alike: a feature that decides rises there."""


def rising(curve: Curve) -> Curve:
    """The nearest curve that nowhere falls, by least squares over its knots (isotonic regression).

    >>> rising(Curve(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.0, 2.0]), 0.0)).heights.tolist()
    [0.5, 0.5, 2.0]
    """
    from sklearn.isotonic import isotonic_regression

    return curve._replace(heights=np.asarray(isotonic_regression(curve.heights), np.float64))


def decided(curves: Sequence[Curve], place: int) -> list[Curve]:
    """Curves of which the one at a place decides: where its feature is 1 no sum is below one where it is not.

    It rises at its end by as much as all others together can differ. Here they differ by 2, and a sum of
    1 + 2 is the most that there was without:

    >>> ends = np.array([0.0, 1.0])
    >>> one, two = (Curve(ends, np.array([0.0, most]), 0.0) for most in (1.0, 2.0))
    >>> first, _ = decided([one, two], 0)
    >>> first.grid.tolist(), first.heights.round(2).tolist()
    ([0.0, 0.95, 0.99], [0.0, 0.95, 2.95])
    """
    grid, heights, missing = curves[place]
    below, _ = _ALIKE
    kept = grid < below
    before = np.append(heights[kept], np.interp(below, grid, heights))
    others = sum(np.ptp([*curve.heights, curve.missing]) for n, curve in enumerate(curves) if n != place)
    top = max(before.max(), missing) + others
    decisive = Curve(np.append(grid[kept], _ALIKE), np.append(before, top), missing)
    return [decisive if n == place else curve for n, curve in enumerate(curves)]


def doubted(start: float, curves: Sequence[Curve], values: Doubles, most: float) -> list[Curve]:
    """Curves of which a pair that tells nothing sums up to ``most`` at most.

    ``values``, float64[n, features], are those learnt from: what tells nothing is NaN in a feature that ever
    is, and 0 in another.

    >>> one = Curve(np.array([0.0, 1.0]), np.array([0.0, 2.0]), 1.0)
    >>> [curve.missing for curve in doubted(2.0, [one, one], np.array([[np.nan, np.nan]]), 3.0)]
    [0.5, 0.5]
    """
    ever = [bool(np.isnan(column).any()) for column in values.T]
    inapplicable = [
        curve.missing if known else np.interp(0.0, curve.grid, curve.heights)
        for curve, known in zip(curves, ever, strict=True)
    ]
    above = max(0.0, start + sum(inapplicable) - most) / max(1, sum(ever))
    return [
        curve._replace(missing=curve.missing - above) if known else curve
        for curve, known in zip(curves, ever, strict=True)
    ]
