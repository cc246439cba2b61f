"""TF-IDF cosine of the terms in a scope (thesis eq. 6.1, 6.2).

A term weighs its raw count times ``idf = ln(1 + N / df)``, above 0 also where every item has it. A term that
the collection lacks counts as ``df = 1``. With ``idf: wikipedia`` N and df are those of Wikipedia's articles:
'coin' says little in a collection of coins, and much in the world (thesis 6.2).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Arrays, Bools, Doubles, Integers, Longs, NewArrays, Rows
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import BagBuilder, ScopedSettings, idf, looked_up
from features.measures.base import Columns, EvidencePair
from features.measures.cosines import CosineColumn, NormedRows
from features.measures.postings import inverted, weights_among
from features.measures.selections import ScopeReader
from features.measures.spill_buffers import smallest
from features.measures.tables import row_sums, summed
from features.measures.vocabulary import written
from features.profiles.blocks import Block
from ingest.errors import DamagedArtefact


class TfidfSettings(ScopedSettings):
    """TF-IDF over one scope."""

    GROUPED = False

    EXAMPLES = (
        {},
        {"scope": {"parts": ["creator"], "names": True}},
        {"idf": "wikipedia", "scope": {"form": "lemma"}},
    )

    measure: Literal["tfidf"] = Field(description="cosine of TF-IDF vectors (eq. 6.1)")
    idf: Literal["collection", "wikipedia"] = Field(
        "collection",
        description="whose documents tell how rare a term is: the items, or Wikipedia's articles."
        " `wikipedia` needs one that was built with texts; not together with `scope.expand`",
    )

    @model_validator(mode="after")
    def _terms_of_texts(self) -> "TfidfSettings":
        if self.idf == "wikipedia" and self.scope.needs:
            raise ValueError(
                "idf: wikipedia cannot be combined with expand: articles hold words, not synsets"
            )
        return self

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the scope is read with, and Wikipedia's texts for its frequencies."""
        return (*self.scope.needs, "wikipedia_texts") if self.idf == "wikipedia" else self.scope.needs

    def builder(self, resources: Resources) -> "TfidfBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return TfidfBuilder(ScopeReader(self.scope, resources), self._documents(resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "TfidfColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return TfidfColumn(ScopeReader(self.scope, resources), arrays, self._documents(resources))

    def _documents(self, resources: Resources) -> "OtherDocuments | None":
        if self.idf == "collection":
            return None
        wikipedia = resources.wikipedia_texts
        return OtherDocuments(
            wikipedia.documents, partial(wikipedia.frequencies, form=self.scope.form), wikipedia.digest
        )


class OtherDocuments(NamedTuple):
    """Documents other than the items: how many there are, in how many terms occur, and what tells them."""

    number: int
    frequencies: Callable[[list[str]], Longs]
    digest: str


@dataclass(frozen=True, slots=True, eq=False)
class Vectors(NormedRows):
    """Items as sparse vectors: terms and their counts.

    ``norms`` are the lengths of the vectors of count times idf, 0 for no information. ``unseen`` is the idf
    of the terms that the collection lacks, by their number beyond the vocabulary.
    """

    LISTS = ("terms", "counts")
    SHARED = ("unseen",)
    counts: Integers
    unseen: Doubles


class TfidfBuilder(BagBuilder):
    """Counts terms item by item."""

    def __init__(self, reader: ScopeReader, documents: OtherDocuments | None) -> None:
        super().__init__(reader)
        self._documents = documents

    def arrays(self) -> NewArrays:
        """The vectors, their posting lists, the vocabulary and its document frequencies."""
        documents, frequencies = len(self._bags), self.frequencies()
        names, digest = self._bags.names, ""
        if self._documents:
            documents, digest = self._documents.number, self._documents.digest
            frequencies = self._documents.frequencies(names).astype(np.float64)
        starts, terms, counts = self._bags.bags()
        small, idfs = smallest(counts), idf(documents, frequencies)
        norms = np.sqrt(summed(starts, lambda own: (counts[own] * idfs[terms[own]]) ** 2))
        return {
            **Vectors(starts, terms, norms, small, np.empty(0)).arrays(),
            **inverted(starts, terms, small).arrays(),
            "frequencies": frequencies,
            "documents": np.frombuffer(digest.encode(), np.uint8),
            **written(names),
        }


class TfidfColumn(CosineColumn[Vectors]):
    """Cosines of an item with others, by posting lists."""

    def __init__(self, reader: ScopeReader, arrays: Arrays, documents: OtherDocuments | None) -> None:
        super().__init__(Vectors.of(arrays), reader, arrays)
        if documents and np.asarray(arrays["documents"], np.uint8).tobytes().decode() != documents.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )
        self._documents = documents

    def read(self, block: Block) -> Vectors:
        """The vectors of the items of a block."""
        bags = self.bags(block)
        unseen = self._unseen_idf(block, self.unseen(bags))
        weights = bags.counts * looked_up(self._idf, unseen, bags.terms)
        norms = np.sqrt(row_sums(bags.starts, weights * weights))
        return Vectors(bags.starts, bags.terms, norms, bags.counts, unseen)

    def similarities(self, query: Vectors, table: Vectors) -> Doubles:
        """Cosines under the collection's document frequencies."""
        weights = weights_among(query.terms, self.query_weights(query), table.terms)
        return row_sums(table.starts, weights * table.counts) / np.where(table.norms > 0, table.norms, 1.0)

    def known_weights(self, table: Vectors, known: Bools, rows: Rows) -> Doubles:
        """Their products add up to cosines."""
        idfs = self._idf[table.terms[known]]
        weights: Doubles = table.counts[known] * idfs / np.maximum(table.norms[rows], 1e-300)
        return weights

    def query_weights(self, query: Vectors) -> Doubles:
        """What one occurrence of each term of an item adds to a cosine with it, before the other's length."""
        idfs = looked_up(self._idf, query.unseen, query.terms)
        weights: Doubles = query.counts * idfs * idfs / max(query.norms[0], 1e-300)
        return weights

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The shared terms, each with the share of the cosine that it brings."""
        table = self.of(block)
        one, two = table.row(left), table.row(right)
        common, at, there = np.intersect1d(one.terms, two.terms, assume_unique=True, return_indices=True)
        idfs = looked_up(self._idf, table.unseen, common)
        amounts = one.counts[at] * idfs * (two.counts[there] * idfs)
        return self.shared_terms(block, left, right, common, amounts)

    @cached_property
    def _idf(self) -> Doubles:
        return idf(self._documents.number if self._documents else self._items, self._frequencies)

    def _unseen_idf(self, block: Block, unseen: Longs) -> Doubles:
        """The idf of terms that the collection lacks, by their number in the lexicon of the block."""
        if not len(unseen):
            return np.empty(0)
        idfs = np.full(len(block.lexicon), np.log1p(max(1, self._items)))
        if self._documents is not None:
            names = [block.lexicon.terms[number] for number in unseen.tolist()]
            idfs[unseen] = idf(self._documents.number, self._documents.frequencies(names))
        return idfs
