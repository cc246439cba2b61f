"""The index of a cluster: it proposes candidates, which are scored here, and says whether that is all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from features.collection.fetched import Fetched
from features.measures.base import Rows, Scores
from models.systems import System
from models.types import SimilarityType
from service.deadline import Check, unlimited
from service.fulltext.finding import Found as Finding
from service.fulltext.finding import Wanted
from service.index.elastic import finding
from service.index.elastic.asking import Asked, filtered
from service.index.elastic.client import Json
from service.index.elastic.documents import own_id
from service.index.elastic.items import Here, Items, document
from service.index.port import Around, Found, Proposal, Question, Status
from service.index.ranking import PLACES
from service.index.scoring import Scorer, joined


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
        return finding.find(self._here, wanted, check)

    def around(self, after: str | None, number: int) -> Around:
        """So many items that follow an id."""
        return Around(*finding.around(self._here, after, number))

    def any_item(self) -> str | None:
        """The id of an item that chance picks."""
        return finding.any_item(self._here)

    def status(self) -> Status:
        """What the index says of itself."""
        manifest = self.collection.manifest
        return Status("elasticsearch", manifest.items, manifest.revision, exact=False, notice="")
