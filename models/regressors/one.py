"""Each type its own feature, scaled: nothing is trained (the official baseline; the knowledge system)."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from models.regressors.base import Arrays, SystemSettings
from models.regressors.linear import Weighted
from models.types import SCALE, TYPES, Matrix, SimilarityType


class OneSettings(SystemSettings):
    """A score is the type's own feature times 5."""

    regressor: Literal["one"] = Field(description="each type is its own feature times 5")
    one: dict[SimilarityType, str] = Field(description="the feature of each type")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")

    @model_validator(mode="after")
    def _complete(self) -> "OneSettings":
        if set(self.one) != set(TYPES):
            raise ValueError("regressor 'one' needs a feature for each of the eight types under 'one'")
        return self

    @property
    def sees(self) -> tuple[str, ...]:
        """The features of the types, in the types' order."""
        return tuple(dict.fromkeys(self.one[kind] for kind in TYPES))

    @property
    def trained(self) -> bool:
        """It has nothing to learn."""
        return False

    def fit(self, values: Matrix, gold: Matrix, known: npt.NDArray[np.bool_]) -> Weighted:
        """The same whatever the gold."""
        return self.restore({})

    def restore(self, arrays: Arrays) -> Weighted:
        """The regressor: it keeps nothing."""
        weights = np.zeros((len(self.sees), len(TYPES)))
        for kind, feature in self.one.items():
            weights[self.sees.index(feature), kind.position] = SCALE[1]
        return Weighted(weights, np.zeros(len(TYPES)), self.missing)
