"""Generations: how a collection lies on disk, whole or not at all.

A *generation* is a folder with the arrays of a collection and a manifest that names the size and
sha256 of each file; the folder's name holds the digest of the manifest. It is written aside, synced
and renamed, and only then does the pointer file ``current`` name it, so that a reader sees one whole
generation or the next, and a kill at any moment leaves the previous one in place.
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from features.measures import FeatureSettings
from ingest.errors import CollectionMissing, DamagedArtefact

Arrays = dict[str, npt.NDArray[np.generic]]

FORMAT = 1
_CURRENT = "current"
_MANIFEST = "manifest.json"


class FileMark(BaseModel):
    """What the manifest knows of one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a generation holds and what it was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    items: int
    revision: int
    pipeline: str
    features: dict[str, FeatureSettings]
    files: dict[str, FileMark] = {}


def write(root: Path, about: Manifest, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Write a generation under ``root`` and switch to it; ``about`` still lacks its files."""
    root.mkdir(parents=True, exist_ok=True)
    with _alone(root):
        # nobody else writes now: what lies aside was left by a run that was killed
        for left in root.glob(".aside-*"):
            shutil.rmtree(left)
        aside = root / f".aside-{os.getpid()}"
        aside.mkdir()
        try:
            files = {name: _write_array(aside / name, array) for name, array in arrays.items()}
            text = about.model_copy(update={"files": files}).model_dump_json(indent=1).encode()
            _write_bytes(aside / _MANIFEST, text)
            _sync(aside)
            _switch(root, aside, generation_name(text))
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def read(root: Path) -> tuple[Manifest, Arrays]:
    """The current generation under ``root``, its arrays memory-mapped, after checking every checksum.

    Raises ``CollectionMissing`` where there is none and ``DamagedArtefact`` where a file was cut,
    altered or is of another format.
    """
    name = _pointed(root)
    if name is None:
        raise CollectionMissing(f"no collection is built in {root}; ingest records, then run: kindred build")
    return _read(root / name)


def current(root: Path) -> Manifest | None:
    """The manifest of the current generation under ``root``, None where there is no whole one."""
    try:
        return read(root)[0]
    except (CollectionMissing, DamagedArtefact):
        return None


def generation_name(manifest: bytes) -> str:
    """The name of the folder of a generation with this manifest."""
    return f"generation-{hashlib.sha256(manifest).hexdigest()[:16]}"


def _pointed(root: Path) -> str | None:
    try:
        # bytes that are no text name a folder that is not there
        return (root / _CURRENT).read_text(encoding="utf-8", errors="replace").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Wait until no other process writes under ``root``; the kernel frees the lock of a killed one."""
    with (root / ".lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _switch(root: Path, aside: Path, name: str) -> None:
    target = root / name
    if target.exists() and not _whole(target):
        shutil.rmtree(target)
    if not target.exists():
        aside.rename(target)
        _sync(root)
    before = _pointed(root)
    pointer = root / f".{_CURRENT}"
    _write_bytes(pointer, f"{name}\n".encode())
    pointer.replace(root / _CURRENT)
    _sync(root)
    for old in root.glob("generation-*"):
        # the one before stays: a reader may have read its name and not yet opened its files
        if old.name not in (name, before):
            shutil.rmtree(old, ignore_errors=True)


def _whole(folder: Path) -> bool:
    try:
        _read(folder)
    except DamagedArtefact:
        return False
    return True


def _read(folder: Path) -> tuple[Manifest, Arrays]:
    manifest = _read_manifest(folder / _MANIFEST)
    return manifest, {name: _map(folder / name, mark) for name, mark in manifest.files.items()}


def _read_manifest(path: Path) -> Manifest:
    try:
        text = path.read_bytes()
        data = json.loads(text)
        found = data.get("format") if isinstance(data, dict) else None
        if found != FORMAT:
            raise DamagedArtefact(f"{path} is of format {found}, not {FORMAT}; run: kindred build")
        if generation_name(text) != path.parent.name:
            raise DamagedArtefact(f"{path} does not fit its checksum; run: kindred build")
        return Manifest.model_validate(data)
    except (OSError, ValueError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error


def _map(path: Path, mark: FileMark) -> npt.NDArray[np.generic]:
    if not path.is_file() or _mark(path) != mark:
        raise DamagedArtefact(f"{path} does not fit its checksum; build the collection anew: kindred build")
    try:
        array: npt.NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error
    return array


def _mark(path: Path) -> FileMark:
    with path.open("rb") as file:
        return FileMark(bytes=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def _write_array(path: Path, array: npt.NDArray[np.generic]) -> FileMark:
    with path.open("wb") as file:
        np.save(file, array, allow_pickle=False)
        file.flush()
        os.fsync(file.fileno())
    return _mark(path)


def _write_bytes(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync(folder: Path) -> None:
    """Make renames in a folder last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
