"""Asking: a type's terms for one item as searches of the engine, and what bounds the items they do not find.

Two searches propose. *Said* adds up what the engine can tell of every item: the terms that both have, and the
steps that it passes. It finds the best of all items by that sum, so that what it leaves out has less. *Near*
takes what is nearest by the blended vectors, on the whole and within steps, and ranks it by all together.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from features.collection.facets import folded
from features.collection.fetched import Fetched
from features.measures.base import Scores, plain
from features.measures.known import KnownSettings
from features.measures.overlap import OverlapColumn
from features.measures.tables import Table
from models.regressors.base import Line
from models.systems import System
from models.types import SimilarityType
from service.facets import Filters
from service.index.elastic.blend import part_of, parts, unit
from service.index.elastic.client import Json
from service.index.elastic.documents import SEPARATOR, Documents, Shape
from service.index.elastic.lookups import Step, Stepped, Weighed

_NEAREST: Final = 400
"""Items that are nearest by their vectors."""

_WITHIN: Final = 80
"""The same among those that pass a step."""

_STEEP: Final = (0.4, 0.8)
"""Where a curve's slope counts: neighbours lie there."""

_ROUNDING: Final = 1 / 64
"""How much lower than a product of weights the engine's may be, as a part of it: it keeps some 8 bits."""

_LEAST: Final = 0.02


@dataclass(frozen=True, slots=True)
class Looked:
    """One lookup as a type asks it: clauses with what each adds to the sum."""

    name: str
    line: Line
    clauses: tuple[tuple[Json, float], ...]
    steps: tuple[Step, ...]
    slope: float

    def least(self, values: Scores) -> Scores:
        """The least that the sum of *said* has of it, by the feature's value."""
        found = self.slope * (1 - _ROUNDING) * values
        for step, (_, added) in zip(self.steps, self.clauses, strict=False):
            found = found + np.where(values > step.otherwise + 1e-6, added, 0.0)
        return found


