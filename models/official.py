"""The names of the types of similarity, and the scale of their scores; light enough for every command."""

from collections.abc import Iterable
from typing import Final, TypeAlias

SimilarityType: TypeAlias = str
"""The name of a type: in which way two items can be alike."""

SCALE = (0.0, 5.0)
"""Scores run from 0, completely unrelated, to 5, identical."""

OFFICIAL: Final = ("general", "author", "people", "time", "location", "event", "subject", "description")
"""The types of the official files, in the order of their columns; every system scores them, and first."""


def ordered(kinds: Iterable[SimilarityType]) -> tuple[SimilarityType, ...]:
    """The official types first, in their order, then the others as they come.

    >>> ordered(["material", "time", "author"])
    ('author', 'time', 'material')
    """
    present = dict.fromkeys(kinds)
    return tuple(dict.fromkeys((*(kind for kind in OFFICIAL if kind in present), *present)))
