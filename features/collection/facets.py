"""Facets: what the items of a collection can be filtered by, as columns of its generation.

A filter looks up its name among the sorted names of a facet, without regard to case and blanks, and takes the
posting list of that name.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, Protocol

import numpy as np

from features.arrays import Array, Bools, Ints, NewArrays, Rows
from features.collection.blobs import Blobs, BlobsBuilder, Ids
from features.collection.decades import CountsDecades, Decades
from features.profiles.partial import NamedYearsAndPlaces, described, named
from features.text.names.listed import maker_key
from features.text.places.facet_names import is_place, place_name
from ingest.record import INDEXED

NAMED: Final = ("provider", "object", "maker", *INDEXED.values())
"""Facets of names: who provides an item, its kind of object, who made it, and what its museum indexes."""


class NameCount(NamedTuple):
    """A name of a facet as it is first written, and how many items have it."""

    spelled: str
    items: int


class FacetIndex(Protocol):
    """What some items can be filtered by; masks are bool[rows]."""

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """Which items have any of the names of a facet, one of ``NAMED``."""
        ...

    def image(self) -> Bools:
        """Which items have a picture."""
        ...

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """The names that most items (of ``among``) have, ties by the name, and how many names there are."""
        ...

    @property
    def years(self) -> Ints:
        """Row, first and last year of every stretch of years, int32[stretches, 3], by row."""
        ...

    @cached_property
    def decades(self) -> CountsDecades:
        """In which decades the rows have years."""
        return Decades.of(self.years)

    def meeting(self, first: int | None, last: int | None) -> Bools:
        """Which items have years that meet these, negative before Christ."""
        rows, begin, end = self.years.T
        met = np.ones(len(rows), dtype=bool)
        if first is not None:
            met &= end >= first
        if last is not None:
            met &= begin <= last
        mask = np.zeros(len(self.image()), dtype=bool)
        mask[rows[met]] = True
        return mask

    def met(self, first: int | None, last: int | None) -> int:
        """How many items have years that meet these."""
        return int(np.count_nonzero(self.meeting(first, last)))

    def number(self, facet: str, name: str) -> int:
        """How many items have a name."""
        return int(np.count_nonzero(self.having(facet, [name])))


def facet_names(record: bytes, mentions: NamedYearsAndPlaces) -> dict[str, list[str]]:
    """The names of an item under each of ``NAMED``: of places those that its texts mention too.

    What the museum indexes as a place is one; what a text seems to name has to be known as one, or to say so.
    """
    fields = described(record)
    indexed = {facet: fields.indexed(part) for part, facet in INDEXED.items()}
    indexed["place"] += filter(is_place, mentions.locations)
    indexed["place"] = [place_name(name) for name in indexed["place"]]
    beside = {"provider": [fields.provider or ""], "object": [fields.type or ""], "maker": mentions.makers}
    return beside | indexed


def key_of(facet: str, name: str) -> str:
    """What the spellings of a name in a facet have in common.

    >>> key_of("place", "Nihon"), key_of("provider", " The  Tate "), key_of("maker", "Turner, J. M. W.")
    ('japan', 'the tate', 'j m w turner')
    """
    if facet == "maker":
        return maker_key(name)
    return folded(place_name(name) if facet == "place" else name)


class FacetsBuilder:
    """Collects the facets of items in row order."""

    def __init__(self) -> None:
        self._names = {facet: _NamesBuilder(facet) for facet in NAMED}
        self._years = array("i")
        self._image = array("b")

    def add(self, record: bytes, profile: bytes) -> None:
        """Take in the next item: its encoded record and profile."""
        row, fields, mentions = len(self._image), described(record), named(profile)
        for facet, names in facet_names(record, mentions).items():
            self._names[facet].add(row, names)
        for period in mentions.years:
            self._years.extend((row, period.first, period.last))
        self._image.append(bool((fields.image or "").strip()))

    def arrays(self) -> NewArrays:
        """What :class:`StoredFacets` reads."""
        arrays: NewArrays = {
            "facets-image.npy": np.array(self._image, dtype=np.bool_),
            "facets-years.npy": np.array(self._years, dtype=np.int32).reshape(-1, 3),
        }
        for facet, names in self._names.items():
            arrays |= names.arrays(f"facets-{facet}")
        return arrays


class _NamesBuilder:
    """Collects which rows have which names: as each is first written, and its rows."""

    def __init__(self, facet: str) -> None:
        self._facet = facet
        self._names: dict[str, tuple[str, array[int]]] = {}

    def add(self, row: int, names: Sequence[str]) -> None:
        """Take in the names of a row; a blank one is none."""
        for name in names:
            if key := key_of(self._facet, name):
                _, rows = self._names.setdefault(key, (" ".join(name.split()), array("i")))
                if not rows or rows[-1] != row:
                    rows.append(row)

    def arrays(self, name: str) -> NewArrays:
        """Names in the order of their UTF-8, with their posting lists: the rows that have them."""
        keys, spelled, every, ends = BlobsBuilder(), BlobsBuilder(), array("i"), array("q")
        for key in sorted(self._names, key=str.encode):
            written, rows = self._names[key]
            keys.add(key.encode())
            spelled.add(written.encode())
            every.extend(rows)
            ends.append(len(every))
        return {
            **keys.arrays(name),
            **spelled.arrays(f"{name}-spelled"),
            f"{name}-rows.npy": np.array(every, dtype=np.int32),
            f"{name}-rows-ends.npy": np.array(ends, dtype=np.int64),
        }


class StoredFacets(FacetIndex):
    """The facets of a collection as they were built, read where they lie.

    >>> from features.profiles.profile import Profile
    >>> from features.profiles.profile import encode as encode_profile
    >>> from ingest.record import Record, encode
    >>> builder, nothing = FacetsBuilder(), encode_profile(Profile(()))
    >>> for provider in ("Tate", "Museum of Bath", " TATE "):
    ...     builder.add(encode(Record(id=provider, provider=provider)), nothing)
    >>> facets = StoredFacets(builder.arrays())
    >>> facets.having("provider", ["tate", "nobody"]).tolist()
    [True, False, True]
    >>> facets.commonest("provider", 1)
    ([NameCount(spelled='Tate', items=2)], 2)
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._image = np.asarray(arrays["facets-image.npy"], np.bool_)
        self._years = np.asarray(arrays["facets-years.npy"], np.int32)
        # a collection of an earlier release has fewer facets; no item has a name of another
        self._names = {
            facet: _Names(arrays, f"facets-{facet}")
            for facet in NAMED
            if f"facets-{facet}-rows.npy" in arrays
        }

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """See :class:`FacetIndex`."""
        mask = np.zeros(len(self._image), dtype=bool)
        for name in names:
            mask[self.rows(facet, name)] = True
        return mask

    def rows(self, facet: str, name: str) -> Ints:
        """The rows that have a name, ascending."""
        names = self._names.get(facet)
        return np.empty(0, np.int32) if names is None else names.rows(key_of(facet, name))

    def image(self) -> Bools:
        """See :class:`FacetIndex`."""
        return self._image

    def number(self, facet: str, name: str) -> int:
        """See :class:`FacetIndex`."""
        return len(self.rows(facet, name))

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """See :class:`FacetIndex`."""
        return self._names[facet].commonest(most, among) if facet in self._names else ([], 0)

    @property
    def years(self) -> Ints:
        """See :class:`FacetIndex`."""
        return self._years


