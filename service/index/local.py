"""The embedded index: exact, by scoring every item."""

from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from features.collection.collection import Built, Collection
from features.collection.overlay import Overlay, Put, PutBlocks
from features.measures.base import Bools, Rows, Singles
from models.systems import System
from models.types import SimilarityType
from service.facets import mask
from service.index.port import Proposal, Question, Status
from service.index.ranking import STEP, Eligible, candidates, nearest
from service.index.scoring import Scorer, joined


class LocalIndex:
    """Exact neighbours over a built collection and the live changes on top of it."""

    def __init__(self, built: Built, system: System) -> None:
        self._built = built
        self._changes: dict[str, Put | None] = {}
        self._blocks = PutBlocks()
        self._scorer = Scorer(system)
        self._snapshot: _Snapshot | None = None
        self._revision = built.manifest.revision

    @property
    def collection(self) -> Collection:
        """The items there are now."""
        return self._now.collection

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, list[Proposal]]:
        """The nearest items, each with its score (see ``service.index.port``)."""
        now = self._now
        seeds = [now.collection.row(seed.id) for seed in question.seeds]
        eligible = now.eligible(question, seeds)
        queries = [now.collection.query(row) for row in seeds]
        every = []
        for query in queries:
            question.check()
            every.append(self._scorer.every(now.collection, query, question.types))
        rows, above = {}, {}
        for kind in question.types:
            scores = joined(question.shares, [one[kind] for one in every])
            margin = 2 * self._scorer.rounding(kind) + STEP
            told = np.where(eligible, scores, -np.inf)
            rows[kind], above[kind] = _candidates(told, number, margin, question.after)
        exact = [self._scorer.some(now.collection, query, rows) for query in queries]
        return {
            kind: nearest(
                now.collection.ids,
                rows[kind],
                joined(question.shares, [one[kind] for one in exact]),
                number,
                question.after,
                above[kind],
            )
            for kind in question.types
        }

    def put(self, items: Iterable[Put], revision: int) -> None:
        """Add or replace items."""
        self._change({one.record.id: one for one in items}, revision)

    def delete(self, ids: Iterable[str], revision: int) -> None:
        """Take items out."""
        self._change(dict.fromkeys(ids), revision)

    def status(self) -> Status:
        """How many items there are, and at which revision."""
        manifest = self.collection.manifest
        return Status("local", manifest.items, manifest.revision, exact=True, notice=self.collection.notice)

    def _change(self, changes: Mapping[str, Put | None], revision: int) -> None:
        # questions under way go on with the items that they began with
        self._changes, self._revision, self._snapshot = {**self._changes, **changes}, revision, None

    @property
    def _now(self) -> "_Snapshot":
        """The items there are now, put together when they are first asked for."""
        if self._snapshot is None:
            changed = bool(self._changes)
            now = (
                Overlay(self._built, self._changes, self._revision, self._blocks) if changed else self._built
            )
            self._snapshot = _Snapshot(now)
        return self._snapshot


def _candidates(scores: Singles, number: int, margin: float, after: Proposal | None) -> tuple[Rows, int]:
    """The rows that may be among the ``number`` best behind an item; scores are off by half a margin.

    Also how many are surely not behind it, and not among the rows.
    """
    if after is None:
        return candidates(scores, number, margin), 0
    above = scores > after.bound + margin
    scores[above] = -np.inf
    # which of those that score about as high as the item are behind it is told in double precision
    about = int(np.count_nonzero(scores >= after.bound - margin))
    return candidates(scores, number + about, margin), int(np.count_nonzero(above))


class _Snapshot:
    """The items at one moment."""

    def __init__(self, collection: Collection) -> None:
        self.collection = collection

    def eligible(self, question: Question, seeds: list[int]) -> Bools:
        """Which rows an answer may hold, bool[rows]."""
        allowed = mask(self.collection.facets, question.filters)
        if question.among is not None:
            among = np.zeros(len(self.collection), dtype=bool)
            among[[self.collection.row(item) for item in question.among]] = True
            allowed = among if allowed is None else allowed & among
        return self._eligible([*seeds, *(self.collection.row(item) for item in question.without)], allowed)

    @cached_property
    def _eligible(self) -> Eligible:
        return Eligible(self.collection.duplicates)
