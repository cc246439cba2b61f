"""Nearness in time of two items, each one interval of years, on a logarithmic scale.

An item's interval runs from the first year that its dates cover to the last. The parts named under
``first`` (the date field) are read alone where they name a date: elsewhere stand the years of
acquisition, of copyright and of the artist's life. Readers judge ten years against none as they judge
a hundred against ten, so that the value falls with the logarithm of the distance of d years:
``1 - ln(1 + d) / ln(1 + scale)``, and is 0 from ``scale`` years on. Where the parts under ``first`` name
no date, ``makers`` takes the years in which the item's makers worked (see ``working_years``).
"""

import math
from array import array
from collections.abc import Callable, Hashable
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures.base import Arrays, Evidence, MeasureSettings, Rows, Scores, SeenColumn, Theme, taken
from features.measures.working_years import WorkingYears, WorkingYearsBuilder, makers
from features.profiles.blocks import Block
from features.profiles.dated import dated, periods_of
from features.profiles.occurrence import EVERYWHERE, Occurrence, Part
from features.profiles.profile import Profile
from features.text.years import Interval, Period

Kind = Literal["gap", "middle", "ends"]


class IntervalsSettings(MeasureSettings):
    """Nearness of the intervals that two items cover."""

    measure: Literal["intervals"] = Field(description="nearness in time, on a logarithmic scale")
    parts: tuple[Part, ...] = Field(EVERYWHERE, description="where dates are read")
    first: tuple[Part, ...] = Field((), description="parts that, where they name a date, are read alone")
    kind: Kind = Field(
        description="years between the intervals, between their middles, or between their ends on average"
    )
    makers: bool = Field(False, description="where they name none, the working years of the makers count")
    scale: float = Field(300.0, gt=0, description="years of distance at which nothing remains")

    @property
    def collects(self) -> Hashable:
        """The intervals, however they are compared."""
        return self.measure, self.parts, self.first, self.makers

    @property
    def theme(self) -> Theme:
        """Times."""
        return "times"

    def builder(self, resources: Resources) -> "IntervalsBuilder":  # noqa: ARG002
        """An empty builder."""
        return IntervalsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources) -> "IntervalsColumn":  # noqa: ARG002
        """The column over stored arrays."""
        return IntervalsColumn(self, arrays)


def distance(kind: Kind, one: tuple[float, float], bounds: npt.NDArray[np.float64]) -> Scores:
    """Years between an interval and others, ``bounds`` float64[n, 2]; NaN for one that is not known.

    >>> others = np.array([[1845.0, 1855.0], [1870.0, 1871.0]])
    >>> distance("gap", (1840, 1850), others).tolist()  # they overlap; from 1850 to 1870
    [0.0, 20.0]
    >>> distance("middle", (1840, 1850), others).tolist()  # 1845 to 1850, and to 1870.5
    [5.0, 25.5]
    >>> distance("ends", (1840, 1850), others).tolist()  # (5 + 5) / 2, (30 + 21) / 2
    [5.0, 25.5]
    """
    first, last = bounds[:, 0], bounds[:, 1]
    years: Scores
    if kind == "gap":
        years = np.maximum(0.0, np.maximum(first - one[1], one[0] - last))
    elif kind == "middle":
        years = np.abs(first + last - (one[0] + one[1])) / 2
    else:
        years = (np.abs(first - one[0]) + np.abs(last - one[1])) / 2
    return years


def nearness(years: Scores, scale: float) -> Scores:
    """The value of distances in years.

    >>> nearness(np.array([0.0, 9.0, 99.0, 999.0, 5000.0]), 999).round(4).tolist()  # 0 to 3 powers of ten
    [1.0, 0.6667, 0.3333, 0.0, 0.0]
    """
    near: Scores = np.maximum(0.0, 1.0 - np.log1p(years) / np.log1p(scale))
    return near


