"""Facts of two items by a model that learnt to read them: presence, and how alike the kinds of them are.

The categories are those of :mod:`features.facts.model`: whether there is anybody (``people``), anything
happens (``event``), a place or a maker is named, and of which kinds and groups (``kinds/women``,
``events/war``). A pair gets one of three numbers:

- ``both`` and ``either``: the smaller and the larger of the two sides' probabilities. What the museum
  indexes (``sure``: parts of the record) makes it 1;
- ``cosine``: of the predictions in 255ths, each weighted by ``1 / sqrt(f + .02)``, f how often the category
  is expected, so that men, who are everywhere, say less than clergy.

``both`` and ``either`` are presence, not similarity: an exception from the contract of a measure, for an item
has with itself what it has. So is ``cosine`` of an item of which nothing is predicted, which is 0. An item
without any words gives NaN.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Arrays, Bools, Bytes, Doubles, Singles
from features.facts.model import MODEL, REMEDY, SHIPPED, FactsModel, open_facts
from features.facts.speaking import Speaking, speaking, words_of
from features.facts.words import FactWords, fact_words_reader
from features.knowledge.resources import ResourceName, Resources
from features.measures import dense
from features.measures.base import ByParts, Column, Columns, EvidencePair, MeasureSettings, RowsBuilder, Theme
from features.measures.matches import weighted_matches
from features.measures.searchable import Level, Vector
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Part
from features.text import piece_sums
from ingest.errors import ConfigError, DamagedArtefact

_RARE: Final = 0.02  # keeps the weight of a rare category within bounds
_LEAST: Final = 0.2
"""A word speaks for a category where its places add so much to the logit."""
_WIDTH: Final = 64  # numbers that a processor multiplies at once


class FactsSettings(MeasureSettings):
    """Facts that a model reads."""

    VERSION: ClassVar[int] = 2
    cost: ClassVar[float] = 45.0  # of each of the ten that kindred has, which are read together
    needs: ClassVar[tuple[ResourceName, ...]] = ("wordnet",)

    EXAMPLES = (
        {"of": ["people"], "compare": "both", "sure": ["people"]},
        {"of": ["events/", "kinds/"], "compare": "cosine"},
    )

    measure: Literal["facts"] = Field(description="facts that a model learnt to read")
    of: tuple[str, ...] = Field(
        min_length=1,
        description="the categories: one of `event`, `maker`, `people`, `people/shown`, `place` and"
        " `place/shown` for `both` and `either`; for `cosine` beginnings, such as `events/` or `kinds/`."
        " `features/facts/weights/manifest.json` lists them",
    )
    compare: Literal["both", "either", "cosine"] = Field(
        description="`both`, `either`: how surely both, or either, have it; `cosine`: of the predictions, the"
        " rarer categories weighing more"
    )
    sure: tuple[Part, ...] = Field(
        (), description="parts of the record that make it sure, where the museum fills them, as `[people]`"
    )
    model: str = Field(
        MODEL,
        description="the model that reads them, by its name of sixteen hexadecimal digits; the default"
        " comes with Kindred. Need not be written: it stands in what is built and trained, so that with a"
        " new model `kindred build` fits anew, and weights trained with another are refused",
    )

    @model_validator(mode="after")
    def _one_presence(self) -> Self:
        if self.presence and len(self.of) != 1:
            raise ValueError(f"compare: {self.compare} is of one category: of: [people]")
        if self.sure and not self.presence:
            raise ValueError("sure goes with compare: both or either")
        return self

    @property
    def theme(self) -> Theme:
        """Presence, or kinds of people."""
        if not self.presence:
            return "kinds"
        of: dict[str, Theme] = {"people": "presence of people", "event": "presence of events"}
        return of.get(self.of[0].partition("/")[0], "presence")

    @property
    def presence(self) -> bool:
        """Whether it tells of presence, not of similarity."""
        return self.compare != "cosine"

    @property
    def collects(self) -> Hashable:
        """The predictions of all records, whatever is asked of them."""
        return self.measure

    def builder(self, resources: Resources) -> "RowsBuilder[FactPredictions]":
        """An empty builder; raises ``ResourceMissing`` where WordNet is not installed."""
        fact_words_reader(resources.wordnet)  # opens it, before any record is read
        return RowsBuilder(self.column({}, resources, {}).read)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "FactsColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        model = open_facts(resources.facts or SHIPPED)
        if resources.facts is None and model.name != self.model:
            raise DamagedArtefact(
                f"facts are read by the model {model.name}, not {self.model!r}; run: kindred build"
            )
        if model.manifest.encoder != piece_sums.fingerprint():
            raise DamagedArtefact(f"the model of facts was learnt from other vectors of words; {REMEDY}")
        kind = FactPresenceColumn if self.presence else FactCosineColumn
        return kind(self, arrays, resources, model)


@dataclass(frozen=True, slots=True, eq=False)
class FactPredictions(Table):
    """Predictions uint8[rows, categories] in 255ths, and the square of their length or a probability.

    Of presence no predictions are stored. ``totals`` is NaN for an item without words.
    """

    totals: Doubles
    predictions: Bytes


class FactsColumn(Column[FactPredictions]):
    """What the ways to compare share: the model's predictions of a block's items."""

    def __init__(
        self, settings: FactsSettings, arrays: Arrays, resources: Resources, model: FactsModel
    ) -> None:
        super().__init__(FactPredictions.of(arrays))
        self._settings, self._model, self._resources = settings, model, resources
        self._columns = _columns(model.manifest.categories, settings)

    def _likely(self, block: Block) -> Singles:
        """How likely each category is, NaN for an item without words."""

        def predicted() -> Singles:
            likely = self._model.likely(self._words(block))
            likely[np.bincount(block.items[block.words.values], minlength=len(block)) == 0] = np.nan
            return likely

        return block.once((FactsColumn, self._model), predicted)[:, self._columns]

    def _words(self, block: Block) -> FactWords:
        return words_of(block, self._resources.wordnet)

    def informed(self, table: FactPredictions) -> Bools:
        """Which items have words."""
        return ~np.isnan(table.totals)


def _columns(categories: Sequence[str], settings: FactsSettings) -> list[int]:
    """The columns of the categories that count; raises ``ConfigError`` for one that there is not."""

    def counts(name: str, of: str) -> bool:
        return name == of if settings.presence else name.startswith(of)

    for of in settings.of:
        if not any(counts(name, of) for name in categories):
            raise ConfigError(f"no category of facts is called {of!r}: {', '.join(categories)}")
    return [place for place, name in enumerate(categories) if any(counts(name, of) for of in settings.of)]


class FactPresenceColumn(FactsColumn):
    """How surely both, or either, have anything of a category."""

    def read(self, block: Block) -> FactPredictions:
        """The probability of each item of a block; 1 where the museum indexes such a thing."""
        likely = self._likely(block)[:, 0].astype(np.float64)
        likely[block.items[block.within(self._settings.sure)]] = 1.0
        return FactPredictions(likely, np.zeros((len(block), 0), np.uint8))

    def searchable(self) -> Level[FactPredictions]:
        """The probability of every item."""
        return Level(
            lambda table: np.asarray(table.totals, np.float64), smaller=self._settings.compare == "both"
        )

    def similarities(self, query: FactPredictions, table: FactPredictions) -> Doubles:
        """The probability of both or either."""
        combined: Doubles = self._combine(query.totals[0], table.totals)
        return combined

    def informed_by_parts(self, query: FactPredictions) -> ByParts:
        """The probability of both or either."""
        likely = query.totals[0].astype(np.float32)
        return lambda part: self._combine(likely, self._singles[part.rows])

    @property
    def _combine(self) -> np.ufunc:
        return np.minimum if self._settings.compare == "both" else np.maximum

    @cached_property
    def _singles(self) -> Singles:
        return self.table.totals.astype(np.float32)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The words of both sides that speak most for the category, in pairs, the same word first."""
        ours, theirs = self._words_of(block, left), self._words_of(block, right)
        left_places, right_places = (one.standing(block, one.weights) for one in (ours, theirs))
        return weighted_matches(left_places, ours.weights, right_places, theirs.weights)

    def _words_of(self, block: Block, item: int) -> Speaking:
        """The words of an item that speak for the category."""
        key = (type(self), self._model, self._columns[0], item)
        return block.once(key, lambda: self._speaking(block, item))

    def _speaking(self, block: Block, item: int) -> Speaking:
        words = self._words(block)
        states = block.once((FactsModel, self._model), lambda: self._model.states(words))
        shares = self._model.contributions(words, item, states, self._columns[0])
        return speaking(block, words, item, shares, _LEAST)


