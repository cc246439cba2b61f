"""Numbers that a builder sets aside, so that its memory does not grow with the records that it has seen."""

from tempfile import TemporaryFile
from typing import Generic, TypeVar
from weakref import finalize

import numpy as np
import numpy.typing as npt

_Number = TypeVar("_Number", bound=np.generic)


class Pile(Generic[_Number]):
    """Rows of numbers, in a file without a name until all are there.

    The file lies in the folder for temporary files of the system (``TMPDIR``).

    >>> pile = Pile(np.int32, 2)
    >>> pile.add(np.array([[1, 2], [3, 4]], np.int32)); pile.add(np.array([[5, 6]], np.int32))
    >>> len(pile), pile.whole().tolist()
    (3, [[1, 2], [3, 4], [5, 6]])
    """

    def __init__(self, kind: type[_Number], *width: int) -> None:
        self._kind, self._width = np.dtype(kind), width
        self._file = TemporaryFile()  # noqa: SIM115 - it is gone with the pile; what was mapped stays
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
        return np.memmap(self._file, self._kind, "r", shape=shape)
