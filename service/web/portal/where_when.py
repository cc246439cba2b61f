"""The map and the timeline of an item's page: where and when the item and its neighbours are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, hypot, radians
from typing import Final, NamedTuple

from features.collection.collection import Collection
from features.profiles.partial import named as named_facts
from features.text.places.coordinates import Spot
from ingest.record import Record
from models.types import SimilarityType
from service.explain.closeness import year_words
from service.languages.messages import enumerated, gettext, ngettext
from service.search.neighbours import ExplainedNeighbour
from service.search.spots import places_column, spots

WIDTH, HEIGHT = 360, 220
"""The size of a map in its own units, pixels on a phone."""

_MOST: Final = 20  # places on a map; of more, those that most items name
_EACH: Final = 3  # places that a map shows of one item, the first that it names
_APART: Final = 27.0  # how far two dots have to be from each other, so that either can be hit
_LISTED: Final = 3  # neighbours that are listed with a place
_SHRUNK: Final = 0.6  # a place is left beyond the map if without it the view is at most this part as high
_EDGE: Final = 1.45  # the height of a map, in heights of the stretch between its outermost dots
_LEAST: Final = 16.0  # the height of the closest view, in degrees: closer, nobody would know the coasts
_WHOLE: Final = 225.0  # the height of a view that is as wide as the world, in degrees
_LINES: Final = 12  # neighbours of the timeline: the closest that have years
_THINNEST: Final = 1.2  # the least width of a bar, as a part of a hundred


@dataclass(slots=True)
class PageNeighbour:
    """A neighbour that a page shows, in one way or in several; ``score`` is the best of these."""

    record: Record
    score: float = 0.0
    types: list[SimilarityType] = field(default_factory=list)


def each_once(neighbours: Iterable[ExplainedNeighbour]) -> dict[str, PageNeighbour]:
    """The neighbours of all types by their ids, the closest first."""
    rows: dict[str, PageNeighbour] = {}
    for near in neighbours:
        row = rows.setdefault(near.record.id, PageNeighbour(near.record))
        row.types.append(near.type)
        row.score = max(row.score, near.score)
    return dict(sorted(rows.items(), key=lambda item: -item[1].score))


class View(NamedTuple):
    """Which part of the world a map shows: its middle, and its height in degrees."""

    latitude: float
    longitude: float
    height: float

    @classmethod
    def of(cls, spots: Sequence[Spot]) -> "View":
        """A view that shows some spots, at least one."""
        up, right = [one.latitude for one in spots], [one.longitude for one in spots]
        latitude, longitude = (min(up) + max(up)) / 2, (min(right) + max(right)) / 2
        across = (max(right) - min(right)) * cos(radians(latitude)) * HEIGHT / WIDTH
        height = min(max(_EDGE * max(max(up) - min(up), across), _LEAST), _WHOLE)
        return cls(latitude, longitude, height)

    @property
    def scale(self) -> tuple[float, float]:
        """Units of the map to a degree of longitude and of latitude: true in the middle of the map."""
        return HEIGHT / self.height * cos(radians(self.latitude)), HEIGHT / self.height

    def place(self, spot: Spot) -> tuple[float, float]:
        """Where a spot is on the map."""
        across, down = self.scale
        x = WIDTH / 2 + (spot.longitude - self.longitude) * across
        return round(x, 1), round(HEIGHT / 2 - (spot.latitude - self.latitude) * down, 1)

    @property
    def matrix(self) -> str:
        """How the outline of the world, in tenths of a degree from its upper left corner, is laid beneath."""
        across, down = self.scale
        x, y = self.place(Spot("", "city", 90.0, -180.0))
        return f"matrix({across / 10:.4f} 0 0 {down / 10:.4f} {x} {y})"


class NamedPlace(NamedTuple):
    """A place, whether the item itself names it, and the neighbours that do."""

    spot: Spot
    own: bool
    items: Sequence[PageNeighbour]

    @property
    def near(self) -> Sequence[PageNeighbour]:
        """The neighbours that are listed with it."""
        return self.items[:_LISTED]

    @property
    def more(self) -> int:
        """How many neighbours more there are."""
        return max(len(self.items) - _LISTED, 0)


class Dot(NamedTuple):
    """A dot of the map, and the places that it stands for, too near each other for dots of their own."""

    x: float
    y: float
    places: list[NamedPlace]

    @property
    def own(self) -> bool:
        """Whether the item itself is there."""
        return any(one.own for one in self.places)

    @property
    def wide(self) -> bool:
        """Whether all its places are wide, so that the dot is their middle and no more."""
        return all(one.spot.kind != "city" for one in self.places)

    @property
    def words(self) -> str:
        """What the dot stands for, in words."""
        names = ", ".join(dict.fromkeys(one.spot.name for one in self.places))
        number = len({near.record.id for one in self.places for near in one.items})
        near = ngettext("{number} neighbour", "{number} neighbours", number).format(number=number)
        there = ([gettext("this item")] if self.own else []) + ([near] if number else [])
        return f"{names}: {enumerated(there)}"


class Map(NamedTuple):
    """A map: its dots, the item's own first; places that lie beyond it; how many more are left out."""

    view: View
    dots: Sequence[Dot]
    beyond: Sequence[NamedPlace]
    more: int


