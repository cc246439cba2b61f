"""Collection: the fitted feature columns of all items, with their records and profiles, open for reading."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple, TypeVar

import numpy as np

from features.arrays import Arrays, Bools, Doubles, Floats, Hashes, Ints, NewArrays, Rows, Singles
from features.collection import generation
from features.collection.blobs import Blobs, Ids
from features.collection.digests import Digests, StoredDigests
from features.collection.facets import FacetIndex, StoredFacets
from features.collection.generation import GenerationManifest
from features.collection.row_groups import RowGroups, spread_rows
from features.knowledge.resources import Resources
from features.measures.base import ByParts, Column, FeatureColumn, needed, plain
from features.measures.derived import DerivedColumn, GatedSettings
from features.measures.parts import RowPart, over_parts
from features.measures.registry import FeatureSettings
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.profiles.profile import decode as decode_profile
from ingest.errors import LanguageModelError, ResourceMissing, UnknownItem
from ingest.record import Record
from ingest.record import decode as decode_record

_Table = TypeVar("_Table", bound=Table)


class Query(NamedTuple):
    """The item that others are compared with: one of a block, or without one a row of the collection."""

    block: Block | None
    row: int

    def of(self, column: Column[_Table]) -> _Table:
        """Its row in a column, as a table."""
        table = column.table if self.block is None else column.of(self.block)
        return table.row(self.row)


class Values(dict[str, Floats]):
    """Features of an item with so many rows by their names, each worked out when it is asked for.

    ``compared`` gives one that is not made of others. Raises ``KeyError`` for another name. ``among``: which
    of the rows a question is about, bool[rows], None for all.
    """

    def __init__(
        self,
        features: Mapping[str, FeatureSettings],
        rows: int,
        compared: Callable[[str], Floats],
        among: Bools | None = None,
    ) -> None:
        super().__init__()
        self.rows, self.among, self._features, self._compared = rows, among, features, compared

    def __missing__(self, name: str) -> Floats:
        self[name] = self._features[name].values(self, partial(self._compared, name))
        return self[name]

    def picked(self, rows: Rows) -> "Values":
        """The features with some of the rows."""
        return Values(self._features, len(rows), lambda name: self[name][rows])

    def stacked(self, names: Sequence[str]) -> Doubles:
        """The named features, float64[rows, features]."""
        columns = [self[name] for name in names]
        return np.array(columns, np.float64).reshape(len(columns), self.rows).T


class Costly(NamedTuple):
    """What a costly feature is read from: itself, or a feature that is multiplied with the presence ``gate``.

    Without a gate a feature that is not its own source may have any value, whatever that of its source; one
    that is made of several costly features names one of these.
    """

    source: str
    gate: str = ""


_FEW: Final = 0.3
"""The share of the rows of a part up to which these take less time one by one than all in their order."""


class _PartValues(Values):
    """Features of an item with the rows of a part, in single precision."""

    def __init__(
        self,
        features: Mapping[str, FeatureSettings],
        part: RowPart,
        by_parts: Callable[[str], ByParts],
        costly: Container[str],
        among: Bools | None,
    ) -> None:
        super().__init__(features, len(part), lambda name: by_parts(name)(part), among)
        self._part, self._by_parts, self._costly = part, by_parts, costly

    def picked(self, rows: Rows) -> Values:
        """The features with some of the rows: where these are few, they alone of costly ones."""
        if len(rows) > _FEW * self.rows:
            return super().picked(rows)
        part = self._part.pick(rows)

        def compared(name: str) -> Floats:
            is_apart = name in self._costly and name not in self
            return self._by_parts(name)(part) if is_apart else self[name][rows]

        return Values(self._features, len(part), compared)


class Collection(ABC):
    """The items there are and how alike they are; rows are items in id order.

    Exact duplicates have the same number in ``duplicates``. ``notice`` is a message for users where this is
    an earlier generation, because the current one is damaged.
    """

    def __init__(
        self,
        manifest: GenerationManifest,
        notice: str,
        ids: Ids,
        duplicates: Ints,
        columns: Mapping[str, FeatureColumn],
        facets: FacetIndex,
        digests: Digests,
    ) -> None:
        self.manifest, self.notice, self.ids = manifest, notice, ids
        self.duplicates, self.columns = duplicates, columns
        self.facets, self.digests = facets, digests

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, item: str) -> int:
        """The row of an id; raises ``UnknownItem``."""
        row = self.ids.find(item)
        if row is None:
            raise UnknownItem(f"no item {item!r} in the collection of {len(self):,} items")
        return row

    def expect(self, rows: Sequence[int]) -> None:  # noqa: B027 - where all lie here nothing is to be done
        """Make records and profiles of some rows ready together, before they are asked for one by one."""

    def record(self, row: int) -> Record:
        """The record of a row."""
        return decode_record(self.record_bytes(row))

    def profile(self, row: int) -> Profile:
        """The profile of a row."""
        return decode_profile(self.profile_bytes(row))

    @abstractmethod
    def record_bytes(self, row: int) -> bytes:
        """The record of a row as it is stored."""

    @abstractmethod
    def profile_bytes(self, row: int) -> bytes:
        """The profile of a row as it is stored."""

    @abstractmethod
    def block(self, rows: Rows) -> Block:
        """The items of some rows, so that evidence can be found in them."""

    def query(self, row: int) -> Query:
        """The item of a row, to be compared with others."""
        return Query(None, row)

    @abstractmethod
    def compared(self, name: str, query: Query, rows: Rows) -> Doubles:
        """One feature that is not made of others, of an item with some rows."""

    @abstractmethod
    def mapped(
        self,
        query: Query,
        make: Callable[[Values], Singles],
        width: int,
        rows: slice | None = None,
        among: Bools | None = None,
    ) -> Singles:
        """What ``make`` makes of the features of an item with every row, float32[width, rows].

        ``rows``: with these alone, which follow one another. ``make`` is given the values of some at a time,
        in single precision (see ``features.measures.parts``), and which of these are ``among`` those that are
        asked about, bool[all rows].
        """

    @cached_property
    def costly(self) -> Mapping[str, Costly]:
        """The features that take long for each row: less is to be done where few rows are picked."""
        features, costly = self.manifest.features, dict[str, Costly]()
        for name in needed(tuple(self.columns), features):
            column, settings = self.columns[name], features[name]
            if isinstance(column, Column) and column.PICKS:
                costly[name] = Costly(name)
            elif isinstance(column, DerivedColumn) and (of := costly.keys() & settings.made_of):
                source = min(costly[part].source for part in of)
                costly[name] = Costly(source)
                if isinstance(settings, GatedSettings) and of == {settings.of} == {source}:
                    costly[name] = Costly(source, settings.by)
        return costly

    def compare(self, query: Query, names: Sequence[str]) -> dict[str, Doubles]:
        """The named features of an item with every row, float64[rows] each; ``KeyError`` for another name."""
        values = self.values(query, np.arange(len(self)))
        return {name: np.asarray(values[name], np.float64) for name in names}

    def stored_row(self, row: int) -> int | None:
        """Where the tables of the columns have an item of a row; None for one that stands in none."""
        return None

    def values(self, query: Query, rows: Rows, among: Bools | None = None) -> Values:
        """The features of an item with some rows, each float64[rows], worked out when it is asked for.

        ``among``: which rows the question is about, bool[all rows].
        """
        compared = partial(self.compared, query=query, rows=rows)
        own = None if among is None else among[rows]
        return Values(self.manifest.features, len(rows), compared, own)

    def pairs(self, query: Query, rows: Rows, names: Sequence[str]) -> Doubles:
        """The named features of an item with some rows: float64[rows, features]."""
        return self.values(query, rows).stacked(names)

    def pair(self, block: Block, left: int, right: int, names: Iterable[str]) -> Doubles:
        """The named features of two items of a block, float64[features], NaN for no information."""
        values: Doubles = pair_values(self.columns, self.manifest.features, block, [(left, right)], names)[0]
        return values


class Built(Collection):
    """One generation, memory-mapped; ``folder`` is where it lies, None for one in memory."""

    def __init__(
        self,
        manifest: GenerationManifest,
        arrays: NewArrays,
        resources: Resources,
        notice: str = "",
        folder: Path | None = None,
    ) -> None:
        made = columns(manifest.usable(), arrays, resources)
        duplicates = np.asarray(arrays["duplicates.npy"], np.int32)
        ids, facets, digests = Ids(Blobs(arrays, "ids")), StoredFacets(arrays), StoredDigests(arrays)
        super().__init__(manifest, notice, ids, duplicates, made, facets, digests)
        self.folder = folder
        self._records, self._profiles = Blobs(arrays, "records"), Blobs(arrays, "profiles")
        self._fields: Hashes = np.asarray(arrays["fields.npy"], np.uint64)
        self._groups = {
            name: RowGroups(
                np.asarray(arrays[f"{name}-group_first.npy"], np.intp), np.asarray(codes, np.int32)
            )
            for name in made
            if (codes := arrays.get(f"{name}-group_codes.npy")) is not None
        }
        self._first_rows: dict[str, Table] = {}

    @classmethod
    def open(cls, root: Path, resources: Resources) -> "Built":
        """What ``generation.read`` gives; raises ``ResourceMissing`` where what it was built with is gone."""
        read = generation.read(root)
        try:
            return cls(read.manifest, read.arrays, resources, read.notice, read.folder)
        except LanguageModelError:  # no collection does without the language models
            raise
        except ResourceMissing as error:
            raise ResourceMissing(
                f"the collection was built with what is not here now: {error.detail}."
                " Provide that; or, to do without it, run: kindred build"
            ) from error

    def stored_row(self, row: int) -> int | None:
        """As of any collection."""
        return row

    def record_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._records[row]

    def profile_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._profiles[row]

    def block(self, rows: Rows) -> Block:
        """As of any collection."""
        return Block([self.profile(row) for row in rows.tolist()], rows=rows)

    def compared(self, name: str, query: Query, rows: Rows) -> Doubles:
        """As of any collection."""
        column = plain(self.columns[name])
        return column.compare(query.of(column), column.table.at(rows))

    def mapped(
        self,
        query: Query,
        make: Callable[[Values], Singles],
        width: int,
        rows: slice | None = None,
        among: Bools | None = None,
    ) -> Singles:
        """As of any collection."""
        wanted = slice(0, len(self)) if rows is None else rows
        values = np.empty((width, wanted.stop - wanted.start), np.float32)
        prepared, lock = dict[str, ByParts](), Lock()

        def by_parts(name: str) -> ByParts:
            """What gives a feature's values of a part, made ready once, by the thread that asks first."""
            if name not in prepared:
                with lock:
                    if name not in prepared:
                        prepared[name] = self._by_parts(query, name)
            return prepared[name]

        def fill(part: RowPart) -> None:
            own = None if among is None else among[part.rows]
            features = _PartValues(self.manifest.features, part, by_parts, self.costly, own)
            values[:, part.rows.start - wanted.start : part.rows.stop - wanted.start] = make(features)

        over_parts(fill, wanted)
        return values

    def _by_parts(self, query: Query, name: str) -> ByParts:
        """One feature that is not made of others, of an item with every row, by its row groups."""
        column, groups = plain(self.columns[name]), self._groups.get(name)
        if groups is None:
            return column.by_parts(query.of(column))
        if name not in self._first_rows:
            self._first_rows[name] = column.table.at(groups.first)
        values = column.compare(query.of(column), self._first_rows[name]).astype(np.float32)
        return lambda part: spread_rows(values, groups.codes[part.at])

    def same_fields(self, record: Record) -> int | None:
        """A row with the same six fields as a record, letter by letter; None where there is none."""
        alike = np.flatnonzero(self._fields == fields_key(record)).tolist()
        return next((row for row in alike if self.record(row).fields_hash == record.fields_hash), None)


