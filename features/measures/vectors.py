"""Cosine of summed word vectors (the additive composition of Unitor, thesis 5.4).

The vector of an item is the sum of the vectors of its terms, each as often as it stands there, with
``weights: idf`` times ``ln(1 + N / df)``; the measure is ``max(0, cosine)``. Words without a vector
say nothing; an item of such words only gives no information.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures import kernels
from features.measures.bags import BagBuilder, by_term
from features.measures.base import Arrays, Evidence, Rows, Scores, SeenColumn, taken
from features.measures.idf import Rarity, idf
from features.measures.matches import matches
from features.measures.overlap import Weights
from features.measures.scope import ScopeReader
from features.measures.worded import WordedSettings
from features.profiles.profile import Profile
from features.text.word_vectors import Floats, WordVectors, word_vectors

Halves = npt.NDArray[np.float16]
_BLOCK = 8192
"""Rows turned from sixteen bits to thirty-two at a time: a block stays in the processor's cache."""


class VectorsSettings(WordedSettings):
    """Summed word vectors over one scope."""

    measure: Literal["vectors"] = Field(description="cosine of summed word vectors")
    weights: Weights = Field("none", description="none: every term counts 1; idf: rare terms count more")

    @property
    def cost(self) -> float:
        """Sums of vectors."""
        return 50.0

    def builder(self, resources: Resources) -> "VectorsBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return VectorsBuilder(self, self.scope.reader(resources), word_vectors())

    def column(self, arrays: Arrays, resources: Resources) -> "VectorsColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other vectors."""
        return VectorsColumn(self, self.scope.reader(resources), arrays, word_vectors())


class VectorsBuilder(BagBuilder):
    """Collects bags and sums the vectors of their terms."""

    def __init__(self, settings: VectorsSettings, scope: ScopeReader, words: WordVectors) -> None:
        super().__init__(scope)
        self._settings, self._words = settings, words

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Directions float16[rows, dimensions] with their lengths after rounding, 0 for no information."""
        frequencies = self._bags.frequencies()
        vectors = self._words.of(self._words.rows(self._bags.terms)).astype(np.float64)
        if self._settings.weights == "idf":
            vectors *= idf(len(self._bags), frequencies)[:, np.newaxis]
        directions, lengths = rounded(summed(self._bags.counts(), vectors))
        own: dict[str, npt.NDArray[np.generic]] = {
            "directions": directions,
            "lengths": lengths,
            "vectors": self._words.mark(),
        }
        if self._settings.weights == "none":
            return own
        return {**own, "frequencies": frequencies, **self._bags.vocabulary()}


def summed(counts: csr_array, vectors: Scores) -> Scores:
    """The sum of the vectors of every bag's terms, float64[bags, dimensions], in the order of the terms."""
    sums: Scores = np.asarray(counts.astype(np.float64) @ vectors)
    return sums


def rounded(sums: Scores) -> tuple[Halves, Floats]:
    """Unit vectors in sixteen bits, and how long they are after rounding; a vector 0 stays so.

    The lengths make up for the rounding: an item is 1 with itself.
    """
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    directions = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0).astype(np.float16)
    return directions, np.linalg.norm(directions.astype(np.float32), axis=1)


class _Direction(NamedTuple):
    """A profile as the column keeps an item: its direction in float32, and its length."""

    values: Floats
    length: float


class VectorsColumn(SeenColumn[_Direction]):
    """Cosines of an item's sum with that of every item."""

    def __init__(
        self, settings: VectorsSettings, scope: ScopeReader, arrays: Arrays, words: WordVectors
    ) -> None:
        super().__init__()
        self._settings, self._scope = settings, scope
        self._words = words
        words.check(arrays["vectors"])
        self._directions = np.asarray(arrays["directions"], np.float16)
        self._lengths = np.asarray(arrays["lengths"], np.float32)
        self._rarity = Rarity(len(self._lengths), arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_rows(self._directions)

    def pair(self, left: Profile, right: Profile) -> float:
        """The cosine of two profiles."""
        a, b = self._seen(left), self._seen(right)
        if not a.length or not b.length:
            return float("nan")
        product = kernels.dense(np.zeros(1, np.intp), b.values[np.newaxis], a.values).item()
        return min(1.0, max(0.0, product / (a.length * b.length)))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The pairs of words whose vectors bring most of the cosine; none where it is 0 or NaN."""
        if not self.pair(left, right) > 0:
            return ()
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        a, b = (
            self._weighted({term: len(places) for term, places in side.items()}) for side in (ours, theirs)
        )
        return matches(a @ b.T, ours, theirs)

    def _see(self, profile: Profile) -> _Direction:
        bag = self._scope.bag(profile)
        terms = sorted(bag)
        counts = csr_array(np.array([[bag[term] for term in terms]], np.int32))
        directions, lengths = rounded(summed(counts, self._vectors(terms)))
        return _Direction(directions[0].astype(np.float32), float(lengths[0]))

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Direction:  # noqa: ARG002
        return _Direction(self._directions[row].astype(np.float32), float(self._lengths[row]))

    def _compared(self, seen: _Direction, rows: Rows | None) -> Scores:
        """The cosine with every item; NaN where the item or the profile has no word with a vector."""
        lengths = taken(self._lengths, rows)
        scores: Scores = np.full(len(lengths), np.nan)
        if not seen.length:
            return scores
        products = np.empty(len(lengths))
        places = np.arange(_BLOCK)
        for start in range(0, len(products), _BLOCK):
            block = slice(start, start + _BLOCK)
            of = self._directions[block if rows is None else rows[block]].astype(np.float32)
            products[block] = kernels.dense(places[: len(of)], of, seen.values)
        informed = lengths > 0
        scores[informed] = products[informed] / (lengths[informed] * seen.length)
        return np.minimum(np.maximum(scores, 0.0), 1.0)

    def _weighted(self, counts: dict[str, int]) -> Scores:
        """The vector of every term times what it counts, float64[terms, dimensions]."""
        return self._vectors(list(counts)) * np.array(list(counts.values()), np.float64)[:, np.newaxis]

    def _vectors(self, terms: list[str]) -> Scores:
        """The vector of every term times its idf, if that counts."""
        vectors: Scores = self._words.of(self._words.rows(terms)).astype(np.float64)
        if self._settings.weights == "idf":
            vectors *= self._rarity.of(self._rarity.vocabulary.numbers(terms))[:, np.newaxis]
        return vectors
