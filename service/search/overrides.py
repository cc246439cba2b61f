"""What curators settled of pairs of items: it changes the lists of a type at once, over any index."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from models.official import SimilarityType


class Overrides(Protocol):
    """The pairs that are rejected or pinned at this moment; several threads may ask."""

    @property
    def mark(self) -> str:
        """A text that differs where other pairs are rejected or pinned; empty where none is."""

    def rejected(self, items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """For each type the items that are rejected beside one of ``items``; a type without one is absent."""

    def pinned(self, item: str) -> Mapping[SimilarityType, Sequence[str]]:
        """For each type the items that come first in the list of an item, in the order in which they do."""


class NoOverrides:
    """No pair is rejected or pinned.

    >>> NoOverrides().rejected(["a"]), NoOverrides().pinned("a"), NoOverrides().mark
    ({}, {}, '')
    """

    mark = ""

    def rejected(self, _items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        """Nothing."""
        return {}

    def pinned(self, _item: str) -> Mapping[SimilarityType, Sequence[str]]:
        """Nothing."""
        return {}
