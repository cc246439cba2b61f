"""Precomputed lists are made: part by part, and then one array a type in the folder of the generation.

They are made over a collection that already answers. What was done is kept when a run is stopped; the lists
of a type are used once all are there. Types whose key is that of an earlier generation are taken over from it
(see ``service.search.engines.local.precomputed``).
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Ints
from features.collection.collection import Built
from ingest.errors import DamagedArtefact, UsageError
from ingest.storage.files import make_folder, name_by_content, unwritable, whole_file, write_whole, writing
from ingest.storage.folders import MANIFEST
from models.types import SimilarityType
from service.search.batch.runs import Batch, claim, clear, run, run_spread
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

_PART: Final = 1000
"""Items of a part."""

_PARTS: Final = "parts"


class PrecomputeResult(NamedTuple):
    """Which types' lists were made now, and which were taken over or there already."""

    made: tuple[SimilarityType, ...]
    kept: tuple[SimilarityType, ...]


class NeighbourParts:
    """A part as int32[items, types, LENGTH, 2]."""

    suffix = "npy"

    def write(self, path: Path, recommender: Recommender, batch: Batch, rows: range) -> None:
        """Write the lists of some rows."""
        ids = recommender.collection.ids
        places = {item: row for row, item in enumerate(ids)}
        found: Ints = np.empty((len(rows), len(batch.types), LENGTH, 2), np.int32)
        for own, row in zip(found, rows, strict=True):
            nearest = recommender.nearest(ids[row], batch.types, LENGTH)
            for at, near in enumerate(nearest.values()):
                own[at] = stored([(places[one.id], one.bound) for one in near], LENGTH)
        with writing(path), whole_file(path) as file:
            np.save(file, found)

    def whole(self, path: Path) -> bool:
        """Whether a part is there: it is renamed when it is whole."""
        return path.exists()


def precompute(
    recommender: Recommender,
    opening: Callable[[], Recommender],
    processes: int,
    advance: Callable[[int], None] = lambda _: None,
) -> PrecomputeResult:
    """Make the lists that the generation of a recommender lacks, in so many processes.

    ``recommender`` and what ``opening`` opens answer over the built collection alone, without live changes.
    ``advance`` is called with the items done. Raises ``UsageError`` for a system whose neighbours are not
    found exactly, ``UnwritableState``, and ``WorkerLost`` where a process is ended.
    """
    folder, keys = _folder(recommender), _keys(recommender)
    make_folder(folder)
    kept = {kind: one for kind, own in keys.items() if (one := _taken(folder, kind, own)) is not None}
    missing = tuple(kind for kind in keys if kind not in kept)
    advance(0 if missing else len(recommender.collection))
    made = _made(recommender, opening, missing, processes, advance) if missing else {}
    held = PrecomputedManifest(types={kind: (kept | made)[kind] for kind in keys})
    write_whole(folder / MANIFEST, held.model_dump_json(indent=1).encode())
    with writing(folder):
        shutil.rmtree(folder / _PARTS, ignore_errors=True)
        for left in folder.glob("*.npy"):
            if left.name not in {one.file for one in held.types.values()}:
                left.unlink()
    return PrecomputeResult(missing, tuple(kept))


def _folder(recommender: Recommender) -> Path:
    if recommender.system.additive is None or recommender.variant.retrieval is not None:
        raise UsageError(
            f"the neighbours of system {recommender.system.name!r} are not found exactly, so they are not"
            " precomputed; choose another system, or set service.precompute: false"
        )
    collection = recommender.collection
    if not isinstance(collection, Built) or collection.folder is None:
        raise TypeError("only a collection that lies on disk, without live changes, has precomputed lists")
    return collection.folder / FOLDER


def _keys(recommender: Recommender) -> dict[SimilarityType, str]:
    system, manifest = recommender.system, recommender.collection.manifest
    return {kind: key(manifest, system, kind) for kind in system.types}


def _taken(folder: Path, kind: SimilarityType, wanted: str) -> StoredArray | None:
    """The array of a type as this generation has it, or as it is taken over from another."""
    for other in (folder, *folder.parent.parent.glob(f"*/{FOLDER}")):
        held = read_manifest(other)
        one = held and held.types.get(kind)
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
    types: tuple[SimilarityType, ...],
    processes: int,
    advance: Callable[[int], None],
) -> dict[SimilarityType, StoredArray]:
    folder, form = _folder(recommender) / _PARTS, NeighbourParts()
    batch = Batch(
        generation=recommender.mark,
        system=recommender.system.name,
        k=LENGTH,
        types=types,
        items=len(recommender.collection),
        part=_PART,
    )
    try:
        claim(folder, batch, unwritable)
    except UsageError:  # parts of other lists, which were never finished
        clear(folder)
        claim(folder, batch, unwritable)
    parts = batch.parts(folder, form)
    if processes == 1 or len(parts) == 1:
        run(recommender, batch, folder, form, advance)
    else:
        run_spread(opening, batch, folder, form, processes, advance)
    keys = _keys(recommender)
    return {kind: _joined(parts, at, batch, keys[kind]) for at, kind in enumerate(types)}


def _joined(parts: list[Path], at: int, batch: Batch, own: str) -> StoredArray:
    """Put the lists of a type together in the folder above that of the parts."""
    path = parts[0].parent.parent / f".lists-{os.getpid()}"
    with writing(path.parent):
        whole = np.lib.format.open_memmap(path, "w+", np.int32, (batch.items, LENGTH, 2))
        for number, part in enumerate(parts):
            rows = batch.rows(number)
            whole[rows.start : rows.stop] = np.load(part, mmap_mode="r", allow_pickle=False)[:, at]
        whole.flush()
        file, known = name_by_content(path, ".npy")
    return StoredArray(key=own, file=file, known=known)