class _Names:
    """The names of one facet, sorted, with the rows that have each."""

    def __init__(self, arrays: Mapping[str, Array], name: str) -> None:
        self._keys, self._spelled = Ids(Blobs(arrays, name)), Blobs(arrays, f"{name}-spelled")
        self._rows = np.asarray(arrays[f"{name}-rows.npy"], np.int32)
        self._ends = np.asarray(arrays[f"{name}-rows-ends.npy"], np.int64)

    def rows(self, key: str) -> Ints:
        """The rows that have a name of that key, ascending."""
        code = self._keys.find(key)
        if code is None:
            return self._rows[:0]
        return self._rows[int(self._ends[code - 1]) if code else 0 : int(self._ends[code])]

    def commonest(self, most: int, among: Bools | None) -> tuple[list[NameCount], int]:
        ends = self._ends
        if among is not None:  # rows stand by name: of each name the rows up to its end are counted
            ends = np.concatenate([[0], np.cumsum(among[self._rows])])[ends]
        counts = np.diff(ends, prepend=0)
        there = np.flatnonzero(counts)
        best = there
        if len(there) > most >= 1:  # most names are of few items: not all of them are sorted
            best = there[counts[there] >= np.partition(counts[there], -most)[-most]]
        best = best[np.argsort(-counts[best], kind="stable")[:most]]
        names = [NameCount(self._spelled[code].decode(), int(counts[code])) for code in best.tolist()]
        return names, len(there)


