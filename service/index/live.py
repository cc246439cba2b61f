"""Exact neighbours over a collection with changes on top, whatever index the collection beneath has."""

from collections.abc import Mapping

import numpy as np

from features.collection.overlay import Living
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Index, Mask, Query, Seed
from service.index.ranking import Eligible, best_of, motivated
from service.index.terms import TypeTerms


class LiveIndex:
    """Exact neighbours over ``living`` (see ``service.index.port`` for what is promised).

    ``base`` finds the best of what is left of the collection beneath; the items that were put are scored
    one by one, and both lists are merged. Where one of them is a seed, every item is scored. ``terms`` are
    those of an additive system, where they are read already: changes do not touch them.
    """

    def __init__(
        self,
        base: Index,
        living: Living,
        system: System,
        terms: Mapping[SimilarityType, TypeTerms] | None = None,
    ) -> None:
        self._base = base
        self._living = living
        self._eligible = Eligible(living.duplicates)
        self._whole = LocalIndex(living, system, terms)

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type, those behind ``after`` where it is given."""
        if not self._stored(query):
            return self._whole.nearest(query, limit, after)
        may = self._eligible(query)
        seeds, allowed = self._beneath(query, may)
        before = None if after is None else Found(self._place(after.row), after.score)
        found = self._base.nearest(Query(seeds, allowed, check=query.check, type=query.type), limit, before)
        rows = np.flatnonzero(may & ~self._living.stored)
        return self._merged(found, best_of(rows, self._whole.scores(query, rows), limit, after), limit)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types."""
        if not self._stored(asked):
            return self._whole.nearest_of_each(asked, limit)
        may = self._eligible(asked)
        found = self._base.nearest_of_each(Asked(*self._beneath(asked, may), check=asked.check), limit)
        rows = np.flatnonzero(may & ~self._living.stored)
        scores = self._whole.scores_of_each(asked, rows)
        return {
            kind: self._merged(found[kind], best_of(rows, scores[:, kind.position], limit), limit)
            for kind in TYPES
        }

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), len(self._living), limit)

    def _stored(self, asked: Asked) -> bool:
        """Whether all seeds are of the collection beneath."""
        return all(self._living.places[seed.row] >= 0 for seed in asked.seeds)

    def _beneath(self, asked: Asked, may: Mask) -> tuple[tuple[Seed, ...], Mask]:
        """The seeds, and what may be given, by the rows of the collection beneath."""
        places = self._living.places
        allowed: Mask = np.zeros(len(self._living.rows), dtype=bool)
        allowed[places[may & self._living.stored]] = True
        return tuple(Seed(int(places[seed.row]), seed.weight) for seed in asked.seeds), allowed

    def _place(self, row: int) -> int:
        """The last row of the collection beneath that comes no later; -1 where all come later."""
        ahead = self._living.places[: row + 1]
        return int(ahead.max(initial=-1))

    def _merged(self, beneath: list[Found], own: list[Found], limit: int) -> list[Found]:
        rows = self._living.rows
        found = [Found(int(rows[one.row]), one.score) for one in beneath] + own
        return sorted(found, key=lambda one: (-one.score, one.row))[:limit]
