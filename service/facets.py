"""Filters: which items of a collection may be neighbours, by what their records say.

Names are compared without regard to case and blanks. Items with several values fit by any of them, and
several wanted values are alternatives; different filters have to fit all.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt

from features.collection import Collection
from features.measures.dated import dated
from features.profile import Profile
from features.scope import EVERYWHERE
from ingest.errors import InvalidRequest
from ingest.record import Record
from service.index.port import Mask

_SHOWN: Final = 10
"""Values that a note names at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What an item has to be; nothing is asked where nothing is given.

    ``provider`` and ``object`` (the kind of object, a record's type) are names; ``first`` and
    ``last`` are years, negative before Christ, that the item's years have to meet; ``place`` is a name of
    the museum's own index or a location that the texts name; ``image`` is whether it has a picture.
    Raises ``InvalidRequest`` for years in the wrong order.

    >>> Filters(provider=("Tate",), first=1800, last=1850).given
    True
    >>> Filters().given
    False
    """

    provider: tuple[str, ...] = ()
    object: tuple[str, ...] = ()
    first: int | None = None
    last: int | None = None
    place: tuple[str, ...] = ()
    image: bool | None = None

    def __post_init__(self) -> None:
        if self.first is not None and self.last is not None and self.first > self.last:
            raise InvalidRequest(f"from must not be later than to; {self.first} is later than {self.last}")

    @property
    def given(self) -> bool:
        """Whether anything is asked."""
        return self != Filters()


class Facets:
    """What the items of one collection can be filtered by; each facet is read when it is first asked for."""

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self._lock = Lock()
        self._described: _Described | None = None
        self._named: _Named | None = None

    def mask(self, filters: Filters) -> Mask | None:
        """Which items fit, bool[rows]; None for all, where nothing is asked."""
        if not filters.given:
            return None
        fits: Mask = np.ones(len(self._collection), dtype=bool)
        if filters.provider:
            fits &= self._records().provider.having(filters.provider)
        if filters.object:
            fits &= self._records().object.having(filters.object)
        if filters.image is not None:
            fits &= self._records().image == filters.image
        if filters.place:
            fits &= self._records().place.having(filters.place) | self._texts().place.having(filters.place)
        if filters.first is not None or filters.last is not None:
            fits &= self._texts().years.meeting(filters.first, filters.last)
        return fits

    def notes(self, filters: Filters) -> tuple[str, ...]:
        """A sentence for every name that no item has; it says which there are."""
        found: list[str] = []
        if filters.provider:
            found += self._records().provider.missing("provider", filters.provider)
        if filters.object:
            found += self._records().object.missing("kind of object", filters.object)
        if filters.place:
            known = (self._records().place, self._texts().place)
            found += [
                f"no item names the place {name!r}"
                for name in filters.place
                if not any(name in k for k in known)
            ]
        return tuple(found)

    def _records(self) -> "_Described":
        with self._lock:
            if self._described is None:
                self._described = _Described.read(self._collection)
            return self._described

    def _texts(self) -> "_Named":
        with self._lock:
            if self._named is None:
                self._named = _Named.read(self._collection)
            return self._named


class _Names:
    """Names of the items: which rows have which."""

    def __init__(self, rows: int, named: Iterable[tuple[int, str]]) -> None:
        self._items = rows
        self._codes: dict[str, int] = {}
        self._spelled: list[str] = []
        found: set[tuple[int, int]] = set()
        for row, name in named:
            if (key := _folded(name)) and key not in self._codes:
                self._codes[key] = len(self._spelled)
                self._spelled.append(" ".join(name.split()))
            if key:
                found.add((row, self._codes[key]))
        pairs = np.array(sorted(found), dtype=np.int32).reshape(-1, 2)
        self._rows, self._of = pairs[:, 0], pairs[:, 1]

    def __contains__(self, name: str) -> bool:
        return _folded(name) in self._codes

    def having(self, names: Sequence[str]) -> Mask:
        """Which rows have any of the names, bool[rows]."""
        codes = [self._codes[_folded(name)] for name in names if name in self]
        fits: Mask = np.zeros(self._items, dtype=bool)
        fits[self._rows[np.isin(self._of, codes)]] = True
        return fits

    def missing(self, what: str, names: Sequence[str]) -> list[str]:
        """A sentence for every name that no row has."""
        missing = [name for name in names if name not in self]
        if not missing:
            return []
        counts = Counter(self._of.tolist())
        common = sorted(counts, key=lambda code: (-counts[code], self._spelled[code]))
        shown = ", ".join(self._spelled[code] for code in common[:_SHOWN])
        if not common:
            there = f"no item says its {what}"
        elif len(common) <= _SHOWN:
            there = f"there are: {shown}"
        else:
            there = f"of {len(common)} the commonest are: {shown}"
        return [f"no item has the {what} {name!r}; {there}" for name in missing]


class _Years:
    """The years of the items: every interval with its row."""

    def __init__(self, rows: int, found: Sequence[tuple[int, int, int]]) -> None:
        self._items = rows
        self._found: npt.NDArray[np.int64] = np.array(found, dtype=np.int64).reshape(-1, 3)

    def meeting(self, first: int | None, last: int | None) -> Mask:
        """Which rows have an interval that meets these years, bool[rows]."""
        rows, begin, end = self._found.T
        met = np.ones(len(rows), dtype=bool)
        if first is not None:
            met &= end >= first
        if last is not None:
            met &= begin <= last
        fits: Mask = np.zeros(self._items, dtype=bool)
        fits[rows[met]] = True
        return fits


@dataclass(frozen=True, slots=True)
class _Described:
    """What the records say of themselves beside the six fields."""

    provider: _Names
    object: _Names
    place: _Names
    image: Mask

    @classmethod
    def read(cls, collection: Collection) -> "_Described":
        rows = range(len(collection))
        records = [_Marks.of(collection.record(row)) for row in rows]

        def names(of: Callable[[_Marks], Iterable[str]]) -> _Names:
            return _Names(len(rows), ((row, name) for row in rows for name in of(records[row])))

        return cls(
            names(lambda marks: marks.provider),
            names(lambda marks: marks.object),
            names(lambda marks: marks.places),
            np.array([marks.image for marks in records], dtype=bool),
        )


@dataclass(frozen=True, slots=True)
class _Marks:
    provider: tuple[str, ...]
    object: tuple[str, ...]
    places: tuple[str, ...]
    image: bool

    @classmethod
    def of(cls, record: Record) -> "_Marks":
        places = tuple(value.text for value in record.places)
        return cls((record.provider or "",), (record.type or "",), places, bool((record.image or "").strip()))


@dataclass(frozen=True, slots=True)
class _Named:
    """What the texts of the records name."""

    place: _Names
    years: _Years

    @classmethod
    def read(cls, collection: Collection) -> "_Named":
        places: list[tuple[int, str]] = []
        years: list[tuple[int, int, int]] = []
        for row in range(len(collection)):
            profile = collection.profile(row)
            places += [(row, name) for name in _locations(profile)]
            # as the measures of time read them: the date field alone where it names a year
            years += [(row, one.first, one.last) for one, _ in dated(profile, ("date",), EVERYWHERE)]
        return cls(_Names(len(collection), places), _Years(len(collection), years))


def _locations(profile: Profile) -> Iterator[str]:
    for value in profile.values:
        for mention in value.mentions:
            if mention.kind == "location":
                yield mention.text


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
