"""The files of walk tables: they only ever grow, and what a manifest names is never touched again.

A folder holds three files that are appended to and a manifest that says how much of each counts; the next
writer cuts off what a killed run left behind that. The manifest is written aside, synced and renamed, so that
a reader sees the words of one manifest or of the next, and the bytes it has mapped stay as they are. Where
the system refuses to write, ``UnwritableState`` is raised, and the manifest before goes on to count.

The sha256 of every block of a MiB stands in the manifest. Opening checks all of them (0.1 s for
15,000 words); appending computes only those of the blocks that changed.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from features.arrays import Array, Bytes, Singles
from ingest.errors import DamagedArtefact
from ingest.storage.files import locked, write_whole, writing
from ingest.storage.folders import MANIFEST

FORMAT = 1
_BLOCK = 1 << 20

FileName = Literal["cosines", "lengths", "keys"]
"""cosines: the packed triangle of codes; lengths: float32 a word; keys: a line of UTF-8 a word."""

_FILES: tuple[FileName, ...] = ("cosines", "lengths", "keys")


class Extent(BaseModel):
    """How much of a file counts, and the sha256 of its blocks."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int = 0
    blocks: tuple[str, ...] = ()


class WalkManifest(BaseModel):
    """What the tables hold; ``token`` is drawn when they are begun, ``digest`` covers all the rest.

    ``error`` is the largest difference of a cosine from that of the exact walks, over ``sampled``
    pairs of words that were drawn as the tables grew.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = FORMAT
    token: str
    words: int = 0
    files: dict[FileName, Extent] = {name: Extent() for name in _FILES}
    error: float = 0.0
    sampled: int = 0
    digest: str = ""

    def sealed(self) -> "WalkManifest":
        """The same with its digest."""
        text = self.model_copy(update={"digest": ""}).model_dump_json()
        return self.model_copy(update={"digest": hashlib.sha256(text.encode()).hexdigest()})


class WalkStore:
    """One folder of tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self) -> WalkManifest | None:
        """The manifest, None where nothing was written yet; raises ``DamagedArtefact``."""
        path = self.folder / MANIFEST
        try:
            manifest = WalkManifest.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise self._damaged(path, f"cannot be read ({error})") from error
        if manifest.format != FORMAT or manifest.sealed() != manifest:
            raise self._damaged(path, "does not fit its checksum")
        return manifest

    def array(self, manifest: WalkManifest, name: FileName, dtype: npt.DTypeLike) -> Array:
        """A file as far as the manifest counts it, memory-mapped."""
        size = manifest.files[name].bytes
        if not size:
            return np.empty(0, dtype)
        try:
            return np.memmap(self.folder / name, dtype, "r", shape=(size // np.dtype(dtype).itemsize,))
        except (OSError, ValueError) as error:
            raise self._damaged(self.folder / name, f"cannot be read ({error})") from error

    def check(self, manifest: WalkManifest) -> None:
        """Compare every block with its checksum; raises ``DamagedArtefact``."""
        for name, extent in manifest.files.items():
            data = self.array(manifest, name, np.uint8)
            if _sums(data.data) != extent.blocks:
                raise self._damaged(self.folder / name, "does not fit its checksum")

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process writes these tables; the kernel frees the lock of a killed one."""
        with locked(self.folder / ".lock"):
            yield

    def begin(self) -> WalkManifest:
        """Write the manifest of empty tables."""
        return self.publish(WalkManifest(token=secrets.token_hex(8)))

    def append(
        self, before: WalkManifest, after: WalkManifest, more: Mapping[FileName, bytes]
    ) -> WalkManifest:
        """Add bytes to the files that ``before`` counts; ``after`` is the new manifest but for them."""
        with writing(self.folder):
            files = {name: self._append(name, before.files[name], more[name]) for name in _FILES}
        return self.publish(after.model_copy(update={"files": files}))

    def _append(self, name: FileName, before: Extent, more: bytes) -> Extent:
        path = self.folder / name
        whole = before.bytes // _BLOCK
        with path.open("r+b" if before.bytes else "w+b") as file:
            file.truncate(before.bytes)
            file.seek(whole * _BLOCK)
            changed = file.read() + more
            if _sums(memoryview(changed)[: before.bytes - whole * _BLOCK]) != before.blocks[whole:]:
                raise self._damaged(path, "does not fit its checksum")
            file.write(more)
            file.flush()
            os.fsync(file.fileno())
        blocks = before.blocks[:whole] + _sums(memoryview(changed))
        return Extent(bytes=before.bytes + len(more), blocks=blocks)

    def publish(self, manifest: WalkManifest) -> WalkManifest:
        """Make a manifest the one that counts; gives it back with its digest."""
        sealed = manifest.sealed()
        write_whole(self.folder / MANIFEST, sealed.model_dump_json(indent=1).encode())
        return sealed

    def _damaged(self, path: Path, why: str) -> DamagedArtefact:
        return DamagedArtefact(f"{path} {why}; remove {self.folder} and run: kindred build")


def _sums(data: memoryview) -> tuple[str, ...]:
    return tuple(hashlib.sha256(data[at : at + _BLOCK]).hexdigest() for at in range(0, len(data), _BLOCK))


class StoredWalks(NamedTuple):
    """What one manifest names: the packed triangle of codes, and the length of every word's walk."""

    manifest: WalkManifest
    triangle: Bytes
    lengths: Singles


class WalkTables:
    """Words by number, and the tables that one manifest names; both only ever grow.

    ``numbers`` holds the words in the order of their numbers. Raises ``DamagedArtefact`` where the files
    were cut or altered.
    """

    def __init__(self, store: WalkStore) -> None:
        self.store = store
        self.numbers: dict[str, int] = {}
        self.stored = self._open(WalkManifest(token=""))
        self.refresh()

    def __len__(self) -> int:
        return self.stored.manifest.words

    @property
    def token(self) -> str:
        """Drawn when the tables were begun; empty where nothing is stored."""
        return self.stored.manifest.token

    def refresh(self) -> None:
        """Take in what was written since; raises ``DamagedArtefact`` where the tables were made anew."""
        manifest, before = self.store.read(), self.stored.manifest
        if manifest == before or (manifest is None and not before.token):
            return
        if manifest is None or (before.token and manifest.token != before.token):
            raise DamagedArtefact(
                f"{self.store.folder} was removed or made anew while it was in use; start this process again"
            )
        self.store.check(manifest)
        self.show(manifest)

    def show(self, manifest: WalkManifest) -> None:
        """Make the tables of a manifest the ones that count."""
        before = self.stored.manifest
        added = self.store.array(manifest, "keys", np.uint8)[before.files["keys"].bytes :]
        keys = added.tobytes().decode().split("\n")[:-1]
        # tables first: whoever finds a number must find its row
        self.stored = self._open(manifest)
        self.numbers.update((key, before.words + number) for number, key in enumerate(keys))

    def _open(self, manifest: WalkManifest) -> StoredWalks:
        triangle = self.store.array(manifest, "cosines", np.uint8)
        lengths = self.store.array(manifest, "lengths", np.float32)
        return StoredWalks(manifest, triangle.view(np.uint8), lengths.view(np.float32))
