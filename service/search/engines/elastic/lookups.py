"""Lookups: how an engine finds items by what a feature compares, without comparing them.

Of cosines and overlaps of terms it knows the very number, to some 8 bits: a sum of products. Of the others it
knows steps: filters, each of which says about how high the feature is where an item passes it. Whatever is
found by them is scored exactly afterwards.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from features.measures.base import Column, FeatureColumn, Scores
from features.measures.intervals import Bounds, IntervalsColumn
from features.measures.names import CULTURE, Makers, NamesColumn
from features.measures.overlap import OverlapColumn
from features.measures.places import Located, PlacesColumn
from features.measures.presence import Presence
from features.measures.subjects import Predictions
from features.measures.tables import Table
from features.measures.tfidf import TfidfColumn
from service.search.engines.elastic.client import Json

Entry: TypeAlias = Any
"""The value of a field of a document."""

_DIGITS: Final = 4
"""Digits of a weight: the engine keeps some 8 bits."""

YEARS: Final = (0, 2, 6, 15, 40, 100)
"""Steps of dates: so many years apart at most."""


_WORD: Final = 0.2
"""What one word of a name tells: it is mostly another's."""


class Step(NamedTuple):
    """A filter, and about what a feature's value is where an item passes it and no narrower one."""

    filter: Json
    value: float


class Lookup(ABC):
    """What is indexed of a feature, and how it is asked."""

    def __init__(self, field: str) -> None:
        self.field = field

    @abstractmethod
    def mapping(self) -> Json:
        """The fields in the engine's mapping, by their names."""

    @abstractmethod
    def entries(self, table: Table) -> Iterator[Json]:
        """For each row of a table the fields of its document."""


class Weighed(Lookup):
    """Terms with weights: the sum of the products of two items' weights is the feature, or no less."""

    def __init__(self, field: str, column: "TfidfColumn | OverlapColumn") -> None:
        super().__init__(field)
        self._column = column

    def mapping(self) -> Json:
        """A field of terms and weights."""
        return {self.field: {"type": "sparse_vector"}}

    def entries(self, table: Table) -> Iterator[Json]:
        """The terms of every row that the collection knows."""
        starts, terms, weights = self._column.weighed(table)
        for row in range(len(starts) - 1):
            own = slice(starts[row], starts[row + 1])
            found = dict(
                zip(map(str, terms[own].tolist()), weights[own].round(_DIGITS).tolist(), strict=True)
            )
            kept = {term: weight for term, weight in found.items() if weight > 0}
            yield {self.field: kept} if kept else {}

    def clause(self, row: Table, boost: float) -> Json | None:
        """What scores an item by the feature's value times ``boost``; None where nothing is to be asked."""
        (entry,) = self.entries(row)
        if not entry:
            return None
        query = {"field": self.field, "query_vector": entry[self.field], "prune": False, "boost": boost}
        return {"sparse_vector": query}


class Stepped(Lookup):
    """Filters that tell how high a feature can be."""

    @abstractmethod
    def steps(self, row: Table) -> list[Step]:
        """The steps for an item, the widest first."""


class Named(Stepped):
    """Makers by the words of their names, by their addresses, and by their cultures."""

    def mapping(self) -> Json:
        """Keywords."""
        return {self.field: _KEYWORD, f"{self.field}_cultures": _KEYWORD}

    def entries(self, table: Table) -> Iterator[Json]:
        """The words, addresses and cultures of every row's makers."""
        makers = _as(table, Makers)
        for row in range(len(makers)):
            words, cultures = set[str](), set[int]()
            for maker in makers.makers[makers.starts[row] : makers.starts[row + 1]].tolist():
                words.update(_terms(makers, maker))
                cultures.update(
                    makers.cultures[makers.culture_starts[maker] : makers.culture_starts[maker + 1]].tolist()
                )
            yield _some({self.field: sorted(words), f"{self.field}_cultures": sorted(cultures)})

    def steps(self, row: Table) -> list[Step]:
        """Makers that share a word of the name; a culture; all words of the name, or the address."""
        makers = _as(row, Makers)
        (entry,) = self.entries(row)
        steps, words = [], entry.get(self.field)
        if words:
            steps.append(Step({"terms": {self.field: words}}, _WORD))
        if cultures := entry.get(f"{self.field}_cultures"):
            steps.append(Step({"terms": {f"{self.field}_cultures": cultures}}, CULTURE))
        if words:
            whole = [
                {"bool": {"filter": [{"term": {self.field: term}} for term in own]}}
                for maker in makers.makers.tolist()
                for own in (_words(makers, maker), _address(makers, maker))
                if own
            ]
            steps.append(Step({"bool": {"should": whole, "minimum_should_match": 1}}, 1.0))
        return steps


def _terms(makers: Makers, maker: int) -> list[str]:
    return [*_words(makers, maker), *_address(makers, maker)]


