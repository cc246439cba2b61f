"""The index of a cluster: it proposes candidates, which are scored here, and says whether that is all."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from elasticsearch import Elasticsearch

from features.collection.digests import BYTES
from features.collection.fetched import Document, Fetched, Told
from features.measures.base import Rows, Scores
from models.systems import System
from models.types import SimilarityType
from service.deadline import Check, unlimited
from service.fulltext.finding import Found as Finding
from service.fulltext.finding import Wanted
from service.index.elastic.asking import Asked, filtered
from service.index.elastic.client import Json, asking
from service.index.elastic.documents import Shape, own_id, read_told
from service.index.port import Around, Found, Proposal, Question, Status
from service.index.ranking import PLACES
from service.index.scoring import Scorer, joined
from service.settings import IndexSettings

_FIELDS: Final = ("id", "alike", "packed")
_PATHS: Final = "hits.hits._score,hits.hits.fields,hits.total"
_MANY: Final = 1000
"""Ids of one request."""

ALIKE: Final = 20
"""Exact duplicates of an item that are looked through for the first by id."""


@dataclass(frozen=True, slots=True)
class Here:
    """An index of a cluster, open: where it is and what its documents are made with."""

    client: Elasticsearch
    settings: IndexSettings
    name: str
    shape: Shape


class Items:
    """The items of an index, as a source of fetched ones."""

    def __init__(self, here: Here) -> None:
        self._here = here

    def documents(self, ids: Sequence[str]) -> Sequence[Document]:
        """The items of some ids, as far as they are there."""
        return [one for at in range(0, len(ids), _MANY) for one in self._documents(ids[at : at + _MANY])]

    def _documents(self, ids: Sequence[str]) -> Iterable[Document]:
        query = {"ids": {"values": [own_id(item) for item in ids]}}
        # with what tells of them: who names an item mostly wants to know of it
        found = self.search({"query": query, "size": len(ids), "stored_fields": ["told"]})
        return [document(hit) for hit in found["hits"]["hits"]]

    def told(self, ids: Sequence[str]) -> Mapping[str, Told]:
        """The records and profiles of some ids, as far as they are there."""
        found: dict[str, Told] = {}
        for at in range(0, len(ids), _MANY):
            some = ids[at : at + _MANY]
            query = {"ids": {"values": [own_id(item) for item in some]}}
            asked = {"query": query, "size": len(some), "stored_fields": ["told"], "docvalue_fields": ["id"]}
            for hit in self.search(asked)["hits"]["hits"]:
                found[hit["fields"]["id"][0]] = read_told(hit["fields"]["told"][0])
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
        whole = {
            "docvalue_fields": list(_FIELDS),
            "stored_fields": "_none_",
            "track_total_hits": False,
            **body,
        }
        with asking(self._here.settings):
            found = self._here.client.search(index=self._here.name, body=whole, filter_path=_PATHS)
        return _whole(dict(found))

    def searches(self, bodies: Sequence[Json]) -> list[Json]:
        """Several searches in one request; raises as one does."""
        lines: list[Json] = []
        for body in bodies:
            lines += [
                {},
                {
                    "docvalue_fields": list(_FIELDS),
                    "stored_fields": "_none_",
                    "track_total_hits": False,
                    **body,
                },
            ]
        with asking(self._here.settings):
            found = self._here.client.msearch(
                index=self._here.name,
                searches=lines,
                filter_path="responses.hits.hits._score,responses.hits.hits.fields,responses.error,"
                "responses.status",
            )
        answers = found.get("responses", [])
        for one in answers:
            if "error" in one:
                raise refusal(self._here.settings, one)
        return [_whole(one) for one in answers]


def refusal(settings: IndexSettings, answer: Json) -> Exception:
    """The error of one of several answers."""
    from ingest.errors import IndexMissing, IndexUnavailable

    kind = answer["error"].get("type", "")
    where = ", ".join(settings.urls)
    if answer.get("status") == 404:
        return IndexMissing(f"the cluster at {where} has no such index; run: kindred index build")
    return IndexUnavailable(f"the cluster at {where} cannot answer now ({answer.get('status')} {kind})")


def _whole(found: Json) -> Json:
    hits = found.get("hits") or {}
    return {"hits": {"hits": hits.get("hits", []), "total": hits.get("total")}}


def document(hit: Json) -> Document:
    """An item as a search brings it."""
    fields = hit["fields"]
    packed = base64.b64decode(fields["packed"][0]) if "packed" in fields else b""
    told = read_told(fields["told"][0]) if "told" in fields else None
    return Document(fields["id"][0], fields["alike"][0], packed, told)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What the searches of a type found: ids, and the most that an item has of *said* that was not found."""

    ids: tuple[str, ...]
    rest: float
    whole: bool


