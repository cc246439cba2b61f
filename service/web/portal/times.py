"""The timeline of an item's page: the years of the item and of its neighbours, one under the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from features.collection.collection import Collection
from features.profiles.partial import named
from ingest.record import Record
from models.types import SimilarityType
from service.web.portal.shown import PageNeighbour

_MOST: Final = 12
"""Neighbours of the timeline: the closest that have years."""

_THINNEST: Final = 1.2
"""The least width of a bar, as a part of a hundred."""


class Stretch(NamedTuple):
    """Years as a bar: where it begins and how long it is, as parts of a hundred."""

    begin: float
    width: float


@dataclass(frozen=True, slots=True)
class Line:
    """The years of one item; ``types`` are the ways in which it is near, none for the item of the page."""

    record: Record
    types: Sequence[SimilarityType]
    years: Sequence[tuple[int, int]]
    bars: Sequence[Stretch]

    @property
    def words(self) -> str:
        """The years in words.

        >>> Line(Record(id="a:1"), (), [(-44, -44), (1700, 1799)], ()).words
        '44 BC; 1700 to 1799'
        """
        return "; ".join(
            year(first) if first == last else f"{year(first)} to {year(last)}" for first, last in self.years
        )


class Times(NamedTuple):
    """A timeline.

    ``own`` is the item's line, None without years; ``undated`` is how many neighbours have none, and ``more``
    how many are left out.
    """

    first: str
    last: str
    own: Line | None
    lines: Sequence[Line]
    undated: int
    more: int


def year(number: int) -> str:
    """A year in words.

    >>> year(1750), year(-44)
    ('1750', '44 BC')
    """
    return f"{-number} BC" if number < 0 else str(number)


def times_of(collection: Collection, record: Record, near: Mapping[str, PageNeighbour]) -> Times | None:
    """The timeline of an item and its neighbours; None where no neighbour has years."""
    dated = {item: years for item in near if (years := _years(collection, item))}
    if not dated:
        return None
    shown, own = dict(list(dated.items())[:_MOST]), _years(collection, record.id)
    every = [year for years in (own, *shown.values()) for stretch in years for year in stretch]
    first, last = min(every), max(every)
    lines = [
        Line(near[item].record, near[item].types, years, _bars(years, first, last))
        for item, years in sorted(shown.items(), key=lambda line: line[1][0])
    ]
    return Times(
        year(first),
        year(last),
        Line(record, (), own, _bars(own, first, last)) if own else None,
        lines,
        len(near) - len(dated),
        len(dated) - len(shown),
    )


def _years(collection: Collection, item: str) -> list[tuple[int, int]]:
    """The years of an item, the earliest first, stretches that meet as one."""
    joined: list[tuple[int, int]] = []
    known = named(collection.profile_bytes(collection.row(item))).years
    for first, last in sorted((one.first, one.last) for one in known):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _bars(years: Sequence[tuple[int, int]], first: int, last: int) -> list[Stretch]:
    span = last + 1 - first
    found = []
    for begin, end in years:
        width = max(100 * (end + 1 - begin) / span, _THINNEST)
        # a thin bar at the end stays within
        found.append(Stretch(round(min(100 * (begin - first) / span, 100 - width), 1), round(width, 1)))
    return found
