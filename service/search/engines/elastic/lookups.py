"""Lookups: what the measures declare of their columns, as fields and queries of the engine.

Of weighted terms the engine adds up the very number, to some 8 bits. Of steps and ranges it knows filters,
each of which stands for about a value of the feature where an item passes it. Whatever is proposed so is
scored exactly afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from features.measures.base import Column, FeatureColumn
from features.measures.searchable import Range, Searchable, Steps, WeightedTerms
from features.measures.tables import Table
from service.search.engines.elastic.client import EngineJson

_DIGITS: Final = 4  # digits of a weight: the engine keeps some 8 bits
_MIDDLE: Final = 0.5  # the value at which a straight line meets a curve
_LEAST: Final = 0.03  # what adds less to a score is not asked for


class Lookup(ABC):
    """What is indexed of a feature, and how it is searched; ``field`` names it in the engine."""

    def __init__(self, field: str) -> None:
        self.field = field

    @abstractmethod
    def mapping(self) -> EngineJson:
        """The fields in the engine's mapping, by their names."""

    @abstractmethod
    def entries(self, table: Table) -> Iterator[EngineJson]:
        """For each row of a table the fields of its document."""

    @abstractmethod
    def clauses(self, row: Table, height: Callable[[float], float]) -> list[EngineJson]:
        """What adds to an item about the ``height`` of the feature's value with a row."""


class _TermLookup(Lookup):
    """Weighted terms, as a sparse vector."""

    def __init__(self, feature: str, declared: WeightedTerms[Table]) -> None:
        super().__init__(f"terms_{feature}")
        self._declared = declared

    def mapping(self) -> EngineJson:
        return {self.field: {"type": "sparse_vector"}}

    def entries(self, table: Table) -> Iterator[EngineJson]:
        starts, terms, weights = self._declared.weights(table)
        for row in range(len(starts) - 1):
            own = slice(starts[row], starts[row + 1])
            rounded = weights[own].round(_DIGITS).tolist()
            entry = dict(zip(map(str, terms[own].tolist()), rounded, strict=True))
            positive = {term: weight for term, weight in entry.items() if weight > 0}
            yield {self.field: positive} if positive else {}

    def clauses(self, row: Table, height: Callable[[float], float]) -> list[EngineJson]:
        boost = height(_MIDDLE) / _MIDDLE
        if boost <= _LEAST:
            return []
        (entry,) = self.entries(row)
        if not entry:
            return []
        query = {"field": self.field, "query_vector": entry[self.field], "prune": False, "boost": boost}
        return [{"sparse_vector": query}]


class _FilterLookup(Lookup):
    """What is searched by filters, each of which stands for about a value of the feature."""

    @abstractmethod
    def _filters(self, row: Table) -> Iterator[tuple[EngineJson, float]]:
        """The filters for an item, the widest first, each with the value where no narrower one is passed."""

    def clauses(self, row: Table, height: Callable[[float], float]) -> list[EngineJson]:
        clauses, level = list[EngineJson](), 0.0
        for passed, value in self._filters(row):
            if (boost := height(value) - level) > _LEAST:
                clauses.append({"constant_score": {"filter": passed, "boost": boost}})
                level += boost
        return clauses


class _KeyLookup(_FilterLookup):
    """Lists of keys, each list a field of keywords."""

    def __init__(self, feature: str, declared: Steps[Table]) -> None:
        super().__init__(f"{declared.kind}_{feature}")
        self._declared = declared

    def _name(self, of: str) -> str:
        return f"{self.field}_{of}" if of else self.field

    def mapping(self) -> EngineJson:
        return {self._name(of): {"type": "keyword", "doc_values": False} for of in self._declared.lists}

    def entries(self, table: Table) -> Iterator[EngineJson]:
        for own in self._declared.keys(table):
            yield {self._name(of): [*keys] for of, keys in own.items() if keys}

    def _filters(self, row: Table) -> Iterator[tuple[EngineJson, float]]:
        for step in self._declared.steps(row):
            field = self._name(step.of)
            if all(len(group) == 1 for group in step.groups):
                yield {"terms": {field: [key for (key,) in step.groups]}}, step.value
                continue
            every = [{"bool": {"filter": [{"term": {field: key}} for key in group]}} for group in step.groups]
            yield {"bool": {"should": every, "minimum_should_match": 1}}, step.value


class _YearLookup(_FilterLookup):
    """Ranges of years, by their ends."""

    def __init__(self, feature: str, declared: Range[Table]) -> None:
        super().__init__(f"years_{feature}")
        self._declared = declared

    def mapping(self) -> EngineJson:
        return {f"{self.field}_first": {"type": "integer"}, f"{self.field}_last": {"type": "integer"}}

    def entries(self, table: Table) -> Iterator[EngineJson]:
        for first, last in self._declared.ends(table).tolist():
            known = not np.isnan(first)
            yield {f"{self.field}_first": int(first), f"{self.field}_last": int(last)} if known else {}

    def _filters(self, row: Table) -> Iterator[tuple[EngineJson, float]]:
        ((first, last),) = self._declared.ends(row).tolist()
        for distance in self._declared.distances(row):
            years = distance.years
            ranges = [
                {"range": {f"{self.field}_{end}": {"gte": int(year) - years, "lte": int(year) + years}}}
                for end, year in (("first", first), ("last", last))
            ]
            yield {"bool": {"filter": ranges}}, distance.value


def searchable(column: FeatureColumn) -> Searchable[Table] | None:
    """What a column declares; None for nothing, and for a feature that is made of others."""
    return column.searchable() if isinstance(column, Column) else None


def lookups(columns: Mapping[str, FeatureColumn]) -> dict[str, Lookup]:
    """The lookups of all features that have one; features over the same terms share theirs."""
    every, known = dict[str, Lookup](), dict[object, Lookup]()
    for name, column in columns.items():
        one = _lookup(name, column)
        if one is not None and isinstance(column, Column):
            every[name] = known.setdefault((type(one), column.same), one)
    return every


def _lookup(name: str, column: FeatureColumn) -> Lookup | None:
    match searchable(column):
        case WeightedTerms() as terms:
            return _TermLookup(name, terms)
        case Steps() as steps:
            return _KeyLookup(name, steps)
        case Range() as years:
            return _YearLookup(name, years)
        case _:
            return None
