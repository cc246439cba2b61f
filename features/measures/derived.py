"""Features made of the values of other features of the same two items: what they are declared by.

None of them stores anything: its parts do. Three are exceptions from the contract of a measure. ``gated`` has
the presence of an item with the item itself, or its absence; ``strongest`` may be below 1 there, by its
factors; ``known`` is presence, not similarity, so that an item of which nothing is known has 0 with itself.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Annotated, ClassVar, Literal, Self, TypeAlias

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Arrays, Bools, Doubles, Floats
from features.knowledge.resources import Resources
from features.measures.base import (
    ByParts,
    Column,
    Columns,
    EvidencePair,
    FeatureColumn,
    MeasureSettings,
    Theme,
)
from features.measures.searchable import Combination, Informed, Largest, Sum, Unless
from features.measures.tables import Table
from features.profiles.blocks import Block
from ingest.errors import ConfigError

_Parts: TypeAlias = Sequence[FeatureColumn]


class DerivedSettings(MeasureSettings):
    """A feature that is made of others."""

    search_cost: ClassVar[float] = 0.3

    @abstractmethod
    def combine(self, *values: Floats) -> Floats:
        """The feature's values from those of its parts, in their order."""

    def evidence(self, parts: _Parts, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the value rests on; here the evidence of all parts above 0, each part with the same weight."""
        above = [part for part in parts if part.value(block, left, right) > 0]
        pieces = [own for part in above if (own := part.evidence(block, left, right))]
        shared = [replace(piece, share=piece.share / len(pieces)) for own in pieces for piece in own]
        return tuple(sorted(shared, key=lambda piece: -piece.share))

    def values(self, parts: Mapping[str, Floats], compare: Callable[[], Floats]) -> Floats:
        """What is made of those of its parts."""
        return self.combine(*(parts[name] for name in self.made_of))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "DerivedColumn":
        """The column over those of its parts."""
        return DerivedColumn(self, [columns[name] for name in self.made_of])


class DerivedColumn:
    """A feature over the columns of its parts."""

    def __init__(self, settings: DerivedSettings, parts: _Parts) -> None:
        self._settings, self._parts = settings, parts

    def value(self, block: Block, left: int, right: int) -> float:
        """The combined value of two items of a block."""
        values = (np.array([part.value(block, left, right)]) for part in self._parts)
        return self._settings.combine(*values).item()

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the value of two items of a block rests on, strongest first."""
        return self._settings.evidence(self._parts, block, left, right)


class ProductSettings(DerivedSettings):
    """Walk times cosine where the walk has a score, else the cosine squared (thesis 6.3.3).

    >>> combined = ProductSettings(measure="product", walk="w", cosine="c")
    >>> combined.combine(np.array([0.5, np.nan]), np.array([0.4, 0.4])).round(2).tolist()  # .5 x .4, .4 x .4
    [0.2, 0.16]
    """

    EXAMPLES = ({"walk": "walk", "cosine": "tfidf"},)

    measure: Literal["product"] = Field(
        description="walk x cosine where there is a walk, else cosine x cosine"
    )
    walk: str = Field(description="the feature that may have no score")
    cosine: str = Field(description="the feature it is multiplied with")

    @property
    def made_of(self) -> tuple[str, ...]:
        """The walk and the cosine."""
        return (self.walk, self.cosine)

    def combine(self, *values: Floats) -> Floats:
        """The product of both, or the square of the second."""
        walk, cosine = values
        return np.where(np.isnan(walk), cosine, walk) * cosine


class GatedSettings(DerivedSettings):
    """A feature times the presence of its kind of thing: alike in people, where both show people at all.

    >>> gated = GatedSettings(measure="gated", of="kinds", by="people")
    >>> gated.combine(np.array([0.5, np.nan, 0.5]), np.array([0.8, 0.8, 0.0])).tolist()  # .5 x .8, 0 x .8
    [0.4, 0.0, 0.0]

    Or times its absence: one hand speaks for one time, where not both have a date.

    >>> gated = GatedSettings(measure="gated", of="makers", unless="dates")
    >>> gated.combine(np.array([0.5, np.nan, 0.5]), np.array([0.0, 0.0, 1.0])).tolist()  # .5 x 1, 0, .5 x 0
    [0.5, 0.0, 0.0]
    """

    EXAMPLES = (
        {"of": "names", "by": "presence"},
        {"of": "names", "by": "sentences_2"},
        {"of": "names", "unless": "presence"},
    )

    measure: Literal["gated"] = Field(description="a feature times the presence of something, or its absence")
    of: str = Field(description="the feature that is compared; where it has no information it counts 0")
    by: str = Field("", description="the presence that it is multiplied with")
    unless: str = Field(
        "",
        description="in place of `by`: the presence that closes it; the feature is multiplied with 1 less"
        " this value",
    )

    @model_validator(mode="after")
    def _one_gate(self) -> Self:
        if bool(self.by) == bool(self.unless):
            raise ValueError("give one of the keys by and unless")
        return self

    @property
    def made_of(self) -> tuple[str, ...]:
        """The feature and its gate."""
        return (self.of, self.by or self.unless)

    @property
    def combination(self) -> Combination:
        """The sum of both, or the feature alone where the gate is open by what is absent."""
        return Unless() if self.unless else Sum()

    def combine(self, *values: Floats) -> Floats:
        """The product; NaN where the gate has no information."""
        of, gate = values
        return np.where(np.isnan(of), 0.0, of) * (1 - gate if self.unless else gate)

    def evidence(self, parts: _Parts, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the feature rests on; where it has nothing, what is present."""
        of, gate = parts
        if self.unless:
            closed = gate.value(block, left, right) >= 1
            return () if closed else of.evidence(block, left, right)
        return of.evidence(block, left, right) or gate.evidence(block, left, right)


class WeakestSettings(DerivedSettings):
    """The smallest of some features: versions of one work agree in title, maker and time at once.

    One of the three alone says little: a whole collection may be by one hand.

    >>> weakest = WeakestSettings(measure="weakest", of=("title", "maker"))
    >>> weakest.combine(np.array([0.4, 0.9, 0.9]), np.array([1.0, 0.5, np.nan])).tolist()
    [0.4, 0.5, nan]
    """

    EXAMPLES = ({"of": ["tfidf", "names"]},)

    measure: Literal["weakest"] = Field(description="the smallest of some features, none missing")
    of: Annotated[tuple[str, ...], Field(min_length=2)] = Field(
        description="the features, as `[title_tfidf, makers]`"
    )

    @property
    def made_of(self) -> tuple[str, ...]:
        """The features."""
        return self.of

    def combine(self, *values: Floats) -> Floats:
        """The smallest; NaN where one is."""
        smallest: Floats = np.minimum.reduce(values)
        return smallest

    def evidence(self, parts: _Parts, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the part named first rests on: the others only confirm it."""
        return parts[0].evidence(block, left, right)


class StrongestSettings(DerivedSettings):
    """The largest of some features, each times its factor: readers take the best reason that they find.

    >>> strongest = StrongestSettings(measure="strongest", of={"place": 1.0, "maker": 0.5})
    >>> place, maker = np.array([0.2, np.nan, np.nan]), np.array([1.0, 0.6, np.nan])
    >>> strongest.combine(place, maker).tolist()  # .5 x 1 over .2; .5 x .6; nothing known
    [0.5, 0.3, nan]
    """

    EXAMPLES = ({"of": {"tfidf": 1, "names": 0.5}, "meaning": "places"},)

    measure: Literal["strongest"] = Field(description="the largest of some features, each times a factor")
    of: dict[str, Annotated[float, Field(gt=0, le=1)]] = Field(
        min_length=1, description="features and their factors, as `{location_tfidf: 1, makers: 0.5}`"
    )
    meaning: Theme = Field(
        "words", description="what it means that two items agree in it; reasons are worded by it"
    )

    @property
    def theme(self) -> Theme:
        """As declared."""
        return self.meaning

    @property
    def made_of(self) -> tuple[str, ...]:
        """The features."""
        return tuple(self.of)

    @property
    def combination(self) -> Largest:
        """The largest."""
        return Largest(self.of)

    def combine(self, *values: Floats) -> Floats:
        """The largest; NaN only where all are."""
        scaled = (each * factor for each, factor in zip(values, self.of.values(), strict=True))
        return reduce(np.fmax, scaled)

    def evidence(self, parts: _Parts, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the strongest part rests on, the first of equals."""
        values = np.array([part.value(block, left, right) for part in parts])
        scaled = np.nan_to_num(values * list(self.of.values()), nan=-1.0)
        return parts[int(scaled.argmax())].evidence(block, left, right)


class KnownSettings(MeasureSettings):
    """Whether items give any information in another feature: a date, a maker."""

    EXAMPLES = ({"of": "intervals"}, {"of": "names", "combine": "either"})
    search_cost: ClassVar[float] = 0.3
    theme: ClassVar[Theme] = "presence"
    combination: ClassVar[Informed] = Informed()

    measure: Literal["known"] = Field(description="whether both, or either, give information in a feature")
    of: str = Field(description="the feature, of a measure of its own")
    combine: Literal["both", "either"] = Field("both", description="what both sides give, or either")

    @property
    def made_of(self) -> tuple[str, ...]:
        """The feature."""
        return (self.of,)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "KnownColumn":
        """The column over that of the feature; raises ``ConfigError`` where that is made of others."""
        of = columns[self.of]
        if not isinstance(of, Column):
            raise ConfigError(f"known: {self.of} is made of other features; name one of a measure of its own")
        return KnownColumn(self, of)


class KnownColumn(Column[Table]):
    """Whether items are informed in another column, whose table it reads."""

    def __init__(self, settings: KnownSettings, of: Column[Table]) -> None:
        super().__init__(of.table)
        self._settings, self._of = settings, of

    def read(self, block: Block) -> Table:
        """The rows of the feature's own column."""
        return self._of.of(block)

    def informed(self, table: Table) -> Bools:
        """All: that nothing is known is known."""
        return np.ones(len(table), np.bool_)

    def similarities(self, query: Table, table: Table) -> Doubles:
        """1 where both, or either, are informed, else 0."""
        combine = np.logical_and if self._settings.combine == "both" else np.logical_or
        both: Bools = combine(self._of.informed(query), self._of.informed(table))
        return both.astype(np.float64)

    def informed_by_parts(self, query: Table) -> ByParts:
        """1 where both, or either, are informed, else 0."""
        informed = bool(self._of.informed(query).all())
        if informed == (self._settings.combine == "either"):
            return lambda part: np.full(len(part), informed, np.float32)
        return lambda part: (~self._of.inapplicable[part.rows]).astype(np.float32)
