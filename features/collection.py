"""Collection: the fitted feature columns of all items, with their records and profiles.

One build fits every feature on all items and writes one generation (see ``features.generation``);
reading is memory-mapped, so that workers share it.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from features import generation
from features.generation import Arrays, Manifest, current
from features.measures import FeatureSettings
from features.measures.base import Column, Rows, Scores
from features.measures.derived import DerivedSettings, needed
from features.profile import Profile
from features.profile import decode as decode_profile
from features.resources import Resources
from ingest.errors import LanguageModelError, ResourceMissing, UnknownItem
from ingest.record import Record
from ingest.record import decode as decode_record
from ingest.record import encode as encode_record

__all__ = ["Collection", "Item", "Manifest", "build", "current"]


class Item(NamedTuple):
    """What :func:`build` needs of an item: its record and its encoded profile."""

    record: Record
    profile: bytes


def build(
    root: Path,
    items: Iterable[Item],
    features: Mapping[str, FeatureSettings],
    resources: Resources,
    *,
    revision: int,
    pipeline: str,
    advance: Callable[[int], None] = lambda _: None,
) -> "Collection":
    """Fit every feature on ``items`` (in id order), write a new generation and switch to it.

    ``revision`` and ``pipeline`` say which catalogue state and which language pipeline it stands
    for. ``advance`` is called with the number of items read since the last call.
    """
    arrays, count = _fit(items, features, resources, advance)
    about = Manifest(items=count, revision=revision, pipeline=pipeline, features=dict(features))
    generation.write(root, about, arrays)
    return Collection.open(root, resources)


def _fit(
    items: Iterable[Item],
    features: Mapping[str, FeatureSettings],
    resources: Resources,
    advance: Callable[[int], None],
) -> tuple[Arrays, int]:
    builders = _Builders(features, resources)
    ids, records, profiles = _Blobs(), _Blobs(), _Blobs()
    twins: dict[bytes, int] = {}
    groups: list[int] = []
    for item in items:
        builders.add(decode_profile(item.profile))
        ids.add(item.record.id.encode())
        records.add(encode_record(item.record))
        profiles.add(item.profile)
        groups.append(twins.setdefault(item.record.fields_hash, len(twins)))
        advance(1)
    arrays: Arrays = {"duplicates.npy": np.array(groups, dtype=np.int32)}
    for name, blobs in (("ids", ids), ("records", records), ("profiles", profiles)):
        arrays[f"{name}.npy"], arrays[f"{name}-ends.npy"] = blobs.arrays()
    return arrays | builders.arrays(), len(groups)


def fitted(
    profiles: Iterable[Profile], features: Mapping[str, FeatureSettings], resources: Resources
) -> dict[str, Column]:
    """The columns of the features over some profiles, without their records: for training and evaluation."""
    builders = _Builders(features, resources)
    for profile in profiles:
        builders.add(profile)
    return _columns(features, builders.arrays(), resources)


class _Builders:
    """The builders of all features."""

    def __init__(self, features: Mapping[str, FeatureSettings], resources: Resources) -> None:
        self._builders = {name: settings.builder(resources) for name, settings in features.items()}

    def add(self, profile: Profile) -> None:
        for builder in self._builders.values():
            builder.add(profile)

    def arrays(self) -> Arrays:
        return {
            f"{name}-{part}.npy": array
            for name, builder in self._builders.items()
            for part, array in builder.arrays().items()
        }


class Collection:
    """One generation, open for reading.

    Rows are items in id order. ``compare`` gives all features of one profile against all rows;
    ``pair`` the same numbers for two profiles, known or not.
    """

    def __init__(self, manifest: Manifest, arrays: Arrays, resources: Resources) -> None:
        self.manifest = manifest
        self._ids = _Texts(arrays["ids.npy"], arrays["ids-ends.npy"])
        self._records = _Texts(arrays["records.npy"], arrays["records-ends.npy"])
        self._profiles = _Texts(arrays["profiles.npy"], arrays["profiles-ends.npy"])
        self.duplicates = arrays["duplicates.npy"]
        self.ids: tuple[str, ...] = tuple(self._ids.all())
        self._rows = {item: row for row, item in enumerate(self.ids)}
        self.columns = _columns(manifest.features, arrays, resources)

    @classmethod
    def fit(
        cls, items: Iterable[Item], features: Mapping[str, FeatureSettings], resources: Resources
    ) -> "Collection":
        """A collection in memory only."""
        arrays, count = _fit(items, features, resources, lambda _: None)
        return cls(Manifest(items=count, revision=0, pipeline="", features=dict(features)), arrays, resources)

    @classmethod
    def open(cls, root: Path, resources: Resources) -> "Collection":
        """The current generation under ``root``, memory-mapped, after checking every checksum.

        Raises ``CollectionMissing`` where none was built, ``DamagedArtefact`` where a file was cut,
        altered or is of another format, and ``ResourceMissing`` where what it was built with is gone.
        """
        manifest, arrays = generation.read(root)
        try:
            return cls(manifest, arrays, resources)
        except LanguageModelError:  # no collection does without the language models
            raise
        except ResourceMissing as error:
            raise ResourceMissing(
                f"the collection was built with what is not here now: {error.detail}."
                " Provide that; or, to do without it, run: kindred build"
            ) from error

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

    def compare(self, profile: Profile, names: Iterable[str], rows: Rows | None = None) -> dict[str, Scores]:
        """The named features of a profile with every row, or with some: float64[rows] each.

        A row has the same numbers to the last bit whichever rows are asked for. Raises ``KeyError`` for
        an unknown name.
        """
        return self._values(names, lambda column: column.compare(profile, rows))

    def compare_row(self, row: int, names: Iterable[str], rows: Rows | None = None) -> dict[str, Scores]:
        """What ``compare`` gives for the profile of a row, to the last bit, from the stored columns.

        The profile is decoded only where a feature does not keep what it sees: soft cardinality.
        """
        profile = cache(lambda: self.profile(row))
        return self._values(names, lambda column: column.compare_row(row, profile, rows))

    def pairs(self, item: int | Profile, rows: Rows, names: Iterable[str]) -> Scores:
        """The named features of one item, a row or a profile, with some rows: float64[rows, features].

        The numbers of ``compare`` and ``compare_row``, at a cost that goes with the rows.
        """
        if isinstance(item, Profile):
            values = self.compare(item, names, rows)
        else:
            values = self.compare_row(item, names, rows)
        return np.array([*values.values()], np.float64).reshape(len(values), len(rows)).T

    def pair(self, left: Profile, right: Profile, names: Iterable[str]) -> Scores:
        """The named features of two profiles, float64[features], NaN for no information."""
        values = self._values(names, lambda column: np.array([column.pair(left, right)]))
        return np.concatenate([np.empty(0), *values.values()])

    def _values(self, names: Iterable[str], find: Callable[[Column], Scores]) -> dict[str, Scores]:
        """The values of features; what several of them are made of is found once."""
        asked, found = tuple(names), dict[str, Scores]()
        for name in needed(asked, self.manifest.features):
            settings = self.manifest.features[name]
            found[name] = (
                settings.combine(*(found[part] for part in settings.parts))
                if isinstance(settings, DerivedSettings)
                else find(self.columns[name])
            )
        return {name: found[name] for name in asked}


def _columns(
    features: Mapping[str, FeatureSettings], arrays: Arrays, resources: Resources
) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    for name, settings in features.items():
        if isinstance(settings, DerivedSettings):
            columns[name] = settings.over(columns)
            continue
        own = {
            file.removeprefix(f"{name}-").removesuffix(".npy"): array
            for file, array in arrays.items()
            if file.startswith(f"{name}-")
        }
        columns[name] = settings.column(own, resources)
    return columns


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
