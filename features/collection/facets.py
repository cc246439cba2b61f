"""Facets: what the items of a collection can be filtered by, as columns of its generation.

They are made when the collection is built, from the records and profiles, and read where they lie: a filter
looks up its name among the sorted names of a facet, and takes the posting list of that name. Nothing is
decoded for it. Names are compared without regard to case and blanks.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, NamedTuple, Protocol

import numpy as np

from features.arrays import Array, Bools, Ints, Longs, NewArrays, Rows
from features.collection.blobs import Blobs, BlobsBuilder, Ids
from features.profiles.partial import described, named
from ingest.record import innermost

NAMED: Final = ("provider", "object", "place")
"""Facets of names: who provides an item, its kind of object, and the places that it names."""


class NameCount(NamedTuple):
    """A name of a facet as it is first written, and how many items have it."""

    spelled: str
    items: int


class Decades(NamedTuple):
    """Stretches of decades: row, first and last one, a decade being its first year divided by ten.

    A row has no decade twice.
    """

    rows: Longs
    first: Longs
    last: Longs

    @classmethod
    def of(cls, years: Ints) -> "Decades":
        """The decades that stretches of years meet, these being by row.

        >>> Decades.of(np.array([[0, 1838, 1842], [0, 1841, 1855], [1, -44, -44]], np.int32))
        Decades(rows=array([0, 0, 1]), first=array([183, 185,  -5]), last=array([184, 185,  -5]))
        """
        rows, first, last = years.T.astype(np.int64)
        first, last = first // 10, last // 10
        order = np.lexsort((first, rows))
        rows, first, last = rows[order], first[order], last[order]
        # each stretch begins behind the last decade of those of its row before it
        span = 2 * int(np.abs(years[:, 1:]).max(initial=0)) + 1
        reached = np.maximum.accumulate(rows * span + last) - rows * span
        same = rows[1:] == rows[:-1]
        first[1:][same] = np.maximum(first[1:], reached[:-1] + 1)[same]
        kept = first <= last
        return cls(rows[kept], first[kept], last[kept])

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """See :class:`CountsDecades`."""
        first, last = self.first, self.last
        if among is not None:
            counted = among[self.rows]
            first, last = first[counted], last[counted]
        if not len(first):
            return 0, np.zeros(0, np.int64)
        begin, width = int(first.min()), int(last.max() - first.min()) + 2
        change = np.bincount(first - begin, minlength=width) - np.bincount(last + 1 - begin, minlength=width)
        return begin, np.cumsum(change)[:-1]


class CountsDecades(Protocol):
    """Counts items by the decades that they have years in."""

    def counts(self, among: Bools | None = None) -> tuple[int, Longs]:
        """The first decade of any, and how many items have years in it and in each that follows.

        ``among`` counts some rows only.
        """
        ...


class FacetIndex(Protocol):
    """What some items can be filtered by; masks are bool[rows]."""

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """Which items have any of the names of a facet, one of ``NAMED``."""
        ...

    def meeting(self, first: int | None, last: int | None) -> Bools:
        """Which items have years that meet these, negative before Christ."""
        ...

    def met(self, first: int | None, last: int | None) -> int:
        """How many items have years that meet these."""
        ...

    def image(self) -> Bools:
        """Which items have a picture."""
        ...

    def number(self, facet: str, name: str) -> int:
        """How many items have a name."""
        ...

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """The names that most items have, ties by the name, and how many names there are.

        ``among`` counts some rows only, and names that none of these has not at all.
        """
        ...

    @property
    def years(self) -> Ints:
        """Row, first and last year of every stretch of years, int32[stretches, 3], by row."""
        ...

    @property
    def decades(self) -> CountsDecades:
        """In which decades the rows have years."""
        ...


class FacetsBuilder:
    """Collects the facets of items in row order."""

    def __init__(self) -> None:
        self._names = {facet: _NamesBuilder() for facet in NAMED}
        self._years = array("i")
        self._image = array("b")

    def add(self, record: bytes, profile: bytes) -> None:
        """Take in the next item: its encoded record and profile."""
        row, said, told = len(self._image), described(record), named(profile)
        self._names["provider"].add(row, [said.provider or ""])
        self._names["object"].add(row, [said.type or ""])
        self._names["place"].add(row, [*(innermost(place.text) for place in said.places), *told.locations])
        for period in told.years:
            self._years.extend((row, period.first, period.last))
        self._image.append(bool((said.image or "").strip()))

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
    """Collects who has which names, each name once a row."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._spelled: list[str] = []
        self._rows, self._of = array("i"), array("i")

    def add(self, row: int, names: Sequence[str]) -> None:
        for code in dict.fromkeys(map(self._code, names)):
            if code >= 0:
                self._rows.append(row)
                self._of.append(code)

    def _code(self, name: str) -> int:
        """The number of a name, which may be new; -1 for a blank one."""
        key = folded(name)
        if key and key not in self._codes:
            self._codes[key] = len(self._spelled)
            self._spelled.append(" ".join(name.split()))
        return self._codes.get(key, -1)

    def arrays(self, name: str) -> NewArrays:
        """Names in the order of their UTF-8, with their posting lists: the rows that have them."""
        keys, spelled = BlobsBuilder(), BlobsBuilder()
        place = np.empty(len(self._codes), dtype=np.int64)
        for at, (encoded, code) in enumerate(sorted((key.encode(), c) for key, c in self._codes.items())):
            place[code] = at
            keys.add(encoded)
            spelled.add(self._spelled[code].encode())
        of = place[np.array(self._of, dtype=np.int64)]
        order = np.argsort(of, kind="stable")
        return {
            **keys.arrays(name),
            **spelled.arrays(f"{name}-spelled"),
            f"{name}-rows.npy": np.array(self._rows, dtype=np.int32)[order],
            f"{name}-rows-ends.npy": np.cumsum(np.bincount(of, minlength=len(place))),
        }


