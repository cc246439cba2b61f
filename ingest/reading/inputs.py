"""What lies in the files that are named: each file, or each within an archive, to be read more than once."""

import gzip
import io
import lzma
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple, Self, cast

from typing_extensions import Buffer

from ingest.errors import UnreadableFile
from ingest.reading.limits import MIB, Limits, Meter, Metered

TABLES: Final = (".csv", ".tsv", ".tab", ".txt")
BOOKS: Final = (".xlsx", ".ods")
SUFFIXES: Final = (*TABLES, *BOOKS, ".json", ".jsonl", ".ndjson", ".jsonld", ".xml", ".rdf", ".lido", ".mrcx")
"""What is read; each but workbooks also with ``.gz`` behind it, and all of them in archives."""
ARCHIVES: Final = (".zip", ".tar", ".tar.gz", ".tgz")

_ABOUT_OTHERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_IN_MEMORY = 4 * MIB
_PASSED_OVER = ("__MACOSX/", ".DS_Store", "Thumbs.db")
_BUFFER = 1 << 18


class Input(NamedTuple):
    """One file to read: its name, its format (of :data:`SUFFIXES`), and what gives its bytes."""

    name: str
    kind: str
    opened: Callable[[], IO[bytes]]
    position: Callable[[], int]
    """Bytes of the file on the disk that were read so far."""
    meter: Meter


def kind(path: Path) -> str:
    """The format of a file by its name: one of :data:`SUFFIXES` or :data:`ARCHIVES`, if it can be opened.

    Raises:
        UnreadableFile: missing, a directory, or of a suffix that is not read.
    """
    if not path.exists():
        raise UnreadableFile(f"{path} does not exist; check the name")
    if path.is_dir():
        raise UnreadableFile(f"{path} is a directory; name the files in it")
    found = _kind(path.name)
    if found is None:
        known = ", ".join((*SUFFIXES, *ARCHIVES))
        raise UnreadableFile(
            f"{path} is of no known format; rename it to one of {known} (.gz behind it is fine)"
        )
    return found


def _kind(name: str) -> str | None:
    lower = name.lower()
    archive = next((suffix for suffix in ARCHIVES if lower.endswith(suffix)), None)
    if archive:
        return archive
    suffix = PurePosixPath(lower.removesuffix(".gz")).suffix
    return suffix if suffix in SUFFIXES and not (suffix in BOOKS and lower.endswith(".gz")) else None


def inputs(path: Path, limits: Limits) -> Iterator[Input]:
    """The files that a path stands for: itself, or what an archive holds, in its order.

    Raises:
        UnreadableFile: it cannot be opened, or an archive holds what is not read.
    """
    found = kind(path)
    with reading_bytes(str(path)), path.open("rb") as raw:
        size = path.stat().st_size
        if found == ".zip":
            yield from _zipped(path, raw, Meter(str(path), limits, size))
        elif found in ARCHIVES:
            yield from _tarred(path, raw, Meter(str(path), limits, size))
        else:
            packed = path.name.lower().endswith(".gz")
            if found in BOOKS:
                yield Input(str(path), found, lambda: raw, raw.tell, Meter(str(path), limits, size))
                return
            meter = Meter(str(path), limits, size if packed else None)
            yield Input(str(path), found, lambda: _start(raw, meter, packed=packed), raw.tell, meter)


def _start(raw: IO[bytes], meter: Meter, *, packed: bool) -> IO[bytes]:
    raw.seek(0)
    meter.restart()
    inner = cast("IO[bytes]", gzip.GzipFile(fileobj=raw, mode="rb")) if packed else raw
    return _metered(inner, meter)


def _metered(stream: IO[bytes], meter: Meter) -> IO[bytes]:
    return io.BufferedReader(Metered(stream, meter), _BUFFER)


