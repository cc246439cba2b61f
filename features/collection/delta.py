"""A collection with live changes on top: items that came, changed or went since it was fitted.

The statistics (idf, topics, what is usual) stay those of the collection that was fitted.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import NamedTuple

import numpy as np

from features.arrays import Bools, Doubles, Ints, Rows, Singles
from features.collection.blobs import ByteStrings, Ids
from features.collection.collection import Built, Collection, Query, Values
from features.collection.digests import DeltaDigests
from features.collection.facets import DeltaFacets
from features.measures.base import plain
from features.profiles.blocks import Block, Lexicon
from features.profiles.profile import Profile
from features.profiles.profile import encode as encode_profile
from ingest.record import Record
from ingest.record import encode as encode_record


class PutItem(NamedTuple):
    """An item that was added or replaced."""

    record: Record
    profile: Profile


class DeltaBlocks:
    """The items that were put since a build, read in few blocks of one lexicon.

    A new block takes in the ones before that are no larger: n items lie in some log n blocks. Replaced and
    deleted profiles stay until they outnumber those that are there; then these are read anew.

    >>> blocks, one, two = DeltaBlocks(), Profile(()), Profile((), ())
    >>> _, (read, places) = blocks.read({b"1": one}), blocks.read({b"1": one, b"2": two})
    >>> [len(block) for block in read], places
    ([2], {b'1': (0, 0), b'2': (0, 1)})
    >>> blocks.read({b"3": one})[1]
    {b'3': (0, 0)}
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        self._blocks: tuple[Block, ...] = ()
        self._keys: tuple[tuple[bytes, ...], ...] = ()
        self._lexicon = Lexicon()

    def read(
        self, profiles: Mapping[bytes, Profile]
    ) -> tuple[tuple[Block, ...], dict[bytes, tuple[int, int]]]:
        """All blocks, and the block and row in them of every profile, by the analysis hash of its record."""
        with self._lock:
            known = {key for keys in self._keys for key in keys}
            new = {key: profile for key, profile in profiles.items() if key not in known}
            if len(known) + len(new) > 2 * len(profiles):
                self._begin()
                new = dict(profiles)
            if new:
                blocks, keys = list(self._blocks), list(self._keys)
                own, added = tuple(new), list(new.values())
                while blocks and len(blocks[-1]) <= len(own):
                    own, added = (*keys.pop(), *own), [*blocks.pop().profiles, *added]
                self._blocks = (*blocks, Block(added, self._lexicon))
                self._keys = (*keys, own)
            places = {key: (n, row) for n, keys in enumerate(self._keys) for row, key in enumerate(keys)}
            return self._blocks, places


