"""Cosine of BM25 vectors: a search engine's weights, made symmetric (Robertson and Zaragoza 2009, 3.1).

A term that an item has c times weighs ``c (k1 + 1) / (c + k1 (1 - b + b length / average))``, so that a
second occurrence adds less than the first, and a word of a long text less than one of a short text.
Weights are stored in thousandths. The cosine counts a shared term with its ``idf = ln(1 + N / df)``. A search
engine's sum for a query is directional and has no highest value; the cosine of both sides' weights lies
between 0 and 1, and is 1 for an item with itself.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Integers, Longs, NewArrays, Rows
from features.knowledge.resources import Resources
from features.measures.bags import BagBuilder, ScopedSettings, idf, looked_up
from features.measures.base import Columns, EvidencePair
from features.measures.cosines import CosineColumn, NormedRows
from features.measures.postings import inverted, weights_among
from features.measures.selections import ScopeReader
from features.measures.tables import row_sums, summed
from features.measures.vocabulary import written
from features.profiles.blocks import Block

_PARTS: Final = 1000.0


class Bm25Settings(ScopedSettings):
    """BM25 over one scope."""

    GROUPED: ClassVar[bool] = False
    EXAMPLES = ({}, {"k1": 2.0, "b": 0.5, "scope": {"form": "lemma"}})

    measure: Literal["bm25"] = Field(description="cosine of BM25 vectors")
    k1: float = Field(1.2, gt=0, description="how much more a term weighs that stands there more often")
    b: float = Field(0.75, ge=0, le=1, description="how far the length of the text counts; 0: not at all")

    def builder(self, resources: Resources) -> "Bm25Builder":
        """An empty builder; raises ``ResourceMissing``."""
        return Bm25Builder(self, ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "Bm25Column":
        """The column over stored arrays, used where they lie."""
        return Bm25Column(self, ScopeReader(self.scope, resources), arrays)


def saturated(counts: Doubles, lengths: Doubles, average: float, k1: float, b: float) -> Doubles:
    """The weight of terms by how often they stand in texts of some lengths, float64 as ``counts``.

    >>> # 2.2 / 2.2 and 4.4 / 3.2 in a text of average length
    >>> saturated(np.array([1.0, 2.0]), np.array([10.0, 10.0]), 10.0, 1.2, 0.75).round(4).tolist()
    [1.0, 1.375]
    """
    weights: Doubles = counts * (k1 + 1) / (counts + k1 * (1 - b + b * lengths / average))
    return weights


@dataclass(frozen=True, slots=True, eq=False)
class Saturated(NormedRows):
    """Items as terms with weights in thousandths; ``norms`` are the lengths of the vectors, 0 for none."""

    LISTS = ("terms", "weights")
    weights: Integers


class Bm25Builder(BagBuilder):
    """Counts terms item by item."""

    def __init__(self, settings: Bm25Settings, reader: ScopeReader) -> None:
        super().__init__(reader)
        self._settings = settings

    def arrays(self) -> NewArrays:
        """The vectors, their posting lists, the vocabulary, its frequencies and the average length."""
        (starts, terms, counts), frequencies = self._bags.bags(), self.frequencies()
        filled = np.diff(starts) > 0
        average = float(len(terms) and counts.sum() / max(1, np.count_nonzero(filled))) or 1.0
        weights = _weights(self._settings, starts, counts, average)
        idfs = idf(len(self._bags), frequencies)
        norms = np.sqrt(summed(starts, lambda own: weights[own].astype(np.float64) ** 2 * idfs[terms[own]]))
        return {
            **Saturated(starts, terms, norms, weights).arrays(),
            **inverted(starts, terms, weights).arrays(),
            "frequencies": frequencies,
            "average": np.array([average]),
            **written(self._bags.names),
        }


def _weights(settings: Bm25Settings, starts: Longs, counts: Integers, average: float) -> Integers:
    own = counts.astype(np.float64)
    lengths = np.repeat(row_sums(starts, own), np.diff(starts))
    weights = saturated(own, lengths, average, settings.k1, settings.b)
    # a term that is there weighs something, however long the text
    return np.maximum(np.rint(_PARTS * weights), 1).astype(np.uint16)


class Bm25Column(CosineColumn[Saturated]):
    """The cosines of an item with others."""

    def __init__(self, settings: Bm25Settings, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(Saturated.of(arrays), reader, arrays)
        self._settings, self._average = settings, float(np.asarray(arrays["average"], np.float64)[0])

    def read(self, block: Block) -> Saturated:
        """The vectors of the items of a block."""
        bags = self.bags(block)
        weights = _weights(self._settings, bags.starts, bags.counts, self._average)
        squares = weights.astype(np.float64) ** 2 * self._idf_of(bags.terms)
        return Saturated(bags.starts, bags.terms, np.sqrt(row_sums(bags.starts, squares)), weights)

    def similarities(self, query: Saturated, table: Saturated) -> Doubles:
        """Cosines under the collection's document frequencies."""
        weights = weights_among(query.terms, self.query_weights(query), table.terms)
        cosines = row_sums(table.starts, weights * table.weights) / np.where(
            table.norms > 0, table.norms, 1.0
        )
        return np.minimum(cosines, 1.0)

    def known_weights(self, table: Saturated, known: Bools, rows: Rows) -> Doubles:
        """Their products add up to cosines."""
        idfs = self._idf_of(table.terms[known])
        weights: Doubles = np.asarray(table.weights[known], np.float64) * np.sqrt(idfs)
        return weights / np.maximum(table.norms[rows], 1e-300)

    def query_weights(self, query: Saturated) -> Doubles:
        """What a thousandth of each term adds to a cosine with an item, before the other's length."""
        length = max(float(query.norms[0]), 1e-300)
        weights: Doubles = query.weights.astype(np.float64) * self._idf_of(query.terms) / length
        return weights

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The shared terms, each with the share of the cosine that it brings."""
        table = self.of(block)
        one, two = table.row(left), table.row(right)
        common, at, there = np.intersect1d(one.terms, two.terms, assume_unique=True, return_indices=True)
        amounts = one.weights[at].astype(np.float64) * two.weights[there] * self._idf_of(common)
        return self.shared_terms(block, left, right, common, amounts)

    @cached_property
    def _idf(self) -> Doubles:
        return idf(self._items, self._frequencies)

    def _idf_of(self, terms: Integers) -> Doubles:
        return looked_up(self._idf, float(np.log1p(max(1, self._items))), terms)
