"""Collection: the fitted feature columns of all items, with their records and profiles.

One build fits every feature on all items and writes one generation (see ``features.collection.generation``);
reading is memory-mapped, so that workers share it.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from features.collection import fitting, generation
from features.collection import row_groups as twins
from features.collection.blobs import Blobs, BlobsBuilder, Ids, scratch
from features.collection.digests import Digests, DigestsBuilder, StoredDigests
from features.collection.facets import Facets, FacetsBuilder, StoredFacets
from features.collection.generation import Arrays, Manifest, current
from features.knowledge.resources import Resources
from features.measures import FeatureSettings
from features.measures.base import Column, Rows, Scores
from features.measures.derived import DerivedSettings, needed
from features.profiles.blocks import SIZE
from features.profiles.profile import Profile
from features.profiles.profile import decode as decode_profile
from ingest.errors import LanguageModelError, ResourceMissing, UnknownItem
from ingest.folders import writing
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
    processes: int = 1,
    advance: Callable[[float], None] = lambda _: None,
) -> "Collection":
    """Fit every feature on ``items`` (in id order), write a new generation and switch to it.

    ``revision`` and ``pipeline`` say which catalogue state and which language pipeline it stands
    for. Many items are fitted by so many ``processes``, each with a share of the features; the files are the
    same whatever their number. ``advance`` is called with the number of items done since the last call, an
    item that is kept, but that the features have not seen, being half done.
    """
    with ExitStack() as opened:
        folder = opened.enter_context(generation.begun(root))
        with writing(root):
            files = {name: opened.enter_context(scratch(folder)) for name in _BLOBS}
        kept = _Kept(files)
        rest = iter(items)
        while some := tuple(islice(rest, SIZE)):
            with writing(root):
                for item in some:
                    kept.add(item)
            advance(len(some) / 2)
        with writing(root):  # what waits in memory goes to the files
            arrays = kept.arrays()
        stored = list(generation.store(folder, arrays))
        stored += fitting.fit(folder, stored, features, resources, processes, lambda seen: advance(seen / 2))
        about = Manifest(items=len(kept), revision=revision, pipeline=pipeline, features=dict(features))
        generation.finish(folder, about, stored)
    return Collection.open(root, resources)


Fields = npt.NDArray[np.uint64]


def fields_key(record: Record) -> int:
    """What exact duplicates have in common, and next to no other two records: 8 bytes of a digest."""
    return int.from_bytes(record.fields_hash[:8], "little")


_BLOBS = ("ids", "records", "profiles")


class _Kept:
    """What is kept of the items themselves.

    Records and profiles wait in ``files``: those of a large collection are more than memory holds.
    """

    def __init__(self, files: Mapping[str, IO[bytes]] = MappingProxyType({})) -> None:
        self._blobs = {name: BlobsBuilder(files.get(name)) for name in _BLOBS}
        self._twins: dict[bytes, int] = {}
        self._groups = array("i")
        self._fields = array("Q")
        self._facets, self._digests = FacetsBuilder(), DigestsBuilder()
        self._last = ""

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, item: Item) -> None:
        """Keep the next item; raises ``ValueError`` where ids do not ascend."""
        if self._groups and item.record.id <= self._last:
            raise ValueError(f"{item.record.id!r} after {self._last!r}: items come in id order, each once")
        self._last = item.record.id
        record = encode_record(item.record)
        self._facets.add(record, item.profile)
        self._digests.add(item.record.id)
        self._fields.append(fields_key(item.record))
        self._groups.append(self._twins.setdefault(item.record.fields_hash, len(self._twins)))
        self._blobs["ids"].add(item.record.id.encode())
        self._blobs["records"].add(record)
        self._blobs["profiles"].add(item.profile)

    def arrays(self) -> Arrays:
        """Every array by its name."""
        arrays: Arrays = {
            "duplicates.npy": np.array(self._groups, dtype=np.int32),
            "fields.npy": np.array(self._fields, dtype=np.uint64),
            **self._facets.arrays(),
            **self._digests.arrays(),
        }
        for name, blobs in self._blobs.items():
            arrays |= blobs.arrays(name)
        return arrays


def fitted(
    profiles: Iterable[Profile], features: Mapping[str, FeatureSettings], resources: Resources
) -> dict[str, Column]:
    """The columns of the features over some profiles, without their records: for training and evaluation."""
    arrays: Arrays = {}
    for _, own in fitting.fitted(profiles, features, resources):
        arrays |= own
    return _columns(features, arrays, resources)


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
        self.facets: Facets = StoredFacets(arrays)
        self.digests: Digests = StoredDigests(arrays)
        # worked out once for the features of a system, which are asked for with every item
        self._needed = lru_cache(lambda names: needed(names, manifest.features))
        self.columns = _columns(manifest.features, arrays, resources)
        self.twins = twins.stored(arrays, self.columns)

    @classmethod
    def fit(
        cls, items: Iterable[Item], features: Mapping[str, FeatureSettings], resources: Resources
    ) -> "Collection":
        """A collection in memory only."""
        kept = _Kept()
        for item in items:
            kept.add(item)
        arrays = kept.arrays()
        for _, own in fitting.fitted(fitting.read(Blobs(arrays, "profiles")), features, resources):
            arrays |= own
        about = Manifest(items=len(kept), revision=0, pipeline="", features=dict(features))
        return cls(about, arrays, resources)

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
        return decode_record(self.record_bytes(row))

    def record_bytes(self, row: int) -> bytes:
        """The record of a row as it is stored, for :mod:`features.profiles.partial`."""
        return self._records[row]

    def profile(self, row: int) -> Profile:
        """The profile of a row."""
        return decode_profile(self.profile_bytes(row))

    def profile_bytes(self, row: int) -> bytes:
        """The profile of a row as it is stored, for :mod:`features.profiles.partial`."""
        return self._profiles[row]

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
