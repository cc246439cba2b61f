"""Whether items give any information in another feature: a date, a maker.

This is presence, not similarity: 1 where both, or either, of two items have something to compare, else 0.
So an item of which nothing is known has 0 with itself: an exception from the contract of a measure.
"""

from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles
from features.knowledge.resources import Resources
from features.measures.base import AnyColumn, ByParts, Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.derived import StatelessBuilder
from features.measures.searchable import Informed
from features.measures.tables import Table
from features.profiles.blocks import Block
from ingest.errors import ConfigError


class KnownSettings(MeasureSettings):
    """Whether items are informed in a feature."""

    EXAMPLES = ({"of": "intervals"}, {"of": "names", "combine": "either"})

    measure: Literal["known"] = Field(description="whether both, or either, give information in a feature")
    of: str = Field(description="the feature, of a measure of its own")
    combine: Literal["both", "either"] = Field("both", description="what both sides give, or either")

    @property
    def made_of(self) -> tuple[str, ...]:
        """The feature."""
        return (self.of,)

    @property
    def combination(self) -> Informed:
        """Whether there is information."""
        return Informed()

    @property
    def search_cost(self) -> float:
        """Whether the column of its part tells anything."""
        return 0.3

    @property
    def theme(self) -> Theme:
        """Presence."""
        return "presence"

    def builder(self, resources: Resources) -> StatelessBuilder:
        """Keeps nothing: the feature does."""
        return StatelessBuilder()

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "KnownColumn":
        """The column over that of the feature; raises ``ConfigError`` where that is made of others."""
        of = columns[self.of]
        if not isinstance(of, Column):
            raise ConfigError(f"known: {self.of} is made of other features; name one of a measure of its own")
        return KnownColumn(self, of)


class KnownColumn(Column[Table]):
    """Whether items are informed in another column, whose table it reads."""

    def __init__(self, settings: KnownSettings, of: AnyColumn) -> None:
        super().__init__(of.table)
        self._settings, self._of = settings, of

    def read(self, block: Block) -> Table:
        """What the feature keeps of the items of a block."""
        return self._of.of(block)

    def informed(self, table: Table) -> Bools:
        """All: that nothing is known is known."""
        return np.ones(len(table), np.bool_)

    def similarities(self, query: Table, table: Table) -> Doubles:
        """1 where both, or either, are informed, else 0."""
        combine = np.logical_and if self._settings.combine == "both" else np.logical_or
        found: Doubles = combine(self._of.informed(query), self._of.informed(table)).astype(np.float64)
        return found

    def by_parts(self, query: Table) -> ByParts:
        """1 where both, or either, are informed, else 0."""
        ours = bool(self._of.informed(query).all())
        if ours == (self._settings.combine == "either"):
            return lambda part: np.full(len(part), ours, np.float32)
        return lambda part: (~self._of.inapplicable[part.rows]).astype(np.float32)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """None: what is known stands with the feature."""
        return ()
