"""What every regressor promises: declared settings, a fit, and scores; pure of I/O and deterministic."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Annotated, ClassVar, NamedTuple, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from features.arrays import Array, Arrays, Bools, Doubles, Rows
from ingest.errors import DamagedArtefact, PairsError
from models.types import OFFICIAL, SimilarityType, Types, ordered


class Regressor(ABC):
    """One score a type of feature values; a type stands here by its place among those it was made for."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many features it sees."""

    @abstractmethod
    def raw(self, values: Doubles) -> Doubles:
        """Scores before clipping, float64[n, types]; values are float64[n, features], NaN: no information."""

    def raw_of(self, values: Doubles, at: int) -> Doubles:
        """The scores of one type before clipping, float64[n]: the numbers of ``raw``."""
        return self.raw(values)[..., at]

    @abstractmethod
    def arrays(self) -> dict[str, Array]:
        """What has to be stored; the settings' ``restore`` makes the same regressor of it."""


class Polyline(NamedTuple):
    """A term as lines between knots: float64[k] each, level beyond the outer ones; ``missing`` for NaN."""

    knots: Doubles
    heights: Doubles
    missing: float


_FEW = 64
"""Pairs whose terms are made all at once."""


class AdditiveRegressor(Regressor):
    """A sum of a base, float64[types], and one term a feature, so that a score explains itself exactly."""

    base: Doubles

    @abstractmethod
    def term(self, feature: int, values: Doubles, types: slice = slice(None)) -> Doubles:
        """One feature's terms, float64[..., types], for its values float64[...]."""

    @abstractmethod
    def line(self, feature: int, at: int) -> Polyline:
        """One feature's term of one type over values in [0, 1]: what bounds it, and what adds it up fast."""

    @property
    @abstractmethod
    def active(self) -> Bools:
        """Which feature can move which type, bool[features, types]."""

    def terms(self, values: Doubles) -> Doubles:
        """One term a feature and type, float64[..., features, types], for values float64[..., features]."""
        return np.stack([self.term(n, values[..., n]) for n in range(self.width)], axis=-2)

    def raw(self, values: Doubles) -> Doubles:
        """The base and all the terms."""
        if values.ndim == 1 or len(values) <= _FEW:
            return self.summed(self.terms(values))
        scores = np.tile(self.base, (*values.shape[:-1], 1))
        for n in range(self.width):
            # one after the other; all at once would not fit in memory
            scores += self.term(n, values[..., n])
        return scores

    def summed(self, terms: Doubles) -> Doubles:
        """The base and terms float64[..., features, types], added one by one as in an explanation."""
        scores = np.tile(self.base, (*terms.shape[:-2], 1))
        for n in range(self.width):
            scores += terms[..., n, :]
        return scores

    def weight(self, feature: int, at: int) -> float | None:
        """What the feature's value is multiplied by, None where its term is no multiple of it."""
        return None


