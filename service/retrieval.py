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
from service.index.port import Index, Proposal, Question
from service.index.ranking import PLACES
from service.index.scoring import Scorer, joined


class Retrieval:
    """The nearest items by a system; with ``candidates`` the index proposes by another."""

    def __init__(
        self, index: Index, collection: Collection, system: System, candidates: int | None = None
    ) -> None:
        self._index, self._collection = index, collection
        self._scorer, self._candidates = Scorer(system), candidates

    def nearest(self, question: Question, limit: int) -> Mapping[SimilarityType, list[Proposal]]:
        """The ``limit`` nearest of each type that is asked for, best first, with their scores."""
        if self._candidates is None:
            return self._index.propose(question, limit)
        proposed = self._index.propose(replace(question, after=None), self._candidates)
        return {
            kind: _behind(self._scored(question, kind, [one.id for one in found]), question.after)[:limit]
            for kind, found in proposed.items()
        }

    def _scored(self, question: Question, kind: SimilarityType, ids: list[str]) -> list[Proposal]:
        """The items to which the type applies with their scores by the system, best first."""
        rows = np.array([self._collection.row(item) for item in ids], np.intp)
        queries = [self._collection.query(self._collection.row(seed.id)) for seed in question.seeds]
        raw = [self._scorer(self._collection, query, (kind,), rows)[kind] for query in queries]
        scores = np.round(joined(question.shares, raw), PLACES).tolist()
        found = [Proposal(*one) for one in zip(ids, scores, strict=True) if one[1] > -np.inf]
        return sorted(found, key=_order)


def _behind(found: list[Proposal], after: Proposal | None) -> list[Proposal]:
    return found if after is None else [one for one in found if _order(one) > _order(after)]


def _order(one: Proposal) -> tuple[float, str]:
    return -one.bound, one.id
