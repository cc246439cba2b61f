"""How alike two words are: as alike as the nearest two of their senses, noun with noun or verb with verb.

The best pair of senses is that of the shared ancestor at which a measure is highest, so that all words are
compared with all by what stands above them. A word is looked up as a noun and as a verb, by its first lemma
as either; a term that is the name of a synset (``00001740-n``) is that synset.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles, Ints, Rows
from features.knowledge.wordnet.reader import WordNet
from features.research.wordnet_similarity.measures import SIMILARITIES, SynsetMeasure
from features.research.wordnet_similarity.shared import Shared
from features.research.wordnet_similarity.taxonomy import PARTS, Ancestors, Taxonomy, taxonomy

_TAGS: Final = {"n": "NOUN", "v": "VERB"}
_NAME: Final = re.compile(r"\d{8}-[nv]")
_CONTENT: Final = frozenset({"res", "lin", "jcn"})
"""The measures that read the information content, which takes seconds to count."""


class _Ways(NamedTuple):
    """The ancestors of all senses of a word, or of some words, a row an ancestor."""

    nodes: Ints
    steps: Doubles
    depths: Doubles
    senses: Ints


_NOWHERE: Final = _Ways(np.empty(0, np.int32), np.empty(0), np.empty(0), np.empty(0, np.int32))


class WordSimilarity:
    """One measure over the words of WordNet."""

    def __init__(self, wordnet: WordNet, measure: SynsetMeasure) -> None:
        self._similar = SIMILARITIES[measure]
        self._taxonomy: Taxonomy = taxonomy(wordnet)
        self._ways: dict[str, _Ways] = {}
        informed = measure in _CONTENT
        size = self._taxonomy.size
        self._contents = self._taxonomy.contents if informed else np.zeros(size)
        self._most = self._taxonomy.most if informed else np.zeros(len(PARTS))
        self._deepest = self._taxonomy.deepest if measure == "lch" else np.zeros(len(PARTS))

    def senses(self, word: str) -> tuple[int, ...]:
        """The synsets of a word, nouns and verbs; empty where WordNet has none."""
        wordnet = self._taxonomy.wordnet
        if _NAME.fullmatch(word):
            return self._named(word)
        lemmas = (wordnet.lemmas(word, _TAGS[pos])[:1] for pos in PARTS)
        return tuple(node for one in lemmas for lemma, pos in one for node in wordnet.senses(lemma, pos))

    def _named(self, name: str) -> tuple[int, ...]:
        try:
            return (self._taxonomy.wordnet.node(name),)
        except KeyError:
            return ()

    def of(self, words: Sequence[str], others: Sequence[str]) -> Doubles:
        """The similarities of all words with all others, float64[words, others].

        0 where WordNet lacks either; a word and itself are 1, known or not.
        """
        values = np.zeros((len(words), len(others)))
        ways = [_NOWHERE, *(self._of_word(word) for word in words)]
        rows = np.repeat(np.arange(len(words)), [len(way.nodes) for way in ways[1:]])
        together = _Ways(*(np.concatenate(column) for column in zip(*ways, strict=True)))
        place = np.full(self._taxonomy.size, -1, np.int32)
        for column, other in enumerate(others):
            for sense in self.senses(other):
                self._highest(values[:, column], rows, together, sense, place)
        at = {other: column for column, other in enumerate(others)}
        for row, word in enumerate(words):
            if word in at:
                values[row, at[word]] = 1.0
        return values

    def _highest(self, values: Doubles, rows: Rows, ways: _Ways, sense: int, place: Ints) -> None:
        """Raise the values of words to what they have with one sense."""
        own: Ancestors = self._taxonomy.ancestors(sense)
        place[own.nodes] = np.arange(len(own.nodes), dtype=np.int32)
        there = place[ways.nodes]
        shared = np.flatnonzero(there >= 0)
        there, part = there[shared], self._taxonomy.part(sense)
        size = len(shared)
        pairs = Shared(
            ways.steps[shared],
            own.steps[there],
            own.depths[there],
            self._contents[ways.nodes[shared]],
            self._contents[ways.senses[shared]],
            np.full(size, self._contents[sense]),
            np.full(size, self._deepest[part]),
            np.full(size, self._most[part]),
        )
        np.maximum.at(values, rows[shared], self._similar(pairs))
        place[own.nodes] = -1

    def _of_word(self, word: str) -> _Ways:
        if word not in self._ways:
            senses = self.senses(word)
            above = [
                _Ways(*ways, np.full(len(ways.nodes), sense, np.int32))
                for sense in senses
                for ways in (self._taxonomy.ancestors(sense),)
            ]
            columns = zip(_NOWHERE, *above, strict=True)
            self._ways[word] = _Ways(*(np.concatenate(column) for column in columns))
        return self._ways[word]
