"""The index: the best by the estimates are scored exactly and ranked."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from features.arrays import Bools, Doubles, Rows, Singles
from features.collection.collection import Built, Query
from features.collection.delta import Delta
from models.systems import System
from models.types import SimilarityType
from service.search.engines.port import ItemPage, Question, Results
from service.search.engines.ranking import Eligible, nearest
from service.search.engines.scoring import Scorer, joined
from service.search.facets import mask
from service.search.fulltext.finding import ResultPage as TextMatches
from service.search.fulltext.finding import WordQuery, find
from service.search.queries import Check, unlimited
from tests.service.search.engines.memory.estimates import Estimates


class MemoryIndex:
    """Proposes by estimates; what was put since the build is always a candidate."""

    def __init__(
        self, collection: Built | Delta, estimates: Estimates, system: System, candidates: int
    ) -> None:
        self.collection, self._estimates, self._candidates = collection, estimates, candidates
        self._scorer, self._eligible = Scorer(system), Eligible(collection.duplicates)

    @property
    def every_item(self) -> Self:
        """The index itself."""
        return self

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Results]:
        """The nearest of the candidates, more of them where they do not fill the answer."""
        seeds = [self.collection.row(seed.id) for seed in question.seeds]
        queries = [self.collection.query(row) for row in seeds]
        allowed = self._allowed(question, seeds)
        answers = {}
        for kind in question.types:
            size = max(self._candidates, 2 * number)
            order, items = self._order(question, queries, kind, allowed), int(allowed.sum())
            while True:
                question.check()
                rows = np.sort(order[:size])
                answers[kind] = self._ranked(question, queries, kind, rows, number, whole=size >= items)
                if size >= items or len(answers[kind]) == number:
                    break
                size *= 4
        return answers

    def _allowed(self, question: Question, seeds: Sequence[int]) -> Bools:
        fitting = mask(self.collection.facets, question.filters)
        if question.among is not None:
            among = np.zeros(len(self.collection), dtype=bool)
            among[[self.collection.row(item) for item in question.among]] = True
            fitting = among if fitting is None else fitting & among
        return self._eligible([*seeds, *(self.collection.row(item) for item in question.without)], fitting)

    def _order(
        self, question: Question, queries: Sequence[Query], kind: SimilarityType, allowed: Bools
    ) -> Rows:
        """The rows that an answer may hold, the best by their estimates first."""
        shares = zip(question.shares, queries, strict=True)
        built: Doubles = np.sum([share * self._estimates.of(query, kind) for share, query in shares], axis=0)
        estimates = built
        if isinstance(self.collection, Delta):
            estimates = np.full(len(self.collection), np.inf)
            stored = self.collection.stored
            estimates[stored] = built[self.collection.places[stored]]
        rows = np.flatnonzero(allowed)
        return rows[np.argsort(-estimates[rows], kind="stable")]

    def _ranked(
        self,
        question: Question,
        queries: Sequence[Query],
        kind: SimilarityType,
        rows: Rows,
        number: int,
        *,
        whole: bool,
    ) -> Results:
        raw = [self._scorer.some(self.collection, query, {kind: rows})[kind] for query in queries]
        best = nearest(self.collection.ids, rows, joined(question.shares, raw), number, question.after)
        least, most = self._estimates.limits(kind)
        bound = sum(share * (most if share > 0 else least) for share in question.shares)
        exact = whole or (len(best) == number and best[-1].bound >= bound)
        return Results(best, exact=exact, bound=None if exact else bound, counted=whole)

    def scores(self, row: int, types: Sequence[SimilarityType]) -> Mapping[SimilarityType, Singles]:
        """The scores of a row with every row."""
        return self._scorer.every(self.collection, self.collection.query(row), types)

    def find(self, wanted: WordQuery, check: Check = unlimited) -> TextMatches:
        """The items that a search in texts finds."""
        return find(self.collection, wanted, check)

    def around(self, after: str | None, number: int) -> ItemPage:
        """So many items that follow an id."""
        ids = self.collection.ids
        begin = 0 if after is None else bisect_right(ids, after)
        rows = range(begin, min(begin + number, len(ids)))
        previous = ids[begin - number - 1] if begin > number else None
        return ItemPage(begin, [self.collection.record(row) for row in rows], previous)

    def any_item(self) -> str | None:
        """The id of some item."""
        return next(iter(self.collection.ids), None)

    def scored(self) -> int:
        """As many as there are candidates."""
        return min(self._candidates, len(self.collection))
