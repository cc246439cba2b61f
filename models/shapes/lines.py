"""Shapes by ridge regression on lines between knots: a piecewise linear additive model."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from models.shapes.base import ShapeSettings, Sum
from models.shapes.curves import Curve
from models.types import Matrix


class LineSettings(ShapeSettings):
    """Knots at quantiles; what is penalised is the rise from each knot to the next."""

    fit: Literal["lines"] = Field(description="ridge regression on lines between knots")
    knots: int = Field(6, ge=2, description="most knots a feature, 0 and 1 among them")
    ridge: float = Field(3.0, gt=0, description="penalty on the square of each rise")

    @property
    def lines(self) -> bool:
        """They are lines."""
        return True

    def learn(self, values: Matrix, gold: Matrix, rising: npt.NDArray[np.bool_]) -> Sum:
        """Bounded least squares: the rises of a feature that may only grow are 0 or more."""
        from scipy.optimize import lsq_linear

        knots = [self._knots(column) for column in values.T]
        blocks = [_ramps(column, own) for column, own in zip(values.T, knots, strict=True)]
        design = np.concatenate([*blocks, np.ones((len(values), 1))], axis=1)
        penalty = np.sqrt(self.ridge) * np.eye(design.shape[1])
        penalty[-1, -1] = 0.0  # the base is free
        lower = np.full(design.shape[1], -np.inf)
        ends = np.cumsum([block.shape[1] for block in blocks])
        for end, block, grows in zip(ends, blocks, rising, strict=True):
            if grows:
                lower[end - block.shape[1] : end - 1] = 0.0  # the last column is that of no information
        target = np.concatenate([gold, np.zeros(len(penalty))])
        found = lsq_linear(np.concatenate([design, penalty]), target, (lower, np.inf), method="trf").x
        curves = [
            Curve(own, np.append(0.0, np.cumsum(rises[:-1])), float(rises[-1]))
            for own, rises in zip(knots, np.split(found[:-1], ends[:-1]), strict=True)
        ]
        return Sum(float(found[-1]), curves)

    def _knots(self, column: Matrix) -> Matrix:
        inside = column[~np.isnan(column)]
        inside = inside[(inside > 0) & (inside < 1)]
        quantiles = np.quantile(inside, np.linspace(0, 1, self.knots)[1:-1]) if len(inside) else inside
        return np.unique(np.concatenate([[0.0], quantiles, [1.0]]))


def _ramps(column: Matrix, knots: Matrix) -> Matrix:
    """How far a value has come from each knot to the next, 0 to 1; then whether it is missing."""
    known = ~np.isnan(column)
    at = np.where(known, column, 0.0)[:, np.newaxis]
    ramps = np.clip((at - knots[:-1]) / np.diff(knots), 0.0, 1.0)
    return np.concatenate([ramps, ~known[:, np.newaxis]], axis=1)
