"""Generations: the indices of a cluster that belong to us, and which of them answers.

An index is made for each generation of the collection, under a name of its own; the alias ``index.name``
stands on the one that answers and is moved in one step. The ``_meta`` of its mapping has what it was made of,
and whether it is whole. A second index beside it holds what the collection was fitted with, in parts.
"""

import base64
import hashlib
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
from elastic_transport import ConnectionTimeout
from elasticsearch import Elasticsearch

from features.collection.packed import fitted
from features.knowledge.resources import Resources
from ingest.errors import DamagedArtefact, IndexMissing, UsageError
from service.search.engines.elastic.blend import Blend
from service.search.engines.elastic.bulk import WRITES
from service.search.engines.elastic.client import EngineJson, asking
from service.search.engines.elastic.documents import VERSION, DocumentShape, index_settings, mapping
from service.search.engines.elastic.settings import ElasticSettings

_PART: Final = 4_000_000  # bytes of a part of what the collection was fitted with

FITTED: Final = "-fitted"

_REVISION: Final = "revision"

_SEGMENTS: Final = 4  # of a shard that was merged: so many threads search it at once
_MERGE_S: Final = 3600.0  # how long a merge is waited for


class Generation(NamedTuple):
    """An index of ours: what it was made of, whether it is whole, and whether it answers."""

    name: str
    of: str
    version: int
    items: int
    revision: int
    whole: bool
    answers: bool


