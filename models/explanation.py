"""Why a score is what it is: contributions that add up to it, each with its evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial

import numpy as np

from features.arrays import Doubles
from features.measures.base import Columns, EvidencePair
from features.profiles.blocks import Block
from models.systems import NOT_BOTH, System
from models.types import SCALE, SimilarityType


@dataclass(frozen=True)
class FeatureContribution:
    """One feature's part of one score.

    ``value`` is the feature's value, None where there is no information; ``amount`` its term in
    the sum; ``weight`` what the value is multiplied by, None where the term is a shape function's.
    """

    feature: str
    value: float | None
    weight: float | None
    amount: float
    find: Callable[[], tuple[EvidencePair, ...]] = field(repr=False, compare=False)

    @cached_property
    def evidence(self) -> tuple[EvidencePair, ...]:
        """What the value rests on, on both sides; looked for once, when first read, where it is above 0."""
        return self.find() if self.value else ()


@dataclass(frozen=True, slots=True)
class ScoreExplanation:
    """One type's score of a pair: ``base`` plus the contributions is ``raw``, ``score`` is clipped.

    Where neither item has anything of the type, ``not_applicable`` is True and the score 0. Where one alone
    has, ``not_both`` is True and the score at most 2, whatever ``raw`` is. Of a record with itself, ``same``,
    the score is 5 in every other type, and ``base`` is None. A system that is not additive has no exact
    contributions: they and ``base`` are None.
    """

    type: SimilarityType
    score: float
    raw: float | None
    base: float | None
    contributions: tuple[FeatureContribution, ...] | None
    not_applicable: bool = False
    same: bool = False
    not_both: bool = False


def explain(
    system: System,
    columns: Columns,
    block: Block,
    pair: tuple[int, int],
    types: Iterable[SimilarityType],
    values: Doubles,
) -> tuple[ScoreExplanation, ...]:
    """Explain the scores of two items of a block; ``values`` are its features in the system's order."""
    return explained(system, lambda name: columns[name].evidence(block, *pair), types, values)


def explained(
    system: System,
    find: Callable[[str], tuple[EvidencePair, ...]],
    types: Iterable[SimilarityType],
    values: Doubles,
    terms: Doubles | None = None,
) -> tuple[ScoreExplanation, ...]:
    """Explain scores of feature values, in the system's order.

    ``find`` gives a feature's evidence when it is read. Contributions come strongest first, those of 0 not.
    ``terms`` are those of the values, float64[features, types], where they are known already.
    """
    additive = system.additive
    evidence = cache(find)
    if additive is None:
        raw = system.raw(values[np.newaxis])[0]
    else:
        seen = dict(zip(system.features, values[: additive.width], strict=False))
        parts = additive.terms(values[: additive.width]) if terms is None else terms
    inapplicable = dict(zip(system.types, system.inapplicable(values).tolist(), strict=True))
    not_both = dict(zip(system.types, system.not_both(values).tolist(), strict=True))

    def explanation(kind: SimilarityType) -> ScoreExplanation:
        at = system.position(kind)
        if inapplicable[kind]:
            return _not_applicable(kind)
        limit = NOT_BOTH if not_both[kind] else SCALE[1]
        if additive is None:
            whole = float(raw[at])
            return ScoreExplanation(kind, _cut(whole, limit), whole, None, None, not_both=not_both[kind])
        contributions = [
            FeatureContribution(
                feature=name,
                value=None if np.isnan(value) else float(value),
                weight=additive.weight(n, at),
                amount=float(parts[n, at]),
                find=partial(evidence, name),
            )
            for n, (name, value) in enumerate(seen.items())
            if parts[n, at]
        ]
        base = float(additive.base[at])
        # from the base on and in the order of the features, as the score was summed: no digit differs
        total = sum((c.amount for c in contributions), start=base)
        contributions.sort(key=lambda c: (-abs(c.amount), c.feature))
        return ScoreExplanation(
            kind, _cut(total, limit), total, base, tuple(contributions), not_both=not_both[kind]
        )

    return tuple(explanation(kind) for kind in types)


def _not_applicable(kind: SimilarityType) -> ScoreExplanation:
    return ScoreExplanation(kind, 0.0, None, None, (), not_applicable=True)


def _cut(raw: float, limit: float) -> float:
    return min(max(raw, SCALE[0]), limit)


def identical(
    system: System, types: Iterable[SimilarityType], values: Doubles
) -> tuple[ScoreExplanation, ...]:
    """Explain the scores of a record with itself, of its features with itself (see ``System.identical``)."""
    scores = dict(zip(system.types, system.identical(values).tolist(), strict=True))
    return tuple(
        _not_applicable(kind)
        if np.isnan(scores[kind])
        else ScoreExplanation(kind, scores[kind], scores[kind], None, (), same=True)
        for kind in types
    )
