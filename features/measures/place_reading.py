"""Reads the places of items: those that they show, and those where they were made.

What an item *shows* is what title, subjects, description and its place index call by name. Where it was
*made* follows from an adjective of a people, a culture, a dynasty or a period (Etruscan, Edo, 18th dynasty),
from what stands with the makers' names, and from the nation of a known maker, but a photograph was made where
it shows. Places of the record never count: those in boilerplate (credit lines, provenance, the address on a
copyright form), of the archive, and the town that stands after the holder's name. An item that names no other
place has that of its archive, where the archive has one (:mod:`.archive_places`), or none.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, Literal, NamedTuple, TypeAlias

from features.knowledge.wordnet.places import Place, Width, WordNetPlaces
from features.measures.archive_places import TAG, PlacePath, Step, with_archive
from features.profiles.blocks import Block
from features.profiles.creators import written
from features.profiles.profile import EVERYWHERE, PLACES, AnalysedValue, Occurrence, Profile
from features.text.annotation import Word
from features.text.places.gazetteer import gazetteer

Which: TypeAlias = Literal["shown", "made", "either"]
"""Which places of an item count."""

NEARNESS: Final[dict[Width, float]] = {
    "site": 1.0, "city": 0.8, "region": 0.6, "country": 0.6, "part": 0.4, "continent": 0.2,
}  # fmt: skip
"""What it counts that both sides lie in a place of some width."""

_PARTS: Final = frozenset({*EVERYWHERE, PLACES} - {"source"})
_STOPS: Final = frozenset({".", ";"})
_OF_MAKING: Final = frozenset({"creator", "date"})

_PHOTOGRAPH: Final = re.compile(
    r"(?i)(?:photo(?:graph|s?\Z)|fotos?\Z|fotograf|skioptikon|daguerr|negati[fv]e?s?\Z)"
)


PlaceOccurrences: TypeAlias = dict[PlacePath, list[Occurrence]]
"""Places with where they stand."""


class _ItemPlaces(NamedTuple):
    """The places that an item names, where each stands."""

    shown: list[tuple[Occurrence, Place]]
    made: list[tuple[Occurrence, Place]]


class PlacesReader:
    """Reads the places of items."""

    def __init__(
        self, which: Which, known: WordNetPlaces, archives: Mapping[str, PlacePath] | None = None
    ) -> None:
        """``archives`` has the place of each source that has one."""
        self._which, self._known, self.archives = which, known, archives or {}

    @property
    def of_making(self) -> bool:
        """Whether only places of making count: there an archive has no say."""
        return self._which == "made"

    def of_items(self, block: Block) -> list[PlaceOccurrences]:
        """``of_item`` of every item of a block."""
        return [self.of_item(block, item) for item in range(len(block))]

    def of_item(self, block: Block, item: int) -> PlaceOccurrences:
        """The distinct places of an item with where they stand, without those that others lie in."""
        places, which = self._places(block, item), self._which
        if which == "made":
            return _narrowest(places.made, self._line)
        named = _narrowest(places.shown if which == "shown" else places.shown + places.made, self._line)
        source = source_of(block.profiles[item])
        archive = self.archives.get(source)
        where = [Occurrence(archive[0].term, "source", 0, 0, len(source), TAG)] if archive else []
        lines = with_archive(list(named), archive)
        return {line: [one for own in owns for one in named[own]] or where for line, owns in lines.items()}

    def shown(self, block: Block, item: int) -> list[PlacePath]:
        """The places that an item shows by name, without that of its archive."""
        return list(_narrowest(self._places(block, item).shown, self._line))

    def _places(self, block: Block, item: int) -> _ItemPlaces:
        return block.once((self._known, item), lambda: self._read(block.profiles[item]))

    def _read(self, profile: Profile) -> _ItemPlaces:
        places = _ItemPlaces([], [])
        holders = [_forms(value.words) for value in profile.values if value.part == "source"]
        sources = [value for value in profile.values if value.part == "source"]
        of_item = [value for value in profile.values if value.part in _PARTS]
        for value, place in self._known.places_in(of_item, sources):
            if value.is_boilerplate(place.start) or _is_of_holder(value, place, holders):
                continue
            where = Occurrence(place.terms[0], value.part, value.index, place.start, place.end)
            if value.part == PLACES and value.address:
                place = place._replace(terms=(*place.terms, value.address))
            if place.implied or value.part in _OF_MAKING:
                places.made.append((where, place))
            else:
                places.shown.append((where, place))
        # a photograph is made where it shows
        if not (places.shown and _is_photograph(profile)) and not any(
            where.part == "creator" for where, _ in places.made
        ):
            places.made.extend(self._of_makers(profile))
        return places

    def _of_makers(self, profile: Profile) -> Iterator[tuple[Occurrence, Place]]:
        """The countries of makers whose nation is known without the record's saying so."""
        for value in (one for one in profile.values if one.part == "creator"):
            for name in (one for one in value.names if one.made):
                for nation in name.cultures:
                    place = gazetteer().implied(nation.key) if nation.start == name.start else None
                    if place is not None:
                        where = Occurrence(place, value.part, value.index, name.start, name.end)
                        yield where, Place(name.start, name.end, self._known.line(place), implied=True)

    def _line(self, terms: tuple[str, ...]) -> PlacePath:
        names = [term for term in terms if "://" not in term]
        steps = [Step(term, NEARNESS[self._known.width(term)]) for term in names]
        # what has one address is one place, however it is written; wide places are known by their names
        if steps[0].nearness >= NEARNESS["city"]:
            steps += [Step(term, NEARNESS["city"]) for term in terms[len(names) :]]
        # to be Islamic, or Viking, is more in common than to lie in one part of the world
        if steps[0].nearness == NEARNESS["part"]:
            steps.append(Step(f"{terms[0]} itself", NEARNESS["region"]))
        return tuple(steps)


def _is_photograph(profile: Profile) -> bool:
    """Whether an item is called a photograph."""
    words = (word.form for value in profile.values if value.part in _PARTS for word in value.words)
    return any(_PHOTOGRAPH.match(form) for form in words)


def source_of(profile: Profile) -> str:
    """The source of an item, as it is written."""
    return "; ".join(written(value.words) for value in profile.values if value.part == "source")


def _forms(words: Sequence[Word]) -> list[str]:
    return [word.form for word in words]


def _is_of_holder(value: AnalysedValue, place: Place, holders: Sequence[Sequence[str]]) -> bool:
    """Whether a place stands in a description where one of the holders is named with its town."""
    if value.part != "description":
        return False
    end = bisect_left(value.words, place.start, key=attrgetter("start"))
    first = next((at for at in range(end, 0, -1) if value.words[at - 1].form in _STOPS), 0)
    clause = _forms(value.words[first : min(end, first + max(map(len, holders), default=0))])
    # one word alone may be a town, or a word like others
    return any(len(holder) > 1 and clause[: len(holder)] == holder for holder in holders)


def _narrowest(
    places: Sequence[tuple[Occurrence, Place]], line_of: Callable[[tuple[str, ...]], PlacePath]
) -> PlaceOccurrences:
    occurrences: PlaceOccurrences = {}
    for where, place in places:
        occurrences.setdefault(line_of(place.terms), []).append(where)
    wider = {step.term for line in occurrences for step in line[1:]}
    return {line: where for line, where in occurrences.items() if line[0].term not in wider}
