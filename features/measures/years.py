"""Year similarity of two items (thesis eq. 6.8, 6.9).

The formula and its two readings stand in :mod:`features.text.years`: *written* takes the years that the
text names (the published measure), *covered* the whole interval that an expression spans. Parts named
under ``first`` (the date field) are read alone where they name a year: elsewhere stand the years of
acquisition, of copyright and of the artist's life.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.knowledge.resources import Resources
from features.measures.base import (
    Array,
    Arrays,
    Bools,
    Column,
    Columns,
    Evidence,
    MeasureSettings,
    Scores,
    Theme,
)
from features.measures.tables import Longs, Table, joined
from features.profiles.blocks import Block
from features.profiles.dated import dated
from features.profiles.occurrence import EVERYWHERE, Occurrence, Part
from features.profiles.profile import Profile
from features.text.years import Interval, Reading, interval_similarity, intervals


class YearsSettings(MeasureSettings):
    """Year similarity over some parts of a record."""

    measure: Literal["years"] = Field(description="year similarity, eq. 6.8 and 6.9")
    parts: tuple[Part, ...] = Field(EVERYWHERE, description="where years are read")
    first: tuple[Part, ...] = Field((), description="parts that, where they name a year, are read alone")
    k: float = Field(0.1, gt=0, description="similarity lost per year of distance (eq. 6.8)")
    reading: Reading = Field(
        "written", description="written: the years named; covered: the whole interval of each expression"
    )

    @property
    def theme(self) -> Theme:
        """Times."""
        return "times"

    def builder(self, resources: Resources) -> "YearsBuilder":
        """An empty builder."""
        return YearsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "YearsColumn":
        """The column over stored arrays."""
        return YearsColumn(self, arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Periods(Table):
    """The distinct intervals of years of every item, ascending: int32[intervals, 2]."""

    LISTS = ("bounds",)

    starts: Longs
    bounds: npt.NDArray[np.int32]


def _read(settings: YearsSettings, profiles: Sequence[Profile]) -> Periods:
    found = [sorted({bounds for bounds, _ in _intervals(settings, profile)}) for profile in profiles]
    starts = np.concatenate(([0], np.cumsum([len(own) for own in found], dtype=np.int64)))
    return Periods(starts, np.array([each for own in found for each in own], np.int32).reshape(-1, 2))


class YearsBuilder:
    """Collects the intervals of every item."""

    def __init__(self, settings: YearsSettings) -> None:
        self._settings = settings
        self._blocks: list[Periods] = []

    def take(self, block: Block) -> None:
        """Take the intervals of the next items."""
        self._blocks.append(_read(self._settings, block.profiles))

    def arrays(self) -> dict[str, Array]:
        """The intervals of every item."""
        return joined(Periods(np.zeros(1, np.int64), np.empty((0, 2), np.int32)), self._blocks).arrays()


class YearsColumn(Column[Periods]):
    """Year similarity of an item with others."""

    def __init__(self, settings: YearsSettings, arrays: Arrays) -> None:
        super().__init__(Periods.of(arrays))
        self._settings = settings

    def read(self, block: Block) -> Periods:
        """The intervals of the items of a block."""
        return _read(self._settings, block.profiles)

    def informed(self, table: Periods) -> Bools:
        """Which items name a year."""
        return np.diff(table.starts) > 0

    def similarities(self, query: Periods, table: Periods) -> Scores:
        """Those of the closest pair of years."""
        first, last = table.bounds.astype(np.int64).T
        gaps = [np.maximum(first - end, begin - last) for begin, end in query.bounds.tolist()]
        near = np.maximum(0.0, 1.0 - np.maximum(np.min(gaps, axis=0), 0) * self._settings.k)
        scores, filled = np.zeros(len(table)), self.informed(table)
        if filled.any():
            scores[filled] = np.maximum.reduceat(near, table.starts[:-1][filled])
        return scores

    def evidence(self, block: Block, left: int, right: int) -> tuple[Evidence, ...]:
        """The closest pair of years."""
        theirs = _intervals(self._settings, block.profiles[right])
        pairs = [
            (interval_similarity(one, two, self._settings.k), here, there)
            for one, here in _intervals(self._settings, block.profiles[left])
            for two, there in theirs
        ]
        best = max(pairs, key=lambda pair: pair[0], default=None)
        if best is None or best[0] == 0.0:
            return ()
        return (Evidence((best[1],), (best[2],), 1.0),)


def _intervals(settings: YearsSettings, profile: Profile) -> list[tuple[Interval, Occurrence]]:
    """What is compared of a profile, and where it stands."""
    return [
        (bounds, where)
        for period, where in dated(profile, settings.first, settings.parts)
        for bounds in intervals(period, settings.reading)
    ]