def _words(makers: Makers, maker: int) -> list[str]:
    """The words of the first form of a maker's name."""
    first, beyond = makers.form_starts[maker], makers.form_starts[maker + 1]
    if first == beyond:
        return []
    words = makers.words[makers.word_starts[first] : makers.word_starts[beyond]].tolist()
    return [str(word) for word in sorted(set(words))]


def _address(makers: Makers, maker: int) -> list[str]:
    """What stands for the address of a maker in the file of an authority, where it has one."""
    found = int(makers.addresses[maker])
    return [f"@{found:x}"] if found else []


class Placed(Stepped):
    """Places by all that they lie in."""

    def mapping(self) -> Json:
        """Keywords."""
        return {self.field: _KEYWORD}

    def entries(self, table: Table) -> Iterator[Json]:
        """What the places of every row lie in, themselves included."""
        located = _as(table, Located)
        for row in range(len(located)):
            terms = set[int]()
            for place in located.places[located.starts[row] : located.starts[row + 1]].tolist():
                terms.update(
                    located.terms[located.term_starts[place] : located.term_starts[place + 1]].tolist()
                )
            yield _some({self.field: sorted(terms)})

    def steps(self, row: Table) -> list[Step]:
        """Items that share something as narrow."""
        located, by = _as(row, Located), dict[float, set[int]]()
        for place in located.places.tolist():
            line = slice(located.term_starts[place], located.term_starts[place + 1])
            for term, near in zip(located.terms[line].tolist(), located.nearness[line].tolist(), strict=True):
                by.setdefault(near, set()).add(term)
        steps, levels = list[Step](), sorted(by)
        for at in range(len(levels)):
            terms = sorted(set().union(*(by[one] for one in levels[at:])))
            steps.append(Step({"terms": {self.field: terms}}, levels[at]))
        return steps


class Dated(Stepped):
    """Intervals of years by their ends."""

    def __init__(self, field: str, column: IntervalsColumn) -> None:
        super().__init__(field)
        self._column = column

    def mapping(self) -> Json:
        """Two years."""
        return {f"{self.field}_first": {"type": "integer"}, f"{self.field}_last": {"type": "integer"}}

    def entries(self, table: Table) -> Iterator[Json]:
        """The ends of every row."""
        for first, last in _as(table, Bounds).bounds.tolist():
            yield (
                {}
                if np.isnan(first)
                else {f"{self.field}_first": int(first), f"{self.field}_last": int(last)}
            )

    def steps(self, row: Table) -> list[Step]:
        """Items whose ends are so many years away at most."""
        ((first, last),) = _as(row, Bounds).bounds.tolist()
        if np.isnan(first):
            return []
        shifted = Bounds(np.array([[first + years / 2, last + years / 2] for years in YEARS]))
        near = self._column.similarities(_as(row, Bounds), shifted).tolist()
        steps = [
            Step(self._within(int(first), int(last), years), value)
            for years, value in zip(YEARS, near, strict=True)
        ]
        return steps[::-1]

    def _within(self, first: int, last: int, years: int) -> Json:
        ends = (("first", first), ("last", last))
        ranges = [
            {"range": {f"{self.field}_{end}": {"gte": year - years, "lte": year + years}}}
            for end, year in ends
        ]
        return {"bool": {"filter": ranges}}


def presence(table: Table) -> Scores:
    """How surely each row has anything of a kind."""
    if isinstance(table, Presence):
        return table.presence
    return np.asarray(_as(table, Predictions).totals, np.float64)


_KEYWORD: Final = {"type": "keyword", "doc_values": False}


def _some(fields: Mapping[str, Sequence[int] | Sequence[str]]) -> Json:
    return {name: [str(one) for one in own] for name, own in fields.items() if own}


def _as(table: Table, kind: type) -> Any:  # noqa: ANN401 - the class that is named
    if not isinstance(table, kind):
        raise TypeError(f"not a table of {kind.__name__}")
    return table


def lookup_of(name: str, column: FeatureColumn) -> Lookup | None:
    """How a feature is looked up; None for one that is not."""
    if isinstance(column, TfidfColumn | OverlapColumn):
        return Weighed(f"terms_{name}", column)
    if isinstance(column, NamesColumn):
        return Named(f"names_{name}")
    if isinstance(column, PlacesColumn):
        return Placed(f"places_{name}")
    if isinstance(column, IntervalsColumn):
        return Dated(f"years_{name}", column)
    return None


def lookups(columns: Mapping[str, FeatureColumn]) -> dict[str, Lookup]:
    """The lookups of all features that have one; features over the same terms share theirs."""
    found, known = dict[str, Lookup](), dict[object, Lookup]()
    for name, column in columns.items():
        one = lookup_of(name, column)
        if one is None or not isinstance(column, Column):
            continue
        own = (type(one), column.same)
        found[name] = known.setdefault(own, one)
    return found