class StoredFacets:
    """The facets of a collection as they were built, read where they lie.

    >>> from features.profiles.profile import Profile
    >>> from features.profiles.profile import encode as encode_profile
    >>> from ingest.record import Record, encode, values
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
        self._names = {facet: _Names(arrays, f"facets-{facet}") for facet in NAMED}

    def having(self, facet: str, names: Sequence[str]) -> Bools:
        """See :class:`FacetIndex`."""
        mask = np.zeros(len(self._image), dtype=bool)
        for name in names:
            mask[self._names[facet].rows(name)] = True
        return mask

    def meeting(self, first: int | None, last: int | None) -> Bools:
        """See :class:`FacetIndex`."""
        rows, begin, end = self._years.T
        met = np.ones(len(rows), dtype=bool)
        if first is not None:
            met &= end >= first
        if last is not None:
            met &= begin <= last
        mask = np.zeros(len(self._image), dtype=bool)
        mask[rows[met]] = True
        return mask

    def met(self, first: int | None, last: int | None) -> int:
        """See :class:`FacetIndex`."""
        return int(np.count_nonzero(self.meeting(first, last)))

    def image(self) -> Bools:
        """See :class:`FacetIndex`."""
        return self._image

    def number(self, facet: str, name: str, among: Bools | None = None) -> int:
        """See :class:`FacetIndex`; ``among`` counts some rows only."""
        rows = self._names[facet].rows(name)
        return len(rows) if among is None else int(np.count_nonzero(among[rows]))

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """See :class:`FacetIndex`; ``among`` counts some rows only."""
        return self._names[facet].commonest(most, among)

    @property
    def years(self) -> Ints:
        """See :class:`FacetIndex`."""
        return self._years

    @cached_property
    def decades(self) -> Decades:
        """See :class:`FacetIndex`."""
        return Decades.of(self._years)


class _Names:
    """The names of one facet, sorted, with the rows that have each."""

    def __init__(self, arrays: Mapping[str, Array], name: str) -> None:
        own = dict(arrays)
        self._keys = Ids(Blobs(own, name))
        self._spelled = Blobs(own, f"{name}-spelled")
        self._rows = np.asarray(arrays[f"{name}-rows.npy"], np.int32)
        self._ends = np.asarray(arrays[f"{name}-rows-ends.npy"], np.int64)

    def rows(self, name: str) -> Ints:
        """The rows that have a name, ascending."""
        code = self._keys.find(folded(name))
        if code is None:
            return self._rows[:0]
        return self._rows[int(self._ends[code - 1]) if code else 0 : int(self._ends[code])]

    def commonest(self, most: int, among: Bools | None) -> tuple[list[NameCount], int]:
        counts = self._counts
        if among is not None:
            # rows stand by name: what is counted up to the end of a name less what is up to its beginning
            counted = np.concatenate([[0], np.cumsum(among[self._rows])])
            counts = np.diff(counted[self._ends], prepend=0)
        there = np.flatnonzero(counts)
        found = counts[there]
        if len(there) > most:  # most names are of few items: not all of them are sorted
            least = found.min(initial=0) if most < 1 else np.partition(found, -most)[-most]
            best = there[found >= least]
        else:
            best = there
        best = best[np.argsort(-counts[best], kind="stable")[:most]]
        return [NameCount(self._spelled[code].decode(), int(counts[code])) for code in best.tolist()], len(
            there
        )

    @cached_property
    def _counts(self) -> Longs:
        """How many rows have each name."""
        return np.diff(self._ends, prepend=0)


class DeltaFacets:
    """The facets of a collection with changes on top: those of the rows that stayed, and of what was put.

    ``places`` says where each row is: its row in ``base``, or -1, -2, ... for the first, second, ... of
    those that were put. ``put`` gives these, each as its encoded record and profile; it is called when a
    filter is first asked for.
    """

    def __init__(
        self,
        base: FacetIndex,
        put: Callable[[], Iterable[tuple[bytes, bytes]]],
        places: Rows,
    ) -> None:
        if not isinstance(base, StoredFacets):
            raise TypeError("changes lie on a collection as it was built, not on other changes")
        self._base, self._given = base, put
        self._stored = places >= 0
        self._rows = places[self._stored]

    @cached_property
    def _own(self) -> StoredFacets:
        builder = FacetsBuilder()
        for record, profile in self._given():
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

    def met(self, first: int | None, last: int | None) -> int:
        """See :class:`FacetIndex`."""
        return int(np.count_nonzero(self.meeting(first, last)))

    def image(self) -> Bools:
        """See :class:`FacetIndex`."""
        return self._joined(self._base.image(), self._own.image())

    def number(self, facet: str, name: str) -> int:
        """See :class:`FacetIndex`."""
        return int(np.count_nonzero(self.having(facet, [name])))

    def commonest(self, facet: str, most: int, among: Bools | None = None) -> tuple[list[NameCount], int]:
        """See :class:`FacetIndex`."""
        counted = np.ones(len(self._stored), dtype=bool) if among is None else among
        stayed: Bools = np.zeros(len(self._base.image()), dtype=bool)
        stayed[self._rows] = counted[self._stored]
        every, _ = self._own.commonest(facet, sys.maxsize, counted[~self._stored])
        own = {folded(name.spelled): name for name in every}
        # what is among the commonest of all is among those of the base, or was put
        best, kinds = self._base.commonest(facet, most + len(own), stayed)
        found = {folded(name.spelled): name for name in best}
        for key, name in own.items():
            before = self._base.number(facet, key, stayed)
            kinds += not before
            found[key] = NameCount(found.get(key, name).spelled, before + name.items)
        order = sorted(found, key=lambda key: (-found[key].items, key.encode()))
        return [found[key] for key in order[:most]], kinds

    @cached_property
    def decades(self) -> Decades:
        """See :class:`FacetIndex`."""
        return Decades.of(self.years)

    @cached_property
    def years(self) -> Ints:
        """See :class:`FacetIndex`."""
        now = np.full(len(self._base.image()), -1, dtype=np.int32)
        now[self._rows] = np.flatnonzero(self._stored)
        before, own = self._base.years.copy(), self._own.years.copy()
        before[:, 0] = now[before[:, 0]]
        own[:, 0] = np.flatnonzero(~self._stored)[own[:, 0]]
        found = np.concatenate([before[before[:, 0] >= 0], own])
        ordered: Ints = found[np.argsort(found[:, 0], kind="stable")]
        return ordered


def folded(name: str) -> str:
    """What equal names have in common.

    >>> folded(" National  Gallery ")
    'national gallery'
    """
    return " ".join(name.split()).casefold()
