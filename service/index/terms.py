"""The terms of each type of an additive system, read once: what an index adds up."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from features.measures.base import Scores
from models.regressors.base import AdditiveRegressor, Line
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.kernels import summed


@dataclass(frozen=True, slots=True)
class Term:
    """One feature's part of a score: its name, its term, and the least and the most that this can be."""

    name: str
    line: Line
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class TypeTerms:
    """The terms of one type in the order of the system's features.

    ``nothing`` names the feature that is 0 where neither item has anything of the type; ``asked`` are
    the features to compare for a score.
    """

    base: float
    terms: tuple[Term, ...]
    nothing: str | None

    @property
    def asked(self) -> tuple[str, ...]:
        """The features that a score of the type is made of, and the one that tells of nothing."""
        return (*(term.name for term in self.terms), *([self.nothing] if self.nothing else []))

    def scores(self, values: Mapping[str, Scores], items: int) -> Scores:
        """Raw scores, float64[items], of the values of ``asked``; minus infinity where there is nothing."""
        lines = [term.line for term in self.terms]
        scores = summed(self.base, lines, [values[term.name] for term in self.terms], items)
        if self.nothing:
            scores[values[self.nothing] == 0] = -np.inf
        return scores


def terms_of(system: System, additive: AdditiveRegressor) -> dict[SimilarityType, TypeTerms]:
    """The terms of every type; a feature that cannot move a type has none."""
    hears = additive.hears
    return {
        kind: TypeTerms(
            float(additive.base[kind.position]),
            tuple(
                _term(system.features[n], additive.line(n, kind))
                for n in np.flatnonzero(hears[:, kind.position]).tolist()
            ),
            system.nothing.get(kind),
        )
        for kind in TYPES
    }


def _term(name: str, line: Line) -> Term:
    return Term(name, line, *line.reach)
