"""Bags of terms as arrays: the part that all measures over the words of a scope share."""

from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.measures.base import Arrays, MeasureSettings, Theme
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
    """The bags of a collection, item by item; a term is numbered when it is first met.

    >>> bags = Bags()
    >>> bags.add(Counter("aab"))
    >>> bags.add(Counter("b"))
    >>> bags.counts().toarray().tolist(), bags.frequencies().tolist()
    ([[2, 1], [0, 1]], [1, 2])
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
    def terms(self) -> tuple[str, ...]:
        """Every term, in the order of its number."""
        return tuple(self._ids)

    def add(self, bag: Counter[str]) -> None:
        """Take in the bag of the next item."""
        for term, count in bag.items():
            self._terms.append(self._ids.setdefault(term, len(self._ids)))
            self._counts.append(count)
        self._starts.append(len(self._terms))

    def counts(self) -> csr_array:
        """How often each item has each term, int32[items, terms], terms in the order of the bags."""
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
        return found.astype(np.int32)

    def vocabulary(self) -> dict[str, npt.NDArray[np.generic]]:
        """The terms as arrays, for :func:`numbers`."""
        return written(self._ids)


class BagBuilder:
    """Collects the bags of a collection: what all builders over the terms of a scope begin with."""

    def __init__(self, scope: ScopeReader) -> None:
        self._scope = scope
        self._bags = Bags()

    def add(self, profile: Profile) -> None:
        """Count the terms of the next item."""
        self._bags.add(self._scope.bag(profile))


def written(terms: Iterable[str]) -> dict[str, npt.NDArray[np.generic]]:
    """Terms as arrays: their UTF-8 end to end, and where each ends."""
    blob = [term.encode() for term in terms]
    return {
        "vocabulary": np.frombuffer(b"".join(blob), np.uint8),
        "vocabulary_ends": np.cumsum([len(term) for term in blob], dtype=np.int64),
    }


def numbers(arrays: Arrays) -> dict[str, int]:
    """The number of every term; the inverse of :func:`written`.

    >>> numbers(written(["sea", "été"]))
    {'sea': 0, 'été': 1}
    """
    blob = np.asarray(arrays["vocabulary"], np.uint8).tobytes()
    ends = [0, *np.asarray(arrays["vocabulary_ends"], np.int64).tolist()]
    return {blob[start:end].decode(): n for n, (start, end) in enumerate(pairwise(ends))}


def by_term(occurrences: Iterable[Occurrence]) -> dict[str, list[Occurrence]]:
    """Every term with the places where it stands, in text order."""
    found: dict[str, list[Occurrence]] = {}
    for occurrence in occurrences:
        found.setdefault(occurrence.term, []).append(occurrence)
    return found
