"""Systems: which features make the eight scores, and how. Declared in config.yaml.

Every system here is *additive*: a score is a base plus one term a feature, so that it explains
itself exactly (its contributions add up to it) and can be searched exactly.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, model_validator

from ingest.errors import DamagedArtefact
from models.types import SCALE, TYPES, SimilarityType

Matrix = npt.NDArray[np.float64]


class SystemSettings(BaseModel):
    """A row of ``systems`` in config.yaml.

    ``one`` gives each type one feature, scaled, without training (the official baseline);
    ``linear`` fits eight linear regressors that all see every feature.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str = Field(description="what it is, in a few words")
    regressor: Literal["one", "linear"] = Field(description="how features become eight scores")
    features: tuple[str, ...] = Field((), description="linear: every feature, in order")
    one: dict[SimilarityType, str] = Field(default_factory=dict, description="one: the feature of each type")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")

    @model_validator(mode="after")
    def _complete(self) -> "SystemSettings":
        if self.regressor == "one" and (self.features or set(self.one) != set(TYPES)):
            raise ValueError("regressor 'one' needs a feature for each of the eight types under 'one'")
        if self.regressor == "linear" and (self.one or not self.features):
            raise ValueError("regressor 'linear' needs a list of 'features'")
        if len(set(self.features)) < len(self.features):
            raise ValueError("'features' names a feature twice")
        return self

    @property
    def needs(self) -> tuple[str, ...]:
        """The features it needs, each once, in order."""
        return self.features or tuple(dict.fromkeys(self.one[kind] for kind in TYPES))

    @property
    def trained(self) -> bool:
        """Whether it has weights to be learnt."""
        return self.regressor == "linear"


@dataclass(frozen=True, slots=True)
class System:
    """An additive system ready to score: ``score = clip(base + weights . features)``.

    ``weights`` is float64[features, 8] and ``base`` float64[8], types in the official order.

    >>> system = System("demo", ("f",), np.full((1, 8), 2.0), np.full(8, 1.0), missing=0.0)
    >>> system.score(np.array([[0.5], [np.nan], [9.0]]))[:, 0].tolist()  # 1 + 2 * .5, base, clipped
    [2.0, 1.0, 5.0]
    """

    name: str
    features: tuple[str, ...]
    weights: Matrix
    base: Matrix
    missing: float

    def __post_init__(self) -> None:
        if self.weights.shape != (len(self.features), len(TYPES)) or self.base.shape != (len(TYPES),):
            raise DamagedArtefact(
                f"the weights of system {self.name!r} do not fit its features; train it anew"
            )

    def terms(self, values: Matrix) -> Matrix:
        """One term a feature and type, float64[..., features, 8], for values float64[..., features]."""
        return self.filled(values)[..., np.newaxis] * self.weights

    def raw(self, values: Matrix) -> Matrix:
        """Scores before clipping, float64[n, 8], for values float64[n, features]."""
        return self.filled(values) @ self.weights + self.base

    def score(self, values: Matrix) -> Matrix:
        """Scores on the 0-5 scale, float64[n, 8]."""
        return np.clip(self.raw(values), *SCALE)

    def filled(self, values: Matrix) -> Matrix:
        """Feature values with what NaN, no information, counts as in this system."""
        return np.where(np.isnan(values), self.missing, values)


def untrained(name: str, settings: SystemSettings) -> System:
    """A system that needs no training: each type is its own feature times 5."""
    features = settings.needs
    weights = np.zeros((len(features), len(TYPES)))
    for kind, feature in settings.one.items():
        weights[features.index(feature), kind.position] = SCALE[1]
    return System(name, features, weights, np.zeros(len(TYPES)), settings.missing)
