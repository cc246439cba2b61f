"""Why a score is what it is: contributions that add up to it, each with its evidence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import numpy as np

from features.measures.base import Column, Evidence, Scores
from features.profile import Profile
from models.systems import System
from models.types import SCALE, SimilarityType


@dataclass(frozen=True)
class Contribution:
    """One feature's part of one score.

    ``value`` is the feature's value, None where there is no information; ``amount`` its term in
    the sum.
    """

    feature: str
    value: float | None
    weight: float
    amount: float
    find: Callable[[], tuple[Evidence, ...]] = field(repr=False, compare=False)

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the value rests on, on both sides; looked for when first asked."""
        return self.find()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One type's score of a pair: ``base`` plus the contributions is ``raw``, ``score`` is clipped."""

    type: SimilarityType
    score: float
    raw: float
    base: float
    contributions: tuple[Contribution, ...]


def explain(
    system: System,
    columns: Mapping[str, Column],
    left: Profile,
    right: Profile,
    types: tuple[SimilarityType, ...],
    values: Scores,
) -> tuple[Explanation, ...]:
    """Explain the scores of a pair whose feature values, in the system's order, are ``values``.

    Contributions come strongest first; a feature that adds nothing is left out.
    """
    terms = system.terms(values)

    @cache
    def evidence(name: str) -> tuple[Evidence, ...]:
        return columns[name].evidence(left, right)

    return tuple(_one(system, values, terms, evidence, kind) for kind in types)


def _one(
    system: System,
    values: Scores,
    terms: Scores,
    evidence: Callable[[str], tuple[Evidence, ...]],
    kind: SimilarityType,
) -> Explanation:
    at = kind.position
    contributions = [
        Contribution(
            feature=name,
            value=None if np.isnan(values[n]) else float(values[n]),
            weight=float(system.weights[n, at]),
            amount=float(terms[n, at]),
            find=partial(evidence, name),
        )
        for n, name in enumerate(system.features)
        if terms[n, at]
    ]
    base = float(system.base[at])
    raw = base + sum(c.amount for c in contributions)
    ordered = tuple(sorted(contributions, key=lambda c: (-abs(c.amount), c.feature)))
    return Explanation(kind, float(np.clip(raw, *SCALE)), raw, base, ordered)
