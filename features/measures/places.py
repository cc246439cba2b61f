"""Nearness of places: by the narrowest place that both sides lie in.

Readers judge places by steps: the measure is 1 where both name one street or site, .8 for one city, .6 for
one region or country, .4 for one part of a continent (Scandinavia, East Asia), .2 for one continent and 0 for
none. Of several places the nearest pair counts; the *average* counts each by the nearest of the other side.
What both sides give one address (GeoNames, TGN) counts as one city, whatever it is called.

What an item *shows* is what title, subjects, description and its place index call by name. Where it was
*made* follows from an adjective of a people, a culture, a dynasty or a period (Etruscan, Edo, 18th dynasty),
from what stands with the makers' names, and from the nation of a maker whom everybody knows. By *either* a view of Venice is near a Venetian comb. Places of
the record never count: those in boilerplate (credit lines, provenance, the address on a copyright form), of
the archive, and the town that stands after the holder's name. An item that names no other has the place
of its archive, where the archive has one (:mod:`.archive_places`), or none.

An item that names nothing narrower than a country has .6 with itself, as with any other of that country.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from operator import attrgetter
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Doubles, Ints, Longs, NewArrays
from features.knowledge.resources import ResourceName, Resources
from features.knowledge.wordnet.places import Place, Width, WordNetPlaces, places
from features.measures.archive_places import ArchivePlaces, Line, Step, restored, stored, with_archive
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.postings import Postings, inverted
from features.measures.searchable import SearchStep, Steps
from features.measures.tables import ListSpillBuffer, Table, end_to_end, numbered, reduced
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.creators import written as written_text
from features.profiles.profile import EVERYWHERE, PLACES, AnalysedValue, Occurrence, Profile
from features.text.annotation import Word
from features.text.places.coordinates import Spot, spot
from features.text.places.gazetteer import gazetteer

NEARNESS: Final[dict[Width, float]] = {
    "site": 1.0, "city": 0.8, "region": 0.6, "country": 0.6, "part": 0.4, "continent": 0.2,
}  # fmt: skip
"""What it counts that both sides lie in a place of some width."""

_PARTS: Final = frozenset({*EVERYWHERE, PLACES} - {"source"})
_STOPS: Final = frozenset({".", ";"})
_OF_MAKING: Final = frozenset({"creator", "date"})

ARCHIVES: Final = "archives"
"""The array of the places of archives."""


class PlacesSettings(MeasureSettings):
    """Nearness of places."""

    VERSION: ClassVar[int] = 6
    EXAMPLES = ({}, {"compare": "average"})
    needs: ClassVar[tuple[ResourceName, ...]] = ("wordnet",)  # for where cities lie
    collects: ClassVar[str] = "places"  # of all texts, whichever of them count
    theme: ClassVar[Theme] = "places"
    cost: ClassVar[float] = 300.0

    measure: Literal["places"] = Field(description="the narrowest place that both lie in")
    which: Literal["shown", "made", "either"] = Field(
        "either",
        description="`shown`: places that title, subjects, description (without boilerplate) and place"
        " index name; `made`: those that makers, dates and adjectives of cultures and periods tell of;"
        " `either`: both. Places in the boilerplate, in the source and after the holder's name never count",
    )
    compare: Literal["nearest", "average"] = Field(
        "nearest",
        description="`nearest`: of several places the nearest pair counts; `average`: every place of both"
        " sides counts, each by the nearest of the other side",
    )

    def builder(self, resources: Resources) -> "PlacesBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return PlacesBuilder(PlacesReader(self, places(resources.wordnet)))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "PlacesColumn":
        """The column over stored arrays."""
        archives = restored(arrays.get(ARCHIVES))
        return PlacesColumn(PlacesReader(self, places(resources.wordnet), archives), arrays, self.compare)


_PlaceOccurrences: TypeAlias = dict[Line, list[Occurrence]]


class _ItemPlaces(NamedTuple):
    """The places that an item names, where each stands."""

    shown: list[tuple[Occurrence, Place]]
    made: list[tuple[Occurrence, Place]]


class PlacesReader:
    """Reads the places of items."""

    def __init__(
        self, settings: PlacesSettings, known: WordNetPlaces, archives: Mapping[str, Line] | None = None
    ) -> None:
        """``archives`` has the place of each source that has one."""
        self._settings, self._known, self._archives = settings, known, archives or {}

    @property
    def of_making(self) -> bool:
        """Whether only places of making count: there an archive has no say."""
        return self._settings.which == "made"

    def of_items(self, block: Block) -> list[_PlaceOccurrences]:
        """``of_item`` of every item of a block."""
        return [self.of_item(block, item) for item in range(len(block))]

    def of_item(self, block: Block, item: int) -> _PlaceOccurrences:
        """The distinct places of an item with where they stand, without those that others lie in."""
        places, which = self._places(block, item), self._settings.which
        if which == "made":
            return _narrowest(places.made, self._line)
        named = _narrowest(places.shown if which == "shown" else places.shown + places.made, self._line)
        source = _source(block.profiles[item])
        archive = self._archives.get(source)
        where = [Occurrence(archive[0].term, "source", 0, 0, len(source))] if archive else []
        lines = with_archive(list(named), archive)
        return {line: [one for own in owns for one in named[own]] or where for line, owns in lines.items()}

    def shown(self, block: Block, item: int) -> list[Line]:
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
        if not any(where.part == "creator" for where, _ in places.made):
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

    def _line(self, terms: tuple[str, ...]) -> Line:
        names = [term for term in terms if "://" not in term]
        steps = [Step(term, NEARNESS[self._known.width(term)]) for term in names]
        # what has one address is one place, however it is written; wide places are known by their names
        if steps[0].nearness >= NEARNESS["city"]:
            steps += [Step(term, NEARNESS["city"]) for term in terms[len(names) :]]
        # to be Islamic, or Viking, is more in common than to lie in one part of the world
        if steps[0].nearness == NEARNESS["part"]:
            steps.append(Step(f"{terms[0]} itself", NEARNESS["region"]))
        return tuple(steps)


def _source(profile: Profile) -> str:
    """The source of an item, as it is written."""
    return "; ".join(written_text(value.words) for value in profile.values if value.part == "source")


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
    places: Sequence[tuple[Occurrence, Place]], line_of: Callable[[tuple[str, ...]], Line]
) -> _PlaceOccurrences:
    occurrences: _PlaceOccurrences = {}
    for where, place in places:
        occurrences.setdefault(line_of(place.terms), []).append(where)
    wider = {step.term for line in occurrences for step in line[1:]}
    return {line: where for line, where in occurrences.items() if line[0].term not in wider}


@dataclass(frozen=True, slots=True, eq=False)
class ItemPlaces(Table):
    """The places of every item, as numbers of the distinct places of the table.

    Distinct place p lies in ``terms[term_starts[p]:term_starts[p + 1]]``, itself the first, and to share
    one of them counts as much as the ``nearness`` beside it.
    """

    LISTS = ("places",)
    SHARED = ("term_starts", "terms", "nearness")

    starts: Longs
    places: Ints
    term_starts: Longs
    terms: Ints
    nearness: Doubles


def _table(
    places: tuple[Longs, Ints], lines: Iterable[Line], numbers: Callable[[list[str]], Sequence[int]]
) -> ItemPlaces:
    """The table of items' places; ``numbers`` gives the numbers of some terms."""
    terms = end_to_end([numbers([step.term for step in line]) for line in lines])
    nearness = np.array([step.nearness for line in lines for step in line], np.float64)
    return ItemPlaces(*places, *terms, nearness)


