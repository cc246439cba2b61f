"""The embedded index: exact, by a pass over every item."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from secrets import randbelow
from typing import Final, NamedTuple, Self

import numpy as np

from features.arrays import Bools, Doubles, Rows, Singles
from features.collection.collection import Built, Collection
from features.collection.delta import Delta, DeltaBlocks, PutItem
from models.systems import System
from models.types import SimilarityType
from service.search.engines.local.precomputed import PrecomputedNeighbours, merged
from service.search.engines.port import ItemPage, ProposedItem, Question, Results
from service.search.engines.pruning import Wanted
from service.search.engines.ranking import Eligible, candidates, nearest, passed
from service.search.engines.scoring import Scorer, joined
from service.search.engines.terms import margin
from service.search.facets import mask
from service.search.fulltext.finding import ResultPage as TextMatches
from service.search.fulltext.finding import WordQuery, find
from service.search.queries import Check, unlimited

_FEW: Final = 1000
"""Items that came since a build up to which each is scored and merged into precomputed neighbours."""


class PartResults(NamedTuple):
    """The nearest of some items, and how many of these stand before the place that was asked from."""

    best: list[ProposedItem]
    before: int


class LocalIndex:
    """Exact neighbours over a built collection and the live changes on top of it.

    A question of one item among all items is answered from ``known`` neighbours, precomputed ones,
    where they are enough; live changes are merged into these.
    """

    def __init__(self, built: Built, system: System, known: PrecomputedNeighbours | None = None) -> None:
        self._built, self._known = built, known
        self._changes: dict[str, PutItem | None] = {}
        self._blocks = DeltaBlocks()
        self.system, self._scorer = system, Scorer(system)
        self._snapshot: _Snapshot | None = None
        self._revision = built.manifest.revision

    @property
    def collection(self) -> Collection:
        """The items there are now."""
        return self._now.collection

    @property
    def changed(self) -> bool:
        """Whether there are live changes."""
        return bool(self._changes)

    def propose(self, question: Question, number: int) -> Mapping[SimilarityType, Results]:
        """The nearest items, each with its score (see ``service.search.engines.port``)."""
        proposals = self._looked_up(question, number)
        if rest := tuple(kind for kind in question.types if kind not in proposals):
            proposals |= self._searched(replace(question, types=rest), number)
        return {kind: Results(best) for kind, best in proposals.items()}

    @property
    def every_item(self) -> Self:
        """The index itself."""
        return self

    def scores(self, row: int, types: Sequence[SimilarityType]) -> Mapping[SimilarityType, Singles]:
        """The scores of a row with every row (see ``EveryItem``)."""
        now = self.collection
        return self._scorer.every(now, now.query(row), types)

    def _looked_up(self, question: Question, number: int) -> dict[SimilarityType, list[ProposedItem]]:
        """The nearest items of the types of which enough are precomputed."""
        now, proposals, known = self._now, dict[SimilarityType, list[ProposedItem]](), self._known
        if known is None or not _is_plain(question) or len(now.new) > _FEW:
            return proposals
        (seed,) = question.seeds
        row, place = now.collection.row(seed.id), self._built.ids.find(seed.id)
        if place is None or now.rows[place] != row:  # it was put since
            return proposals
        stored = {kind: own for kind in question.types if (own := known.of(kind, place)) is not None}
        new = now.new[now.collection.duplicates[now.new] != now.collection.duplicates[row]]
        scores: Mapping[SimilarityType, Doubles] = dict.fromkeys(stored, np.empty(0))
        if stored and len(new):
            scores = self._scorer.some(now.collection, now.collection.query(row), dict.fromkeys(stored, new))
        for kind, own in stored.items():
            rows = now.rows[own.rows]
            left = (rows >= 0) & now.firsts[rows]
            last = None if own.whole else ProposedItem(self._built.ids[own.rows[-1]], own.scores[-1])
            base, added = (rows[left], own.scores[left]), (new, scores[kind])
            best = merged(now.collection.ids, base, last, added, number, question.after)
            if best is not None:
                proposals[kind] = best
        return proposals

    def _searched(self, question: Question, number: int) -> dict[SimilarityType, list[ProposedItem]]:
        """The nearest items by a pass over all items."""
        return {kind: own.best for kind, own in self.among(None, question, number).items()}

    def among(self, part: slice | None, question: Question, number: int) -> dict[SimilarityType, PartResults]:
        """The nearest of some items, whose rows follow one another, as if there were no others.

        None: of all items.
        """
        now = self._now
        part = slice(0, len(now.collection)) if part is None else part
        seeds = [now.collection.row(seed.id) for seed in question.seeds]
        eligible = now.eligible(question, seeds)
        queries = [now.collection.query(row) for row in seeds]
        if len(queries) == len(question.types) == 1 and question.after is None:
            question.check()
            (query,), (kind,) = queries, question.types
            eligible[: part.start], eligible[part.stop :] = False, False
            wanted = Wanted(eligible, number, question.floors.get(kind, -np.inf))
            every: list[Mapping[SimilarityType, Singles]] = [
                {kind: self._scorer.best(now.collection, query, kind, wanted, part)}
            ]
        else:
            every = []
            for query in queries:
                question.check()
                every.append(self._scorer.every(now.collection, query, question.types, part))
        rows, above = {}, {}
        for kind in question.types:
            scores = joined(question.shares, [one[kind] for one in every])
            off = margin(self._scorer.rounding(kind))
            # many items may have one score: where it is below the floor none of them is scored again
            high = eligible[part] & (scores >= question.floors.get(kind, -np.inf) - off)
            allowed = np.where(high, scores, -np.inf)
            places, above[kind] = _candidates(allowed, number, off, question.after)
            rows[kind] = places + part.start
        exact = [self._scorer.some(now.collection, query, rows) for query in queries]
        ids, after, results = now.collection.ids, question.after, {}
        for kind, own in rows.items():
            bounds = joined(question.shares, [one[kind] for one in exact])
            best = nearest(ids, own, bounds, number, after, above[kind])
            results[kind] = PartResults(best, above[kind] + passed(ids, own, bounds, after))
        return results

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
        """The id of an item that chance picks."""
        ids = self.collection.ids
        return ids[randbelow(len(ids))] if len(ids) else None

    def with_changes(self, changes: Mapping[str, PutItem | None], revision: int) -> "LocalIndex":
        """Another index over the same collection with changes on top: None stands for a deleted item."""
        index = copy(self)
        index._change(changes, revision)
        return index

    def put(self, items: Iterable[PutItem], revision: int) -> None:
        """Add or replace items."""
        self._change({one.record.id: one for one in items}, revision)

    def delete(self, ids: Iterable[str], revision: int) -> None:
        """Take items out."""
        self._change(dict.fromkeys(ids), revision)

    def scored(self) -> int:
        """All of them."""
        return len(self.collection)

    def _change(self, changes: Mapping[str, PutItem | None], revision: int) -> None:
        # questions under way go on with the items that they began with
        self._changes, self._revision, self._snapshot = {**self._changes, **changes}, revision, None

    @cached_property
    def _eligible(self) -> Eligible:
        return Eligible(self._built.duplicates)

    @property
    def _now(self) -> "_Snapshot":
        """The items there are now, put together when they are first asked for."""
        if self._snapshot is None:
            changes = self._changes
            now = Delta(self._built, changes, self._revision, self._blocks) if changes else self._built
            self._snapshot = _Snapshot(now, self._eligible)
        return self._snapshot


def _candidates(scores: Singles, number: int, margin: float, after: ProposedItem | None) -> tuple[Rows, int]:
    """The rows that may be among the ``number`` best behind an item; scores are off by half a margin.

    Also how many are surely not behind it, and not among the rows.
    """
    if after is None:
        return candidates(scores, number, margin), 0
    above = scores > after.bound + margin
    scores[above] = -np.inf
    # which of those that score about as high as the item are behind it shows in double precision
    near = int(np.count_nonzero(scores >= after.bound - margin))
    return candidates(scores, number + near, margin), int(np.count_nonzero(above))


def _is_plain(question: Question) -> bool:
    """Whether a question is of one item alone, and of all items."""
    one = len(question.seeds) == 1 and question.seeds[0].weight > 0
    return one and not (question.filters.given or question.without or question.among is not None)


class _Snapshot:
    """The items at one moment; ``built`` says which rows might be neighbours before the live changes."""

    def __init__(self, collection: Built | Delta, built: Eligible) -> None:
        self.collection, self._built = collection, built

    def eligible(self, question: Question, seeds: list[int]) -> Bools:
        """Which rows an answer may hold, bool[rows]."""
        allowed = mask(self.collection.facets, question.filters)
        if question.among is not None:
            among = np.zeros(len(self.collection), dtype=bool)
            among[[self.collection.row(item) for item in question.among]] = True
            allowed = among if allowed is None else allowed & among
        return self._eligible([*seeds, *(self.collection.row(item) for item in question.without)], allowed)

    @property
    def firsts(self) -> Bools:
        """The first row of each group of duplicates, bool[rows]."""
        return self._eligible.firsts

    @cached_property
    def rows(self) -> Rows:
        """The row of every item of the collection that was built, -1 for what is gone."""
        now = self.collection
        return now.rows if isinstance(now, Delta) else np.arange(len(now))

    @cached_property
    def new(self) -> Rows:
        """The rows that an answer may hold, and that none might before the live changes."""
        there = self.rows >= 0
        before = np.zeros(len(self.collection), dtype=bool)
        before[self.rows[there]] = self._built.firsts[there]
        return np.flatnonzero(self.firsts & ~before)

    @cached_property
    def _eligible(self) -> Eligible:
        changed = isinstance(self.collection, Delta)
        return Eligible(self.collection.duplicates) if changed else self._built
