"""Dot products of walks, many words at a time.

The walk is affine in its start: ``K s + r`` with ``K = (1 - c) sum c^t M^t`` (t < iterations) and ``r``
what is left of the initial distribution. So the dot product of the walks of two words is
``s_w . (K' p + r . p)`` with ``p = K s_v + r``: K is applied twice to the new word v alone, and every
other word costs a few look-ups at its own nodes. No walk is kept.

K is a polynomial in M, whose eigenvalues lie in [-1, 1]. In Chebyshev polynomials its coefficients
fall by 1 / 1.8 a term, where the powers of c fall by 1 / 1.18: half the steps give the same walk.
"""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import chebyshev

from features.arrays import Doubles, Ints, Singles
from features.research.walks.graph import Graph
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
        transposed = self._of_one if start.shape[1] == 1 else self._of_many
        # D K' D^-1 is K, since the graph is undirected
        walks = transposed(start / degrees) * degrees + self._rest[:, np.newaxis]
        back = transposed(walks) + self._rest @ walks
        lengths = np.sqrt(np.einsum("nk,nk->k", walks, walks, dtype=np.float64))
        return np.ascontiguousarray((words @ back).T), lengths.astype(np.float32)

    def _of_many(self, start: Singles) -> Singles:
        """K' applied to a block, by Horner's rule."""
        order, means = self._neighbours_together
        start = start[order]
        now, out = self._coefficients[-1] * start, np.empty_like(start)
        for share in self._coefficients[-2::-1]:
            step(means.indptr, means.indices, now, start, share, out)
            now, out = out, now
        return _back(order, now)

    def _of_one(self, start: Singles) -> Singles:
        """K' applied to one start."""
        order, means = self._degrees_together
        start = start[order]
        now = self._coefficients[-1] * start
        for share in self._coefficients[-2::-1]:
            now = means @ now
            now += share * start
        return _back(order, now)

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


def _back(order: Ints, rows: Singles) -> Singles:
    found = np.empty_like(rows)
    found[order] = rows
    return found