class DeltaFacets(FacetIndex):
    """The facets of a collection with changes on top: those of the rows that stayed, and of what was put.

    ``places`` are as of ``Delta``; ``put`` gives what was put, each as its encoded record and profile, and is
    called when a filter is first asked for.
    """

    def __init__(
        self, base: FacetIndex, put: Callable[[], Iterable[tuple[bytes, bytes]]], places: Rows
    ) -> None:
        if not isinstance(base, StoredFacets):
            raise TypeError("changes lie on a collection as it was built, not on other changes")
        self._base, self._put = base, put
        self._stored = places >= 0
        self._rows = places[self._stored]

    @cached_property
    def _own(self) -> StoredFacets:
        builder = FacetsBuilder()
        for record, profile in self._put():
            builder.add(record, profile)
        return StoredFacets(builder.arrays())

    def _joined(self, base: Bools, own: Bools) -> Bools:
        mask = np.empty(len(self._stored), dtype=bool)
        mask[self._stored], mask[~self._stored] = base[self._rows], own
        return mask

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """See :class:`FacetIndex`."""
        return self._joined(self._base.having(facet, names), self._own.having(facet, names))

    def meeting(self, first: int | None, last: int | None) -> Bools:
        """See :class:`FacetIndex`."""
        return self._joined(self._base.meeting(first, last), self._own.meeting(first, last))

    def image(self) -> Bools:
        """See :class:`FacetIndex`."""
        return self._joined(self._base.image(), self._own.image())

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """See :class:`FacetIndex`."""
        counted = np.ones(len(self._stored), dtype=bool) if among is None else among
        stayed: Bools = np.zeros(len(self._base.image()), dtype=bool)
        stayed[self._rows] = counted[self._stored]
        every, _ = self._own.commonest(facet, sys.maxsize, counted[~self._stored])
        own = {key_of(facet, name.spelled): name for name in every}
        # what is among the commonest of all is among those of the base, or was put
        best, kinds = self._base.commonest(facet, most + len(own), stayed)
        names = {key_of(facet, name.spelled): name for name in best}
        for key, name in own.items():
            before = int(np.count_nonzero(stayed[self._base.rows(facet, key)]))
            kinds += not before
            names[key] = NameCount(names.get(key, name).spelled, before + name.items)
        order = sorted(names, key=lambda key: (-names[key].items, key.encode()))
        return [names[key] for key in order[:most]], kinds

    @cached_property
    def years(self) -> Ints:
        """See :class:`FacetIndex`."""
        now = np.full(len(self._base.image()), -1, dtype=np.int32)
        now[self._rows] = np.flatnonzero(self._stored)
        before, own = self._base.years.copy(), self._own.years.copy()
        before[:, 0] = now[before[:, 0]]
        own[:, 0] = np.flatnonzero(~self._stored)[own[:, 0]]
        years = np.concatenate([before[before[:, 0] >= 0], own])
        ordered: Ints = years[np.argsort(years[:, 0], kind="stable")]
        return ordered


def folded(name: str) -> str:
    """What equal names have in common.

    >>> folded(" National  Gallery ")
    'national gallery'
    """
    return " ".join(name.split()).casefold()