def map_of(collection: Collection, record: Record, near: Mapping[str, PageNeighbour]) -> Map | None:
    """The map of an item and its neighbours; None where no place of any is known."""
    column = places_column(collection)
    if column is None:
        return None
    own = spots(collection, column, record.id)[:_EACH]
    around: dict[Spot, list[PageNeighbour]] = {spot: [] for spot in own}
    for one in near.values():
        for spot in spots(collection, column, one.record.id)[:_EACH]:
            around.setdefault(spot, []).append(one)
    named = [NamedPlace(spot, spot in own, items) for spot, items in around.items()]
    # the sort keeps the order of the neighbours where as many name a place
    named.sort(key=lambda one: (not one.own, -len(one.items)))
    if not named:
        return None
    shown, beyond = _together(named[:_MOST])
    view = View.of([one.spot for one in shown])
    return Map(view, _dots(view, shown), beyond, max(len(named) - _MOST, 0))


def _together(named: Sequence[NamedPlace]) -> tuple[list[NamedPlace], list[NamedPlace]]:
    """The places that a map shows; and those of one neighbour so far off that all else would shrink."""
    shown, beyond = list(named), list[NamedPlace]()
    while True:
        height = View.of([one.spot for one in shown]).height
        rest = {
            at: View.of([one.spot for one in shown if one is not left]).height
            for at, left in enumerate(shown)
            if not left.own and len(left.items) == 1 and len(shown) > 1
        }
        far = min(rest, key=rest.__getitem__, default=None)
        if far is None or rest[far] > _SHRUNK * height:
            return shown, beyond
        beyond.append(shown.pop(far))


def _dots(view: View, shown: Iterable[NamedPlace]) -> list[Dot]:
    dots: list[Dot] = []
    for one in shown:
        x, y = view.place(one.spot)
        dot = next((dot for dot in dots if hypot(dot.x - x, dot.y - y) < _APART), None)
        if dot is None:
            dots.append(Dot(x, y, [one]))
        else:
            dot.places.append(one)
    return dots


class Stretch(NamedTuple):
    """Years as a bar: where it begins and how long it is, as parts of a hundred."""

    begin: float
    width: float


class Line(NamedTuple):
    """The years of one item; ``types`` are the ways in which it is near, none for the item of the page."""

    record: Record
    types: Sequence[SimilarityType]
    years: Sequence[tuple[int, int]]
    bars: Sequence[Stretch]

    @property
    def words(self) -> str:
        """The years in words, as ``44 BC; 1700 to 1799``."""
        return "; ".join(
            year_words(first)
            if first == last
            else gettext("{first} to {last}").format(first=year_words(first), last=year_words(last))
            for first, last in self.years
        )


class Times(NamedTuple):
    """A timeline of an item and its neighbours."""

    first: str
    last: str
    own: Line | None
    lines: Sequence[Line]
    undated: int  # neighbours without years
    more: int  # neighbours that are left out


def times_of(collection: Collection, record: Record, near: Mapping[str, PageNeighbour]) -> Times | None:
    """The timeline of an item and its neighbours; None where no neighbour has years."""
    dated = {item: years for item in near if (years := _years(collection, item))}
    if not dated:
        return None
    shown, own = dict(list(dated.items())[:_LINES]), _years(collection, record.id)
    every = [year for years in (own, *shown.values()) for stretch in years for year in stretch]
    first, last = min(every), max(every)
    lines = [
        Line(near[item].record, near[item].types, years, _bars(years, first, last))
        for item, years in sorted(shown.items(), key=lambda line: line[1][0])
    ]
    return Times(
        year_words(first),
        year_words(last),
        Line(record, (), own, _bars(own, first, last)) if own else None,
        lines,
        len(near) - len(dated),
        len(dated) - len(shown),
    )


def _years(collection: Collection, item: str) -> list[tuple[int, int]]:
    """The years of an item, the earliest first, stretches that meet as one."""
    joined: list[tuple[int, int]] = []
    known = named_facts(collection.profile_bytes(collection.row(item))).years
    for first, last in sorted((one.first, one.last) for one in known):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined


def _bars(years: Sequence[tuple[int, int]], first: int, last: int) -> list[Stretch]:
    span, bars = last + 1 - first, []
    for begin, end in years:
        width = max(100 * (end + 1 - begin) / span, _THINNEST)
        # a thin bar at the end stays within
        bars.append(Stretch(round(min(100 * (begin - first) / span, 100 - width), 1), round(width, 1)))
    return bars
