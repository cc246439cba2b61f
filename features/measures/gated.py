"""A feature as far as there is anything to compare: alike in people, where both show people at all.

Readers give 0 for the people of two landscapes, however alike the rest; so the value of one feature is
multiplied with the presence of its kind of thing (see :mod:`features.measures.presence`). An item has that
presence with itself, not 1: an exception from the contract of a measure.
"""

from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Floats
from features.knowledge.resources import Resources
from features.measures.base import Columns, EvidencePair
from features.measures.derived import DerivedColumn, DerivedSettings
from features.profiles.blocks import Block


class GatedSettings(DerivedSettings):
    """A feature times a presence.

    >>> gated = GatedSettings(measure="gated", of="kinds", by="people")
    >>> gated.combine(np.array([0.5, np.nan, 0.5]), np.array([0.8, 0.8, 0.0])).tolist()  # .5 x .8, 0 x .8
    [0.4, 0.0, 0.0]
    """

    EXAMPLES = ({"of": "names", "by": "presence"}, {"of": "names", "by": "sentences_2"})

    measure: Literal["gated"] = Field(description="a feature times the presence of what it is about")
    of: str = Field(description="the feature that is compared; where it has no information it counts 0")
    by: str = Field(description="the presence that it is multiplied with")

    @property
    def made_of(self) -> tuple[str, ...]:
        """The feature and its gate."""
        return (self.of, self.by)

    def combine(self, *values: Floats) -> Floats:
        """The product; NaN where the gate has no information."""
        of, by = values
        return np.where(np.isnan(of), 0.0, of) * by

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "GatedColumn":
        """The column over those of its parts."""
        return GatedColumn(self, (columns[self.of], columns[self.by]))


class GatedColumn(DerivedColumn):
    """A feature over the columns of what it is of and of its gate."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the feature rests on; the gate's evidence only where the feature has none."""
        of, by = self._columns
        return of.evidence(block, left, right) or by.evidence(block, left, right)
