"""Collection: the fitted feature columns of all items, whole and memory-mapped.

One build writes one *generation*: a folder with the arrays of every column, the records, the
profiles and a manifest with the size and sha256 of each file. A generation is written aside,
synced and renamed, and only then does the pointer file ``current`` name it, so that a reader sees
one whole generation or the next, and a kill at any moment leaves the previous one in place.
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from features.measures import FeatureSettings
from features.measures.base import Column, Scores
from features.profile import Profile
from features.profile import decode as decode_profile
from ingest.errors import CollectionMissing, DamagedArtefact, UnknownItem
from ingest.record import Record
from ingest.record import decode as decode_record
from ingest.record import encode as encode_record

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

    format: int
    items: int
    revision: int
    pipeline: str
    features: dict[str, FeatureSettings]
    files: dict[str, FileMark]


class Item(NamedTuple):
    """What :func:`build` needs of an item: its record and its encoded profile."""

    record: Record
    profile: bytes


def build(
    root: Path,
    items: Iterable[Item],
    features: Mapping[str, FeatureSettings],
    *,
    revision: int,
    pipeline: str,
    advance: Callable[[int], None] = lambda _: None,
) -> "Collection":
    """Fit every feature on ``items`` (in id order), write a new generation and switch to it.

    ``revision`` and ``pipeline`` say which catalogue state and which language pipeline it stands
    for. ``advance`` is called with the number of items read since the last call.
    """
    root.mkdir(parents=True, exist_ok=True)
    aside = Path(mkdtemp(prefix=".aside-", dir=root))
    try:
        arrays, count = _fit(items, features, advance)
        marks = {name: _write(aside / name, array) for name, array in arrays.items()}
        manifest = Manifest(
            format=FORMAT,
            items=count,
            revision=revision,
            pipeline=pipeline,
            features=dict(features),
            files=marks,
        )
        text = manifest.model_dump_json(indent=1).encode()
        _write_bytes(aside / _MANIFEST, text)
        name = f"generation-{hashlib.sha256(text).hexdigest()[:16]}"
        _switch(root, aside, name)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return Collection.open(root)


def current(root: Path) -> Manifest | None:
    """The manifest of the current generation under ``root``, None where none was built."""
    folder = _current_folder(root)
    return _read_manifest(folder / _MANIFEST) if folder else None


def _current_folder(root: Path) -> Path | None:
    try:
        return root / (root / _CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def _fit(
    items: Iterable[Item], features: Mapping[str, FeatureSettings], advance: Callable[[int], None]
) -> tuple[dict[str, npt.NDArray[np.generic]], int]:
    builders = {name: settings.builder() for name, settings in features.items()}
    ids, records, profiles = _Blobs(), _Blobs(), _Blobs()
    twins: dict[bytes, int] = {}
    groups: list[int] = []
    for item in items:
        profile = decode_profile(item.profile)
        for builder in builders.values():
            builder.add(profile)
        ids.add(item.record.id.encode())
        records.add(encode_record(item.record))
        profiles.add(item.profile)
        groups.append(twins.setdefault(item.record.fields_hash, len(twins)))
        advance(1)
    arrays: dict[str, npt.NDArray[np.generic]] = {"duplicates.npy": np.array(groups, dtype=np.int32)}
    for name, blobs in (("ids", ids), ("records", records), ("profiles", profiles)):
        arrays[f"{name}.npy"], arrays[f"{name}-ends.npy"] = blobs.arrays()
    for name, builder in builders.items():
        arrays |= {f"{name}-{part}.npy": array for part, array in builder.arrays().items()}
    return arrays, len(groups)


class Collection:
    """One generation, open for reading.

    Rows are items in id order. ``compare`` gives all features of one profile against all rows;
    ``pair`` the same numbers for two profiles, known or not.
    """

    def __init__(self, manifest: Manifest, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
        self.manifest = manifest
        self._ids = _Texts(arrays["ids.npy"], arrays["ids-ends.npy"])
        self._records = _Texts(arrays["records.npy"], arrays["records-ends.npy"])
        self._profiles = _Texts(arrays["profiles.npy"], arrays["profiles-ends.npy"])
        self.duplicates = arrays["duplicates.npy"]
        self.ids: tuple[str, ...] = tuple(self._ids.all())
        self._rows = {item: row for row, item in enumerate(self.ids)}
        self.columns: dict[str, Column] = {
            name: settings.column(
                {
                    file.removeprefix(f"{name}-").removesuffix(".npy"): array
                    for file, array in arrays.items()
                    if file.startswith(f"{name}-")
                }
            )
            for name, settings in manifest.features.items()
        }

    @classmethod
    def fit(cls, items: Iterable[Item], features: Mapping[str, FeatureSettings]) -> "Collection":
        """A collection in memory only, for training and evaluation."""
        arrays, count = _fit(items, features, lambda _: None)
        return cls(
            Manifest(format=FORMAT, items=count, revision=0, pipeline="", features=dict(features), files={}),
            arrays,
        )

    @classmethod
    def open(cls, root: Path) -> "Collection":
        """The current generation under ``root``, memory-mapped, after checking every checksum.

        Raises ``CollectionMissing`` where none was built and ``DamagedArtefact`` where a file
        was cut, altered or is of another format.
        """
        folder = _current_folder(root)
        if folder is None:
            raise CollectionMissing(
                f"no collection is built in {root}; ingest records, then run: kindred build"
            )
        manifest = _read_manifest(folder / _MANIFEST)
        return cls(manifest, {name: _map(folder / name, mark) for name, mark in manifest.files.items()})

    def __len__(self) -> int:
        return len(self.ids)

    def row(self, item: str) -> int:
        """The row of an id; raises ``UnknownItem``."""
        try:
            return self._rows[item]
        except KeyError:
            raise UnknownItem(f"no item {item!r} in the collection of {len(self):,} items") from None

    def record(self, row: int) -> Record:
        """The record of a row."""
        return decode_record(self._records[row])

    def profile(self, row: int) -> Profile:
        """The profile of a row."""
        return decode_profile(self._profiles[row])

    def compare(self, profile: Profile, names: Iterable[str]) -> dict[str, Scores]:
        """The named features of a profile with every row; raises ``KeyError`` for an unknown name."""
        return {name: self.columns[name].compare(profile) for name in names}

    def pair(self, left: Profile, right: Profile, names: Iterable[str]) -> Scores:
        """The named features of two profiles, float64[features], NaN for no information."""
        return np.array([self.columns[name].pair(left, right) for name in names])


class _Blobs:
    """Byte strings laid end to end."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends: list[int] = []

    def add(self, data: bytes) -> None:
        self._data += data
        self._ends.append(len(self._data))

    def arrays(self) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
        return np.frombuffer(bytes(self._data), np.uint8), np.array(self._ends, dtype=np.int64)


