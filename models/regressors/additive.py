"""A generalised additive model for each type: a sum of one curve a feature, by kernel ridge regression.

Features differ in scale and skew, so likeness is measured by place: ``u`` is the share of the training
values of the feature below a value, those equal to it counted half. Two values are alike by
``exp(-((u - v) / width)^2 / 2)``; no information is alike to itself only. The kernel of two pairs is the
weighted sum of these likenesses. What is learnt is the mean of a Gaussian process that is additive of first
order, with ``ridge`` for the variance of its noise (Duvenaud, Nickisch and Rasmussen 2011, "Additive
Gaussian Processes"; the lengths and variances of their kernels are learnt too, here they are declared).

Likeness is linear in both values between knots at quantiles of the feature, so the curves are lines between
the knots, level beyond the outer ones. Values that agree in four decimals are one for places and knots: many
pairs at .99999 and many at 1 differ by rounding, and between two knots there a curve would rise like a step.

A score is clipped to the scale in the end, so a pair whose gold is an end of the scale is no error where the
sum goes beyond it.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles
from models.regressors.base import TrainedSettings, fitting
from models.regressors.curves import Curve, Shapes, joined
from models.types import SCALE, SimilarityType

_FLAT = Curve(np.array([0.0, 1.0]), np.zeros(2), 0.0)


class AdditiveSettings(TrainedSettings):
    """A curve a feature for each type; no information is a case of its own.

    A type that names features under ``own`` rests on them: each counts 1 in its kernel, and each other
    one of ``features`` ``common``, so that a score does not lean on what goes with it in one collection
    only. Where a type names none, all its features count the same.
    """

    regressor: Literal["additive"] = Field(description="a sum of one curve a feature")
    missing: None = Field(None, description="no information is a case of its own")
    knots: int = Field(9, ge=2, description="most knots of a curve, at quantiles of the feature's values")
    width: float = Field(
        0.35,
        gt=0,
        description="how far one pair speaks for others, in shares of the pairs: the larger, the smoother"
        " the curves",
    )
    ridge: float = Field(
        0.25,
        gt=0,
        description="penalty: how much of the gold is taken for noise; the larger, the flatter the curves",
    )
    ridge_of: Literal["all", "each"] = Field(
        "all",
        description="whether the penalty is for all terms of a type together, which then count less the"
        " more they are, or for each term: what few terms are chosen and learnt with",
    )
    among: dict[SimilarityType, tuple[str, ...]] = Field(
        default_factory=dict,
        description="for a type the features among which `kindred select` chooses its own; for a type not"
        " named all those of the row",
    )
    common: float = Field(
        0.05,
        gt=0,
        le=1,
        description="for a type with features under `own`: the weight of every other feature that it"
        " sees, where each of its own weighs 1",
    )

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Shapes:
        """Learn the curves of each type from the features that it sees."""
        base = np.zeros(len(types))
        curves: list[list[Curve]] = []
        # most types learn from the same pairs: what does not depend on the gold is made once
        pieces: dict[tuple[bytes, int], SplineFeature] = {}
        for lesson in self.lessons(values, gold, known, types):
            rows = lesson.rows.tobytes()
            for n, column in zip(lesson.columns.tolist(), lesson.values.T, strict=True):
                if (rows, n) not in pieces:
                    pieces[rows, n] = SplineFeature.of(column, self.knots, self.width)
            seen = [pieces[rows, n] for n in lesson.columns.tolist()]
            own = self.own.get(lesson.kind, ()) or self.features
            weights = np.array([1.0 if self.sees[n] in own else self.common for n in lesson.columns])
            shares = weights / weights.sum() if self.ridge_of == "all" else weights
            base[lesson.at], learnt = learn(seen, lesson.gold, shares, self.ridge)
            by_feature = dict(zip(lesson.columns.tolist(), learnt, strict=True))
            curves.append([by_feature.get(n, _FLAT) for n in range(len(self.sees))])
        return joined(curves, base)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Shapes:
        """The stored curves."""
        features, kinds = len(self.sees), len(types)
        lengths = fitting(arrays["lengths"], features).astype(int)
        ends, total = np.cumsum(lengths)[:-1], int(lengths.sum())
        grids, heights = fitting(arrays["grids"], total), fitting(arrays["heights"], total, kinds)
        return Shapes(
            tuple(np.split(grids, ends)) if features else (),
            tuple(np.split(heights, ends)) if features else (),
            fitting(arrays["missing"], features, kinds),
            fitting(arrays["base"], kinds),
        )

    def choice(self, kind: SimilarityType) -> tuple[str, ...]:
        """The features among which the terms of a type are chosen."""
        return self.among.get(kind) or self.sees

    @property
    def mentions(self) -> tuple[str, ...]:
        """The features among which terms are chosen, also those that it does not need."""
        return tuple(dict.fromkeys(name for names in self.among.values() for name in names))

    def key(self, feature: str) -> str:
        """The key of the row that names a feature."""
        return "among" if feature in self.mentions and feature not in self.needs else super().key(feature)


_STEPS = 30
"""Most rounds of finding the pairs that are beyond the scale; five are usual."""

_DECIMALS = 4
"""Decimals in which two values differ. Features are sums in float32 at the coarsest, good to 1e-7: so the
last digits move a value by a thousandth of the way between two knots at most."""


def learn(
    pieces: Sequence["SplineFeature"], gold: Doubles, weights: Doubles, ridge: float
) -> tuple[float, list[Curve]]:
    """What the model of one type starts from, the mean of its gold, and the curve of each feature.

    ``pieces`` hold the values of the features, ``gold`` is float64[n] on the scale of scores, and
    ``weights``, float64[features], say how much each feature counts in the kernel.

    Two pairs, and a kernel of ``[[1, k], [k, 1]]`` with ``k = exp(-.5^2 / 2) = .882``, since their values
    are at places .25 and .75. The gold is 1 beside its mean, so the curve is
    ``(1 - k) / (1 - k + ridge) = .54`` of that:

    >>> pieces = [SplineFeature.of(np.array([0.0, 1.0]), 2, 1.0)]
    >>> base, (curve,) = learn(pieces, np.array([1.0, 3.0]), np.ones(1), 0.1)
    >>> base, curve.grid.tolist(), curve.heights.round(2).tolist()
    (2.0, [0.0, 1.0], [-0.54, 0.54])
    """
    parts = [np.sqrt(weight) * piece.design for weight, piece in zip(weights, pieces, strict=True)]
    base = float(gold.mean())
    solved = _least(np.hstack(parts), gold, base, ridge)
    own = np.split(solved, np.cumsum([part.shape[1] for part in parts])[:-1])
    features = zip(weights, pieces, own, strict=True)
    return base, [piece.curve(np.sqrt(weight) * columns) for weight, piece, columns in features]


def _least(design: Doubles, gold: Doubles, base: float, ridge: float) -> Doubles:
    """Weights of the columns, float64[columns]: least squares of the errors of clipped scores, and ridge.

    They are those of the kernel ``design @ design.T``. A pair whose score is beyond the end of the scale at
    which its gold is does not count. The loss is convex, so Newton's steps find the pairs beyond.
    """
    counted = np.ones(len(gold), dtype=bool)
    low, high = SCALE
    penalty = ridge * np.eye(design.shape[1])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        rows = design[counted]
        weights[:] = np.linalg.solve(rows.T @ rows + penalty, rows.T @ (gold[counted] - base))
        scores = base + design @ weights
        beyond = ((gold <= low) & (scores < low)) | ((gold >= high) & (scores > high))
        if (counted == ~beyond).all():
            break
        counted = ~beyond
    return weights


class SplineFeature(NamedTuple):
    """One feature of the training pairs: what of it does not depend on the gold.

    ``root @ root.T``, float64[k + 1, k + 1], is the likeness of the k knots and, last, of no information, and
    ``design @ design.T``, float64[n, n], that of the pairs.
    """

    knots: Doubles
    root: Doubles
    design: Doubles

    @classmethod
    def of(cls, column: Doubles, most: int, width: float) -> "SplineFeature":
        """A feature's values, float64[n], NaN for no information, with at most ``most`` knots, at least two.

        ``width`` is how far likeness reaches, as a share of the values.

        >>> SplineFeature.of(np.array([0.2, 0.5 - 1e-9, 0.5, 0.5, 0.8]), 5, 1.0).knots.tolist()
        [0.2, 0.5, 0.8]
        """
        inside = np.sort(column[~np.isnan(column)].round(_DECIMALS))
        quantiles = np.quantile(inside, np.linspace(0, 1, most)) if len(inside) else np.zeros(1)
        knots = np.unique(quantiles.round(_DECIMALS))
        below, upto = np.searchsorted(inside, knots, "left"), np.searchsorted(inside, knots, "right")
        places = (below + upto) / 2 / max(1, len(inside))
        if len(knots) == 1:
            # one value alone: a flat line through it
            knots, places = np.array([knots[0], knots[0] + 1.0]), np.repeat(places, 2)
        likeness = np.zeros((len(knots) + 1, len(knots) + 1))
        likeness[:-1, :-1] = np.exp(-(((places[:, np.newaxis] - places) / width) ** 2) / 2)
        likeness[-1, -1] = 1.0
        sizes, directions = np.linalg.eigh(likeness)
        root = directions * np.sqrt(np.maximum(sizes, 0.0))
        return cls(knots, root, _mixture(column, knots) @ root)

    def curve(self, weights: Doubles) -> Curve:
        """The curve of the weights of its columns, float64[k + 1]."""
        heights = self.root @ weights
        return Curve(self.knots, heights[:-1], float(heights[-1]))


def _mixture(column: Doubles, knots: Doubles) -> Doubles:
    """The shares of the two knots around each value, and 1 in the last column for a missing one."""
    missing = np.isnan(column)
    at = np.where(missing, knots[0], column)
    left = np.clip(np.searchsorted(knots, at) - 1, 0, len(knots) - 2)
    part = np.clip((at - knots[left]) / (knots[left + 1] - knots[left]), 0.0, 1.0)
    shares = np.zeros((len(column), len(knots) + 1))
    rows = np.arange(len(column))
    shares[rows, left], shares[rows, left + 1] = 1.0 - part, part
    shares[missing] = 0.0
    shares[missing, -1] = 1.0
    return shares
