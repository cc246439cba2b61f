"""Features made of the values of other features of the same two items."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.knowledge.resources import Resources
from features.measures.base import Arrays, Column, Evidence, MeasureSettings, Rows, Scores
from features.profiles.blocks import Block
from features.profiles.profile import Profile


class DerivedSettings(MeasureSettings):
    """A feature that is made of others, which are declared before it."""

    @property
    @abstractmethod
    def parts(self) -> tuple[str, ...]:
        """The features it is made of."""

    @abstractmethod
    def combine(self, *values: Scores) -> Scores:
        """The feature's values from those of its parts, in their order."""

    def builder(self, resources: Resources) -> "NothingKept":  # noqa: ARG002
        """Keeps nothing: its parts do."""
        return NothingKept()

    def column(self, arrays: Arrays, resources: Resources) -> Column:
        """A derived feature has no column of its own: see :meth:`over`."""
        raise NotImplementedError

    def over(self, columns: Mapping[str, Column]) -> "DerivedColumn":
        """The column over those of its parts."""
        return DerivedColumn(self, tuple(columns[name] for name in self.parts))


class NothingKept:
    """The builder of a feature that stores nothing."""

    def take(self, block: Block) -> None:
        """Take nothing in."""

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Nothing to store."""
        return {}


class DerivedColumn:
    """A feature over the columns of its parts."""

    def __init__(self, settings: DerivedSettings, columns: tuple[Column, ...]) -> None:
        self._settings = settings
        self._columns = columns

    def compare(self, profile: Profile, rows: Rows | None = None) -> Scores:
        """The combined values of a profile with every row, or with some."""
        return self._settings.combine(*(column.compare(profile, rows) for column in self._columns))

    def compare_row(self, row: int, profile: Callable[[], Profile], rows: Rows | None = None) -> Scores:
        """The same for the profile of a row."""
        return self._settings.combine(*(column.compare_row(row, profile, rows) for column in self._columns))

    def pair(self, left: Profile, right: Profile) -> float:
        """The combined value of two profiles."""
        values = (np.array([column.pair(left, right)]) for column in self._columns)
        return self._settings.combine(*values).item()

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The evidence of its parts, each part with the same weight; none where the value is 0 or NaN."""
        if not self.pair(left, right) > 0:
            return ()
        found = [each for column in self._columns if (each := column.evidence(left, right))]
        ours = [replace(one, share=one.share / len(found)) for each in found for one in each]
        return tuple(sorted(ours, key=lambda one: -one.share))


class ProductSettings(DerivedSettings):
    """Walk times cosine where the walk has a score, else the cosine squared (thesis 6.3.3).

    >>> combined = ProductSettings(measure="product", walk="w", cosine="c")
    >>> combined.combine(np.array([0.5, np.nan]), np.array([0.4, 0.4])).round(2).tolist()  # .5 x .4, .4 x .4
    [0.2, 0.16]
    """

    measure: Literal["product"] = Field(
        description="walk x cosine where there is a walk, else cosine x cosine"
    )
    walk: str = Field(description="the feature that may have no score")
    cosine: str = Field(description="the feature it is multiplied with")

    @property
    def parts(self) -> tuple[str, ...]:
        """The walk and the cosine."""
        return (self.walk, self.cosine)

    def combine(self, *values: Scores) -> Scores:
        """The product of both, or the square of the second."""
        walk, cosine = values
        return np.where(np.isnan(walk), cosine, walk) * cosine


def needed(names: tuple[str, ...], declared: Mapping[str, MeasureSettings]) -> tuple[str, ...]:
    """The named features and the parts they are made of, parts first, each once."""
    found: dict[str, None] = {}
    for name in names:
        settings = declared[name]
        if isinstance(settings, DerivedSettings):
            found |= dict.fromkeys(needed(settings.parts, declared))
        found[name] = None
    return tuple(found)
