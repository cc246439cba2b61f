"""Neighbours are precomputed part by part, and then put into one array a type in the generation's folder.

They are made over a collection that already answers. What was done stays when a run is stopped; the array of
a type is used once it is whole. Types whose key is that of an earlier generation are taken over from it
(see ``service.search.engines.local.precomputed``).
"""

import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Ints
from features.collection.collection import Built
from ingest.errors import DamagedArtefact, UsageError
from ingest.storage.files import make_folder, name_by_content, unwritable, whole_file, write_whole, writing
from ingest.storage.folders import MANIFEST
from models.types import SimilarityType
from service.search.batch.runs import BatchManifest, PartFormat, claim, clear, run
from service.search.engines.local.precomputed import (
    FOLDER,
    LENGTH,
    PrecomputedManifest,
    StoredArray,
    key,
    opened,
    read_manifest,
    stored,
)
from service.search.recommender import Recommender

_PART: Final = 1000  # items of a part


class PrecomputeResult(NamedTuple):
    """The types that were precomputed now, and those that were taken over or there already."""

    made: tuple[SimilarityType, ...]
    reused: tuple[SimilarityType, ...]


def _write(path: Path, recommender: Recommender, batch: BatchManifest, rows: range) -> None:
    """Write a part, int32[items, types, LENGTH, 2]."""
    ids = recommender.collection.ids
    places = {item: row for row, item in enumerate(ids)}
    # what curators say of pairs goes on top of the lists whenever they are read
    near_of = partial(recommender.nearest, types=batch.types, limit=LENGTH, judged=False)
    part: Ints = np.empty((len(rows), len(batch.types), LENGTH, 2), np.int32)
    for own, row in zip(part, rows, strict=True):
        for at, near in enumerate(near_of(ids[row]).values()):
            own[at] = stored([(places[one.id], one.bound) for one in near], LENGTH)
    with writing(path), whole_file(path) as file:
        np.save(file, part)


# a part is renamed when it is whole
_FORM: Final = PartFormat("npy", _write, Path.exists)


def precompute(
    recommender: Recommender,
    opening: Callable[[], Recommender],
    processes: int,
    advance: Callable[[int], None] = lambda _: None,
) -> PrecomputeResult:
    """Precompute what the generation of a recommender lacks, in so many processes.

    ``recommender`` and what ``opening`` opens answer over the built collection alone, without live changes.
    ``advance`` is called with the items done. Raises ``UsageError`` for a system whose neighbours are not
    found exactly, ``UnwritableState``, and ``WorkerLost`` where a process is ended.
    """
    folder, system, manifest = _folder(recommender), recommender.system, recommender.collection.manifest
    keys = {kind: key(manifest, system, kind) for kind in system.types}
    make_folder(folder)
    known = {kind: one for kind, own in keys.items() if (one := _reused(folder, kind, own)) is not None}
    missing = {kind: own for kind, own in keys.items() if kind not in known}
    advance(0 if missing else len(recommender.collection))
    parts = folder / "parts"
    made = _made(recommender, opening, missing, parts, processes, advance) if missing else {}
    arrays = PrecomputedManifest(types={kind: (known | made)[kind] for kind in keys})
    write_whole(folder / MANIFEST, arrays.model_dump_json(indent=1).encode())
    with writing(folder):
        shutil.rmtree(parts, ignore_errors=True)
        for left in folder.glob("*.npy"):
            if left.name not in {one.file for one in arrays.types.values()}:
                left.unlink()
    return PrecomputeResult(tuple(missing), tuple(known))


def _folder(recommender: Recommender) -> Path:
    if recommender.system.additive is None or recommender.variant.retrieval is not None:
        raise UsageError(
            f"the neighbours of system {recommender.system.name!r} are not found exactly, so they are not"
            " precomputed; choose another system, or set service.precompute: false"
        )
    collection = recommender.collection
    if not isinstance(collection, Built) or collection.folder is None:
        raise TypeError("only a collection on disk, without live changes, has precomputed neighbours")
    return collection.folder / FOLDER


def _reused(folder: Path, kind: SimilarityType, wanted: str) -> StoredArray | None:
    """The array of a type as this generation has it, or as it is taken over from another."""
    for other in (folder, *folder.parent.parent.glob(f"*/{FOLDER}")):
        manifest = read_manifest(other)
        one = manifest and manifest.types.get(kind)
        if not one or one.key != wanted:
            continue
        try:
            opened(other / one.file, one.known)
        except DamagedArtefact:
            continue
        with writing(folder):
            if not (folder / one.file).exists():
                (folder / one.file).hardlink_to(other / one.file)
        return one
    return None


def _made(
    recommender: Recommender,
    opening: Callable[[], Recommender],
    keys: dict[SimilarityType, str],
    folder: Path,
    processes: int,
    advance: Callable[[int], None],
) -> dict[SimilarityType, StoredArray]:
    """The arrays of some types by their keys; ``folder`` is that of the parts."""
    batch = BatchManifest.of(recommender, LENGTH, [*keys], _PART, {})
    try:
        claim(folder, batch, unwritable)
    except UsageError:  # parts of other types, which were never finished
        clear(folder)
        claim(folder, batch, unwritable)
    run(recommender, opening, processes, batch, folder, _FORM, advance)
    parts = batch.parts(folder, _FORM)
    return {kind: _joined(parts, at, batch, own) for at, (kind, own) in enumerate(keys.items())}


def _joined(parts: list[Path], at: int, batch: BatchManifest, own: str) -> StoredArray:
    """Put the parts of a type together in the folder above that of the parts."""
    path = parts[0].parent.parent / f".lists-{os.getpid()}"
    with writing(path.parent):
        whole = np.lib.format.open_memmap(path, "w+", np.int32, (batch.items, LENGTH, 2))
        for number, part in enumerate(parts):
            rows = batch.rows(number)
            whole[rows.start : rows.stop] = np.load(part, mmap_mode="r", allow_pickle=False)[:, at]
        whole.flush()
        file, known = name_by_content(path, ".npy")
    return StoredArray(key=own, file=file, known=known)
