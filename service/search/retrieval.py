"""From an index's proposals to neighbours with scores: one code for all indexes.

An index that is exact for the system gives the scores themselves. A system that is not additive cannot be
searched: an additive one proposes, and what it proposes is scored. Of each type the ``candidates`` items that
the additive system ranks highest are scored by the system and ranked by these scores. The answer is then
approximate: an item that the additive system ranks lower is not found, however high the system would score
it. ``python -m bench.recall`` measures how much of the exact answer is. The candidates depend neither on how
many neighbours are asked for nor on the page: pages together give each candidate once, best first, and then
end.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from features.collection.collection import Collection
from models.systems import System
from models.types import SimilarityType
from service.search.engines.port import Index, Proposal, Question, Results
from service.search.engines.ranking import nearest
from service.search.engines.scoring import Scorer, joined


class Retrieval:
    """The nearest items by a system; with ``candidates`` the index proposes by another."""

    def __init__(
        self, index: Index, collection: Collection, system: System, candidates: int | None = None
    ) -> None:
        self._index, self._collection = index, collection
        self._scorer, self._candidates = Scorer(system), candidates

    def nearest(self, question: Question, limit: int) -> Mapping[SimilarityType, Results]:
        """The ``limit`` nearest of each type that is asked for, best first, with their scores.

        A type of which no seed that is wanted says anything has none.
        """
        inapplicable = self.inapplicable(question)
        told = replace(question, types=tuple(kind for kind in question.types if kind not in inapplicable))
        found = self._found(told, limit)
        return {kind: found.get(kind, Results()) for kind in question.types}

    def inapplicable(self, question: Question) -> tuple[SimilarityType, ...]:
        """The types that are asked for of which no seed that is wanted says anything."""
        system = self._scorer.system
        tell = {kind: system.not_applicable[kind] for kind in question.types if kind in system.not_applicable}
        rows = [self._collection.row(seed.id) for seed in question.seeds if seed.weight > 0]
        # of an item with itself such a feature tells whether it has anything
        values = [self._collection.values(self._collection.query(row), np.array([row])) for row in rows]
        return tuple(
            kind for kind, name in tell.items() if all(system.lacks(kind, own[name])[0] for own in values)
        )

    def _found(self, question: Question, limit: int) -> Mapping[SimilarityType, Results]:
        if self._candidates is None:
            return self._index.propose(question, limit)
        proposed = self._index.propose(replace(question, after=None), self._candidates)
        return {
            kind: Results(self._scored(question, kind, sorted(one.id for one in found), limit), exact=False)
            for kind, found in proposed.items()
        }

    def _scored(self, question: Question, kind: SimilarityType, ids: list[str], limit: int) -> list[Proposal]:
        """The best by the system of some items, which alone are counted."""
        rows = np.array([self._collection.row(item) for item in ids], np.intp)
        raw = []
        for seed in question.seeds:
            question.check()
            query = self._collection.query(self._collection.row(seed.id))
            raw.append(self._scorer.some(self._collection, query, {kind: rows})[kind])
        scores = joined(question.shares, raw)
        return nearest(self._collection.ids, rows, scores, limit, question.after)
