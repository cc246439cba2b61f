"""How alike two items are in what they are likely to show: predicted categories of a subject index.

The categories are those of :mod:`features.knowledge.subjects.model`, predicted from the sentence vector
of a text and kept in 8 bits, as whole numbers p of 255ths. A pair gets one of four numbers:

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

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import ResourceName, Resources
from features.knowledge.subjects.model import LEVELS, MODEL, REMEDY, Subjects, open_subjects
from features.measures import kernels
from features.measures.base import Arrays, Evidence, MeasureSettings, Rows, Scores, SeenColumn, Theme, taken
from features.measures.predictions import Bytes, Predictions
from features.measures.sentences import whole_texts
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.text.sentences import WIDTH, check, fingerprint
from ingest.errors import ConfigError, DamagedArtefact

_LIKELY = 51
"""A category is named as what both items show from this prediction on: .2 of 255."""


class SubjectsSettings(MeasureSettings):
    """Predicted subjects of one text of the records."""

    measure: Literal["subjects"] = Field(description="predicted categories of a subject index")
    text: Literal["subject", "content"] = Field("content", description="the text they are predicted from")
    branches: tuple[str, ...] = Field(
        (), description="how the categories begin that count; none means all but places"
    )
    depth: int = Field(2, ge=1, le=LEVELS, description="the deepest level of categories that counts")
    compare: Literal["cosine", "overlap", "both", "either"] = Field(
        "cosine", description="likeness of the predictions, or whether both or either have any"
    )
    model: str = Field(
        MODEL, description="the model that predicts: a collection or weights made with another are refused"
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The sentence encoder."""
        return ("sentences",)

    @property
    def theme(self) -> Theme:
        """Subjects, or presence."""
        return "presence" if self.presence else "subjects"

    @property
    def presence(self) -> bool:
        """Whether it tells of presence, not of similarity."""
        return self.compare in ("both", "either")

    def builder(self, resources: Resources) -> "SubjectsBuilder":  # noqa: ARG002
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check()
        if self._opened().manifest.encoder != fingerprint():
            raise DamagedArtefact(f"predicted subjects were learnt with another sentence encoder; {REMEDY}")
        return SubjectsBuilder(self)

    def column(self, arrays: Arrays, resources: Resources) -> "SubjectsColumn":  # noqa: ARG002
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        self._opened()
        if self.presence:
            return PresenceColumn(self, arrays)
        return CosineColumn(self, arrays) if self.compare == "cosine" else OverlapColumn(self, arrays)

    def _opened(self) -> Subjects:
        """The model, which fits what is declared."""
        model = open_subjects()
        if self.model != model.name:
            raise DamagedArtefact(
                f"subjects are predicted by the model {model.name}, not {self.model!r}; run: kindred build"
            )
        for branch in self.branches:
            if not model.columns((branch,), self.depth):
                tops = ", ".join(model.categories[place] for place in model.columns(("",), 1))
                raise ConfigError(
                    f"no category of level {self.depth} or above begins with {branch!r}: {tops}"
                )
        return model


