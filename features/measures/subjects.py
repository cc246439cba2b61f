"""How alike two items are in what they are likely to show: predicted categories of a subject index.

They are those of :mod:`features.knowledge.subjects.model`, predicted from the sentence vector of what an item
shows, and stored as whole numbers p of 255ths. A pair gets one of four numbers:

- ``cosine``: of the predictions, each weighted by ``1 / sqrt(f + .002)``, f the category's frequency in
  the index, so that man, which is everywhere, says less than harbour;
- ``overlap``: the sum of the smaller over the sum of the larger predictions;
- ``both`` and ``either``: the smaller and the larger of the two sides' ``P = 1 - prod(1 - p)``, over the
  highest of the categories (for the branch ``people`` P is the prediction of people): how surely there is
  anything of the kind.

``both`` and ``either`` are presence, not similarity: an exception from the contract of a measure, for an
item has P with itself, not 1. In all four a side without the text gives NaN; one that has the text, but
of which nothing in the branches is predicted, is 0 to every item.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal, Self, TypeVar

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Bytes, Doubles, Singles
from features.knowledge.resources import ResourceName, Resources, encoder_needs
from features.knowledge.subjects.model import LEVELS, MODELS, REMEDY, SHIPPED, Subjects, open_subjects, top
from features.measures import dense
from features.measures.base import ByParts, Column, Columns, EvidencePair, MeasureSettings, RowsBuilder, Theme
from features.measures.searchable import Level, Vector
from features.measures.sentences import vectors_of, whole_texts
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.text.sentences import EncoderName, check, fingerprint
from ingest.errors import ConfigError, DamagedArtefact

_TEXT: Final = "content"  # the text that subjects are predicted from
_RARE = 0.002  # keeps the weight of a rare category within bounds
_WIDTH = 64  # numbers that a processor multiplies at once, or a few times as many
_LIKELY = 51  # a category is named as what both items show from this prediction on: .2 of 255


class SubjectsSettings(MeasureSettings):
    """Predicted subjects of what the records show and tell."""

    VERSION: ClassVar[int] = 2

    EXAMPLES = (
        {"compare": "cosine", "depth": 3},
        {"compare": "overlap"},
        {"compare": "both", "branches": ["people"]},
    )

    measure: Literal["subjects"] = Field(description="predicted categories of a subject index")
    branches: tuple[str, ...] = Field(
        (),
        description="the categories that count: beginnings, such as `people`, `people/actions`, `places`;"
        " none means all subjects: all but places, kinds and shown."
        " `features/knowledge/subjects/compact/manifest.json` lists them",
    )
    depth: int = Field(
        2,
        ge=1,
        le=LEVELS,
        description="the deepest level that counts: `people` is of level 1, `people/adults` of 2,"
        " `people/adults/man` of 3",
    )
    compare: Literal["cosine", "overlap", "both", "either"] = Field(
        "cosine",
        description="`cosine`: of the predictions, the rarer categories weighing more; `overlap`: the sum"
        " of the smaller over the sum of the larger predictions; `both`, `either`: how surely both, or"
        " either, have any of the highest categories that count",
    )
    encoder: EncoderName = Field("compact", description="as of `sentences`")
    model: str = Field(
        MODELS["compact"],
        description="the model that predicts, by its name of sixteen hexadecimal digits; the default"
        " comes with Kindred. Need not be written: it stands in what is built and trained, so that with a"
        " new model `kindred build` fits anew, and weights trained with another are refused",
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The sentence encoder, where it does not come with Kindred."""
        return encoder_needs(self.encoder)

    def with_encoder(self, encoder: EncoderName) -> Self:
        """The same over the vectors of another encoder, predicted by the model that was learnt from those."""
        return self.model_copy(update={"encoder": encoder, "model": MODELS[encoder]})

    @property
    def theme(self) -> Theme:
        """Subjects, or presence."""
        return "presence" if self.presence else "subjects"

    @property
    def presence(self) -> bool:
        """Whether it tells of presence, not of similarity."""
        return self.compare in ("both", "either")

    def builder(self, resources: Resources) -> "RowsBuilder[Predictions]":
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check(self.encoder)
        if self._opened().manifest.encoder != fingerprint(self.encoder):
            raise DamagedArtefact(f"predicted subjects were learnt with another sentence encoder; {REMEDY}")
        return RowsBuilder(self.column({}, resources, {}).stored)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "SubjectsColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        self._opened()
        if self.presence:
            return LikelyColumn(self, arrays)
        return CosineColumn(self, arrays) if self.compare == "cosine" else SharedColumn(self, arrays)

    def _opened(self) -> Subjects:
        """The model, which fits what is declared."""
        model = open_subjects(SHIPPED[self.encoder])
        if self.model != model.name:
            raise DamagedArtefact(
                f"subjects are predicted by the model {model.name}, not {self.model!r}; run: kindred build"
            )
        for branch in self.branches:
            if not model.columns((branch,), self.depth):
                tops = ", ".join(sorted({top(category) for category in model.categories}))
                raise ConfigError(
                    f"no category of level {self.depth} or above begins with {branch!r}: {tops}"
                )
        return model


