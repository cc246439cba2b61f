"""Limits of reading, so that no file can fill the memory, the disk or the day."""

import io
from time import monotonic
from typing import IO

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Buffer

from ingest.errors import UnreadableFile

MIB = 1024 * 1024

_FREE = 32 * MIB  # unpacked before the ratio counts: a small file may be all blanks


class Limits(BaseModel):
    """What one file may cost; a record that is too long costs itself alone where its end is known."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    record: int = Field(
        4 * MIB,
        ge=1000,
        description="bytes that one record, row, line or cell may have; a longer one costs its row, or"
        " the file where its end cannot be known",
    )
    unpacked: int = Field(
        64 * 1024 * MIB, ge=1000, description="bytes that a file or an archive may have once it is unpacked"
    )
    ratio: int = Field(
        200,
        ge=2,
        description="how many times a packed file may grow when it is unpacked, after the first 32 MiB",
    )
    members: int = Field(1_000_000, ge=1, description="files in one archive")
    seconds: float = Field(6 * 3600, gt=0, description="seconds that reading one file may take")


class Meter:
    """What reading one file has cost so far; raises ``UnreadableFile`` where that is too much."""

    def __init__(self, name: str, limits: Limits, packed: int | None = None) -> None:
        """``packed`` is the size of the file on the disk where what is read is unpacked from it."""
        self.name, self.limits = name, limits
        self._packed = packed
        self._read = 0
        self._ends = monotonic() + limits.seconds

    def restart(self) -> None:
        """The file is read from its beginning again."""
        self._read = 0

    def note(self, size: int) -> None:
        """So many bytes more were read."""
        self._read += size
        if self._read > self.limits.unpacked:
            raise UnreadableFile(
                f"{self.name} holds more than {self.limits.unpacked:,} bytes; divide it, or raise"
                " ingest.limits.unpacked"
            )
        if self._packed and self._read > max(_FREE, self._packed * self.limits.ratio):
            raise UnreadableFile(
                f"{self.name} grows more than {self.limits.ratio} times when it is unpacked, as what is made"
                " to fill a memory does; unpack it yourself, or raise ingest.limits.ratio"
            )
        self.tick()

    def tick(self) -> None:
        """Look at the clock."""
        if monotonic() > self._ends:
            raise UnreadableFile(
                f"{self.name} takes more than {self.limits.seconds:g} seconds to read; divide it, or raise"
                " ingest.limits.seconds"
            )


class Metered(io.RawIOBase):
    """A stream whose bytes are counted as they are read.

    >>> io.BufferedReader(Metered(io.BytesIO(b"abc"), Meter("a.csv", Limits()))).read()
    b'abc'
    """

    def __init__(self, stream: IO[bytes], meter: Meter) -> None:
        super().__init__()
        self._stream, self._meter = stream, meter

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        """Fill the buffer; 0 at the end."""
        view = memoryview(buffer).cast("B")
        data = self._stream.read(len(view))
        view[: len(data)] = data
        self._meter.note(len(data))
        return len(data)
