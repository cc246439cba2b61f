"""Folders of arrays on disk, each whole or not there at all: what every kept artefact is made of.

A *generation* is a folder with files and a manifest, named by the digest of the manifest. It is
written aside under its root, synced and renamed, and only then does the pointer file ``current``
name it, so that a reader sees one whole generation or the next, and a kill at any moment leaves
the previous one in place.
"""

import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ingest.errors import UnwritableState

MANIFEST = "manifest.json"
_CURRENT = "current"

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)
_NO_FOLDER = (errno.EEXIST, errno.ENOTDIR)


class FileMark(BaseModel):
    """What the manifest knows of one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int
    sha256: str


def mark(path: Path) -> FileMark:
    """Size and checksum of a file."""
    with path.open("rb") as file:
        return FileMark(bytes=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def generation_name(manifest: bytes) -> str:
    """The name of the folder of a generation with this manifest."""
    return f"generation-{hashlib.sha256(manifest).hexdigest()[:16]}"


def pointed(root: Path) -> str | None:
    """The name of the current generation under ``root``, None where there is none."""
    try:
        # bytes that are no text name a folder that is not there
        return (root / _CURRENT).read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def aside(root: Path) -> Iterator[Path]:
    """A new empty folder under ``root`` to write a generation in; gone at the end unless switched to.

    Waits until no other process writes under ``root``.
    """
    root.mkdir(parents=True, exist_ok=True)
    with _alone(root):
        # nobody else writes now: what lies aside was left by a run that was killed
        for left in root.glob(".aside-*"):
            shutil.rmtree(left)
        folder = root / f".aside-{os.getpid()}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def switch(root: Path, folder: Path, manifest: bytes, whole: Callable[[Path], bool]) -> None:
    """Finish the folder that was written aside with its manifest, and make it the current generation.

    ``whole`` says whether a generation of the same name, if there is one, is intact.
    """
    write_bytes(folder / MANIFEST, manifest)
    sync(folder)
    name = generation_name(manifest)
    target = root / name
    if target.exists() and not whole(target):
        shutil.rmtree(target)
    if not target.exists():
        folder.rename(target)
        sync(root)
    before = pointed(root)
    pointer = root / f".{_CURRENT}"
    write_bytes(pointer, f"{name}\n".encode())
    pointer.replace(root / _CURRENT)
    sync(root)
    for old in root.glob("generation-*"):
        # the one before stays: a reader may have read its name and not yet opened its files
        if old.name not in (name, before):
            shutil.rmtree(old, ignore_errors=True)


def write_through(path: Path) -> None:
    """Make what was written to a file last through a power cut."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file, synced."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Make renames in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """For a block that only writes under ``folder``: what the system refuses becomes ``UnwritableState``.

    >>> try:
    ...     with writing(Path("/data/walks")):
    ...         raise OSError(errno.ENOSPC, "No space left on device")
    ... except UnwritableState as error:
    ...     print(error.detail.partition(";")[0])
    /data/walks cannot be written (No space left on device)
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            remedy = "free some space on its disk"
        elif error.errno in _FORBIDDEN:
            remedy = "let this user write there, or name another folder under state.directory,"
        elif error.errno in _NO_FOLDER:
            remedy = (
                "a file stands where a folder is needed: move it, or name a folder under state.directory,"
            )
        else:
            remedy = "mend that"
        why = error.strerror or str(error)
        raise UnwritableState(
            f"{folder} cannot be written ({why}); {remedy} and repeat: what was there before is kept"
        ) from error


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Wait until no other process writes under ``root``; the kernel frees the lock of a killed one."""
    with (root / ".lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
