"""A generalised additive model for each type: every score is a sum of one curve a feature."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Arrays, Bools, Doubles, Rows
from models.regressors.base import TrainedSettings, TypeTrainingSet
from models.regressors.curves import Curve, Shapes, decided, doubted, joined, restored, rising
from models.regressors.smooth import SplineFeature, learn
from models.types import SimilarityType

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
    monotone: tuple[SimilarityType, ...] = Field(
        (), description="types that see the features under `own` only; their curves only rise"
    )
    decisive: dict[SimilarityType, str] = Field(
        default_factory=dict,
        description="for a type under `monotone` the feature of its own in which 1 stands above all else:"
        " the same maker above every other",
    )
    unknown: float = Field(
        2.0,
        ge=0,
        le=5,
        description="the most that a type under `monotone` scores where its features tell nothing: one"
        " item has a maker, the other has none",
    )
    ridge_of: Literal["all", "each"] = Field(
        "all",
        description="whether the penalty is for all terms of a type together, which then count less the"
        " more they are, or for each term: what few terms are chosen and learnt with",
    )
    among: dict[SimilarityType, tuple[str, ...]] = Field(
        default_factory=dict,
        description="for a type the features among which `kindred select` chooses its own; for a type not"
        " named all those of the row, or its own where it is monotone",
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
            base[lesson.at], learnt = learn(seen, lesson.gold, self._shares(lesson), self.ridge)
            if lesson.kind in self.monotone:
                learnt = self._monotone(lesson, base[lesson.at], learnt)
            own = dict(zip(lesson.columns.tolist(), learnt, strict=True))
            curves.append([own.get(n, _FLAT) for n in range(len(self.sees))])
        return joined(curves, base)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Shapes:
        """The stored curves."""
        return restored(arrays, len(self.sees), len(types))

    def columns(self, kind: SimilarityType) -> Rows:
        """The positions in ``sees`` of the features that a type sees: of a monotone one its own."""
        if kind not in self.monotone:
            return super().columns(kind)
        return np.array([n for n, name in enumerate(self.sees) if name in self.own[kind]], dtype=np.intp)

    def choice(self, kind: SimilarityType) -> tuple[str, ...]:
        """The features among which the terms of a type are chosen."""
        return self.among.get(kind) or (self.own[kind] if kind in self.monotone else self.sees)

    @model_validator(mode="after")
    def _monotone_have_own(self) -> "AdditiveSettings":
        for kind in self.monotone:
            if not self.own.get(kind):
                raise ValueError(f"{kind} is monotone and has no feature: name some under 'own' for it")
        for kind, feature in self.decisive.items():
            if kind not in self.monotone or feature not in self.own[kind]:
                raise ValueError(f"'decisive' names {feature!r}, which {kind} does not rise with")
        return self

    def _monotone(self, lesson: TypeTrainingSet, start: float, curves: list[Curve]) -> list[Curve]:
        """The curves of a monotone type, with what is promised of it."""
        curves = doubted(start, [rising(curve) for curve in curves], lesson.values, self.unknown)
        if lesson.kind not in self.decisive:
            return curves
        decisive = self.sees.index(self.decisive[lesson.kind])
        return decided(curves, lesson.columns.tolist().index(decisive))

    def _shares(self, lesson: TypeTrainingSet) -> Doubles:
        """The weight of each feature of a type in its kernel, float64[features of the type]."""
        own = self.own.get(lesson.kind, ()) or self.features
        weights: Doubles = np.array([1.0 if self.sees[n] in own else self.common for n in lesson.columns])
        return weights / weights.sum() if self.ridge_of == "all" else weights
