"""Lexical overlap of two sets of terms (thesis eq. 5.1, and two ways to divide it otherwise).

The terms of a scope are taken as a set A; ``|A|`` is their number, or with ``weights: idf`` the sum
of their ``ln(1 + N / df)``, so that a rare word counts for more than a common one. ``amount`` is the one
way that divides by neither side: how much is shared at all, however much else either says; an item is
not 1 with itself there.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures import kernels
from features.measures.bags import BagBuilder, ScopedSettings, by_term, forward, inverted
from features.measures.base import Arrays, Evidence, Rows, Scores, SeenColumn, taken
from features.measures.idf import Rarity, idf
from features.measures.matches import shared_terms
from features.measures.scope import ScopeReader
from features.profiles.profile import Profile

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
        """Who has which term both ways, the size of every item's set, document frequencies, vocabulary."""
        counts, frequencies = self._bags.counts(), self._bags.frequencies()
        starts = counts.indptr.astype(np.int64)
        return {
            **forward(counts),
            **inverted(counts),
            "sizes": kernels.sums(starts, self._weigh(frequencies)[counts.indices]),
            "frequencies": frequencies,
            **self._bags.vocabulary(),
        }

    def _weigh(self, frequencies: npt.NDArray[np.int32]) -> Scores:
        if self._settings.weights == "none":
            return np.ones(len(frequencies))
        return idf(len(self._bags), frequencies)


class _Set(NamedTuple):
    """The terms of an item that the collection has, ascending, what each counts, and what all count.

    Of a profile ``counted`` has every term with what it counts, those that the collection lacks too.
    """

    terms: kernels.Ints
    weights: Scores
    size: float
    counted: dict[str, float]


class OverlapColumn(SeenColumn[_Set]):
    """The overlap of an item with every item, by inverted lists; with a few by their own terms."""

    def __init__(self, settings: OverlapSettings, scope: ScopeReader, arrays: Arrays) -> None:
        super().__init__()
        self._settings, self._scope = settings, scope
        self._starts = np.asarray(arrays["starts"], np.int64)
        self._terms = np.asarray(arrays["terms"], np.int32)
        self._lists = np.asarray(arrays["lists"], np.int64)
        self._items = np.asarray(arrays["items"], np.int32)
        self._sizes = np.asarray(arrays["sizes"], np.float64)
        self._rarity = Rarity(len(self._sizes), arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._starts, self._terms)

    def pair(self, left: Profile, right: Profile) -> float:
        """The overlap of two profiles under the collection's document frequencies."""
        a, b = self._seen(left), self._seen(right)
        if not a.counted or not b.counted:
            return float("nan")
        shared = sum(weight for term, weight in a.counted.items() if term in b.counted)
        return min(ratio(self._settings.kind, shared, a.size, b.size), 1.0)

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The shared terms, each with what it counts of all that is shared."""
        weights = self._seen(left).counted
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        return shared_terms({term: weights[term] for term in ours if term in theirs}, ours, theirs)

    def _see(self, profile: Profile) -> _Set:
        terms = sorted(self._scope.bag(profile))
        numbers = self._rarity.vocabulary.numbers(terms)
        weights = self._weights(numbers)
        size = kernels.sums(np.array([0, len(terms)]), weights).item()
        known = numbers >= 0
        return _Set(numbers[known], weights[known], size, dict(zip(terms, weights.tolist(), strict=True)))

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Set:  # noqa: ARG002
        terms = self._terms[int(self._starts[row]) : int(self._starts[row + 1])]
        return _Set(terms, self._weights(terms), self._sizes[row].item(), {})

    def _compared(self, seen: _Set, rows: Rows | None) -> Scores:
        """The overlap with every item; NaN where the item or the profile has no term in the scope."""
        sizes = taken(self._sizes, rows)
        if not seen.size:
            return np.full(len(sizes), np.nan)
        query = (seen.terms, seen.weights)
        if rows is None or kernels.cheaper_whole(self._lists, self._starts, seen.terms, rows):
            shared = taken(kernels.shared(self._lists, self._items, len(self._sizes), *query), rows)
        else:
            shared = kernels.shared_of(rows, self._starts, self._terms, *query)
        informed = sizes > 0
        divided = np.where(informed, sizes, 1.0)
        found = ratio(self._settings.kind, shared, np.full_like(divided, seen.size), divided)
        return np.where(informed, np.minimum(found, 1.0), np.nan)

    def _weights(self, numbers: kernels.Ints) -> Scores:
        return np.ones(len(numbers)) if self._settings.weights == "none" else self._rarity.of(numbers)
