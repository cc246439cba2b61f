"""Each type its own feature, scaled: nothing is trained (the official baseline; the knowledge system)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Arrays, Bools, Doubles
from models.regressors.base import SystemSettings
from models.regressors.linear import Weighted
from models.types import OFFICIAL, SCALE, SimilarityType, Types, ordered


class OneSettings(SystemSettings):
    """A score is the type's own feature times 5."""

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

    @property
    def trained(self) -> bool:
        """It has nothing to learn."""
        return False

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Weighted:
        """The same whatever the gold."""
        return self.restore({}, types)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Weighted:
        """The regressor: it keeps nothing."""
        weights = np.zeros((len(self.sees), len(types)))
        for at, kind in enumerate(types):
            weights[self.sees.index(self.one[kind]), at] = SCALE[1]
        return Weighted(weights, np.zeros(len(types)), self.missing)