class SystemSettings(BaseModel, ABC):
    """A row of ``systems`` in config.yaml: which features, and how they become scores."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    trained: ClassVar[bool] = True
    """Whether it has weights to be learnt."""

    title: str = Field(description="what it is, in a few words")
    missing: float | None = Field(
        None,
        ge=0,
        le=1,
        description="what a feature counts as where an item gives it no information; `null`: no"
        " information is a case of its own",
    )
    not_applicable: dict[SimilarityType, str] = Field(
        default_factory=dict,
        description="for a type a feature that is 0 exactly where neither item has anything of it: such a"
        " pair gets no score in it, and an item that has nothing no list",
    )
    applies: dict[SimilarityType, Annotated[float, Field(ge=0, lt=1)]] = Field(
        default_factory=dict,
        description="for a type under `not_applicable` the value above which that feature tells of"
        " anything at all: `{people: 0.5}` where one weak sign of people is none",
    )
    both: dict[SimilarityType, str] = Field(
        default_factory=dict,
        description="for a type a feature that says how surely both items have anything of it, the smaller of"
        " the two sides, or what may stand for it, as one hand for a time: where it is not above 0.5 the"
        " score is at most 2",
    )
    floor: dict[SimilarityType, Annotated[float, Field(ge=0, le=5)]] = Field(
        default_factory=dict,
        description="for a type the score at which a list of it ends: `kindred evaluate --cv 0 --json`"
        " says under `floor` below which score most pairs are not alike",
    )
    same_text: bool = Field(
        True,
        description="whether two items of the same texts have the score 5 in every type that they say"
        " anything of, whatever their features say; `false` for a published system, which has no such rule",
    )
    fallback: str | None = Field(
        None, description="the system that answers where a resource that this one needs is absent"
    )

    @model_validator(mode="after")
    def _applies_by_a_feature(self) -> Self:
        if nameless := ordered(self.applies.keys() - self.not_applicable.keys()):
            raise ValueError(f"'applies' needs a feature under 'not_applicable' for {', '.join(nameless)}")
        return self

    @property
    @abstractmethod
    def sees(self) -> tuple[str, ...]:
        """The features that the regressor sees, each once, in order."""

    @property
    def learns_from(self) -> tuple[str, ...]:
        """The features that decide what is learnt: those it sees, then those of ``not_applicable``."""
        more = (self.not_applicable[kind] for kind in ordered(self.not_applicable))
        return tuple(dict.fromkeys((*self.sees, *more)))

    @property
    def needs(self) -> tuple[str, ...]:
        """The features it needs: those that it learns from, then those of ``both``."""
        more = (self.both[kind] for kind in ordered(self.both))
        return tuple(dict.fromkeys((*self.learns_from, *more)))

    @property
    def named(self) -> tuple[tuple[str, SimilarityType], ...]:
        """The types that the row names, each with the key that names it."""
        keys = ("not_applicable", "applies", "both", "floor", "own", "one", "among")
        return tuple((key, kind) for key in keys for kind in getattr(self, key, ()))

    @property
    def mentions(self) -> tuple[str, ...]:
        """Features that the row names and the system does not need."""
        return ()

    def key(self, feature: str) -> str:
        """The key of the row that names a feature."""
        return "not_applicable" if feature in self.not_applicable.values() else "both"

    def types(self, among: Types) -> Types:
        """Those of some types that it has features for."""
        return among

    @property
    def lacks(self) -> dict[str, str]:
        """The packages that it needs and that are not installed, each with what would install it."""
        return {}

    @property
    def candidates(self) -> tuple[tuple[dict[str, JsonValue], Self], ...]:
        """The rows among which training chooses, each with the settings that it takes; itself alone here."""
        return (({}, self),)

    @abstractmethod
    def fit(self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]) -> Regressor:
        """Learn from float64[n, features], gold float64[n, types] and which pairs count, bool[n, types]."""

    @abstractmethod
    def restore(self, arrays: Arrays, types: Sequence[SimilarityType]) -> Regressor:
        """The regressor of arrays stored for some types; ``KeyError`` or ``DamagedArtefact`` for others."""


class TypeTrainingSet(NamedTuple):
    """What the type at a place learns from: pairs that count, features it sees, their values and gold."""

    kind: SimilarityType
    at: int
    rows: Rows
    columns: Rows
    values: Doubles
    gold: Doubles


_NOT_CHOSEN = {"title", "regressor", "features", "own", "not_applicable", "applies", "floor", "fallback"}
_NOT_CHOSEN |= {"select", "retrieval", "among", "both"}
"""Keys of a row that cannot stand under ``select``."""


class TrainedSettings(SystemSettings):
    """A system whose regressors are learnt, over features of all types and features of one type only."""

    features: tuple[str, ...] = Field(
        (), description="the features that every type sees, in order: names under `features`"
    )
    own: dict[SimilarityType, tuple[str, ...]] = Field(
        default_factory=dict,
        description="for a type the features that it sees beside those; with `additive` those on which it"
        " rests, and a feature may stand in both: see `common`",
    )
    select: dict[str, tuple[JsonValue, ...]] = Field(
        default_factory=dict,
        description="settings of the row that are chosen from the gold, each with its candidates, by a"
        " cross-validation of nothing but the pairs that are trained on",
    )

    @model_validator(mode="after")
    def _complete(self) -> "TrainedSettings":
        for kind in OFFICIAL:
            if not self.features and not self.own.get(kind):
                raise ValueError(f"{kind} has no feature: name some under 'features', or under 'own' for it")
        for named in (self.features, *self.own.values()):
            if len(set(named)) < len(named):
                raise ValueError("'features' or 'own' names a feature twice")
        if _NOT_CHOSEN & self.select.keys() or not all(self.select.values()):
            raise ValueError("'select' needs candidates, for settings of the regressor only")
        try:
            _ = self.candidates
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ValueError(f"'select' does not fit: {where}: {first['msg']}") from None
        return self

    def key(self, feature: str) -> str:
        """The key of the row that names a feature."""
        if feature in self.features:
            return "features"
        return "own" if feature in self.sees else super().key(feature)

    @property
    def candidates(self) -> tuple[tuple[dict[str, JsonValue], Self], ...]:
        """Every combination of the candidates under ``select``: the settings, and the row with them.

        >>> from models.regressors.linear import LinearSettings
        >>> choice = {"missing": (0, 0.5)}
        >>> row = LinearSettings(title="t", regressor="linear", features=("f",), select=choice)
        >>> [(chosen, settings.missing) for chosen, settings in row.candidates]
        [({'missing': 0}, 0.0), ({'missing': 0.5}, 0.5)]
        """
        if not self.select:
            return (({}, self),)
        own = self.model_dump(exclude={"select"})
        choices = [dict(zip(self.select, values, strict=True)) for values in product(*self.select.values())]
        return tuple((chosen, type(self).model_validate({**own, **chosen})) for chosen in choices)

    @property
    def sees(self) -> tuple[str, ...]:
        """The common features, then those of single types."""
        more = (name for kind in ordered(self.own) for name in self.own[kind])
        return tuple(dict.fromkeys((*self.features, *more)))

    def types(self, among: Types) -> Types:
        """Those of some types that it has features for: where it has common ones, all."""
        return {kind: row for kind, row in among.items() if self.features or self.own.get(kind)}

    def columns(self, kind: SimilarityType) -> Rows:
        """The positions in ``sees`` of the features that a type sees."""
        seen = (*self.features, *self.own.get(kind, ()))
        return np.flatnonzero([name in seen for name in self.sees])

    def lessons(
        self, values: Doubles, gold: Doubles, known: Bools, types: Sequence[SimilarityType]
    ) -> Iterator[TypeTrainingSet]:
        """What each type learns from: the pairs with gold, all of them where none counts.

        Raises ``PairsError`` for a type that no pair has gold of.
        """
        for at, kind in enumerate(types):
            columns, scored = self.columns(kind), ~np.isnan(gold[:, at])
            if not scored.any():
                raise PairsError(f"no pair to train on has gold for {kind}; add pairs that have")
            rows = np.flatnonzero(known[:, at] & scored if (known[:, at] & scored).any() else scored)
            yield TypeTrainingSet(kind, at, rows, columns, values[np.ix_(rows, columns)], gold[rows, at])


class RetrievalSettings(BaseModel):
    """How neighbours are found by a system that cannot be searched: those of another are scored by it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str = Field(description="the additive system that proposes")
    candidates: int = Field(
        ge=1,
        description="how many items of each type it proposes: those that it ranks highest among the items"
        " that may be given. No answer, and no page, holds more",
    )


class OpaqueSettings(TrainedSettings):
    """A trained system whose scores are no sums of one term a feature, so that nothing bounds them."""

    retrieval: RetrievalSettings | None = Field(
        None, description="where neighbours are looked for; `null`: among all items"
    )


def filled(values: Doubles, missing: float | None) -> Doubles:
    """Values with what NaN, no information, counts as; as they are where it is a case of its own."""
    return values if missing is None else np.where(np.isnan(values), missing, values)


def fitting(array: Array, *shape: int) -> Doubles:
    """Stored numbers of that shape as float64; raises ``DamagedArtefact`` for any other.

    >>> fitting(np.zeros(8), 8).shape
    (8,)
    """
    if array.shape != shape:
        raise DamagedArtefact(f"stored numbers of shape {array.shape} do not fit {shape}")
    return np.asarray(array, np.float64)
