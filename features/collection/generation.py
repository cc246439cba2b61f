"""Generations: how a collection lies on disk, whole or not at all.

A *generation* is a folder (see ``ingest.storage.folders``) with the arrays of a collection and a manifest
that names the file of each array, and the size and sha256 of each file. Files are named by their content:
arrays that are equal, such as the words of features over one scope, lie there once.
"""

import json
import logging
import os
from collections.abc import Container, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from features.arrays import Array, NewArrays
from features.measures.base import needed
from features.measures.registry import FeatureSettings
from ingest.errors import CollectionMissing, DamagedArtefact
from ingest.storage.files import FileMark, fits, name_by_content, writing
from ingest.storage.folders import MANIFEST, generation_name, pointed, switch

FORMAT = 4
_LOG = logging.getLogger(__name__)
_THREADS = 8


class GenerationManifest(BaseModel):
    """What a generation holds and what it was made from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    items: int
    revision: int
    pipeline: str
    features: dict[str, FeatureSettings]
    versions: dict[str, int] = Field({}, description="the version of the measure of each feature")
    arrays: dict[str, str] = {}
    files: dict[str, FileMark] = {}

    def stale(self, features: Mapping[str, FeatureSettings]) -> tuple[str, ...]:
        """The features that it lacks, or has by other settings or by another version of their measure."""
        return tuple(
            name
            for name, settings in features.items()
            if self.features.get(name) != settings or self.versions.get(name) != settings.VERSION
        )

    def usable(self) -> dict[str, FeatureSettings]:
        """The features whose arrays are of the versions that their measures have now, parts included."""
        usable: dict[str, FeatureSettings] = {}
        for name in needed(tuple(self.features), self.features):
            settings = self.features[name]
            current = self.versions.get(name) == settings.VERSION
            if current and all(part in usable for part in settings.made_of):
                usable[name] = settings
        return usable


class OpenedGeneration(NamedTuple):
    """A generation that was read; ``notice`` is empty, or says why it is not the current one."""

    folder: Path
    manifest: GenerationManifest
    arrays: NewArrays
    notice: str


class ArrayFile(NamedTuple):
    """An array by its name, and the file that holds it; ``feature`` is whose it is, None for the items'."""

    name: str
    file: str
    known: FileMark

    @property
    def feature(self) -> str | None:
        """The feature whose array it is, None for those of the items themselves."""
        return self.name.rpartition("-")[0] or None


def store(folder: Path, arrays: NewArrays) -> Iterator[ArrayFile]:
    """Write arrays in the folder of a generation that was begun, as several processes may at once."""
    path = folder / f".array-{os.getpid()}"
    for name, array in arrays.items():
        with writing(folder.parent):
            with path.open("wb") as file:
                np.save(file, array, allow_pickle=False)
            stored = ArrayFile(name, *name_by_content(path, ".npy"))
        yield stored


def keep(before: OpenedGeneration, folder: Path, without: Container[str]) -> Iterator[ArrayFile]:
    """Take over the arrays of an earlier generation but for those of some features; nothing is copied."""
    for name, file in before.manifest.arrays.items():
        stored = ArrayFile(name, file, before.manifest.files[file])
        if stored.feature not in without:
            with writing(folder.parent):
                if not (folder / file).exists():
                    (folder / file).hardlink_to(before.folder / file)
            yield stored


def finish(folder: Path, manifest: GenerationManifest, stored: Iterable[ArrayFile]) -> None:
    """Make the files that were stored, which ``manifest`` still lacks, the current generation."""
    arrays = list(stored)
    names = {array.name: array.file for array in arrays}
    files = {array.file: array.known for array in arrays}
    text = manifest.model_copy(update={"arrays": names, "files": files})
    switch(folder.parent, folder, text.model_dump_json(indent=1).encode(), _is_whole)


def read(root: Path) -> OpenedGeneration:
    """The current generation under ``root``, its arrays memory-mapped, after checking every checksum.

    Where that is damaged, the last one that is whole. Raises ``CollectionMissing`` where there is none
    at all and ``DamagedArtefact`` where files were cut, altered or are of another format.
    """
    name = _pointed(root)
    try:
        return OpenedGeneration(root / name, *_read(root / name), "")
    except DamagedArtefact as error:
        others = [folder for folder in root.glob("generation-*") if folder.name != name]
        for folder in sorted(others, key=lambda folder: folder.stat().st_mtime, reverse=True):
            with suppress(DamagedArtefact):
                manifest, arrays = _read(folder)
                # a notice is shown to users, where files lie is not
                notice = (
                    "the collection that was built last is damaged; run: kindred build. Until then the"
                    f" collection of revision {manifest.revision} answers"
                )
                _LOG.warning("%s (%s)", notice, error.detail)
                return OpenedGeneration(folder, manifest, arrays, notice)
        raise


def _pointed(root: Path) -> str:
    if (name := pointed(root)) is None:
        raise CollectionMissing(f"no collection is built in {root}; ingest records, then run: kindred build")
    return name


def unchecked_manifest(root: Path) -> GenerationManifest | None:
    """The manifest of the current generation under ``root``, its files unchecked; None for none."""
    try:
        return _read_manifest(root / _pointed(root) / MANIFEST)
    except (CollectionMissing, DamagedArtefact):
        return None


def _is_whole(folder: Path) -> bool:
    try:
        _read(folder)
    except DamagedArtefact:
        return False
    return True


def _read(folder: Path) -> tuple[GenerationManifest, NewArrays]:
    manifest = _read_manifest(folder / MANIFEST)
    # the largest first, so that no thread is left with it at the end; hashing frees the interpreter's lock
    names = sorted(manifest.files, key=lambda name: -manifest.files[name].bytes)
    with ThreadPoolExecutor(_THREADS) as threads:
        for _ in threads.map(lambda name: _check(folder / name, manifest.files[name]), names):
            pass
    # not in the threads: numpy parses the head of a file with ast, of which Python 3.11 can do one at a time
    files = {name: _map(folder / name) for name in names}
    try:
        return manifest, {name: files[file] for name, file in manifest.arrays.items()}
    except KeyError as error:
        raise DamagedArtefact(f"{folder / MANIFEST} names no file {error}; run: kindred build") from error


def _read_manifest(path: Path) -> GenerationManifest:
    try:
        text = path.read_bytes()
        data = json.loads(text)
        kind = data.get("format") if isinstance(data, dict) else None
        if kind != FORMAT:
            raise DamagedArtefact(f"{path} is of format {kind}, not {FORMAT}; run: kindred build")
        if generation_name(text) != path.parent.name:
            raise DamagedArtefact(f"{path} does not fit its checksum; run: kindred build")
        return GenerationManifest.model_validate(data)
    except (OSError, ValueError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error


def _check(path: Path, known: FileMark) -> None:
    if not path.is_file() or not fits(path, known):
        raise DamagedArtefact(f"{path} does not fit its checksum; build the collection anew: kindred build")


def _map(path: Path) -> Array:
    try:
        array: Array = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error
    return array
