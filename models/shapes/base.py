"""What every fit of shape functions promises."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from models.shapes.curves import Curve
from models.types import Matrix


class Sum(NamedTuple):
    """An additive model of one type: what it starts from, and one curve a feature."""

    base: float
    curves: list[Curve]


class ShapeSettings(BaseModel, ABC):
    """A fit of shape functions and its settings: the key ``shapes`` of an additive system."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    monotone: bool = Field(True, description="whether a term may only grow with its feature's value")
    free: tuple[str, ...] = Field((), description="monotone: features whose terms may fall all the same")

    @property
    def lines(self) -> bool:
        """Whether the shapes are lines between knots; else they are steps."""
        return False

    @abstractmethod
    def learn(self, values: Matrix, gold: Matrix, rising: npt.NDArray[np.bool_]) -> Sum:
        """Fit values float64[n, features], NaN for no information, to gold float64[n].

        ``rising`` says of which features the term may only grow.
        """

    def rising(self, features: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Of which of the features the term may only grow."""
        return np.array([self.monotone and name not in self.free for name in features], dtype=bool)
