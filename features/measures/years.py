"""Year similarity of two items (thesis eq. 6.8, 6.9).

The formula and its two readings stand in :mod:`features.text.years`: *written* takes the years that the
text names (the published measure), *covered* the whole interval that an expression spans. Parts named
under ``first`` (the date field) are read alone where they name a year: elsewhere stand the years of
acquisition, of copyright and of the artist's life.
"""

from array import array
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures.base import Arrays, Evidence, MeasureSettings, Rows, Scores, SeenColumn, Theme, parts
from features.profiles.blocks import Block
from features.profiles.dated import Dated, dated
from features.profiles.occurrence import EVERYWHERE, Occurrence, Part
from features.profiles.profile import Profile
from features.text.years import Interval, Reading, interval_similarity, intervals, time_similarity


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

    def builder(self, resources: Resources) -> "YearsBuilder":  # noqa: ARG002
        """An empty builder."""
        return YearsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources) -> "YearsColumn":  # noqa: ARG002
        """The column over stored arrays."""
        return YearsColumn(self, arrays)


class YearsBuilder:
    """Collects the intervals of every item."""

    def __init__(self, settings: YearsSettings) -> None:
        self._settings = settings
        self._ids: dict[tuple[int, int], int] = {}
        self._intervals = array("i")
        self._starts = array("q", [0])

    def take(self, block: Block) -> None:
        """Take the intervals of the next items, each once."""
        for profile in block.profiles:
            self._add(profile)

    def _add(self, profile: Profile) -> None:
        for bounds in sorted({bounds for bounds, _ in _intervals(self._settings, profile)}):
            self._intervals.append(self._ids.setdefault(bounds, len(self._ids)))
        self._starts.append(len(self._intervals))

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The distinct intervals ``bounds[n, 2]`` and, per item, the numbers of its own."""
        return {
            "bounds": np.array(list(self._ids), dtype=np.int32).reshape(-1, 2),
            "intervals": np.frombuffer(self._intervals, np.int32),
            "indptr": np.frombuffer(self._starts, np.int64),
        }


class YearsColumn(SeenColumn[list[Interval]]):
    """Year similarity of an item with every item."""

    def __init__(self, settings: YearsSettings, arrays: Arrays) -> None:
        super().__init__()
        self._settings = settings
        self._bounds = np.asarray(arrays["bounds"], np.int32)
        self._own = np.asarray(arrays["intervals"], np.int32)
        self._starts = np.asarray(arrays["indptr"], np.int64)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._starts, self._own)

    def pair(self, left: Profile, right: Profile) -> float:
        """Best pair of years of two profiles."""
        one, two = ([period for period, _ in self._dated(profile)] for profile in (left, right))
        return time_similarity(one, two, self._settings.k, self._settings.reading)

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The closest pair of years."""
        theirs = _intervals(self._settings, right)
        pairs = [
            (interval_similarity(one, two, self._settings.k), here, there)
            for one, here in _intervals(self._settings, left)
            for two, there in theirs
        ]
        best = max(pairs, key=lambda pair: pair[0], default=None)
        if best is None or best[0] == 0.0:
            return ()
        return (Evidence((best[1],), (best[2],), 1.0),)

    def _dated(self, profile: Profile) -> list[Dated]:
        return dated(profile, self._settings.first, self._settings.parts)

    def _see(self, profile: Profile) -> list[Interval]:
        return sorted({bounds for bounds, _ in _intervals(self._settings, profile)})

    def _stored(self, row: int, profile: Callable[[], Profile]) -> list[Interval]:  # noqa: ARG002
        own = self._own[int(self._starts[row]) : int(self._starts[row + 1])]
        return [(first, last) for first, last in self._bounds[own].tolist()]

    def _compared(self, seen: list[Interval], rows: Rows | None) -> Scores:
        """Best pair of years with every item; NaN where either side names none."""
        starts, own = self._starts, self._own
        if rows is not None:
            starts, places = parts(starts, rows)
            own = own[places]
        scores = np.full(len(starts) - 1, np.nan)
        if not seen or not len(own):
            return scores
        # few intervals are distinct: all items are compared with those, some with their own
        bounds = self._bounds if rows is None else self._bounds[own]
        similar = self._similar(seen, bounds.astype(np.int64))
        filled = np.diff(starts) > 0
        scores[filled] = np.maximum.reduceat(similar[own] if rows is None else similar, starts[:-1][filled])
        return scores

    def _similar(self, ours: list[Interval], bounds: npt.NDArray[np.int64]) -> Scores:
        """``time_similarity`` of some intervals with many single ones at once."""
        gaps = np.stack([np.maximum(bounds[:, 0] - last, first - bounds[:, 1]) for first, last in ours])
        near: Scores = np.maximum(0.0, 1.0 - np.maximum(gaps.min(axis=0), 0) * self._settings.k)
        return near


def _intervals(settings: YearsSettings, profile: Profile) -> list[tuple[Interval, Occurrence]]:
    """What is compared of a profile, and where it stands."""
    return [
        (bounds, where)
        for period, where in dated(profile, settings.first, settings.parts)
        for bounds in intervals(period, settings.reading)
    ]
