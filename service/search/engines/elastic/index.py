"""The index of a cluster: it proposes candidates, which are scored here, and says whether these are all."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from features.arrays import Rows
from features.collection.fetched import FetchedCollection
from models.systems import System
from models.types import SimilarityType
from service.search.engines.elastic import finding
from service.search.engines.elastic.client import EngineJson
from service.search.engines.elastic.documents import own_id
from service.search.engines.elastic.items import Items, OpenIndex, document
from service.search.engines.elastic.query_builder import QueryBuilder, filtered
from service.search.engines.port import ItemPage, Question, Results
from service.search.engines.ranking import nearest
from service.search.engines.scoring import Scorer, joined
from service.search.fulltext.finding import ResultPage as TextMatches
from service.search.fulltext.finding import WordQuery
from service.search.queries import Check, unlimited


class _Candidates(NamedTuple):
    """What the searches of a type propose: ids, and whether that is all there are."""

    ids: Sequence[str]
    whole: bool


class ElasticIndex:
    """Proposes items of a cluster; each is scored by the code of the local index."""

    every_item = None

    def __init__(self, index: OpenIndex, items: Items, collection: FetchedCollection, system: System) -> None:
        self._index, self._items, self._system = index, items, system
        self.collection = collection
        self._scorer = Scorer(system)

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Results]:
        """The nearest of the candidates, each with its score (see ``service.search.engines.port``).

        Where they are too few, more are looked at, up to the budget.
        """
        collection, settings = self.collection, self._index.settings
        collection.fetch([*(seed.id for seed in question.seeds), *sorted(question.without)])
        seeds = [collection.row(seed.id) for seed in question.seeds]
        without = [*seeds, *(collection.row(item) for item in question.without)]
        done, rest = dict[SimilarityType, Results](), list(question.types)
        size = max(settings.candidates, 2 * number)
        while rest:
            question.check()
            candidates = self._candidates(question, rest, without, size)
            question.check()
            for kind, results in self._ranked(question, seeds, candidates, without, number).items():
                if results.exact or len(results) == number or size >= settings.budget:
                    done[kind] = results
                    rest.remove(kind)
            size = max(size, min(4 * size, settings.budget))
        return {kind: done[kind] for kind in question.types}

    def _candidates(
        self, question: Question, types: Sequence[SimilarityType], without: Sequence[int], size: int
    ) -> dict[SimilarityType, _Candidates]:
        """What the searches of each type propose, the seeds' together."""
        filters = filtered(question.filters)
        if question.among is not None:
            filters.append({"ids": {"values": [own_id(item) for item in sorted(question.among)]}})
        gone = [{"terms": {"alike": sorted({self.collection.alike(row) for row in without})}}]
        every = {"filter": filters, "must_not": gone}
        if len(self.collection) <= size or (question.filtered and self._are_few(filters, size)):
            ids = self._fetched(self._items.search({"query": {"bool": every}, "size": size}))
            return dict.fromkeys(types, _Candidates(ids, whole=True))
        rows = [self.collection.row(seed.id) for seed in question.seeds]
        searches = [(kind, self._builder(row, kind)) for kind in types for row in rows]
        bodies = [
            {"query": {"bool": {"should": builder.should(filters), **every}}, "size": size}
            for _, builder in searches
        ]
        proposed: dict[SimilarityType, dict[str, None]] = {kind: {} for kind in types}
        for (kind, _), answer in zip(searches, self._items.searches(bodies), strict=True):
            proposed[kind] |= dict.fromkeys(self._fetched(answer))
        return {kind: _Candidates([*ids], whole=False) for kind, ids in proposed.items()}

    def _builder(self, row: int, kind: SimilarityType) -> QueryBuilder:
        return QueryBuilder(self._index.shape, self._system, self.collection, row, kind)

    def _fetched(self, answer: EngineJson) -> list[str]:
        """The ids of the items of an answer, which are in the collection from now on."""
        documents = [document(hit) for hit in answer["hits"]]
        self.collection.add(documents)
        # one that was deleted a moment ago did not come
        return [one.id for one in documents if self.collection.holds(one.id)]

    def _are_few(self, filters: list[EngineJson], size: int) -> bool:
        """Whether so few items pass that all of them can be scored."""
        body = {"query": {"bool": {"filter": filters}}, "size": 0, "track_total_hits": size + 1}
        return bool(self._items.search(body)["total"]["value"] <= size)

    def _ranked(
        self,
        question: Question,
        seeds: Sequence[int],
        candidates: Mapping[SimilarityType, _Candidates],
        without: Sequence[int],
        number: int,
    ) -> dict[SimilarityType, Results]:
        """The best of the candidates of each type, by their exact scores."""
        rows = {kind: self._firsts(own.ids, without) for kind, own in candidates.items()}
        raw = [self._scorer.some(self.collection, self.collection.query(row), rows) for row in seeds]
        ranked = {}
        for kind, own in candidates.items():
            scores = joined(question.shares, [one[kind] for one in raw])
            # the rows are in the order of their ids
            ids = [self.collection.ids[row] for row in rows[kind].tolist()]
            best = nearest(ids, np.arange(len(ids)), scores, number, question.after)
            bound = None if own.whole else self._bound(question, kind)
            exact = bound is None or (len(best) == number and best[-1].bound >= bound)
            ranked[kind] = Results(best, exact=exact, bound=None if exact else bound, counted=own.whole)
        return ranked

    def _firsts(self, ids: Sequence[str], without: Sequence[int]) -> Rows:
        """The rows of some items in the order of their ids: of exact duplicates the first, of some none."""
        rows = np.array([self.collection.row(item) for item in sorted(ids)], np.intp)
        groups, firsts = np.unique(self.collection.duplicates[rows], return_index=True)
        allowed = ~np.isin(groups, self.collection.duplicates[list(without)])
        return rows[np.sort(firsts[allowed])]

    def _bound(self, question: Question, kind: SimilarityType) -> float:
        """A score that no item exceeds, whatever it is."""
        total = 0.0
        for seed, share in zip(question.seeds, question.shares, strict=True):
            builder = self._builder(self.collection.row(seed.id), kind)
            total += share * (builder.most if share > 0 else builder.least)
        return total

    def find(self, wanted: WordQuery, check: Check = unlimited) -> TextMatches:
        """The items that a search in texts finds."""
        return finding.find(self._index, wanted, check)

    def around(self, after: str | None, number: int) -> ItemPage:
        """So many items that follow an id."""
        return finding.around(self._index, after, number)

    def any_item(self) -> str | None:
        """The id of an item that chance picks."""
        return finding.any_item(self._index)

    def scored(self) -> int:
        """What the engine proposes at most."""
        return min(len(self.collection), max(self._index.settings.candidates, self._index.settings.budget))
