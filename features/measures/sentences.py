"""Cosine of sentence vectors: how alike two texts are in meaning, in whatever words.

The vectors lie in profiles in 8 bits (:mod:`features.text.sentences`); a negative cosine counts as 0. Sums of
products are exact: ``compare`` and ``pair`` agree to the last bit, and an item has exactly 1 with itself.

With ``scaled: true`` the cosine is taken relative to what is usual near either item (cross-domain similarity
local scaling, CSLS: Conneau et al. 2018, "Word translation without parallel data", section 2.3, halved and
moved into [0, 1]): ``cos(a, b) - (r(a) + r(b)) / 2 + 1/2``, cut off at 0 and 1, where r(x) is the mean of the
highest twentieth of the cosines of x with a fixed sample of the collection; the smaller that is, the more of
what is usual in other collections comes into r(x). A scaled value of an item with
itself is 1 only where nothing else is near to it: an exception from the contract of a measure.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Int8s, Ints, NewArrays, Singles
from features.compiled import compiled
from features.knowledge.resources import ResourceName, Resources, encoder_needs
from features.measures import dense
from features.measures.base import ByParts, Column, Columns, EvidencePair, MeasureSettings, RowsBuilder, Theme
from features.measures.parts import RowPart
from features.measures.searchable import Vector
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.profiles.sentence_texts import PARTS, TextName
from features.text.sentence_vectors import WIDTH
from features.text.sentences import EncoderName, check

_BLOCK = 1024  # rows that are worked on at once, so that their numbers stay in a core's cache
_SAMPLE = 600
"""Items of a collection by which the usual is measured, evenly spaced over those that have the text."""

_ENOUGH = 60
"""Items of a sample from which on it alone says what is usual."""

_USUAL = 0.55
"""What is usual in other collections: of five museums .51 of contents and .58 of whole texts."""

_NEAREST = 0.05  # the share of the sample that counts as near


class SentencesSettings(MeasureSettings):
    """Sentence vectors of one text of the records."""

    EXAMPLES = ({"text": "content"}, {"text": "content", "scaled": True})
    theme: ClassVar[Theme] = "meaning"
    search_cost: ClassVar[float] = 2.0

    measure: Literal["sentences"] = Field(description="cosine of sentence vectors")
    text: TextName = Field(
        description="what is compared. `content`: titles, subjects and the descriptions without"
        " boilerplate and context; `all`: titles, subjects and descriptions without boilerplate, with"
        " creators, dates and places. Each is read up to 128 word pieces"
    )
    scaled: bool = Field(
        False,
        description="`true`: relative to what is usual near either item, so that texts of one kind, which"
        " are all alike, do not seem akin for that. An item is then 1 with itself only where nothing else is"
        " near to it",
    )
    encoder: EncoderName = Field(
        "compact",
        description="which encoder made the vectors. Need not be written, and `sentences.encoder` stands"
        " over it: it tells so in what is built",
    )

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The sentence encoder, where it does not come with Kindred."""
        return encoder_needs(self.encoder)

    def with_encoder(self, encoder: EncoderName) -> Self:
        """The same over the vectors of another encoder."""
        return self.model_copy(update={"encoder": encoder})

    @property
    def collects(self) -> Hashable:
        """The vectors of the text."""
        return (self.measure, self.text)

    def builder(self, resources: Resources) -> "SentencesBuilder":
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check(self.encoder)
        return SentencesBuilder(self)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "SentencesColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return SentencesColumn(self, arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Sentences(Table):
    """Vectors int8[rows, 384], the squares of their lengths (0 for none), and r where values are scaled."""

    vectors: Int8s
    squares: Ints
    densities: Singles


def vectors_of(block: Block, text: TextName) -> Int8s:
    """The sentence vectors of a text of the items of a block, int8[items, 384]; 0 for no text. Read only."""

    def vectors() -> Int8s:
        numbers = b"".join(profile.vector(text) or bytes(WIDTH) for profile in block.profiles)
        return np.frombuffer(numbers, np.int8).reshape(-1, WIDTH)

    return block.once((Sentences, text), vectors)


