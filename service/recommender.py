"""The application: neighbours, scores and explanations. No HTTP and no terminal in here."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from features.collection.collection import Collection
from features.collection.overlay import Living
from features.measures.base import Scores
from features.profiles.profile import Profile
from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from models.explanation import Explanation, explain
from models.systems import System
from models.types import SCALE, TYPES, SimilarityType
from service import cursors, facets
from service.cursors import Cursor
from service.deadline import Check, unlimited
from service.diversity import Likeness, diverse, pool
from service.index.candidates import CandidateIndex
from service.index.exact import ExactIndex
from service.index.live import LiveIndex
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Index, Query, Seed
from service.neighbours import Neighbour, Teller
from service.queries import MOST, Search, Weighed
from service.reasons import reason
from service.variants import Variant

__all__ = ["MOST", "Answer", "Neighbour", "PairScores", "Recommender"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search found: neighbours, best first.

    ``next`` is the cursor of the page that follows, None at the end. ``notes`` are sentences about filters
    that no item can fit.
    """

    neighbours: list[Neighbour]
    next: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PairScores:
    """How alike two records are: eight explained scores, each with its reason in a sentence."""

    left: Record
    right: Record
    explanations: tuple[Explanation, ...]
    reasons: tuple[str, ...]


class Recommender:
    """Answers about one collection with one system.

    ``analyse`` makes profiles of records that the collection lacks; it is called only for those.
    ``variant`` says whether the system stands in for another, and whether ``proposer`` proposes candidates
    for it. ``beneath`` is the one over the collection under a living one (see :meth:`over`).
    """

    def __init__(
        self,
        collection: Collection,
        system: System,
        analyse: Callable[[Sequence[Record]], list[Profile]],
        variant: Variant | None = None,
        proposer: System | None = None,
        beneath: "Recommender | None" = None,
    ) -> None:
        self.collection = collection
        self.system = system
        self.variant = variant or Variant(system.name)
        self._analyse = analyse
        self._proposer = proposer
        self._beneath = beneath
        self._index: Index = self._indexed(None if beneath is None else beneath._index)

    def over(self, living: Living) -> "Recommender":
        """This one over the same collection with changes on top."""
        return Recommender(living, self.system, self._analyse, self.variant, self._proposer, self)

    def _indexed(self, beneath: Index | None) -> Index:
        retrieval = self.variant.retrieval
        if self._proposer is None or retrieval is None:
            return _exact(self.collection, self.system, beneath)
        under = beneath.additive if isinstance(beneath, CandidateIndex) else None
        proposing = _exact(self.collection, self._proposer, under)
        return CandidateIndex(self.collection, self.system, proposing, retrieval.candidates)

    def profiles(self, records: Sequence[Record]) -> list[Profile]:
        """Profiles of some records, made as those of the collection; raises what its ``analyse`` does."""
        return self._analyse(records)

    def item(self, item: str) -> Record:
        """The record of an id; raises ``UnknownItem``."""
        return self.collection.record(self.collection.row(item))

    def holds(self, item: str) -> bool:
        """Whether the collection has an item of that id."""
        try:
            self.collection.row(item)
        except UnknownItem:
            return False
        return True

    def search(self, search: Search, check: Check = unlimited) -> Answer:
        """The items most similar to some, as asked. Raises ``UnknownItem`` and ``InvalidRequest``.

        ``check`` is called between the steps, and ends the work by raising.
        """
        asked = self._asked(search, check)
        notes = facets.notes(self.collection.facets, search.filters)
        if search.type is None:
            return Answer(self._overview(asked, search.limit), None, notes)
        query = Query(asked.seeds, asked.allowed, asked.without, check, type=search.type)
        if search.diversity:
            rows, following = self._diverse(query, search), None
        else:
            rows, following = self._page(query, search)
        told = list(Teller(self.collection, self.system, query).each([(row, search.type) for row in rows]))
        return Answer(told, following, notes)

    def similar(self, item: str, kind: SimilarityType, limit: int) -> list[Neighbour]:
        """The ``limit`` items most similar to ``item`` in one way, best first, ties by id.

        The item itself and its exact duplicates are never among them, nor two duplicates of each other.
        Raises ``UnknownItem``, and ``InvalidRequest`` for a limit outside 1-100.
        """
        return self.search(Search(seeds=(Weighed(item),), type=kind, limit=limit)).neighbours

    def grouped(
        self, item: str, limit: int, check: Check = unlimited
    ) -> dict[SimilarityType, list[Neighbour]]:
        """For each of the eight types the ``limit`` items most similar to ``item``."""
        asked = self._asked(Search(seeds=(Weighed(item),), limit=limit), check)
        nearest = self._index.nearest_of_each(asked, limit)
        teller = Teller(self.collection, self.system, asked)
        near = teller.each([(n.row, kind) for kind, rows in nearest.items() for n in rows])
        return {kind: list(islice(near, len(rows))) for kind, rows in nearest.items()}

    def overview(self, item: str, limit: int) -> list[Neighbour]:
        """At most ``limit`` neighbours over all types, each with the type that best motivates it.

        A type motivates a neighbour by its score and by how few items of the collection reach it. An
        item that shares nothing with this one is no neighbour.
        """
        return self.search(Search(seeds=(Weighed(item),), limit=limit)).neighbours

    def nearest(self, row: int, types: Sequence[SimilarityType], limit: int) -> list[list[Found]]:
        """The bare neighbours of a row, untold, for each of some types; their scores are not cut yet."""
        asked = Asked((Seed(row),))
        if len(types) == len(TYPES):
            every = self._index.nearest_of_each(asked, limit)
            return [every[kind] for kind in types]
        return [self._index.nearest(Query(asked.seeds, type=kind), limit) for kind in types]

    @cached_property
    def mark(self) -> str:
        """What tells what answers apart: where it is the same, so is every score."""
        if self._beneath is None:
            return cursors.mark(self.collection, self.system)
        # every live change has a revision of its own
        live = f"{self._beneath.mark} {self.collection.manifest.revision}"
        return hashlib.sha256(live.encode()).hexdigest()[:16]

    def score(self, left: Record | str, right: Record | str, check: Check = unlimited) -> PairScores:
        """All eight scores of two items, each known by id or given as a record, explained.

        ``check`` is called between the steps, and ends the work by raising.
        """
        one, ours = self._known(left)
        check()
        two, theirs = self._known(right)
        check()
        values = self.collection.pair(ours, theirs, self.system.features)
        explanations = explain(self.system, self.collection.columns, ours, theirs, TYPES, values)
        return PairScores(one, two, explanations, tuple(self._reason(e, one, two) for e in explanations))

    def _reason(self, explanation: Explanation, left: Record, right: Record) -> str:
        return reason(explanation, left, right, self.collection.manifest.features)

    def _known(self, given: Record | str) -> tuple[Record, Profile]:
        if isinstance(given, str):
            row = self.collection.row(given)
            return self.collection.record(row), self.collection.profile(row)
        if not given.has_text:
            raise InvalidRequest("a record to score needs text in at least one of its six fields")
        try:
            row = self.collection.row(given.id)
        except UnknownItem:
            return given, self._analyse([given])[0]
        known = self.collection.record(row)
        if known.analysis_hash == given.analysis_hash:
            return given, self.collection.profile(row)
        return given, self._analyse([given])[0]

    def _asked(self, search: Search, check: Check) -> Asked:
        seeds = tuple(Seed(self.collection.row(one.id), one.weight) for one in search.seeds)
        without = frozenset(self.collection.row(item) for item in search.without)
        return Asked(seeds, facets.mask(self.collection.facets, search.filters), without, check)

    def _overview(self, asked: Asked, limit: int) -> list[Neighbour]:
        teller = Teller(self.collection, self.system, asked)
        near = teller.each([(found.row, kind) for found, kind in self._index.motivated(asked, MOST)])
        return list(islice((one for one in near if one.shares), limit))

    def _page(self, query: Query, search: Search) -> tuple[list[int], str | None]:
        """One page of neighbours, and the cursor of the next."""
        digest = search.digest(self.system.name)
        cursor = cursors.decode(search.cursor, digest) if search.cursor is not None else None
        here = cursor is None or cursor.collection == self.mark
        after = None
        if cursor is not None and here:
            after = Found(self.collection.row(cursor.id), cursor.score)
        elif cursor is not None:
            gave = frozenset(self.collection.digests.rows(cursor.given).tolist())
            after = None if cursor.complete else self._first(query, gave)
            query = Query(query.seeds, query.allowed, query.without | gave, query.check, type=query.type)
        # one more than wanted tells whether a page follows
        found = self._index.nearest(query, search.limit + 1, after)
        shown = found[: search.limit]
        if len(found) == len(shown):
            return [one.row for one in shown], None
        ids, last = [self.collection.ids[one.row] for one in shown], shown[-1]
        given = (cursor or Cursor("", "", 0.0, "")).following(ids)
        # once the collection has changed, what was given before it did stays what counts
        following = Cursor(digest, self.mark if here else "", last.score, ids[-1], given)
        return [one.row for one in shown], cursors.encode(following)

    def _first(self, query: Query, rows: frozenset[int]) -> Found | None:
        """The best of some rows: what was given and is not remembered came before it."""
        among = np.zeros(len(self.collection), dtype=bool)
        among[list(rows)] = True
        return next(
            iter(self._index.nearest(Query(query.seeds, among, check=query.check, type=query.type), 1)), None
        )

    def _diverse(self, query: Query, search: Search) -> list[int]:
        found = self._index.nearest(query, pool(search.limit))
        relevance = np.clip([one.score for one in found], *SCALE) / SCALE[1]
        alike = Likeness(self.collection, self.system, query.type, [one.row for one in found])

        def checked(place: int) -> Scores:
            query.check()
            return alike(place)

        places = diverse(relevance, checked, search.limit, 1 - search.diversity)
        return [found[place].row for place in places]


def _exact(collection: Collection, system: System, beneath: Index | None) -> Index:
    if beneath is not None and isinstance(collection, Living):
        terms = beneath.terms if isinstance(beneath, ExactIndex) else None
        return LiveIndex(beneath, collection, system, terms)
    additive = system.additive
    return LocalIndex(collection, system) if additive is None else ExactIndex(collection, system, additive)
