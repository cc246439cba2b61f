"""Neighbours as they are told: with all eight scores, a reason and an explanation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from features.collection import Collection
from features.measures.base import Scores
from features.profile import Profile
from ingest.record import Record
from models.explanation import Explanation, explain
from models.systems import System
from models.types import SCALE, SimilarityType
from service.index.port import Asked, Mask
from service.reasons import reason, tells


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An item like others: in which way, how much, and because of what.

    ``scores`` are all eight, in the official order, None where there is nothing of a type; for several
    seeds they are joined as the index joins them. ``type`` is the one that was asked for, or the one that
    best motivates the neighbour. ``seed`` is the item that ``reason`` and ``explanation`` compare it with:
    the wanted one that adds most to its score.
    """

    record: Record
    seed: Record
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
        """The score of its type; 0 where there is nothing of it."""
        return self.scores[self.type.position] or 0.0


@dataclass(frozen=True, slots=True)
class _Seed:
    record: Record
    profile: Profile
    share: float


class Teller:
    """Tells of neighbours of some seeds, one after the other."""

    def __init__(self, collection: Collection, system: System, asked: Asked) -> None:
        self._collection = collection
        self._system = system
        self._seeds = [
            _Seed(collection.record(seed.row), collection.profile(seed.row), share)
            for seed, share in zip(asked.seeds, asked.shares, strict=True)
        ]

    def all(self, found: Sequence[tuple[int, SimilarityType]]) -> list[Neighbour]:
        """The neighbours at some rows, each for a type."""
        kinds: dict[int, list[SimilarityType]] = {}
        for row, kind in found:
            kinds.setdefault(row, []).append(kind)
        # an item that is near in several ways is read and compared once
        made = {(row, one.type): one for row, types in kinds.items() for one in self.one(row, types)}
        return [made[pair] for pair in found]

    def one(self, row: int, types: Sequence[SimilarityType]) -> Iterator[Neighbour]:
        """The neighbour at a row, for each of some types."""
        record, profile = self._collection.record(row), self._collection.profile(row)
        values = [self._collection.pair(s.profile, profile, self._system.features) for s in self._seeds]
        raw = np.array([self._system.raw(one[np.newaxis])[0] for one in values])
        silent = np.array([self._system.silent(one) for one in values])
        shares = np.array([[seed.share] for seed in self._seeds])
        parts = shares * np.where(silent, 0.0, raw)
        nothing: Mask = np.logical_and.reduce(silent[shares[:, 0] > 0])
        scores = _scores(parts.sum(axis=0), nothing)
        closest = np.where((shares > 0) & ~silent, parts, -np.inf).argmax(axis=0)
        for kind in types:
            number = int(closest[kind.position])
            yield self._told(record, profile, self._seeds[number], values[number], kind, scores)

    def _told(
        self,
        record: Record,
        profile: Profile,
        seed: _Seed,
        values: Scores,
        kind: SimilarityType,
        scores: tuple[float | None, ...],
    ) -> Neighbour:
        columns = self._collection.columns
        (found,) = explain(self._system, columns, seed.profile, profile, (kind,), values)
        why = reason(found, seed.record, record, self._collection.manifest.features)
        return Neighbour(record, seed.record, kind, scores, why, found)


def _scores(raw: Scores, nothing: Mask) -> tuple[float | None, ...]:
    cut = np.clip(raw, *SCALE).tolist()
    return tuple(None if none else one for one, none in zip(cut, nothing.tolist(), strict=True))
