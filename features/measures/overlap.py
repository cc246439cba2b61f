"""Lexical overlap of two sets of terms (thesis eq. 5.1, and two ways to divide it otherwise).

The terms of a scope are taken as a set A; ``|A|`` is their number, or with ``weights: idf`` the sum
of their ``ln(1 + N / df)``, so that a rare word counts for more than a common one. ``amount`` is the one
way that divides by neither side: how much is shared at all, however much else either says; an item is
not 1 with itself there.
"""

from typing import Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.measures.bags import BagBuilder, ScopedSettings, by_term
from features.measures.base import Arrays, Evidence, Remembered, Scores
from features.measures.matches import shared_terms
from features.measures.rarity import Rarity, idf
from features.profile import Profile
from features.resources import Resources
from features.scope import ScopeReader

Kind = Literal["jaccard", "dice", "containment", "amount"]
Weights = Literal["none", "idf"]
HALF = 10.0
"""What two items have to share for an amount of .5: with idf, in nats, a rare word or two."""

_Number = TypeVar("_Number", float, Scores)


class OverlapSettings(ScopedSettings):
    """Overlap over one scope."""

    measure: Literal["overlap"] = Field(description="lexical overlap, eq. 5.1")
    kind: Kind = Field(
        "jaccard",
        description="of the union, the mean size, the smaller side (whatever the lengths), or not divided",
    )
    weights: Weights = Field("none", description="none: every term counts 1; idf: rare terms count more")

    def builder(self, resources: Resources) -> "OverlapBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return OverlapBuilder(self, self.scope.reader(resources))

    def column(self, arrays: Arrays, resources: Resources) -> "OverlapColumn":
        """The column over stored arrays, used where they lie."""
        return OverlapColumn(self, self.scope.reader(resources), arrays)


def ratio(kind: Kind, shared: _Number, left: _Number, right: _Number) -> _Number:
    """The overlap of two sets from ``|A n B|``, ``|A|`` and ``|B|``, none of them empty.

    >>> [ratio(kind, 2.0, 4.0, 2.0) for kind in ("jaccard", "dice", "containment")]  # 2/4, 4/6, 2/2
    [0.5, 0.6666666666666666, 1.0]
    >>> ratio("amount", 10.0, 400.0, 200.0)  # 10 / (10 + 10)
    0.5
    """
    if kind == "amount":
        return shared / (shared + HALF)
    if kind == "jaccard":
        return shared / (left + right - shared)
    if kind == "dice":
        return 2 * shared / (left + right)
    # the smaller of two, for numbers and for arrays alike
    return shared / ((left + right - abs(left - right)) / 2)


class OverlapBuilder(BagBuilder):
    """Keeps which item has which term."""

    def __init__(self, settings: OverlapSettings, scope: ScopeReader) -> None:
        super().__init__(scope)
        self._settings = settings

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Inverted lists, the size of every item's set, document frequencies and the vocabulary."""
        present = self._bags.counts().astype(np.bool_)
        frequencies = self._bags.frequencies()
        inverted = present.tocsc()
        return {
            "indptr": inverted.indptr.astype(np.int64),
            "items": inverted.indices.astype(np.int32),
            "sizes": np.asarray(present.astype(np.float64) @ self._weigh(frequencies)),
            "frequencies": frequencies,
            **self._bags.vocabulary(),
        }

    def _weigh(self, frequencies: npt.NDArray[np.int32]) -> Scores:
        if self._settings.weights == "none":
            return np.ones(len(frequencies))
        return idf(len(self._bags), frequencies)


class _Set(NamedTuple):
    """The terms of a profile with what each counts, and what all count together."""

    weights: dict[str, float]
    size: float


class OverlapColumn:
    """The overlap of a profile with every item, by inverted lists."""

    def __init__(self, settings: OverlapSettings, scope: ScopeReader, arrays: Arrays) -> None:
        self._settings, self._scope = settings, scope
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._items = np.asarray(arrays["items"], np.int32)
        self._sizes = np.asarray(arrays["sizes"], np.float64)
        self._rarity = Rarity(len(self._sizes), arrays)
        self._seen = Remembered(self._set)

    def compare(self, profile: Profile) -> Scores:
        """The overlap with every item; NaN where the item or the profile has no term in the scope."""
        mine = self._seen(profile)
        if not mine.weights:
            return np.full(len(self._sizes), np.nan)
        shared = np.zeros(len(self._sizes))
        for term, weight in mine.weights.items():
            number = self._rarity.ids.get(term)
            if number is not None:
                # an item stands once in the list of a term
                shared[self._items[self._starts[number] : self._starts[number + 1]]] += weight
        informed = self._sizes > 0
        sizes = np.where(informed, self._sizes, 1.0)
        found = ratio(self._settings.kind, shared, np.full_like(sizes, mine.size), sizes)
        return np.where(informed, np.minimum(found, 1.0), np.nan)

    def pair(self, left: Profile, right: Profile) -> float:
        """The overlap of two profiles under the collection's document frequencies."""
        a, b = self._seen(left), self._seen(right)
        if not a.weights or not b.weights:
            return float("nan")
        shared = sum(weight for term, weight in a.weights.items() if term in b.weights)
        return min(ratio(self._settings.kind, shared, a.size, b.size), 1.0)

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The shared terms, each with what it counts of all that is shared."""
        weights = self._seen(left).weights
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        return shared_terms({term: weights[term] for term in ours if term in theirs}, ours, theirs)

    def _set(self, profile: Profile) -> _Set:
        terms = self._scope.bag(profile)
        if self._settings.weights == "none":
            return _Set(dict.fromkeys(terms, 1.0), float(len(terms)))
        weights = {term: self._rarity(term) for term in terms}
        return _Set(weights, sum(weights.values()))
