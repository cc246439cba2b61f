"""Cosine of sentence vectors: how alike two texts are in meaning, in whatever words (MiniLM).

The vectors are made when a record is analysed and lie in its profile in 8 bits
(:mod:`features.text.sentences`); a negative cosine counts as 0. Products of 8-bit numbers are whole, and
added up exactly: ``compare`` and ``pair`` agree to the last bit, and an item has exactly 1 with itself.

With ``scaled: true`` the cosine is taken relative to what is usual near either item (cross-domain
similarity local scaling, CSLS: Conneau et al. 2018, "Word translation without parallel data", section
2.3, halved and moved into [0, 1]): ``cos(a, b) - (r(a) + r(b)) / 2 + 1/2``, cut off at 0 and 1, where
r(x) is the mean of the highest twentieth of the cosines of x with a fixed sample of the collection.
Texts of one kind (glass negatives of machines) are all alike, and no pair of them stands out; so a
collection that nobody has labelled calibrates itself. A scaled value of an item with itself is
1 only where nothing else is near to it: this is an exception from the contract of a measure.
"""

import math
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import ResourceName, Resources
from features.measures import kernels
from features.measures.base import Arrays, Evidence, MeasureSettings, Rows, Scores, SeenColumn, Theme, taken
from features.measures.scope import Scope
from features.profiles.blocks import Block
from features.profiles.occurrence import Occurrence
from features.profiles.profile import Profile
from features.profiles.sentence_texts import PARTS, TextName
from features.text.sentences import WIDTH, check

_BLOCK = 1024
"""Rows taken at a time, so that their numbers stay in a core's cache."""

_SAMPLE = 600
"""Items of a collection that tell what is usual, evenly spaced over those that have the text."""

_NEAREST = 0.05
"""The share of the sample that counts as near."""


class SentencesSettings(MeasureSettings):
    """Sentence vectors of one text of the records."""

    measure: Literal["sentences"] = Field(description="cosine of sentence vectors")
    text: TextName = Field(description="which text of a record: subject, content or all")
    scaled: bool = Field(False, description="relative to the cosines that are usual near either item")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The sentence encoder."""
        return ("sentences",)

    @property
    def collects(self) -> Hashable:
        """The vectors of the text."""
        return (self.measure, self.text)

    @property
    def theme(self) -> Theme:
        """Meaning."""
        return "meaning"

    def builder(self, resources: Resources) -> "SentencesBuilder":  # noqa: ARG002
        """An empty builder; raises ``ResourceMissing`` where the encoder is not installed."""
        check()
        return SentencesBuilder(self)

    def column(self, arrays: Arrays, resources: Resources) -> "SentencesColumn":  # noqa: ARG002
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return SentencesColumn(self, arrays)


class SentencesBuilder:
    """Collects the vectors of one text; a row without one is all 0."""

    def __init__(self, settings: SentencesSettings) -> None:
        self._settings = settings
        self._numbers = bytearray()
        self._takes = True

    def share(self, collected: dict[object, object]) -> None:
        """Leave the collecting to the first builder over the same text."""
        first = collected.setdefault((SentencesBuilder, self._settings.text), self)
        if isinstance(first, SentencesBuilder) and first is not self:
            self._numbers, self._takes = first._numbers, False

    def take(self, block: Block) -> None:
        """Take the vectors of the next items."""
        if self._takes:
            self._numbers += b"".join(
                profile.vector(self._settings.text) or bytes(WIDTH) for profile in block.profiles
            )

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Vectors int8[rows, 384] and the squares of their lengths int32[rows].

        Scaled ones have the rows of the sample int32 and the density float32[rows] beside them.
        """
        vectors = np.frombuffer(self._numbers, np.int8).reshape(-1, WIDTH)
        squares = np.empty(len(vectors), np.int32)
        for start in range(0, len(vectors), _BLOCK):
            block = vectors[start : start + _BLOCK].astype(np.int32)
            squares[start : start + _BLOCK] = (block * block).sum(axis=1)
        if not self._settings.scaled:
            return {"vectors": vectors, "squares": squares}
        rows = _spaced(np.flatnonzero(squares))
        sample, densities = _Sample(vectors[rows], squares[rows]), np.empty(len(vectors), np.float32)
        for start in range(0, len(vectors), _BLOCK):
            of = slice(start, start + _BLOCK)
            densities[of] = sample.densities(vectors[of], squares[of])
        return {"vectors": vectors, "squares": squares, "sample": rows, "densities": densities}


def _spaced(rows: npt.NDArray[np.integer]) -> npt.NDArray[np.int32]:
    """At most so many rows as a sample has, evenly spaced."""
    places = np.linspace(0, len(rows) - 1, min(len(rows), _SAMPLE)).round().astype(np.int64)
    return rows[places].astype(np.int32)


