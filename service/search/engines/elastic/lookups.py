"""Lookups: what the measures declare of their columns, as fields and queries of the engine.

Of weighted terms the engine adds up the very number, to some 8 bits. Of steps and ranges it knows filters,
each of which says about how high the feature is where an item passes it. Whatever is proposed so is scored
exactly afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from features.measures.base import Column, FeatureColumn
from features.measures.searchable import Range, Searchable, SearchStep, Steps, WeightedTerms
from features.measures.tables import Table
from service.search.engines.elastic.client import Json

_DIGITS: Final = 4
"""Digits of a weight: the engine keeps some 8 bits."""

_KEYWORD: Final = {"type": "keyword", "doc_values": False}


class Filter(NamedTuple):
    """A filter, and about what a feature's value is where an item passes it and no narrower one."""

    filter: Json
    value: float


class Lookup(ABC):
    """What is indexed of a feature, and how it is asked; ``field`` names it in the engine."""

    def __init__(self, field: str) -> None:
        self.field = field

    @abstractmethod
    def mapping(self) -> Json:
        """The fields in the engine's mapping, by their names."""

    @abstractmethod
    def entries(self, table: Table) -> Iterator[Json]:
        """For each row of a table the fields of its document."""


class TermLookup(Lookup):
    """Weighted terms, as a sparse vector."""

    def __init__(self, feature: str, declared: WeightedTerms[Table]) -> None:
        super().__init__(f"terms_{feature}")
        self._declared = declared

    def mapping(self) -> Json:
        """A field of terms and weights."""
        return {self.field: {"type": "sparse_vector"}}

    def entries(self, table: Table) -> Iterator[Json]:
        """The terms of every row with their weights."""
        starts, terms, weights = self._declared.weights(table)
        for row in range(len(starts) - 1):
            own = slice(starts[row], starts[row + 1])
            rounded = weights[own].round(_DIGITS).tolist()
            entry = dict(zip(map(str, terms[own].tolist()), rounded, strict=True))
            positive = {term: weight for term, weight in entry.items() if weight > 0}
            yield {self.field: positive} if positive else {}

    def clause(self, row: Table, boost: float) -> Json | None:
        """What scores an item by the feature's value times ``boost``; None where nothing is to be asked."""
        (entry,) = self.entries(row)
        if not entry:
            return None
        query = {"field": self.field, "query_vector": entry[self.field], "prune": False, "boost": boost}
        return {"sparse_vector": query}


class FilterLookup(Lookup):
    """What is asked by filters, each of which tells how high the feature can be."""

    @abstractmethod
    def filters(self, row: Table) -> list[Filter]:
        """The filters for an item, the widest first."""


class KeyLookup(FilterLookup):
    """Lists of keys, each list a field of keywords."""

    def __init__(self, feature: str, declared: Steps[Table]) -> None:
        super().__init__(f"{declared.kind}_{feature}")
        self._declared = declared

    def _name(self, of: str) -> str:
        return f"{self.field}_{of}" if of else self.field

    def mapping(self) -> Json:
        """A field of keywords for each list."""
        return {self._name(of): _KEYWORD for of in self._declared.lists}

    def entries(self, table: Table) -> Iterator[Json]:
        """The keys of every row."""
        for own in self._declared.keys(table):
            yield {self._name(of): [*keys] for of, keys in own.items() if keys}

    def filters(self, row: Table) -> list[Filter]:
        """One for each step."""
        return [Filter(self._filter(step), step.value) for step in self._declared.steps(row)]

    def _filter(self, step: SearchStep) -> Json:
        field = self._name(step.of)
        if all(len(group) == 1 for group in step.groups):
            return {"terms": {field: [key for (key,) in step.groups]}}
        every = [{"bool": {"filter": [{"term": {field: key}} for key in group]}} for group in step.groups]
        return {"bool": {"should": every, "minimum_should_match": 1}}


class YearLookup(FilterLookup):
    """Ranges of years, by their ends."""

    def __init__(self, feature: str, declared: Range[Table]) -> None:
        super().__init__(f"years_{feature}")
        self._declared = declared

    def mapping(self) -> Json:
        """Two years."""
        return {f"{self.field}_first": {"type": "integer"}, f"{self.field}_last": {"type": "integer"}}

    def entries(self, table: Table) -> Iterator[Json]:
        """The ends of every row."""
        for first, last in self._declared.ends(table).tolist():
            known = not np.isnan(first)
            yield {f"{self.field}_first": int(first), f"{self.field}_last": int(last)} if known else {}

    def filters(self, row: Table) -> list[Filter]:
        """Items whose ends are so many years away at most."""
        ((first, last),) = self._declared.ends(row).tolist()
        return [
            Filter(self._within(int(first), int(last), one.years), one.value)
            for one in self._declared.distances(row)
        ]

    def _within(self, first: int, last: int, years: int) -> Json:
        ends = (("first", first), ("last", last))
        ranges = [
            {"range": {f"{self.field}_{end}": {"gte": year - years, "lte": year + years}}}
            for end, year in ends
        ]
        return {"bool": {"filter": ranges}}


def searchable(column: FeatureColumn) -> Searchable[Table] | None:
    """What a column declares; None for nothing, and for a feature that is made of others."""
    return column.searchable() if isinstance(column, Column) else None


def lookup_of(name: str, column: FeatureColumn) -> Lookup | None:
    """How a feature is looked up; None for one that is not."""
    match searchable(column):
        case WeightedTerms() as terms:
            return TermLookup(name, terms)
        case Steps() as steps:
            return KeyLookup(name, steps)
        case Range() as years:
            return YearLookup(name, years)
        case _:
            return None


def lookups(columns: Mapping[str, FeatureColumn]) -> dict[str, Lookup]:
    """The lookups of all features that have one; features over the same terms share theirs."""
    every, known = dict[str, Lookup](), dict[object, Lookup]()
    for name, column in columns.items():
        one = lookup_of(name, column)
        if one is not None and isinstance(column, Column):
            every[name] = known.setdefault((type(one), column.same), one)
    return every
