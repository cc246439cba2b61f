"""New rows for the walk tables: the codes of new words with all words before them, many words at a time.

The walk is affine in its start: ``K s + r`` with ``K = (1 - c) sum c^t M^t`` (t < iterations) and ``r``
what is left of the initial distribution. So the dot product of the walks of two words is
``s_w . (K' p + r . p)`` with ``p = K s_v + r``: K is applied twice to the new word v alone, and every
other word costs a few look-ups at its own nodes. No walk is stored.

K is a polynomial in M, whose eigenvalues lie in [-1, 1]. In Chebyshev polynomials its coefficients
fall by 1 / 1.8 a term, where the powers of c fall by 1 / 1.18: half the steps give the same walk.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.polynomial import chebyshev

from features.arrays import Bytes, Doubles, Ints, Singles
from features.research.walks.graph import DAMPING, ITERATIONS, Graph
from features.research.walks.table_kernels import step

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TOLERANCE = 1e-4


def economised(damping: float, iterations: int) -> Doubles:
    """The coefficients of ``(1 - c) sum c^t x^t``, economised: of the lowest degree within ``TOLERANCE``.

    The bound holds for every x in [-1, 1]. Twice .5: nothing can be left out of .5 + .25 x.

    >>> economised(0.5, 2).tolist(), len(economised(0.85, 30))
    ([0.5, 0.25], 15)
    """
    whole = chebyshev.poly2cheb((1.0 - damping) * damping ** np.arange(iterations))
    tails = np.cumsum(np.abs(whole[::-1]))[::-1]
    return np.asarray(chebyshev.cheb2poly(whole[: int((tails > TOLERANCE).sum())]), np.float64)


class WalkBatches:
    """Walks over one graph in single precision, a block of starts at a time."""

    def __init__(self, graph: Graph, damping: float, iterations: int) -> None:
        self._graph = graph
        self._coefficients = economised(damping, iterations).astype(np.float32)
        # the walk from no start at all is what the initial distribution leaves
        rest = graph.walk(np.zeros(graph.nodes), damping, iterations)
        self._rest: Singles = rest.astype(np.float32)

    def dots(self, new: "csr_array", words: "csr_array") -> tuple[Singles, Singles]:
        """Dot products of the walks of ``new`` with those of ``words``, and the lengths of the new ones.

        Both hold a start vector a row; the result is float32[new, words] and float32[new].
        """
        degrees = self._graph.degrees.astype(np.float32)[:, np.newaxis]
        start = np.ascontiguousarray(new.toarray().T, np.float32)
        # D K' D^-1 is K, since the graph is undirected
        walks = self._transposed(start / degrees) * degrees + self._rest[:, np.newaxis]
        back = self._transposed(walks) + self._rest @ walks
        lengths = np.sqrt(np.einsum("nk,nk->k", walks, walks, dtype=np.float64))
        return np.ascontiguousarray((words @ back).T), lengths.astype(np.float32)

    def _transposed(self, start: Singles) -> Singles:
        """K' applied to a block or to one start, by Horner's rule."""
        alone = start.shape[1] == 1
        order, means = self._degrees_together if alone else self._neighbours_together
        start = start[order]
        now, out = self._coefficients[-1] * start, np.empty_like(start)
        for share in self._coefficients[-2::-1]:
            if alone:
                now = means @ now
                now += share * start
            else:
                step(means.indptr, means.indices, now, start, share, out)
                now, out = out, now
        out = np.empty_like(now)
        out[order] = now
        return out

    @cached_property
    def _neighbours_together(self) -> "tuple[Ints, csr_array]":
        """An order of the nodes for blocks: the rows of neighbours lie near each other in memory."""
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        order = reverse_cuthill_mckee(self._means, symmetric_mode=True)
        return order, _ordered(self._means, order)

    @cached_property
    def _degrees_together(self) -> "tuple[Ints, csr_array]":
        """An order for one column: rows of one length follow each other, which a processor foresees."""
        order = np.argsort(-self._graph.degrees, kind="stable").astype(np.int32)
        return order, _ordered(self._means, order)

    @property
    def _means(self) -> "csr_array":
        """The transpose of M: each row averages over a node's neighbours."""
        from scipy.sparse import csr_array, get_index_dtype

        graph = self._graph
        shares = np.repeat(1.0 / graph.degrees, graph.degrees).astype(np.float32)
        index = get_index_dtype(maxval=len(shares))
        return csr_array(
            (shares, graph.neighbours.astype(index), graph.starts.astype(index)), shape=(graph.nodes,) * 2
        )


def _ordered(matrix: "csr_array", order: Ints) -> "csr_array":
    moved = matrix[order][:, order]
    moved.sort_indices()
    return moved


Start = tuple[Sequence[int], Sequence[float]]
"""Nodes of the graph and their shares, which add up to 1; empty for a word that the graph lacks."""

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
        batches = range(len(before), len(before) + len(new), width)

        def walked(first: int) -> tuple[Singles, Singles]:
            end = min(first + width, len(before) + len(new))
            return self._batches.dots(words[first:end], words[:end])

        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
            dots, own = zip(*threads.map(walked, batches), strict=True)
        every = np.concatenate((lengths, *own))
        rows = enumerate((row for block in dots for row in block), len(before))
        codes = [encode(row[:number] / (every[:number] * every[number])) for number, row in rows]
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
        """The starts of words met before, which are cached from call to call, and of new ones."""
        from scipy.sparse import vstack

        keys, starts = self._known or ([], self._matrix([]))
        # new words of the last call stand elsewhere where another process came first
        pairs = enumerate(zip(keys, before, strict=False))
        same = next((at for at, (one, key) in pairs if one != key), min(len(keys), len(before)))
        words = vstack((starts[:same], self._matrix([*before[same:], *new])), format="csr")
        self._known = [*before, *new], words
        return words

    def _matrix(self, keys: Sequence[str]) -> "csr_array":
        from scipy.sparse import csr_array

        starts = [self._start(key) for key in keys]
        indptr = np.cumsum([0, *(len(nodes) for nodes, _ in starts)])
        nodes = np.fromiter((node for nodes, _ in starts for node in nodes), np.int32)
        shares = np.fromiter((share for _, shares in starts for share in shares), np.float32)
        return csr_array((shares, nodes, indptr), shape=(len(keys), self._graph.nodes))