class _Texts:
    """Reads what :class:`_Blobs` wrote."""

    def __init__(self, data: npt.NDArray[np.generic], ends: npt.NDArray[np.generic]) -> None:
        self._data, self._ends = data, ends

    def __getitem__(self, row: int) -> bytes:
        start = int(self._ends[row - 1]) if row else 0
        return self._data[start : int(self._ends[row])].tobytes()

    def all(self) -> Iterable[str]:
        blob, start = self._data.tobytes(), 0
        for end in self._ends.tolist():
            yield blob[start:end].decode()
            start = end


def _write(path: Path, array: npt.NDArray[np.generic]) -> FileMark:
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


def _mark(path: Path) -> FileMark:
    with path.open("rb") as file:
        return FileMark(bytes=path.stat().st_size, sha256=hashlib.file_digest(file, "sha256").hexdigest())


def _switch(root: Path, aside: Path, name: str) -> None:
    target = root / name
    if not target.exists():
        aside.rename(target)
    before = _current_folder(root)
    pointer = root / f".{_CURRENT}-{os.getpid()}"
    _write_bytes(pointer, f"{name}\n".encode())
    pointer.replace(root / _CURRENT)
    for old in root.glob("generation-*"):
        # the one before stays: a reader may have read its name and not yet opened its files
        if old not in (target, before):
            shutil.rmtree(old, ignore_errors=True)


def _read_manifest(path: Path) -> Manifest:
    try:
        data = json.loads(path.read_bytes())
        if data.get("format") != FORMAT:
            raise DamagedArtefact(
                f"{path} is of format {data.get('format')}, not {FORMAT}; run: kindred build"
            )
        return TypeAdapter(Manifest).validate_python(data)
    except (OSError, ValueError, ValidationError) as error:
        raise DamagedArtefact(f"{path} cannot be read ({error}); run: kindred build") from error


def _map(path: Path, mark: FileMark) -> npt.NDArray[np.generic]:
    if not path.is_file() or _mark(path) != mark:
        raise DamagedArtefact(f"{path} does not fit its checksum; build the collection anew: kindred build")
    array: npt.NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array
