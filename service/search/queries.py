"""What can be asked of the recommender: neighbours of one or several items, among some, page by page."""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from ingest.errors import InvalidRequest, TimedOut
from models.types import SCALE, SimilarityType
from service.search.facets import Filters

MOST: Final = 100  # the most neighbours one answer has
SEEDS: Final = 20  # the most seeds of one question
HEAVIEST: Final = 1000.0  # the greatest weight of a seed


class WeightedSeed(NamedTuple):
    """A seed by its id; a negative weight asks for what is unlike it."""

    id: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A question to the recommender.

    Without a ``type`` each neighbour comes with the type that best motivates it. Items of ``without`` are
    left out, with their exact duplicates. ``diversity`` is 1 - lambda of maximal marginal relevance; at 0
    neighbours are ranked by their scores alone. ``cursor`` continues where an answer ended. Neighbours of a
    type end at the ``floor``: None for the system's own, 0 for no end. Raises ``InvalidRequest`` for what
    does not fit together.

    >>> Search(seeds=(WeightedSeed("a"), WeightedSeed("b", -0.5)), type="time").limit
    10
    """

    seeds: tuple[WeightedSeed, ...]
    type: SimilarityType | None = None
    limit: int = 10
    filters: Filters = field(default_factory=Filters)
    without: tuple[str, ...] = ()
    diversity: float = 0.0
    cursor: str | None = None
    floor: float | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST:
            raise InvalidRequest(f"limit must be between 1 and {MOST}, not {self.limit}")
        if not 0 <= self.diversity <= 1:
            raise InvalidRequest(f"diversity must be between 0 and 1, not {self.diversity}")
        if self.floor is not None and not SCALE[0] <= self.floor <= SCALE[1]:
            raise InvalidRequest(f"floor must be between 0 and 5, not {self.floor}")
        _check_seeds(self.seeds)
        if self.type is None and self.diversity:
            raise InvalidRequest("diversity needs a type: it compares the neighbours in that way")
        if self.cursor is not None and self.type is None:
            raise InvalidRequest("a cursor needs the type that it was given for")
        if self.cursor is not None and self.diversity:
            raise InvalidRequest("a cursor cannot be combined with diversity; ask for a greater limit")

    def digest(self, system: str) -> str:
        """A digest of all but limit and cursor: pages of equal digests belong together."""
        filters = [repr(getattr(self.filters, one.name)) for one in fields(self.filters)]
        seeds = [(seed.id, seed.weight) for seed in self.seeds]
        question = repr((system, seeds, self.type, filters, sorted(self.without), self.floor))
        return hashlib.sha256(question.encode()).hexdigest()[:16]


def _check_seeds(seeds: tuple[WeightedSeed, ...]) -> None:
    if not 1 <= len(seeds) <= SEEDS:
        raise InvalidRequest(f"seeds must be 1 to {SEEDS} items, not {len(seeds)}")
    ids = [seed.id for seed in seeds]
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        raise InvalidRequest(f"the seed {twice!r} is named twice; give it once, with a weight")
    for seed in seeds:
        if not math.isfinite(seed.weight) or not 0 < abs(seed.weight) <= HEAVIEST:
            raise InvalidRequest(
                f"the weight of the seed {seed.id!r} must be a number from -{HEAVIEST:g} to {HEAVIEST:g}"
                f" and not 0; it is {seed.weight:g}"
            )
    if not any(seed.weight > 0 for seed in seeds):
        raise InvalidRequest("no seed has a positive weight; name an item that neighbours should be like")


Check: TypeAlias = Callable[[], None]
"""Called between the steps of an answer; raises where it is not wanted any more."""


class Deadline:
    """A moment so many seconds from now; calling it raises ``TimedOut`` once that is over.

    >>> Deadline(60)()
    >>> try:
    ...     Deadline(0)()
    ... except TimedOut as error:
    ...     print(error.detail)
    the answer took longer than 0 seconds; ask for fewer neighbours, without explanations, or later
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = monotonic() + seconds

    def __call__(self) -> None:
        """Go on, or raise ``TimedOut``."""
        if monotonic() >= self._end:
            raise TimedOut(
                f"the answer took longer than {self._seconds:g} seconds;"
                " ask for fewer neighbours, without explanations, or later"
            )


def unlimited() -> None:
    """The check of an answer that may take any time."""