@contextmanager
def reading_bytes(name: str) -> Iterator[None]:
    """For a block that reads a file: what a library says of its bytes is raised as ``UnreadableFile``."""
    try:
        yield
    except EOFError as error:
        raise UnreadableFile(
            f"{name} is cut short: the packed data ends too early; fetch it again"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise UnreadableFile(f"{name} is no sound gzip file ({error}); fetch it again") from error
    except (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, NotImplementedError) as error:
        raise UnreadableFile(f"{name} is no sound archive ({error}); pack or fetch it again") from error
    except MemoryError as error:
        raise UnreadableFile(f"{name} needs more memory than there is; divide it") from error
    except OSError as error:
        raise UnreadableFile(f"{name} cannot be read: {error.strerror or error}") from error


def _zipped(path: Path, raw: IO[bytes], meter: Meter) -> Iterator[Input]:
    with zipfile.ZipFile(raw) as archive:
        _check_number(path, len(archive.infolist()), meter.limits)
        found = False
        for entry in archive.infolist():
            if entry.is_dir() or not _wanted(path, entry.filename):
                continue
            if entry.flag_bits & 1:
                raise UnreadableFile(f"{path}: {entry.filename} is encrypted; unpack it first")
            found = True
            position = entry.header_offset + entry.compress_size
            with archive.open(entry) as stream:
                yield from _member(path, entry.filename, stream, position, meter)
        if not found:
            raise _nothing(path)


class _Member(tarfile.TarInfo):
    """A member of a tar archive; its name is no megabytes long, which would be held in memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """The member that a header tells of."""
        found = super().frombuf(buf, encoding, errors)
        if found.type in _ABOUT_OTHERS and found.size > MIB:
            raise tarfile.ReadError("a header is longer than 1 MiB")
        return found


def _tarred(path: Path, raw: IO[bytes], meter: Meter) -> Iterator[Input]:
    packed = not path.name.lower().endswith(".tar")
    found, number = False, 0
    with tarfile.open(fileobj=_start(raw, meter, packed=packed), mode="r|", tarinfo=_Member) as archive:
        for entry in archive:
            number += 1
            _check_number(path, number, meter.limits)
            archive.members = []  # type: ignore[attr-defined]  # it would keep every one
            if entry.issym() or entry.islnk():
                raise UnreadableFile(f"{path}: {entry.name} is a link; pack the file itself")
            if not entry.isfile() or not _wanted(path, entry.name):
                continue
            stream = archive.extractfile(entry)
            if stream is not None:
                found = True
                yield from _member(path, entry.name, stream, raw.tell(), meter, counted=True)
    if not found:
        raise _nothing(path)


def _nothing(path: Path) -> UnreadableFile:
    return UnreadableFile(f"{path} holds no file of a known format; known are {', '.join(SUFFIXES)}")


def _check_number(path: Path, number: int, limits: Limits) -> None:
    if number > limits.members:
        raise UnreadableFile(f"{path} holds more than {limits.members:,} files; raise ingest.limits.members")


def _wanted(path: Path, name: str) -> bool:
    """Whether a file in an archive is to be read; raises ``UnreadableFile`` for what no program packs."""
    steps = PurePosixPath(name.replace("\\", "/"))
    if steps.is_absolute() or ".." in steps.parts or (len(name) > 1 and name[1] == ":") or "\0" in name:
        raise UnreadableFile(f"{path}: {name!r} names a place outside the archive; pack it again")
    if any(name.startswith(each) or name.endswith(each) for each in _PASSED_OVER) or steps.name.startswith(
        "._"
    ):
        return False
    found = _kind(steps.name)
    if found in ARCHIVES:
        raise UnreadableFile(f"{path}: {name} is an archive within an archive; unpack it first")
    return found is not None


def _member(
    path: Path, name: str, stream: IO[bytes], position: int, meter: Meter, *, counted: bool = False
) -> Iterator[Input]:
    """A file of an archive, copied aside so that it can be read twice."""
    named = f"{path}: {name}"
    found = _kind(PurePosixPath(name).name)
    with tempfile.SpooledTemporaryFile(_IN_MEMORY) as copy:
        with reading_bytes(named):
            inner = (
                cast("IO[bytes]", gzip.GzipFile(fileobj=stream)) if name.lower().endswith(".gz") else stream
            )
            plain = inner is stream and counted
            shutil.copyfileobj(stream if plain else _metered(inner, meter), copy, _BUFFER)

        def opened() -> IO[bytes]:
            copy.seek(0)
            return io.BufferedReader(_Reread(cast("IO[bytes]", copy)), _BUFFER)

        yield Input(named, found or "", opened, lambda: position, meter)


class _Reread(io.RawIOBase):
    """Reads a stream that lives longer than its reader, and was counted when it was made."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0, /) -> int:
        self._stream.seek(place, whence)
        return self._stream.tell()

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer).cast("B")
        data = self._stream.read(len(view))
        view[: len(data)] = data
        return len(data)
