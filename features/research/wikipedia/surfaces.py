"""Surfaces: the words by which texts name articles, and how often they mean which.

*Commonness* of a surface for an article is the share of its links that lead there (Milne & Witten 2008).
Dumps hold no anchor texts, so a link counts for the words of the title that it names, its qualifier left
out as authors leave it out: links to ``Paris`` and to ``Paris, Texas`` both count for "Paris". Anchors, where
given, count for themselves. Every title counts once more, so that none is without.
"""

from array import array

import numpy as np

from features.arrays import Longs, NewArrays
from features.research.wikipedia.phrases import LONGEST, key, phrase_key, surfaces, units
from features.research.wikipedia.sources import Pages

_MOST = 32
_AMBIGUOUS = "_(disambiguation)"


class Surfaces:
    """Collects surfaces with their articles and counts."""

    def __init__(self) -> None:
        self._keys = array("Q")
        self._articles = array("i")
        self._counts = array("d")
        self._whole = array("b")
        self._openers: dict[int, int] = {}

    def add(self, text: str, article: int, count: float, *, whole: bool = True) -> None:
        """Count a text for an article; not ``whole`` is what is left of a longer title."""
        words = units(text)
        if not words or len(words) > LONGEST or all(word.isdecimal() or len(word) == 1 for word in words):
            return
        self._keys.append(phrase_key(words))
        self._articles.append(article)
        self._counts.append(count)
        self._whole.append(whole)
        first = key(words[0])
        self._openers[first] = max(len(words), self._openers.get(first, 0))

    def add_pages(self, pages: Pages, links: Longs) -> None:
        """Count the titles of all pages; ``links`` are the links that name each."""
        for number, title in enumerate(pages.titles):
            article = int(pages.article[number])
            if article >= 0:
                text = title.decode(errors="replace")
                if not text.endswith(_AMBIGUOUS):
                    for n, surface in enumerate(surfaces(text.replace("_", " "))):
                        self.add(surface, article, float(links[number]) + 1.0, whole=n == 0)

    def arrays(self) -> NewArrays:
        """The surfaces, ascending, with their candidates by falling commonness (CSR), and first units."""
        keys = np.frombuffer(self._keys, np.uint64) if self._keys else np.empty(0, np.uint64)
        articles = np.array(self._articles, np.int32)
        counts = np.array(self._counts, np.float64)
        whole = np.array(self._whole, np.bool_)
        order = np.lexsort((articles, keys))
        keys, articles, counts, whole = keys[order], articles[order], counts[order], whole[order]
        fresh = np.flatnonzero(
            np.append(True, (keys[1:] != keys[:-1]) | (articles[1:] != articles[:-1]))[: len(keys)]
        )
        if len(fresh):
            counts, whole = np.add.reduceat(counts, fresh), np.logical_or.reduceat(whole, fresh)
        keys, articles = keys[fresh], articles[fresh]
        order = np.lexsort((articles, -counts, keys))
        keys, articles, counts, whole = keys[order], articles[order], counts[order], whole[order]
        names, starts, sizes = np.unique(keys, return_index=True, return_counts=True)
        totals = np.add.reduceat(counts, starts) if len(starts) else counts
        rank = np.arange(len(keys)) - np.repeat(starts, sizes)
        likely = rank < _MOST
        commonness = (counts / np.repeat(totals, sizes)).astype(np.float32)
        openers = np.array(sorted(self._openers), np.uint64)
        return {
            "surfaces": names,
            "candidates-starts": np.concatenate([[0], np.cumsum(np.minimum(sizes, _MOST))]),
            "candidates": articles[likely],
            "commonness": commonness[likely],
            "whole": whole[likely],
            "openers": openers,
            "openers-longest": np.array([self._openers[int(one)] for one in openers], np.uint8),
        }
