"""An open index of a cluster: searches, counts, and its items by their ids."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from elasticsearch import Elasticsearch

from features.collection.digests import BYTES
from features.collection.fetched import FetchedItem, StoredItem
from service.search.engines.elastic.client import EngineJson, asking, refusal
from service.search.engines.elastic.documents import DocumentShape, own_id, read_stored_item
from service.search.engines.elastic.settings import ElasticSettings

_BARE: Final = {
    "docvalue_fields": ["id", "alike", "packed"],
    "stored_fields": "_none_",
    "track_total_hits": False,
}
"""What a search brings of an item where nothing else is asked for: what it is scored by."""

_MANY: Final = 1000  # ids of one request


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """An open index: how it is reached, and what its documents are made with."""

    client: Elasticsearch
    settings: ElasticSettings
    name: str
    shape: DocumentShape

    def search(self, body: EngineJson, paths: str | None = None) -> EngineJson:
        """The answer to one search, or some ``paths`` of it; it raises where a shard does not answer."""
        with asking(self.settings):
            answer = self.client.search(
                index=self.name, body=dict(body), filter_path=paths, allow_partial_search_results=False
            )
        return dict(answer)

    def count(self, query: EngineJson) -> int:
        """How many items fit a query."""
        with asking(self.settings):
            answer = self.client.count(index=self.name, query=query)
        shards = answer["_shards"]
        if shards["successful"] < shards["total"]:
            raise refusal(503, "shards are missing", self.settings)
        return int(answer["count"])


class Items:
    """The items of an index, as an ``ItemStore``."""

    def __init__(self, index: OpenIndex) -> None:
        self._index = index

    def documents(self, ids: Sequence[str]) -> Sequence[FetchedItem]:
        """The items of some ids, as far as they are there."""
        # with record and profile: who names an item mostly shows it
        return [document(hit) for hit in self._of_ids(ids, {"stored_fields": ["told"]})]

    def stored_items(self, ids: Sequence[str]) -> Mapping[str, StoredItem]:
        """The records and profiles of some ids, as far as they are there."""
        hits = self._of_ids(ids, {"stored_fields": ["told"], "docvalue_fields": ["id"]})
        return {hit["fields"]["id"][0]: read_stored_item(hit["fields"]["told"][0]) for hit in hits}

    def _of_ids(self, ids: Sequence[str], fields: EngineJson) -> Iterator[EngineJson]:
        for at in range(0, len(ids), _MANY):
            own = [own_id(item) for item in ids[at : at + _MANY]]
            yield from self.search({"query": {"ids": {"values": own}}, "size": len(own), **fields})["hits"]

    def of_digests(self, digests: bytes) -> list[str]:
        """The ids of some digests."""
        wanted = [digests[at : at + BYTES].hex() for at in range(0, len(digests), BYTES)]
        query = {"bool": {"filter": [{"terms": {"digest": wanted}}]}}
        answer = self.search({"query": query, "size": 2 * len(wanted), "docvalue_fields": ["id"]})
        return [hit["fields"]["id"][0] for hit in answer["hits"]]

    def search(self, body: EngineJson) -> EngineJson:
        """The ``hits`` of one search, and their ``total``."""
        return _hits(self._index.search({**_BARE, **body}, "hits.hits.fields,hits.total"))

    def searches(self, bodies: Sequence[EngineJson]) -> list[EngineJson]:
        """The hits of several searches in one request; raises as one does."""
        lines: list[EngineJson] = []
        for body in bodies:
            lines += [{"allow_partial_search_results": False}, {**_BARE, **body}]
        with asking(self._index.settings):
            answer = self._index.client.msearch(
                index=self._index.name,
                searches=lines,
                filter_path="responses.hits.hits.fields,responses.error,responses.status",
            )
        responses = answer.get("responses", [])
        for one in responses:
            if "error" in one:
                kind = str(one["error"].get("type", ""))
                raise refusal(int(one.get("status", 500)), kind, self._index.settings)
        return [_hits(one) for one in responses]


def _hits(answer: EngineJson) -> EngineJson:
    # what is empty is missing where paths are given
    hits = answer.get("hits") or {}
    return {"hits": hits.get("hits", []), "total": hits.get("total")}


def document(hit: EngineJson) -> FetchedItem:
    """An item as a search brings it."""
    fields = hit["fields"]
    packed = base64.b64decode(fields["packed"][0]) if "packed" in fields else b""
    content = read_stored_item(fields["told"][0]) if "told" in fields else None
    return FetchedItem(fields["id"][0], fields["alike"][0], packed, content)
