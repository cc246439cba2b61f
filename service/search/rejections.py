"""Pairs of items that curators took out of the lists of a type: they count at once, over any index."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from models.official import SimilarityType


class RejectedPairs(Protocol):
    """The pairs that are rejected at this moment; several threads may ask."""

    @property
    def mark(self) -> str:
        """A text that differs where other pairs are rejected; empty where none is."""

    def of(self, items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """For each type the items that are rejected beside one of ``items``; a type without one is absent."""


class NoneRejected:
    """No pair is rejected.

    >>> NoneRejected().of(["a"]), NoneRejected().mark
    ({}, '')
    """

    mark = ""

    def of(self, _items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """Nothing."""
        return {}
