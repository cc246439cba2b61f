"""Estimates of scores from what the measures declare, for all items of a collection at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from features.arrays import Doubles
from features.collection.collection import Built, Query
from features.measures.base import AnyColumn, Column
from features.measures.searchable import (
    Informed,
    Largest,
    Level,
    Range,
    Searchable,
    Steps,
    Unless,
    Vector,
    WeightedTerms,
)
from features.measures.tables import Table, row_sums
from models.regressors.base import AdditiveRegressor, Polyline
from models.systems import System
from models.types import SimilarityType

Estimate: TypeAlias = Callable[[Table], Doubles]
"""About the value of one row with every item, float64[items]."""


def _weighted(declared: WeightedTerms[Table], table: Table) -> Estimate:
    starts, terms, weights = declared.weights(table)
    size = int(terms.max(initial=-1)) + 1

    def estimate(query: Table) -> Doubles:
        own = np.zeros(size)
        _, question, weighing = declared.weights(query)
        inside = question < size
        own[question[inside]] = weighing[inside]
        return row_sums(starts, weights * own[terms])

    return estimate


def _steps(declared: Steps[Table], table: Table) -> Estimate:
    having = dict[tuple[str, str], list[int]]()
    for row, own in enumerate(declared.keys(table)):
        for of, keys in own.items():
            for key in keys:
                having.setdefault((of, key), []).append(row)

    def estimate(query: Table) -> Doubles:
        values = np.zeros(len(table))
        for step in declared.steps(query):
            for group in step.groups:
                rows = set.intersection(*(set(having.get((step.of, key), ())) for key in group))
                values[list(rows)] = np.maximum(values[list(rows)], step.value)
        return values

    return estimate


def _range(declared: Range[Table], table: Table) -> Estimate:
    ends = declared.ends(table)

    def estimate(query: Table) -> Doubles:
        away = np.abs(ends - declared.ends(query)).max(axis=1)
        values = np.zeros(len(table))
        for one in declared.distances(query):
            values[away <= one.years] = one.value
        return values

    return estimate


def _vector(declared: Vector[Table], table: Table) -> Estimate:
    vectors = declared.unit(table)
    return lambda query: (vectors @ declared.unit(query)[0]).astype(np.float64)


def _level(declared: Level[Table], table: Table) -> Estimate:
    combine, levels = np.minimum if declared.smaller else np.maximum, declared.of(table)
    return lambda query: np.asarray(combine(levels, declared.of(query)[0]), np.float64)


def _translated(declared: Searchable[Table] | None, table: Table) -> Estimate | None:
    match declared:
        case WeightedTerms() as terms:
            return _weighted(terms, table)
        case Steps() as steps:
            return _steps(steps, table)
        case Range() as years:
            return _range(years, table)
        case Vector() as vector:
            return _vector(vector, table)
        case Level() as level:
            return _level(level, table)
        case None:
            return None


class Estimates:
    """About the scores of an item with all items of a collection; raises ``TypeError`` for no sums."""

    def __init__(self, built: Built, system: System) -> None:
        if system.additive is None:
            raise TypeError("a system that is not additive cannot be searched")
        self._additive: AdditiveRegressor = system.additive
        self._built, self._system = built, system
        self._columns: dict[str, AnyColumn] = {
            name: column for name, column in built.columns.items() if isinstance(column, Column)
        }
        made = {name: _translated(one.searchable(), one.table) for name, one in self._columns.items()}
        self._estimates = {name: one for name, one in made.items() if one is not None}

    def of(self, query: Query, kind: SimilarityType) -> Doubles:
        """About the scores of an item with every item of the collection, float64[items]."""
        total = np.full(len(self._built), float(self._additive.base[self._system.position(kind)]))
        for name, line in self._lines(kind).items():
            values = self._value(query, name)
            if values is not None:
                heights = np.interp(values, line.knots, line.heights)
                total += np.where(np.isnan(values), line.missing, heights)
        return total

    def limits(self, kind: SimilarityType) -> tuple[float, float]:
        """Scores below and above which there is none."""
        base = float(self._additive.base[self._system.position(kind)])
        lines = self._lines(kind).values()
        least = sum(min(float(line.heights.min()), line.missing) for line in lines)
        most = sum(max(float(line.heights.max()), line.missing) for line in lines)
        return min(base + least, 0.0), base + most

    def _lines(self, kind: SimilarityType) -> dict[str, Polyline]:
        at = self._system.position(kind)
        moving = np.flatnonzero(self._additive.active[:, at]).tolist()
        return {self._system.features[n]: self._additive.line(n, at) for n in moving}

    def _value(self, query: Query, name: str) -> Doubles | None:
        """About a feature's values, NaN for no information; None where nothing is declared."""
        settings = self._built.manifest.features[name]
        if settings.made_of:
            parts = [self._value(query, part) for part in settings.made_of]
            known = [part for part in parts if part is not None]
            return self._combined(name, np.array(known)) if len(known) == len(parts) else None
        estimate, column = self._estimates.get(name), self._columns[name]
        if estimate is None:
            return None
        own = query.of(column)
        nothing = column.inapplicable | ~column.informed(own).all()
        values: Doubles = np.where(nothing, np.nan, estimate(own))
        return values

    def _combined(self, name: str, parts: Doubles) -> Doubles:
        combination, known = self._built.manifest.features[name].combination, ~np.isnan(parts)
        if isinstance(combination, Informed):
            return np.asarray(known.all(axis=0), np.float64)
        values: Doubles
        if isinstance(combination, Largest):
            factors = np.array([*combination.factors.values()])[:, np.newaxis]
            values = np.where(known, parts * factors, -np.inf).max(axis=0)
        elif isinstance(combination, Unless):
            of, gate = parts
            values = np.where(np.isnan(of), 0.0, of) * (1 - gate)
        else:
            values = np.where(known, parts, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        values[~known.any(axis=0)] = np.nan
        return values
