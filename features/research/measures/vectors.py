"""Cosine of summed word vectors (the additive composition of Unitor, thesis 5.4).

The vector of an item is the sum of the vectors of its terms, each as often as it stands there, with
``weights: idf`` times ``ln(1 + N / df)``; the measure is ``max(0, cosine)``. Words without a vector
say nothing; an item of such words only gives no information.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Array, Arrays, Bools, Doubles, Halves, Integers, Singles
from features.knowledge.resources import Resources
from features.measures import dense
from features.measures.bags import BagBuilder, ScopedSettings, TermColumn, idf, looked_up
from features.measures.base import Columns, EvidencePair, Theme
from features.measures.matches import matches
from features.measures.overlap import TermWeighting
from features.measures.selections import ScopeReader
from features.measures.tables import Table, items_of
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.research.word_vectors import WordVectors, word_vectors


class WordedSettings(ScopedSettings):
    """A measure that looks the terms of a scope up among word vectors."""

    theme: ClassVar[Theme] = "meaning"

    @model_validator(mode="after")
    def _terms_with_vectors(self) -> "WordedSettings":
        if self.scope.synsets:
            raise ValueError("expand: people, hypernyms and places give synsets, which have no word vectors")
        return self


class VectorsSettings(WordedSettings):
    """Summed word vectors over one scope."""

    EXAMPLES = ({"scope": {"form": "lemma"}}, {"scope": {"form": "lemma"}, "weights": "idf"})
    cost: ClassVar[float] = 50.0

    measure: Literal["vectors"] = Field(description="cosine of summed word vectors")
    weights: TermWeighting = Field(
        "none",
        description="`none`: every term counts 1; `idf`: a term counts `ln(1 + N / df)`, rare ones more",
    )

    def builder(self, resources: Resources) -> "VectorsBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return VectorsBuilder(self, ScopeReader(self.scope, resources), word_vectors())

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "VectorsColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other vectors."""
        return VectorsColumn(self, ScopeReader(self.scope, resources), arrays, word_vectors())


@dataclass(frozen=True, slots=True, eq=False)
class Directions(Table):
    """Items as unit vectors in sixteen bits, and how long they are after rounding, 0 for no information."""

    directions: Halves
    lengths: Singles


class VectorsBuilder(BagBuilder):
    """Collects bags and sums the vectors of their terms."""

    def __init__(self, settings: VectorsSettings, reader: ScopeReader, words: WordVectors) -> None:
        super().__init__(reader)
        self._settings, self._words = settings, words

    def arrays(self) -> dict[str, Array]:
        """The directions, the vocabulary with its document frequencies, and the mark of the word vectors."""
        names, frequencies = self._bags.names, self.frequencies()
        vectors = self._words.of(self._words.rows(names)).astype(np.float64)
        if self._settings.weights == "idf":
            vectors *= idf(len(self._bags), frequencies)[:, np.newaxis]
        sums = np.asarray(self._bags.counts().astype(np.float64) @ vectors)
        return {
            **rounded(sums).arrays(),
            "vectors": self._words.mark(),
            "frequencies": frequencies,
            **written(names),
        }


def rounded(sums: Doubles) -> Directions:
    """Vectors as they are kept; the lengths make up for the rounding: an item is 1 with itself."""
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    directions = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0).astype(np.float16)
    return Directions(directions, np.linalg.norm(directions.astype(np.float32), axis=1))


class VectorsColumn(TermColumn[Directions]):
    """Cosines of an item's sum with those of others."""

    def __init__(
        self, settings: VectorsSettings, reader: ScopeReader, arrays: Arrays, words: WordVectors
    ) -> None:
        super().__init__(Directions.of(arrays), reader, Vocabulary(arrays))
        self._settings, self._words = settings, words
        self._items = items_of(arrays, self.table)
        words.check(arrays["vectors"])
        self._frequencies = np.asarray(arrays["frequencies"], np.float64)

    def read(self, block: Block) -> Directions:
        """The directions of the items of a block."""
        from scipy.sparse import csr_array

        bags = self.bags(block)
        terms, places = np.unique(bags.terms, return_inverse=True)
        counts = csr_array(
            (bags.counts.astype(np.float64), places, bags.starts), shape=(len(block), len(terms))
        )
        return rounded(np.asarray(counts @ self._vectors(block, terms)))

    def informed(self, table: Directions) -> Bools:
        """Which items have a word with a vector."""
        return table.lengths > 0

    def similarities(self, query: Directions, table: Directions) -> Doubles:
        """Cosines."""
        products = dense.products(table.directions, query.directions[0].astype(np.float32))
        cosines: Doubles = products / (np.where(table.lengths > 0, table.lengths, 1.0) * query.lengths[0])
        return cosines

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of words whose vectors bring most of the cosine."""
        one, other = self.standing(block, left), self.standing(block, right)
        a, b = (
            self._vectors(block, np.array(list(side)))
            * np.array([len(places) for places in side.values()])[:, np.newaxis]
            for side in (one, other)
        )
        return matches(a @ b.T, one, other)

    def _vectors(self, block: Block, terms: Integers) -> Doubles:
        """The vector of every term times what it counts, float64[terms, dimensions]."""
        vectors: Doubles = self._words.of(self._words.rows(self.names(block, terms))).astype(np.float64)
        if self._settings.weights == "idf":
            unseen = idf(self._items, np.zeros(1, np.int32)).item()
            vectors *= looked_up(self._idf, unseen, terms)[:, np.newaxis]
        return vectors

    @cached_property
    def _idf(self) -> Doubles:
        return idf(self._items, self._frequencies)
