"""Precomputed neighbours: the best neighbours of every item by type, stored in the folder of a generation.

Each type has one array int32[items, LENGTH, 2]: the rows of the best items, best first, and their scores in
millionths; -1 fills up the rest where there are fewer. Each array has a *key*, the digest of all that its
scores depend on: it is read only for the collection and the system that it was made with, and a later
generation takes over the arrays of the types of which nothing has changed.
"""

import hashlib
import logging
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from features.arrays import Doubles, Ints, Rows
from features.collection.collection import Built
from features.collection.generation import GenerationManifest
from features.measures.base import needed
from ingest.errors import DamagedArtefact
from ingest.storage.files import FileMark, mark
from ingest.storage.folders import MANIFEST
from models.systems import System
from models.types import SimilarityType
from service.search.engines.port import ProposedItem
from service.search.engines.ranking import PLACES, nearest

LENGTH: Final = 50  # how many neighbours of an item are stored at most

FORMAT: Final = 1

FOLDER: Final = "neighbours"  # the folder of the arrays in that of a generation

_UNIT: Final = 10**PLACES
_LOG = logging.getLogger("kindred")


class StoredArray(BaseModel):
    """The array of a type: its key and its file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    file: str
    known: FileMark


class PrecomputedManifest(BaseModel):
    """The manifest of the folder: the array of each type."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    types: dict[SimilarityType, StoredArray]


def key(collection: GenerationManifest, system: System, kind: SimilarityType) -> str:
    """A digest of all that the scores of a type depend on: items, arrays of its features, what was learnt."""
    digest = hashlib.sha256()
    for part in _parts(collection, system, kind):
        digest.update(f"{part}\n".encode())
    return digest.hexdigest()[:32]


def _parts(collection: GenerationManifest, system: System, kind: SimilarityType) -> Iterator[object]:
    additive = system.additive
    if additive is None:
        raise TypeError("a system that is not additive has no exact neighbours")
    at = system.position(kind)
    applies, both, above = system.not_applicable.get(kind), system.both.get(kind), system.applies.get(kind)
    yield "lists", FORMAT, LENGTH, collection.items, applies, above, both
    yield additive.base[at].item()
    moving = np.flatnonzero(additive.active[:, at]).tolist()
    for n in moving:
        line = additive.line(n, at)
        yield system.features[n], line.knots.tolist(), line.heights.tolist(), line.missing
    names = (*(system.features[n] for n in moving), *(one for one in (applies, both) if one))
    features = needed(names, collection.features)
    for name in features:
        settings = collection.features[name]
        yield name, settings.model_dump_json(), collection.versions.get(name)
    # a file is named by its content
    for array, file in sorted(collection.arrays.items()):
        feature = array.rpartition("-")[0]
        if feature in features or array.startswith(("ids", "duplicates")):
            yield array, file


def read_manifest(folder: Path) -> PrecomputedManifest | None:
    """The manifest of a folder of precomputed neighbours; None where there is none that can be read."""
    try:
        return PrecomputedManifest.model_validate_json((folder / MANIFEST).read_bytes())
    except (OSError, ValidationError):
        return None


class NeighbourList(NamedTuple):
    """The best neighbours of an item: their rows and scores, best first; ``whole`` where there are no more.

    >>> NeighbourList.of(np.array([[7, 4_500_000], [2, 1_250_000], [-1, -1]], np.int32))
    NeighbourList(rows=array([7, 2]), scores=array([4.5 , 1.25]), whole=True)
    """

    rows: Rows
    scores: Doubles
    whole: bool

    @classmethod
    def of(cls, array: Ints) -> "NeighbourList":
        """The neighbours of one item from its part of the array, int32[length, 2]."""
        own = array[array[:, 0] >= 0]
        return cls(own[:, 0].astype(np.intp), own[:, 1] / _UNIT, len(own) < len(array))


def stored(neighbours: Sequence[tuple[int, float]], length: int) -> Ints:
    """The array of one item's neighbours, rows and scores, best first: the inverse of ``NeighbourList.of``.

    >>> stored([(7, 4.5), (2, 1.25)], 3).tolist()
    [[7, 4500000], [2, 1250000], [-1, -1]]
    """
    array: Ints = np.full((length, 2), -1, np.int32)
    for at, (row, score) in enumerate(neighbours):
        array[at] = row, round(score * _UNIT)
    return array


class PrecomputedNeighbours:
    """The arrays of one generation for one system; each is checked and opened when it is first asked for.

    What is not there yet is looked for again with each question: it is made while the collection already
    answers.
    """

    def __init__(self, collection: Built, system: System) -> None:
        self._folder = None if collection.folder is None else collection.folder / FOLDER
        self._keys = {kind: key(collection.manifest, system, kind) for kind in system.types}
        self._manifest: PrecomputedManifest | None = None
        self._open: dict[SimilarityType, Ints | None] = {}

    def of(self, kind: SimilarityType, row: int) -> NeighbourList | None:
        """The best of a type for a row; None where there are none of that type."""
        array = self._array(kind)
        return None if array is None else NeighbourList.of(array[row])

    def _array(self, kind: SimilarityType) -> Ints | None:
        if kind in self._open:
            return self._open[kind]
        if self._folder is None:
            return None
        self._manifest = self._manifest or read_manifest(self._folder)
        if self._manifest is None:
            return None
        stored, array = self._manifest.types.get(kind), None
        if stored is not None and stored.key == self._keys[kind]:
            try:
                array = opened(self._folder / stored.file, stored.known)
            except DamagedArtefact as error:
                _LOG.warning("precomputed neighbours are not used: %s", error.detail)
        self._open[kind] = array
        return array


def opened(path: Path, known: FileMark) -> Ints:
    """A type's array, memory-mapped; raises ``DamagedArtefact`` where it does not fit its checksum."""
    try:
        whole = mark(path) == known
        array: Ints = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError):
        whole = False
    if not whole:
        raise DamagedArtefact(f"{path} does not fit its checksum; run: kindred build --precompute")
    return array


def merged(
    ids: Sequence[str],
    base: tuple[Rows, Doubles],
    last: ProposedItem | None,
    extras: tuple[Rows, Doubles],
    number: int,
    after: ProposedItem | None = None,
) -> list[ProposedItem] | None:
    """The ``number`` best of stored and new rows; None where they are not sure to be the best.

    ``base`` is what is left of the stored neighbours, by the rows that there are now; ``last`` was the last
    of them, gone or not, behind which stands all that was not stored: None where all was. ``extras`` are new
    rows with their scores. How many items score as high is counted among all these alone.

    >>> left, put = (np.array([3, 0]), np.array([4.0, 2.0])), (np.array([1, 2]), np.array([3.0, 1.0]))
    >>> last = ProposedItem("a", 2.0)
    >>> [one.id for one in merged("abcd", left, last, put, 3) or ()]
    ['d', 'b', 'a']
    >>> merged("abcd", left, last, put, 4) is None  # c may stand behind items that are not stored
    True
    """
    rows, scores = np.concatenate([base[0], extras[0]]), np.concatenate([base[1], extras[1]])
    order = np.argsort(rows)
    rows, scores = rows[order], np.round(scores[order], PLACES)
    if last is not None:
        before = rows < bisect_right(ids, last.id)
        sure = (scores > last.bound) | ((scores == last.bound) & before)
        rows, scores = rows[sure], scores[sure]
    best = nearest(ids, rows, scores, number, after)
    return best if last is None or len(best) == number else None
