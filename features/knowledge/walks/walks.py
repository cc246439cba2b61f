"""Walks: how alike two texts are by the random walks from their words, looked up in tables.

A walk is linear: the walk from a text is the weighted mean of the walks from its words. So with ``C``
the cosines between the walks of words, ``l`` their lengths and ``a_w`` the weight of word w in a text
times its length, the cosine of the walks of two texts is a *soft cosine*,
``a C b / sqrt(a C a . b C b)``. The tables hold C and l for the words met so far; a new word appends a
row and touches nothing else, and the graph is needed for nothing but new words.

A cosine takes one byte, ``code = round(255 cosine^(2/3))``: fine where most cosines lie (the first
code stands for .0002), and nowhere more than .003 off. How far off the tables really are is measured
against exact walks while they grow, and stands in their manifest.
"""

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from features.knowledge.walks import kernels as walk_kernels
from features.knowledge.walks.graph import DAMPING, ITERATIONS, Graph
from features.knowledge.walks.growth import LEVELS, Rows, Start, WalkGrowth
from features.knowledge.walks.kernels import Bytes, Doubles, Floats, Ints, Longs
from features.knowledge.walks.store import Manifest, WalkStore
from ingest.errors import DamagedArtefact

_COMMIT = 1024
"""Words of one step at most: a run that is killed loses no more than one."""

_SAMPLED = 64


class _Tables(NamedTuple):
    """What one manifest names."""

    manifest: Manifest
    triangle: Bytes
    lengths: Floats


