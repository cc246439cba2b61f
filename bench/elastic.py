"""Two ways in which Elasticsearch itself finds like items, as peers: more_like_this, and Europeana's recipe.

Europeana's portal asks its search for what shares a subject, kind, maker or provider with an item: an OR of
the phrases of each, weighed .8, .5 and .2 (portal.js, plugins/europeana/record, ``SIMILAR_ITEMS_FIELDS``).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from http.client import HTTPConnection
from itertools import islice
from typing import Literal, TypeAlias, TypedDict
from urllib.parse import urlsplit

from ingest.record import Record

Way = Literal["more_like_this", "europeana"]
WAYS: tuple[Way, ...] = ("more_like_this", "europeana")

Query: TypeAlias = dict[str, object]

_INDEX = "kindred-bench-peers"
_BULK = 2000
_TERMS = 25
"""Terms of an item that it is asked with: those of the highest TF-IDF, as Elasticsearch chooses them."""

_BOOSTS = {"what": 0.8, "who": 0.5, "provider": 0.2}


class _Hit(TypedDict):
    _id: str
    _score: float


class _Hits(TypedDict):
    hits: list[_Hit]


class _Answer(TypedDict, total=False):
    errors: bool
    hits: _Hits


class Elastic:
    """One index of one shard on a server that is asked over one connection, as a client would.

    The index is made anew; ``close`` removes it.
    """

    def __init__(self, address: str, records: Iterable[Record]) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
        self._ask("DELETE", f"/{_INDEX}?ignore_unavailable=true")
        phrases = {"type": "text"}
        fields = {"text": {"type": "text", "term_vector": "yes"}, **dict.fromkeys(_BOOSTS, phrases)}
        settings = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": -1}
        self._ask("PUT", f"/{_INDEX}", {"settings": settings, "mappings": {"properties": fields}})
        rest: Iterator[Record] = iter(records)
        while some := list(islice(rest, _BULK)):
            lines = [
                json.dumps(each) for one in some for each in ({"index": {"_id": one.id}}, _document(one))
            ]
            self._send("POST", f"/{_INDEX}/_bulk", "\n".join([*lines, ""]))
        self._ask("POST", f"/{_INDEX}/_forcemerge?max_num_segments=1")
        self._ask("POST", f"/{_INDEX}/_refresh")

    def like(self, way: Way, record: Record, limit: int, among: Sequence[str] = ()) -> dict[str, float]:
        """The ids of the items most like one, best first, with their scores; among some if they are named."""
        wanted: Query = {"must": [_clause(way, record)], "must_not": [{"ids": {"values": [record.id]}}]}
        if among:
            wanted["filter"] = [{"ids": {"values": list(among)}}]
        body = {"query": {"bool": wanted}, "size": limit, "_source": False, "track_total_hits": False}
        answer = self._ask("POST", f"/{_INDEX}/_search", body)
        return {hit["_id"]: hit["_score"] for hit in answer["hits"]["hits"]}

    def close(self) -> None:
        """Remove the index."""
        self._ask("DELETE", f"/{_INDEX}")
        self._connection.close()

    def _ask(self, method: str, path: str, body: object = None) -> _Answer:
        return self._send(method, path, None if body is None else json.dumps(body))

    def _send(self, method: str, path: str, body: str | None) -> _Answer:
        data = None if body is None else body.encode()
        self._connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read()
        document: _Answer = json.loads(text) if text else {}
        if answer.status >= 300 and not (method == "DELETE" and answer.status == 404):
            raise SystemExit(f"{method} {path}: {answer.status} {text[:300]!r}")
        if document.get("errors"):
            raise SystemExit(f"{method} {path}: not all was indexed: {text[:300]!r}")
        return document


def _document(record: Record) -> dict[str, object]:
    fields = (record.title, record.creator, record.subject, record.description, record.date, record.source)
    return {"text": "\n".join(value.text for values in fields for value in values), **_phrases(record)}


def _phrases(record: Record) -> dict[str, list[str]]:
    """What Europeana's recipe compares: subjects and kind, makers, the provider."""
    return {
        "what": [*(value.text for value in record.subject), *([record.type] if record.type else [])],
        "who": [value.text for value in record.creator],
        "provider": [record.provider] if record.provider else [],
    }


def _clause(way: Way, record: Record) -> Query:
    if way == "more_like_this":
        like: Query = {"fields": ["text"], "like": [{"_index": _INDEX, "_id": record.id}]}
        return {"more_like_this": {**like, "max_query_terms": _TERMS, "min_term_freq": 1}}
    should = [
        {"match_phrase": {field: {"query": phrase, "boost": _BOOSTS[field]}}}
        for field, own in _phrases(record).items()
        for phrase in own
    ]
    # a record without any of them has no like item
    return {"bool": {"should": should, "minimum_should_match": 1}} if should else {"match_none": {}}