@dataclass(frozen=True, slots=True, eq=False)
class Predictions(Table):
    """Predictions uint8[rows, categories] and what they come to, NaN for no text.

    Of presence no predictions are stored: P is what they come to.
    """

    totals: Doubles
    predictions: Bytes


_Numbers = TypeVar("_Numbers", Bytes, Doubles)


def _padded(numbers: _Numbers) -> _Numbers:
    """Numbers with zeros behind the last axis, up to a multiple of ``_WIDTH``."""
    width = -numbers.shape[-1] % _WIDTH
    return np.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, width)])


def _any(likely: Doubles) -> Doubles:
    """P that there is any of some categories, from how likely each is, float64[texts, categories].

    >>> _any(np.array([[0.6, 0.8], [0.25, 0.0]])).round(3).tolist()  # 1 - .4 x .2; 1 - .75 x 1
    [0.92, 0.25]
    """
    absent = np.ones(len(likely))
    # one category after the other, so that a text has the same P among others as alone
    for column in (1 - likely).T:
        absent *= column
    return 1 - absent


class SubjectsColumn(Column[Predictions]):
    """What the ways to compare share: predictions in 8 bits, the same for a vector in whatever company."""

    def __init__(self, settings: SubjectsSettings, arrays: Arrays) -> None:
        super().__init__(Predictions.of(arrays))
        self._settings = settings
        self._whole = open_subjects(SHIPPED[settings.encoder])
        columns = self._whole.columns(settings.branches, settings.depth)
        self._columns = list(self._whole.highest(columns) if settings.presence else columns)
        model = self._whole.over(self._columns)
        self._categories = model.categories
        # squares of the weights as whole numbers: sums of them times predictions are exact in float64
        self._weights: Doubles = _padded(np.rint(1000 / (model.frequencies + _RARE)))

    def read(self, block: Block) -> Predictions:
        """The predictions of the items of a block in 255ths, padded; 0 for a vector of 0."""
        vectors = vectors_of(block, _TEXT)
        every = block.once(
            SubjectsColumn,
            lambda: np.rint(np.nan_to_num(self._whole.predict(vectors)) * 255).astype(np.uint8),
        )
        predictions = _padded(every[:, self._columns])
        return Predictions(np.where(vectors.any(axis=1), self._totals(predictions), np.nan), predictions)

    def stored(self, block: Block) -> Predictions:
        """The same as it is stored."""
        table = self.read(block)
        return Predictions(table.totals, table.predictions[:, :0]) if self._settings.presence else table

    def _totals(self, predictions: Bytes) -> Doubles:
        """What a row's predictions come to: the square of their length, their sum, or P."""
        numbers = predictions.astype(np.float64)
        if self._settings.presence:
            return _any(numbers / 255)
        overlap = self._settings.compare == "overlap"
        totals: Doubles = numbers.sum(axis=1) if overlap else (numbers * numbers) @ self._weights
        return totals

    def informed(self, table: Predictions) -> Bools:
        """Which items have the text."""
        return ~np.isnan(table.totals)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """Both texts as one piece, with the category that most rests on, where it is likely on both."""
        a, b = (self.of(block).predictions[side] for side in (left, right))
        parts = np.where(np.minimum(a, b) >= _LIKELY, self.shared(a, b), 0)
        best = int(parts.argmax())
        about = self._categories[best].replace("/", ": ", LEVELS - 1) if parts[best] > 0 else ""
        return whole_texts(block, left, right, _TEXT, about)

    def shared(self, left: Bytes, right: Bytes) -> Doubles:
        """What is shared in each category, float64[categories]: the smaller of two predictions."""
        return np.minimum(left, right).astype(np.float64)