def _unscaled(block: Block, text: TextName) -> Sentences:
    vectors = vectors_of(block, text)
    squares = np.empty(len(vectors), np.int32)
    for at in range(0, len(vectors), _BLOCK):
        numbers = vectors[at : at + _BLOCK].astype(np.int32)
        squares[at : at + _BLOCK] = (numbers * numbers).sum(axis=1)
    return Sentences(vectors, squares, np.zeros(len(vectors), np.float32))


class SentencesBuilder(RowsBuilder[Sentences]):
    """Collects the vectors of one text."""

    def __init__(self, settings: SentencesSettings) -> None:
        super().__init__(partial(_unscaled, text=settings.text))
        self._scaled = settings.scaled

    def arrays(self) -> NewArrays:
        """The vectors; scaled ones have the rows of the sample int32 beside them."""
        table = self.table()
        if not self._scaled:
            return table.arrays()
        informed = np.flatnonzero(table.squares)
        spaced = np.linspace(0, len(informed) - 1, min(len(informed), _SAMPLE)).round().astype(np.int64)
        rows = informed[spaced]
        densities = _densities(table, table.at(rows))
        return {**replace(table, densities=densities).arrays(), "sample": rows.astype(np.int32)}


def _densities(table: Sentences, sample: Sentences) -> Singles:
    """How near the nearest items of a sample are to each row: r, NaN for a vector of 0."""
    sampled, squares = sample.vectors.astype(np.float32).T, sample.squares.astype(np.float64)
    near = max(1, round(len(sample) * _NEAREST))
    densities = np.full(len(table), np.nan, np.float32)
    for start in range(0, len(table) if len(sample) else 0, _BLOCK):
        rows = slice(start, start + _BLOCK)
        products = table.vectors[rows].astype(np.float32) @ sampled
        lengths = np.sqrt(table.squares[rows, np.newaxis] * squares)
        cosines = np.divide(products, lengths, out=np.full(lengths.shape, np.nan), where=lengths > 0)
        # sorted, so that the mean does not depend on where the nearest stand
        nearest = np.sort(np.partition(cosines, -near, axis=1)[:, -near:], axis=1)
        densities[rows] = nearest.mean(axis=1)
    # the nearest of a few are kin, not the background: so few say less than other collections do
    own = min(1.0, len(sample) / _ENOUGH)
    return np.asarray(own * densities + (1 - own) * _USUAL, np.float32)


