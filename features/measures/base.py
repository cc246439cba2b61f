"""What every measure promises.

A measure compares what it sees of two profiles. It is pure of I/O, deterministic, symmetric, in
[0, 1], and 1 for an item with itself where it has anything to see. Where one side gives no
information the value is NaN, never 0 by accident: what NaN becomes is the system's decision.

A measure is one module with three classes: settings (a row of ``features`` in config.yaml), a
builder that is shown every profile of a collection once, and the column that results.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from features.profile import Profile
from features.scope import Occurrence

Scores = npt.NDArray[np.float64]
Arrays = Mapping[str, npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why two items agree on a feature: what stands on either side, and how much rests on it.

    ``share`` is the part of the feature's value that rests on this evidence: the shares of one
    value add up to 1.
    """

    left: tuple[Occurrence, ...]
    right: tuple[Occurrence, ...]
    share: float


class Builder(Protocol):
    """Collects what a measure keeps of every item of a collection."""

    def add(self, profile: Profile) -> None:
        """Take in the next item; items are added in row order."""
        ...

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """What has to be stored, by name; ``Column`` objects are made from the same arrays."""
        ...


class Column(Protocol):
    """A fitted measure over the rows of a collection."""

    def compare(self, profile: Profile) -> Scores:
        """The measure of one profile with every row: float64[rows], NaN for no information."""
        ...

    def pair(self, left: Profile, right: Profile) -> float:
        """The measure of any two profiles, the same number that ``compare`` gives them."""
        ...

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """What the value of ``pair`` rests on, strongest first; empty where it is 0 or NaN."""
        ...
