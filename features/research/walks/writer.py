"""Extends the tables of walks on disk, as a collection is built; nothing that answers a request does."""

from collections.abc import Sequence

import numpy as np

from features.research.walks.growth import WalkRows
from features.research.walks.walks import Walks

_COMMIT = 1024
"""Words of one step at most: a run that is killed loses no more than one."""

_SAMPLED = 64


class WalkWriter:
    """Stores words in the tables of ``walks``.

    Several processes may read and extend the same tables: words are walked without a lock, and what was
    walked is appended under it where no other process came first. A new word appends a row and touches
    nothing else.
    """

    def __init__(self, walks: Walks) -> None:
        self._walks, self._tables, self._growth = walks, walks.tables, walks.growth

    def extend(self, keys: Sequence[str]) -> None:
        """Walk the words that are not stored yet, and store them; one without a start is left out.

        Raises ``UnwritableState`` where the tables cannot grow, and ``DamagedArtefact``.
        """
        if not (keys := [key for key in self._missing(dict.fromkeys(keys)) if self._growth.walks_from(key)]):
            return
        self._tables.refresh()
        if not self._tables.token:
            with self._tables.store.alone():
                self._tables.refresh()
                if not self._tables.token:
                    self._tables.show(self._tables.store.begin())
        step = min(_COMMIT, len(keys))
        while new := self._missing(keys):
            stands = self._add(new[:step]) if step else self._add_alone(new[:1])
            # who came second walks fewer words the next time, at last a single one under the lock
            step = min(_COMMIT, max(1, 2 * step)) if stands else step // 2

    def _missing(self, keys: Sequence[str] | dict[str, None]) -> list[str]:
        return [key for key in keys if key not in self._tables.numbers]

    def _add(self, new: Sequence[str]) -> bool:
        """Walk new words and append them; False where another process appended some meanwhile.

        A row holds the cosines with all words before it, so that what was walked is then of no use.
        """
        words, rows = len(self._tables), self._rows(new)
        with self._tables.store.alone():
            self._tables.refresh()
            if len(self._tables) != words:
                return False
            self._append(new, rows)
        if len(new) >= _SAMPLED:
            self._measure()
        return True

    def _add_alone(self, new: Sequence[str]) -> bool:
        with self._tables.store.alone():
            self._tables.refresh()
            if new := self._missing(new):
                self._append(new, self._rows(new))
        return True

    def _rows(self, new: Sequence[str]) -> WalkRows:
        return self._growth.rows(list(self._tables.numbers), self._tables.stored.lengths, new)

    def _append(self, new: Sequence[str], rows: WalkRows) -> None:
        manifest = self._tables.stored.manifest
        grown = self._tables.store.append(
            manifest,
            manifest.model_copy(update={"words": manifest.words + len(new)}),
            {
                "cosines": b"".join(row.tobytes() for row in rows.codes),
                "lengths": rows.lengths.tobytes(),
                "keys": "".join(f"{key}\n" for key in new).encode(),
            },
        )
        self._tables.show(grown)

    def _measure(self) -> None:
        """Compare the cosines of a few words with the exact ones and store the largest difference."""
        keys = list(self._tables.numbers)
        chosen = self._growth.sample(keys)
        numbers = np.array(chosen, np.int32)
        exact = self._growth.exact([keys[number] for number in chosen])
        error = float(np.abs(self._walks.cosines(numbers, numbers) - exact).max())
        pairs = len(chosen) * (len(chosen) - 1) // 2
        with self._tables.store.alone():
            self._tables.refresh()
            manifest = self._tables.stored.manifest
            update = {"error": max(error, manifest.error), "sampled": manifest.sampled + pairs}
            self._tables.show(self._tables.store.publish(manifest.model_copy(update=update)))