class Asked:
    """What a type asks of the engine for one item."""

    def __init__(
        self, shape: Shape, system: System, collection: Fetched, row: int, kind: SimilarityType
    ) -> None:
        if system.additive is None:
            raise TypeError("a system that is not additive cannot be searched")
        self._shape, self._system, self._collection, self._row = shape, system, collection, row
        self._kind, self._at, self._additive = kind, system.position(kind), system.additive
        moving = np.flatnonzero(self._additive.active[:, self._at]).tolist()
        self._lines = {system.features[n]: self._additive.line(n, self._at) for n in moving}

    # -- searches ------------------------------------------------------------------------------

    def said(self) -> list[Json]:
        """The clauses of *said*; none where nothing of the type can be looked up."""
        return [clause for one in self.looked for clause, _ in one.clauses]

    def near(self, filters: Sequence[Json]) -> list[Json]:
        """The clauses of *near*, each of what is nearest among some items."""
        if self._vector is None:
            return []
        vector, boost = self._vector
        strata = [step.filter for one in self.looked for step in one.steps]
        found = [_nearest(vector, _NEAREST, boost, filters)]
        return found + [_nearest(vector, _WITHIN, boost, [*filters, one]) for one in strata]

    @cached_property
    def looked(self) -> list[Looked]:
        """The lookups of the type's features, those of features that others are made of included."""
        found = dict[str, Looked]()
        for name, line, share in self._plain():
            lookup = self._shape.lookups.get(name)
            if lookup is None or lookup.field in found:
                continue
            gain = share * max(float(line.heights.max() - line.heights[0]), 0.0)
            if gain < _LEAST:
                continue
            row = self._table(name)
            if isinstance(lookup, Weighed):
                clause = lookup.clause(row, gain)
                if clause is not None:
                    exceeds = self._exceeds(name)
                    slope = 0.0 if exceeds else gain
                    found[lookup.field] = Looked(name, line, ((clause, gain),), (), slope)
            elif isinstance(lookup, Stepped):
                steps = lookup.steps(row)
                clauses = tuple(
                    (
                        {"constant_score": {"filter": step.filter, "boost": gain / len(steps)}},
                        gain / len(steps),
                    )
                    for step in steps
                )
                if clauses:
                    found[lookup.field] = Looked(name, line, clauses, tuple(steps), 0.0)
        return [*found.values()]

    def _plain(self) -> Iterator[tuple[str, Line, float]]:
        """The features of a measure of their own that move the type, and how much of a curve is theirs."""
        features = self._shape.fitted.manifest.features
        for name, line in self._lines.items():
            yield from self._made_of(name, line, 1.0)
        applies = self._system.not_applicable.get(self._kind)
        for part in features[applies].made_of if applies else ():
            if not isinstance(features[part], KnownSettings):
                yield from self._made_of(part, Line(np.array([0.0, 1.0]), np.array([0.0, 0.1]), 0.0), 1.0)

    def _made_of(self, name: str, line: Line, share: float) -> Iterator[tuple[str, Line, float]]:
        made = self._shape.fitted.manifest.features[name].made_of
        if not made:
            yield name, line, share
        for part in made:
            yield from self._made_of(part, line, share * 0.7)

    def _exceeds(self, name: str) -> bool:
        column = self._shape.fitted.columns[name]
        return isinstance(column, OverlapColumn) and column.exceeds

    def _table(self, name: str) -> Table:
        return self._collection.kept(name, self._row)

    @cached_property
    def _vector(self) -> tuple[list[int], float] | None:
        """The blended vector to ask with, and what its products are multiplied with to be scores."""
        names = parts(self._shape.fitted.columns)
        if not names:
            return None
        tables = {name: self._table(name) for name in names.values()}
        documents = Documents(self._shape)
        vectors, _ = documents.laid(tables, 1)
        weights, counts = self._slopes(names)
        spread, at = vectors[0].copy(), 0
        for key, name in names.items():
            width = unit(plain(self._shape.fitted.columns[name]), tables[name]).shape[1]
            spread[at : at + width] *= weights.get(key, 0.0)
            at += width
        texts = [key for key in names if key.startswith("text ")]
        own = np.array([counts.get(key, 0.0) for key in texts], np.float32)
        return self._shape.blend.question(spread.astype(np.float32), own)

    def _slopes(self, names: Mapping[str, str]) -> tuple[dict[str, float], dict[str, float]]:
        """How much a score rises with each part's cosine, and with how usual an item's text is."""
        weights, usual = dict[str, float](), dict[str, float]()
        columns = self._shape.fitted.columns
        for name, line, share in self._plain():
            key = part_of(name, columns[name])
            if key is None or key not in names:
                continue
            own = name if share == 1.0 else None
            gate = share if own is None else 1.0
            slope = _slope(line) * gate
            weights[key] = weights.get(key, 0.0) + slope
            if getattr(columns[name], "scaled", False):
                usual[key] = usual.get(key, 0.0) - slope / 2
        if all(weight <= 0 for weight in weights.values()):
            weights = {key: max(abs(weight), 0.1) for key, weight in weights.items()}
        return weights, usual

    # -- bounds --------------------------------------------------------------------------------

    def bound(self, rest: float) -> float:
        """The most that an item can score of which the sum of *said* is ``rest`` at most.

        For each price of the sum the score is no higher than the price of ``rest`` and what every curve gains
        beyond its price; the lowest of some prices counts.
        """
        by = {one.name: one for one in self.looked}
        return min(self._priced(price, rest, by) for price in _PRICES)

    def _priced(self, price: float, rest: float, by: Mapping[str, Looked]) -> float:
        total = float(self._additive.base[self._at]) + price * rest
        for name, line in self._lines.items():
            one, values = by.get(name), line.knots
            if one is not None:
                values = np.unique(np.append(values, [step.otherwise for step in one.steps]))
            if name not in self._shape.fitted.manifest.features or self._silent(name):
                total += line.missing
                continue
            heights = np.interp(values, line.knots, line.heights)
            least = one.least(values) if one is not None else 0.0
            total += max(float((heights - price * least).max()), line.missing)
        return total

    def _silent(self, name: str) -> bool:
        """Whether the item itself gives no information, so that the value is known not to be."""
        settings = self._shape.fitted.manifest.features[name]
        if settings.made_of:
            return False
        column = plain(self._shape.fitted.columns[name])
        return not bool(column.informed(self._table(name)).all())


_PRICES: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)


def _slope(line: Line) -> float:
    low, high = np.interp(_STEEP, line.knots, line.heights)
    return float((high - low) / (_STEEP[1] - _STEEP[0]))


def _nearest(vector: Sequence[int], number: int, boost: float, filters: Sequence[Json]) -> Json:
    own: dict[str, Any] = {
        "field": "blend", "query_vector": vector, "k": number, "num_candidates": number, "boost": boost,
    }  # fmt: skip
    if filters:
        own["filter"] = list(filters)
    return {"knn": own}


def filtered(filters: Filters) -> list[Json]:
    """What an item has to be, as filters of the engine."""
    found: list[Json] = []
    for facet in ("provider", "object", "place"):
        if names := getattr(filters, facet):
            wanted = [{"prefix": {facet: f"{folded(name)}{SEPARATOR}"}} for name in names]
            found.append({"bool": {"should": wanted, "minimum_should_match": 1}})
    if filters.image is not None:
        found.append({"term": {"image": filters.image}})
    years = {"gte": filters.first, "lte": filters.last}
    if given := {end: year for end, year in years.items() if year is not None}:
        found.append({"range": {"years": {**given, "relation": "intersects"}}})
    return found