class CosineColumn(SubjectsColumn):
    """Cosine of the weighted predictions."""

    def searchable(self) -> Vector[Predictions]:
        """The weighted predictions at length 1, whose plain products are the cosines."""
        return Vector(self._unit)

    def _unit(self, table: Predictions) -> Singles:
        weighted: Singles = (table.predictions * np.sqrt(self._weights)).astype(np.float32)
        lengths = np.sqrt(np.maximum((weighted * weighted).sum(axis=1), 1e-9))
        shares: Singles = weighted / lengths[:, np.newaxis]
        return shares

    def similarities(self, query: Predictions, table: Predictions) -> Doubles:
        """Cosines."""
        weights = self._weights * query.predictions[0]
        # sums of whole numbers below 2^53: exact in any order
        products = table.predictions.astype(np.float64) @ weights
        return _ratio(products, np.sqrt(table.totals * query.totals[0]))

    def informed_by_parts(self, query: Predictions) -> ByParts:
        """Cosines."""
        weights = self._weights * query.predictions[0] / np.sqrt(max(query.totals[0], 1.0))
        singles = weights.astype(np.float32)
        return lambda part: dense.weighted_cosines(
            self.table.predictions[part.rows], singles, self._shares[part.rows]
        )

    @cached_property
    def _shares(self) -> Singles:
        """1 over the length of every item's predictions; 0 for nothing predicted, NaN for no text."""
        totals = self.table.totals
        return np.where(totals == 0, 0.0, 1 / np.sqrt(np.where(totals == 0, 1.0, totals))).astype(np.float32)

    def shared(self, left: Bytes, right: Bytes) -> Doubles:
        """The products of the predictions."""
        parts: Doubles = self._weights * left * right
        return parts


class SharedColumn(SubjectsColumn):
    """The sum of the smaller over the sum of the larger predictions."""

    def similarities(self, query: Predictions, table: Predictions) -> Doubles:
        """The ratios of the sums."""
        shared = dense.least_sums(table.predictions, query.predictions[0])
        return _ratio(shared, table.totals + query.totals[0] - shared)


class LikelyColumn(SubjectsColumn):
    """How surely both, or either, have anything of the categories."""

    def searchable(self) -> Level[Predictions]:
        """P of every item."""
        return Level(
            lambda table: np.asarray(table.totals, np.float64), smaller=self._settings.compare == "both"
        )

    def of(self, block: Block) -> Predictions:
        """What ``read`` gives: the table keeps no predictions, and evidence names the likeliest."""
        return block.once(self, lambda: self.read(block))

    def similarities(self, query: Predictions, table: Predictions) -> Doubles:
        """P of both or either."""
        combine = np.minimum if self._settings.compare == "both" else np.maximum
        combined: Doubles = combine(query.totals[0], table.totals)
        return combined


def _ratio(shared: Doubles, whole: Doubles) -> Doubles:
    """Quotients; 0 of nothing."""
    return np.divide(shared, whole, out=np.zeros(len(whole)), where=whole > 0)
