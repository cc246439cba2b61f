"""Nearness of places: by the narrowest place that both sides lie in.

Readers judge places by steps: the measure is 1 where both name one street or site, .8 for one city, .6 for
one region or country, .4 for one part of a continent (Scandinavia, East Asia), .2 for one continent and 0 for
none. Of several places the nearest pair counts; the *average* counts each by the nearest of the other side.
What both sides give one address (GeoNames, TGN) counts as one city, whatever it is called.

Which places an item has is read by :mod:`.place_reading`. By *either* a view of Venice is near a Venetian
comb.

An item that names nothing narrower than a country has .6 with itself, as with any other of that country.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise
from typing import ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Doubles, Ints, Longs, NewArrays
from features.knowledge.resources import ResourceName, Resources
from features.knowledge.wordnet.places import places
from features.measures.archive_places import ArchivePlaces, PlacePath, Step, restored, stored, with_archive
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.place_reading import NEARNESS, PlacesReader, Which, source_of
from features.measures.postings import Postings, inverted
from features.measures.searchable import SearchStep, Steps
from features.measures.tables import ListSpillBuffer, Table, end_to_end, largest, numbered, row_sums
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.text.places.coordinates import Spot, spot

ARCHIVES: Final = "archives"
"""The array of the places of archives."""


class PlacesSettings(MeasureSettings):
    """Nearness of places."""

    VERSION: ClassVar[int] = 6
    EXAMPLES = ({}, {"compare": "average"})
    needs: ClassVar[tuple[ResourceName, ...]] = ("wordnet",)  # for where cities lie
    collects: ClassVar[str] = "places"  # of all texts, whichever of them count
    theme: ClassVar[Theme] = "places"
    cost: ClassVar[float] = 170.0  # of each of two that collect the same

    measure: Literal["places"] = Field(description="the narrowest place that both lie in")
    which: Which = Field(
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
        return PlacesBuilder(PlacesReader(self.which, places(resources.wordnet)))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "PlacesColumn":
        """The column over stored arrays."""
        archives = restored(arrays.get(ARCHIVES))
        return PlacesColumn(
            PlacesReader(self.which, places(resources.wordnet), archives), arrays, self.compare
        )


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
    places: tuple[Longs, Ints], lines: Iterable[PlacePath], numbers: Callable[[list[str]], Sequence[int]]
) -> ItemPlaces:
    """The table of items' places; ``numbers`` gives the numbers of some terms."""
    terms = end_to_end([numbers([step.term for step in line]) for line in lines])
    nearness = np.array([step.nearness for line in lines for step in line], np.float64)
    return ItemPlaces(*places, *terms, nearness)


class PlacesBuilder:
    """Collects the distinct places of a collection and those of every item."""

    def __init__(self, reader: PlacesReader) -> None:
        self._reader = reader
        self._lines: dict[PlacePath, int] = {}
        self._places = ListSpillBuffer()
        self._archives = ArchivePlaces()
        self._numbers: dict[str, int] = {}
        self._sources = array("i")

    def take(self, block: Block) -> None:
        """Take the places of the next items."""
        self._places.add(numbered(self._reader.of_items(block), self._lines))
        for item, profile in enumerate(block.profiles):
            source = source_of(profile)
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

    def _whole(self, archives: Mapping[str, PlacePath]) -> tuple[Longs, Ints]:
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
        self.archives = reader.archives

    def read(self, block: Block) -> ItemPlaces:
        """The places of the items of a block."""
        lines: dict[PlacePath, int] = {}
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

    def _stored(self, row: int) -> list[PlacePath]:
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
        nearest = nearness.max(axis=0, initial=0.0)
        if self._compare == "nearest" or not len(nearness):
            return largest(table.starts, table.places, nearest)
        of_query = np.mean([largest(table.starts, table.places, one) for one in nearness], axis=0)
        of_table = row_sums(table.starts, nearest[table.places]) / np.maximum(np.diff(table.starts), 1)
        both: Doubles = (of_query + of_table) / 2
        return both

    def searchable(self) -> Steps[ItemPlaces]:
        """All that the places lie in, and steps of items that share something as narrow."""
        return Steps("places", _keys, _steps)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The nearest two places."""
        table = self.of(block)
        # an item is compared with all its neighbours at once
        near = block.once((self, left), lambda: self._nearness(table.row(left), table))
        nearness = near[:, table.row(right).places]
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
