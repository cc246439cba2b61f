"""Cosine of sentence vectors: how alike two texts are in meaning, in whatever words.

The vectors lie in profiles in 8 bits (:mod:`features.text.sentences`); how they are compared is told in
:mod:`features.measures.dense_columns`.
"""

from collections.abc import Hashable
from functools import partial
from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Int8s
from features.knowledge.resources import ResourceName, Resources, encoder_needs
from features.measures.base import Columns, EvidencePair, MeasureSettings, Theme
from features.measures.dense_columns import DenseBuilder, DenseColumn
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.profiles.sentence_texts import PARTS, TextName
from features.text.sentence_vectors import WIDTH
from features.text.sentences import EncoderName, check


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

    def builder(self, resources: Resources) -> DenseBuilder:
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check(self.encoder)
        return DenseBuilder(partial(vectors_of, text=self.text), scaled=self.scaled)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "SentencesColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return SentencesColumn(self, arrays)


class SentencesColumn(DenseColumn):
    """Cosines of the vectors of one text."""

    def __init__(self, settings: SentencesSettings, arrays: Arrays) -> None:
        super().__init__(settings.text, arrays, scaled=settings.scaled)
        self._text = settings.text

    def vectors(self, block: Block) -> Int8s:
        """Those of the text of the items of a block."""
        return vectors_of(block, self._text)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """Both texts as one piece: a sentence vector has no parts for single words."""
        return _whole_texts(block, left, right, self._text)


def vectors_of(block: Block, text: TextName) -> Int8s:
    """The sentence vectors of a text of the items of a block, int8[items, 384]; 0 for no text. Read only."""

    def vectors() -> Int8s:
        numbers = b"".join(profile.vector(text) or bytes(WIDTH) for profile in block.profiles)
        return np.frombuffer(numbers, np.int8).reshape(-1, WIDTH)

    return block.once((SentencesColumn, text), vectors)


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
