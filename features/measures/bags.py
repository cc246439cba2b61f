"""Bags of terms as arrays: the part that all measures over the words of a scope share."""

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.measures.base import MeasureSettings, Theme
from features.measures.vocabulary import written
from features.profile import Profile
from features.resources import ResourceName
from features.scope import Occurrence, Scope, ScopeReader

_ABOUT: Final[dict[str, Theme]] = {"events": "events", "people": "kinds", "places": "places"}


class ScopedSettings(MeasureSettings):
    """A measure over the terms of one scope."""

    scope: Scope = Field(default=Scope(), description="which terms of a profile count")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the scope is read with."""
        return self.scope.needs

    @property
    def theme(self) -> Theme:
        """What the terms of the scope are about, as far as they are of WordNet; plain words are words."""
        return _ABOUT.get(self.scope.expand, "words")


class Bags:
    """The bags of a collection, item by item; terms are numbered in the order of their code points.

    >>> bags = Bags()
    >>> bags.add(Counter("bba"))
    >>> bags.add(Counter("a"))
    >>> bags.terms, bags.counts().toarray().tolist(), bags.frequencies().tolist()
    (('a', 'b'), [[1, 2], [1, 0]], [2, 1])
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._terms = array("i")
        self._counts = array("i")
        self._starts = array("q", [0])

    def __len__(self) -> int:
        """The number of items."""
        return len(self._starts) - 1

    @property
    def met(self) -> tuple[str, ...]:
        """Every term, in the order in which they were met."""
        return tuple(self._ids)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term, in the order of its number."""
        return tuple(sorted(self._ids))

    def add(self, bag: Counter[str]) -> None:
        """Take in the bag of the next item."""
        for term, count in bag.items():
            self._terms.append(self._ids.setdefault(term, len(self._ids)))
            self._counts.append(count)
        self._starts.append(len(self._terms))

    def counts(self) -> csr_array:
        """How often each item has each term, int32[items, terms]; in an item terms stand in their order."""
        ranks = np.empty(len(self._ids), np.int32)
        ranks[self._order()] = np.arange(len(ranks), dtype=np.int32)
        counts = self.counts_as_met()
        counts = csr_array((counts.data.copy(), ranks[counts.indices], counts.indptr), shape=counts.shape)
        counts.sort_indices()
        return counts

    def counts_as_met(self) -> csr_array:
        """The same with terms in the order in which they were met, in the collection and in each item."""
        return csr_array(
            (
                np.frombuffer(self._counts, np.int32),
                np.frombuffer(self._terms, np.int32),
                np.frombuffer(self._starts, np.int64),
            ),
            shape=(len(self), len(self._ids)),
        )

    def frequencies(self) -> npt.NDArray[np.int32]:
        """How many items have each term."""
        found = np.bincount(np.frombuffer(self._terms, np.int32), minlength=len(self._ids))
        return found[self._order()].astype(np.int32)

    def vocabulary(self) -> dict[str, npt.NDArray[np.generic]]:
        """The terms as arrays, for :class:`features.measures.vocabulary.Vocabulary`."""
        return written(self.terms)

    def _order(self) -> list[int]:
        """Of every term, in the order of its number, how many were met before it."""
        return [self._ids[term] for term in self.terms]


class BagBuilder:
    """Collects the bags of a collection: what all builders over the terms of a scope begin with."""

    def __init__(self, scope: ScopeReader) -> None:
        self._scope = scope
        self._bags = Bags()
        self._counts = True

    def share(self, collected: dict[object, object]) -> None:
        """Leave the counting to the first builder over the same scope."""
        first = collected.setdefault(self._scope, self)
        if isinstance(first, BagBuilder) and first is not self:
            self._bags, self._counts = first._bags, False

    def add(self, profile: Profile) -> None:
        """Count the terms of the next item."""
        if self._counts:
            self._bags.add(self._scope.bag(profile))


def forward(counts: csr_array) -> dict[str, npt.NDArray[np.generic]]:
    """Which terms each item has: those of item i are ``terms[starts[i]:starts[i + 1]]``, ascending."""
    return {"starts": counts.indptr.astype(np.int64), "terms": counts.indices.astype(np.int32)}


def inverted(counts: csr_array) -> dict[str, npt.NDArray[np.generic]]:
    """Which items have each term: those of term t are ``items[lists[t]:lists[t + 1]]``, ascending."""
    lists = counts.tocsc()
    return {"lists": lists.indptr.astype(np.int64), "items": lists.indices.astype(np.int32)}


def smallest(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Numbers of 0 and more in as few bytes as the largest takes.

    >>> [smallest(np.array([1, most])).itemsize for most in (255, 256, 65536)]
    [1, 2, 4]
    """
    most = int(counts.max(initial=0))
    found: npt.NDArray[np.integer] = counts.astype(np.min_scalar_type(most))
    return found


def whole(array: npt.NDArray[np.generic]) -> npt.NDArray[np.integer]:
    """Stored whole numbers, of however many bytes, used where they lie."""
    found: npt.NDArray[np.integer] = np.asarray(array)
    return found


def by_term(occurrences: Iterable[Occurrence]) -> dict[str, list[Occurrence]]:
    """Every term with the places where it stands, in text order."""
    found: dict[str, list[Occurrence]] = {}
    for occurrence in occurrences:
        found.setdefault(occurrence.term, []).append(occurrence)
    return found
