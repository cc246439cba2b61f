"""A gazetteer: places by all their names, what they lie in, and the places that adjectives imply.

``gazetteer.tsv`` holds the continents and their parts, all countries, and regions and cities of art: a place,
its kind, what it lies in, and its names in its own language and in history (Nihon, Persia).
``adjectives.tsv`` holds the adjectives of peoples, cultures, dynasties and periods (Etruscan, Edo) with the
place that they imply in any text; one that many countries had (Gothic) implies none.
``adjectives_abroad.tsv`` holds, of a place, the adjectives of nations in other languages than English, and
``abbreviations.tsv`` the short forms of states and counties, which count only behind another name. All are
common knowledge, written for this project. Names are compared without accents, marks and case.
"""

import re
from functools import cache
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias, cast

from features.text.caches import text_cache
from features.text.names.cultures import steps_up
from features.text.names.parts import fold

PlaceKind: TypeAlias = Literal["continent", "part", "country", "region", "city"]
"""How wide a place is; ``part`` is a part of a continent, of several countries."""


class PlaceEntry(NamedTuple):
    """A place of the gazetteer: its kind, and the places that it lies in, nearest first."""

    kind: PlaceKind
    within: tuple[str, ...]


class Gazetteer:
    """Places, each by its English name in small letters.

    >>> known = gazetteer()
    >>> known.named("Nihon"), known.named("Al-Miṣrī"), known.implied("Safavid"), known.implied("Gothic")
    ('japan', 'egypt', 'iran', None)
    >>> known["venice"]
    PlaceEntry(kind='city', within=('veneto',))
    """

    def __init__(self) -> None:
        self._places: dict[str, PlaceEntry] = {}
        self.written: Final[dict[str, str]] = {}
        """Every name as it is written, in small letters, with its place."""
        names: dict[str, str] = {}
        for place, kind, within, others in _rows("gazetteer.tsv")[1:]:
            lies_in = tuple(within.split("; ")) if within else ()
            self._places[place] = PlaceEntry(cast("PlaceKind", kind), lies_in)
            for name in filter(None, (place, *others.split("; "))):
                names.setdefault(name_key(name), place)
                self.written.setdefault(name, place)
        self._names = {name: place for name, place in names.items() if name}
        self._adjectives = {name_key(row[0]): row[1] for row in _rows("adjectives.tsv")}
        self._abroad = _by_form("adjectives_abroad.tsv", ", ")
        self._short = _by_form("abbreviations.tsv", "; ")

    def __contains__(self, place: str) -> bool:
        return place in self._places

    def __getitem__(self, place: str) -> PlaceEntry:
        return self._places[place]

    def named(self, name: str) -> str | None:
        """The place of a name in any language, if it is known."""
        return self._names.get(name_key(name))

    def implied(self, adjective: str) -> str | None:
        """The name of the place that an adjective implies: it may be one that only WordNet knows."""
        return self._adjectives.get(name_key(adjective))

    def implied_abroad(self, adjective: str) -> str | None:
        """The place that an adjective of another language than English implies.

        >>> gazetteer().implied_abroad("vénitienne"), gazetteer().implied_abroad("Nederlandse")
        ('venice', 'netherlands')
        """
        return self._abroad.get(name_key(adjective))

    def unabbreviated(self, name: str) -> str:
        """A name, or the state or county of which it is the short form.

        >>> [gazetteer().unabbreviated(name) for name in ("N.Y.", "Conn", "Rome")]
        ['new york', 'connecticut', 'Rome']
        """
        return self._short.get(name_key(name), name)

    def line(self, place: str) -> tuple[str, ...]:
        """A place and all that it lies in, nearest first.

        >>> gazetteer().line("venice")
        ('venice', 'veneto', 'italy', 'europe')
        """
        return tuple(steps_up(place, lambda up: self._places[up].within))


@cache
def gazetteer() -> Gazetteer:
    """The gazetteer that is shipped, read once."""
    return Gazetteer()


def _by_form(name: str, between: str) -> dict[str, str]:
    """The place of every form of a table of places with their forms."""
    return {name_key(form): place for place, forms in _rows(name) for form in forms.split(between)}


def _rows(name: str) -> list[list[str]]:
    text = files("features.text.places").joinpath(name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()]


@text_cache(1 << 16)
def name_key(name: str) -> str:
    """A name as names are compared: without accents, marks and case."""
    return re.sub(r"[\W_]+", " ", fold(name)).strip()
