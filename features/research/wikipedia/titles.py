"""Millions of titles in little memory: laid end to end, found by their digest."""

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from features.arrays import Longs


class Titles:
    """Titles by number, in the order they were added, and numbers by title.

    Takes the bytes of the titles and 16 bytes each; 16 more once one was looked for.

    >>> titles = Titles()
    >>> for title in ("Venice", "Bath, Somerset"):
    ...     titles.add(title.encode())
    >>> titles.find([b"Bath, Somerset", b"Bath"]).tolist()
    [1, -1]
    """

    def __init__(self) -> None:
        self._blob = bytearray()
        self._ends = array("q")
        # the digest of one process: it is neither stored nor shown, and every match is compared
        self._digests = array("q")

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: int) -> bytes:
        return bytes(self._blob[self._ends[number - 1] if number else 0 : self._ends[number]])

    def __iter__(self) -> Iterator[bytes]:
        start = 0
        for end in self._ends:
            yield bytes(self._blob[start:end])
            start = end

    def add(self, title: bytes) -> None:
        """Take in the next title; nothing may be added once a title was looked for."""
        self._blob += title
        self._ends.append(len(self._blob))
        self._digests.append(hash(title))

    def find(self, titles: Sequence[bytes]) -> Longs:
        """The numbers of some titles, -1 for one that is not there; of equal ones the first."""
        digests, order = self._sorted
        wanted = np.array([hash(title) for title in titles], np.int64)
        begin = np.searchsorted(digests, wanted)
        end = np.searchsorted(digests, wanted, side="right")
        numbers = np.full(len(wanted), -1, np.int64)
        for place in np.flatnonzero(end > begin).tolist():
            # more than one only for equal digests
            for number in order[begin[place] : end[place]].tolist():
                if self[number] == titles[place]:
                    numbers[place] = number
                    break
        return numbers

    @cached_property
    def _sorted(self) -> tuple[Longs, Longs]:
        digests = np.frombuffer(self._digests, np.int64) if self._digests else np.empty(0, np.int64)
        order = np.argsort(digests, kind="stable")
        return digests[order], order
