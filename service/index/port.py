"""What every index promises: the nearest items of some seeds, exactly.

The score of an item for several seeds is ``sum(w_s * raw_s) / sum(|w_s|)``: ``raw_s`` is the seed's score
with the item before it is cut to the scale, ``w_s`` the seed's weight, negative where its like is not
wanted. A seed that has, with the item, nothing of the type counts as the system's 0; where all seeds of
positive weight have nothing, the item is no neighbour. Scores are told apart at 9 decimals, ties go by
id, which is the order of the rows.

An answer never holds a seed, an item that is left out, or an exact duplicate of either; of exact
duplicates that are allowed it may hold the first by id only.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from models.types import SimilarityType
from service.deadline import Check, unlimited

Mask = npt.NDArray[np.bool_]


class Seed(NamedTuple):
    """An item that neighbours are asked for; a negative weight asks for what is unlike it."""

    row: int
    weight: float = 1.0


class Found(NamedTuple):
    """A neighbour: its row, and the score it is ranked by, before it is cut and rounded to 9 decimals."""

    row: int
    score: float


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """For which seeds, and among which items: ``allowed`` is bool[rows], None for all.

    At least one seed has a positive weight. ``without`` are rows that are left out. ``check`` is called
    between the steps of an answer, and ends it by raising.

    >>> Asked((Seed(3), Seed(5, -1.0))).shares
    (0.5, -0.5)
    """

    seeds: tuple[Seed, ...]
    allowed: Mask | None = None
    without: frozenset[int] = frozenset()
    check: Check = unlimited

    @property
    def shares(self) -> tuple[float, ...]:
        """What the raw score of each seed is multiplied by; exactly 1 for one seed that is wanted."""
        total = sum(abs(seed.weight) for seed in self.seeds)
        return tuple(seed.weight / total for seed in self.seeds)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Query(Asked):
    """What is asked in one way."""

    type: SimilarityType


class Index(Protocol):
    """Finds exact neighbours; best first, fewer where there are no more."""

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type; of those behind ``after`` in the order, where it is given.

        ``after`` is a place in the order: its row may have no such score, or not be there.
        """
        ...

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types."""
        ...

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The ``limit`` nearest of each type as one list, each with the type in which it stands out most.

        See :func:`service.index.ranking.motivated`.
        """
        ...
