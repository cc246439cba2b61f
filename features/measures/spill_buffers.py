"""Numbers set aside in files, so that the memory of a builder does not grow with the records it has seen.

The files have no name, lie in ``TMPDIR``, and are gone with the last array over them.
"""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import Final, Generic, TypeVar
from weakref import finalize

import numpy as np
import numpy.typing as npt

from features.arrays import Array, Integers, Longs

_Number = TypeVar("_Number", bound=np.generic)

_PART: Final = 1 << 20  # numbers that are worked on at once


class SpillBuffer(Generic[_Number]):
    """Rows of numbers, in a file until all are there.

    >>> buffer = SpillBuffer(np.int32, 2)
    >>> buffer.add(np.array([[1, 2], [3, 4]], np.int32)); buffer.add(np.array([[5, 6]], np.int32))
    >>> len(buffer), buffer.whole().tolist()
    (3, [[1, 2], [3, 4], [5, 6]])
    """

    def __init__(self, kind: type[_Number] | np.dtype[_Number], *width: int) -> None:
        self._kind, self._width = np.dtype(kind), width
        self._file = TemporaryFile()  # noqa: SIM115 - it is gone with the buffer; what was mapped stays
        finalize(self, self._file.close)
        self._rows = 0

    def __len__(self) -> int:
        return self._rows

    def add(self, rows: npt.NDArray[_Number]) -> None:
        """Set the next rows aside."""
        self._file.write(np.ascontiguousarray(rows, self._kind).tobytes())
        self._rows += len(rows)

    def whole(self) -> npt.NDArray[_Number]:
        """All rows, mapped from the file; read only."""
        self._file.flush()
        shape = (self._rows, *self._width)
        if 0 in shape:  # a file of no byte cannot be mapped
            return np.empty(shape, self._kind)
        return np.asarray(np.memmap(self._file, self._kind, "r", shape=shape))


def blank(kind: npt.DTypeLike, size: int) -> Array:
    """Zeros in a file, to be written to."""
    if not size:
        return np.zeros(0, kind)
    with TemporaryFile() as file:
        return np.asarray(np.memmap(file, kind, "w+", shape=(size,)))


def smallest(counts: Integers) -> Integers:
    """Numbers of 0 and more in as few bytes as the largest takes.

    >>> [smallest(np.array([1, most])).itemsize for most in (255, 256, 65536)]
    [1, 2, 4]
    """
    kind = np.min_scalar_type(int(counts.max(initial=0)))
    small = blank(kind, len(counts))
    small[:] = counts
    return small.view(kind)


def parts(starts: Longs) -> Iterator[slice]:
    """Rows, so many at once that their entries are few; those of row r begin at ``starts[r]``.

    >>> [(rows.start, rows.stop) for rows in parts(np.array([0, 2 << 20, 2 << 20, (2 << 20) + 5]))]
    [(0, 1), (1, 3)]
    """
    first, beyond = 0, len(starts) - 1
    while first < beyond:
        last = int(np.searchsorted(starts, starts[first] + _PART, side="right")) - 1
        last = min(max(last, first + 1), beyond)
        yield slice(first, last)
        first = last
