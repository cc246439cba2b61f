"""What every measure promises.

A measure compares what it sees of two profiles. It is pure of I/O, deterministic, symmetric, in
[0, 1], and 1 for an item with itself where it has anything to see. Where one side gives no
information the value is NaN, never 0 by accident: what NaN becomes is the system's decision.

A measure is one module with three classes: settings (a row of ``features`` in config.yaml), a
builder that is shown every profile of a collection once, and the column that results. A measure
that is made of the values of other features is of :mod:`features.measures.derived`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from features.collection.row_groups import Keys
from features.knowledge.resources import ResourceName, Resources
from features.profiles.blocks import Block
from features.profiles.occurrence import Occurrence
from features.profiles.profile import Profile

_Seen = TypeVar("_Seen")

Theme: TypeAlias = Literal[
    "words",
    "names",
    "makers",
    "people",
    "kinds",
    "places",
    "times",
    "events",
    "subjects",
    "meaning",
    "topics",
    "presence",
    "presence of people",
    "presence of events",
]
"""What it means that two items agree in a measure; the sentence that tells so is chosen by it."""

Scores = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]
Arrays = Mapping[str, npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why two items agree on a feature: what stands on either side, and how much rests on it.

    ``share`` is the part of the feature's value that rests on this evidence: the shares of one
    value add up to 1. ``about`` is what both sides are taken to show where neither says it in so many
    words: a predicted category. ``whole`` is True where texts were compared as wholes: what stands on a
    side are then the values of the record that the text was made of.
    """

    left: tuple[Occurrence, ...]
    right: tuple[Occurrence, ...]
    share: float
    about: str = ""
    whole: bool = False


class Builder(Protocol):
    """Collects what a measure keeps of every item of a collection."""

    def take(self, block: Block) -> None:
        """Take in the next items; blocks come in row order and share a lexicon."""
        ...

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """What has to be stored, by name; ``Column`` objects are made from the same arrays."""
        ...


@runtime_checkable
class Sharing(Protocol):
    """A builder that collects what others collect too: the words of a scope, the vectors of a text."""

    def share(self, collected: dict[object, object]) -> None:
        """Leave collecting to the first builder that collects the same, which is kept in ``collected``."""
        ...


class Column(Protocol):
    """A fitted measure over the rows of a collection."""

    def compare(self, profile: Profile, rows: Rows | None = None) -> Scores:
        """The measure of one profile with every row, or with some: float64[rows], NaN for no information.

        A row has the same number to the last bit, whichever others are asked for.
        """
        ...

    def compare_row(self, row: int, profile: Callable[[], Profile], rows: Rows | None = None) -> Scores:
        """What ``compare`` gives for the profile of a row, to the last bit, from what is stored of it.

        ``profile`` reads that profile; a measure calls it only where it does not keep what it sees.
        """
        ...

    def pair(self, left: Profile, right: Profile) -> float:
        """The measure of any two profiles, the same number that ``compare`` gives them."""
        ...

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """What the value of ``pair`` rests on, strongest first; empty where it is 0 or NaN."""
        ...


class MeasureSettings(BaseModel, ABC):
    """A row of ``features`` in config.yaml: a measure, what it sees, and how."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the measure cannot do without."""
        return ()

    @property
    def theme(self) -> Theme:
        """What agreement in it means; of words of a scope the scope says more."""
        return "words"

    @property
    def collects(self) -> Hashable:
        """What a builder collects: features that collect the same are fitted in one process."""
        return self.model_dump_json()

    @property
    def cost(self) -> float:
        """What a fit takes, roughly: microseconds of a core an item, as measured on real records."""
        return 10.0

    @abstractmethod
    def builder(self, resources: Resources) -> Builder:
        """An empty builder; raises ``ResourceMissing`` where a resource it needs is absent."""

    @abstractmethod
    def column(self, arrays: Arrays, resources: Resources) -> Column:
        """The column over stored arrays, used where they lie (memory-mapped or not)."""


