"""Fitted: what a collection was fitted with, without its items, as bytes and back.

A collection whose items lie elsewhere is compared by columns without rows: vocabularies, how rare each term
is, the makers and places that there are, and the sample that says what is usual. All that grows like a
vocabulary, not like the items.
"""

import hashlib
import io
from collections.abc import Mapping
from typing import Final

import msgspec
import numpy as np

from features.arrays import Array
from features.collection.collection import columns, own_arrays
from features.collection.generation import GenerationManifest
from features.collection.packed import Layout
from features.knowledge.resources import Resources
from features.measures.base import Column
from ingest.errors import DamagedArtefact

_DAMAGED: Final = "what the index was fitted with cannot be read ({}); run: kindred index build"


class _FittedState(msgspec.Struct, frozen=True):
    """The manifest as JSON, the digest of every array by its name, and the arrays as npz."""

    manifest: bytes
    names: dict[str, str]
    arrays: bytes


class FittedColumns:
    """The columns of a collection without rows, and how an item that carries its own is packed.

    ``arrays`` are those of a generation, or of one that was kept without its items.
    """

    def __init__(
        self, manifest: GenerationManifest, arrays: Mapping[str, Array], resources: Resources
    ) -> None:
        self.manifest, self._arrays = manifest, arrays
        usable = manifest.usable()
        self.columns = columns(usable, dict(arrays), resources)
        self.layout = Layout(usable, self.columns, manifest.arrays)

    def without_items(self) -> bytes:
        """All but the items; the inverse of :func:`fitted`."""
        names, files = dict[str, str](), dict[str, Array]()
        for name, column in self.columns.items():
            if not isinstance(column, Column):
                continue
            for array, kept in column.fitted(own_arrays(name, dict(self._arrays))).items():
                digest = _digest(kept)
                names[f"{name}-{array}.npy"] = digest
                files[digest] = kept
        data = io.BytesIO()
        np.savez_compressed(data, allow_pickle=False, **files)
        about = self.manifest.model_dump_json().encode()
        return msgspec.msgpack.encode(_FittedState(about, names, data.getvalue()))


def fitted(data: bytes, resources: Resources) -> FittedColumns:
    """What was kept of a collection; raises ``DamagedArtefact`` for other bytes, and ``ResourceMissing``."""
    try:
        kept = msgspec.msgpack.decode(data, type=_FittedState)
        manifest = GenerationManifest.model_validate_json(kept.manifest)
        with np.load(io.BytesIO(kept.arrays), allow_pickle=False) as stored:
            files = {digest: stored[digest] for digest in set(kept.names.values())}
        arrays = {name: files[digest] for name, digest in kept.names.items()}
    except (msgspec.DecodeError, ValueError, KeyError, OSError) as error:
        raise DamagedArtefact(_DAMAGED.format(error)) from error
    return FittedColumns(manifest, arrays, resources)


def _digest(array: Array) -> str:
    about = repr((array.dtype.str, array.shape)).encode()
    return hashlib.sha256(about + np.ascontiguousarray(array).tobytes()).hexdigest()
