"""Documents: the fields that the engine stores of an item, and their mapping.

A document is complete: what is looked up, what the columns hold of the item for scoring, and its record and
profile, in one binary field each. The engine stores no copy of what it was sent.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np

from features.arrays import Array, Doubles, Singles
from features.collection.digests import digest
from features.collection.facets import NAMED, facet_names, key_of
from features.collection.fetched import StoredItem
from features.collection.packed import FittedColumns
from features.fulltext.index_file import COLUMNS, sort_key, texts
from features.measures.base import plain
from features.measures.searchable import Level
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.partial import named
from ingest.record import Record, decode
from service.search.engines.elastic.blend import Blend, Part, parts
from service.search.engines.elastic.client import EngineJson
from service.search.engines.elastic.lookups import Lookup, lookups, searchable
from service.search.engines.elastic.settings import ElasticSettings
from service.search.fulltext.language import TOKENS

VERSION: Final = 3
"""Of the mapping and of what stands in the fields; an index of another version has to be built anew."""

SEPARATOR: Final = "\x1f"  # between the name that is compared and the name that is shown
_LONGEST: Final = 512  # bytes that the engine's own id may have

_FLAT: Final = 300_000
"""Items of a shard up to which all vectors are looked through; of more a graph leads to the nearest."""

_HNSW: Final = {"type": "hnsw", "m": 24, "ef_construction": 120}

LEVELS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""How surely anything is there: between these a curve is taken to be straight."""

_NAME: Final = 4000
"""Characters of a name that can be filtered by, in both its spellings; the engine refuses far longer ones."""

_SORTED: Final = 200  # characters by which titles are sorted


@dataclass(frozen=True, slots=True)
class DocumentShape:
    """What the documents of an index are made with: the fitted columns, and what these let it use.

    ``lookups`` and ``levels`` are by the names of features; ``parts`` are the vectors that are blended.
    """

    fitted: FittedColumns
    lookups: Mapping[str, Lookup]
    parts: Sequence[Part]
    levels: Mapping[str, Level[Table]]
    blend: Blend

    @classmethod
    def of(cls, fitted: FittedColumns, blend: Blend) -> "DocumentShape":
        """With what the columns declare."""
        declared = {name: searchable(column) for name, column in fitted.columns.items()}
        levels = {name: one for name, one in declared.items() if isinstance(one, Level)}
        return cls(fitted, lookups(fitted.columns), parts(fitted.columns), levels, blend)

    @property
    def amounts(self) -> list[tuple[str, str]]:
        """The amounts of a blended vector, in order: the kind of each, and its feature."""
        texts = [("usual", part.feature) for part in self.parts if part.vector.usual is not None]
        surely = [(f"presence {level:g}", name) for name in self.levels for level in LEVELS]
        return [*texts, *surely, *(("known", name) for name in dict.fromkeys(map(self.alike, self.lookups)))]

    def combined(self, name: str, row: Table) -> Doubles:
        """The values of a feature with a level, for an item and others whose levels are ``LEVELS``."""
        declared = self.levels[name]
        combine = np.minimum if declared.smaller else np.maximum
        values: Doubles = combine(declared.of(row)[0], np.array(LEVELS))
        return values

    def alike(self, name: str) -> str:
        """The first of the features that are looked up in one field."""
        field = self.lookups[name].field
        return next(other for other, one in self.lookups.items() if one.field == field)


def own_id(item: str) -> str:
    """The engine's id of an item: its own, or a digest of one that is too long.

    >>> own_id("tate:A00001"), len(own_id("x" * 600))
    ('tate:A00001', 65)
    """
    return item if len(item.encode()) <= _LONGEST else f"#{hashlib.sha256(item.encode()).hexdigest()}"


def mapping(shape: DocumentShape, shards: int, meta: EngineJson) -> EngineJson:
    """The mapping of an index; ``meta`` stands in its ``_meta``."""
    keyword: EngineJson = {"type": "keyword"}
    named: EngineJson = {**keyword, "ignore_above": _NAME}
    properties: dict[str, Any] = {
        "id": keyword,
        "alike": keyword,
        "digest": {"type": "keyword", "doc_values": False},
        "image": {"type": "boolean"},
        **dict.fromkeys(NAMED, named),
        "years": {"type": "integer_range"},
        "oldest": {"type": "integer"},
        "newest": {"type": "integer"},
        "title_order": keyword,
        "packed": {"type": "binary", "doc_values": True},
        "told": {"type": "binary", "store": True},
        "text": {"properties": {name: {"type": "text", "analyzer": "whitespace"} for name in COLUMNS}},
    }
    if shape.blend.width:
        properties["blend"] = {
            "type": "dense_vector",
            "dims": shape.blend.width,
            "element_type": "byte",
            "similarity": "max_inner_product",
            "index_options": _HNSW if shape.fitted.manifest.items > _FLAT * shards else {"type": "flat"},
        }
    for one in shape.lookups.values():
        properties |= one.mapping()
    return {
        "dynamic": "strict",
        "_source": {"enabled": False},
        "_meta": {"kindred": {"version": VERSION, **meta}},
        "properties": properties,
    }


