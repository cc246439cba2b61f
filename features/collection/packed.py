"""A collection whose items lie elsewhere: items as strings of bytes, and columns without rows.

A *packed* item carries its own row of every column: the numbers of every array that grows with the items, in
one order for a whole generation; arrays that several features share are there once. The columns without rows
have all that grows like a vocabulary.
"""

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
import numpy as np

from features.arrays import Array, Bytes, Longs
from features.collection.collection import columns, own_arrays
from features.collection.generation import GenerationManifest
from features.knowledge.resources import Resources
from features.measures.base import Column, FeatureColumn
from features.measures.registry import FeatureSettings
from features.measures.tables import Table, starts_of
from features.profiles.blocks import stretched
from ingest.errors import DamagedArtefact

_DAMAGED: Final = "what the index was fitted with cannot be read ({}); run: kindred index build"
_SIZE = 4  # bytes of the number of an item's entries in a list


class Member(NamedTuple):
    """An array that grows with the items: its file, the same for equal arrays, and the kind of its rows."""

    file: str
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]

    @property
    def width(self) -> int:
        """The bytes of one entry."""
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize


_Key: TypeAlias = tuple[str, str]
"""An array of packed items: the file of the starts of its lists, empty for none, and its own file."""


class Layout:
    """The order of the arrays in a packed item; the same on the side that packs and on the one that reads.

    ``files`` says which file has each array of the collection, by the names of its manifest.
    """

    def __init__(
        self,
        features: Mapping[str, FeatureSettings],
        columns: Mapping[str, FeatureColumn],
        files: Mapping[str, str],
    ) -> None:
        self._names: dict[str, dict[str, _Key]] = {}
        self._fixed: dict[str, Member] = {}
        self._lists: dict[str, dict[str, Member]] = {}
        for name in features:
            column = columns[name]
            items = column.table.by_item() if isinstance(column, Column) else ()
            if isinstance(column, Column) and items and f"{name}-{items[0]}.npy" in files:
                self._add(name, column.table, files)
        self.width = sum(one.width for one in self._fixed.values()) + _SIZE * len(self._lists)

    def _add(self, name: str, table: Table, files: Mapping[str, str]) -> None:
        arrays, of = table.arrays(), dict[str, _Key]()
        starts = files[f"{name}-starts.npy"] if table.LISTS else ""
        if table.LISTS:
            of["starts"] = "", starts
        for field in table.by_item():
            member = Member(files[f"{name}-{field}.npy"], arrays[field].dtype, arrays[field].shape[1:])
            if field in table.LISTS:
                # equal entries of other lists may belong to other items
                of[field] = starts, member.file
                self._lists.setdefault(starts, {})[member.file] = member
            else:
                of[field] = "", member.file
                self._fixed[member.file] = member
        self._names[name] = of

    def pack(self, files: Mapping[str, Array], rows: slice) -> Iterator[bytes]:
        """The packed items of some rows; ``files`` are the whole arrays."""
        count = rows.stop - rows.start
        heads: list[Bytes] = []
        for fixed in self._fixed.values():
            own = np.ascontiguousarray(files[fixed.file][rows])
            heads.append(np.frombuffer(own.tobytes(), np.uint8).reshape(count, fixed.width))
        bodies: list[tuple[bytes, Longs, int]] = []
        for file, members in self._lists.items():
            starts = np.asarray(files[file][rows.start : rows.stop + 1], np.int64)
            heads.append(np.diff(starts).astype("<u4").view(np.uint8).reshape(count, _SIZE))
            for member in members.values():
                entries = np.ascontiguousarray(files[member.file][starts[0] : starts[-1]])
                bodies.append((entries.tobytes(), starts - starts[0], member.width))
        head = np.concatenate(heads, axis=1)
        for row in range(count):
            lists = (data[at[row] * width : at[row + 1] * width] for data, at, width in bodies)
            yield b"".join((head[row].tobytes(), *lists))

    def unpack(self, packed: Sequence[bytes]) -> Callable[[str, Table], Table]:
        """What gives the rows of some packed items for a feature, from its table of all items."""
        count = len(packed)
        head = np.frombuffer(b"".join(one[: self.width] for one in packed), np.uint8)
        head = head.reshape(count, self.width)
        arrays, at = dict[_Key, Array](), 0
        for fixed in self._fixed.values():
            arrays["", fixed.file] = _typed(head[:, at : at + fixed.width], fixed, count)
            at += fixed.width
        body = np.frombuffer(b"".join(one[self.width :] for one in packed), np.uint8)
        lengths = np.array([len(one) - self.width for one in packed], np.int64)
        here = np.cumsum(lengths) - lengths
        for file, members in self._lists.items():
            sizes = np.ascontiguousarray(head[:, at : at + _SIZE]).view("<u4").reshape(-1).astype(np.int64)
            at += _SIZE
            arrays["", file] = starts_of(sizes)
            for member in members.values():
                entries = body[stretched(here, sizes * member.width)]
                arrays[file, member.file] = _typed(entries, member, int(sizes.sum()))
                here = here + sizes * member.width

        def rows(name: str, table: Table) -> Table:
            own = {field: arrays[key] for field, key in self._names[name].items()}
            return type(table).of({**table.arrays(), **own})

        return rows


