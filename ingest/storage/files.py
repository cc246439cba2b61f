"""Files written whole or not at all, locks between processes, and errors for what cannot be written.

A file is written aside in its own folder, synced, and renamed into place; then the folder is synced too.
So a reader sees one whole file or the next, and a kill or a power cut leaves the one before.
"""

import errno
import fcntl
import hashlib
import os
import struct
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Final, TypeAlias

from pydantic import BaseModel

from ingest.errors import KindredError, UnwritableState, UsageError

ASIDE: Final = ".aside"
"""How the name of a file ends while it is written; a run that was killed leaves it so."""

BAD_ZIP: Final = (zipfile.BadZipFile, UnicodeDecodeError, struct.error, zlib.error)
"""What :mod:`zipfile` raises of an archive that is none, or whose names or headers are damaged."""

_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN: Final = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_FOLDER: Final = (errno.ENOTDIR, errno.EEXIST)

WriteRefusal: TypeAlias = Callable[[Path, OSError], KindredError]
"""Makes one of our errors of a path that could not be written and the error of the system."""


class FileMark(BaseModel, frozen=True, extra="forbid"):
    """Size and checksum of a file, as a manifest has them."""

    bytes: int
    sha256: str


def mark(path: Path) -> FileMark:
    """Size and checksum of a file."""
    with path.open("rb") as file:
        return FileMark(bytes=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def fits(path: Path, known: FileMark) -> bool:
    """Whether a file has the size and the checksum that are known of it; the size is looked at first."""
    return path.stat().st_size == known.bytes and mark(path) == known


def unwritable(path: Path, error: OSError) -> KindredError:
    """The error for a file or folder of Kindred's own state."""
    if error.errno in _FULL:
        remedy = "free some space on its disk"
    elif error.errno in _FORBIDDEN:
        remedy = "let this user write there, or name another folder under state.directory,"
    elif error.errno in _NO_FOLDER:
        remedy = "move the file that stands where a folder should be, or name a folder under state.directory,"
    else:
        remedy = "mend that"
    why = error.strerror or str(error)
    return UnwritableState(
        f"{path} cannot be written ({why}); {remedy} and repeat: what was there before is kept"
    )


def unwritable_output(path: Path, error: OSError) -> KindredError:
    """The error for a file that the user named."""
    return UsageError(f"{path} cannot be written: {error.strerror or error}; name another file")


@contextmanager
def writing(path: Path, refusal: WriteRefusal = unwritable) -> Iterator[None]:
    """Raise an ``OSError`` in the block, which only writes at or under ``path``, as one of our errors."""
    try:
        yield
    except OSError as error:
        raise refusal(path, error) from error


def make_folder(folder: Path, refusal: WriteRefusal = unwritable) -> None:
    """Make a folder and those above it, unless it is there."""
    with writing(folder, refusal):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def written_aside(path: Path, refusal: WriteRefusal = unwritable) -> Iterator[Path]:
    """Gives the path of a file to write in the block, which is synced and moved to ``path`` at its end.

    Where the block raises, ``path`` stays as it was. Threads and processes may write the same file at once:
    the last one to end stays.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}{ASIDE}")
    with writing(path, refusal):
        aside.unlink(missing_ok=True)  # a run that was killed may have left it, with another mode
    try:
        yield aside
        with writing(path, refusal):
            with aside.open("rb") as file:
                os.fsync(file.fileno())
            aside.replace(path)
            sync(path.parent)
    finally:
        aside.unlink(missing_ok=True)


@contextmanager
def whole_file(
    path: Path, refusal: WriteRefusal = unwritable, *, private: bool = False
) -> Iterator[BinaryIO]:
    """A file to write, as by ``written_aside``; a ``private`` one is its owner's alone to read."""
    with written_aside(path, refusal) as aside:
        with writing(path, refusal):
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            file = os.fdopen(os.open(aside, flags, 0o600 if private else 0o666), "wb")
        with file:
            yield file
            with writing(path, refusal):
                file.flush()


def write_whole(path: Path, data: bytes, refusal: WriteRefusal = unwritable) -> None:
    """Write a file whole; raises what ``refusal`` makes of the system's error."""
    with writing(path, refusal), whole_file(path, refusal) as file:
        file.write(data)


def name_by_content(path: Path, suffix: str) -> tuple[str, FileMark]:
    """Name a file that was written aside after its sha256, in its own folder; gives the name and its mark.

    Where a file of that name is there, which is then equal, this one is removed. Several processes may do
    so at once.
    """
    known = mark(path)
    target = path.with_name(f"{known.sha256[:32]}{suffix}")
    if target.exists():
        path.unlink()
    else:
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.rename(target)
    return target.name, known


def sync(folder: Path) -> None:
    """Make renames in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(path: Path, busy: str = "") -> Iterator[IO[bytes]]:
    """The file, open and locked until it and its copies in other processes are closed.

    It is made where it is missing, and its folder with it. Where another process has the lock this waits, or
    raises ``UsageError`` with the sentence ``busy`` where one is given. The kernel frees the lock of a
    process that was killed. Raises ``UnwritableState`` where the file cannot be made.
    """
    make_folder(path.parent)
    with writing(path):
        file = path.open("a+b")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
        except BlockingIOError:
            if not busy:
                raise
            # one of its own for each time: an error that is raised again and again holds on to all that was
            # under way each time, by its traceback
            raise UsageError(busy) from None
        yield file
