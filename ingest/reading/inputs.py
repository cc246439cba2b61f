"""The files that a path stands for: itself, or each in an archive; they can be read more than once.

A meter counts what reading costs, so that no file can fill the memory, the disk or the day.
"""

import gzip
import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import IO, Final, NamedTuple, Self, cast

from ingest.errors import UnreadableFile
from ingest.reading.encodings import BUFFER, buffered
from ingest.reading.settings import MIB, Limits
from ingest.storage.files import BAD_ZIP

TABLES: Final = (".csv", ".tsv", ".tab", ".txt")
BOOKS: Final = (".xlsx", ".ods")
_JSON: Final = (".json", ".jsonl", ".ndjson", ".jsonld")
_XML: Final = (".xml", ".rdf", ".lido", ".mrcx", ".marcxml", ".mods", ".ead", ".tei", ".edm")
SUFFIXES: Final = (*TABLES, *BOOKS, *_JSON, *_XML)
"""What is read; each but workbooks also with ``.gz`` behind it, and all of them in archives."""
ARCHIVES: Final = (".zip", ".tar", ".tar.gz", ".tgz")

_HEADERS_OF_MEMBERS: Final = (
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
)
_IN_MEMORY: Final = 4 * MIB
_UNCOUNTED: Final = 32 * MIB  # unpacked before the ratio counts: a small file may be all blanks
_PASSED_OVER: Final = ("__MACOSX/", ".DS_Store", "Thumbs.db")


class Meter:
    """What reading one file has cost so far; raises ``UnreadableFile`` where that is too much."""

    def __init__(self, name: str, limits: Limits, packed: int | None = None) -> None:
        """``packed`` is the size of the file on the disk where what is read is unpacked from it."""
        self.name, self.limits = name, limits
        self._packed, self._read = packed, 0
        self._ends = monotonic() + limits.seconds

    def restart(self) -> None:
        """Count from the beginning of the file again."""
        self._read = 0

    def note(self, size: int) -> None:
        """Count so many bytes that were read."""
        self._read += size
        if self._read > self.limits.unpacked:
            raise UnreadableFile(
                f"{self.name} holds more than {self.limits.unpacked:,} bytes; divide it, or raise"
                " ingest.limits.unpacked"
            )
        if self._packed and self._read > max(_UNCOUNTED, self._packed * self.limits.ratio):
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


def metered(stream: IO[bytes], meter: Meter) -> IO[bytes]:
    """The stream, whose bytes are counted as they are read."""

    def read(size: int) -> bytes:
        data = stream.read(size)
        meter.note(len(data))
        return data

    return buffered(read)


class Input(NamedTuple):
    """One file to read: its name, its format (of :data:`SUFFIXES`), and what gives its bytes."""

    name: str
    kind: str
    opened: Callable[[], IO[bytes]]
    position: Callable[[], int]  # bytes of the file on the disk that were read so far
    meter: Meter


def kind(path: Path) -> str:
    """The format of a file by its name: one of :data:`SUFFIXES` or :data:`ARCHIVES`.

    Raises ``UnreadableFile`` where it is missing, a directory, or of a suffix that is not read.
    """
    if not path.exists():
        raise UnreadableFile(f"{path} does not exist; check the name")
    if path.is_dir():
        raise UnreadableFile(f"{path} is a directory; name the files in it")
    suffix = _kind(path.name)
    if suffix is None:
        known = f"{', '.join((*SUFFIXES, *ARCHIVES))} (.gz behind it is fine)"
        raise UnreadableFile(f"{path} is of no known format; rename it to one of {known}")
    return suffix


def _kind(name: str) -> str | None:
    lower = name.lower()
    if archive := next((suffix for suffix in ARCHIVES if lower.endswith(suffix)), None):
        return archive
    suffix = PurePosixPath(lower.removesuffix(".gz")).suffix
    return suffix if suffix in SUFFIXES and not (suffix in BOOKS and lower.endswith(".gz")) else None


def inputs(path: Path, limits: Limits) -> Iterator[Input]:
    """The files that a path stands for: itself, or what an archive holds, in its order.

    Raises ``UnreadableFile`` where it cannot be opened, or an archive holds what is not read.
    """
    suffix = kind(path)
    with reading_bytes(str(path)), path.open("rb") as raw:
        size = path.stat().st_size
        packed = suffix in ARCHIVES or path.name.lower().endswith(".gz")
        meter = Meter(str(path), limits, size if packed or suffix in BOOKS else None)
        if suffix in ARCHIVES:
            empty = True
            for given in _zipped(path, raw, meter) if suffix == ".zip" else _tarred(path, raw, meter):
                empty = False
                yield given
            if empty:
                known = ", ".join(SUFFIXES)
                raise UnreadableFile(f"{path} holds no file of a known format; known are {known}")
        elif suffix in BOOKS:
            yield Input(str(path), suffix, lambda: raw, raw.tell, meter)
        else:
            yield Input(str(path), suffix, lambda: _start(raw, meter, packed=packed), raw.tell, meter)


