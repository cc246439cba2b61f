"""The index of a cluster: it proposes candidates, which are scored here, and says whether that is all."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from features.collection.fetched import Fetched
from features.measures.base import Rows, Scores
from models.systems import System
from models.types import SimilarityType
from service.deadline import Check, unlimited
from service.fulltext.finding import Found as Finding
from service.fulltext.finding import Wanted
from service.search.engines.elastic import finding
from service.search.engines.elastic.client import Json
from service.search.engines.elastic.documents import own_id
from service.search.engines.elastic.items import Here, Items, document
from service.search.engines.elastic.query_builder import Asked, filtered
from service.search.engines.port import Around, Found, Proposal, Question
from service.search.engines.ranking import PLACES
from service.search.engines.scoring import Scorer, joined


class _Drawn(NamedTuple):
    """What the searches of a type found: ids, and whether that is all there are."""

    ids: tuple[str, ...]
    whole: bool


class ElasticIndex:
    """Proposes items of a cluster; each is scored by the code of the local index."""

    def __init__(self, here: Here, items: Items, collection: Fetched, system: System) -> None:
        self._here, self._items, self._system = here, items, system
        self.collection = collection
        self._scorer = Scorer(system)

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Found]:
        """The nearest items that were found, each with its score (see ``service.search.engines.port``).

        Where they are too few, more are looked at, up to the budget.
        """
        collection, settings = self.collection, self._here.settings
        collection.fetch([*(seed.id for seed in question.seeds), *sorted(question.without)])
        seeds = [collection.row(seed.id) for seed in question.seeds]
        gone = {collection.alike(collection.row(item)) for item in question.without}
        gone |= {collection.alike(row) for row in seeds}
        found, rest = dict[SimilarityType, Found](), list(question.types)
        size = max(settings.candidates, 2 * number)
        while rest:
            question.check()
            drawn = self._drawn(question, rest, gone, size)
            question.check()
            for kind, own in self._scored(question, seeds, drawn, gone, number).items():
                if own.exact or len(own) == number or size >= settings.budget:
                    found[kind] = own
                    rest.remove(kind)
            size = max(size, min(4 * size, settings.budget))
        return {kind: found[kind] for kind in question.types}

    def _drawn(
        self, question: Question, types: Sequence[SimilarityType], gone: set[str], size: int
    ) -> dict[SimilarityType, _Drawn]:
        """What the searches of each type find, the seeds' together."""
        filters = self._filters(question)
        without = [{"terms": {"alike": sorted(gone)}}]
        few = len(self.collection) <= size or (question.filtered and self._few(filters, size))
        if few:
            query = {"bool": {"filter": filters, "must_not": without}}
            ids = self._taken(self._items.search({"query": query, "size": size}))
            return dict.fromkeys(types, _Drawn(ids, whole=True))
        asked = [
            (kind, Asked(self._here.shape, self._system, self.collection, self.collection.row(seed.id), kind))
            for kind in types
            for seed in question.seeds
        ]
        bodies = [
            {
                "query": {"bool": {"should": one.should(filters), "filter": filters, "must_not": without}},
                "size": size,
            }
            for _, one in asked
        ]
        drawn: dict[SimilarityType, dict[str, None]] = {kind: {} for kind in types}
        for (kind, _), answer in zip(asked, self._items.searches(bodies), strict=True):
            drawn[kind] |= dict.fromkeys(self._taken(answer))
        return {kind: _Drawn(tuple(ids), whole=False) for kind, ids in drawn.items()}

    def _taken(self, answer: Json) -> tuple[str, ...]:
        """Have the items of an answer here; their ids."""
        documents = [document(hit) for hit in answer["hits"]["hits"]]
        self.collection.add(documents)
        # one that was deleted a moment ago did not come
        return tuple(one.id for one in documents if self.collection.holds(one.id))

    def _few(self, filters: list[Json], size: int) -> bool:
        """Whether so few items pass that all of them can be scored."""
        body = {"query": {"bool": {"filter": filters}}, "size": 0, "track_total_hits": size + 1}
        total = self._items.search(body)["hits"]["total"]
        return bool(total["value"] <= size)

    def _filters(self, question: Question) -> list[Json]:
        found = filtered(question.filters)
        if question.among is not None:
            found.append({"ids": {"values": [own_id(item) for item in sorted(question.among)]}})
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
            bound = None if own.whole else self._bound(question, kind)
            exact = bound is None or (len(best) == number and last >= bound)
            found[kind] = Found(best, exact=exact, bound=None if exact else bound)
        return found

    def _bound(self, question: Question, kind: SimilarityType) -> float:
        """A score that no item exceeds, whatever it is."""
        total = 0.0
        for seed, share in zip(question.seeds, question.shares, strict=True):
            row = self.collection.row(seed.id)
            asked = Asked(self._here.shape, self._system, self.collection, row, kind)
            total += share * (asked.most if share > 0 else asked.least)
        return total

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

    def scored(self) -> int:
        """What the engine proposes at most."""
        return min(len(self.collection), max(self._here.settings.candidates, self._here.settings.budget))
