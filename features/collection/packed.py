"""Packed items: what the columns of a collection keep of an item as one string of bytes, and back.

Where the rows of a collection lie elsewhere an item carries its own: the numbers of every array that grows
with the items, in one order for a whole generation. Arrays that several features share are there once.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from features.arrays import Array, Bytes, Longs
from features.measures.base import Column, FeatureColumn
from features.measures.registry import FeatureSettings
from features.measures.tables import Table
from features.profiles.blocks import stretched

_SIZE = 4
"""Bytes of the number of an item's entries in a list."""


class Member(NamedTuple):
    """An array that grows with the items: its file, which tells equal arrays, and what a row of it is."""

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
            if isinstance(column, Column) and f"{name}-{_first(column.table)}.npy" in files:
                self._take(name, column.table, files)
        self.width = sum(one.width for one in self._fixed.values()) + _SIZE * len(self._lists)

    def _take(self, name: str, table: Table, files: Mapping[str, str]) -> None:
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
            heads.append(own.view(np.uint8).reshape(count, fixed.width) if own.size else _none(count))
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

    def unpack(self, packed: Sequence[bytes]) -> "Unpacked":
        """The arrays of some packed items."""
        count = len(packed)
        head = np.frombuffer(b"".join(one[: self.width] for one in packed), np.uint8)
        head = head.reshape(count, self.width)
        found, at = dict[_Key, Array](), 0
        for fixed in self._fixed.values():
            found["", fixed.file] = _typed(head[:, at : at + fixed.width], fixed, count)
            at += fixed.width
        body = np.frombuffer(b"".join(one[self.width :] for one in packed), np.uint8)
        lengths = np.array([len(one) - self.width for one in packed], np.int64)
        here = np.cumsum(lengths) - lengths
        for file, members in self._lists.items():
            sizes = np.ascontiguousarray(head[:, at : at + _SIZE]).view("<u4").reshape(-1).astype(np.int64)
            at += _SIZE
            found["", file] = np.concatenate(([0], np.cumsum(sizes)))
            for member in members.values():
                entries = body[stretched(here, sizes * member.width)]
                found[file, member.file] = _typed(entries, member, int(sizes.sum()))
                here = here + sizes * member.width
        return Unpacked(self._names, found)


class Unpacked:
    """The arrays of some items; ``table`` makes that of a feature, with what it shares with all items."""

    def __init__(self, names: "Mapping[str, Mapping[str, _Key]]", arrays: "Mapping[_Key, Array]") -> None:
        self._names, self._arrays = names, arrays

    def table(self, name: str, of: Table) -> Table:
        """The rows of a feature, as a table like another."""
        own = {field: self._arrays[key] for field, key in self._names[name].items()}
        return type(of).of({**of.arrays(), **own})


def _first(table: Table) -> str:
    return next(iter(table.by_item()), "")


def _none(count: int) -> Bytes:
    return np.empty((count, 0), np.uint8)


def _typed(data: Bytes, member: Member, count: int) -> Array:
    if not member.width:
        return np.empty((count, *member.shape), member.dtype)
    return np.ascontiguousarray(data).reshape(-1).view(member.dtype).reshape(count, *member.shape)
