"""The terms of each type of an additive system, in the order in which an index adds them up."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from features.measures import FeatureSettings
from features.measures.base import Scores
from features.measures.derived import needed
from models.regressors.base import AdditiveRegressor, Line
from models.systems import System
from models.types import SimilarityType
from service.index.kernels import add

_COSTS: Final[Mapping[str, float]] = {
    "sentences": 16.0,
    "subjects": 8.0,
    "lda": 8.0,
    "walk": 60.0,
    "link_vectors": 200.0,
    "vectors": 30.0,
    "cardinality": 2000.0,
}
"""What a measure costs an item, beside one that looks up a list or a number."""


@dataclass(frozen=True, slots=True)
class Term:
    """One feature's part of a score: its name, its term, and the least and the most that this can be.

    ``cost`` is what it takes to compare an item in it, that of looking up a list or a number being 1.
    """

    name: str
    cost: float
    line: Line
    least: float
    most: float

    @property
    def span(self) -> float:
        """How far it can move a score."""
        return self.most - self.least

    def add_to(self, sums: Scores, values: Scores) -> None:
        """Add the terms of the feature's values to sums of as many items."""
        add(sums, values, self.line.knots, self.line.heights, self.line.missing)


@dataclass(frozen=True, slots=True, eq=False)
class TypeTerms:
    """The terms of one type: what can tell most for what it costs comes first.

    Every index scores in this order, so that no digit differs. ``not_applicable`` names the feature that is 0
    where neither item has anything of the type.
    """

    base: float
    terms: tuple[Term, ...]
    not_applicable: str | None

    @property
    def asked(self) -> tuple[str, ...]:
        """The features that a score of the type is made of, and the one that tells of nothing."""
        return (*(term.name for term in self.terms), *([self.not_applicable] if self.not_applicable else []))

    def scores(self, values: Mapping[str, Scores], items: int) -> Scores:
        """Raw scores, float64[items], of the values of ``asked``; minus infinity where there is nothing."""
        scores: Scores = np.full(items, self.base)
        for term in self.terms:
            term.add_to(scores, values[term.name])
        if self.not_applicable:
            scores[values[self.not_applicable] == 0] = -np.inf
        return scores


def terms_of(
    system: System, additive: AdditiveRegressor, features: Mapping[str, FeatureSettings]
) -> dict[SimilarityType, TypeTerms]:
    """The terms of every type; a feature that cannot move a type has none."""
    active = additive.active
    costs = [
        sum(_COSTS.get(features[part].measure, 1.0) for part in needed((name,), features))
        for name in system.features
    ]
    found = {}
    for at, kind in enumerate(system.types):
        heard = np.flatnonzero(active[:, at]).tolist()
        lines = {n: additive.line(n, at) for n in heard}
        terms = [Term(system.features[n], costs[n], line, *line.reach) for n, line in lines.items()]
        ordered = tuple(sorted(terms, key=lambda term: -term.span / term.cost))
        found[kind] = TypeTerms(float(additive.base[at]), ordered, system.not_applicable.get(kind))
    return found