class Generations:
    """The indices of one name in a cluster; every method may raise what ``asking`` does."""

    def __init__(self, client: Elasticsearch, settings: ElasticSettings) -> None:
        self.client, self.settings = client, settings

    def all(self) -> list[Generation]:
        """Every one, by name."""
        with asking(self.settings):
            indices = self.client.indices.get(
                index=f"{self.settings.name}-*", features=["aliases", "mappings"], ignore_unavailable=True
            )
        every = []
        for name, index in indices.items():
            meta = index.get("mappings", {}).get("_meta", {}).get("kindred")
            # another installation may have a name that begins as ours does
            if meta is not None and meta.get("alias") == self.settings.name:
                every.append(_generation(name, meta, self.settings.name in index.get("aliases", {})))
        return sorted(every)

    def answering(self) -> Generation:
        """The one that answers; raises ``IndexMissing`` for none, or one that is not to be read."""
        alias = self.settings.name
        with asking(self.settings):
            indices = self.client.indices.get_mapping(index=alias, ignore_unavailable=True)
        if not indices:
            raise IndexMissing(
                f"the cluster has no index behind the alias {alias!r}; run: kindred index build"
            )
        ((name, index), *_) = indices.items()
        meta = index["mappings"].get("_meta", {}).get("kindred")
        if meta is None:
            raise IndexMissing(f"{name!r}, behind the alias {alias!r}, is no index of Kindred's")
        one = _generation(name, meta, answers=True)
        if one.version != VERSION:
            raise IndexMissing(f"{_other_version(one)}; run: kindred index build")
        return one

    def begin(self, name: str, of: str, shape: DocumentShape) -> None:
        """Make the index of a generation, empty; what it was fitted with is there before it is."""
        items, revision = shape.fitted.manifest.items, shape.fitted.manifest.revision
        meta = {"alias": self.settings.name, "of": of, "items": items, "revision": revision, "whole": False}
        with asking(self.settings):
            self._store_shape(name, shape)
            self.client.indices.create(
                index=name,
                aliases={f"{name}{WRITES}": {}},
                settings=index_settings(self.settings),
                mappings=mapping(shape, self.settings.shards, meta),
            )

    def _store_shape(self, name: str, shape: DocumentShape) -> None:
        data = msgspec.msgpack.encode((shape.fitted.without_items(), shape.blend.encode()))
        index = f"{name}{FITTED}"
        if not self.client.indices.exists(index=index):
            self.client.indices.create(
                index=index,
                settings={"number_of_shards": 1, "number_of_replicas": self.settings.replicas},
                mappings={"dynamic": False, "properties": {}},
            )
        mark = hashlib.sha256(data).hexdigest()
        parts = [data[at : at + _PART] for at in range(0, len(data), _PART)]
        for n, part in enumerate(parts):
            own = {"data": base64.b64encode(part).decode(), "parts": len(parts), "mark": mark}
            self.client.index(index=index, id=str(n), document=own)

    def opened(self, name: str, resources: Resources) -> DocumentShape:
        """What the documents of an index are made with; raises ``DamagedArtefact`` where it is not whole."""
        index, parts, mark, count = f"{name}{FITTED}", list[bytes](), "", 1
        with asking(self.settings):
            while len(parts) < count:
                part = self.client.get(index=index, id=str(len(parts)))["_source"]
                parts.append(base64.b64decode(part["data"]))
                mark, count = part["mark"], part["parts"]
        whole = b"".join(parts)
        if hashlib.sha256(whole).hexdigest() != mark:
            raise DamagedArtefact(f"{index} does not fit its checksum; run: kindred index build")
        own, blend = msgspec.msgpack.decode(whole, type=tuple[bytes, bytes])
        return DocumentShape.of(fitted(own, resources), Blend.decode(blend))

    def note(self, name: str, revision: int) -> None:
        """Note that an index has all live changes up to a revision of the catalogue, or waits for them."""
        with asking(self.settings):
            self.client.options(ignore_status=409).index(
                index=f"{name}{FITTED}",
                id=_REVISION,
                document={"revision": revision},
                version=revision,
                version_type="external_gte",
            )

    def revision(self, name: str) -> int:
        """The last revision that was noted."""
        with asking(self.settings):
            answer = self.client.get(index=f"{name}{FITTED}", id=_REVISION)
        return int(answer["_source"]["revision"])

    def finish(self, name: str) -> None:
        """Note that an index is whole."""
        with asking(self.settings):
            meta = self.client.indices.get_mapping(index=name)[name]["mappings"]["_meta"]
            meta["kindred"]["whole"] = True
            self.client.indices.put_mapping(index=name, meta=meta)
            self.client.indices.put_settings(index=name, settings={"refresh_interval": "1s"})

    def merge(self, name: str) -> None:
        """Merge the segments of an index to a few, through which questions go faster.

        What the engine kept of the sending is given back by the segments that are merged, more than half of
        their bytes. A merge that takes longer than it is waited for goes on by itself.
        """
        with asking(self.settings), suppress(ConnectionTimeout):
            self.client.options(request_timeout=_MERGE_S).indices.forcemerge(
                index=name, max_num_segments=_SEGMENTS
            )

    def switch(self, name: str) -> str | None:
        """Let an index answer from now on, in one step; the one that did before, None for none."""
        alias, every = self.settings.name, self.all()
        wanted = _named(name, every)
        if not wanted.whole:
            raise UsageError(f"the index {name!r} is not whole; go on with it: kindred index build")
        if wanted.version != VERSION:
            raise UsageError(f"{_other_version(wanted)}; build another: kindred index build")
        before = next((one.name for one in every if one.answers), None)
        actions: list[EngineJson] = [{"add": {"index": name, "alias": alias}}]
        if before not in (None, name):
            actions.insert(0, {"remove": {"index": before, "alias": alias}})
        with asking(self.settings):
            self.client.indices.update_aliases(actions=actions)
        return before

    def drop(self, name: str) -> None:
        """Delete an index that does not answer; raises ``UsageError`` for the one that does."""
        if _named(name, self.all()).answers:
            raise UsageError(
                f"the index {name!r} answers; switch to another first: kindred index switch NAME"
            )
        with asking(self.settings):
            self.client.indices.delete(index=f"{name},{name}{FITTED}", ignore_unavailable=True)


def _named(name: str, every: Iterable[Generation]) -> Generation:
    for one in every:
        if one.name == name:
            return one
    raise UsageError(f"the cluster has no index {name!r}; see: kindred index status")


def _other_version(one: Generation) -> str:
    return f"the index {one.name!r} is of version {one.version}, not {VERSION}"


def _generation(name: str, meta: EngineJson, answers: bool) -> Generation:
    return Generation(
        name=name,
        of=str(meta.get("of", "")),
        version=int(meta.get("version", 0)),
        items=int(meta.get("items", 0)),
        revision=int(meta.get("revision", 0)),
        whole=bool(meta.get("whole", False)),
        answers=answers,
    )
