"""The strongest of several features: alike in place by a shared place, else by a shared maker.

Readers take the best reason that they find: a place that both works name, or, where none is named, that
one person made both. A factor says how much a feature counts beside the others; where only one below 1
counts, an item is not 1 with itself: an exception from the contract of a measure.
"""

from functools import reduce
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Floats
from features.knowledge.resources import Resources
from features.measures.base import Columns, EvidencePair, Theme
from features.measures.derived import DerivedColumn, DerivedSettings
from features.measures.searchable import Largest
from features.profiles.blocks import Block


class StrongestSettings(DerivedSettings):
    """The largest of some features, each times its factor.

    >>> strongest = StrongestSettings(measure="strongest", of={"place": 1.0, "maker": 0.5})
    >>> place, maker = np.array([0.2, np.nan, np.nan]), np.array([1.0, 0.6, np.nan])
    >>> strongest.combine(place, maker).tolist()  # .5 x 1 over .2; .5 x .6; nothing known
    [0.5, 0.3, nan]
    """

    EXAMPLES = ({"of": {"tfidf": 1, "names": 0.5}, "meaning": "places"},)

    measure: Literal["strongest"] = Field(description="the largest of some features, each times a factor")
    of: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(
        min_length=1, description="features and their factors, as `{location_tfidf: 1, makers: 0.5}`"
    )
    meaning: Theme = Field(
        "words", description="what it means that two items agree in it; reasons are worded by it"
    )

    @property
    def theme(self) -> Theme:
        """As declared."""
        return self.meaning

    @property
    def made_of(self) -> tuple[str, ...]:
        """The features."""
        return tuple(self.of)

    @property
    def combination(self) -> Largest:
        """The largest."""
        return Largest(self.of)

    def combine(self, *values: Floats) -> Floats:
        """The largest; NaN only where all are."""
        scaled = (each * factor for each, factor in zip(values, self.of.values(), strict=True))
        return reduce(np.fmax, scaled)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "StrongestColumn":
        """The column over those of its parts."""
        return StrongestColumn(self, tuple(columns[name] for name in self.made_of))


class StrongestColumn(DerivedColumn):
    """The strongest of some columns."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the strongest part rests on, the first of equals."""
        values = [np.array([column.value(block, left, right)]) for column in self._columns]
        best = self.combine(*values).item()
        for n, column in enumerate(self._columns):
            alone = [value if n == at else np.array([np.nan]) for at, value in enumerate(values)]
            if self.combine(*alone).item() == best:
                return column.evidence(block, left, right)
        return ()