class FactCosineColumn(FactsColumn):
    """Cosine of the weighted predictions."""

    def read(self, block: Block) -> FactPredictions:
        """The predictions of the items of a block in 255ths, padded with zeros."""
        likely = self._likely(block)
        numbers = np.rint(np.nan_to_num(likely) * 255).astype(np.uint8)
        padded = np.pad(numbers, [(0, 0), (0, -numbers.shape[1] % _WIDTH)])
        wide = padded.astype(np.float64)
        return FactPredictions(
            np.where(np.isnan(likely[:, 0]), np.nan, (wide * wide) @ self._weights), padded
        )

    @cached_property
    def _weights(self) -> Doubles:
        # squares of the weights as whole numbers: sums of them times predictions are exact in float64
        shares = np.array(self._model.manifest.frequencies)[self._columns]
        weights = np.rint(1000 / (shares + _RARE))
        return np.pad(weights, (0, -len(weights) % _WIDTH))

    def searchable(self) -> Vector[FactPredictions]:
        """The weighted predictions at length 1, whose plain products are the cosines."""
        return Vector(self._unit)

    def _unit(self, table: FactPredictions) -> Singles:
        weighted: Singles = (table.predictions * np.sqrt(self._weights)).astype(np.float32)
        lengths = np.sqrt(np.maximum((weighted * weighted).sum(axis=1), 1e-9))
        shares: Singles = weighted / lengths[:, np.newaxis]
        return shares

    def similarities(self, query: FactPredictions, table: FactPredictions) -> Doubles:
        """Cosines."""
        weights = self._weights * query.predictions[0]
        # sums of whole numbers below 2^53: exact in any order
        products = table.predictions.astype(np.float64) @ weights
        lengths = np.sqrt(table.totals * query.totals[0])
        cosines: Doubles = np.divide(products, lengths, out=np.zeros(len(lengths)), where=lengths > 0)
        return cosines

    def informed_by_parts(self, query: FactPredictions) -> ByParts:
        """Cosines."""
        weights = self._weights * query.predictions[0] / np.sqrt(max(query.totals[0], 1.0))
        singles = weights.astype(np.float32)
        return lambda part: dense.weighted_cosines(
            self.table.predictions[part.rows], singles, self._shares[part.rows]
        )

    @cached_property
    def _shares(self) -> Singles:
        """1 over the length of every item's predictions; 0 for nothing predicted, NaN for no words."""
        totals = self.table.totals
        return np.where(totals == 0, 0.0, 1 / np.sqrt(np.where(totals == 0, 1.0, totals))).astype(np.float32)
