"""A collection with changes on top: items that came, changed or went since it was fitted.

The statistics (rarities, topics, what is common) stay those of the collection that was fitted; the rows are
those of the items there are now, in id order. So every number is the one that ``Collection.pair`` gives,
and a later build, which fits everything anew, moves scores a little.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features.collection.blobs import Ids, Texts
from features.collection.collection import Collection, fields_key
from features.collection.digests import OverlaidDigests
from features.collection.facets import OverlaidFacets
from features.measures.base import Rows, Scores, SeenColumn
from features.profiles.profile import Profile
from features.profiles.profile import encode as encode_profile
from ingest.record import Record
from ingest.record import encode as encode_record

Places = npt.NDArray[np.intp]


class Put(NamedTuple):
    """An item that was added or replaced."""

    record: Record
    profile: Profile


class Living(Collection):
    """A collection as it is after some changes, each by its id: what the item is now, None for deleted.

    ``places`` says where each row is: its row in ``base``, or -1, -2, ... for the first, second, ... of the
    items that were put. ``rows`` is the way back, -1 for what is gone. ``revision`` is that of the last
    change.
    """

    def __init__(self, base: Collection, changes: Mapping[str, Put | None], revision: int) -> None:
        gone = sorted(row for item in changes if (row := base.ids.find(item)) is not None)
        # the order of code points, as of the rows
        self._own = [put for _, put in sorted(changes.items()) if put is not None]
        self.base = base
        self.places = _places(base.ids, gone, [put.record.id for put in self._own])
        self.rows: Places = np.full(len(base), -1, dtype=np.intp)
        self.rows[self.places[self.stored]] = np.flatnonzero(self.stored)
        self.manifest = base.manifest.model_copy(update={"items": len(self.places), "revision": revision})
        self.notice = base.notice
        self.columns = base.columns
        for column in base.columns.values():
            if isinstance(column, SeenColumn):
                column.remember(len(self._own))
        self.ids = Ids(_Merged(base.ids.blobs, self.places, [put.record.id.encode() for put in self._own]))
        self.duplicates = self._groups()
        self.facets = OverlaidFacets(base.facets, self._encoded, self.places)
        self.digests = OverlaidDigests(base.digests, self.rows, self._own_ids, np.flatnonzero(~self.stored))

    def _encoded(self) -> Iterator[tuple[bytes, bytes]]:
        return ((encode_record(put.record), encode_profile(put.profile)) for put in self._own)

    def _own_ids(self) -> list[str]:
        return [put.record.id for put in self._own]

    @property
    def stored(self) -> npt.NDArray[np.bool_]:
        """Which rows are those of the collection beneath, bool[rows]."""
        mask: npt.NDArray[np.bool_] = self.places >= 0
        return mask

    def record(self, row: int) -> Record:
        """The record of a row."""
        at = int(self.places[row])
        return self.base.record(at) if at >= 0 else self._own[~at].record

    def record_bytes(self, row: int) -> bytes:
        """As of any collection."""
        at = int(self.places[row])
        return self.base.record_bytes(at) if at >= 0 else encode_record(self._own[~at].record)

    def profile(self, row: int) -> Profile:
        """The profile of a row."""
        at = int(self.places[row])
        return self.base.profile(at) if at >= 0 else self._own[~at].profile

    def profile_bytes(self, row: int) -> bytes:
        """As of any collection."""
        at = int(self.places[row])
        return self.base.profile_bytes(at) if at >= 0 else encode_profile(self._own[~at].profile)

    def compare(self, profile: Profile, names: Iterable[str], rows: Rows | None = None) -> dict[str, Scores]:
        """As of any collection."""
        asked = tuple(names)
        return self._joined(asked, rows, profile, lambda some: self.base.compare(profile, asked, some))

    def compare_row(self, row: int, names: Iterable[str], rows: Rows | None = None) -> dict[str, Scores]:
        """As of any collection."""
        asked, at = tuple(names), int(self.places[row])
        if at < 0:
            return self.compare(self._own[~at].profile, asked, rows)
        return self._joined(asked, rows, at, lambda some: self.base.compare_row(at, asked, some))

    def pair(self, left: Profile, right: Profile, names: Iterable[str]) -> Scores:
        """As of any collection."""
        return self.base.pair(left, right, names)

    def _joined(
        self,
        names: Sequence[str],
        rows: Rows | None,
        item: Profile | int,
        find: Callable[[Rows | None], dict[str, Scores]],
    ) -> dict[str, Scores]:
        """What ``find`` gives for rows of the base, and beside it the items that were put."""
        places = self.places if rows is None else self.places[rows]
        stored = places >= 0
        # all at once is quicker where all are asked for
        found = {name: all_[places[stored]] for name, all_ in find(None).items()} if rows is None else None
        found = found or find(places[stored])
        if stored.all():
            return found
        own = np.array([self._with(~at, item, names) for at in places[~stored].tolist()])
        joined: dict[str, Scores] = {}
        for n, name in enumerate(names):
            joined[name] = np.empty(len(places))
            joined[name][stored], joined[name][~stored] = found[name], own[:, n]
        return joined

    def _with(self, own: int, item: Profile | int, names: Sequence[str]) -> Scores:
        """The features of an item with one of those that were put."""
        profile = self._own[own].profile
        if isinstance(item, Profile):
            return self.base.pair(item, profile, names)
        # what is stored of a row need not be decoded
        found: Scores = self.base.pairs(profile, np.array([item], dtype=np.intp), names)[0]
        return found

    def _groups(self) -> npt.NDArray[np.int32]:
        """Equal numbers for exact duplicates."""
        groups = np.empty(len(self.places), dtype=np.int32)
        groups[self.stored] = self.base.duplicates[self.places[self.stored]]
        following = int(self.base.duplicates.max(initial=-1)) + 1
        known: dict[bytes, int] = {}
        for row in np.flatnonzero(~self.stored).tolist():
            record = self.record(row)
            if record.fields_hash not in known:
                twin = self._twin(record)
                known[record.fields_hash] = following if twin is None else int(self.base.duplicates[twin])
                following += twin is None
            groups[row] = known[record.fields_hash]
        return groups

    def _twin(self, record: Record) -> int | None:
        """A row of the collection beneath, be it gone, with the same six fields."""
        alike = np.flatnonzero(self.base.fields == fields_key(record)).tolist()
        return next((r for r in alike if self.base.record(r).fields_hash == record.fields_hash), None)


class _Merged:
    """Byte strings of the collection beneath and of what was put, in one order."""

    def __init__(self, base: Texts, places: Places, own: Sequence[bytes]) -> None:
        self._base, self._places, self._own = base, places, own

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, row: int) -> bytes:
        at = int(self._places[row])
        return self._base[at] if at >= 0 else self._own[~at]


def _places(ids: Sequence[str], gone: Sequence[int], put: Sequence[str]) -> Places:
    """Where the rows are, merged in the order of the ids.

    >>> _places(["a", "b", "d"], [1], ["b", "c", "e"]).tolist()
    [0, -1, -2, 2, -3]
    """
    kept = np.delete(np.arange(len(ids), dtype=np.intp), gone)
    before = [bisect_left(ids, item) for item in put]
    at = [place - bisect_left(gone, place) for place in before]
    return np.insert(kept, np.array(at, dtype=np.intp), [~n for n in range(len(put))])
