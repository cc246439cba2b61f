"""Filters: which items of a collection may be neighbours, by what their records say.

Names are compared without regard to case and blanks. Items with several values fit by any of them, and
several wanted values are alternatives; different filters have to fit all.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from features.collection.collection import Collection
from features.collection.overlay import Overlay
from features.measures.base import Bools as Mask
from features.profiles.partial import described, named
from ingest.errors import InvalidRequest

_Number = TypeVar("_Number", bound=np.generic)

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

    def __init__(self, collection: Collection, beneath: "Facets | None" = None) -> None:
        """``beneath`` are those of the collection under an overlay, which are not read again."""
        self._collection = collection
        self._beneath = beneath
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
                before = self._beneath._records() if self._beneath else None
                self._described = _Described.read(
                    self._collection, _Rows.of(self._collection, whole=before is None), before
                )
            return self._described

    def _texts(self) -> "_Named":
        with self._lock:
            if self._named is None:
                before = self._beneath._texts() if self._beneath else None
                self._named = _Named.read(
                    self._collection, _Rows.of(self._collection, whole=before is None), before
                )
            return self._named


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows to read, and where those went that were read before: -1 for nowhere."""

    items: int
    read: Sequence[int]
    moved: npt.NDArray[np.intp]

    @classmethod
    def of(cls, collection: Collection, *, whole: bool) -> "_Rows":
        if isinstance(collection, Overlay) and not whole:
            own = np.flatnonzero(~collection.stored).tolist()
            return cls(len(collection), own, collection.rows)
        return cls(len(collection), range(len(collection)), np.empty(0, dtype=np.intp))

    def after(self, found: npt.NDArray[_Number], before: npt.NDArray[_Number] | None) -> npt.NDArray[_Number]:
        """Rows of numbers that begin with a row's: those read now, and before them those of before."""
        if before is None:
            return found
        there = self.moved[before[:, 0]]
        kept = np.concatenate([there[:, np.newaxis].astype(before.dtype), before[:, 1:]], axis=1)[there >= 0]
        return np.concatenate([kept, found])


class _Names:
    """Names of the items: which rows have which."""

    def __init__(
        self, rows: _Rows, names: Sequence[str], sizes: Sequence[int] | int, before: "_Names | None" = None
    ) -> None:
        """``names`` are those of the rows that are read, in their order; each row has so many: ``sizes``."""
        self._items = rows.items
        self._codes: dict[str, int] = dict(before._codes) if before else {}
        self._spelled: list[str] = list(before._spelled) if before else []
        # few of the names differ: each is folded once
        codes = {name: self._code(name) for name in dict.fromkeys(names)}
        of = np.fromiter(map(codes.__getitem__, names), np.int64, len(names))
        at = np.repeat(np.array(rows.read, np.int64), sizes)
        both = np.unique((at << 32 | of)[of >= 0])
        pairs = np.stack([both >> 32, both & 0xFFFFFFFF], axis=1).astype(np.int32)
        self._pairs: npt.NDArray[np.int32] = rows.after(pairs, before._pairs if before else None)
        self._rows, self._of = self._pairs[:, 0], self._pairs[:, 1]
        # what had a name may be gone
        self._counts = np.bincount(self._of, minlength=len(self._spelled))

    def _code(self, name: str) -> int:
        """The number of a name, which may be new; -1 for a blank one."""
        key = _folded(name)
        if key and key not in self._codes:
            self._codes[key] = len(self._spelled)
            self._spelled.append(" ".join(name.split()))
        return self._codes.get(key, -1)

    def __contains__(self, name: str) -> bool:
        code = self._codes.get(_folded(name))
        return code is not None and bool(self._counts[code])

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
        given = np.flatnonzero(self._counts).tolist()
        common = sorted(given, key=lambda code: (-self._counts[code], self._spelled[code]))
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

    def __init__(self, rows: _Rows, found: npt.NDArray[np.int64], before: "_Years | None" = None) -> None:
        """``found`` are rows of an item's row, a first and a last year."""
        self._items = rows.items
        self._found: npt.NDArray[np.int64] = rows.after(found, before._found if before else None)

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
    def read(cls, collection: Collection, rows: _Rows, before: "_Described | None") -> "_Described":
        provider, kind, image = list[str](), list[str](), list[bool]()
        places, sizes = list[str](), array("q")
        for row in rows.read:
            one = described(collection.record_bytes(row))
            provider.append(one.provider or "")
            kind.append(one.type or "")
            image.append(bool((one.image or "").strip()))
            places += [value.text for value in one.places]
            sizes.append(len(one.places))
        pictured: Mask = np.zeros(rows.items, dtype=bool)
        if before:
            pictured[rows.moved[before.image & (rows.moved >= 0)]] = True
        pictured[np.array(rows.read, np.int64)] = image
        return cls(
            _Names(rows, provider, 1, before.provider if before else None),
            _Names(rows, kind, 1, before.object if before else None),
            _Names(rows, places, sizes, before.place if before else None),
            pictured,
        )


@dataclass(frozen=True, slots=True)
class _Named:
    """What the texts of the records name."""

    place: _Names
    years: _Years

    @classmethod
    def read(cls, collection: Collection, rows: _Rows, before: "_Named | None") -> "_Named":
        places, sizes, years = list[str](), array("q"), array("q")
        for row in rows.read:
            one = named(collection.profile_bytes(row))
            locations = one.locations
            places += locations
            sizes.append(len(locations))
            for period in one.years:
                years.extend((row, period.first, period.last))
        found: npt.NDArray[np.int64] = np.array(years, np.int64).reshape(-1, 3)
        return cls(
            _Names(rows, places, sizes, before.place if before else None),
            _Years(rows, found, before.years if before else None),
        )


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