def fields_key(record: Record) -> int:
    """What exact duplicates have in common, and next to no other two records: 8 bytes of a digest."""
    return int.from_bytes(record.fields_hash[:8], "little")


def own_arrays(name: str, arrays: Arrays) -> NewArrays:
    """The arrays of a feature among those of a collection, by their names within it."""
    begin, end = len(f"{name}-"), -len(".npy")
    return {file[begin:end]: array for file, array in arrays.items() if file.startswith(f"{name}-")}


def columns(
    features: Mapping[str, FeatureSettings], arrays: Arrays, resources: Resources
) -> dict[str, FeatureColumn]:
    """The columns of declared features, each over its own arrays and the columns of its parts."""
    made: dict[str, FeatureColumn] = {}
    for name, settings in features.items():
        made[name] = settings.column(own_arrays(name, arrays), resources, made)
    return made


def pair_values(
    columns: Mapping[str, FeatureColumn],
    features: Mapping[str, FeatureSettings],
    block: Block,
    pairs: Iterable[tuple[int, int]],
    names: Iterable[str],
) -> Doubles:
    """The named features of pairs of items of a block, float64[pairs, features]."""
    places = tuple(pairs)

    def compared(name: str) -> Doubles:
        column = plain(columns[name])
        rows = [column.of(block).row(row) for row in range(len(block))]
        values = [column.compare(rows[left], rows[right]).item() for left, right in places]
        return np.array(values, np.float64)

    return Values(features, len(places), compared).stacked(tuple(names))
