"""Regressors whose terms are a value times a weight: learnt (thesis 6.3.4), or one feature a type."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Array, Arrays, Bools, Doubles
from models.regressors.base import (
    AdditiveRegressor,
    Polyline,
    SystemSettings,
    TrainedSettings,
    filled,
    fitting,
)
from models.types import OFFICIAL, SCALE, SimilarityType, Types, ordered


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

    def line(self, feature: int, at: int) -> Polyline:
        """From 0 to the weight.

        >>> Weighted(np.full((1, 8), -2.0), np.zeros(8), 0.5).line(0, 0).heights.tolist()
        [0.0, -2.0]
        """
        weight = self.weight(feature, at)
        return Polyline(np.array([0.0, 1.0]), np.array([0.0, weight]), weight * self.missing)

    @property
    def active(self) -> Bools:
        """Where the weight is not 0."""
        return np.not_equal(self.weights, 0)

    def weight(self, feature: int, at: int) -> float:
        """The weight of a feature in a type."""
        return float(self.weights[feature, at])

    def arrays(self) -> dict[str, Array]:
        """The weights and the base."""
        return {"weights": self.weights, "base": self.base}


class LinearSettings(TrainedSettings):
    """A linear regressor for each type; no attribute is left out, so that every weight can be read.

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
        """The stored weights."""
        weights = fitting(arrays["weights"], len(self.sees), len(types))
        return Weighted(weights, fitting(arrays["base"], len(types)), self.missing)


class OneSettings(SystemSettings):
    """A score is the type's own feature times 5: the official baseline, and the knowledge system."""

    trained: ClassVar[bool] = False

    regressor: Literal["one"] = Field(description="each type is one feature times 5, nothing is trained")
    one: dict[SimilarityType, str] = Field(description="for each type its feature; the eight types at least")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")

    @model_validator(mode="after")
    def _complete(self) -> "OneSettings":
        if not self.one.keys() >= set(OFFICIAL):
            raise ValueError("regressor 'one' needs a feature for each of the eight types under 'one'")
        return self

    @property
    def sees(self) -> tuple[str, ...]:
        """The features of the types, in the types' order."""
        return tuple(dict.fromkeys(self.one[kind] for kind in ordered(self.one)))

    def key(self, feature: str) -> str:
        """The key of the row that names a feature."""
        return "one" if feature in self.sees else super().key(feature)

    def types(self, among: Types) -> Types:
        """Those of some types that it has a feature for."""
        return {kind: row for kind, row in among.items() if kind in self.one}

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Weighted:
        """The same whatever the gold."""
        return self.restore({}, types)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Weighted:
        """The regressor, which has no stored numbers."""
        weights = np.zeros((len(self.sees), len(types)))
        for at, kind in enumerate(types):
            weights[self.sees.index(self.one[kind]), at] = SCALE[1]
        return Weighted(weights, np.zeros(len(types)), self.missing)
