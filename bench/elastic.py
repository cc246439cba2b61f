"""A running Elasticsearch as a peer: the words of every item in one text field, and more_like_this."""

import json
from collections.abc import Iterable, Iterator
from http.client import HTTPConnection
from itertools import islice
from typing import TypedDict
from urllib.parse import urlsplit

_INDEX = "kindred-bench"
_BULK = 2000
_TERMS = 25
"""Terms of an item that it is asked with: those of the highest TF-IDF, as Elasticsearch chooses them."""


class _Hit(TypedDict):
    _id: str


class _Hits(TypedDict):
    hits: list[_Hit]


class _Answer(TypedDict, total=False):
    errors: bool
    hits: _Hits


class Elastic:
    """One index of one shard on a server that is asked over one connection, as a client would.

    The index is made anew; ``close`` removes it.
    """

    def __init__(self, address: str, texts: Iterable[str]) -> None:
        self._connection = HTTPConnection(urlsplit(address).netloc, timeout=120)
        self._ask("DELETE", f"/{_INDEX}?ignore_unavailable=true")
        fields = {"text": {"type": "text", "term_vector": "yes"}}
        settings = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": -1}
        self._ask("PUT", f"/{_INDEX}", {"settings": settings, "mappings": {"properties": fields}})
        rest: Iterator[tuple[int, str]] = enumerate(texts)
        while some := list(islice(rest, _BULK)):
            lines = [
                json.dumps(each) for n, text in some for each in ({"index": {"_id": str(n)}}, {"text": text})
            ]
            self._send("POST", f"/{_INDEX}/_bulk", "\n".join([*lines, ""]))
        self._ask("POST", f"/{_INDEX}/_forcemerge?max_num_segments=1")
        self._ask("POST", f"/{_INDEX}/_refresh")

    def like(self, row: int, limit: int) -> list[int]:
        """The rows most like one, by their words; approximate, since it is asked with some terms only."""
        like = {"fields": ["text"], "like": [{"_index": _INDEX, "_id": str(row)}], "max_query_terms": _TERMS}
        query = {"query": {"more_like_this": {**like, "min_term_freq": 1}}, "size": limit, "_source": False}
        found = self._ask("POST", f"/{_INDEX}/_search", query)
        return [int(hit["_id"]) for hit in found["hits"]["hits"]]

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
        found: _Answer = json.loads(text) if text else {}
        if answer.status >= 300 and not (method == "DELETE" and answer.status == 404):
            raise SystemExit(f"{method} {path}: {answer.status} {text[:300]!r}")
        if found.get("errors"):
            raise SystemExit(f"{method} {path}: not all was indexed: {text[:300]!r}")
        return found
