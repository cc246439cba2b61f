"""The walk tables of one folder, as far as a process has read them."""

from typing import NamedTuple

import numpy as np

from features.arrays import Bytes, Singles
from features.research.walks.store import Manifest, WalkStore
from ingest.errors import DamagedArtefact


class StoredWalks(NamedTuple):
    """What one manifest names: the packed triangle of codes, and the length of every word's walk."""

    manifest: Manifest
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
        self.stored = self._open(Manifest(token=""))
        self.refresh()

    def __len__(self) -> int:
        return self.stored.manifest.words

    @property
    def token(self) -> str:
        """Drawn when the tables were begun; empty where nothing is stored."""
        return self.stored.manifest.token

    def refresh(self) -> None:
        """Take in what was written since; raises ``DamagedArtefact`` where the tables were made anew."""
        manifest, ours = self.store.read(), self.stored.manifest
        if manifest == ours or (manifest is None and not ours.token):
            return
        if manifest is None or (ours.token and manifest.token != ours.token):
            raise DamagedArtefact(
                f"{self.store.folder} was removed or made anew while it was in use; start this process again"
            )
        self.store.check(manifest)
        self.show(manifest)

    def show(self, manifest: Manifest) -> None:
        """Make the tables of a manifest the ones that count."""
        before = self.stored.manifest
        added = self.store.array(manifest, "keys", np.uint8)[before.files["keys"].bytes :]
        keys = added.tobytes().decode().split("\n")[:-1]
        # tables first: whoever finds a number must find its row
        self.stored = self._open(manifest)
        self.numbers.update((key, before.words + number) for number, key in enumerate(keys))

    def _open(self, manifest: Manifest) -> StoredWalks:
        triangle = self.store.array(manifest, "cosines", np.uint8)
        lengths = self.store.array(manifest, "lengths", np.float32)
        return StoredWalks(manifest, triangle.view(np.uint8), lengths.view(np.float32))
