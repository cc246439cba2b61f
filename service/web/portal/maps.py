"""The map of an item and its neighbours: dots for the places that they name, over land, borders and towns."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from math import cos, hypot, radians
from typing import Final, NamedTuple

import msgspec

from features.collection.collection import Collection
from features.text.places.coordinates import Spot
from ingest.record import Record
from service.languages.messages import enumerated, gettext, ngettext
from service.search.spots import places_column, spots
from service.web.portal.rendering import FOLDER
from service.web.portal.wall import PageNeighbour

WIDTH, HEIGHT = 360, 220
"""The size of a map in its own units, pixels on a phone."""

MOST: Final = 20  # places on a map; of more, those that most items name
_TOWNS: Final = 9  # names of towns on a map, those of the largest
_LETTER: Final = 4.6  # how wide a letter of such a name is
_LINE: Final = 11.0  # how high it is
_EACH: Final = 3  # places that a map shows of one item, the first that it names
_APART: Final = 27.0  # how far two dots have to be from each other, so that either can be hit
_LISTED: Final = 3  # neighbours that are listed with a place
_SHRUNK: Final = 0.6  # a place is left beyond the map if without it the view is at most this part as high
_EDGE: Final = 1.45  # the height of a map, in heights of the stretch between its outermost dots
_LEAST: Final = 16.0  # the height of the closest view, in degrees: closer, nobody would know the coasts
_WHOLE: Final = 225.0  # the height of a view that is as wide as the world, in degrees


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


class TownLabel(NamedTuple):
    """The name of a large town, and where on the map it is."""

    name: str
    x: float
    y: float


class Map(NamedTuple):
    """A map: its dots, the item's own first; places that lie beyond it; how many more are left out."""

    view: View
    dots: Sequence[Dot]
    beyond: Sequence[NamedPlace]
    more: int

    @property
    def places(self) -> Sequence[NamedPlace]:
        """All its places, in the order of the dots; those beyond it at the end."""
        return [*(place for dot in self.dots for place in dot.places), *self.beyond]

    @property
    def towns(self) -> Sequence[TownLabel]:
        """The largest towns that have room for their names beside the dots and each other."""
        return [*islice(_with_room(self.view, self.dots), _TOWNS)]


@cache
def _towns() -> Sequence[tuple[str, float, float]]:
    """The large towns, the largest first: name, latitude and longitude (see ``scripts/outline.py``)."""
    return msgspec.json.decode((FOLDER / "towns.json").read_bytes(), type=list[tuple[str, float, float]])


def _with_room(view: View, dots: Iterable[Dot]) -> Iterator[TownLabel]:
    boxes = [(dot.x - _APART / 2, dot.x + _APART / 2, dot.y - _APART / 2, dot.y + _APART / 2) for dot in dots]
    for name, latitude, longitude in _towns():
        x, y = view.place(Spot(name, "city", latitude, longitude))
        half = _LETTER * len(name) / 2
        box = (x - half, x + half, y - _LINE, y + 2)
        inside = box[0] >= 0 and box[1] <= WIDTH and box[2] >= 0 and box[3] <= HEIGHT
        if inside and not any(
            box[0] < right and left < box[1] and box[2] < below and above < box[3]
            for left, right, above, below in boxes
        ):
            boxes.append(box)
            yield TownLabel(name, x, y)


def map_of(
    collection: Collection, record: Record, near: Mapping[str, PageNeighbour], most: int = MOST
) -> Map | None:
    """The map of an item and its neighbours, of ``most`` places; None where no place of any is known."""
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
    shown, beyond = _together(named[:most])
    view = View.of([one.spot for one in shown])
    return Map(view, _dots(view, shown), beyond, max(len(named) - most, 0))


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