def index_settings(settings: ElasticSettings) -> EngineJson:
    """The settings of a new index."""
    return {
        "number_of_shards": settings.shards,
        "number_of_replicas": settings.replicas,
        # nothing is to be found before all is there
        "refresh_interval": "-1",
        # a write that comes late finds that the item was deleted
        "gc_deletes": "1h",
    }


_ENCODE = msgspec.msgpack.Encoder()
_DECODE = msgspec.msgpack.Decoder(StoredItem)


def read_stored_item(text: str) -> StoredItem:
    """The record and profile of a document."""
    return _DECODE.decode(base64.b64decode(text))


class Documents:
    """Makes the documents of items."""

    def __init__(self, shape: DocumentShape) -> None:
        self._shape = shape
        self.columns = {
            name: plain(column)
            for name, column in shape.fitted.columns.items()
            if name in {*shape.lookups, *shape.levels, *(part.feature for part in shape.parts)}
        }
        self._usual = {part.feature: part.vector.usual for part in shape.parts if part.vector.usual}

    def built(self, items: Sequence[StoredItem], packed: Sequence[bytes]) -> Iterator[EngineJson]:
        """The documents of items of the collection that was fitted."""
        unpacked = self._shape.fitted.layout.unpack(packed)
        tables = {name: unpacked(name, column.table) for name, column in self.columns.items()}
        for columns, document in zip(packed, self._documents(items, tables), strict=True):
            yield {**document, "packed": _text(columns)}

    def live(self, items: Sequence[StoredItem], block: Block) -> Iterator[EngineJson]:
        """The documents of items that were put since: the columns read them from their profiles."""
        return self._documents(items, {name: column.of(block) for name, column in self.columns.items()})

    def _documents(self, items: Sequence[StoredItem], tables: Mapping[str, Table]) -> Iterator[EngineJson]:
        for fields, looked_up in zip(_fields(items), self._looked_up(tables, len(items)), strict=True):
            yield {**fields, **looked_up}

    def _looked_up(self, tables: Mapping[str, Table], count: int) -> Iterator[EngineJson]:
        of_field = {one.field: name for name, one in self._shape.lookups.items()}
        entries = [self._shape.lookups[name].entries(tables[name]) for name in of_field.values()]
        vectors = self._shape.blend.of(*self.laid(tables, count)).tolist()
        for row in range(count):
            fields: dict[str, Any] = {"blend": vectors[row]} if vectors[row] else {}
            for one in entries:
                fields |= next(one)
            yield fields

    def laid(self, tables: Mapping[str, Table], count: int) -> tuple[Singles, Singles]:
        """The vectors of some items end to end, and their amounts in the order of ``amounts``."""
        vectors, amounts = [np.empty((count, 0), np.float32)], [np.empty((count, 0), np.float32)]
        vectors += [part.vector.unit(tables[part.feature]) for part in self._shape.parts]
        amounts += [
            self._amount(kind, name, tables[name])[:, np.newaxis] for kind, name in self._shape.amounts
        ]
        return np.hstack(vectors), np.hstack(amounts)

    def _amount(self, kind: str, name: str, table: Table) -> Singles:
        amounts: Array
        if kind == "usual":
            amounts = self._usual[name](table)
        elif kind == "known":
            amounts = self.columns[name].informed(table)
        else:
            # a line between levels is the sum of its heights there, each by how near to its level one is
            level = float(kind.removeprefix("presence "))
            away = np.abs(self._shape.levels[name].of(table) - level)
            amounts = np.maximum(1 - away / (LEVELS[1] - LEVELS[0]), 0)
        return np.nan_to_num(amounts).astype(np.float32)


def _fields(items: Sequence[StoredItem]) -> Iterator[dict[str, Any]]:
    """The fields for filters and for the search over words, from records and profiles."""
    records = [decode(one.record) for one in items]
    words = TOKENS.of_many([text for record in records for text in texts(record)])
    for at, (one, record) in enumerate(zip(items, records, strict=True)):
        own = words[at * len(COLUMNS) : (at + 1) * len(COLUMNS)]
        text = {name: " ".join(each) for name, each in zip(COLUMNS, own, strict=True) if each}
        yield {**_facets(one, record), "text": text}


def _facets(item: StoredItem, record: Record) -> dict[str, Any]:
    mentions = named(item.profile)
    fields: dict[str, Any] = {
        "id": record.id,
        "alike": record.fields_hash.hex(),
        "digest": digest(record.id).hex(),
        "image": bool((record.image or "").strip()),
        "title_order": sort_key(record.label)[:_SORTED],
        "told": _text(_ENCODE.encode(item)),
    }
    for facet, names in facet_names(item.record, mentions).items():
        keys = {key_of(facet, name): " ".join(name.split()) for name in reversed(names)}
        keys.pop("", None)  # of blanks
        if keys:
            fields[facet] = [f"{key}{SEPARATOR}{shown}" for key, shown in keys.items()]
    if years := [(period.first, period.last) for period in mentions.years]:
        fields["years"] = [{"gte": first, "lte": last} for first, last in years]
        fields["oldest"] = min(first for first, _ in years)
        fields["newest"] = max(last for _, last in years)
    return fields


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()
