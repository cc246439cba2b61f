"""Collection: the fitted feature columns of all items, with their records and profiles, open for reading.

Reading is memory-mapped, so that workers share it; :mod:`features.collection.build` writes it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from features.collection import generation, row_groups
from features.collection.blobs import Blobs, Ids
from features.collection.digests import Digests, StoredDigests
from features.collection.facets import Facets, StoredFacets
from features.collection.generation import Arrays, Manifest
from features.collection.row_groups import RowGroups
from features.knowledge.resources import Resources
from features.measures import FeatureSettings
from features.measures.base import AnyColumn, Column, FeatureColumn, Rows, Scores, needed, plain
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.profiles.profile import decode as decode_profile
from ingest.errors import LanguageModelError, ResourceMissing, UnknownItem
from ingest.record import Record
from ingest.record import decode as decode_record

Fields = npt.NDArray[np.uint64]

_Table = TypeVar("_Table", bound=Table)


class Query(NamedTuple):
    """The item that others are compared with: one of a block, or without one a row of the collection."""

    block: Block | None
    row: int

    def of(self, column: Column[_Table]) -> _Table:
        """What a column keeps of it, a table of one row."""
        table = column.table if self.block is None else column.of(self.block)
        return table.row(self.row)


class Collection(ABC):
    """The items there are and how alike they are; rows are items in id order.

    ``duplicates`` gives exact duplicates the same number. ``notice`` says what a user should know of it: that
    it is an earlier generation, because the current one is damaged. ``facets`` are what the items can be
    filtered by, ``digests`` stand for their ids.
    """

    def __init__(
        self,
        manifest: Manifest,
        notice: str,
        ids: Ids,
        duplicates: npt.NDArray[np.int32],
        columns: Mapping[str, FeatureColumn],
        facets: Facets,
        digests: Digests,
    ) -> None:
        self.manifest, self.notice, self.ids = manifest, notice, ids
        self.duplicates, self.columns = duplicates, columns
        self.facets, self.digests = facets, digests
        # worked out once for the features of a system, which are asked for with every item
        self._needed = lru_cache(lambda names: needed(names, manifest.features))

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, item: str) -> int:
        """The row of an id; raises ``UnknownItem``."""
        row = self.ids.find(item)
        if row is None:
            raise UnknownItem(f"no item {item!r} in the collection of {len(self):,} items")
        return row

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
    def query(self, row: int) -> Query:
        """The item of a row, to be compared with others."""

    @abstractmethod
    def compared(self, name: str, query: Query, rows: Rows | None) -> Scores:
        """One feature that is not made of others, of an item with every row, or with some."""

    def compare(self, query: Query, names: Sequence[str], rows: Rows | None = None) -> dict[str, Scores]:
        """The named features of an item with every row, or with some.

        float64[rows] each, NaN for no information. Raises ``KeyError`` for an unknown name.
        """
        found = dict(self.each(query, names, rows))
        return {name: found[name] for name in names}

    def each(
        self, query: Query, names: Sequence[str], rows: Rows | None = None
    ) -> Iterator[tuple[str, Scores]]:
        """What ``compare`` gives, one feature after the other, so that not all are in memory at once."""
        features, asked, found = self.manifest.features, set(names), dict[str, Scores]()
        order = self._needed(tuple(names))
        last = {part: name for name in order for part in (name, *features[name].made_of)}
        for name in order:
            found[name] = features[name].values(found, partial(self.compared, name, query, rows))
            if name in asked:
                yield name, found[name]
            for part in (name, *features[name].made_of):
                if last[part] == name:
                    del found[part]

    def pairs(self, query: Query, rows: Rows, names: Sequence[str]) -> Scores:
        """The named features of an item with some rows: float64[rows, features]."""
        values = self.compare(query, names, rows)
        return np.array([*values.values()], np.float64).reshape(len(values), len(rows)).T

    def pair(self, block: Block, left: int, right: int, names: Iterable[str]) -> Scores:
        """The named features of two items of a block, float64[features], NaN for no information."""
        found: Scores = pair_values(self.columns, self.manifest.features, block, [(left, right)], names)[0]
        return found


class Built(Collection):
    """One generation, memory-mapped."""

    def __init__(self, manifest: Manifest, arrays: Arrays, resources: Resources, notice: str = "") -> None:
        made = columns(manifest.usable(), arrays, resources)
        duplicates = np.asarray(arrays["duplicates.npy"], np.int32)
        ids, facets, digests = Ids(Blobs(arrays, "ids")), StoredFacets(arrays), StoredDigests(arrays)
        super().__init__(manifest, notice, ids, duplicates, made, facets, digests)
        self._records, self._profiles = Blobs(arrays, "records"), Blobs(arrays, "profiles")
        self._fields: Fields = np.asarray(arrays["fields.npy"], np.uint64)
        self._grouped = {
            name: _Grouped(column, groups)
            for name, column in made.items()
            if isinstance(column, Column) and (groups := row_groups.stored(own_arrays(name, arrays)))
        }

    @classmethod
    def open(cls, root: Path, resources: Resources) -> "Built":
        """The current generation under ``root``, memory-mapped, after checking every checksum.

        Where it is damaged, the one before is opened if that is whole, and ``notice`` says so. Raises
        ``CollectionMissing`` where none was built, ``DamagedArtefact`` where a file was cut, altered or is
        of another format, and ``ResourceMissing`` where what it was built with is gone.
        """
        read = generation.read(root)
        try:
            return cls(read.manifest, read.arrays, resources, read.notice)
        except LanguageModelError:  # no collection does without the language models
            raise
        except ResourceMissing as error:
            raise ResourceMissing(
                f"the collection was built with what is not here now: {error.detail}."
                " Provide that; or, to do without it, run: kindred build"
            ) from error

    def record_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._records[row]

    def profile_bytes(self, row: int) -> bytes:
        """As of any collection."""
        return self._profiles[row]

    def query(self, row: int) -> Query:
        """As of any collection."""
        return Query(None, row)

    def compared(self, name: str, query: Query, rows: Rows | None) -> Scores:
        """As of any collection; rows of a group are compared once."""
        grouped = self._grouped.get(name)
        if grouped is not None and rows is None:
            return grouped.compare(query)
        column = plain(self.columns[name])
        return column.compare(query.of(column), column.table if rows is None else column.table.at(rows))

    def same_fields(self, record: Record) -> int | None:
        """A row with the same six fields as a record, letter by letter; None where there is none."""
        alike = np.flatnonzero(self._fields == fields_key(record)).tolist()
        return next((row for row in alike if self.record(row).fields_hash == record.fields_hash), None)


def fields_key(record: Record) -> int:
    """What exact duplicates have in common, and next to no other two records: 8 bytes of a digest."""
    return int.from_bytes(record.fields_hash[:8], "little")


class _Grouped:
    """A column that is compared by its row groups."""

    def __init__(self, column: AnyColumn, groups: RowGroups) -> None:
        self._column, self._groups = column, groups

    def compare(self, query: Query) -> Scores:
        """The feature of an item with every row."""
        found: Scores = self._column.compare(query.of(self._column), self._first)[self._groups.codes]
        return found

    @cached_property
    def _first(self) -> Table:
        return self._column.table.at(self._groups.first)


def own_arrays(name: str, arrays: Arrays) -> Arrays:
    """The arrays of a feature among those of a collection, by their names within it."""
    begin = f"{name}-"
    return {
        file.removeprefix(begin).removesuffix(".npy"): array
        for file, array in arrays.items()
        if file.startswith(begin)
    }


def columns(
    features: Mapping[str, FeatureSettings], arrays: Arrays, resources: Resources
) -> dict[str, FeatureColumn]:
    """The columns of declared features, each over its own arrays and the columns of its parts."""
    found: dict[str, FeatureColumn] = {}
    for name, settings in features.items():
        found[name] = settings.column(own_arrays(name, arrays), resources, found)
    return found


def pair_values(
    columns: Mapping[str, FeatureColumn],
    features: Mapping[str, FeatureSettings],
    block: Block,
    pairs: Iterable[tuple[int, int]],
    names: Iterable[str],
) -> Scores:
    """The named features of pairs of items of a block, float64[pairs, features]."""
    asked, wanted, found = tuple(pairs), tuple(names), dict[str, Scores]()

    def compared(name: str) -> Scores:
        column = plain(columns[name])
        rows = [column.of(block).row(row) for row in range(len(block))]
        return np.array([column.compare(rows[left], rows[right]).item() for left, right in asked])

    for name in needed(wanted, features):
        found[name] = features[name].values(found, partial(compared, name))
    return np.array([found[name] for name in wanted], np.float64).reshape(len(wanted), len(asked)).T
