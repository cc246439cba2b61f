"""Regressors that are no sums: support vectors (as Unitor's), boosted trees (LightGBM, an optional extra)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from features.arrays import Array, Arrays, Bools, Doubles, Rows
from ingest.errors import DamagedArtefact, ResourceMissing
from models.regressors.base import OpaqueSettings, Regressor, TypeTrainingSet, filled, fitting
from models.types import SimilarityType

if TYPE_CHECKING:
    from lightgbm import Booster

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


_SUPPORT = "svr_"
_LIBRARY: Final = "lightgbm"
_REMEDY: Final = "boosted trees need an extra that is not installed; run: pip install 'kindred[max]'"


def _library() -> ModuleType:
    """LightGBM; raises ``ResourceMissing`` where it is not installed, or cannot be loaded."""
    try:
        import lightgbm
    except ImportError:
        raise ResourceMissing(_REMEDY) from None
    except OSError as error:
        raise ResourceMissing(f"lightgbm is installed and cannot be loaded: {error}; install that") from error
    return lightgbm


class TreesSettings(BaseModel):
    """One member of the ensemble: a gradient boosting of trees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    share: float = Field(1.0, gt=0, description="weight in the mean")
    extra: bool = Field(False, description="split at random thresholds (extremely randomised trees)")
    depth: int = Field(-1, ge=-1, description="most levels of a tree; -1: no limit")
    leaves: int = Field(15, ge=2, description="most leaves of a tree")
    rounds: int = Field(400, ge=1, description="trees a type")
    learning_rate: float = Field(0.04, gt=0, le=1, description="how far one round goes")
    samples: int = Field(15, ge=1, description="fewest pairs in a leaf")
    l2: float = Field(1.0, ge=0, description="ridge on the leaves")
    columns: float = Field(0.3, gt=0, le=1, description="part of the features that a tree sees")
    bagging: float = Field(0.8, gt=0, le=1, description="part of the pairs that a tree sees")
    monotone: bool = Field(False, description="whether a score may only grow with every feature")
    seed: int = Field(20130613, ge=0, description="of all that is random")

    def train(self, lesson: TypeTrainingSet) -> bytes:
        """The text of the trees that were learnt."""
        lightgbm = _library()
        parameters = {
            "objective": "regression",
            "extra_trees": self.extra,
            "max_depth": self.depth,
            "num_leaves": self.leaves,
            "learning_rate": self.learning_rate,
            "min_data_in_leaf": self.samples,
            "lambda_l2": self.l2,
            "feature_fraction": self.columns,
            "bagging_fraction": self.bagging,
            "bagging_freq": 1,
            "monotone_constraints": [int(self.monotone)] * len(lesson.columns),
            "seed": self.seed,
            "deterministic": True,
            "force_row_wise": True,
            "num_threads": 1,
            "verbosity": -1,
        }
        data = lightgbm.Dataset(lesson.values, lesson.gold, params={"verbosity": -1})
        text: str = lightgbm.train(parameters, data, num_boost_round=self.rounds).model_to_string()
        return text.encode()


class SupportSettings(BaseModel):
    """The support vectors of an ensemble: see :class:`models.research.opaque.SvrSettings`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    share: float = Field(1.0, gt=0, description="weight in the mean")
    missing: float = Field(0.0, ge=0, le=1, description="what a feature without information counts as")
    cost: float = Field(1.0, gt=0, description="C: the price of an error beyond epsilon")
    gamma: float = Field(1.0, gt=0, description="of the kernel, divided by the number of features")
    epsilon: float = Field(0.1, ge=0, description="error that costs nothing")


@dataclass(frozen=True)
class Ensemble(Regressor):
    """The weighted mean of its members.

    ``texts[type][member]`` are trees in LightGBM's text, by type in the order of the scores, ``columns`` the
    features that those of each type see, ``shares`` the weights of the members, the support vectors last if
    there are any; ``features`` counts those that it is given.
    """

    texts: Mapping[SimilarityType, tuple[bytes, ...]]
    columns: tuple[Rows, ...]
    shares: tuple[float, ...]
    support: Kernel | None
    features: int

    @property
    def width(self) -> int:
        """How many features it sees."""
        return self.features

    @cached_property
    def _boosters(self) -> "list[list[Booster]]":
        lightgbm = _library()
        try:
            return [
                [lightgbm.Booster(model_str=text.decode()) for text in own] for own in self.texts.values()
            ]
        except (lightgbm.basic.LightGBMError, UnicodeDecodeError) as error:
            raise DamagedArtefact(f"the trees cannot be read: {error}") from error

    def raw(self, values: Doubles) -> Doubles:
        """The mean of the members' scores."""
        return np.stack([self.raw_of(values, at) for at in range(len(self.texts))], axis=1)

    def raw_of(self, values: Doubles, at: int) -> Doubles:
        """The same of one type: the trees of the others are not read."""
        scores = np.zeros(len(values))
        if not len(values):
            return scores
        own = values[:, self.columns[at]]
        for booster, share in zip(self._boosters[at], self.shares, strict=False):
            scores += share * np.asarray(booster.predict(own, num_threads=1))
        if self.support:
            scores += self.shares[-1] * self.support.raw_of(values, at)
        mean: Doubles = scores / sum(self.shares)
        return mean

    def arrays(self) -> dict[str, Array]:
        """Each type's trees as bytes, and the support vectors."""
        trees = {
            f"{kind}_{n}": np.frombuffer(text, np.uint8)
            for kind, own in self.texts.items()
            for n, text in enumerate(own)
        }
        support = self.support.arrays() if self.support else {}
        return {**trees, **{f"{_SUPPORT}{name}": array for name, array in support.items()}}


class BoostedSettings(OpaqueSettings):
    """A mean of boosted trees, and of support vectors where declared; no information is a case of its own."""

    regressor: Literal["boosted"] = Field(description="an ensemble of boosted trees")
    missing: None = Field(None, description="no information is a case of its own")
    trees: tuple[TreesSettings, ...] = Field(min_length=1, description="the members of the ensemble")
    svr: SupportSettings | None = Field(None, description="support vectors as one more member")

    @property
    def lacks(self) -> dict[str, str]:
        """LightGBM, where it is not installed."""
        return {} if find_spec(_LIBRARY) else {_LIBRARY: _REMEDY}

    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Ensemble:
        """Train every member on every type."""
        texts = {
            lesson.kind: tuple(member.train(lesson) for member in self.trees)
            for lesson in self.lessons(values, gold, known, types)
        }
        return self._ensemble(texts, self._support.fit(values, gold, known, types) if self._support else None)

    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Ensemble:
        """The stored members."""
        texts = {
            kind: tuple(arrays[f"{kind}_{n}"].tobytes() for n in range(len(self.trees))) for kind in types
        }
        own = {
            name.removeprefix(_SUPPORT): array for name, array in arrays.items() if name.startswith(_SUPPORT)
        }
        return self._ensemble(texts, self._support.restore(own, types) if self._support else None)

    def _ensemble(
        self, texts: Mapping[SimilarityType, tuple[bytes, ...]], support: Kernel | None
    ) -> Ensemble:
        shares = tuple(member.share for member in (*self.trees, *((self.svr,) if self.svr else ())))
        columns = tuple(self.columns(kind) for kind in texts)
        return Ensemble(texts, columns, shares, support, len(self.sees))

    @property
    def _support(self) -> SvrSettings | None:
        if self.svr is None:
            return None
        return SvrSettings(
            title=self.title,
            regressor="svr",
            features=self.features,
            own=self.own,
            **self.svr.model_dump(exclude={"share"}),
        )
