"""Scores of one item with all others, added up feature by feature."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from features.collection.collection import Collection, Query
from features.compiled import over_rows
from features.measures.base import Rows, Scores
from models.regressors.base import AdditiveRegressor, Line
from models.systems import System
from models.types import SimilarityType
from service.index.kernels import add


class Scorer:
    """Raw scores by a system: before they are cut, minus infinity where a type does not apply."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._lines = lru_cache(self._lines_of)

    def __call__(
        self, collection: Collection, query: Query, types: Sequence[SimilarityType], rows: Rows | None = None
    ) -> dict[SimilarityType, Scores]:
        """The scores of each type of an item with every row of a collection, or with some: float64[rows]."""
        size = len(collection) if rows is None else len(rows)
        additive = self.system.additive
        if additive is None:
            return self._whole(collection, query, types, rows)
        sums = {kind: np.full(size, float(additive.base[self.system.position(kind)])) for kind in types}
        apply = {kind: self.system.not_applicable.get(kind) for kind in types}
        silent = {}
        for name, values in collection.each(query, self._asked(types), rows):
            for kind in types:
                line = self._lines(kind).get(name)
                if line is not None:
                    _add(sums[kind], values, line)
                if apply[kind] == name:
                    silent[kind] = self.system.lacks(kind, values)
        for kind, mask in silent.items():
            sums[kind][mask] = -np.inf
        return sums

    def _whole(
        self, collection: Collection, query: Query, types: Sequence[SimilarityType], rows: Rows | None
    ) -> dict[SimilarityType, Scores]:
        """Of a system that is not additive, from the values of all features at once."""
        found = collection.compare(query, self.system.features, rows)
        values = np.stack([found[name] for name in self.system.features], axis=1)
        silent = self.system.silent(values)
        return {
            kind: np.where(silent[:, self.system.position(kind)], -np.inf, self.system.raw_of(values, kind))
            for kind in types
        }

    def _asked(self, types: Sequence[SimilarityType]) -> tuple[str, ...]:
        """The features that the scores of some types are made of, in the system's order."""
        asked = {name for kind in types for name in self._lines(kind)}
        asked |= {self.system.not_applicable[kind] for kind in types if kind in self.system.not_applicable}
        return tuple(name for name in self.system.features if name in asked)

    def _lines_of(self, kind: SimilarityType) -> Mapping[str, Line]:
        """The terms of a type by their features; a feature that cannot move the type has none."""
        return dict(_lines(self.system, self.system.additive, kind))


def _add(sums: Scores, values: Scores, line: Line) -> None:
    over_rows(lambda part: add(sums[part], values[part], *line), len(sums))


def _lines(
    system: System, additive: AdditiveRegressor | None, kind: SimilarityType
) -> Iterator[tuple[str, Line]]:
    if additive is not None:
        at = system.position(kind)
        for n in np.flatnonzero(additive.active[:, at]).tolist():
            yield system.features[n], additive.line(n, at)


def joined(shares: Sequence[float], raw: Sequence[Scores]) -> Scores:
    """The raw scores of all seeds as one; minus infinity where no seed that is wanted has any.

    >>> joined((0.5, 0.5), [np.array([4.0, 3.0, -np.inf]), np.array([2.0, -np.inf, -np.inf])]).tolist()
    [3.0, 1.5, -inf]
    """
    if len(raw) == 1:
        return raw[0]
    total, none = np.zeros_like(raw[0]), np.ones(raw[0].shape, dtype=bool)
    for share, scores in zip(shares, raw, strict=True):
        silent = scores == -np.inf
        total += share * np.where(silent, 0.0, scores)
        if share > 0:
            none &= silent
    total[none] = -np.inf
    return total