class SentencesColumn(Column[Sentences]):
    """Cosines of an item's vector with those of others."""

    def __init__(self, settings: SentencesSettings, arrays: Arrays) -> None:
        super().__init__(Sentences.of(arrays))
        self._settings = settings
        self._arrays = arrays

    def searchable(self) -> Vector[Sentences]:
        """The vectors of the text at length 1."""
        return Vector(
            _unit, self._settings.text, usual=lambda table: table.densities, scaled=self._settings.scaled
        )

    def read(self, block: Block) -> Sentences:
        """The vectors of the items of a block."""
        table = _unscaled(block, self._settings.text)
        return replace(table, densities=_densities(table, self._sampled)) if self._settings.scaled else table

    @property
    def usual(self) -> float | None:
        """Where values are scaled the median r of the items: half of them are nearer to what is near them."""
        densities = np.asarray(self._arrays.get("usual", self.table.densities), np.float64)
        known = densities[~np.isnan(densities)]
        return float(np.median(known)) if self._settings.scaled and len(known) else None

    def fitted(self, arrays: Arrays) -> NewArrays:
        """As of any column; of the sample the vectors are stored."""
        fitted = {name: array for name, array in super().fitted(arrays).items() if name != "sample"}
        if self._settings.scaled:
            fitted |= {"sample_vectors": self._sampled.vectors, "sample_squares": self._sampled.squares}
            fitted["usual"] = np.array([] if self.usual is None else [self.usual])
        return fitted

    def informed(self, table: Sentences) -> Bools:
        """Which items have the text, and a collection that says what is usual."""
        return (table.squares > 0) & ~np.isnan(table.densities)

    def similarities(self, query: Sentences, table: Sentences) -> Doubles:
        """Cosines, scaled where that is asked for."""
        cosines = dense.cosines(table.vectors, table.squares, query.vectors[0], int(query.squares[0]))
        if not self._settings.scaled:
            return cosines
        return _scaled(cosines, query.densities[0].item(), table.densities)

    def informed_by_parts(self, query: Sentences) -> ByParts:
        """The cosines; a plain and a scaled feature over one text share them."""
        vector, square, table = query.vectors[0], int(query.squares[0]), self.table

        def values(part: RowPart) -> Singles:
            rows = part.rows
            cosines = part.once(
                (SentencesColumn, self._settings.text),
                lambda: dense.single_cosines(table.vectors[rows], self._shares[rows], vector, square),
            )
            if not self._settings.scaled:
                return np.clip(cosines, np.float32(0.0), np.float32(1.0))
            return _scaled_singles(cosines, query.densities[0], table.densities[rows])

        return values

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """Both texts as one piece: a sentence vector has no parts for single words."""
        return _whole_texts(block, left, right, self._settings.text)

    @cached_property
    def _shares(self) -> Singles:
        """1 over the length of every item's vector, NaN for none."""
        return dense.inverse(np.sqrt(self.table.squares))

    @cached_property
    def _sampled(self) -> Sentences:
        """The items of the sample: rows of the collection, or stored beside rows that lie elsewhere."""
        if "sample_vectors" not in self._arrays:
            return self.table.at(np.asarray(self._arrays.get("sample", np.empty(0)), np.int32))
        vectors = np.asarray(self._arrays["sample_vectors"], np.int8)
        squares = np.asarray(self._arrays["sample_squares"], np.int32)
        return Sentences(vectors, squares, np.zeros(len(squares), np.float32))


def _unit(table: Sentences) -> Singles:
    lengths = np.sqrt(np.maximum(table.squares, 1)).astype(np.float32)
    return table.vectors.astype(np.float32) / lengths[:, np.newaxis]


def _whole_texts(block: Block, left: int, right: int, text: TextName) -> tuple[EvidencePair, ...]:
    """Evidence of texts that were compared as wholes: one piece; none where a side has no words."""
    lefts, rights = (
        block.once((Occurrence, text, item), partial(_values, block, item, text)) for item in (left, right)
    )
    return (EvidencePair(lefts, rights, 1.0, whole=True),) if lefts and rights else ()


def _values(block: Block, item: int, text: TextName) -> tuple[Occurrence, ...]:
    """The values that a text is made of, each from its start to its last word; the term is all its words."""
    places = []
    for value in block.profiles[item].values:
        if value.part in PARTS[text]:
            read = [word for word in value.words if not value.is_boilerplate(word.start)]
            if text == "content":
                read = [word for word in read if not value.is_context(word.start)]
            words = [word.form.lower() for word in read]
            if worded := " ".join(word for word in words if any(map(str.isalnum, word))):
                places.append(Occurrence(worded, value.part, value.index, 0, value.words[-1].end))
    return tuple(places)


def _scaled(cosines: Doubles, density: float, densities: Singles) -> Doubles:
    """Cosines relative to what is usual near either side.

    >>> # .7 + .5 - (.6 + .5) / 2; the same two, nobody near; further apart than usual
    >>> _scaled(np.array([0.7, 0.7, 0.2]), 0.6, np.array([0.5, 0.1, 0.9], np.float32)).round(2).tolist()
    [0.65, 0.85, 0.0]
    """
    return np.clip(cosines + 0.5 - (density + densities.astype(np.float64)) / 2, 0.0, 1.0)


@compiled
def _scaled_singles(cosines: Singles, density: np.float32, densities: Singles) -> Singles:
    """The same in single precision; NaN stays NaN."""
    half, none, one = np.float32(0.5), np.float32(0.0), np.float32(1.0)
    values = np.empty(len(cosines), np.float32)
    for n in range(len(cosines)):
        value = cosines[n] + half - (density + densities[n]) * half
        # of NaN nothing is less or greater
        values[n] = none if value < none else one if value > one else value
    return values