def _typed(data: Bytes, member: Member, count: int) -> Array:
    if not member.width:
        return np.empty((count, *member.shape), member.dtype)
    return np.ascontiguousarray(data).reshape(-1).view(member.dtype).reshape(count, *member.shape)


class _FittedState(msgspec.Struct, frozen=True):
    """The manifest as JSON, the digest of every array by its name, and the arrays as npz."""

    manifest: bytes
    names: dict[str, str]
    arrays: bytes


class FittedColumns:
    """The columns of a collection without rows, and how an item that carries its own is packed.

    ``arrays`` are those of a generation, or of one that was stored without its items.
    """

    def __init__(
        self, manifest: GenerationManifest, arrays: Mapping[str, Array], resources: Resources
    ) -> None:
        self.manifest, self._arrays = manifest, arrays
        usable = manifest.usable()
        self.columns = columns(usable, arrays, resources)
        self.layout = Layout(usable, self.columns, manifest.arrays)

    def without_items(self) -> bytes:
        """All but the items; the inverse of :func:`fitted`."""
        names, files = dict[str, str](), dict[str, Array]()
        for name, column in self.columns.items():
            if isinstance(column, Column):
                for part, array in column.fitted(own_arrays(name, self._arrays)).items():
                    kind = repr((array.dtype.str, array.shape)).encode()
                    digest = hashlib.sha256(kind + np.ascontiguousarray(array).tobytes()).hexdigest()
                    names[f"{name}-{part}.npy"] = digest
                    files[digest] = array
        data = io.BytesIO()
        np.savez_compressed(data, allow_pickle=False, **files)
        manifest = self.manifest.model_dump_json().encode()
        return msgspec.msgpack.encode(_FittedState(manifest, names, data.getvalue()))


def fitted(data: bytes, resources: Resources) -> FittedColumns:
    """What ``without_items`` gave; raises ``DamagedArtefact`` for other bytes, and ``ResourceMissing``."""
    try:
        state = msgspec.msgpack.decode(data, type=_FittedState)
        manifest = GenerationManifest.model_validate_json(state.manifest)
        with np.load(io.BytesIO(state.arrays), allow_pickle=False) as stored:
            files = {digest: stored[digest] for digest in set(state.names.values())}
        arrays = {name: files[digest] for name, digest in state.names.items()}
    except (msgspec.DecodeError, ValueError, KeyError, OSError) as error:
        raise DamagedArtefact(_DAMAGED.format(error)) from error
    return FittedColumns(manifest, arrays, resources)
