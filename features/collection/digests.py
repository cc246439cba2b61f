"""Digests of ids: few bytes that stand for an item where its id is too long, and the way back to the row."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Protocol

import numpy as np

from features.arrays import Array, Longs, NewArrays

BYTES: Final = 5  # bytes of a digest: one of 160,000 items is taken for another of 500 once in 10,000 times


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


def digest_arrays(ids: Iterable[str]) -> NewArrays:
    """What :class:`StoredDigests` reads: the digests of ids as numbers, ascending, with their rows."""
    digests = np.fromiter((int.from_bytes(digest(item)) for item in ids), np.uint64)
    order = np.argsort(digests, kind="stable")
    return {"digests.npy": digests[order], "digests-rows.npy": order.astype(np.int32)}


class StoredDigests:
    """The digests of a collection, read where they lie.

    >>> digests = StoredDigests(digest_arrays(["a:1", "b:2", "c:3"]))
    >>> digests.rows(digest("c:3") + digest("x") + digest("a:1")).tolist()
    [0, 2]
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._sorted = np.asarray(arrays["digests.npy"], np.uint64)
        self._rows = np.asarray(arrays["digests-rows.npy"], np.int32)

    def rows(self, digests: bytes) -> Longs:
        """See :class:`Digests`."""
        numbers = [int.from_bytes(digests[at : at + BYTES]) for at in range(0, len(digests), BYTES)]
        wanted = np.unique(np.array(numbers, dtype=np.uint64))
        first, last = (np.searchsorted(self._sorted, wanted, side).tolist() for side in ("left", "right"))
        rows = [self._rows[start:end] for start, end in zip(first, last, strict=True)]
        return np.sort(np.concatenate([np.empty(0, np.int64), *rows]))


class DeltaDigests:
    """Digests with changes on top: ``now`` is each row's present one or -1, ``own`` are those of ``put``."""

    def __init__(self, base: Digests, now: Longs, put: Iterable[str], own: Longs) -> None:
        self._base, self._now, self._put, self._own = base, now, put, own

    @cached_property
    def _digests(self) -> StoredDigests:
        return StoredDigests(digest_arrays(self._put))

    def rows(self, digests: bytes) -> Longs:
        """See :class:`Digests`."""
        stayed = self._now[self._base.rows(digests)]
        return np.sort(np.concatenate([stayed[stayed >= 0], self._own[self._digests.rows(digests)]]))
