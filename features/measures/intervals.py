"""Nearness in time of two items, each one interval of years, on a logarithmic scale.

An item's interval runs from the first year that its dates cover to the last. Readers judge ten years against
none as they judge a hundred against ten: the value falls with the logarithm of the distance of d years,
``1 - ln(1 + d) / ln(1 + scale)``, and is 0 from ``scale`` years on. ``expected`` takes the mean of that over
every pair of a year of the one interval and a year of the other. So with ``expected`` and ``ends`` a wide
interval is weak evidence by itself; ``gap`` and ``middle`` know no width. Where the parts under ``first``
name no date, ``makers`` takes the years in which the item's makers worked (:class:`WorkingYears`). A period
that is only named counts as :mod:`features.profiles.dated` says.
"""

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Longs, NewArrays
from features.knowledge.resources import Resources
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, RowsBuilder, Theme
from features.measures.searchable import Distance, Range
from features.measures.tables import Table
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.dated import Dated, dated
from features.profiles.profile import EVERYWHERE, Occurrence, Part, Profile
from features.text.dates.years import Period, YearSpan
from features.text.names.names import NOBODY

_WORKING_LIFE: Final = 60
"""So many years at most lie between most works of one person; a manufactory works for centuries."""

_YEARS: Final = (100, 40, 15, 6, 2, 0)  # distances by which an engine finds what is near

YearDistance = Literal["gap", "middle", "ends"]
IntervalComparison = YearDistance | Literal["expected"]


class IntervalsSettings(MeasureSettings):
    """Nearness of the intervals that two items cover."""

    VERSION: ClassVar[int] = 3  # who has working years
    EXAMPLES = ({"kind": "gap", "first": ["date"]}, {"kind": "middle", "first": ["date"], "makers": True})
    theme: ClassVar[Theme] = "times"
    search_cost: ClassVar[float] = 0.5

    measure: Literal["intervals"] = Field(description="nearness in time on a logarithmic scale")
    parts: tuple[Part, ...] = Field(EVERYWHERE, description="where dates are read")
    first: tuple[Part, ...] = Field(
        (),
        description="parts that are read alone where they name a date; where they name none, `parts` are"
        " read",
    )
    kind: IntervalComparison = Field(
        description="the years between the two intervals, none where they overlap; between their middles;"
        " or between their ends, on average. `expected`: the value itself on average over every pair of a"
        " year of the one and a year of the other, as a part of what the two have with themselves (geometric"
        " mean)"
    )
    makers: bool = Field(
        False,
        description="`true`: where the parts under `first` name no date, the years in which the item's"
        " makers worked count: the median of the dated items by the same name, where most of these"
        " lie within 60 years",
    )
    scale: float = Field(
        300.0, gt=0, description="the distance in years at which nothing of the value remains"
    )

    @property
    def collects(self) -> Hashable:
        """The intervals, however they are compared."""
        return self.measure, self.parts, self.first, self.makers

    def builder(self, resources: Resources) -> "IntervalsBuilder":
        """An empty builder."""
        return IntervalsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "IntervalsColumn":
        """The column over stored arrays."""
        return IntervalsColumn(self, arrays)


def distance(kind: YearDistance, one: tuple[float, float], bounds: Doubles) -> Doubles:
    """Years between an interval and others, ``bounds`` float64[n, 2]; NaN for one that is not known.

    >>> others = np.array([[1845.0, 1855.0], [1870.0, 1871.0]])
    >>> distance("gap", (1840, 1850), others).tolist()  # they overlap; from 1850 to 1870
    [0.0, 20.0]
    >>> distance("middle", (1840, 1850), others).tolist()  # 1845 to 1850, and to 1870.5
    [5.0, 25.5]
    >>> distance("ends", (1840, 1850), others).tolist()  # (5 + 5) / 2, (30 + 21) / 2
    [5.0, 25.5]
    """
    first, last = bounds.T
    years: Doubles
    if kind == "gap":
        years = np.maximum(0.0, np.maximum(first - one[1], one[0] - last))
    elif kind == "middle":
        years = np.abs(first + last - (one[0] + one[1])) / 2
    else:
        years = (np.abs(first - one[0]) + np.abs(last - one[1])) / 2
    return years


def nearness(years: Doubles, scale: float) -> Doubles:
    """The value of distances in years.

    >>> nearness(np.array([0.0, 9.0, 99.0, 999.0, 5000.0]), 999).round(4).tolist()  # 0 to 3 powers of ten
    [1.0, 0.6667, 0.3333, 0.0, 0.0]
    """
    near: Doubles = np.maximum(0.0, 1.0 - np.log1p(years) / np.log1p(scale))
    return near