class PlacesBuilder:
    """Collects the distinct places of a collection and those of every item."""

    def __init__(self, reader: PlacesReader) -> None:
        self._reader = reader
        self._lines: dict[Line, int] = {}
        self._places = ListSpillBuffer()
        self._archives = ArchivePlaces()
        self._numbers: dict[str, int] = {}
        self._sources = array("i")

    def take(self, block: Block) -> None:
        """Take the places of the next items."""
        self._places.add(numbered(self._reader.of_items(block), self._lines))
        for item, profile in enumerate(block.profiles):
            source = _source(profile)
            self._sources.append(self._numbers.setdefault(source, len(self._numbers)))
            self._archives.take(source, self._reader.shown(block, item))

    def arrays(self) -> NewArrays:
        """The places of every item, the vocabulary of all that they lie in, and the places of archives."""
        archives = self._archives.places()
        places = self._whole(archives)
        terms = sorted({step.term for line in self._lines for step in line})
        number = {term: at for at, term in enumerate(terms)}
        table = _table(places, self._lines, lambda line: [number[term] for term in line])
        return {**table.arrays(), **written(terms), ARCHIVES: stored(archives)}

    def _whole(self, archives: Mapping[str, Line]) -> tuple[Longs, Ints]:
        """The places of every item, those of archives counted in."""
        starts, places = self._places.whole()
        if not archives or self._reader.of_making:
            return starts, places
        of_source = [archives.get(source) for source in self._numbers]
        lines, numbers = list(self._lines), places.tolist()
        every = list[list[int]]()
        for source, (first, beyond) in zip(self._sources, pairwise(starts.tolist()), strict=True):
            own, archive = numbers[first:beyond], of_source[source]
            if archive is not None:
                named = with_archive([lines[place] for place in own], archive)
                own = [self._lines.setdefault(line, len(self._lines)) for line in named]
            every.append(own)
        return end_to_end(every)


