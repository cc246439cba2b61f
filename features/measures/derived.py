"""Features made of the values of other features of the same two items."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Floats
from features.knowledge.resources import Resources
from features.measures.base import Columns, EvidencePair, FeatureColumn, MeasureSettings
from features.profiles.blocks import Block


class DerivedSettings(MeasureSettings):
    """A feature that is made of others."""

    @abstractmethod
    def combine(self, *values: Floats) -> Floats:
        """The feature's values from those of its parts, in their order."""

    @property
    def search_cost(self) -> float:
        """A few operations on the values of its parts."""
        return 0.3

    def values(self, parts: Mapping[str, Floats], compare: Callable[[], Floats]) -> Floats:
        """What is made of those of its parts."""
        return self.combine(*(parts[name] for name in self.made_of))

    def builder(self, resources: Resources) -> "StatelessBuilder":
        """Keeps nothing: its parts do."""
        return StatelessBuilder()

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "DerivedColumn":
        """The column over those of its parts."""
        return DerivedColumn(self, tuple(columns[name] for name in self.made_of))


class StatelessBuilder:
    """The builder of a feature that stores nothing."""

    def take(self, block: Block) -> None:
        """Take nothing in."""

    def arrays(self) -> dict[str, Array]:
        """Nothing to store."""
        return {}


class DerivedColumn:
    """A feature over the columns of its parts."""

    def __init__(self, settings: DerivedSettings, columns: tuple[FeatureColumn, ...]) -> None:
        self._settings, self._columns = settings, columns

    def combine(self, *values: Floats) -> Floats:
        """The feature's values from those of its parts, in their order."""
        return self._settings.combine(*values)

    def value(self, block: Block, left: int, right: int) -> float:
        """The combined value of two items of a block."""
        values = (np.array([column.value(block, left, right)]) for column in self._columns)
        return self.combine(*values).item()

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The evidence of its parts, each part above 0 with the same weight."""
        parts = [column for column in self._columns if column.value(block, left, right) > 0]
        found = [each for column in parts if (each := column.evidence(block, left, right))]
        ours = [replace(one, share=one.share / len(found)) for each in found for one in each]
        return tuple(sorted(ours, key=lambda one: -one.share))


class ProductSettings(DerivedSettings):
    """Walk times cosine where the walk has a score, else the cosine squared (thesis 6.3.3).

    >>> combined = ProductSettings(measure="product", walk="w", cosine="c")
    >>> combined.combine(np.array([0.5, np.nan]), np.array([0.4, 0.4])).round(2).tolist()  # .5 x .4, .4 x .4
    [0.2, 0.16]
    """

    EXAMPLES = ({"walk": "walk", "cosine": "tfidf"},)

    measure: Literal["product"] = Field(
        description="walk x cosine where there is a walk, else cosine x cosine"
    )
    walk: str = Field(description="the feature that may have no score")
    cosine: str = Field(description="the feature it is multiplied with")

    @property
    def made_of(self) -> tuple[str, ...]:
        """The walk and the cosine."""
        return (self.walk, self.cosine)

    def combine(self, *values: Floats) -> Floats:
        """The product of both, or the square of the second."""
        walk, cosine = values
        return np.where(np.isnan(walk), cosine, walk) * cosine