class Expected:
    """How near a year of one interval and a year of another are on average, as a part of what is most.

    Most is the geometric mean of what the two have each with itself: a kernel made a cosine, so that the
    value is 1 where they are the same and at most 1 elsewhere (Pólya: the nearness is convex). The sum over
    all pairs of years is made of values of the function whose second differences the nearness is; these are
    stored up to the scale, from where on they lie on a line.

    >>> others = np.array([[1850.0, 1850.0], [1850.0, 1851.0], [1900.0, 1900.0]])
    >>> Expected(9).of((1850, 1850), others).round(4).tolist()  # m / sqrt(m), m = (1 + 1 - ln 2 / ln 10) / 2
    [1.0, 0.9217, 0.0]
    """

    def __init__(self, scale: float) -> None:
        near = nearness(np.arange(int(np.ceil(scale)) + 2, dtype=np.float64), scale)
        steps = near[0] / 2 + np.concatenate(([0.0], np.cumsum(near[1:])))
        self._sums: Doubles = np.concatenate(([0.0], np.cumsum(steps)))
        self._slope = float(steps[-1])

    def of(self, one: tuple[float, float], bounds: Doubles) -> Doubles:
        """The values for others, ``bounds`` float64[n, 2]; NaN for one that is not known."""
        first, last = bounds[:, 0], bounds[:, 1]
        between = (
            self._sum(last - one[0] + 1)
            + self._sum(one[1] - first + 1)
            - self._sum(one[0] - first)
            - self._sum(one[1] - last)
        )
        # the numbers of years cancel out
        within = 4 * self._sum(last - first + 1) * self._sum(np.array(one[1] - one[0] + 1))
        values: Doubles = np.clip(between / np.sqrt(within), 0.0, 1.0)
        return values

    def _sum(self, years: Doubles) -> Doubles:
        most = len(self._sums) - 1
        years = np.abs(years)
        known = np.minimum(np.nan_to_num(years), most).astype(np.int64)
        sums: Doubles = self._sums[known] + np.maximum(0.0, years - most) * self._slope
        return sums


@dataclass(frozen=True, slots=True, eq=False)
class Bounds(Table):
    """The first and the last year of every item, float64[rows, 2]; NaN where none is known."""

    bounds: Doubles


def makers(profile: Profile) -> tuple[tuple[str, Occurrence], ...]:
    """The makers of the creator field: a key that is the same however the name is written, and its place."""
    return tuple(
        (name.key, Occurrence(name.key, value.part, value.index, name.start, name.end))
        for value in profile.values
        if value.part == "creator"
        for name in value.names
        if name.kind not in NOBODY and name.made
    )


class WorkingYears:
    """When the makers of a collection worked: the medians of the first and the last years of dated items.

    >>> arrays = working_years({"reynolds": [1760, 1760, 1770, 1772, 1780, 1790]})
    >>> WorkingYears(arrays).of(["reynolds", "gainsborough"])  # the middle one of three
    (1770, 1772)
    """

    def __init__(self, arrays: Arrays) -> None:
        self._years = np.asarray(arrays["working"], np.float64)
        self._vocabulary = Vocabulary(arrays)

    def of(self, keys: Iterable[str]) -> YearSpan | None:
        """Those of the makers that are known, from the first to the last; None where none is."""
        numbers = self._vocabulary.numbers(list(keys))
        years = self._years[numbers[numbers >= 0]]
        return (int(years[:, 0].min()), int(years[:, 1].max())) if len(years) else None


def working_years(dates: Mapping[str, Sequence[int]]) -> NewArrays:
    """The makers, and the working years of each, float64[makers, 2].

    ``dates`` are the first and the last year of each dated item of a maker, end to end. Makers whose works
    are of more years than a life has, but for a tenth at either end, have no working years.

    >>> arrays = working_years({"meissen": [1715, 1715, 1750, 1750, 1910, 1910], "haig": [1768, 1768]})
    >>> [WorkingYears(arrays).of([maker]) for maker in ("meissen", "haig")]
    [None, (1768, 1768)]
    """
    spans = {key: np.reshape(dates[key], (-1, 2)) for key in sorted(dates)}
    medians = {key: np.floor(np.median(own, axis=0)) for key, own in spans.items() if _is_of_one_life(own)}
    return {"working": np.array([*medians.values()], np.float64).reshape(-1, 2), **written([*medians])}


def _is_of_one_life(spans: Longs) -> bool:
    """Whether stretches of years, int64[works, 2], lie within a working life by their middles."""
    first, last = np.percentile(spans.mean(axis=1), [10, 90])
    return bool(last - first <= _WORKING_LIFE)


