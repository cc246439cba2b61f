"""Year similarity of two items (thesis eq. 6.8, 6.9).

``sim_year = max(0, 1 - |y1 - y2| * k)`` and an item pair takes the best pair of its years. Two
readings of a calendar expression: *written* takes the years that the text names (the published
measure), *covered* the whole interval it spans, two intervals being as far apart as the gap
between them. Parts named under ``first`` (the date field) are read alone where they name a year:
elsewhere stand the years of acquisition, of copyright and of the artist's life.
"""

from array import array
from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from features.measures.base import Arrays, Evidence, Scores
from features.profile import Profile
from features.scope import EVERYWHERE, Occurrence, Part


class YearsSettings(BaseModel):
    """A row of ``features`` in config.yaml: year similarity over some parts of a record."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    measure: Literal["years"] = Field(description="year similarity, eq. 6.8 and 6.9")
    parts: tuple[Part, ...] = Field(EVERYWHERE, description="where years are read")
    first: tuple[Part, ...] = Field((), description="parts that, where they name a year, are read alone")
    k: float = Field(0.1, gt=0, description="similarity lost per year of distance (eq. 6.8)")
    reading: Literal["written", "covered"] = Field(
        "written", description="written: the years named; covered: the whole interval of each expression"
    )

    def builder(self) -> "YearsBuilder":
        """An empty builder."""
        return YearsBuilder(self)

    def column(self, arrays: Arrays) -> "YearsColumn":
        """The column over stored arrays."""
        return YearsColumn(self, arrays)


class _Interval(NamedTuple):
    """A first and a last year, and where they stand."""

    first: int
    last: int
    where: Occurrence


class YearsBuilder:
    """Collects the intervals of every item."""

    def __init__(self, settings: YearsSettings) -> None:
        self._settings = settings
        self._ids: dict[tuple[int, int], int] = {}
        self._intervals = array("i")
        self._starts = array("q", [0])

    def add(self, profile: Profile) -> None:
        """Take the intervals of the next item, each once."""
        for bounds in sorted({(i.first, i.last) for i in _intervals(self._settings, profile)}):
            self._intervals.append(self._ids.setdefault(bounds, len(self._ids)))
        self._starts.append(len(self._intervals))

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The distinct intervals ``bounds[n, 2]`` and, per item, the numbers of its own."""
        return {
            "bounds": np.array(list(self._ids), dtype=np.int32).reshape(-1, 2),
            "intervals": np.frombuffer(self._intervals, np.int32),
            "indptr": np.frombuffer(self._starts, np.int64),
        }


class YearsColumn:
    """Year similarity of a profile with every item."""

    def __init__(self, settings: YearsSettings, arrays: Arrays) -> None:
        self._settings = settings
        self._bounds = np.asarray(arrays["bounds"], np.int32)
        self._own = np.asarray(arrays["intervals"], np.int32)
        self._starts = np.asarray(arrays["indptr"], np.int64)

    def compare(self, profile: Profile) -> Scores:
        """Best pair of years with every item; NaN where either side names none."""
        scores = np.full(len(self._starts) - 1, np.nan)
        mine = sorted({(i.first, i.last) for i in _intervals(self._settings, profile)})
        if not mine or not len(self._own):
            return scores
        bounds = self._bounds.astype(np.int64)
        # few intervals are distinct: compare with those, then look each item's own ones up
        gaps = np.stack([np.maximum(bounds[:, 0] - last, first - bounds[:, 1]) for first, last in mine])
        similar = np.maximum(0.0, 1.0 - np.maximum(gaps.min(axis=0), 0) * self._settings.k)
        filled = np.diff(self._starts) > 0
        scores[filled] = np.maximum.reduceat(similar[self._own], self._starts[:-1][filled])
        return scores

    def pair(self, left: Profile, right: Profile) -> float:
        """Best pair of years of two profiles."""
        best = self._best(left, right)
        return float("nan") if best is None else best[0]

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The closest pair of years."""
        best = self._best(left, right)
        if best is None or best[0] == 0.0:
            return ()
        return (Evidence((best[1].where,), (best[2].where,), 1.0),)

    def _best(self, left: Profile, right: Profile) -> tuple[float, _Interval, _Interval] | None:
        theirs = _intervals(self._settings, right)
        pairs = [
            (max(0.0, 1.0 - max(a.first - b.last, b.first - a.last, 0) * self._settings.k), a, b)
            for a in _intervals(self._settings, left)
            for b in theirs
        ]
        return max(pairs, key=lambda pair: pair[0], default=None)


def _intervals(settings: YearsSettings, profile: Profile) -> list[_Interval]:
    return list(_read(settings, profile, settings.first)) or list(_read(settings, profile, settings.parts))


def _read(settings: YearsSettings, profile: Profile, parts: tuple[Part, ...]) -> Iterator[_Interval]:
    for value in profile.values:
        if value.part not in parts:
            continue
        for period in value.periods:
            where = Occurrence(period.text, value.part, value.index, period.start, period.end)
            if settings.reading == "covered":
                yield _Interval(period.first, period.last, where)
            else:
                yield from (_Interval(year, year, where) for year in period.written)
