"""Building: fits every feature on all items and writes one generation of a collection."""

from array import array
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import IO, NamedTuple

import numpy as np

from features.arrays import NewArrays
from features.collection import fitting, generation
from features.collection.blobs import Blobs, BlobsBuilder, Ids, scratch
from features.collection.collection import Built, columns, fields_key
from features.collection.digests import digest_arrays
from features.collection.facets import FacetsBuilder
from features.collection.fitting import Features
from features.collection.generation import GenerationManifest
from features.fulltext import index_file
from features.knowledge.resources import Resources
from features.measures.base import FeatureColumn
from features.processes import batched
from features.profiles.blocks import SIZE
from features.profiles.profile import Profile
from ingest.record import Record
from ingest.record import encode as encode_record
from ingest.storage.files import writing
from ingest.storage.folders import aside

_BLOBS = ("ids", "records", "profiles")


class AnalysedItem(NamedTuple):
    """What :func:`build` needs of an item: its record and its encoded profile."""

    record: Record
    profile: bytes


def build(
    root: Path,
    items: Iterable[AnalysedItem],
    features: Features,
    resources: Resources,
    *,
    revision: int,
    pipeline: str,
    processes: int = 1,
    scheduler: str = "",
    advance: Callable[[float], None] = lambda _: None,
) -> Built:
    """Fit every feature on ``items`` (in id order), write a new generation and switch to it.

    ``revision`` and ``pipeline`` say of which catalogue state and language pipeline it is. Many items are
    fitted by so many ``processes``, each with a share of the features, or by the workers of a Dask
    ``scheduler``. ``advance`` is called with the number of items done since the last call: an item is half
    done when it is stored, and done when the features have read it.
    """
    with ExitStack() as opened:
        folder = opened.enter_context(aside(root))
        with writing(root):
            files = {name: opened.enter_context(scratch(folder)) for name in _BLOBS}
        rows = _ItemArrays(files)
        with index_file.new(folder / index_file.FILE) as texts:
            for some in batched(items, SIZE):
                with writing(root):
                    for item in some:
                        rows.add(item)
                        texts.add(item.record)
                advance(len(some) / 2)
        with writing(root):  # what waits in memory goes to the files
            arrays = rows.arrays()
        stored = list(generation.store(folder, arrays))
        stored += fitting.fit(
            folder, stored, features, resources, processes, lambda seen: advance(seen / 2), scheduler
        )
        manifest = _manifest(features, items=len(rows), revision=revision, pipeline=pipeline)
        generation.finish(folder, manifest, stored)
    return Built.open(root, resources)


def refit(
    root: Path,
    features: Features,
    resources: Resources,
    processes: int,
    advance: Callable[[float], None] = lambda _: None,
    scheduler: str = "",
) -> tuple[str, ...]:
    """Make the current generation one of these features, fitting only those that are stale: these it returns.

    Raises what :func:`generation.read` does.
    """
    before = generation.read(root)
    stale = before.manifest.stale(features)
    with aside(root) as folder:
        gone = {*stale, *(name for name in before.manifest.features if name not in features)}
        stored = list(generation.keep(before, folder, gone))
        index_file.keep(before.folder, folder)
        chosen = {name: features[name] for name in stale}
        fitted = fitting.fit(folder, stored, chosen, resources, processes, advance, scheduler)
        same = before.manifest
        manifest = _manifest(features, items=same.items, revision=same.revision, pipeline=same.pipeline)
        generation.finish(folder, manifest, [*stored, *fitted])
    return stale


def in_memory(items: Iterable[AnalysedItem], features: Features, resources: Resources) -> Built:
    """A collection in memory only."""
    rows = _ItemArrays()
    for item in items:
        rows.add(item)
    arrays = rows.arrays()
    arrays |= _fitted_arrays(fitting.read(Blobs(arrays, "profiles")), features, resources)
    return Built(_manifest(features, items=len(rows)), arrays, resources)


def fitted_columns(
    profiles: Iterable[Profile], features: Features, resources: Resources
) -> dict[str, FeatureColumn]:
    """The columns of the features over some profiles, without their records: for training and evaluation."""
    return columns(features, _fitted_arrays(profiles, features, resources), resources)


def _fitted_arrays(profiles: Iterable[Profile], features: Features, resources: Resources) -> NewArrays:
    made = fitting.fitted(profiles, features, resources)
    return {name: array for _, own in made for name, array in own.items()}


def _manifest(
    features: Features, *, items: int = 0, revision: int = 0, pipeline: str = ""
) -> GenerationManifest:
    versions = {name: settings.VERSION for name, settings in features.items()}
    return GenerationManifest(
        items=items, revision=revision, pipeline=pipeline, features=dict(features), versions=versions
    )


class _ItemArrays:
    """Collects the arrays of the items themselves.

    Records and profiles wait in ``files``: those of a large collection are more than memory holds.
    """

    def __init__(self, files: Mapping[str, IO[bytes]] = MappingProxyType({})) -> None:
        self._blobs = {name: BlobsBuilder(files.get(name)) for name in _BLOBS}
        self._duplicates: dict[bytes, int] = {}
        self._groups = array("i")
        self._fields = array("Q")
        self._facets = FacetsBuilder()
        self._last = ""

    def __len__(self) -> int:
        return len(self._groups)

    def add(self, item: AnalysedItem) -> None:
        """Take in the next item; raises ``ValueError`` where ids do not ascend."""
        if self._groups and item.record.id <= self._last:
            raise ValueError(f"{item.record.id!r} after {self._last!r}: items come in id order, each once")
        self._last = item.record.id
        record = encode_record(item.record)
        self._facets.add(record, item.profile)
        self._fields.append(fields_key(item.record))
        self._groups.append(self._duplicates.setdefault(item.record.fields_hash, len(self._duplicates)))
        self._blobs["ids"].add(item.record.id.encode())
        self._blobs["records"].add(record)
        self._blobs["profiles"].add(item.profile)

    def arrays(self) -> NewArrays:
        """Every array by its name."""
        blobs: NewArrays = {}
        for name, builder in self._blobs.items():
            blobs |= builder.arrays(name)
        return {
            "duplicates.npy": np.array(self._groups, dtype=np.int32),
            "fields.npy": np.array(self._fields, dtype=np.uint64),
            **self._facets.arrays(),
            **digest_arrays(Ids(Blobs(blobs, "ids"))),
            **blobs,
        }
