"""Walks: how alike two texts are by the random walks from their words, looked up in tables.

A walk is linear: the walk from a text is the weighted mean of the walks from its words. So with ``C``
the cosines between the walks of words, ``l`` their lengths and ``a_w`` the weight of word w in a text
times its length, the cosine of the walks of two texts is a *soft cosine*,
``a C b / sqrt(a C a . b C b)``. The tables hold C and l for the words of the collections that were built;
the graph is needed for nothing but other words.

A cosine takes one byte, ``code = round(255 cosine^(2/3))``, and is nowhere more than .003 off. How far off
the tables really are is measured against exact walks while they grow, and stands in their manifest.
"""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bytes, Doubles, Ints, Longs, Singles
from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.knowledge.wordnet.reader import WordNet
from features.research.walks import table_kernels
from features.research.walks.graph import DAMPING, ITERATIONS, Graph
from features.research.walks.growth import LEVELS, Start, WalkGrowth
from features.research.walks.store import StoredWalks, WalkStore, WalkTables
from features.research.wikipedia.store import Wikipedia
from ingest.errors import DamagedArtefact

FIRST: Final = 1 << 20
"""The number of the first word in memory. The tables of so many words would take half a terabyte."""

_MOST = 1 << 27
"""Bytes of codes in memory at most; where more would be needed the rows are begun anew."""


class ExtendedTables(NamedTuple):
    """Tables with what continues them in memory; ``rows`` is the row of each number that is there."""

    stored: StoredWalks
    more: Bytes
    lengths: Singles
    rows: Mapping[int, int]

    def find(self, ids: Ints) -> Ints:
        """The rows of numbers; those of stored words are their numbers, and -1 stays."""
        if not (ids >= FIRST).any():
            return ids
        return np.array([self.rows.get(number, number) for number in ids.tolist()], np.int32)


class UnstoredWords:
    """The words that the tables of one process lack, walked when needed; threads may share it.

    Their rows continue the triangle of the tables: each holds the codes with all stored words and with the
    words in memory before it, so that its cosines are those that storing it would give. The words themselves
    have numbers for good (there are no more than the graph has); their rows are bounded.
    """

    def __init__(self, tables: WalkTables, growth: WalkGrowth) -> None:
        self._tables, self._growth = tables, growth
        self._numbers: dict[str, int] = {}
        self._keys: list[str] = []
        self._guard = Lock()
        self._now = _begun(tables.stored)

    def number(self, key: str) -> int:
        """The number of a word that is not stored, -1 for one without a start."""
        number = self._numbers.get(key)
        if number is None:
            if not self._growth.walks_from(key):
                return -1
            with self._guard:
                number = self._numbers.setdefault(key, FIRST + len(self._keys))
                if number == FIRST + len(self._keys):
                    self._keys.append(key)
        return number

    def continued(self, ids: Collection[int]) -> ExtendedTables:
        """The tables continued by the rows of these numbers at least; those that are missing are walked."""
        now, stored = self._now, self._tables.stored
        if now.stored is stored and all(number in now.rows for number in ids):
            return now
        with self._guard:
            now = self._now if self._now.stored is stored else _begun(stored)
            new = [number for number in ids if number not in now.rows]
            size = len(now.more) + len(new) * (len(now.lengths) + len(new))
            if size > _MOST and now.rows:
                now, new = _begun(stored), list(ids)
            self._now = self._grown(now, new) if new else now
            return self._now

    def _grown(self, now: ExtendedTables, new: list[int]) -> ExtendedTables:
        words = list(self._tables.numbers)[: now.stored.manifest.words]
        before = [*words, *(self._keys[number - FIRST] for number in now.rows)]
        made = self._growth.rows(before, now.lengths, [self._keys[number - FIRST] for number in new])
        more, lengths = np.concatenate((now.more, *made.codes)), np.concatenate((now.lengths, made.lengths))
        rows = {**now.rows, **{number: row for row, number in enumerate(new, len(before))}}
        return ExtendedTables(now.stored, more, lengths, rows)


def _begun(stored: StoredWalks) -> ExtendedTables:
    return ExtendedTables(stored, np.empty(0, np.uint8), np.asarray(stored.lengths), {})