class PlacesColumn(Column[ItemPlaces]):
    """Nearness of an item's places to those of others."""

    def __init__(
        self, reader: PlacesReader, arrays: Arrays, compare: Literal["nearest", "average"] = "nearest"
    ) -> None:
        super().__init__(ItemPlaces.of(arrays))
        self._reader, self._compare = reader, compare
        self._vocabulary = Vocabulary(arrays)

    def read(self, block: Block) -> ItemPlaces:
        """The places of the items of a block."""
        lines: dict[Line, int] = {}
        places = end_to_end(numbered(self._reader.of_items(block), lines))
        return _table(places, lines, partial(self._vocabulary.numbers_of, lexicon=block.lexicon))

    def spots(self, block: Block | None, row: int) -> list[Spot]:
        """Where the places of an item lie, of those of which that is sure: an item of a block, or without
        one a row of the collection.
        """
        lines = self._stored(row) if block is None else list(self._reader.of_item(block, row))
        # a city that has no spot is left out: its name may be another's, in another country
        spots = (
            spot([step.term for step in line], in_its_place=line[0].nearness != NEARNESS["city"])
            for line in lines
        )
        return list(dict.fromkeys(each for each in spots if each is not None))

    def _stored(self, row: int) -> list[Line]:
        """The places of an item of the collection."""
        table, words = self.table.row(row), self._vocabulary
        bounds = [table.term_starts[place : place + 2].tolist() for place in table.places.tolist()]
        return [
            tuple(Step(words[table.terms[at]], float(table.nearness[at])) for at in range(begin, end))
            for begin, end in bounds
        ]

    def similarities(self, query: ItemPlaces, table: ItemPlaces) -> Doubles:
        """The nearness of the nearest two places."""
        # few places are distinct: those are compared, then each item's own ones looked up
        nearness = self._nearness(query, table)
        nearest = nearness.max(axis=0, initial=0.0)[table.places]
        if self._compare == "nearest" or not len(nearness):
            return reduced(np.maximum, table.starts, nearest)
        of_query = np.mean([reduced(np.maximum, table.starts, one[table.places]) for one in nearness], axis=0)
        of_table = reduced(np.add, table.starts, nearest) / np.maximum(np.diff(table.starts), 1)
        both: Doubles = (of_query + of_table) / 2
        return both

    def searchable(self) -> Steps[ItemPlaces]:
        """All that the places lie in, and steps of items that share something as narrow."""
        return Steps("places", _keys, _steps)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The nearest two places."""
        table = self.of(block)
        nearness = self._nearness(table.row(left), table)[:, table.row(right).places]
        if not nearness.size or nearness.max() == 0:
            return ()
        nearest = np.unravel_index(nearness.argmax(), nearness.shape)
        left_places, right_places = (
            tuple(list(self._reader.of_item(block, item).values())[place])
            for item, place in zip((left, right), nearest, strict=True)
        )
        return (EvidencePair(left_places, right_places, 1.0),)

    def _nearness(self, query: ItemPlaces, table: ItemPlaces) -> Doubles:
        """Of the places of one item to the distinct places of a table, float64[query, table]."""
        postings = self._postings if table.terms is self.table.terms else _postings(table)
        nearness = np.zeros((len(query.places), len(table.term_starts) - 1))
        for n, place in enumerate(query.places.tolist()):
            line = slice(query.term_starts[place], query.term_starts[place + 1])
            # the widest first, so that the narrowest that is shared is what stands in the end
            for at in np.argsort(query.nearness[line], kind="stable").tolist():
                nearness[n, postings.having(query.terms[line][at])] = query.nearness[line][at]
        return nearness

    @cached_property
    def _postings(self) -> Postings:
        return _postings(self.table)


def _keys(table: ItemPlaces) -> Iterator[dict[str, list[str]]]:
    """What the places of every row lie in, themselves included."""
    for row in range(len(table)):
        terms = set[int]()
        for place in table.places[table.starts[row] : table.starts[row + 1]].tolist():
            terms.update(table.terms[table.term_starts[place] : table.term_starts[place + 1]].tolist())
        yield {"": [str(term) for term in sorted(terms)]}


def _steps(row: ItemPlaces) -> list[SearchStep]:
    """Items that share something as narrow, for each nearness."""
    by = dict[float, set[int]]()
    for place in row.places.tolist():
        line = slice(row.term_starts[place], row.term_starts[place + 1])
        for term, near in zip(row.terms[line].tolist(), row.nearness[line].tolist(), strict=True):
            by.setdefault(near, set()).add(term)
    terms = {near: sorted(set().union(*(by[level] for level in by if level >= near))) for near in sorted(by)}
    return [SearchStep(near, tuple((str(term),) for term in own)) for near, own in terms.items()]


def _postings(table: ItemPlaces) -> Postings:
    """The distinct places that lie in each."""
    return inverted(table.term_starts, table.terms, np.ones(len(table.terms), np.uint8))