class ElasticIndex:
    """Proposes items of a cluster; each is scored by the code of the local index."""

    def __init__(self, here: Here, items: Items, collection: Fetched, system: System) -> None:
        self._here, self._items, self._system = here, items, system
        self.collection = collection
        self._scorer = Scorer(system)

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Found]:
        """The nearest items that were found, each with its score (see ``service.index.port``)."""
        collection = self.collection
        collection.fetch([*(seed.id for seed in question.seeds), *sorted(question.without)])
        seeds = [collection.row(seed.id) for seed in question.seeds]
        gone = {collection.alike(collection.row(item)) for item in question.without}
        gone |= {collection.alike(row) for row in seeds}
        size, found = self._here.settings.candidates, dict[SimilarityType, Found]()
        rest = list(question.types)
        while rest:
            question.check()
            drawn = self._drawn(question, rest, gone, size)
            question.check()
            for kind, own in self._scored(question, seeds, drawn, gone, number).items():
                if (
                    own.exact
                    or size >= self._here.settings.budget
                    or not self._worth(question, kind, own, number)
                ):
                    found[kind] = own
                    rest.remove(kind)
            size = min(4 * size, self._here.settings.budget)
        return {kind: found[kind] for kind in question.types}

    def _worth(self, question: Question, kind: SimilarityType, found: Found, number: int) -> bool:
        """Whether looking further can prove an answer, or fill it: the curves alone may forbid it."""
        if len(found) < number:
            return not found.exact
        row = self.collection.row(question.seeds[0].id)
        asked = Asked(self._here.shape, self._system, self.collection, row, kind)
        return question.after is not None or asked.bound(0.0) <= found[-1].bound

    def _drawn(
        self, question: Question, types: Sequence[SimilarityType], gone: set[str], size: int
    ) -> dict[SimilarityType, _Drawn]:
        """What the searches of each type find, the seeds' together."""
        filters = self._filters(question)
        bodies: list[Json] = []
        of: list[tuple[SimilarityType, bool | None]] = []
        for kind in types:
            for seed in question.seeds:
                row = self.collection.row(seed.id)
                asked = Asked(self._here.shape, self._system, self.collection, row, kind)
                for near, body in self._bodies(asked, filters, gone, size):
                    bodies.append(body)
                    of.append((kind, near))
        answers = self._items.searches(bodies)
        ids: dict[SimilarityType, dict[str, None]] = {kind: {} for kind in types}
        rests: dict[SimilarityType, float] = dict.fromkeys(types, 0.0)
        whole: dict[SimilarityType, bool] = dict.fromkeys(types, False)
        for (kind, near), answer in zip(of, answers, strict=True):
            hits = answer["hits"]["hits"]
            documents = [document(hit) for hit in hits]
            self.collection.add(documents)
            ids[kind] |= dict.fromkeys(one.id for one in documents)
            if near is None and len(hits) < size:
                whole[kind] = True
            elif near is False and len(hits) == size:
                rests[kind] = max(rests[kind], float(hits[-1]["_score"]))
        several = len(question.seeds) > 1
        return {
            kind: _Drawn(tuple(ids[kind]), np.inf if several else rests[kind], whole[kind]) for kind in types
        }

    def _bodies(
        self, asked: Asked, filters: list[Json], gone: set[str], size: int
    ) -> Iterable[tuple[bool | None, Json]]:
        """The searches of a type for one item, and which each is: near, said, or None for all there are."""
        without = [{"terms": {"alike": sorted(gone)}}]
        if len(self.collection) <= size or (filters and self._few(filters, size)):
            yield None, {"query": {"bool": {"filter": filters, "must_not": without}}, "size": size}
            return
        said = asked.said()
        if said:
            own = {"should": said, "minimum_should_match": 1, "filter": filters, "must_not": without}
            yield False, {"query": {"bool": own}, "size": size}
        if near := asked.near(filters):
            must = {"bool": {"should": near, "minimum_should_match": 1}}
            ranked = {"must": [must], "should": said, "filter": filters, "must_not": without}
            yield True, {"query": {"bool": ranked}, "size": size}

    def _few(self, filters: list[Json], size: int) -> bool:
        """Whether so few items pass that all of them can be scored."""
        body = {"query": {"bool": {"filter": filters}}, "size": 0, "track_total_hits": size}
        total = self._items.search(body)["hits"]["total"]
        return bool(total["value"] < size)

    def _filters(self, question: Question) -> list[Json]:
        found = filtered(question.filters)
        if question.among is not None:
            found.append({"ids": {"values": [own_id(item) for item in sorted(question.among)]}})
        elif not found:
            # of exact duplicates the first by id; which it is among some is told later
            found.append({"term": {"first": True}})
        return found

    def _scored(
        self,
        question: Question,
        seeds: Sequence[int],
        drawn: Mapping[SimilarityType, _Drawn],
        gone: set[str],
        number: int,
    ) -> dict[SimilarityType, Found]:
        rows = {
            kind: np.array(sorted({self.collection.row(item) for item in own.ids}), np.intp)
            for kind, own in drawn.items()
        }
        raw = [self._scorer.some(self.collection, self.collection.query(row), rows) for row in seeds]
        found = {}
        for kind, own in drawn.items():
            scores = joined(question.shares, [one[kind] for one in raw])
            best, last = self._best(rows[kind], scores, gone, question, number)
            exact, bound = own.whole, None
            if not own.whole:
                asked = Asked(self._here.shape, self._system, self.collection, seeds[0], kind)
                bound = asked.bound(own.rest) if np.isfinite(own.rest) else np.inf
                exact = len(best) == number and last >= bound
            found[kind] = Found(best, exact=exact, bound=None if exact or bound is None else bound)
        return found

    def _best(
        self, rows: Rows, scores: Scores, gone: set[str], question: Question, number: int
    ) -> tuple[list[Proposal], float]:
        """The best of some rows, and the score of the last of them: score down, ties by id."""
        bounds = np.round(scores, PLACES)
        ids = self.collection.ids
        order = sorted(
            (row for row, score in zip(range(len(rows)), bounds, strict=True) if score > -np.inf),
            key=lambda at: (-bounds[at], ids[int(rows[at])]),
        )
        every = np.sort(-bounds)
        found: list[Proposal] = []
        seen = set(gone)
        for at in order:
            row, score = int(rows[at]), float(bounds[at])
            alike, item = self.collection.alike(row), ids[row]
            if alike in seen:
                continue
            seen.add(alike)
            after = question.after
            if after is not None and (-score, item) <= (-after.bound, after.id):
                continue
            as_high = int(np.searchsorted(every, -score, side="right"))
            found.append(Proposal(item, score, as_high))
            if len(found) == number:
                break
        return found, found[-1].bound if found else -np.inf

    def find(self, wanted: Wanted, check: Check = unlimited) -> Finding:
        """The items that a search in texts finds."""
        from service.index.elastic.finding import find

        return find(self._here, wanted, check)

    def around(self, after: str | None, number: int) -> Around:
        """So many items that follow an id."""
        from service.index.elastic.finding import around

        return Around(*around(self._here, after, number))

    def any_item(self) -> str | None:
        """The id of an item that chance picks."""
        from service.index.elastic.finding import any_item

        return any_item(self._here)

    def status(self) -> Status:
        """What the index says of itself."""
        manifest = self.collection.manifest
        return Status("elasticsearch", manifest.items, manifest.revision, exact=False, notice="")
