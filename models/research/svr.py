"""Support vector regression with an RBF kernel (as Unitor's, the best system of the task)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles
from models.regressors.base import OpaqueSettings, Regressor, filled, fitting
from models.types import SimilarityType

_BATCH = 4096
"""Rows scored at a time: the kernel of a whole collection would not fit in memory."""

_STORED = ("vectors", "dual", "intercept", "gamma", "means", "scales", "seen")


@dataclass(frozen=True, slots=True)
class Kernel(Regressor):
    """``raw = intercept + sum over v of dual[v] exp(-gamma |x - v|²)``, over standardised features.

    ``vectors`` is float64[v, features], ``dual`` float64[v, types] with 0 where a vector supports another
    type only, ``intercept`` and ``gamma`` float64[types], ``means`` and ``scales`` float64[features], and
    ``seen`` bool[features, types] says which features a type sees.
    """

    vectors: Doubles
    dual: Doubles
    intercept: Doubles
    gamma: Doubles
    means: Doubles
    scales: Doubles
    seen: Bools
    missing: float

    @property
    def width(self) -> int:
        """How many features it sees."""
        return len(self.means)

    def raw(self, values: Doubles) -> Doubles:
        """The kernel's sum, some rows at a time."""
        return np.stack([self.raw_of(values, at) for at in range(len(self.intercept))], axis=1)

    def raw_of(self, values: Doubles, at: int) -> Doubles:
        """The same of one type: only what supports it is compared."""
        scores = np.empty(len(values))
        own, seen = self.dual[:, at] != 0, self.seen[:, at]
        vectors = self.vectors[np.ix_(own, seen)]
        for start in range(0, len(values), _BATCH):
            rows = slice(start, start + _BATCH)
            standard = ((filled(values[rows], self.missing) - self.means) / self.scales)[:, seen]
            squares = (standard**2).sum(axis=1)[:, np.newaxis] + (vectors**2).sum(axis=1)
            distances = np.maximum(squares - 2.0 * standard @ vectors.T, 0.0)
            scores[rows] = np.exp(-self.gamma[at] * distances) @ self.dual[own, at] + self.intercept[at]
        return scores

    def arrays(self) -> dict[str, Array]:
        """All but what ``missing`` counts as."""
        return {name: getattr(self, name) for name in _STORED}


class SvrSettings(OpaqueSettings):
    """A support vector regressor for each type; features are standardised over the pairs trained on."""

    regressor: Literal["svr"] = Field(description="support vector regression with an RBF kernel")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")
    cost: float = Field(1.0, gt=0, description="C: the price of an error beyond epsilon")
    gamma: float = Field(1.0, gt=0, description="of the kernel, divided by the number of features")
    epsilon: float = Field(0.1, ge=0, description="error that costs nothing")

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Kernel:
        """Fit scikit-learn's SVR to each type and keep its support vectors."""
        from sklearn.svm import SVR

        whole = filled(values, self.missing)
        means, scales = whole.mean(axis=0), whole.std(axis=0)
        scales[scales == 0] = 1.0
        standard = (whole - means) / scales
        dual, seen = np.zeros(gold.shape), np.zeros((len(self.sees), len(types)), dtype=bool)
        intercept, gamma = np.zeros(len(types)), np.zeros(len(types))
        for lesson in self.lessons(standard, gold, known, types):
            at = lesson.at
            gamma[at] = self.gamma / len(lesson.columns)
            machine = SVR(C=self.cost, gamma=gamma[at], epsilon=self.epsilon).fit(lesson.values, lesson.gold)
            dual[lesson.rows[machine.support_], at] = machine.dual_coef_[0]
            intercept[at] = machine.intercept_[0]
            seen[lesson.columns, at] = True
        used = (dual != 0).any(axis=1)
        return Kernel(standard[used], dual[used], intercept, gamma, means, scales, seen, self.missing)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Kernel:
        """The stored vectors."""
        v, f, t = len(arrays["vectors"]), len(self.sees), len(types)
        shapes = ((v, f), (v, t), (t,), (t,), (f,), (f,), (f, t))
        stored = {n: fitting(arrays[n], *shape) for n, shape in zip(_STORED, shapes, strict=True)}
        return Kernel(**{**stored, "seen": stored["seen"].astype(bool)}, missing=self.missing)
