"""Cosine of sentence vectors: how alike two texts are in meaning, in whatever words (MiniLM).

The vectors are made when a record is analysed and lie in its profile in 8 bits
(:mod:`features.sentences`); a negative cosine counts as 0. Products of 8-bit numbers are whole and
below 2^24, so that float32 adds them up exactly, in any order: ``compare`` and ``pair`` agree to the
last bit, and an item has exactly 1 with itself.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.measures.base import Arrays, Evidence, MeasureSettings, Remembered, Scores, Theme
from features.profile import Profile
from features.resources import ResourceName, Resources
from features.scope import Occurrence, Scope
from features.sentence_texts import PARTS, TextName
from features.sentences import WIDTH, check

_BLOCK = 1024
"""Rows turned to float32 at a time: 1.5 MB, which stay in a core's cache."""

_CONTENT = ("ADJ", "NOUN", "NUM", "PROPN", "VERB")


class SentencesSettings(MeasureSettings):
    """Sentence vectors of one text of the records."""

    measure: Literal["sentences"] = Field(description="cosine of sentence vectors")
    text: TextName = Field(description="which text of a record: title, subject, description or all")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The sentence encoder."""
        return ("sentences",)

    @property
    def theme(self) -> Theme:
        """Meaning."""
        return "meaning"

    def builder(self, resources: Resources) -> "SentencesBuilder":  # noqa: ARG002
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check()
        return SentencesBuilder(self.text)

    def column(self, arrays: Arrays, resources: Resources) -> "SentencesColumn":  # noqa: ARG002
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return SentencesColumn(self.text, arrays)


class SentencesBuilder:
    """Collects the vectors of one text; a row without one is all 0."""

    def __init__(self, text: TextName) -> None:
        self._text = text
        self._numbers = bytearray()

    def add(self, profile: Profile) -> None:
        """Take the vector of the next item."""
        self._numbers += profile.vector(self._text) or bytes(WIDTH)

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Vectors int8[rows, 384] and the squares of their lengths int32[rows]."""
        vectors = np.frombuffer(bytes(self._numbers), np.int8).reshape(-1, WIDTH)
        squares = np.empty(len(vectors), np.int32)
        for start in range(0, len(vectors), _BLOCK):
            block = vectors[start : start + _BLOCK].astype(np.int32)
            squares[start : start + _BLOCK] = (block * block).sum(axis=1)
        return {"vectors": vectors, "squares": squares}


class _Vector(NamedTuple):
    """A vector as float32[384] of whole numbers, and the square of its length."""

    numbers: npt.NDArray[np.float32]
    square: int


class SentencesColumn:
    """Cosines of a profile's vector with every item's."""

    def __init__(self, text: TextName, arrays: Arrays) -> None:
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._vectors = np.asarray(arrays["vectors"], np.int8)
        self._squares = np.asarray(arrays["squares"], np.int32)
        self._text = text
        self._seen = Remembered(self._vector)

    def compare(self, profile: Profile) -> Scores:
        """Cosine with every item, 0 where it is negative; NaN where a side lacks the text."""
        rows = len(self._squares)
        vector = self._seen(profile)
        if vector is None:
            return np.full(rows, np.nan)
        products = np.empty(rows, np.float32)
        block = np.empty((_BLOCK, WIDTH), np.float32)
        for start in range(0, rows, _BLOCK):
            part = self._vectors[start : start + _BLOCK]
            whole = block[: len(part)]
            np.copyto(whole, part)
            np.dot(whole, vector.numbers, out=products[start : start + _BLOCK])
        lengths = np.sqrt(self._squares * float(vector.square))
        scores = np.full(rows, np.nan)
        np.divide(products, lengths, out=scores, where=lengths > 0)
        positive: Scores = np.maximum(scores, 0.0)
        return positive

    def pair(self, left: Profile, right: Profile) -> float:
        """Cosine of two profiles, 0 where it is negative; NaN where a side lacks the text."""
        a, b = self._seen(left), self._seen(right)
        if a is None or b is None:
            return float("nan")
        product = float(a.numbers @ b.numbers)
        return max(0.0, product / math.sqrt(float(a.square) * b.square))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The content words of both texts as one piece: a sentence vector has no parts for single words."""
        if not self.pair(left, right) > 0:
            return ()
        return (Evidence(self._words(left), self._words(right), 1.0),)

    def _vector(self, profile: Profile) -> _Vector | None:
        data = profile.vector(self._text)
        if data is None:
            return None
        numbers = np.frombuffer(data, np.int8).astype(np.float32)
        return _Vector(numbers, int(numbers @ numbers))

    def _words(self, profile: Profile) -> tuple[Occurrence, ...]:
        parts = PARTS[self._text]
        content = tuple(Scope(parts=parts, tags=_CONTENT, boilerplate="drop").occurrences(profile))
        # a title such as 'Untitled' may hold nothing else
        return content or tuple(Scope(parts=parts, boilerplate="drop").occurrences(profile))
