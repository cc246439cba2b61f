"""Cosine of latent vectors: words by the texts or the words that they stand with (thesis eq. 2.4, 2.5).

With ``of: items`` the matrix of items and terms, each term by its count times ``idf = ln(1 + N / df)`` and
each item at unit length, is reduced to its largest singular values: latent semantic analysis (Landauer and
Dumais 1997). With ``of: words`` it is the matrix of terms and terms that stand in one item, by positive
pointwise mutual information, ``max(0, ln(n12 N / (n1 n2)))`` of the items that have them. The vector of a
term is its row of ``V``, or of ``V sqrt(S)``; that of an item is the sum over its terms of count times idf
times vector, so that new items are folded in without a new fit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles, Singles
from features.knowledge.resources import Resources
from features.measures import dense
from features.measures.bags import BagBuilder, Bags, ScopedSettings, TermColumn, idf
from features.measures.base import Columns, EvidencePair, Theme
from features.measures.matches import matches
from features.measures.selections import ScopeReader
from features.measures.tables import Table
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_FLAT: Final = 1e-6

_DENSE: Final = 250_000
"""Cells of a matrix up to which it is reduced as a whole: ARPACK is of use, and is safe, for large ones."""


class LsaSettings(ScopedSettings):
    """Latent vectors over one scope."""

    EXAMPLES = (
        {"of": "items", "size": 2, "least": 1, "most": 1.0},
        {"of": "words", "size": 2, "least": 1, "most": 1.0},
    )
    theme: ClassVar[Theme] = "topics"
    cost: ClassVar[float] = 50.0  # a fit takes long whatever the items

    measure: Literal["lsa"] = Field(description="cosine of latent vectors (eq. 2.4, 2.5)")
    of: Literal["items", "words"] = Field(
        "items",
        description="`items`: latent semantic analysis of items and terms; `words`: terms by the terms"
        " beside them, by positive pointwise mutual information",
    )
    size: int = Field(100, ge=1, le=1000, description="numbers of a vector: the largest singular values")
    least: int = Field(2, ge=1, description="terms of fewer items are left out")
    most: float = Field(
        0.5, gt=0, le=1, description="terms of more than this share of the items are left out"
    )
    terms: int = Field(20_000, ge=1, description="the most frequent terms that have vectors")

    def builder(self, resources: Resources) -> "LsaBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LsaBuilder(self, ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "LsaColumn":
        """The column over stored arrays, used where they lie."""
        return LsaColumn(ScopeReader(self.scope, resources), arrays)


def information(together: "csr_array", alone: Doubles, items: int) -> "csr_array":
    """Positive pointwise mutual information of the terms of a sparse matrix of joint counts.

    >>> from scipy.sparse import csr_array
    >>> both = csr_array(np.array([[0.0, 2.0], [2.0, 0.0]]))  # of 4 items 2 have both terms, 2 and 4 have one
    >>> information(both, np.array([2.0, 4.0]), 4).toarray().round(4).tolist()  # ln(2 x 4 / (2 x 4)) = 0
    [[0.0, 0.0], [0.0, 0.0]]
    """
    pairs = together.tocoo()
    rows, columns = pairs.coords
    weights = np.log(pairs.data * items / (alone[rows] * alone[columns]))
    positive = together.tocsr().copy()
    positive.data = np.maximum(weights, 0.0)
    return positive


def reduced(matrix: "csr_array", size: int) -> tuple[Doubles, Doubles]:
    """The right singular vectors float64[columns, size] of the largest singular values, and these values.

    >>> from scipy.sparse import csr_array
    >>> vectors, values = reduced(csr_array(np.array([[3.0, 0.0], [0.0, 1.0]])), 1)
    >>> values.round(6).tolist(), np.abs(vectors).round(6).tolist()
    ([3.0], [[1.0], [0.0]])
    """
    smallest, largest = sorted(matrix.shape)
    if not matrix.count_nonzero():
        return np.zeros((matrix.shape[1], size)), np.zeros(size)
    if size >= smallest - 1 or smallest * largest <= _DENSE:
        _, values, right = np.linalg.svd(matrix.toarray(), full_matrices=False)
        return right[:size].T, values[:size]
    from scipy.sparse.linalg import svds

    # a fixed start: the same matrix gives the same vectors; a matrix may send a vector of ones to zero
    start = np.random.default_rng(0).standard_normal(smallest)
    _, values, right = svds(matrix, k=size, v0=start, random_state=0)
    order = np.argsort(-values)
    return right[order].T, values[order]


@dataclass(frozen=True, slots=True, eq=False)
class Latent(Table):
    """Vectors of items at unit length, float32[rows, size]; NaN for no information."""

    vectors: Singles


class LsaBuilder(BagBuilder):
    """Collects bags, and reduces their matrix."""

    def __init__(self, settings: LsaSettings, reader: ScopeReader) -> None:
        super().__init__(reader)
        self._settings = settings

    def arrays(self) -> dict[str, Array]:
        """Vectors of all items; of the terms, each times its idf; the terms."""
        settings, items = self._settings, len(self._bags)
        counts, names = self._bags.counts().tocsr(), self._bags.names
        frequencies = np.bincount(counts.indices, minlength=len(names))
        least = min(settings.least, int(frequencies.max(initial=0)))
        fit = (frequencies >= least) & (frequencies <= max(settings.most * items, least))
        order = np.lexsort((np.arange(len(names)), -frequencies))
        used = np.sort(order[fit[order]][: settings.terms])
        counts = counts[:, used].astype(np.float64)
        idfs = idf(items, frequencies[used])
        terms = _vectors(counts, idfs, settings, items).astype(np.float32)
        counts.sort_indices()
        bags = Bags(counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data)
        return {
            "vectors": summed_up(terms, bags),
            "terms": terms,
            **written([names[number] for number in used.tolist()]),
        }


def _vectors(counts: "csr_array", idfs: Doubles, settings: LsaSettings, items: int) -> Doubles:
    """The vectors of the terms of a matrix [items, terms], each times its idf: float64[terms, size]."""
    from scipy.sparse import csr_array

    if not min(counts.shape):
        return np.zeros((counts.shape[1], settings.size))
    if settings.of == "items":
        weighted = csr_array(counts.multiply(idfs))
        lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
        scaled = csr_array(weighted.multiply(1 / np.where(lengths > 0, lengths, 1.0)[:, np.newaxis]))
        vectors, _ = reduced(scaled, settings.size)
    else:
        present = csr_array((np.ones(counts.nnz), counts.indices, counts.indptr), counts.shape)
        together = csr_array(present.T @ present)
        together.setdiag(0)
        together.eliminate_zeros()
        alone = np.asarray(present.sum(axis=0)).ravel()
        right, values = reduced(information(together, alone, items), settings.size)
        vectors = right * np.sqrt(values)
    weighted_vectors: Doubles = vectors * idfs[:, np.newaxis]
    return weighted_vectors


def summed_up(terms: Singles, bags: Bags) -> Singles:
    """The vectors of bags at unit length; NaN for a bag without a known term, or whose terms cancel out.

    >>> terms = np.array([[3.0, 0.0], [0.0, 2.0]], np.float32)
    >>> bags = Bags(np.array([0, 2, 2]), np.array([0, 1]), np.array([1, 2]))
    >>> summed_up(terms, bags).round(4).tolist()  # (3, 4) at unit length; nothing
    [[0.6000000238418579, 0.800000011920929], [nan, nan]]
    """
    from scipy.sparse import csr_array

    size = len(bags.starts) - 1
    matrix = csr_array((np.asarray(bags.counts, np.float64), bags.terms, bags.starts), (size, len(terms)))
    vectors = matrix @ terms.astype(np.float64)
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    known = lengths > _FLAT
    return np.where(known, vectors / np.where(known, lengths, 1.0), np.nan).astype(np.float32)


class LsaColumn(TermColumn[Latent]):
    """Cosines of an item's vector with those of others."""

    def __init__(self, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(Latent.of(arrays), reader, Vocabulary(arrays))
        self._terms = np.asarray(arrays["terms"], np.float32)

    def read(self, block: Block) -> Latent:
        """The vectors of the items of a block; a term without a vector says nothing."""
        bags = self.bags(block)
        return Latent(summed_up(self._terms, bags.where(bags.terms < len(self._terms))))

    def informed(self, table: Latent) -> Bools:
        """Which items have a term with a vector."""
        return ~np.isnan(table.vectors[:, 0])

    def similarities(self, query: Latent, table: Latent) -> Doubles:
        """Cosines; 0 for vectors that point apart."""
        return np.clip(dense.products(table.vectors, query.vectors[0]), 0.0, 1.0)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The words of both sides whose vectors bring the cosine, the same words first."""
        one, other = (
            {term: places for term, places in self.standing(block, side).items() if term < len(self._terms)}
            for side in (left, right)
        )
        brought = np.maximum(self._brought(one) @ self._brought(other).T, 0.0)
        same = np.array(list(one))[:, np.newaxis] == np.array(list(other))
        return matches(np.where(same, brought, 0.0) if same.any() else brought, one, other)

    def _brought(self, standing: Mapping[int, Sequence[Occurrence]]) -> Doubles:
        """What each term adds to the vector of its item, float64[terms, size]."""
        counts = np.array([len(places) for places in standing.values()], np.float64)
        vectors: Doubles = self._terms[list(standing)].astype(np.float64)
        return vectors * counts[:, np.newaxis]
