"""When a maker worked, as the dated items of a collection tell.

'Date not known' is no date, but the works around it are: the working years of a maker are the median
of the first years and the median of the last years of the items by that maker whose own dates are known.
"""

from array import array
from collections.abc import Iterable

import numpy as np

from features.arrays import Array, Arrays
from features.measures.vocabulary import Vocabulary, written
from features.profiles.profile import Occurrence, Profile
from features.text.dates.years import YearSpan
from features.text.names.names import NOBODY

Own = tuple[str, Occurrence]
"""A maker's key and where the name stands."""


def makers(profile: Profile) -> tuple[Own, ...]:
    """Who the creator field names, as keys that are the same however the name is written."""
    return tuple(
        (name.key, Occurrence(name.key, value.part, value.index, name.start, name.end))
        for value in profile.values
        for name in value.names
        if name.kind not in NOBODY and name.made
    )


class WorkingYearsBuilder:
    """Collects the dated items of every maker.

    >>> builder = WorkingYearsBuilder()
    >>> for first, last in ((1760, 1760), (1770, 1772), (1780, 1790)):
    ...     builder.add(["reynolds"], (first, last))
    >>> WorkingYears(builder.arrays()).of(["reynolds", "gainsborough"])  # the middle one of three
    (1770, 1772)
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._who = array("i")
        self._when = array("d")

    def add(self, keys: Iterable[str], interval: YearSpan) -> None:
        """Take in a dated item by these makers."""
        for key in keys:
            self._who.append(self._ids.setdefault(key, len(self._ids)))
            self._when.extend(interval)

    def arrays(self) -> dict[str, Array]:
        """The makers, and the working years of each, float64[makers, 2]."""
        who, when = np.array(self._who, np.int64), np.array(self._when, np.float64).reshape(-1, 2)
        order = np.argsort(who, kind="stable")
        groups = np.split(when[order], np.flatnonzero(np.diff(who[order])) + 1) if len(who) else []
        years = [np.floor(np.median(group, axis=0)) for group in groups]
        keys = sorted(self._ids)
        working = np.array(years, np.float64).reshape(-1, 2)[[self._ids[key] for key in keys]]
        return {"working": working, **written(keys)}


class WorkingYears:
    """The working years of the makers of a collection."""

    def __init__(self, arrays: Arrays) -> None:
        self._years = np.asarray(arrays["working"], np.float64)
        self._vocabulary = Vocabulary(arrays)

    def of(self, keys: Iterable[str]) -> YearSpan | None:
        """Those of the makers that are known, from the first to the last; None where none is."""
        numbers = self._vocabulary.numbers(list(keys))
        found = self._years[numbers[numbers >= 0]]
        if not len(found):
            return None
        return int(found[:, 0].min()), int(found[:, 1].max())
