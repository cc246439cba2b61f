"""Graph: undirected, and the personalised PageRank over it as UKB computes it (thesis eq. 2.2).

The walk from a start ``v`` (a probability per node) is ``x <- c M x + (1 - c) v``: with probability
``c`` (the damping) the walker follows one of the arcs of its node, each as likely as the other, else
it jumps back to the start. UKB's defaults are ``c = .85`` and 30 iterations from the uniform
distribution over all nodes that have an arc: with these and UKB's own graph the values agree with its
output in every digit it prints. A node without arcs keeps what it has.
"""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from features.arrays import Bools, Doubles, Integers, Ints, Longs

if TYPE_CHECKING:
    from scipy.sparse import csr_array


DAMPING = 0.85
ITERATIONS = 30


class Graph:
    """An undirected simple graph: ``arcs`` is int[m, 2], loops and repetitions in it do not count.

    >>> path = Graph(3, np.array([[0, 1], [1, 2]]))
    >>> path.degrees.tolist()
    [1, 2, 1]
    """

    def __init__(self, nodes: int, arcs: Integers) -> None:
        from scipy.sparse import csr_array

        ends = np.asarray(arcs, np.int64).reshape(-1, 2)
        ends = ends[ends[:, 0] != ends[:, 1]]
        lonely = np.setdiff1d(np.arange(nodes), ends)
        rows = np.concatenate((ends[:, 0], ends[:, 1], lonely))
        columns = np.concatenate((ends[:, 1], ends[:, 0], lonely))
        matrix = csr_array((np.ones(len(rows), np.int8), (rows, columns)), shape=(nodes, nodes))
        matrix.sum_duplicates()
        self.nodes = nodes
        self.starts: Longs = matrix.indptr.astype(np.int64)
        self.neighbours: Ints = matrix.indices.astype(np.int32)
        # the loop of a node without arcs is how it keeps what it has
        self.linked: Bools = np.ones(nodes, np.bool_)
        self.linked[lonely] = False

    @property
    def degrees(self) -> Longs:
        """Arcs of each node; 1 for a node without any, which stays where it is."""
        return np.diff(self.starts)

    @cached_property
    def digest(self) -> str:
        """Sha256 of the graph, in hexadecimal."""
        return hashlib.sha256(self.starts.tobytes() + self.neighbours.tobytes()).hexdigest()

    def walk(self, start: Doubles, damping: float = DAMPING, iterations: int = ITERATIONS) -> Doubles:
        """Personalised PageRank of one start float64[nodes] or of many, float64[nodes, starts].

        Two nodes and one arc, from the first: .5 -> .575 of the mass is there after one step
        (.85 x .5 + .15), in the end 1 / 1.85 = .5405.

        >>> pair = Graph(2, np.array([[0, 1]]))
        >>> pair.walk(np.array([1.0, 0.0]), iterations=1).round(4).tolist()
        [0.575, 0.425]
        >>> pair.walk(np.array([1.0, 0.0]), iterations=200).round(4).tolist()
        [0.5405, 0.4595]
        """
        now = np.zeros(start.shape)
        now[self.linked] = 1.0 / max(1, int(self.linked.sum()))
        for _ in range(iterations):
            now = damping * (self._matrix @ now) + (1.0 - damping) * start
        return now

    @cached_property
    def _matrix(self) -> "csr_array":
        from scipy.sparse import csr_array

        shares = 1.0 / self.degrees
        return csr_array((shares[self.neighbours], self.neighbours, self.starts), shape=(self.nodes,) * 2)