def _start(raw: IO[bytes], meter: Meter, *, packed: bool) -> IO[bytes]:
    raw.seek(0)
    meter.restart()
    return metered(cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb")) if packed else raw, meter)


@contextmanager
def reading_bytes(name: str) -> Iterator[None]:
    """Raise what libraries say of a file's bytes in the block as ``UnreadableFile``."""
    try:
        yield
    except EOFError as error:
        raise UnreadableFile(
            f"{name} is cut short: the packed data ends too early; fetch it again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFile(f"{name} is no sound gzip file ({error}); fetch it again") from error
    except (*BAD_ZIP, tarfile.TarError, lzma.LZMAError, NotImplementedError) as error:
        raise UnreadableFile(f"{name} is no sound archive ({error}); pack or fetch it again") from error
    except MemoryError as error:
        raise UnreadableFile(f"{name} needs more memory than there is; divide it") from error
    except OSError as error:
        raise UnreadableFile(f"{name} cannot be read: {error.strerror or error}") from error


def _zipped(path: Path, raw: IO[bytes], meter: Meter) -> Iterator[Input]:
    with zipfile.ZipFile(raw) as archive:
        _check_number(path, len(archive.infolist()), meter.limits)
        for entry in archive.infolist():
            # ZipInfo.is_dir fails on an entry without a name
            if entry.filename.endswith("/") or not _wanted(path, entry.filename):
                continue
            if entry.flag_bits & 1:
                raise UnreadableFile(f"{path}: {entry.filename} is encrypted; unpack it first")
            position = entry.header_offset + entry.compress_size
            with archive.open(entry) as stream:
                yield from _member(path, entry.filename, stream, position, meter)


class _Member(tarfile.TarInfo):
    """A member of a tar archive; its name is no megabytes long, which would fill the memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """The member that a header describes."""
        member = super().frombuf(buf, encoding, errors)
        if member.type in _HEADERS_OF_MEMBERS and member.size > MIB:
            raise tarfile.ReadError("a header is longer than 1 MiB")
        return member


def _tarred(path: Path, raw: IO[bytes], meter: Meter) -> Iterator[Input]:
    packed = not path.name.lower().endswith(".tar")
    with tarfile.open(fileobj=_start(raw, meter, packed=packed), mode="r|", tarinfo=_Member) as archive:
        for number, entry in enumerate(archive, 1):
            _check_number(path, number, meter.limits)
            archive.members = []  # type: ignore[attr-defined]  # it would store every one
            if entry.issym() or entry.islnk():
                raise UnreadableFile(f"{path}: {entry.name} is a link; pack the file itself")
            if not entry.isfile() or not _wanted(path, entry.name):
                continue
            stream = archive.extractfile(entry)
            if stream is not None:
                yield from _member(path, entry.name, stream, raw.tell(), meter, counted=True)


def _check_number(path: Path, number: int, limits: Limits) -> None:
    if number > limits.members:
        raise UnreadableFile(f"{path} holds more than {limits.members:,} files; raise ingest.limits.members")


def _wanted(path: Path, name: str) -> bool:
    """Whether a file in an archive is to be read; raises ``UnreadableFile`` for what no program packs."""
    steps = PurePosixPath(name.replace("\\", "/"))
    if steps.is_absolute() or ".." in steps.parts or (len(name) > 1 and name[1] == ":") or "\0" in name:
        raise UnreadableFile(f"{path}: {name!r} names a place outside the archive; pack it again")
    if name.startswith(_PASSED_OVER) or name.endswith(_PASSED_OVER) or steps.name.startswith("._"):
        return False
    suffix = _kind(steps.name)
    if suffix in ARCHIVES:
        raise UnreadableFile(f"{path}: {name} is an archive within an archive; unpack it first")
    return suffix is not None


def _member(
    path: Path, name: str, stream: IO[bytes], position: int, meter: Meter, *, counted: bool = False
) -> Iterator[Input]:
    """A file of an archive, copied aside so that it can be read twice."""
    full_name = f"{path}: {name}"
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as copy:
        with reading_bytes(full_name):
            if name.lower().endswith(".gz"):
                inner = metered(cast("IO[bytes]", gzip.GzipFile(fileobj=stream)), meter)
            else:
                inner = stream if counted else metered(stream, meter)
            shutil.copyfileobj(inner, copy, BUFFER)

        def opened() -> IO[bytes]:
            copy.seek(0)
            return cast("IO[bytes]", copy)

        yield Input(full_name, _kind(PurePosixPath(name).name) or "", opened, lambda: position, meter)
