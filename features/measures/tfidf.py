"""TF-IDF cosine of the terms in a scope (thesis eq. 6.1, 6.2).

The weight of a term is its raw count times ``idf = ln(1 + N / df)``. The papers leave the formula
of idf open; this one stays above 0 for a term that every item has, so that two items of a
one-word scope are still 1 with themselves. A term that the collection lacks counts as ``df = 1``.
With ``idf: wikipedia`` N and df are those of Wikipedia's articles: 'coin' says little in a collection
of coins, and much in the world (thesis 6.2).
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from features.measures.bags import BagBuilder, ScopedSettings, by_term, numbers
from features.measures.base import Arrays, Evidence, Remembered, Scores
from features.measures.matches import shared_terms
from features.measures.rarity import idf
from features.profile import Profile
from features.resources import ResourceName, Resources
from features.scope import ScopeReader
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
        """Inverted lists of unit vectors, document frequencies, and the vocabulary in UTF-8."""
        documents, frequencies = len(self._bags), self._bags.frequencies()
        if self._documents:
            documents = self._documents.number
            frequencies = self._documents.frequencies(list(self._bags.terms)).astype(np.int32)
        counts = self._bags.counts().astype(np.float64)
        weights = counts.multiply(idf(documents, frequencies)[np.newaxis, :]).tocsr()
        norms = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())
        # rows without a term keep norm 0: that marks "no information"
        weights.data /= np.repeat(norms, np.diff(weights.indptr))
        inverted = weights.tocsc()
        return {
            "indptr": inverted.indptr.astype(np.int64),
            "items": inverted.indices.astype(np.int32),
            "weights": inverted.data,
            "informed": norms > 0,
            "frequencies": frequencies,
            "documents": np.frombuffer(
                (self._documents.digest if self._documents else "").encode(), np.uint8
            ),
            **self._bags.vocabulary(),
        }


class _Vector(NamedTuple):
    """A profile as a sparse vector: weight per term, and its length."""

    weights: dict[str, float]
    norm: float


class TfidfColumn:
    """Cosines of a profile with every item, by inverted lists."""

    def __init__(self, scope: ScopeReader, arrays: Arrays, documents: Documents | None) -> None:
        self._scope, self._documents = scope, documents
        if documents and np.asarray(arrays["documents"], np.uint8).tobytes().decode() != documents.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._items = np.asarray(arrays["items"], np.int32)
        self._weights = np.asarray(arrays["weights"], np.float64)
        self._informed = np.asarray(arrays["informed"], np.bool_)
        self._frequencies = np.asarray(arrays["frequencies"], np.int32)
        self._arrays = arrays
        self._rows = len(self._informed)
        self._seen = Remembered(lambda profile: self._vector(self._scope.bag(profile)))

    @cached_property
    def _ids(self) -> dict[str, int]:
        return numbers(self._arrays)

    def compare(self, profile: Profile) -> Scores:
        """Cosine with every item; NaN where the item or the profile has no term in the scope."""
        vector = self._seen(profile)
        if not vector.norm:
            return np.full(self._rows, np.nan)
        scores = np.zeros(self._rows)
        for term, weight in vector.weights.items():
            number = self._ids.get(term)
            if number is not None:
                where = slice(int(self._starts[number]), int(self._starts[number + 1]))
                scores[self._items[where]] += self._weights[where] * (weight / vector.norm)
        scores[~self._informed] = np.nan
        return np.minimum(scores, 1.0)

    def pair(self, left: Profile, right: Profile) -> float:
        """Cosine of two profiles under the collection's document frequencies."""
        a, b = self._seen(left), self._seen(right)
        if not a.norm or not b.norm:
            return float("nan")
        return min(1.0, sum(self._products(a, b).values()))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The shared terms, each with the share of the cosine that it brings."""
        ours, theirs = by_term(self._scope.occurrences(left)), by_term(self._scope.occurrences(right))
        a = self._vector(Counter({term: len(found) for term, found in ours.items()}))
        b = self._vector(Counter({term: len(found) for term, found in theirs.items()}))
        return shared_terms(self._products(a, b), ours, theirs)

    def _products(self, a: _Vector, b: _Vector) -> dict[str, float]:
        return {
            term: weight / a.norm * (b.weights[term] / b.norm)
            for term, weight in a.weights.items()
            if term in b.weights
        }

    def _vector(self, bag: Counter[str]) -> _Vector:
        ids = self._ids
        unseen = self._unseen([term for term in bag if term not in ids])
        weights = {
            term: count * (self._idf.item(ids[term]) if term in ids else unseen[term])
            for term, count in bag.items()
        }
        return _Vector(weights, math.sqrt(sum(weight * weight for weight in weights.values())))

    def _unseen(self, terms: list[str]) -> dict[str, float]:
        """The idf of terms that the collection lacks."""
        if self._documents is None or not terms:
            return dict.fromkeys(terms, math.log1p(self._rows))
        values = idf(self._documents.number, self._documents.frequencies(terms))
        return dict(zip(terms, values.tolist(), strict=True))

    @cached_property
    def _idf(self) -> Scores:
        return idf(self._documents.number if self._documents else self._rows, self._frequencies)
