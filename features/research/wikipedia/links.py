"""Sorts links that do not fit in memory: out of every article, and into every article.

Links arrive in any order, some more than once. They are spread over files by ranges of articles; each
file is then sorted alone, so that the memory it takes is that of one range, whatever the number of links.
"""

from pathlib import Path

import numpy as np

from features.arrays import Longs

RANGE = 1 << 24
"""Links that are sorted at a time, 8 bytes each, with as much again to sort them in."""
_ARTICLES = 1 << 16
_SHIFT = np.uint64(32)


class Links:
    """Takes links in batches and writes them as two tables of rows (CSR): ``links`` and ``inlinks``."""

    def __init__(self, folder: Path, articles: int) -> None:
        self._folder, self._articles = folder, articles
        self._edges = np.append(np.arange(0, max(articles, 1), _ARTICLES), articles)
        self._degrees = np.zeros(articles, np.int64)

    def add(self, starts: Longs, aims: Longs) -> None:
        """Take in links between articles; those of -1, and of an article to itself, are left out."""
        linked = (starts >= 0) & (aims >= 0) & (starts != aims)
        starts, aims = starts[linked], aims[linked]
        self._degrees += np.bincount(aims, minlength=self._articles)
        _spread(self._folder, "out", self._edges, starts, aims)

    def write(self) -> int:
        """Write the tables beside the files that were spread, which are gone then; gives the links."""
        out = np.zeros(self._articles, np.int64)
        # popular articles have most links: ranges of equal numbers of links, not of articles
        filled = np.cumsum(self._degrees)
        cuts = np.searchsorted(filled, np.arange(RANGE, self._degrees.sum(), RANGE)) + 1
        edges = np.unique(np.concatenate([[0], cuts, [self._articles]]))
        into = np.zeros(self._articles, np.int64)
        for part in range(len(self._edges) - 1):
            starts, aims = _sorted(self._folder, "out", part)
            out += np.bincount(starts, minlength=self._articles)
            into += np.bincount(aims, minlength=self._articles)
            _spread(self._folder, "in", edges, aims, starts)
        _write(self._folder, "links", "out", out, len(self._edges) - 1)
        _write(self._folder, "inlinks", "in", into, len(edges) - 1)
        return int(out.sum())


def _spread(folder: Path, name: str, edges: Longs, rows: Longs, columns: Longs) -> None:
    parts = np.searchsorted(edges, rows, side="right") - 1
    keys = (rows.astype(np.uint64) << _SHIFT) | columns.astype(np.uint64)
    order = np.argsort(parts, kind="stable")
    ends = np.cumsum(np.bincount(parts, minlength=len(edges) - 1))
    for part in np.unique(parts).tolist():
        begin = int(ends[part - 1]) if part else 0
        with (folder / f"{name}-{part}").open("ab") as file:
            keys[order[begin : int(ends[part])]].tofile(file)


def _sorted(folder: Path, name: str, part: int) -> tuple[Longs, Longs]:
    """One file's links, sorted and each once; the file then holds them so."""
    path = folder / f"{name}-{part}"
    if not path.exists():
        return np.empty(0, np.int64), np.empty(0, np.int64)
    keys = np.unique(np.fromfile(path, np.uint64))
    keys.tofile(path)
    return (keys >> _SHIFT).astype(np.int64), (keys & np.uint64(2**32 - 1)).astype(np.int64)


def _write(folder: Path, table: str, name: str, degrees: Longs, parts: int) -> None:
    np.save(folder / f"{table}-starts.npy", np.concatenate([[0], np.cumsum(degrees)]))
    path = folder / f"{table}.npy"
    if not degrees.sum():
        np.save(path, np.empty(0, np.int32))
        return
    rows = np.lib.format.open_memmap(path, mode="w+", dtype=np.int32, shape=(int(degrees.sum()),))
    at = 0
    for part in range(parts):
        _, columns = _sorted(folder, name, part)
        rows[at : at + len(columns)] = columns
        at += len(columns)
        (folder / f"{name}-{part}").unlink(missing_ok=True)
    rows.flush()
