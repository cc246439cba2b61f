"""Walks over Wikipedia: from an article, along links in either direction (thesis 6.2, UKB over Wikipedia)."""

from functools import cache
from pathlib import Path

import numpy as np

from features.research.walks.graph import Graph
from features.research.walks.growth import Start
from features.research.walks.walks import Walks
from features.research.wikipedia.store import Wikipedia


def open_walks(wikipedia: Wikipedia, folder: Path) -> Walks:
    """The tables of walks from articles, under ``folder``; the key of an article is its number, '123'.

    An article that no link leads to or from has no walk.
    """

    @cache
    def graph() -> Graph:
        starts = np.concatenate([[0], np.cumsum(wikipedia.outdegrees)])
        arcs = np.empty((int(starts[-1]), 2), np.int32)
        arcs[:, 0] = np.repeat(np.arange(len(wikipedia)), wikipedia.outdegrees)
        arcs[:, 1] = wikipedia.arrays["links"]
        return Graph(len(wikipedia), arcs)

    def start(key: str) -> Start:
        article = int(key)
        if not len(wikipedia.links(article)) and not len(wikipedia.inlinks(article)):
            return [], []
        return [article], [1.0]

    return Walks(folder, f"wikipedia {wikipedia.digest}", graph, start)
