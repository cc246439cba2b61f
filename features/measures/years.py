"""Year similarity of two items (thesis eq. 6.8, 6.9): the nearness of their closest pair of years.

*Written* takes the years that the text names (the published measure), *covered* the whole interval that an
expression spans; one of more than a century is weak evidence (:func:`worth`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.arrays import Arrays, Doubles, Ints, Longs
from features.knowledge.resources import Resources
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.tables import Table, reduced, starts_of
from features.profiles.blocks import Block
from features.profiles.dated import dated
from features.profiles.profile import EVERYWHERE, Occurrence, Part, Profile
from features.text.dates.years import Reading, YearSpan, intervals


class YearsSettings(MeasureSettings):
    """Year similarity over some parts of a record."""

    VERSION: ClassVar[int] = 2
    EXAMPLES = ({"reading": "written"},)
    theme: ClassVar[Theme] = "times"
    search_cost: ClassVar[float] = 0.5

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

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "YearsColumn":
        """The column over stored arrays."""
        return YearsColumn(self, arrays)


def nearness(left: Ints, right: Ints, k: float) -> Doubles:
    """How near intervals of years are, float64[left, right]: ``max(0, 1 - gap k)`` (eq. 6.8) times ``worth``.

    >>> nearness(np.array([[1870, 1870]]), np.array([[1872, 1872], [1860, 1875]]), 0.1).tolist()
    [[0.8, 1.0]]
    """
    one, two = left.astype(np.int64)[:, np.newaxis], right.astype(np.int64)
    gaps = np.maximum(one[..., 0] - two[:, 1], two[:, 0] - one[..., 1])
    near: Doubles = np.maximum(0.0, 1.0 - np.maximum(gaps, 0) * k) * worth(one, two)
    return near


ORDINARY: Final = 100
"""Years up to which an interval is no weak evidence: 'the 19th century' is how museums date."""


def worth(one: npt.NDArray[np.number], other: npt.NDArray[np.number]) -> Doubles:
    """What nearness of intervals is worth, 0 to 1; the last axis of each is a first and a last year.

    It is the part of the wider interval that the two share, a century counting as shared in any case: a
    cathedral of 1248 to 1880 meets every year of the 18th century and is of none of them.

    >>> cathedral, others = np.array([1248, 1880]), np.array([[1750, 1750], [1300, 1800], [1248, 1880]])
    >>> worth(cathedral, others).round(2).tolist()  # 100, 501 and 633 of 633 years
    [0.16, 0.79, 1.0]
    >>> worth(np.array([1700, 1799]), others[:1]).tolist()
    [1.0]
    """
    shared = np.minimum(one[..., 1], other[..., 1]) - np.maximum(one[..., 0], other[..., 0]) + 1.0
    wider = np.maximum(one[..., 1] - one[..., 0], other[..., 1] - other[..., 0]) + 1.0
    share: Doubles = np.minimum(1.0, np.maximum(shared, ORDINARY) / wider)
    return share


@dataclass(frozen=True, slots=True, eq=False)
class Periods(Table):
    """The distinct intervals of years of every item, ascending: int32[intervals, 2]."""

    LISTS = ("bounds",)

    starts: Longs
    bounds: Ints


class YearsColumn(Column[Periods]):
    """Year similarity of an item with others."""

    def __init__(self, settings: YearsSettings, arrays: Arrays) -> None:
        super().__init__(Periods.of(arrays))
        self._settings = settings

    def read(self, block: Block) -> Periods:
        """The intervals of the items of a block."""
        rows = [sorted({bounds for bounds, _ in self._intervals(profile)}) for profile in block.profiles]
        return Periods(starts_of(map(len, rows)), _bounds(chain.from_iterable(rows)))

    def similarities(self, query: Periods, table: Periods) -> Doubles:
        """Those of the closest pair of years."""
        near = nearness(query.bounds, table.bounds, self._settings.k).max(axis=0)
        return reduced(np.maximum, table.starts, near)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The closest pair of years."""
        lefts, rights = (self._intervals(block.profiles[side]) for side in (left, right))
        left_bounds, right_bounds = (_bounds(bounds for bounds, _ in side) for side in (lefts, rights))
        near = nearness(left_bounds, right_bounds, self._settings.k)
        if not near.any():
            return ()
        row, column = divmod(int(near.argmax()), len(rights))
        return (EvidencePair((lefts[row][1],), (rights[column][1],), 1.0),)

    def _intervals(self, profile: Profile) -> list[tuple[YearSpan, Occurrence]]:
        """What is compared of a profile, and where it stands."""
        return [
            (bounds, where)
            for period, where in dated(profile, self._settings.first, self._settings.parts)
            for bounds in intervals(period, self._settings.reading)
        ]


def _bounds(rows: Iterable[YearSpan]) -> Ints:
    return np.array(list(rows), np.int32).reshape(-1, 2)