class Walks:
    """Tables of the walks over one graph from the words of one dictionary.

    ``name`` tells this graph and dictionary from every other; the tables lie under ``folder`` in a
    folder of their own for each. ``graph`` is called for the first new word, ``start`` gives the start
    of a word's walk. Several processes may read and extend the same tables: words are walked without
    a lock, and what was walked is appended under it where no other process came first. Raises
    ``DamagedArtefact`` where they were cut or altered, ``UnwritableState`` where they cannot grow.
    """

    def __init__(
        self, folder: Path, name: str, graph: Callable[[], Graph], start: Callable[[str], Start]
    ) -> None:
        mark = f"{name} {DAMPING} {ITERATIONS}"
        self._store = WalkStore(folder / hashlib.sha256(mark.encode()).hexdigest()[:16])
        self._growth = WalkGrowth(graph, start)
        self._start = start
        self._numbers: dict[str, int] = {}
        self._guard = threading.Lock()
        self._now = self._open(Manifest(token=""))
        self._refresh()

    def __len__(self) -> int:
        return self._now.manifest.words

    @property
    def token(self) -> str:
        """Drawn when the tables were begun: ids mean the same only under the same token."""
        return self._now.manifest.token

    @property
    def error(self) -> float:
        """The largest difference of a cosine from the exact one, over the pairs sampled so far."""
        return self._now.manifest.error

    def ids(self, keys: Sequence[str]) -> Ints:
        """The numbers of words, int32[len(keys)]; new words are walked first, -1 has no start."""
        numbers = self._numbers
        new = [key for key in dict.fromkeys(keys) if key not in numbers]
        if found := [key for key in new if len(self._start(key)[0])]:
            self._extend(found)
        return np.array([numbers.get(key, -1) for key in keys], np.int32)

    def cosines(self, left: Ints, right: Ints) -> Doubles:
        """Cosines of words with words, float64[len(left), len(right)]; 0 where an id is -1."""
        return walk_kernels.between(self._now.triangle, LEVELS, left, right)

    def units(self, starts: Longs, ids: Ints, counts: Doubles) -> Doubles:
        """The weights a of texts, scaled so that ``a C a = 1``: float64[len(ids)].

        Text t has the words ``ids[starts[t]:starts[t + 1]]``, each as often as ``counts`` says.
        """
        now = self._now
        weights = counts * now.lengths[ids].astype(np.float64)
        norms = np.sqrt(walk_kernels.squares(now.triangle, LEVELS, starts, ids, weights))
        scaled: Doubles = weights / np.repeat(norms, np.diff(starts))
        return scaled

    def codes(self, ids: Ints, words: Ints | None = None) -> Bytes:
        """The codes of ``words``, by default of all, with some: uint8[words, columns], a column an id."""
        now = self._now
        if words is None:
            words = np.arange(now.manifest.words, dtype=np.int32)
        return walk_kernels.codes(now.triangle, words, ids)

    def _open(self, manifest: Manifest) -> _Tables:
        triangle = self._store.array(manifest, "cosines", np.uint8)
        lengths = self._store.array(manifest, "lengths", np.float32)
        return _Tables(manifest, triangle.view(np.uint8), lengths.view(np.float32))

    def _refresh(self) -> None:
        """Take in what other processes have added."""
        manifest, ours = self._store.read(), self._now.manifest
        if manifest == ours or (manifest is None and not ours.token):
            return
        if manifest is None or (ours.token and manifest.token != ours.token):
            raise DamagedArtefact(
                f"{self._store.folder} was removed or made anew while it was in use; start this process again"
            )
        self._store.check(manifest)
        self._show(manifest)

    def _show(self, manifest: Manifest) -> None:
        known = self._now.manifest
        added = self._store.array(manifest, "keys", np.uint8)[known.files["keys"].bytes :]
        keys = added.tobytes().decode().split("\n")[:-1]
        # tables first: whoever finds a number must find its row
        self._now = self._open(manifest)
        self._numbers.update((key, known.words + number) for number, key in enumerate(keys))

    def _extend(self, keys: Sequence[str]) -> None:
        with self._guard:
            self._begin()
            step = min(_COMMIT, len(keys))
            while new := [key for key in keys if key not in self._numbers]:
                stands = self._add(new[:step]) if step else self._add_alone(new[:1])
                # who came second walks fewer words the next time, at last a single one under the lock
                step = min(_COMMIT, max(1, 2 * step)) if stands else step // 2

    def _begin(self) -> None:
        """Take in what others have added; begin the tables where nobody has."""
        self._refresh()
        if not self.token:
            with self._store.alone():
                self._refresh()
                if not self.token:
                    self._show(self._store.begin())

    def _add(self, new: Sequence[str]) -> bool:
        """Walk new words and append them; False where another process appended some meanwhile.

        A row holds the cosines with all words before it, so that what was walked is then of no use.
        """
        words, rows = len(self), self._rows(new)
        with self._store.alone():
            self._refresh()
            if len(self) != words:
                return False
            self._append(new, rows)
        if len(new) >= _SAMPLED:
            self._measure()
        return True

    def _add_alone(self, new: Sequence[str]) -> bool:
        """The same while no other process can append: always True."""
        with self._store.alone():
            self._refresh()
            if new := [key for key in new if key not in self._numbers]:
                self._append(new, self._rows(new))
        return True

    def _rows(self, new: Sequence[str]) -> Rows:
        return self._growth.rows(list(self._numbers), self._now.lengths, new)

    def _append(self, new: Sequence[str], rows: Rows) -> None:
        manifest = self._now.manifest
        grown = self._store.append(
            manifest,
            manifest.model_copy(update={"words": manifest.words + len(new)}),
            {
                "cosines": b"".join(row.tobytes() for row in rows.codes),
                "lengths": rows.lengths.tobytes(),
                "keys": "".join(f"{key}\n" for key in new).encode(),
            },
        )
        self._show(grown)

    def _measure(self) -> None:
        """Compare the cosines of a few words with the exact ones and keep the largest difference."""
        keys = list(self._numbers)
        chosen = self._growth.sample(keys)
        numbers = np.array(chosen, np.int32)
        exact = self._growth.exact([keys[number] for number in chosen])
        error = float(np.abs(self.cosines(numbers, numbers) - exact).max())
        pairs = len(chosen) * (len(chosen) - 1) // 2
        with self._store.alone():
            self._refresh()
            manifest = self._now.manifest
            measured = manifest.model_copy(
                update={"error": max(error, manifest.error), "sampled": manifest.sampled + pairs}
            )
            self._now = self._now._replace(manifest=self._store.publish(measured))
