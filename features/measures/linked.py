"""The articles that a block of profiles names."""

from typing import NamedTuple

import numpy as np

from features.knowledge.wikipedia.store import Wikipedia
from features.measures.selections import ScopeReader
from features.profiles.blocks import Block, Longs
from features.profiles.occurrence import Occurrence


class Linked(NamedTuple):
    """Articles where words name them, in text order, a row a link; ``values`` are rows of the block's."""

    values: Longs
    starts: Longs
    ends: Longs
    articles: Longs

    def of(self, block: Block, item: int) -> list[tuple[int, Occurrence]]:
        """The articles that one item of the block names, each with the words that name it."""
        found = []
        for row in np.flatnonzero(block.items[self.values] == item).tolist():
            value = block.values[self.values[row]]
            start, end = int(self.starts[row]), int(self.ends[row])
            words = " ".join(word.form for word in value.words if start <= word.start < end)
            found.append((int(self.articles[row]), Occurrence(words, value.part, value.index, start, end)))
        return found


def linked(block: Block, wikipedia: Wikipedia, reader: ScopeReader) -> Linked:
    """The links of whose words a scope picks at least one."""
    every = block.once(wikipedia, lambda: _every(block, wikipedia))
    if not len(every.values):
        return every
    return block.once((wikipedia, reader.scope), lambda: _within(block, every, reader))


def _every(block: Block, wikipedia: Wikipedia) -> Linked:
    rows = []
    first = 0
    for profile, found in zip(block.profiles, wikipedia.link_all(block.profiles), strict=True):
        own = {(value.part, value.index): first + n for n, value in enumerate(profile.values)}
        first += len(profile.values)
        rows += [(own[one.part, one.index], one.start, one.end, article) for article, one in found]
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