class IntervalsBuilder(RowsBuilder[Bounds]):
    """Collects the interval of every item, and with ``makers`` the working years of all makers."""

    def __init__(self, settings: IntervalsSettings) -> None:
        self._settings = settings  # ``_dated`` reads it at once
        super().__init__(self._dated)
        self._dates: dict[str, array[int]] = {}
        self._undated: dict[int, tuple[str, ...]] = {}
        self._items = 0

    def take(self, block: Block) -> None:
        """Take in the intervals of the next items."""
        super().take(block)
        for row, profile in enumerate(block.profiles if self._settings.makers else (), self._items):
            keys = tuple(key for key, _ in makers(profile))
            own = _span(dated(profile, self._settings.first))
            if own is not None:
                for key in keys:
                    self._dates.setdefault(key, array("q")).extend(own)
            elif keys:
                self._undated[row] = keys
        self._items += len(block)

    def _dated(self, block: Block) -> Bounds:
        return _bounds_of(_span(_own_dates(profile, self._settings)) for profile in block.profiles)

    def arrays(self) -> NewArrays:
        """The bounds of every item, and the working years of the makers."""
        bounds, working = np.array(self.table().bounds), working_years(self._dates)
        years = WorkingYears(working)
        for row, keys in self._undated.items():
            bounds[row] = years.of(keys) or bounds[row]
        return {**Bounds(bounds).arrays(), **working}


class IntervalsColumn(Column[Bounds]):
    """Nearness of an item to others."""

    def __init__(self, settings: IntervalsSettings, arrays: Arrays) -> None:
        super().__init__(Bounds.of(arrays))
        self._settings = settings
        self._working = WorkingYears(arrays)
        self._expected = Expected(settings.scale)

    def read(self, block: Block) -> Bounds:
        """The bounds of the items of a block."""
        own = (_span(_own_dates(profile, self._settings)) for profile in block.profiles)
        working = map(self._makers_years, block.profiles)
        return _bounds_of(years or dates for years, dates in zip(working, own, strict=True))

    def informed(self, table: Bounds) -> Bools:
        """Which items have a date."""
        return ~np.isnan(table.bounds[:, 0])

    def similarities(self, query: Bounds, table: Bounds) -> Doubles:
        """Nearness on the logarithmic scale."""
        first, last = query.bounds[0].tolist()
        kind = self._settings.kind
        if kind == "expected":
            return self._expected.of((first, last), table.bounds)
        return nearness(distance(kind, (first, last), table.bounds), self._settings.scale)

    def searchable(self) -> Range[Bounds]:
        """The first and the last year."""
        return Range(lambda table: table.bounds, self._distances)

    def _distances(self, row: Bounds) -> list[Distance]:
        """How near items are whose ends are so many years away at most."""
        if not self.informed(row).all():
            return []
        # about half as far on average
        shifted = Bounds(row.bounds + np.array(_YEARS)[:, np.newaxis] / 2)
        near = self.similarities(row, shifted).tolist()
        return [Distance(years, value) for years, value in zip(_YEARS, near, strict=True)]

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The expressions that bound either interval, or the makers whose years stand for it."""
        left_places, right_places = (self._places(block.profiles[side]) for side in (left, right))
        return (EvidencePair(left_places, right_places, 1.0),)

    def _makers_years(self, profile: Profile) -> YearSpan | None:
        """The working years of an item's makers where they stand for its own date."""
        if not self._settings.makers or dated(profile, self._settings.first):
            return None
        return self._working.of(key for key, _ in makers(profile))

    def _places(self, profile: Profile) -> tuple[Occurrence, ...]:
        """Where the makers stand, or the first and the last year: in one expression, or in two."""
        if self._makers_years(profile) is not None:
            return tuple(where for _, where in makers(profile))
        periods = _own_dates(profile, self._settings)
        first = min(periods, key=lambda one: (one[0].first, -one[0].last))
        last = max(periods, key=lambda one: (one[0].last, one[0] is first[0]))
        return tuple(dict.fromkeys((first[1], last[1])))


def _own_dates(profile: Profile, settings: IntervalsSettings) -> list[Dated]:
    """The dates of an item; not those of its gift or purchase, which stand in boilerplate."""
    of_records = {(one.part, one.index): one for one in profile.values if one.boilerplate}
    return [
        (period, where)
        for period, where in dated(profile, settings.first, settings.parts)
        if not (value := of_records.get((where.part, where.index))) or not value.is_boilerplate(where.start)
    ]


def _span(periods: list[tuple[Period, Occurrence]]) -> YearSpan | None:
    if not periods:
        return None
    return min(period.first for period, _ in periods), max(period.last for period, _ in periods)


def _bounds_of(intervals: Iterable[YearSpan | None]) -> Bounds:
    rows = [interval or (np.nan, np.nan) for interval in intervals]
    return Bounds(np.array(rows, np.float64).reshape(-1, 2))
