"""The strongest of several features: alike in place by a shared place, else by a shared maker.

Readers take the best reason that they find: a place that both works name, or, where none is named, that
one person made both. A factor says how much a feature counts beside the others.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from features.measures.base import Column, Evidence, Scores, Theme
from features.measures.derived import DerivedColumn, DerivedSettings
from features.profiles.profile import Profile


class StrongestSettings(DerivedSettings):
    """The largest of some features, each times its factor.

    >>> strongest = StrongestSettings(measure="strongest", of={"place": 1.0, "maker": 0.5})
    >>> place, maker = np.array([0.2, np.nan, np.nan]), np.array([1.0, 0.6, np.nan])
    >>> strongest.combine(place, maker).tolist()  # .5 x 1 over .2; .5 x .6; nothing known
    [0.5, 0.3, nan]
    """

    measure: Literal["strongest"] = Field(description="the largest of some features, each times a factor")
    of: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(
        min_length=1, description="the features and their factors, above 0 to 1"
    )
    meaning: Theme = Field("words", description="what it means that two items agree in it")

    @property
    def theme(self) -> Theme:
        """As declared."""
        return self.meaning

    @property
    def parts(self) -> tuple[str, ...]:
        """The features."""
        return tuple(self.of)

    def combine(self, *values: Scores) -> Scores:
        """The largest; NaN only where all are."""
        scaled = np.stack([each * factor for each, factor in zip(values, self.of.values(), strict=True)])
        best: Scores = np.where(np.isnan(scaled).all(axis=0), np.nan, np.fmax.reduce(scaled, axis=0))
        return best

    def over(self, columns: Mapping[str, Column]) -> "StrongestColumn":
        """The column over those of its parts."""
        return StrongestColumn(self, tuple(columns[name] for name in self.parts))


class StrongestColumn(DerivedColumn):
    """The strongest of some columns."""

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """What the strongest part rests on, the first of equals."""
        best = self.pair(left, right)
        for column in self._columns:
            if best > 0 and self._settings.combine(*self._alone(column, left, right)).item() == best:
                return column.evidence(left, right)
        return ()

    def _alone(self, column: Column, left: Profile, right: Profile) -> list[Scores]:
        return [np.array([c.pair(left, right) if c is column else np.nan]) for c in self._columns]