class Remembered(Generic[_Seen]):
    """What a measure sees of a profile, made once: an item is compared with many.

    Profiles are told apart as objects, so that asking costs nothing. The last ones that were asked for are
    kept: ``most`` of them, 256 at first.

    >>> sizes = Remembered(lambda profile: len(profile.values))
    >>> sizes(Profile(()))
    0
    """

    LEAST: Final = 256

    def __init__(self, see: Callable[[Profile], _Seen]) -> None:
        self.most = self.LEAST
        self._see = see
        self._seen: dict[int, tuple[Profile, _Seen]] = {}
        self._before = self._seen

    def __call__(self, profile: Profile) -> _Seen:
        """What the measure sees of the profile."""
        key = id(profile)
        found = self._seen.get(key)
        if found is not None and found[0] is profile:
            return found[1]
        found = self._before.get(key)
        if found is None or found[0] is not profile:
            found = (profile, self._see(profile))
        if len(self._seen) >= self.most:
            # what is not asked for again meanwhile goes with the next turn
            self._seen, self._before = {}, self._seen
        self._seen[key] = found
        return found[1]


class SeenColumn(ABC, Generic[_Seen]):
    """A column that compares what the measure sees of an item, be it of a profile or of a row.

    ``_see`` reads it from a profile, ``_stored`` from the arrays: both give the same for the profile of
    a row, so that ``compare`` and ``compare_row`` share all that comes after.
    """

    def __init__(self) -> None:
        self._seen = Remembered(self._see)
        self._last: tuple[int, _Seen] | None = None

    def remember(self, profiles: int) -> None:
        """Keep what is seen of so many profiles at least: each is compared with whatever is asked about."""
        self._seen.most = max(profiles, Remembered.LEAST)

    def compare(self, profile: Profile, rows: Rows | None = None) -> Scores:
        """The measure of one profile with every row, or with some: float64[rows], NaN for no information."""
        return self._compared(self._seen(profile), rows)

    def compare_row(self, row: int, profile: Callable[[], Profile], rows: Rows | None = None) -> Scores:
        """What ``compare`` gives for the profile of a row."""
        last = self._last
        if last is None or last[0] != row:
            # one search asks for a row many times; other threads see this pair or theirs, never a mixture
            last = self._last = (row, self._stored(row, profile))
        return self._compared(last[1], rows)

    @abstractmethod
    def alike(self) -> Keys:
        """Keys of the rows by all that is compared of them (see :mod:`features.collection.row_groups`)."""

    @abstractmethod
    def _see(self, profile: Profile) -> _Seen:
        """What the measure sees of a profile."""

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Seen:  # noqa: ARG002
        """What it sees of a row; read from the profile where the measure does not keep it."""
        return self._seen(profile())

    @abstractmethod
    def _compared(self, seen: _Seen, rows: Rows | None) -> Scores:
        """The measure of what was seen with every row, or with some."""


_Kept = TypeVar("_Kept", bound=np.generic)


def taken(array: npt.NDArray[_Kept], rows: Rows | None) -> npt.NDArray[_Kept]:
    """The rows of an array, all where none are named: an array is then used where it lies."""
    return array if rows is None else array[rows]


def parts(starts: npt.NDArray[np.int64], rows: Rows) -> tuple[npt.NDArray[np.int64], Rows]:
    """The parts of some rows laid end to end: where each starts now, and where all its places were.

    >>> starts, places = parts(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> starts.tolist(), places.tolist()
    ([0, 3, 5], [2, 3, 4, 0, 1])
    """
    first = starts[rows]
    sizes = starts[rows + 1] - first
    ends = np.concatenate(([0], np.cumsum(sizes)))
    return ends, np.repeat(first - ends[:-1], sizes) + np.arange(ends[-1])


def distinct(numbers: npt.NDArray[np.integer], size: int) -> tuple[Rows, npt.NDArray[np.int32]]:
    """The distinct of some numbers below ``size``, ascending, and the place of each among them.

    As ``numpy.unique``, but without sorting.

    >>> met, places = distinct(np.array([5, 2, 5]), 9)
    >>> met.tolist(), places.tolist()
    ([2, 5], [1, 0, 1])
    """
    there = np.zeros(size, dtype=bool)
    there[numbers] = True
    met = np.flatnonzero(there)
    place = np.empty(size, np.int32)
    place[met] = np.arange(len(met), dtype=np.int32)
    return met, place[numbers]
