"""New rows for the walk tables: the codes of new words with all words before them."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from features.arrays import Bytes, Doubles, Singles
from features.research.walks.batches import WalkBatches
from features.research.walks.graph import DAMPING, ITERATIONS, Graph

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Start = tuple[Sequence[int], Sequence[float]]
"""The start of a word's walk: nodes of the graph and their shares, which add up to 1.

Empty for a word that the graph lacks.
"""

POWER = 1.5

LEVELS: Doubles = (np.arange(256) / 255.0) ** POWER
"""The cosine that each code stands for."""

_BATCH = 64
# fewer new words are walked one by one, which is faster than a narrow block
_FEW = 16
# the most nodes times starts of a block: four blocks of this size are alive in each thread
_CELLS = 1 << 23
_SEED = 20130613


def encode(cosines: Singles) -> Bytes:
    """The nearest codes of cosines.

    >>> LEVELS[encode(np.array([0.0, 0.001, 0.25, 1.0], np.float32))].round(4).tolist()
    [0.0, 0.0013, 0.2493, 1.0]
    """
    roots = np.clip(cosines, 0.0, 1.0) ** (1.0 / POWER)
    codes: Bytes = np.rint(255.0 * roots).astype(np.uint8)
    return codes


class WalkRows(NamedTuple):
    """What new words add: a row of codes a word, and the lengths of their walks."""

    codes: list[Bytes]
    lengths: Singles


class WalkGrowth:
    """Walks from new words; makes the graph when the first one comes."""

    def __init__(self, graph: Callable[[], Graph], start: Callable[[str], Start]) -> None:
        self._make_graph = graph
        self._start = start
        self._known: tuple[list[str], csr_array] | None = None

    def walks_from(self, key: str) -> bool:
        """Whether a word has a start."""
        return len(self._start(key)[0]) > 0

    def rows(self, before: Sequence[str], lengths: Singles, new: Sequence[str]) -> WalkRows:
        """The rows of new words after the words ``before``, whose walks have these ``lengths``."""
        words = self._matrix_of_all(list(before), list(new))
        width = self._width if len(new) >= _FEW else 1
        batches = [range(at, min(at + width, len(new))) for at in range(0, len(new), width)]

        def walked(batch: range) -> tuple[Singles, Singles]:
            first = len(before)
            mine = words[first + batch.start : first + batch.stop]
            return self._batches.dots(mine, words[: first + batch.stop])

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
            found = list(threads.map(walked, batches))
        every = np.concatenate((lengths, *(own for _, own in found)))
        codes = []
        for batch, (dots, _) in zip(batches, found, strict=True):
            for row, number in zip(dots, range(len(before) + batch.start, len(words.indptr)), strict=False):
                codes.append(encode(row[:number] / (every[:number] * every[number])))
        return WalkRows(codes, every[len(lengths) :])

    def exact(self, keys: Sequence[str]) -> Doubles:
        """The cosines of words by their exact walks, float64[len(keys), len(keys)]."""
        walks = self._graph.walk(self._matrix(keys).toarray().T, DAMPING, ITERATIONS)
        walks /= np.sqrt((walks * walks).sum(axis=0))
        cosines: Doubles = walks.T @ walks
        return cosines

    def sample(self, keys: Sequence[str]) -> Sequence[int]:
        """The numbers of a few words, drawn."""
        draw = np.random.default_rng(_SEED + len(keys))
        chosen: list[int] = draw.choice(len(keys), min(len(keys), self._width // 2), replace=False).tolist()
        return chosen

    @cached_property
    def _graph(self) -> Graph:
        return self._make_graph()

    @cached_property
    def _batches(self) -> WalkBatches:
        return WalkBatches(self._graph, DAMPING, ITERATIONS)

    @cached_property
    def _width(self) -> int:
        return int(np.clip(_CELLS // self._graph.nodes, 1, _BATCH))

    def _matrix_of_all(self, before: list[str], new: list[str]) -> "csr_array":
        """The starts of words met before, which are kept from call to call, and of new ones."""
        from scipy.sparse import vstack

        keys, starts = self._known or ([], self._matrix([]))
        # new words of the last call stand elsewhere where another process came first
        pairs = enumerate(zip(keys, before, strict=False))
        same = next((at for at, (kept, key) in pairs if kept != key), min(len(keys), len(before)))
        words = vstack((starts[:same], self._matrix([*before[same:], *new])), format="csr")
        self._known = [*before, *new], words
        return words

    def _matrix(self, keys: Sequence[str]) -> "csr_array":
        """The starts of words, one a row."""
        from scipy.sparse import csr_array

        starts = [self._start(key) for key in keys]
        indptr = np.cumsum([0, *(len(nodes) for nodes, _ in starts)])
        nodes = np.fromiter((node for nodes, _ in starts for node in nodes), np.int32)
        shares = np.fromiter((share for _, shares in starts for share in shares), np.float32)
        return csr_array((shares, nodes, indptr), shape=(len(keys), self._graph.nodes))
