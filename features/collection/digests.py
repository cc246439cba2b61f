"""Digests of ids: few bytes that stand for an item where its id is too long, and the way back to the row."""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from features.arrays import Array, Hashes, Longs, NewArrays

BYTES: Final = 5
"""Bytes of a digest: one of 160,000 items is taken for another of 500 once in 10,000 times."""


def digest(item: str) -> bytes:
    """What stands for an id.

    >>> digest("tate:A00001").hex()
    '9fea7b72d6'
    """
    return hashlib.blake2b(item.encode(), digest_size=BYTES).digest()


class Digests(Protocol):
    """The digests of the ids of some items."""

    def rows(self, digests: bytes) -> Longs:
        """The rows of digests that stand end to end, ascending; those that no item has count for nothing."""
        ...


class DigestsBuilder:
    """Collects the digests of ids in row order."""

    def __init__(self) -> None:
        self._found = array("Q")

    def add(self, item: str) -> None:
        """Take in the next id."""
        self._found.append(int.from_bytes(digest(item)))

    def arrays(self) -> NewArrays:
        """What :class:`StoredDigests` reads: the digests as numbers, ascending, with their rows."""
        found = np.array(self._found, dtype=np.uint64)
        order = np.argsort(found, kind="stable")
        return {"digests.npy": found[order], "digests-rows.npy": order.astype(np.int32)}


class StoredDigests:
    """The digests of a collection, read where they lie.

    >>> builder = DigestsBuilder()
    >>> for item in ("a:1", "b:2", "c:3"):
    ...     builder.add(item)
    >>> StoredDigests(builder.arrays()).rows(digest("c:3") + digest("x") + digest("a:1")).tolist()
    [0, 2]
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._sorted = np.asarray(arrays["digests.npy"], np.uint64)
        self._rows = np.asarray(arrays["digests-rows.npy"], np.int32)

    def rows(self, digests: bytes) -> Longs:
        """See :class:`Digests`."""
        wanted = _numbers(digests)
        first = np.searchsorted(self._sorted, wanted, "left")
        last = np.searchsorted(self._sorted, wanted, "right")
        found = [self._rows[a:b] for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        return np.sort(np.concatenate([np.empty(0, np.int64), *found]))


class DeltaDigests:
    """The digests of a collection with changes on top.

    ``now`` says where each row of ``base`` is now, -1 for what is gone; ``put`` gives the ids that were put,
    ``own`` their rows.
    """

    def __init__(self, base: Digests, now: Longs, put: Callable[[], Iterable[str]], own: Longs) -> None:
        self._base, self._now, self._put, self._own = base, now, put, own

    @cached_property
    def _digests(self) -> StoredDigests:
        builder = DigestsBuilder()
        for item in self._put():
            builder.add(item)
        return StoredDigests(builder.arrays())

    def rows(self, digests: bytes) -> Longs:
        """See :class:`Digests`."""
        stayed = self._now[self._base.rows(digests)]
        return np.sort(np.concatenate([stayed[stayed >= 0], self._own[self._digests.rows(digests)]]))


def _numbers(digests: bytes) -> Hashes:
    found = [int.from_bytes(digests[at : at + BYTES]) for at in range(0, len(digests), BYTES)]
    return np.unique(np.array(found, dtype=np.uint64))
