"""Neighbours as they are told: with all eight scores, a reason and an explanation."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.collection.collection import Collection
from features.measures.base import Evidence, Scores
from ingest.record import Record
from models.explanation import Explanation, explained
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


class _Seed(NamedTuple):
    row: int
    record: Record
    share: float


class _Scored(NamedTuple):
    """The features of a row with each seed, its joined scores, and the seed nearest to it by type."""

    values: Scores
    scores: tuple[float | None, ...]
    closest: tuple[int, ...]


class Teller:
    """Tells of neighbours of some seeds.

    Their scores are read from the columns; a profile is decoded only for evidence.
    """

    def __init__(self, collection: Collection, system: System, asked: Asked) -> None:
        self._collection = collection
        self._system = system
        self._check = asked.check
        self._profile = cache(collection.profile)
        self._seeds = [
            _Seed(seed.row, collection.record(seed.row), share)
            for seed, share in zip(asked.seeds, asked.shares, strict=True)
        ]

    def each(self, found: Sequence[tuple[int, SimilarityType]]) -> Iterator[Neighbour]:
        """The neighbours at some rows, each for a type; what nobody takes is not told."""
        # an item that is near in several ways is compared and scored once
        rows = sorted({row for row, _ in found})
        scored = {row: self._scored(each) for row, each in zip(rows, self._values(rows), strict=True)}
        return (self._told(row, scored[row], kind) for row, kind in found)

    def _values(self, rows: Sequence[int]) -> npt.NDArray[np.float64]:
        """The features of each row with each seed, float64[rows, seeds, features]."""
        places, names = np.array(rows, dtype=np.intp), self._system.features
        found = []
        for seed in self._seeds:
            self._check()
            found.append(self._collection.pairs(seed.row, places, names))
        return np.stack(found, axis=1)

    def _scored(self, values: Scores) -> "_Scored":
        raw, silent = self._system.raw(values), self._system.silent(values)
        shares = np.array([[seed.share] for seed in self._seeds])
        parts = shares * np.where(silent, 0.0, raw)
        nothing: Mask = np.logical_and.reduce(silent[shares[:, 0] > 0])
        closest = np.where((shares > 0) & ~silent, parts, -np.inf).argmax(axis=0)
        return _Scored(values, _scores(parts.sum(axis=0), nothing), tuple(closest.tolist()))

    def _told(self, row: int, scored: "_Scored", kind: SimilarityType) -> Neighbour:
        number = scored.closest[kind.position]
        seed, record = self._seeds[number], self._collection.record(row)
        evidence = self._evidence(seed.row, row)
        (found,) = explained(self._system, evidence, (kind,), scored.values[number])
        why = reason(found, seed.record, record, self._collection.manifest.features)
        return Neighbour(record, seed.record, kind, scored.scores, why, found)

    def _evidence(self, left: int, right: int) -> Callable[[str], tuple[Evidence, ...]]:
        columns, profile = self._collection.columns, self._profile

        def find(name: str) -> tuple[Evidence, ...]:
            self._check()
            return columns[name].evidence(profile(left), profile(right))

        return find


def _scores(raw: Scores, nothing: Mask) -> tuple[float | None, ...]:
    cut = np.clip(raw, *SCALE).tolist()
    return tuple(None if none else one for one, none in zip(cut, nothing.tolist(), strict=True))
