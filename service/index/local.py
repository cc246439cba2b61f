"""The embedded index: exact, by evaluating the features of each seed against every item."""

from collections.abc import Iterator, Mapping

import numpy as np

from features.collection.collection import Collection
from features.measures.base import Rows, Scores
from models.systems import Matrix, System
from models.types import TYPES, SimilarityType
from service.index.port import Asked, Found, Query, Seed
from service.index.ranking import Eligible, best, motivated
from service.index.terms import TypeTerms, terms_of


class LocalIndex:
    """Exact neighbours: every item is scored (see ``service.index.port`` for what is promised).

    ``terms`` are those of an additive system, where they are read already.
    """

    def __init__(
        self, collection: Collection, system: System, terms: Mapping[SimilarityType, TypeTerms] | None = None
    ) -> None:
        self._collection = collection
        self._system = system
        if terms is None and system.additive is not None:
            terms = terms_of(system, system.additive, collection.manifest.features)
        self._terms = terms
        self._eligible = Eligible(collection.duplicates)

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type, those behind ``after`` where it is given."""
        return best(self.scores(query), self._eligible(query), limit, after)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest``, for all eight types at the price of one."""
        scores, may = self.scores_of_each(asked), self._eligible(asked)
        return {kind: best(scores[:, kind.position], may, limit) for kind in TYPES}

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), len(self._collection), limit)

    def scores(self, query: Query, rows: Rows | None = None) -> Scores:
        """The joined scores of one type with every row, or with some; minus infinity for no neighbour."""
        return _joined(query, [self._scores(seed.row, query.type, rows) for seed in _checked(query)])

    def scores_of_each(self, asked: Asked, rows: Rows | None = None) -> Matrix:
        """As ``scores`` for each of the eight types, float64[rows, 8]."""
        return _joined(asked, [self._all(seed.row, rows) for seed in _checked(asked)])

    def _scores(self, row: int, kind: SimilarityType, rows: Rows | None) -> Scores:
        """Raw scores of one type; of an additive system only what moves it is compared."""
        if self._terms is None:
            features = self._values(row, rows)
            silent = self._system.silent(features)[:, kind.position]
            return np.where(silent, -np.inf, self._system.raw_of(features, kind))
        terms = self._terms[kind]
        # asked together, so that what several features are made of is compared once
        values = self._collection.compare_row(row, terms.asked, rows)
        return terms.scores(values, len(self._collection) if rows is None else len(rows))

    def _all(self, row: int, rows: Rows | None) -> Matrix:
        """Raw scores of all types; minus infinity where there is nothing of a type."""
        if self._terms is None:
            values = self._values(row, rows)
            return np.where(self._system.silent(values), -np.inf, self._system.raw(values))
        columns = self._collection.compare_row(row, self._system.features, rows)
        # in the order of the search of one type, so that no digit differs
        items = len(self._collection) if rows is None else len(rows)
        return np.stack([self._terms[kind].scores(columns, items) for kind in TYPES], axis=1)

    def _values(self, row: int, rows: Rows | None) -> Matrix:
        """All features of the system, float64[rows, features]."""
        columns = self._collection.compare_row(row, self._system.features, rows)
        return np.stack([columns[name] for name in self._system.features], axis=1)


def _checked(asked: Asked) -> Iterator[Seed]:
    """The seeds, one after the other while the answer is wanted."""
    for seed in asked.seeds:
        asked.check()
        yield seed


def _joined(asked: Asked, raw: list[Matrix]) -> Matrix:
    """The raw scores of all seeds as one; minus infinity where all that are wanted have nothing."""
    if len(raw) == 1:
        return raw[0]
    total, nothing = np.zeros_like(raw[0]), np.ones(raw[0].shape, dtype=bool)
    for share, scores in zip(asked.shares, raw, strict=True):
        silent = scores == -np.inf
        total += share * np.where(silent, 0.0, scores)
        if share > 0:
            nothing &= silent
    total[nothing] = -np.inf
    return total
