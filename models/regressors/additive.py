"""A generalised additive model for each type: every score is a sum of one shape function a feature."""

from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from models.regressors.base import Arrays, TrainedSettings
from models.shapes.curves import FLAT, Curve, Shapes, joined, restored
from models.shapes.ebm import EbmSettings
from models.shapes.lines import LineSettings
from models.shapes.stumps import StumpSettings
from models.types import TYPES, Matrix

AnyShape = Annotated[EbmSettings | StumpSettings | LineSettings, Field(discriminator="fit")]
"""The registry of fits: a new one is a new module in models/shapes and one name in this union."""


class AdditiveSettings(TrainedSettings):
    """Shape functions in place of weights; no information is a case of its own."""

    regressor: Literal["additive"] = Field(description="a sum of one shape function a feature")
    missing: None = Field(None, description="no information is a case of its own")
    shapes: AnyShape = Field(description="how the shape functions are found")

    def fit(self, values: Matrix, gold: Matrix, known: npt.NDArray[np.bool_]) -> Shapes:
        """Learn the shapes of each type from the features that it sees."""
        base = np.zeros(len(TYPES))
        curves: list[list[Curve]] = []
        for lesson in self.lessons(values, gold, known):
            rising = self.shapes.rising([self.sees[n] for n in lesson.columns])
            found = self.shapes.learn(lesson.values, lesson.gold, rising)
            base[lesson.kind.position] = found.base
            own = dict(zip(lesson.columns.tolist(), found.curves, strict=True))
            curves.append([own.get(n, self._flat) for n in range(len(self.sees))])
        return joined(curves, base, lines=self.shapes.lines)

    def restore(self, arrays: Arrays) -> Shapes:
        """The shapes that were kept."""
        return restored(arrays, len(self.sees), lines=self.shapes.lines)

    @property
    def _flat(self) -> Curve:
        return Curve(np.array([0.0, 1.0]), np.zeros(2), 0.0) if self.shapes.lines else FLAT
