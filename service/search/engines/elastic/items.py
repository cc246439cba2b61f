"""Items of a cluster: which index is asked, and what it gives of items by their ids or by a search."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from elasticsearch import Elasticsearch

from features.collection.digests import BYTES
from features.collection.fetched import FetchedItem, StoredItem
from service.search.engines.elastic.client import Json, asking, refusal
from service.search.engines.elastic.documents import DocumentShape, own_id, read_stored_item
from service.search.engines.elastic.settings import ElasticSettings

_BARE: Final = {
    "docvalue_fields": ["id", "alike", "packed"],
    "stored_fields": "_none_",
    "track_total_hits": False,
}
"""What a search brings of an item where nothing else is asked: what it is scored by."""

_PATHS: Final = "hits.hits.fields,hits.total"
_MANY: Final = 1000
"""Ids of one request."""


@dataclass(frozen=True, slots=True)
class OpenIndex:
    """An index of a cluster, open: where it is and what its documents are made with."""

    client: Elasticsearch
    settings: ElasticSettings
    name: str
    shape: DocumentShape


class Items:
    """The items of an index, as a source of fetched ones."""

    def __init__(self, index: OpenIndex) -> None:
        self._index = index

    def documents(self, ids: Sequence[str]) -> Sequence[FetchedItem]:
        """The items of some ids, as far as they are there."""
        return [one for at in range(0, len(ids), _MANY) for one in self._documents(ids[at : at + _MANY])]

    def _documents(self, ids: Sequence[str]) -> Iterable[FetchedItem]:
        query = {"ids": {"values": [own_id(item) for item in ids]}}
        # with what tells of them: who names an item mostly wants to know of it
        found = self.search({"query": query, "size": len(ids), "stored_fields": ["told"]})
        return [document(hit) for hit in found["hits"]["hits"]]

    def stored_items(self, ids: Sequence[str]) -> Mapping[str, StoredItem]:
        """The records and profiles of some ids, as far as they are there."""
        found: dict[str, StoredItem] = {}
        for at in range(0, len(ids), _MANY):
            some = ids[at : at + _MANY]
            query = {"ids": {"values": [own_id(item) for item in some]}}
            asked = {"query": query, "size": len(some), "stored_fields": ["told"], "docvalue_fields": ["id"]}
            for hit in self.search(asked)["hits"]["hits"]:
                found[hit["fields"]["id"][0]] = read_stored_item(hit["fields"]["told"][0])
        return found

    def of_digests(self, digests: bytes) -> list[str]:
        """The ids of some digests."""
        wanted = [digests[at : at + BYTES].hex() for at in range(0, len(digests), BYTES)]
        found = self.search(
            {
                "query": {"bool": {"filter": [{"terms": {"digest": wanted}}]}},
                "size": 2 * len(wanted),
                "docvalue_fields": ["id"],
            }
        )
        return [hit["fields"]["id"][0] for hit in found["hits"].get("hits", ())]

    def search(self, body: Json) -> Json:
        """One search; its hits, and how many there are."""
        with asking(self._index.settings):
            found = self._index.client.search(
                index=self._index.name,
                body={**_BARE, **body},
                filter_path=_PATHS,
                allow_partial_search_results=False,
            )
        return _whole(dict(found))

    def searches(self, bodies: Sequence[Json]) -> list[Json]:
        """Several searches in one request; raises as one does."""
        lines: list[Json] = []
        for body in bodies:
            lines += [{"allow_partial_search_results": False}, {**_BARE, **body}]
        with asking(self._index.settings):
            found = self._index.client.msearch(
                index=self._index.name,
                searches=lines,
                filter_path="responses.hits.hits.fields,responses.error,responses.status",
            )
        answers = found.get("responses", [])
        for one in answers:
            if "error" in one:
                kind = str(one["error"].get("type", ""))
                raise refusal(int(one.get("status", 500)), kind, self._index.settings)
        return [_whole(one) for one in answers]


def counted(index: OpenIndex, query: Json) -> int:
    """How many items a query finds."""
    with asking(index.settings):
        answer = index.client.count(index=index.name, query=query)
    shards = answer["_shards"]
    if shards["successful"] < shards["total"]:
        raise refusal(503, "shards are missing", index.settings)
    return int(answer["count"])


def _whole(found: Json) -> Json:
    hits = found.get("hits") or {}
    return {"hits": {"hits": hits.get("hits", []), "total": hits.get("total")}}


def document(hit: Json) -> FetchedItem:
    """An item as a search brings it."""
    fields = hit["fields"]
    packed = base64.b64decode(fields["packed"][0]) if "packed" in fields else b""
    told = read_stored_item(fields["told"][0]) if "told" in fields else None
    return FetchedItem(fields["id"][0], fields["alike"][0], packed, told)
