"""Generations: how a collection lies on disk, whole or not at all.

A *generation* is a folder (see ``features.folders``) with the arrays of a collection and a manifest
that names the size and sha256 of each file.
"""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from features.folders import (
    MANIFEST,
    FileMark,
    aside,
    generation_name,
    mark,
    pointed,
    switch,
    write_array,
    writing,
)
from features.measures import FeatureSettings
from ingest.errors import CollectionMissing, DamagedArtefact

Arrays = dict[str, npt.NDArray[np.generic]]

FORMAT = 2


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
    """Write a generation under ``root`` and switch to it; ``about`` still lacks its files.

    Raises ``UnwritableState`` where the disk is full or the folder may not be written.
    """
    with writing(root), aside(root) as folder:
        files = {name: write_array(folder / name, array) for name, array in arrays.items()}
        text = about.model_copy(update={"files": files}).model_dump_json(indent=1).encode()
        switch(root, folder, text, _whole)


def read(root: Path) -> tuple[Manifest, Arrays]:
    """The current generation under ``root``, its arrays memory-mapped, after checking every checksum.

    Raises ``CollectionMissing`` where there is none and ``DamagedArtefact`` where a file was cut,
    altered or is of another format.
    """
    name = pointed(root)
    if name is None:
        raise CollectionMissing(f"no collection is built in {root}; ingest records, then run: kindred build")
    return _read(root / name)


def current(root: Path) -> Manifest | None:
    """The manifest of the current generation under ``root``, None where there is no whole one."""
    try:
        return read(root)[0]
    except (CollectionMissing, DamagedArtefact):
        return None


def _whole(folder: Path) -> bool:
    try:
        _read(folder)
    except DamagedArtefact:
        return False
    return True


def _read(folder: Path) -> tuple[Manifest, Arrays]:
    manifest = _read_manifest(folder / MANIFEST)
    return manifest, {name: _map(folder / name, known) for name, known in manifest.files.items()}


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


def _map(path: Path, known: FileMark) -> npt.NDArray[np.generic]:
    if not path.is_file() or mark(path) != known:
        raise DamagedArtefact(f"{path} does not fit its checksum; build the collection anew: kindred build")
    try:
        array: npt.NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error
    return array
