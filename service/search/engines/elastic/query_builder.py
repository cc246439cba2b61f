"""The query builder: what a type counts, for one item, as a search of the engine.

The engine adds up what it knows of an item: an inner product of blended vectors, sums over shared terms, and
constants for the steps that the item passes. The sum follows the score of the type closely, so that the best
items are among the first few hundred by it; these are scored exactly.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from features.collection.facets import NAMED, key_of
from features.collection.fetched import FetchedCollection
from features.measures.base import plain
from features.measures.searchable import Combination, Informed, Largest, Unless
from features.measures.tables import Table
from models.regressors.base import Polyline
from models.systems import System
from models.types import SimilarityType
from service.search.engines.elastic.client import EngineJson
from service.search.engines.elastic.documents import LEVELS, SEPARATOR, DocumentShape
from service.search.facets import Filters

_NEAREST: Final = 5000  # items whose inner product is added up; of others it counts nothing
_SHARE: Final = 0.7  # how much of a curve each of the features moves that its own is made of


class _Gain(NamedTuple):
    """What a feature adds to a score at a value, above what it adds at 0."""

    line: Polyline
    share: float
    factor: float = 1.0

    def __call__(self, value: float) -> float:
        heights = self.line.heights
        return self.share * float(np.interp(self.factor * value, self.line.knots, heights) - heights[0])


class QueryBuilder:
    """Builds the search of one type for one item; raises ``TypeError`` for a system that is not additive."""

    def __init__(
        self,
        shape: DocumentShape,
        system: System,
        collection: FetchedCollection,
        row: int,
        kind: SimilarityType,
    ) -> None:
        if system.additive is None:
            raise TypeError("a system that is not additive cannot be searched")
        self._shape, self._collection, self._row = shape, collection, row
        at, additive = system.position(kind), system.additive
        moving = np.flatnonzero(additive.active[:, at]).tolist()
        self._lines = {system.features[n]: additive.line(n, at) for n in moving}
        self._base = float(additive.base[at])
        self._learnt = shape.blend.weights.get(f"{system.name} {kind}", ())
        self._applies = system.not_applicable.get(kind)

    @property
    def most(self) -> float:
        """A score that no item exceeds."""
        return self._base + self._sum(max)

    @property
    def least(self) -> float:
        """A score that no item falls below, where the type applies."""
        return min(self._base + self._sum(min), 0.0)

    def _sum(self, extreme: Callable[[list[float]], float]) -> float:
        """The sum of the terms, each at an extreme of its heights; those that are known as they are."""
        return sum(
            line.missing if self._uninformed(name) else extreme([*line.heights.tolist(), line.missing])
            for name, line in self._lines.items()
        )

    def should(self, filters: Sequence[EngineJson]) -> list[EngineJson]:
        """The clauses of a search, whose sum follows the score."""
        return [*self._near(filters), *self._looked_up()]

    def _made_of(self, name: str) -> tuple[str, ...]:
        return self._shape.fitted.manifest.features[name].made_of

    def _counting(self, name: str) -> tuple[str, ...]:
        """The features that one is made of, as far as the item can gain by them.

        Of one that counts for want of something it is the first, where the item lacks that something.
        """
        parts = self._made_of(name)
        if not isinstance(self._combination(name), Unless):
            return parts
        of, gate = parts
        return (of,) if any(map(self._uninformed, self._made_of(gate))) else ()

    def _combination(self, name: str) -> Combination:
        return self._shape.fitted.manifest.features[name].combination

    @cached_property
    def _plain(self) -> list[tuple[str, Polyline, float]]:
        """The features of a measure of their own that move the type, and how much of a curve is theirs.

        Those by which the type applies at all count a little: where nothing else is shared they find
        something.
        """
        moving = [each for name, line in self._lines.items() for each in self._parts(name, line, 1.0)]
        applies = self._made_of(self._applies) if self._applies else ()
        little = Polyline(np.array([0.0, 1.0]), np.array([0.0, 0.1]), 0.0)
        informed = (part for part in applies if not isinstance(self._combination(part), Informed))
        return [*moving, *((part, little, 1.0) for part in informed)]

    def _parts(self, name: str, line: Polyline, share: float) -> Iterator[tuple[str, Polyline, float]]:
        """The features of a measure of their own that one is made of as a sum, itself where it is plain."""
        if isinstance(self._combination(name), Largest):
            return
        if not self._made_of(name) and not self._uninformed(name):
            yield name, line, share
        for part in self._counting(name):
            yield from self._parts(part, line, share * _SHARE)

    def _uninformed(self, name: str) -> bool:
        """Whether the item itself has no information in a plain feature, so that its term is known."""
        if self._made_of(name):
            return False
        column = plain(self._shape.fitted.columns[name])
        return not bool(column.informed(self._table(name)).all())

    def _table(self, name: str) -> Table:
        return self._collection.row_table(name, self._row)

    def _near(self, filters: Sequence[EngineJson]) -> list[EngineJson]:
        """What is nearest by the blended vectors, among some items."""
        learnt = iter(self._learnt)
        spread = [np.empty(0, np.float32)]
        spread += [
            next(learnt, 0.0) * part.vector.unit(self._table(part.feature))[0] for part in self._shape.parts
        ]
        by_curves = self._amounts()
        amounts = [next(learnt, 0.0) + by_curves.get(one, 0.0) for one in self._shape.amounts]
        vector = np.concatenate(spread).astype(np.float32)
        question = self._shape.blend.question(vector, np.array(amounts, np.float32))
        if question is None:
            return []
        nearest = {"k": _NEAREST, "num_candidates": _NEAREST, "boost": question[1], "filter": list(filters)}
        return [{"knn": {"field": "blend", "query_vector": question[0], **nearest}}]

    def _amounts(self) -> dict[tuple[str, str], float]:
        """What each amount counts by the curves."""
        counts = dict[tuple[str, str], float]()
        for name, line, share in self._plain:
            missing = line.missing if share == 1.0 else float(line.heights[0])
            own = dict[str, float]()
            if name in self._shape.levels:
                values = self._shape.combined(name, self._table(name))
                heights = np.interp(values, line.knots, line.heights).tolist()
                own = {f"presence {level:g}": height for level, height in zip(LEVELS, heights, strict=True)}
            elif name in self._shape.lookups:
                name, own = self._shape.alike(name), {"known": float(line.heights[0])}
            for kind, height in own.items():
                counts[kind, name] = counts.get((kind, name), 0.0) + share * (height - missing)
        for name, height in self._gated():
            counts["known", name] = counts.get(("known", name), 0.0) + height
        return counts

    def _gated(self) -> Iterator[tuple[str, float]]:
        """What a feature that counts only where another is known adds there, about, by that other one."""
        for name, line in self._lines.items():
            gates = (gate for gate in self._counting(name) if isinstance(self._combination(gate), Informed))
            for part in (part for gate in gates for part in self._made_of(gate)):
                if part in self._shape.lookups and not self._uninformed(part):
                    yield self._shape.alike(part), float(np.median(line.heights) - line.heights[0])

    def _looked_up(self) -> list[EngineJson]:
        """What an item gains by shared terms, and by the steps that it passes."""
        alone = dict[str, list[_Gain]]()
        for name, line, share in self._plain:
            if name in self._shape.lookups:
                alone.setdefault(self._shape.alike(name), []).append(_Gain(line, share))
        clauses = list[EngineJson]()
        for name, line in self._lines.items():
            if largest := self._largest(name):
                ways = [*self._ways(largest, line, alone)]
                clauses += [{"dis_max": {"queries": ways}}] if ways else []
        return clauses + [clause for name, gains in alone.items() for clause in self._clauses(name, gains)]

    def _largest(self, name: str) -> Largest | None:
        """How the largest part of a feature counts, also where it counts for want of something."""
        combination = self._combination(name)
        if isinstance(combination, Unless):
            return next(map(self._largest, self._counting(name)), None)
        return combination if isinstance(combination, Largest) else None

    def _ways(self, largest: Largest, line: Polyline, alone: dict[str, list[_Gain]]) -> Iterator[EngineJson]:
        """The parts of a feature of which the largest counts; what such a part gains alone counts with it."""
        for part, factor in largest.factors.items():
            if part in self._shape.lookups and not self._uninformed(part):
                own = self._shape.alike(part)
                if clauses := self._clauses(own, [_Gain(line, 1.0, factor), *alone.pop(own, [])]):
                    yield {"bool": {"should": clauses}}

    def _clauses(self, name: str, gains: Sequence[_Gain]) -> list[EngineJson]:
        """What finds items by one lookup, and adds what several features gain by it."""
        table = self._table(name)
        return self._shape.lookups[name].clauses(table, lambda value: sum(gain(value) for gain in gains))


def filtered(filters: Filters) -> list[EngineJson]:
    """What an item has to be, as filters of the engine."""
    every: list[EngineJson] = []
    for facet in NAMED:
        if names := getattr(filters, facet):
            wanted = [{"prefix": {facet: f"{key_of(facet, name)}{SEPARATOR}"}} for name in names]
            every.append({"bool": {"should": wanted, "minimum_should_match": 1}})
    if filters.image is not None:
        every.append({"term": {"image": filters.image}})
    years = {"gte": filters.first, "lte": filters.last}
    if given := {end: year for end, year in years.items() if year is not None}:
        every.append({"range": {"years": {**given, "relation": "intersects"}}})
    return every