class IntervalsBuilder:
    """Collects the interval of every item."""

    def __init__(self, settings: IntervalsSettings) -> None:
        self._settings = settings
        self._bounds = array("d")
        self._working = WorkingYearsBuilder()
        self._undated: dict[int, tuple[str, ...]] = {}
        self._takes = True

    def share(self, collected: dict[object, object]) -> None:
        """Leave the collecting to the first builder of the same intervals."""
        first = collected.setdefault((IntervalsBuilder, self._settings.collects), self)
        if isinstance(first, IntervalsBuilder) and first is not self:
            self._takes = False
            self._bounds, self._working, self._undated = first._bounds, first._working, first._undated

    def take(self, block: Block) -> None:
        """Take the intervals of the next items."""
        if self._takes:
            for profile in block.profiles:
                self._add(profile)

    def _add(self, profile: Profile) -> None:
        self._bounds.extend(_interval(self._settings, profile) or (np.nan, np.nan))
        if self._settings.makers:
            keys = tuple(key for key, _ in makers(profile))
            own = _span(list(periods_of(profile, self._settings.first)))
            if own is not None:
                self._working.add(keys, own)
            elif keys:
                self._undated[len(self._bounds) // 2 - 1] = keys

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """First and last year of every item, float64[rows, 2], NaN where none is known; the makers' years."""
        bounds = np.array(self._bounds, np.float64).reshape(-1, 2)
        working = self._working.arrays()
        years = WorkingYears(working)
        for row, keys in self._undated.items():
            bounds[row] = years.of(keys) or bounds[row]
        return {"bounds": bounds, **working}


class IntervalsColumn(SeenColumn[tuple[float, float] | None]):
    """Nearness in time of an item to every item."""

    def __init__(self, settings: IntervalsSettings, arrays: Arrays) -> None:
        super().__init__()
        self._settings = settings
        self._bounds = np.asarray(arrays["bounds"], np.float64)
        self._working = WorkingYears(arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_rows(self._bounds)

    def pair(self, left: Profile, right: Profile) -> float:
        """Nearness of two profiles; NaN where either names no date."""
        theirs = self._seen(right)
        if theirs is None:
            return float("nan")
        return self._nearness(self._seen(left), np.array([theirs], np.float64)).item()

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The expressions that bound either interval."""
        if not self.pair(left, right) > 0:
            return ()
        return (Evidence(self._where(left), self._where(right), 1.0),)

    def _lent(self, profile: Profile) -> Interval | None:
        """The working years of an item's makers where they stand for its own date."""
        if not self._settings.makers or any(periods_of(profile, self._settings.first)):
            return None
        return self._working.of(key for key, _ in makers(profile))

    def _where(self, profile: Profile) -> tuple[Occurrence, ...]:
        if self._lent(profile) is None:
            return _bounding(self._settings, profile)
        return tuple(where for _, where in makers(profile))

    def _see(self, profile: Profile) -> tuple[float, float] | None:
        return self._lent(profile) or _interval(self._settings, profile)

    def _stored(self, row: int, profile: Callable[[], Profile]) -> tuple[float, float] | None:  # noqa: ARG002
        first, last = self._bounds[row].tolist()
        return None if math.isnan(first) else (first, last)

    def _compared(self, seen: tuple[float, float] | None, rows: Rows | None) -> Scores:
        """Nearness to every item; NaN where either side names no date."""
        return self._nearness(seen, taken(self._bounds, rows))

    def _nearness(self, ours: tuple[float, float] | None, bounds: npt.NDArray[np.float64]) -> Scores:
        if ours is None:
            return np.full(len(bounds), np.nan)
        return nearness(distance(self._settings.kind, ours, bounds), self._settings.scale)


def _interval(settings: IntervalsSettings, profile: Profile) -> Interval | None:
    """From the first to the last year that an item's dates cover."""
    return _span(dated(profile, settings.first, settings.parts))


def _span(found: list[tuple[Period, Occurrence]]) -> Interval | None:
    if not found:
        return None
    return min(period.first for period, _ in found), max(period.last for period, _ in found)


def _bounding(settings: IntervalsSettings, profile: Profile) -> tuple[Occurrence, ...]:
    """Where the first and the last year stand: one expression, or two in the order of the years."""
    found = dated(profile, settings.first, settings.parts)
    first = min(found, key=lambda one: (one[0].first, -one[0].last))
    last = max(found, key=lambda one: (one[0].last, one[0] is first[0]))
    return tuple(dict.fromkeys((first[1], last[1])))
