"""A small graph, a dictionary of a hundred words over it, and tables of their walks."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from features.arrays import Ints
from features.research.walks.graph import Graph
from features.research.walks.growth import Start
from features.research.walks.walks import Walks
from features.research.walks.writer import WalkWriter

NODES = 60
_DRAW = np.random.default_rng(4)
ARCS = np.concatenate((_DRAW.integers(0, NODES, (90, 2)), np.arange(NODES).repeat(2)[1:-1].reshape(-1, 2)))
WORDS = [f"w{number}" for number in range(100)]


def start(key: str) -> Start:
    """Word w<n> starts from one to three nodes; any other word is not in the dictionary."""
    if not key.startswith("w"):
        return (), ()
    number = int(key[1:])
    nodes = sorted({number % NODES, number * 7 % NODES, number * 11 % NODES})
    return nodes, [1 / len(nodes)] * len(nodes)


def graph() -> Graph:
    return Graph(NODES, ARCS)


def tables(folder: Path, name: str = "toy") -> Walks:
    return Walks(folder, name, graph, start)


def stored(walks: Walks, words: Sequence[str]) -> Ints:
    """The numbers of words that were stored first where they were not."""
    WalkWriter(walks).extend(words)
    return walks.ids(words)


def exact(words: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Cosines of words by their walks in full."""
    starts = np.zeros((NODES, len(words)))
    for column, word in enumerate(words):
        nodes, shares = start(word)
        starts[list(nodes), column] = shares
    walks = graph().walk(starts)
    walks /= np.linalg.norm(walks, axis=0)
    return np.asarray(walks.T @ walks)
