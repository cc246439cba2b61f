"""The eight types of similarity, in the order of the official files."""

from enum import StrEnum

import numpy as np
import numpy.typing as npt

from ingest.errors import UnknownType


class SimilarityType(StrEnum):
    """In which way two items can be alike.

    >>> [kind.value for kind in SimilarityType]
    ['general', 'author', 'people', 'time', 'location', 'event', 'subject', 'description']
    """

    GENERAL = "general"
    AUTHOR = "author"
    PEOPLE = "people"
    TIME = "time"
    LOCATION = "location"
    EVENT = "event"
    SUBJECT = "subject"
    DESCRIPTION = "description"

    @property
    def position(self) -> int:
        """Its place in the official order, 0 to 7."""
        return TYPES.index(self)


Matrix = npt.NDArray[np.float64]
"""Numbers by pair, feature or type; what the axes are stands beside each use."""

TYPES = tuple(SimilarityType)
SCALE = (0.0, 5.0)
"""Scores run from 0, completely unrelated, to 5, identical."""


def similarity_type(name: str) -> SimilarityType:
    """The type of that name; raises ``UnknownType``, which lists the eight.

    >>> similarity_type("time").position
    3
    """
    try:
        return SimilarityType(name)
    except ValueError:
        raise UnknownType(f"no similarity type {name!r}; the eight are: {', '.join(TYPES)}") from None
