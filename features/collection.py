"""Collection: the fitted feature columns of all items, with their records and profiles.

One build fits every feature on all items and writes one generation (see ``features.generation``);
reading is memory-mapped, so that workers share it.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from features import generation, twins
from features.blobs import Blobs, BlobsBuilder, Ids
from features.folders import writing
from features.generation import Array, Arrays, Manifest, current
from features.measures import FeatureSettings
from features.measures.base import Column, Rows, Scores, SeenColumn, Sharing
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
    with ExitStack() as opened:
        with writing(root):
            root.mkdir(parents=True, exist_ok=True)
            files = {name: opened.enter_context(TemporaryFile(dir=root)) for name in _BLOBS}
        fit = _Fit(features, resources, files)
        for item in items:
            fit.add(item)
            with writing(root):
                fit.keep(item)
            advance(1)
        about = Manifest(items=len(fit), revision=revision, pipeline=pipeline, features=dict(features))
        generation.write(root, about, fit.arrays())
    return Collection.open(root, resources)


Fields = npt.NDArray[np.uint64]


def fields_key(record: Record) -> int:
    """What exact duplicates have in common, and next to no other two records: 8 bytes of a digest."""
    return int.from_bytes(record.fields_hash[:8], "little")


_BLOBS = ("ids", "records", "profiles")


class _Fit:
    """Takes in items and makes the arrays of a collection.

    Records and profiles wait in ``files``: those of a large collection are more than memory holds.
    """

    def __init__(
        self,
        features: Mapping[str, FeatureSettings],
        resources: Resources,
        files: Mapping[str, IO[bytes]] = MappingProxyType({}),
    ) -> None:
        self._builders = _Builders(features, resources)
        self._blobs = {name: BlobsBuilder(files.get(name)) for name in _BLOBS}
        self._twins: dict[bytes, int] = {}
        self._groups = array("i")
        self._fields = array("Q")
        self._last = ""

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, item: Item) -> None:
        """Show the next item to the features; raises ``ValueError`` where ids do not ascend."""
        if self._groups and item.record.id <= self._last:
            raise ValueError(f"{item.record.id!r} after {self._last!r}: items come in id order, each once")
        self._last = item.record.id
        self._builders.add(decode_profile(item.profile))
        self._fields.append(fields_key(item.record))
        self._groups.append(self._twins.setdefault(item.record.fields_hash, len(self._twins)))

    def keep(self, item: Item) -> None:
        """Keep what stands for the item itself."""
        self._blobs["ids"].add(item.record.id.encode())
        self._blobs["records"].add(encode_record(item.record))
        self._blobs["profiles"].add(item.profile)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Every array by its name, one after the other, so that one feature's are in memory at a time."""
        yield "duplicates.npy", np.array(self._groups, dtype=np.int32)
        yield "fields.npy", np.array(self._fields, dtype=np.uint64)
        for name, blobs in self._blobs.items():
            yield from blobs.arrays(name).items()
        yield from self._builders.arrays()


def fitted(
    profiles: Iterable[Profile], features: Mapping[str, FeatureSettings], resources: Resources
) -> dict[str, Column]:
    """The columns of the features over some profiles, without their records: for training and evaluation."""
    builders = _Builders(features, resources)
    for profile in profiles:
        builders.add(profile)
    return _columns(features, dict(builders.arrays()), resources)


class _Builders:
    """The builders of all features; those that collect the same do it once."""

    def __init__(self, features: Mapping[str, FeatureSettings], resources: Resources) -> None:
        self._features, self._resources = features, resources
        self._builders = {name: settings.builder(resources) for name, settings in features.items()}
        collected: dict[object, object] = {}
        for builder in self._builders.values():
            if isinstance(builder, Sharing):
                builder.share(collected)

    def add(self, profile: Profile) -> None:
        for builder in self._builders.values():
            builder.add(profile)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Can be asked once: a builder is let go as soon as its arrays are made."""
        for name in tuple(self._builders):
            made = self._builders.pop(name).arrays()
            # a feature that is made of others keeps nothing, and is alike where they are
            column = self._features[name].column(made, self._resources) if made else None
            if isinstance(column, SeenColumn):
                made |= twins.as_arrays(column.alike())
            for part, kept in made.items():
                yield f"{name}-{part}.npy", kept


class Collection:
    """One generation, open for reading.

    Rows are items in id order. ``compare`` gives all features of one profile against all rows;
    ``pair`` the same numbers for two profiles, known or not. ``notice`` says what a user should know of
    it: that it is an earlier one, because the current one is damaged.
    """

    def __init__(self, manifest: Manifest, arrays: Arrays, resources: Resources, notice: str = "") -> None:
        self.manifest = manifest
        self.notice = notice
        self.ids = Ids(Blobs(arrays, "ids"))
        self._records = Blobs(arrays, "records")
        self._profiles = Blobs(arrays, "profiles")
        self.duplicates = arrays["duplicates.npy"]
        self._fields = arrays["fields.npy"]
        # worked out once for the features of a system, which are asked for with every item
        self._needed = lru_cache(lambda names: needed(names, manifest.features))
        self.columns = _columns(manifest.features, arrays, resources)
        self.twins = twins.stored(arrays, self.columns)

    @classmethod
    def fit(
        cls, items: Iterable[Item], features: Mapping[str, FeatureSettings], resources: Resources
    ) -> "Collection":
        """A collection in memory only."""
        fit = _Fit(features, resources)
        for item in items:
            fit.add(item)
            fit.keep(item)
        about = Manifest(items=len(fit), revision=0, pipeline="", features=dict(features))
        return cls(about, dict(fit.arrays()), resources)

    @classmethod
    def open(cls, root: Path, resources: Resources) -> "Collection":
        """The current generation under ``root``, memory-mapped, after checking every checksum.

        Where it is damaged, the one before is opened if that is whole, and ``notice`` says so. Raises
        ``CollectionMissing`` where none was built, ``DamagedArtefact`` where a file was cut, altered or is
        of another format, and ``ResourceMissing`` where what it was built with is gone.
        """
        read = generation.read(root)
        try:
            return cls(read.manifest, read.arrays, resources, read.notice)
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
        row = self.ids.find(item)
        if row is None:
            raise UnknownItem(f"no item {item!r} in the collection of {len(self):,} items")
        return row

    def record(self, row: int) -> Record:
        """The record of a row."""
        return decode_record(self._records[row])

    def profile(self, row: int) -> Profile:
        """The profile of a row."""
        return decode_profile(self._profiles[row])

    @cached_property
    def fields(self) -> Fields:
        """What exact duplicates have in common (see :func:`fields_key`), uint64[rows]."""
        return np.asarray(self._fields, np.uint64)

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
        profile = partial(self.profile, row)
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
        for name in self._needed(asked):
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