class SubjectsBuilder:
    """Predicts the subjects of every item, a block at a time."""

    def __init__(self, settings: SubjectsSettings) -> None:
        self._settings = settings
        self._predict = Predictions(settings.branches, settings.depth, highest=settings.presence)
        self._predictions: list[Bytes] = []
        self._totals: list[Scores] = []

    def take(self, block: Block) -> None:
        """Predict the subjects of the next items."""
        numbers = b"".join(profile.vector(self._settings.text) or bytes(WIDTH) for profile in block.profiles)
        vectors = np.frombuffer(numbers, np.int8).reshape(-1, WIDTH)
        predictions = self._predict(vectors)
        totals = self._predict.totals(self._settings.compare, predictions)
        self._totals.append(np.where(vectors.any(axis=1), totals, np.nan))
        if not self._settings.presence:
            self._predictions.append(predictions)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Predictions uint8[rows, categories] and totals float64[rows], NaN for no text.

        Presence has no predictions: P is its total.
        """
        totals = np.concatenate([np.empty(0), *self._totals])
        if self._settings.presence:
            return {"totals": totals}
        none = np.empty((0, len(self._predict.categories)), np.uint8)
        return {"predictions": np.concatenate([none, *self._predictions]), "totals": totals}


class _Seen(NamedTuple):
    """The predictions of a profile, uint8[categories], and what they come to."""

    predictions: Bytes
    total: float


class SubjectsColumn(SeenColumn[_Seen | None]):
    """What the four ways to compare share."""

    def __init__(self, settings: SubjectsSettings, arrays: Arrays) -> None:
        super().__init__()
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._totals = np.asarray(arrays["totals"], np.float64)
        none = np.empty((len(self._totals), 0))  # presence has stored no predictions
        self._predictions = np.asarray(arrays.get("predictions", none), np.uint8)
        self._settings = settings
        self._predict = Predictions(settings.branches, settings.depth, highest=settings.presence)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_rows(self._totals, self._predictions)

    def pair(self, left: Profile, right: Profile) -> float:
        """The value of two profiles; NaN where a side lacks the text."""
        a, b = self._seen(left), self._seen(right)
        if a is None or b is None:
            return float("nan")
        return self._values(a, np.zeros(1, np.intp), b.predictions[np.newaxis], np.array([b.total])).item()

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """Both texts as one piece, with the category that most of the value rests on.

        A prediction has no parts for single words. A category is named where it is likely on both sides.
        """
        a, b = self._seen(left), self._seen(right)
        if a is None or b is None or not self.pair(left, right) > 0:
            return ()
        least = np.minimum(a.predictions, b.predictions)
        parts = np.where(least >= _LIKELY, self._parts(a, b), 0)
        best = int(parts.argmax())
        about = self._predict.categories[best].replace("/", ": ", LEVELS - 1) if parts[best] > 0 else ""
        return whole_texts(left, right, self._settings.text, about)

    def _see(self, profile: Profile) -> _Seen | None:
        data = profile.vector(self._settings.text)
        if data is None:
            return None
        predictions = self._predict.one(data)
        return _Seen(predictions[0], self._predict.totals(self._settings.compare, predictions).item())

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Seen | None:  # noqa: ARG002
        total = self._totals[row].item()
        return None if math.isnan(total) else _Seen(self._predictions[row], total)

    def _compared(self, seen: _Seen | None, rows: Rows | None) -> Scores:
        """The value with every item; NaN where a side lacks the text."""
        totals = taken(self._totals, rows)
        scores = np.full(len(totals), np.nan)
        if seen is None:
            return scores
        places = np.arange(len(totals)) if rows is None else rows
        return self._values(seen, places, self._predictions, totals)

    def _parts(self, a: _Seen, b: _Seen) -> Scores:
        """How much of what two profiles have in common is each category's."""
        least: Scores = np.minimum(a.predictions, b.predictions).astype(np.float64)
        return least

    @abstractmethod
    def _values(self, seen: _Seen, rows: Rows, predictions: Bytes, totals: Scores) -> Scores:
        """The measure of a profile with some rows of ``predictions``, whose ``totals`` are given."""


class CosineColumn(SubjectsColumn):
    """Cosine of the weighted predictions."""

    def _values(self, seen: _Seen, rows: Rows, predictions: Bytes, totals: Scores) -> Scores:
        products = kernels.weighted_products(rows, predictions, self._predict.weights * seen.predictions)
        return _ratio(products, np.sqrt(totals * seen.total))

    def _parts(self, a: _Seen, b: _Seen) -> Scores:
        parts: Scores = self._predict.weights * a.predictions * b.predictions
        return parts


class OverlapColumn(SubjectsColumn):
    """The sum of the smaller over the sum of the larger predictions."""

    def _values(self, seen: _Seen, rows: Rows, predictions: Bytes, totals: Scores) -> Scores:
        shared = kernels.least_sums(rows, predictions, seen.predictions)
        return _ratio(shared, totals + seen.total - shared)


class PresenceColumn(SubjectsColumn):
    """How surely both, or either, have anything of the categories."""

    def _values(self, seen: _Seen, rows: Rows, predictions: Bytes, totals: Scores) -> Scores:  # noqa: ARG002
        combine = np.minimum if self._settings.compare == "both" else np.maximum
        combined: Scores = combine(seen.total, totals)
        return combined


def _ratio(shared: Scores, whole: Scores) -> Scores:
    """Quotients; 0 of nothing, NaN of no information."""
    return np.divide(shared, whole, out=np.where(np.isnan(whole), np.nan, 0.0), where=whole > 0)