class Walks:
    """Walks over one graph from the words of one dictionary, read only: no method writes a file.

    Each graph and dictionary, ``name``, has a folder of its own under ``folder``. ``graph`` is called for the
    first word that is not stored, ``start`` gives the start of a word's walk.

    A word is named by a number, which :meth:`ids` gives and every other method takes: -1 for a word
    without a start; below ``len(walks)`` for one that is stored; ``FIRST`` and above for one that is not,
    whose walk is computed when its row is first needed and cached in memory, bounded. A collection may hold
    only numbers of stored words: see :class:`features.research.walks.writer.WalkWriter`.
    Raises ``DamagedArtefact`` where the tables were cut or altered.
    """

    def __init__(
        self, folder: Path, name: str, graph: Callable[[], Graph], start: Callable[[str], Start]
    ) -> None:
        mark = f"{name} {DAMPING} {ITERATIONS}"
        self.tables = WalkTables(WalkStore(folder / hashlib.sha256(mark.encode()).hexdigest()[:16]))
        self.growth = WalkGrowth(graph, start)
        self._unstored = UnstoredWords(self.tables, self.growth)

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def token(self) -> str:
        """Drawn when the tables were begun: numbers mean the same only under the same token."""
        return self.tables.token

    @property
    def error(self) -> float:
        """The largest difference of a cosine from the exact one, over the pairs sampled so far."""
        return self.tables.stored.manifest.error

    def expect(self, token: str, ids: Ints) -> None:
        """Check that the words of a stored column are those of these tables; raises ``DamagedArtefact``."""
        words = int(ids.max(initial=-1)) + 1
        if words > len(self):
            # another process has built meanwhile
            self.tables.refresh()
        if words and (token != self.token or words > len(self)):
            raise DamagedArtefact(
                "the tables of walks are not those that the collection was built with; run: kindred build"
            )

    def ids(self, keys: Sequence[str]) -> Ints:
        """The numbers of words, int32[len(keys)]."""
        numbers, unstored = self.tables.numbers, self._unstored
        ids = (numbers[key] if key in numbers else unstored.number(key) for key in keys)
        return np.fromiter(ids, np.int32, len(keys))

    def cosines(self, left: Ints, right: Ints) -> Doubles:
        """Cosines of words with words, float64[len(left), len(right)]; 0 where an id is -1."""
        at = self._continued(left, right)
        return table_kernels.between(at.stored.triangle, at.more, LEVELS, at.find(left), at.find(right))

    def units(self, starts: Longs, ids: Ints, counts: Doubles) -> Doubles:
        """The weights a of texts, scaled so that ``a C a = 1``: float64[len(ids)].

        Text t has the words ``ids[starts[t]:starts[t + 1]]``, each as often as ``counts`` says; none is -1.
        """
        at = self._continued(ids)
        rows = at.find(ids)
        weights = counts * at.lengths[rows].astype(np.float64)
        squares = table_kernels.squares(at.stored.triangle, at.more, LEVELS, starts, rows, weights)
        scaled: Doubles = weights / np.repeat(np.sqrt(squares), np.diff(starts))
        return scaled

    def codes(self, ids: Ints, words: Ints | None = None) -> Bytes:
        """The codes of ``words``, by default all that are stored, with some: see ``table_kernels.codes``."""
        if words is None:
            words = np.arange(len(self), dtype=np.int32)
        at = self._continued(ids, words)
        return table_kernels.codes(at.stored.triangle, at.more, at.find(words), at.find(ids))

    def _continued(self, *ids: Ints) -> ExtendedTables:
        return self._unstored.continued({number for some in ids for number in some[some >= FIRST].tolist()})


def wordnet_walks(wordnet: WordNet, folder: Path) -> Walks:
    """The tables of walks from the words of WordNet, under ``folder``; a key is ``lemma#pos``.

    As in UKB a word reaches only synsets of its part of speech, and of these only those that some
    relation joins to another synset.
    """

    @cache
    def graph() -> Graph:
        return Graph(len(wordnet), wordnet.arcs())

    def start(word: str) -> Start:
        lemma, _, pos = word.rpartition("#")
        senses = wordnet.senses(lemma, pos) if pos in PARTS_OF_SPEECH else ()
        linked = [node for node in senses if graph().linked[node]]
        return linked, [1.0 / len(linked)] * len(linked) if linked else []

    return Walks(folder, f"wordnet {wordnet.digest}", graph, start)


def wikipedia_walks(wikipedia: Wikipedia, folder: Path) -> Walks:
    """The tables of walks from articles, under ``folder``; the key of an article is its number, '123'.

    An article that no link leads to or from has no walk.
    """

    @cache
    def graph() -> Graph:
        starts = np.concatenate([[0], np.cumsum(wikipedia.links.sizes)])
        arcs = np.empty((int(starts[-1]), 2), np.int32)
        arcs[:, 0] = np.repeat(np.arange(len(wikipedia)), wikipedia.links.sizes)
        arcs[:, 1] = wikipedia.arrays["links"]
        return Graph(len(wikipedia), arcs)

    def start(key: str) -> Start:
        article = int(key)
        if not len(wikipedia.links(article)) and not len(wikipedia.inlinks(article)):
            return [], []
        return [article], [1.0]

    return Walks(folder, f"wikipedia {wikipedia.digest}", graph, start)