class Delta(Collection):
    """A collection as it is after some changes, each by its id: what the item is now, None for deleted.

    ``places`` are those of the rows: a row in ``base``, or -1, -2, ... for the first, second, ... of what was
    put. ``rows`` is the way back, -1 for what is gone.
    """

    def __init__(
        self,
        base: Built,
        changes: Mapping[str, PutItem | None],
        revision: int,
        blocks: DeltaBlocks | None = None,
    ) -> None:
        gone = sorted(row for item in changes if (row := base.ids.find(item)) is not None)
        # the order of code points, as of the rows
        self._put = [put for _, put in sorted(changes.items()) if put is not None]
        # the blocks in which the items were read, and where each is, int[items, 2]
        self._blocks, at = (blocks or DeltaBlocks()).read(
            {put.record.analysis_hash: put.profile for put in self._put}
        )
        self._at = np.array([at[put.record.analysis_hash] for put in self._put], np.intp).reshape(-1, 2)
        self.base, self.changes = base, len(changes)
        put_ids = [put.record.id for put in self._put]
        self.places = _places(base.ids, gone, put_ids)
        self.rows: Rows = np.full(len(base), -1, dtype=np.intp)
        self.rows[self.places[self.stored]] = np.flatnonzero(self.stored)
        ids = Ids(_MergedStrings(base.ids.blobs, self.places, [item.encode() for item in put_ids]))
        manifest = base.manifest.model_copy(update={"items": len(self.places), "revision": revision})
        facets = DeltaFacets(
            base.facets,
            lambda: ((encode_record(put.record), encode_profile(put.profile)) for put in self._put),
            self.places,
        )
        digests = DeltaDigests(base.digests, self.rows, put_ids, np.flatnonzero(~self.stored))
        super().__init__(manifest, base.notice, ids, self._duplicates(), base.columns, facets, digests)

    @property
    def stored(self) -> Bools:
        """Which rows are those of the collection beneath, bool[rows]."""
        mask: Bools = self.places >= 0
        return mask

    def stored_row(self, row: int) -> int | None:
        """As of any collection."""
        at = int(self.places[row])
        return at if at >= 0 else None

    def record_bytes(self, row: int) -> bytes:
        """As of any collection."""
        at = int(self.places[row])
        return self.base.record_bytes(at) if at >= 0 else encode_record(self._put[~at].record)

    def profile_bytes(self, row: int) -> bytes:
        """As of any collection."""
        at = int(self.places[row])
        return self.base.profile_bytes(at) if at >= 0 else encode_profile(self._put[~at].profile)

    def record(self, row: int) -> Record:
        """As of any collection; of an item that was put as it came."""
        at = int(self.places[row])
        return self.base.record(at) if at >= 0 else self._put[~at].record

    def profile(self, row: int) -> Profile:
        """As of any collection; of an item that was put as it came."""
        at = int(self.places[row])
        return self.base.profile(at) if at >= 0 else self._put[~at].profile

    def block(self, rows: Rows) -> Block:
        """As of any collection."""
        places = self.places[rows]
        if (places >= 0).all():
            return self.base.block(places)
        return Block([self.profile(row) for row in rows.tolist()])

    def query(self, row: int) -> Query:
        """As of any collection."""
        at = int(self.places[row])
        if at >= 0:
            return self.base.query(at)
        block, place = self._at[~at].tolist()
        return Query(self._blocks[block], place)

    def compared(self, name: str, query: Query, rows: Rows) -> Doubles:
        """As of any collection: its rows and the items that were put each have a table of their own."""
        places = self.places[rows]
        stored = places >= 0
        values = np.empty(len(places))
        if stored.any():
            values[stored] = self.base.compared(name, query, places[stored])
        column, at = plain(self.columns[name]), np.full((len(places), 2), -1, np.intp)
        at[~stored] = self._at[~places[~stored]]
        for block in np.unique(at[~stored, 0]).tolist():
            own = at[:, 0] == block
            values[own] = column.compare(query.of(column), column.of(self._blocks[block]).at(at[own, 1]))
        return values

    def mapped(
        self,
        query: Query,
        make: Callable[[Values], Singles],
        width: int,
        rows: slice | None = None,
        among: Bools | None = None,
    ) -> Singles:
        """As of any collection: the one beneath is asked for its rows, all of them."""
        values, stored = np.empty((width, len(self)), np.float32), self.stored
        beneath = None
        if among is not None:
            beneath = np.zeros(len(self.base), np.bool_)
            beneath[self.places[stored]] = among[stored]
        values[:, stored] = self.base.mapped(query, make, width, among=beneath)[:, self.places[stored]]
        put = np.flatnonzero(~stored)
        if len(put):
            values[:, put] = make(self.values(query, put, among))
        return values if rows is None else values[:, rows]

    def _duplicates(self) -> Ints:
        """Equal numbers for exact duplicates."""
        groups = np.empty(len(self.places), dtype=np.int32)
        groups[self.stored] = self.base.duplicates[self.places[self.stored]]
        following = int(self.base.duplicates.max(initial=-1)) + 1
        known: dict[bytes, int] = {}
        for row in np.flatnonzero(~self.stored).tolist():
            record = self._put[~self.places[row]].record
            if record.fields_hash not in known:
                same = self.base.same_fields(record)
                known[record.fields_hash] = following if same is None else int(self.base.duplicates[same])
                following += same is None
            groups[row] = known[record.fields_hash]
        return groups


class _MergedStrings:
    """Byte strings of the collection beneath and of what was put, in one order."""

    def __init__(self, base: ByteStrings, places: Rows, own: Sequence[bytes]) -> None:
        self._base, self._places, self._own = base, places, own

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, row: int) -> bytes:
        at = int(self._places[row])
        return self._base[at] if at >= 0 else self._own[~at]


def _places(ids: Sequence[str], gone: Sequence[int], put: Iterable[str]) -> Rows:
    """Where the rows are, merged in the order of the ids: those of ``Delta.places``.

    >>> _places(["a", "b", "d"], [1], ["b", "c", "e"]).tolist()
    [0, -1, -2, 2, -3]
    """
    stored = np.delete(np.arange(len(ids), dtype=np.intp), gone)
    before = [bisect_left(ids, item) for item in put]
    at = [place - bisect_left(gone, place) for place in before]
    return np.insert(stored, np.array(at, dtype=np.intp), [~n for n in range(len(before))])
