"""Linear regressors, one for each type, over the same features (thesis 6.3.4), by ordinary least squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles
from models.regressors.base import AdditiveRegressor, Line, TrainedSettings, filled, fitting
from models.types import SimilarityType


@dataclass(frozen=True, slots=True)
class Weighted(AdditiveRegressor):
    """``raw = base + weights . features``: float64[features, types] weights, float64[types] base."""

    weights: Doubles
    base: Doubles
    missing: float = 0.0

    def __post_init__(self) -> None:
        fitting(self.weights, len(self.weights), len(self.base))

    @property
    def width(self) -> int:
        """How many features it sees."""
        return len(self.weights)

    def term(self, feature: int, values: Doubles, types: slice = slice(None)) -> Doubles:
        """Value times weight."""
        counted: Doubles = filled(values, self.missing)[..., np.newaxis] * self.weights[feature, types]
        return counted

    def line(self, feature: int, at: int) -> Line:
        """From 0 to the weight.

        >>> Weighted(np.full((1, 8), -2.0), np.zeros(8), 0.5).line(0, 0).heights.tolist()
        [0.0, -2.0]
        """
        weight = float(self.weights[feature, at])
        return Line(np.array([0.0, 1.0]), np.array([0.0, weight]), weight * self.missing)

    @property
    def active(self) -> Bools:
        """Where the weight is not 0."""
        found: Bools = self.weights != 0
        return found

    def weight(self, feature: int, at: int) -> float:
        """The weight of a feature in a type."""
        return float(self.weights[feature, at])

    def arrays(self) -> dict[str, Array]:
        """The weights and the base."""
        return {"weights": self.weights, "base": self.base}


class LinearSettings(TrainedSettings):
    """A linear regressor for each type; no attribute is left out, so that every weight can be read.

    >>> from models.types import OFFICIAL
    >>> settings = LinearSettings(title="demo", regressor="linear", features=("f",))
    >>> values, gold = np.array([[0.0], [1.0]]), np.array([[1.0] * 8, [3.0] * 8])
    >>> line = settings.fit(values, gold, np.full((2, 8), True), OFFICIAL)  # through (0, 1) and (1, 3)
    >>> round(float(line.base[0]), 9), round(float(line.weights[0, 0]), 9)
    (1.0, 2.0)
    """

    regressor: Literal["linear"] = Field(description="a linear regressor for each type, by least squares")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Weighted:
        """Ordinary least squares with an intercept."""
        from sklearn.linear_model import LinearRegression

        weights, base = np.zeros((len(self.sees), len(types))), np.zeros(len(types))
        for lesson in self.lessons(values, gold, known, types):
            line = LinearRegression().fit(filled(lesson.values, self.missing), lesson.gold)
            weights[lesson.columns, lesson.at] = line.coef_
            base[lesson.at] = line.intercept_
        return Weighted(weights, base, self.missing)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Weighted:
        """The weights that were kept."""
        weights = fitting(arrays["weights"], len(self.sees), len(types))
        return Weighted(weights, fitting(arrays["base"], len(types)), self.missing)
