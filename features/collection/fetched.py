"""A collection whose items lie elsewhere, in an engine, of which those of one question are fetched.

Each comes with its rows of all columns; rows are numbered as the items come.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from threading import RLock
from typing import NamedTuple, Protocol

import numpy as np

from features.arrays import Bools, Doubles, Rows, Singles
from features.collection.blobs import Ids
from features.collection.collection import Collection, Query, Values
from features.collection.digests import Digests
from features.collection.facets import FacetIndex
from features.collection.packed import FittedColumns
from features.measures.base import AnyColumn, plain
from features.measures.derived import KnownColumn
from features.measures.tables import Table, joined
from features.profiles.blocks import Block, Lexicon
from features.profiles.profile import Profile
from features.profiles.profile import decode as decode_profile
from ingest.errors import UnknownItem


class StoredItem(NamedTuple):
    """The record and the profile of an item, as they are stored."""

    record: bytes
    profile: bytes


class FetchedItem(NamedTuple):
    """An item as it is fetched; ``alike`` is the same for exact duplicates.

    ``packed`` is empty for an item that was put live; ``stored`` is fetched when it is needed.
    """

    id: str
    alike: str
    packed: bytes
    stored: StoredItem | None


class ItemStore(Protocol):
    """Where the items lie; every method may raise an error of ours."""

    def documents(self, ids: Sequence[str]) -> Sequence[FetchedItem]:
        """The items of some ids, as far as they are there."""
        ...

    def stored_items(self, ids: Sequence[str]) -> Mapping[str, StoredItem]:
        """The records and profiles of some ids, as far as they are there."""
        ...


class _Segment:
    """Items that came together: packed ones as tables, or profiles that are read."""

    def __init__(self, tables: Callable[[str, AnyColumn], Table]) -> None:
        self._tables, self._made, self._lock = tables, dict[str, Table](), RLock()

    def table(self, name: str, column: AnyColumn) -> Table:
        with self._lock:
            if name not in self._made:
                self._made[name] = self._tables(name, column)
            return self._made[name]


class FetchedCollection(Collection):
    """The items of a question; others are fetched when they are named. ``items`` is how many there are."""

    def __init__(
        self,
        fitted: FittedColumns,
        source: ItemStore,
        facets: FacetIndex,
        digests: "Callable[[FetchedCollection], Digests]",
        items: int,
        revision: int,
        notice: str = "",
    ) -> None:
        manifest = fitted.manifest.model_copy(update={"items": items, "revision": revision})
        self._numbers: dict[str, int] = {}
        self._ids: list[bytes] = []
        self._documents: list[FetchedItem] = []
        self._stored: dict[int, StoredItem] = {}
        self._profiles: dict[int, Profile] = {}
        self._at: list[tuple[_Segment, int]] = []
        self._groups: dict[str, int] = {}
        self._fitted, self._source, self._items = fitted, source, items
        self._lexicon, self._lock = Lexicon(), RLock()
        self._queries: dict[tuple[str, int], Table] = {}
        nothing = np.empty(0, np.int32)
        super().__init__(
            manifest, notice, _FetchedIds(self._ids), nothing, fitted.columns, facets, digests(self)
        )

    def __len__(self) -> int:
        return self._items

    def row(self, item: str) -> int:
        """The row of an id, which is fetched where it is not here; raises ``UnknownItem``."""
        self.fetch([item])
        if item not in self._numbers:
            raise UnknownItem(f"no item {item!r} in the collection of {len(self):,} items")
        return self._numbers[item]

    def holds(self, item: str) -> bool:
        """Whether an item is here."""
        return item in self._numbers

    def fetch(self, ids: Iterable[str]) -> None:
        """Have the items of some ids here, as far as they are there."""
        missing = [item for item in ids if item not in self._numbers]
        if missing:
            self.add(self._source.documents(missing))

    def alike(self, row: int) -> str:
        """What a row has in common with its exact duplicates."""
        return self._documents[row].alike

    def add(self, documents: Iterable[FetchedItem]) -> None:
        """Take in items that were fetched; those that are here stay as they are."""
        with self._lock:
            new = {one.id: one for one in documents if one.id not in self._numbers}
            packed = [one for one in new.values() if one.packed]
            live = [one for one in new.values() if not one.packed]
            if packed:
                unpacked = self._fitted.layout.unpack([one.packed for one in packed])
                self._append(packed, _Segment(lambda name, column: unpacked(name, column.table)))
            if live:
                missing = [one.id for one in live if one.stored is None]
                stored = self._source.stored_items(missing) if missing else {}
                whole = [one if one.stored else one._replace(stored=stored.get(one.id)) for one in live]
                there = [(one, decode_profile(one.stored.profile)) for one in whole if one.stored is not None]
                block = Block([profile for _, profile in there], self._lexicon)
                self._append([one for one, _ in there], _Segment(lambda _, column: column.of(block)))

    def _append(self, documents: Sequence[FetchedItem], segment: _Segment) -> None:
        for place, one in enumerate(documents):
            row = len(self._documents)
            self._documents.append(one)
            self._ids.append(one.id.encode())
            self._at.append((segment, place))
            if one.stored is not None:
                self._stored[row] = one.stored
            self._numbers[one.id] = row
        groups = (self._groups.setdefault(one.alike, len(self._groups)) for one in documents)
        self.duplicates = np.append(self.duplicates, np.fromiter(groups, np.int32, len(documents)))

    def record_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._whole([row])[0].record

    def profile_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._whole([row])[0].profile

    def profile(self, row: int) -> Profile:
        """The profile of a row, read once."""
        if row not in self._profiles:
            self._profiles[row] = decode_profile(self.profile_bytes(row))
        return self._profiles[row]

    def expect(self, rows: Sequence[int]) -> None:
        """As of any collection: they are fetched."""
        self._whole(rows)

    def _whole(self, rows: Sequence[int]) -> list[StoredItem]:
        """The records and profiles of some rows; those that are not here are fetched together."""
        missing = {self._documents[row].id: row for row in rows if row not in self._stored}
        if missing:
            for item, stored in self._source.stored_items([*missing]).items():
                self._stored[missing[item]] = stored
        for row in rows:
            if row not in self._stored:  # it was deleted since the search
                raise UnknownItem(f"the item {self._documents[row].id!r} was deleted a moment ago")
        return [self._stored[row] for row in rows]

    def block(self, rows: Rows) -> Block:
        """As of any collection."""
        places = rows.tolist()
        self._whole(places)
        profiles = [self.profile(row) for row in places]
        if all(self._documents[row].packed for row in places):
            return Block(profiles, stored=partial(self._joined, places))
        return Block(profiles)

    def _joined(self, rows: Sequence[int], column: object) -> object:
        """The rows of packed items in a column."""
        name = self._names[id(column)]
        return joined(plain(self.columns[name]).table, [self.row_table(name, row) for row in rows])

    @cached_property
    def _names(self) -> dict[int, str]:
        return {id(column): name for name, column in self.columns.items()}

    def compared(self, name: str, query: Query, rows: Rows) -> Doubles:
        """As of any collection: items that came together have a table of their own."""
        column, values = plain(self.columns[name]), np.empty(len(rows))
        own = self.row_table(name, query.row) if query.block is None else query.of(column)
        parts: dict[_Segment, list[tuple[int, int]]] = {}
        for n, row in enumerate(rows.tolist()):
            segment, place = self._at[row]
            parts.setdefault(segment, []).append((n, place))
        for segment, pairs in parts.items():
            places = np.array(pairs, np.intp)
            table = self._table(name, segment)
            values[places[:, 0]] = column.compare(own, table.at(places[:, 1]))
        return values

    def mapped(
        self,
        query: Query,
        make: Callable[[Values], Singles],
        width: int,
        rows: slice | None = None,
        among: Bools | None = None,
    ) -> Singles:
        """As of any collection, of the items that are here."""
        every = np.arange(len(self._documents))
        return make(self.values(query, every if rows is None else every[rows], among))

    def _table(self, name: str, segment: _Segment) -> Table:
        column = plain(self.columns[name])
        if isinstance(column, KnownColumn):
            return self._table(self.manifest.features[name].made_of[0], segment)
        return segment.table(name, column)

    def row_table(self, name: str, row: int) -> Table:
        """A row of a feature's column, a table of one row."""
        if (name, row) not in self._queries:
            segment, place = self._at[row]
            self._queries[name, row] = self._table(name, segment).row(place)
        return self._queries[name, row]


class _FetchedIds(Ids):
    """The ids of the items that are here, in the order in which they came."""

    def find(self, item: str) -> int | None:
        """The row of an id; None where it is not here."""
        return next((row for row, each in enumerate(self) if each == item), None)
