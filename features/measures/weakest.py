"""The weakest of several features: versions of one work agree in title, maker and time at once.

A print after a drawing, two states of a plate and the leaves of an album have the same title words, the
same maker and the same years, and so the same people, place and event, although no record names these.
One of the three alone says little: a whole collection may be by one hand. So the value is the smallest.
"""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Floats
from features.knowledge.resources import Resources
from features.measures.base import Columns, EvidencePair, Theme
from features.measures.derived import DerivedColumn, DerivedSettings
from features.profiles.blocks import Block


class WeakestSettings(DerivedSettings):
    """The smallest of some features.

    >>> weakest = WeakestSettings(measure="weakest", of=("title", "maker"))
    >>> weakest.combine(np.array([0.4, 0.9, 0.9]), np.array([1.0, 0.5, np.nan])).tolist()
    [0.4, 0.5, nan]
    """

    EXAMPLES = ({"of": ["tfidf", "names"]},)

    measure: Literal["weakest"] = Field(description="the smallest of some features, none missing")
    of: Annotated[tuple[str, ...], Field(min_length=2)] = Field(
        description="the features, as `[title_tfidf, makers]`"
    )

    @property
    def theme(self) -> Theme:
        """Words: what the parts share is named by the first of them."""
        return "words"

    @property
    def made_of(self) -> tuple[str, ...]:
        """The features."""
        return self.of

    def combine(self, *values: Floats) -> Floats:
        """The smallest; NaN where one is."""
        smallest: Floats = np.minimum.reduce(values)
        return smallest

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "WeakestColumn":
        """The column over those of its parts."""
        return WeakestColumn(self, tuple(columns[name] for name in self.made_of))


class WeakestColumn(DerivedColumn):
    """The weakest of some columns."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the part named first rests on: the others only confirm it."""
        return self._columns[0].evidence(block, left, right)
