"""Which of the articles that profiles name a scope picks: those of whose words it picks at least one.

'Queen Victoria' is picked where 'Victoria' is a person.
"""

from typing import NamedTuple

import numpy as np

from features.knowledge.wikipedia.linking import Link, Linker
from features.measures.scope import ScopeReader
from features.measures.selections import selection
from features.profiles.blocks import Block, Longs
from features.profiles.profile import Profile


class Linked(NamedTuple):
    """Articles where words name them, in text order, a row a link; ``values`` are rows of the block's."""

    values: Longs
    starts: Longs
    ends: Longs
    articles: Longs


def linked(block: Block, linker: Linker, reader: ScopeReader) -> Linked:
    """The links of a block that a scope picks."""
    every = block.once(linker, lambda: _every(block, linker))
    if not len(every.values):
        return every
    return block.once((linker, reader), lambda: _within(block, every, reader))


def links(profile: Profile, linker: Linker, reader: ScopeReader) -> tuple[Link, ...]:
    """The links of one profile that a scope picks, in text order."""
    picked: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for word in reader.occurrences(profile):
        picked.setdefault((word.part, word.index), []).append((word.start, word.end))
    return tuple(
        link
        for link in linker.links([profile])[0]
        if any(
            link.where.start <= start and end <= link.where.end
            for start, end in picked.get((link.where.part, link.where.index), ())
        )
    )


def _every(block: Block, linker: Linker) -> Linked:
    rows = []
    first = 0
    for profile, found in zip(block.profiles, linker.links(block.profiles), strict=True):
        own = {(value.part, value.index): first + n for n, value in enumerate(profile.values)}
        first += len(profile.values)
        rows += [(own[one.part, one.index], one.start, one.end, article) for article, one in found]
    return Linked(*np.array(rows, np.int64).reshape(-1, 4).T)


def _within(block: Block, every: Linked, reader: ScopeReader) -> Linked:
    words = selection(block, reader)
    order = np.lexsort((words.starts, words.values))
    at = (words.values << 32 | words.starts)[order]
    # the first end of the words that begin in the link; beyond the last word none does
    ends = np.append(words.ends[order], np.iinfo(np.int64).max)
    low = np.searchsorted(at, every.values << 32 | every.starts)
    high = np.searchsorted(at, every.values << 32 | every.ends, "right")
    first = np.minimum.reduceat(ends, np.column_stack((low, high)).reshape(-1))[::2]
    picked = (low < high) & (first <= every.ends)
    return Linked(*(column[picked] for column in every))
