"""Many byte strings laid end to end, read where they lie: the ids, records and profiles of a collection."""

import io
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Protocol, overload

import numpy as np

from features.arrays import Arrays, NewArrays


@contextmanager
def scratch(folder: Path) -> Iterator[IO[bytes]]:
    """A file that is gone at the end, also where a full disk does not take the rest of it."""
    file = TemporaryFile(dir=folder)  # noqa: SIM115 - where closing it fails, a write has failed before
    try:
        yield file
    finally:
        with suppress(OSError):
            file.close()


class BlobsBuilder:
    """Collects byte strings in a file, or in memory where none is given."""

    def __init__(self, file: IO[bytes] | None = None) -> None:
        self._file = file or io.BytesIO()
        self._ends = array("q")
        self._size = 0

    def add(self, data: bytes) -> None:
        """Take in the next one."""
        self._size += self._file.write(data)
        self._ends.append(self._size)

    def arrays(self, name: str) -> NewArrays:
        """The bytes end to end, and where each ends, for :class:`Blobs`."""
        self._file.flush()
        data = np.empty(0, np.uint8)
        if isinstance(self._file, io.BytesIO):
            data = np.frombuffer(self._file.getvalue(), np.uint8)
        elif self._size:  # a file of no byte cannot be mapped
            data = np.memmap(self._file, np.uint8, "r")
        return {f"{name}.npy": data, f"{name}.ends.npy": np.array(self._ends, np.int64)}


class Blobs:
    """Reads what :class:`BlobsBuilder` wrote.

    >>> builder = BlobsBuilder()
    >>> builder.add(b"sea"), builder.add(b""), builder.add(b"ship")
    (None, None, None)
    >>> texts = Blobs(builder.arrays("texts"), "texts")
    >>> len(texts), texts[0], texts[1], texts[2]
    (3, b'sea', b'', b'ship')
    """

    def __init__(self, arrays: Arrays, name: str) -> None:
        # asarray neither copies nor reads: memory-mapped arrays stay on disk
        self._data = np.asarray(arrays[f"{name}.npy"], np.uint8)
        self._ends = np.asarray(arrays[f"{name}.ends.npy"], np.int64)

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, row: int) -> bytes:
        start = int(self._ends[row - 1]) if row else 0
        return self._data[start : int(self._ends[row])].tobytes()


class ByteStrings(Protocol):
    """Byte strings by their place."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int) -> bytes: ...


class Ids(Sequence[str]):
    """Ids in the order of their code points, which is that of their UTF-8; read where they lie.

    Equal to any sequence of the same ids.

    >>> builder = BlobsBuilder()
    >>> for one in ("cmoa:1", "tate:2", "tna:3"):
    ...     builder.add(one.encode())
    >>> ids = Ids(Blobs(builder.arrays("ids"), "ids"))
    >>> ids[1], ids[-2:], ids.find("tna:3"), ids.find("tna:4")
    ('tate:2', ('tate:2', 'tna:3'), 2, None)
    """

    def __init__(self, blobs: ByteStrings) -> None:
        self.blobs = blobs

    def __len__(self) -> int:
        return len(self.blobs)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[str, ...]: ...

    def __getitem__(self, at: int | slice) -> str | tuple[str, ...]:
        places = range(len(self))[at]
        if isinstance(places, range):
            return tuple(self.blobs[row].decode() for row in places)
        return self.blobs[places].decode()

    def __iter__(self) -> Iterator[str]:
        return (self.blobs[row].decode() for row in range(len(self)))

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and self.find(item) is not None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def find(self, item: str) -> int | None:
        """The row of an id; None where there is none."""
        # what is no text is no id either
        wanted = item.encode(errors="surrogatepass")
        row = bisect_left(range(len(self)), wanted, key=self.blobs.__getitem__)
        return row if row < len(self) and self.blobs[row] == wanted else None
