"""Collection: the fitted feature columns of all items, with their records and profiles.

One build fits every feature on all items and writes one generation (see ``features.generation``);
reading is memory-mapped, so that workers share it.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cached_property, lru_cache, partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from features import generation
from features.blobs import Blobs, BlobsBuilder, Ids
from features.blocks import SIZE, Block, Lexicon, uncollected
from features.folders import writing
from features.generation import Array, Arrays, Manifest, current
from features.measures import FeatureSettings
from features.measures.base import Column, Rows, Scores, Sharing
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
            with writing(root):
                fit.add(item)
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
        """Keep the next item; raises ``ValueError`` where ids do not ascend."""
        if self._groups and item.record.id <= self._last:
            raise ValueError(f"{item.record.id!r} after {self._last!r}: items come in id order, each once")
        self._last = item.record.id
        self._fields.append(fields_key(item.record))
        self._groups.append(self._twins.setdefault(item.record.fields_hash, len(self._twins)))
        self._blobs["ids"].add(item.record.id.encode())
        self._blobs["records"].add(encode_record(item.record))
        self._blobs["profiles"].add(item.profile)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Every array by its name, one after the other, so that one feature's are in memory at a time."""
        yield "duplicates.npy", np.array(self._groups, dtype=np.int32)
        yield "fields.npy", np.array(self._fields, dtype=np.uint64)
        for name, blobs in self._blobs.items():
            yield from blobs.arrays(name).items()
        profiles = Blobs(self._blobs["profiles"].arrays("profiles"), "profiles")
        self._builders.take(decode_profile(profiles[row]) for row in range(len(self)))
        yield from self._builders.arrays()


def fitted(
    profiles: Iterable[Profile], features: Mapping[str, FeatureSettings], resources: Resources
) -> dict[str, Column]:
    """The columns of the features over some profiles, without their records: for training and evaluation."""
    builders = _Builders(features, resources)
    builders.take(profiles)
    return _columns(features, dict(builders.arrays()), resources)


class _Builders:
    """The builders of all features; those that collect the same do it once."""

    def __init__(self, features: Mapping[str, FeatureSettings], resources: Resources) -> None:
        self._builders = {name: settings.builder(resources) for name, settings in features.items()}
        self._lexicon = Lexicon()
        collected: dict[object, object] = {}
        for builder in self._builders.values():
            if isinstance(builder, Sharing):
                builder.share(collected)

    def take(self, profiles: Iterable[Profile]) -> None:
        """Show the features all profiles, in row order."""
        rest = iter(profiles)
        with uncollected():
            while some := tuple(islice(rest, SIZE)):
                block = Block(some, self._lexicon)
                for builder in self._builders.values():
                    builder.take(block)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Can be asked once: a builder is let go as soon as its arrays are made."""
        for name in tuple(self._builders):
            for part, made in self._builders.pop(name).arrays().items():
                yield f"{name}-{part}.npy", made


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

    @classmethod
    def fit(
        cls, items: Iterable[Item], features: Mapping[str, FeatureSettings], resources: Resources
    ) -> "Collection":
        """A collection in memory only."""
        fit = _Fit(features, resources)
        for item in items:
            fit.add(item)
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
