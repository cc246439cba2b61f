"""How well scores agree with gold: Pearson per type, their mean, and counts of large errors."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from features.arrays import Doubles
from models.types import OFFICIAL, SimilarityType

LIMITS = (4, 3, 2)
"""Errors larger than these are counted (thesis, Table 6.4)."""

_FLAT = 1e-12


@dataclass(frozen=True, slots=True)
class Agreement:
    """Scores against gold, by type.

    ``pearson`` is NaN where it is undefined, and ``undefined`` says why; then ``mean`` is NaN too.
    ``errors`` counts, for each of ``LIMITS``, the pairs with |gold - score| above it.
    """

    pairs: int
    pearson: dict[SimilarityType, float]
    mean: float
    undefined: dict[SimilarityType, str]
    errors: dict[int, dict[SimilarityType, int]]


def agreement(gold: Doubles, scores: Doubles, types: Iterable[SimilarityType] = OFFICIAL) -> Agreement:
    """Compare float64[pairs, types] with float64[pairs, types].

    >>> gold = np.repeat([[0.0], [2.0], [4.0]], 8, axis=1)
    >>> found = agreement(gold, np.column_stack([gold[:, :7] / 2, [4.5, 4.5, 4.5]]))
    >>> found.pearson["general"], found.pearson["description"], found.mean
    (1.0, nan, nan)
    >>> found.undefined["description"]
    'every score of the system is 4.5'
    >>> [found.errors[limit]["description"] for limit in LIMITS]  # off by 4.5, 2.5 and .5
    [1, 1, 2]
    """
    kinds = tuple(types)
    each = {kind: pearson(gold[:, n], scores[:, n]) for n, kind in enumerate(kinds)}
    reasons = {kind: _reason(gold[:, n], scores[:, n]) for n, kind in enumerate(kinds)}
    off = np.abs(gold - scores)
    return Agreement(
        pairs=len(gold),
        pearson=each,
        mean=unweighted_mean(list(each.values())),
        undefined={kind: reason for kind, reason in reasons.items() if reason},
        errors={
            limit: {kind: int(np.count_nonzero(off[:, n] > limit)) for n, kind in enumerate(kinds)}
            for limit in LIMITS
        },
    )


def pearson(one: Doubles, two: Doubles) -> float:
    """Pearson's r; NaN where a side does not vary or there are fewer than two values.

    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 4)  # cov 1/2 of 1 * 1
    0.5
    >>> pearson(np.array([1.0, 2.0]), np.array([3.0, 3.0]))
    nan
    """
    if is_constant(one) or is_constant(two):
        return float("nan")
    a, b = one - one.mean(), two - two.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1.0, 1.0))


def unweighted_mean(values: list[float]) -> float:
    """Mean of the types, each counting the same (thesis 6.3.5); NaN as soon as one is NaN.

    >>> round(unweighted_mean([0.6691, 0.4278, 0.4460, 0.5002, 0.4835, 0.3062, 0.5015, 0.5810]), 4)
    0.4894
    """
    return float(np.mean(values)) if values else float("nan")


def is_constant(column: Doubles) -> bool:
    """Whether a column has fewer than two values or all are one, rounding errors aside.

    >>> is_constant(np.array([0.1 + 0.2, 0.3]))
    True
    """
    return len(column) < 2 or bool(np.ptp(column) <= _FLAT * max(1.0, float(np.abs(column).max())))


def _reason(gold: Doubles, scores: Doubles) -> str:
    if len(gold) < 2:
        return "a correlation needs two pairs at least"
    if is_constant(gold):
        return f"every gold score is {gold[0]:g}"
    if is_constant(scores):
        return f"every score of the system is {scores[0]:g}"
    return ""
