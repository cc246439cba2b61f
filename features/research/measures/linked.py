"""The articles that profiles name and a scope picks: those of whose words it picks at least one.

'Queen Victoria' is picked where 'Victoria' is a person.
"""

from typing import NamedTuple

import numpy as np

from features.arrays import Longs
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.research.wikipedia.linking import Link, Linker


class Linked(NamedTuple):
    """Articles where words name them, in text order, a row a link; ``values`` are rows of the block's."""

    values: Longs
    starts: Longs
    ends: Longs
    articles: Longs

    def of(self, block: Block, item: int) -> list[Link]:
        """The articles that one item of the block names, each with the words that name it."""
        links = []
        for row in np.flatnonzero(block.items[self.values] == item).tolist():
            value = block.values[self.values[row]]
            start, end = int(self.starts[row]), int(self.ends[row])
            words = " ".join(word.form for word in value.words if start <= word.start < end)
            where = Occurrence(words, value.part, value.index, start, end)
            links.append(Link(int(self.articles[row]), where))
        return links


def linked(block: Block, linker: Linker, reader: ScopeReader) -> Linked:
    """The links of whose words a scope picks at least one."""
    every = block.once(linker, lambda: _every(block, linker))
    if not len(every.values):
        return every
    return block.once((linker, reader.scope), lambda: _within(block, every, reader))


def _every(block: Block, linker: Linker) -> Linked:
    rows = []
    first = 0
    for profile, links in zip(block.profiles, linker.links(block.profiles), strict=True):
        own = {(value.part, value.index): first + n for n, value in enumerate(profile.values)}
        first += len(profile.values)
        rows += [(own[one.part, one.index], one.start, one.end, article) for article, one in links]
    return Linked(*np.array(rows, np.int64).reshape(-1, 4).T)


def _within(block: Block, every: Linked, reader: ScopeReader) -> Linked:
    words = reader.selection(block)
    order = np.lexsort((words.starts, words.values))
    at = (words.values << 32 | words.starts)[order]
    # the first end of the words that begin in the link; beyond the last word none does
    ends = np.append(words.ends[order], np.iinfo(np.int64).max)
    low = np.searchsorted(at, every.values << 32 | every.starts)
    high = np.searchsorted(at, every.values << 32 | every.ends, "right")
    first = np.minimum.reduceat(ends, np.column_stack((low, high)).reshape(-1))[::2]
    picked = (low < high) & (first <= every.ends)
    return Linked(*(column[picked] for column in every))
