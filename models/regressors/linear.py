"""Eight linear regressors over the same features (thesis 6.3.4), by ordinary least squares."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from models.regressors.base import AdditiveRegressor, Arrays, Line, TrainedSettings, filled, fitting
from models.types import Matrix, SimilarityType


@dataclass(frozen=True, slots=True)
class Weighted(AdditiveRegressor):
    """``raw = base + weights . features``: float64[features, types] weights, float64[types] base."""

    weights: Matrix
    base: Matrix
    missing: float = 0.0

    def __post_init__(self) -> None:
        fitting(self.weights, len(self.weights), len(self.base))

    @property
    def width(self) -> int:
        """How many features it sees."""
        return len(self.weights)

    def term(self, feature: int, values: Matrix, types: slice = slice(None)) -> Matrix:
        """Value times weight."""
        counted: Matrix = filled(values, self.missing)[..., np.newaxis] * self.weights[feature, types]
        return counted

    def line(self, feature: int, at: int) -> Line:
        """From 0 to the weight.

        >>> Weighted(np.full((1, 8), -2.0), np.zeros(8), 0.5).line(0, 0).heights.tolist()
        [0.0, -2.0]
        """
        weight = float(self.weights[feature, at])
        return Line(np.array([0.0, 1.0]), np.array([0.0, weight]), weight * self.missing)

    @property
    def active(self) -> npt.NDArray[np.bool_]:
        """Where the weight is not 0."""
        found: npt.NDArray[np.bool_] = self.weights != 0
        return found

    def weight(self, feature: int, at: int) -> float:
        """The weight of a feature in a type."""
        return float(self.weights[feature, at])

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The weights and the base."""
        return {"weights": self.weights, "base": self.base}


class LinearSettings(TrainedSettings):
    """Eight linear regressors; no attribute is left out, so that every weight can be read.

    >>> from models.types import OFFICIAL
    >>> settings = LinearSettings(title="demo", regressor="linear", features=("f",))
    >>> values, gold = np.array([[0.0], [1.0]]), np.array([[1.0] * 8, [3.0] * 8])
    >>> line = settings.fit(values, gold, np.full((2, 8), True), OFFICIAL)  # through (0, 1) and (1, 3)
    >>> round(float(line.base[0]), 9), round(float(line.weights[0, 0]), 9)
    (1.0, 2.0)
    """

    regressor: Literal["linear"] = Field(description="eight linear regressors, by least squares")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")

    def fit(
        self, values: Matrix, gold: Matrix, known: npt.NDArray[np.bool_], types: Sequence[SimilarityType]
    ) -> Weighted:
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
