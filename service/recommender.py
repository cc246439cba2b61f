"""The application: neighbours, scores and explanations. No HTTP and no terminal in here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from features.collection import Collection
from features.measures.base import Scores
from features.profile import Profile
from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from models.explanation import Explanation, explain
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.local import LocalIndex
from service.index.port import Asked, Index, Query, Seed
from service.reasons import reason, tells
from service.variants import Variant

MOST = 100
"""The most neighbours one answer has."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item like another: in which way, how much, and because of what.

    ``scores`` are all eight, in the official order, None where neither item has anything of a type;
    ``type`` is the one that was asked for, or the one that best motivates the neighbour;
    ``explanation`` says why that score is what it is.
    """

    record: Record
    type: SimilarityType
    scores: tuple[float | None, ...]
    reason: str
    explanation: Explanation

    @property
    def shares(self) -> bool:
        """Whether anything that the two items share, small words apart, adds to the score of its type.

        Of a system that is not additive nobody can tell: there every score above 0 counts.
        """
        if self.explanation.contributions is None:
            return self.score > 0
        return any(tells(contribution) for contribution in self.explanation.contributions)

    @property
    def score(self) -> float:
        """The score of its type."""
        return self.explanation.score


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
    ``variant`` says whether the system stands in for another.
    """

    def __init__(
        self,
        collection: Collection,
        system: System,
        analyse: Callable[[Sequence[Record]], list[Profile]],
        variant: Variant | None = None,
    ) -> None:
        self.collection = collection
        self.system = system
        self.variant = variant or Variant(system.name)
        self._analyse = analyse
        self._index: Index = LocalIndex(collection, system)

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

    def similar(self, item: str, kind: SimilarityType, limit: int) -> list[Neighbour]:
        """The ``limit`` items most similar to ``item`` in one way, best first, ties by id.

        The item itself and its exact duplicates are never among them. Raises ``UnknownItem``, and
        ``InvalidRequest`` for a limit outside 1-100.
        """
        _check(limit)
        row = self.collection.row(item)
        found = self._index.nearest(Query((Seed(row),), type=kind), limit)
        return self._neighbours(row, [(near.row, kind) for near in found])

    def grouped(self, item: str, limit: int) -> dict[SimilarityType, list[Neighbour]]:
        """For each of the eight types the ``limit`` items most similar to ``item``."""
        _check(limit)
        row = self.collection.row(item)
        nearest = self._index.nearest_of_each(Asked((Seed(row),)), limit)
        near = iter(self._neighbours(row, [(n.row, kind) for kind, rows in nearest.items() for n in rows]))
        return {kind: list(islice(near, len(rows))) for kind, rows in nearest.items()}

    def overview(self, item: str, limit: int) -> list[Neighbour]:
        """At most ``limit`` neighbours over all types, each with the type that best motivates it.

        A type motivates a neighbour by its score and by how few items of the collection reach it. An
        item that shares nothing with this one is no neighbour.
        """
        _check(limit)
        row = self.collection.row(item)
        record, profile = self.collection.record(row), self.collection.profile(row)
        near = (
            one
            for other, kind in self._index.motivated(Asked((Seed(row),)), MOST)
            for one in self._explained(record, profile, other.row, (kind,))
        )
        return list(islice((one for one in near if one.shares), limit))

    def score(self, left: Record | str, right: Record | str) -> PairScores:
        """All eight scores of two items, each known by id or given as a record, explained."""
        (one, ours), (two, theirs) = self._known(left), self._known(right)
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

    def _neighbours(self, row: int, found: Sequence[tuple[int, SimilarityType]]) -> list[Neighbour]:
        record, profile = self.collection.record(row), self.collection.profile(row)
        kinds: dict[int, list[SimilarityType]] = {}
        for other, kind in found:
            kinds.setdefault(other, []).append(kind)
        # an item that is near in several ways is read and compared once
        made = {
            (other, near.type): near
            for other, types in kinds.items()
            for near in self._explained(record, profile, other, tuple(types))
        }
        return [made[pair] for pair in found]

    def _explained(
        self, record: Record, profile: Profile, other: int, types: tuple[SimilarityType, ...]
    ) -> list[Neighbour]:
        right, theirs = self.collection.record(other), self.collection.profile(other)
        values: Scores = self.collection.pair(profile, theirs, self.system.features)
        given, silent = self.system.score(values[np.newaxis])[0], self.system.silent(values)
        scores = tuple(None if none else one for one, none in zip(given.tolist(), silent, strict=True))
        explanations = explain(self.system, self.collection.columns, profile, theirs, types, values)
        return [Neighbour(right, e.type, scores, self._reason(e, record, right), e) for e in explanations]


def _check(limit: int) -> None:
    if not 1 <= limit <= MOST:
        raise InvalidRequest(f"limit must be between 1 and {MOST}, not {limit}")
