"""Year similarity of two items (thesis eq. 6.8, 6.9).

Two items have the nearness of their closest pair of years. *Written* takes the years that the text names
(the published measure), *covered* the whole interval that an expression spans; one of more than a century is
weak evidence (:mod:`features.measures.wide`). Parts named
under ``first`` (the date field) are read alone where they name a year: elsewhere stand the years of
acquisition, of copyright and of the artist's life.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles, Ints, Longs
from features.knowledge.resources import Resources
from features.measures.base import Column, Columns, Evidence, MeasureSettings, Theme
from features.measures.tables import Table, joined
from features.measures.wide import worth
from features.profiles.blocks import Block
from features.profiles.dated import dated
from features.profiles.profile import EVERYWHERE, Occurrence, Part, Profile
from features.text.dates.years import Reading, YearSpan, intervals


class YearsSettings(MeasureSettings):
    """Year similarity over some parts of a record."""

    VERSION: ClassVar[int] = 2

    EXAMPLES = ({"reading": "written"},)

    measure: Literal["years"] = Field(description="nearness of years (eq. 6.8, 6.9)")
    parts: tuple[Part, ...] = Field(EVERYWHERE, description="where years are read")
    first: tuple[Part, ...] = Field(
        (),
        description="parts that are read alone where they name a year; where they name none, `parts` are"
        " read. With `[date]` the years of acquisition, copyright and the artist's life, which stand"
        " elsewhere, do not count",
    )
    k: float = Field(
        0.1,
        gt=0,
        description="similarity lost for each year of distance; at 0.1 ten years apart are not alike",
    )
    reading: Reading = Field(
        "written",
        description="`written`: the years that a text names, as published; `covered`: all years that an"
        " expression spans, of which more than a century is weak evidence",
    )

    @property
    def theme(self) -> Theme:
        """Times."""
        return "times"

    @property
    def search_cost(self) -> float:
        """A few numbers an item."""
        return 0.5

    def builder(self, resources: Resources) -> "YearsBuilder":
        """An empty builder."""
        return YearsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "YearsColumn":
        """The column over stored arrays."""
        return YearsColumn(self, arrays)


def nearness(ours: Ints, theirs: Ints, k: float) -> Doubles:
    """How near intervals of years are, float64[ours, theirs]: ``max(0, 1 - gap k)``, eq. 6.8.

    The gap is the number of years between two intervals, 0 where they meet. Of a wide interval that is
    worth less (:mod:`features.measures.wide`).

    >>> nearness(np.array([[1870, 1870]]), np.array([[1872, 1872], [1860, 1875]]), 0.1).tolist()
    [[0.8, 1.0]]
    """
    one, two = ours.astype(np.int64)[:, np.newaxis], theirs.astype(np.int64)
    gaps = np.maximum(one[..., 0] - two[:, 1], two[:, 0] - one[..., 1])
    near: Doubles = np.maximum(0.0, 1.0 - np.maximum(gaps, 0) * k) * worth(one, two)
    return near


def _bounds(found: Sequence[tuple[YearSpan, Occurrence]]) -> Ints:
    return np.array([bounds for bounds, _ in found], np.int32).reshape(-1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Periods(Table):
    """The distinct intervals of years of every item, ascending: int32[intervals, 2]."""

    LISTS = ("bounds",)

    starts: Longs
    bounds: Ints


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

    def similarities(self, query: Periods, table: Periods) -> Doubles:
        """Those of the closest pair of years."""
        near = nearness(query.bounds, table.bounds, self._settings.k).max(axis=0)
        scores, filled = np.zeros(len(table)), self.informed(table)
        if filled.any():
            scores[filled] = np.maximum.reduceat(near, table.starts[:-1][filled])
        return scores

    def evidence(self, block: Block, left: int, right: int) -> tuple[Evidence, ...]:
        """The closest pair of years."""
        ours, theirs = (_intervals(self._settings, block.profiles[side]) for side in (left, right))
        near = nearness(_bounds(ours), _bounds(theirs), self._settings.k)
        if not near.any():
            return ()
        one, two = divmod(int(near.argmax()), len(theirs))
        return (Evidence((ours[one][1],), (theirs[two][1],), 1.0),)


def _intervals(settings: YearsSettings, profile: Profile) -> list[tuple[YearSpan, Occurrence]]:
    """What is compared of a profile, and where it stands."""
    return [
        (bounds, where)
        for period, where in dated(profile, settings.first, settings.parts)
        for bounds in intervals(period, settings.reading)
    ]