class _Sample:
    """The items that tell what is usual in a collection."""

    def __init__(self, vectors: npt.NDArray[np.int8], squares: npt.NDArray[np.int32]) -> None:
        self._vectors = vectors.astype(np.float32).T
        self._squares = squares.astype(np.float64)
        self._near = max(1, round(len(squares) * _NEAREST))

    def densities(
        self, vectors: npt.NDArray[np.generic], squares: npt.NDArray[np.integer]
    ) -> npt.NDArray[np.float32]:
        """How near the nearest of the sample are to some vectors: r of each, NaN for a vector of 0."""
        if not len(self._squares):
            return np.full(len(vectors), np.nan, np.float32)
        products = vectors.astype(np.float32) @ self._vectors
        lengths = np.sqrt(squares[:, np.newaxis] * self._squares)
        cosines = np.divide(products, lengths, out=np.full(lengths.shape, np.nan), where=lengths > 0)
        # sorted, so that the mean does not depend on where the nearest stand
        nearest = np.sort(np.partition(cosines, -self._near, axis=1)[:, -self._near :], axis=1)
        means: npt.NDArray[np.float32] = nearest.mean(axis=1).astype(np.float32)
        return means


_ONE = np.zeros(1, np.intp)


class _Vector(NamedTuple):
    """A vector, int8[384], the square of its length, and r of it."""

    numbers: npt.NDArray[np.int8]
    square: int
    density: float


class SentencesColumn(SeenColumn[_Vector | None]):
    """Cosines of an item's vector with every item's."""

    def __init__(self, settings: SentencesSettings, arrays: Arrays) -> None:
        super().__init__()
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._vectors = np.asarray(arrays["vectors"], np.int8)
        self._squares = np.asarray(arrays["squares"], np.int32)
        self._settings = settings
        self._arrays = arrays

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        arrays = (self._vectors, self._densities) if self._settings.scaled else (self._vectors,)
        return twins.of_rows(*arrays)

    def pair(self, left: Profile, right: Profile) -> float:
        """The value of two profiles; NaN where a side lacks the text."""
        a, b = self._seen(left), self._seen(right)
        if a is None or b is None:
            return float("nan")
        product = kernels.whole_products(_ONE, a.numbers[np.newaxis], b.numbers).item()
        cosine = product / math.sqrt(float(a.square) * b.square)
        if self._settings.scaled:
            return _scaled(np.array([cosine]), a.density, np.array([b.density], np.float32)).item()
        return max(0.0, cosine)

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """Both texts as one piece: a sentence vector has no parts for single words."""
        return whole_texts(left, right, self._settings.text) if self.pair(left, right) > 0 else ()

    def _see(self, profile: Profile) -> _Vector | None:
        data = profile.vector(self._settings.text)
        if data is None:
            return None
        numbers = np.frombuffer(data, np.int8)
        square = int(kernels.whole_products(_ONE, numbers[np.newaxis], numbers).item())
        if not self._settings.scaled:
            return _Vector(numbers, square, math.nan)
        density = self._sample.densities(numbers[np.newaxis], np.array([square]))
        return _Vector(numbers, square, density.item())

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Vector | None:  # noqa: ARG002
        square = int(self._squares[row])
        if not square:
            return None
        density = self._densities[row].item() if self._settings.scaled else math.nan
        return _Vector(self._vectors[row], square, density)

    def _compared(self, seen: _Vector | None, rows: Rows | None) -> Scores:
        """The value with every item; NaN where a side lacks the text."""
        squares = taken(self._squares, rows)
        scores = np.full(len(squares), np.nan)
        if seen is None:
            return scores
        lengths = np.sqrt(squares * float(seen.square))
        places = np.arange(len(squares)) if rows is None else rows
        products = kernels.whole_products(places, self._vectors, seen.numbers)
        np.divide(products, lengths, out=scores, where=lengths > 0)
        if self._settings.scaled:
            scores = _scaled(scores, seen.density, taken(self._densities, rows))
        positive: Scores = np.maximum(scores, 0.0)
        return positive

    @cached_property
    def _sample(self) -> _Sample:
        rows = np.asarray(self._arrays["sample"], np.int32)
        return _Sample(self._vectors[rows], self._squares[rows])

    @cached_property
    def _densities(self) -> npt.NDArray[np.float32]:
        return np.asarray(self._arrays["densities"], np.float32)


def whole_texts(left: Profile, right: Profile, text: TextName, about: str = "") -> tuple[Evidence, ...]:
    """Evidence of texts that were compared as wholes: one piece; none where a side has no words."""
    ours, theirs = _values(left, text), _values(right, text)
    return (Evidence(ours, theirs, 1.0, about, whole=True),) if ours and theirs else ()


def _values(profile: Profile, text: TextName) -> tuple[Occurrence, ...]:
    """The values that a text is made of, each from its start to its end; the term is all its words."""
    words: dict[tuple[str, int], list[str]] = {}
    for one in Scope(parts=PARTS[text], boilerplate="drop").occurrences(profile):
        words.setdefault((one.part, one.index), []).append(one.term)
    # the end that a profile knows of is that of the last word
    ends = {(value.part, value.index): value.words[-1].end for value in profile.values if value.words}
    return tuple(Occurrence(" ".join(words[at]), *at, 0, ends[at]) for at in words)


def _scaled(cosines: Scores, density: float, densities: npt.NDArray[np.float32]) -> Scores:
    """Cosines relative to what is usual near either side.

    >>> # .7 + .5 - (.6 + .5) / 2; the same two, nobody near; further apart than usual
    >>> _scaled(np.array([0.7, 0.7, 0.2]), 0.6, np.array([0.5, 0.1, 0.9], np.float32)).round(2).tolist()
    [0.65, 0.85, 0.0]
    """
    return np.clip(cosines + 0.5 - (density + densities.astype(np.float64)) / 2, 0.0, 1.0)
