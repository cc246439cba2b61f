"""TF-IDF cosine of the terms in a scope (thesis eq. 6.1, 6.2).

The weight of a term is its raw count times ``idf = ln(1 + N / df)``. The papers leave the formula
of idf open; this one stays above 0 for a term that every item has, so that two items of a
one-word scope are still 1 with themselves. A term that the collection lacks counts as ``df = 1``.
With ``idf: wikipedia`` N and df are those of Wikipedia's articles: 'coin' says little in a collection
of coins, and much in the world (thesis 6.2).
"""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from features.collection import row_groups as twins
from features.knowledge.resources import ResourceName, Resources
from features.measures import kernels
from features.measures.bags import BagBuilder, ScopedSettings, by_term, forward, inverted, smallest, whole
from features.measures.base import Arrays, Evidence, Rows, Scores, SeenColumn, taken
from features.measures.idf import idf
from features.measures.matches import shared_terms
from features.measures.scope import ScopeReader
from features.measures.vocabulary import Vocabulary
from features.profiles.profile import Profile
from ingest.errors import DamagedArtefact


class TfidfSettings(ScopedSettings):
    """TF-IDF over one scope."""

    measure: Literal["tfidf"] = Field(description="cosine of TF-IDF vectors, eq. 6.1")

    idf: Literal["collection", "wikipedia"] = Field(
        "collection", description="whose documents tell how rare a term is"
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
        return TfidfBuilder(self.scope.reader(resources), self._documents(resources))

    def column(self, arrays: Arrays, resources: Resources) -> "TfidfColumn":
        """The column over stored arrays, used where they lie (memory-mapped or not)."""
        return TfidfColumn(self.scope.reader(resources), arrays, self._documents(resources))

    def _documents(self, resources: Resources) -> "Documents | None":
        if self.idf == "collection":
            return None
        wikipedia = resources.wikipedia_texts
        return Documents(
            wikipedia.documents, partial(wikipedia.frequencies, form=self.scope.form), wikipedia.digest
        )


class Documents(NamedTuple):
    """Documents other than the items: how many there are, in how many terms occur, and what tells them."""

    number: int
    frequencies: Callable[[list[str]], npt.NDArray[np.int64]]
    digest: str


class TfidfBuilder(BagBuilder):
    """Counts terms item by item and turns the counts into weighted inverted lists."""

    def __init__(self, scope: ScopeReader, documents: Documents | None) -> None:
        super().__init__(scope)
        self._documents = documents

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The counts both ways, document frequencies, lengths of the items' vectors, the vocabulary.

        A row without a term has the length 0: that marks "no information".
        """
        documents, frequencies = len(self._bags), self._bags.frequencies()
        if self._documents:
            documents = self._documents.number
            frequencies = self._documents.frequencies(list(self._bags.terms)).astype(np.int32)
        counts = self._bags.counts()
        starts = counts.indptr.astype(np.int64)
        weights = counts.data * idf(documents, frequencies)[counts.indices]
        return {
            **forward(counts),
            **inverted(counts),
            "counts": smallest(counts.data),
            "times": smallest(counts.tocsc().data),
            "norms": np.sqrt(kernels.sums(starts, weights * weights)),
            "frequencies": frequencies,
            "documents": np.frombuffer(
                (self._documents.digest if self._documents else "").encode(), np.uint8
            ),
            **self._bags.vocabulary(),
        }


class _Vector(NamedTuple):
    """An item as a sparse vector: the terms that the collection has, ascending, and their weights.

    The vector has length 1, terms that the collection lacks included; of a profile ``weights`` has those
    too, by term. ``informed`` says whether there is any term at all.
    """

    terms: kernels.Ints
    values: Scores
    informed: bool
    weights: dict[str, float]


class TfidfColumn(SeenColumn[_Vector]):
    """Cosines of an item with every item, by inverted lists; with a few by their own terms."""

    def __init__(self, scope: ScopeReader, arrays: Arrays, documents: Documents | None) -> None:
        super().__init__()
        self._scope, self._documents = scope, documents
        if documents and np.asarray(arrays["documents"], np.uint8).tobytes().decode() != documents.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._starts = np.asarray(arrays["starts"], np.int64)
        self._terms = np.asarray(arrays["terms"], np.int32)
        self._counts: kernels.Counts = whole(arrays["counts"])
        self._lists = np.asarray(arrays["lists"], np.int64)
        self._items = np.asarray(arrays["items"], np.int32)
        self._times: kernels.Counts = whole(arrays["times"])
        self._norms = np.asarray(arrays["norms"], np.float64)
        self._frequencies = np.asarray(arrays["frequencies"], np.int32)
        self._vocabulary = Vocabulary(arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._starts, self._terms, self._counts)

    def pair(self, left: Profile, right: Profile) -> float:
        """Cosine of two profiles under the collection's document frequencies."""
        a, b = self._seen(left), self._seen(right)
        if not a.informed or not b.informed:
            return float("nan")
        return min(1.0, sum(_products(a, b).values()))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The shared terms, each with the share of the cosine that it brings."""
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        amounts = _products(self._seen(left), self._seen(right))
        return shared_terms({term: amounts[term] for term in ours if term in amounts}, ours, theirs)

    def _see(self, profile: Profile) -> _Vector:
        bag = self._scope.bag(profile)
        terms = sorted(bag)
        numbers = self._vocabulary.numbers(terms)
        known = numbers >= 0
        rarity = np.empty(len(terms))
        rarity[known] = self._idf[numbers[known]]
        rarity[~known] = self._unseen([terms[place] for place in np.flatnonzero(~known).tolist()])
        weights = np.array([bag[term] for term in terms], np.int32) * rarity
        norm = np.sqrt(kernels.sums(np.array([0, len(terms)]), weights * weights)).item()
        values: Scores = weights / norm if norm else weights
        return _Vector(
            numbers[known], values[known], norm > 0, dict(zip(terms, values.tolist(), strict=True))
        )

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Vector:  # noqa: ARG002
        own = slice(int(self._starts[row]), int(self._starts[row + 1]))
        terms = self._terms[own]
        values: Scores = self._counts[own] * self._idf[terms] / self._norms[row]
        return _Vector(terms, values, len(terms) > 0, {})

    def _compared(self, seen: _Vector, rows: Rows | None) -> Scores:
        """Cosine with every item; NaN where the item or the profile has no term in the scope."""
        norms = taken(self._norms, rows)
        if not seen.informed:
            return np.full(len(norms), np.nan)
        query = (self._idf, self._norms, seen.terms, seen.values)
        if rows is None or kernels.cheaper_whole(self._lists, self._starts, seen.terms, rows):
            scores = taken(kernels.products(self._lists, self._items, self._times, *query), rows)
        else:
            scores = kernels.products_of(rows, self._starts, self._terms, self._counts, *query)
        scores[norms == 0] = np.nan
        return np.minimum(scores, 1.0)

    def _unseen(self, terms: list[str]) -> Scores:
        """The idf of terms that the collection lacks."""
        if self._documents is None or not terms:
            return np.full(len(terms), math.log1p(len(self._norms)))
        return idf(self._documents.number, self._documents.frequencies(terms))

    @cached_property
    def _idf(self) -> Scores:
        return idf(self._documents.number if self._documents else len(self._norms), self._frequencies)


def _products(a: _Vector, b: _Vector) -> dict[str, float]:
    return {term: weight * b.weights[term] for term, weight in a.weights.items() if term in b.weights}
