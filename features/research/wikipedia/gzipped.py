"""Reads a gzipped file once from front to end, counting and digesting what passes."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from ingest.errors import UnreadableFile

Advance = Callable[[float], None]
"""Called with the number of compressed bytes that were read since the last call."""

LONGEST_LINE = 1 << 28
"""Bytes of a line: dumps have some million, so that memory stays bounded whatever a file holds."""

_STEP = 1 << 20


class Gzipped:
    """The lines of a ``.gz`` file, and its checksum once they were all read."""

    def __init__(self, path: Path, advance: Advance) -> None:
        self.path = path
        self._advance = advance
        self._digest = hashlib.sha256()
        self._passed = 0

    @property
    def sha256(self) -> str:
        """The checksum of the compressed bytes read so far."""
        return self._digest.hexdigest()

    def lines(self) -> Iterator[bytes]:
        """Every line with its end; raises ``UnreadableFile`` where the file is missing or damaged."""
        try:
            with _Counted(self.path, self._count) as raw, gzip.open(raw) as text:
                while line := text.readline(LONGEST_LINE):
                    if len(line) == LONGEST_LINE:
                        raise UnreadableFile(f"{self.path} has a line of over {LONGEST_LINE:,} bytes")
                    yield line
        except FileNotFoundError:
            raise UnreadableFile(f"{self.path} is missing") from None
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise UnreadableFile(f"{self.path} is cut short or damaged ({error}); fetch it again") from error

    def _count(self, data: bytes) -> None:
        self._digest.update(data)
        self._passed += len(data)
        if self._passed >= _STEP or not data:
            self._advance(self._passed)
            self._passed = 0


class _Counted(io.BufferedReader):
    """A file that shows every block read of it."""

    def __init__(self, path: Path, show: Callable[[bytes], None]) -> None:
        super().__init__(io.FileIO(path))
        self._show = show

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self._show(data)
        return data
