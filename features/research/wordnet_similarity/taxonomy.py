"""The nouns and the verbs of WordNet as two trees: what stands above what, and how informative it is.

*Information content* is ``-ln(count / all)`` of a part of speech. A synset counts 1 (add-one smoothing), and
as often as WordNet's makers met its senses in the texts that they tagged (``cntlist.rev``); what a synset
counts itself counts once for every synset above it too. Every synset therefore has a content; a root has 0.

Verbs have many roots: one more node is put above them all, as in WordNet::Similarity and NLTK. Nouns have
``entity``.
"""

from collections import Counter
from functools import cached_property, lru_cache
from math import log
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Doubles, Ints
from features.knowledge.wordnet.reader import WordNet
from features.text.names.cultures import steps_up

PARTS: Final = ("n", "v")
"""The parts of speech that have hypernyms."""


class Ancestors(NamedTuple):
    """A synset and the nodes above it: the least steps up to each, and how many nodes it has to the root."""

    nodes: Ints
    steps: Doubles
    depths: Doubles


class Taxonomy:
    """Where synsets of nouns and verbs stand; the node ``len(wordnet)`` is the root above all verbs."""

    def __init__(self, wordnet: WordNet) -> None:
        self.wordnet = wordnet
        self.size = len(wordnet) + 1
        self._root = len(wordnet)
        self._above: dict[int, Ancestors] = {}
        self._depths: dict[int, int] = {}

    def part(self, node: int) -> int:
        """The place in ``PARTS`` of a noun or a verb."""
        return PARTS.index("v" if node == self._root else self.wordnet.names[node][-1])

    def ancestors(self, node: int) -> Ancestors:
        """What stands above a synset, itself with 0 steps."""
        if node not in self._above:
            steps = self._steps(node)
            self._above[node] = Ancestors(
                np.array(list(steps), np.int32),
                np.array(list(steps.values()), np.float64),
                np.array([self._depth(up) for up in steps], np.float64),
            )
        return self._above[node]

    def _steps(self, node: int) -> dict[int, int]:
        steps, root = steps_up(node, self._hypernyms), self._root
        if self.part(node) == 1 and root not in steps:
            steps[root] = max(steps.values()) + 1  # a few verbs stand above each other in a ring
        return steps

    def _depth(self, node: int) -> int:
        """How many nodes the shortest way from the root has."""
        if node not in self._depths:
            to_root = (count for up, count in self._steps(node).items() if not self._hypernyms(up))
            self._depths[node] = 1 + next(to_root, 0)
        return self._depths[node]

    def _hypernyms(self, node: int) -> tuple[int, ...]:
        """The nodes right above; the root of verbs is one."""
        if node == self._root:
            return ()
        above = self.wordnet.hypernyms(node)
        return above if above or self.part(node) == 0 else (self._root,)

    @cached_property
    def deepest(self) -> Doubles:
        """How many steps the longest way of a part of speech has that never meets a node twice, at least 1.

        19 for the nouns of WordNet 3.0 and 13 for its verbs.
        """
        longest: dict[int, int] = {}

        def ways(node: int) -> int:
            if node not in longest:
                longest[node] = 0  # where a ring comes back
                longest[node] = max((ways(up) + 1 for up in self._hypernyms(node)), default=0)
            return longest[node]

        most = [1.0] * len(PARTS)
        for node in self._nodes:
            most[self.part(node)] = max(most[self.part(node)], float(ways(node)))
        return np.array(most)

    @cached_property
    def contents(self) -> Doubles:
        """The information content of every node, float64[nodes]; 0 for adjectives and adverbs."""
        whole = np.zeros(self.size)
        for node in self._nodes:
            for up in self._steps(node):
                whole[up] += self._counts[node]
        contents = np.zeros(self.size)
        for node in self._nodes:
            contents[node] = log(self._sums[self.part(node)] / whole[node])
        return contents

    @cached_property
    def most(self) -> Doubles:
        """The content of a synset that counts 1, of each part of speech."""
        most: Doubles = np.log(np.maximum(self._sums, 2.0))  # not 0 where there is one synset or none
        return most

    @cached_property
    def _sums(self) -> Doubles:
        sums = np.zeros(len(PARTS))
        for node, count in self._counts.items():
            sums[self.part(node)] += count
        return sums

    @cached_property
    def _nodes(self) -> tuple[int, ...]:
        return tuple(node for node, name in enumerate(self.wordnet.names) if name[-1] in PARTS)

    @cached_property
    def _counts(self) -> Counter[int]:
        """How often each synset counts itself."""
        counts = Counter(self._nodes)
        parts = ((word.lower(), PARTS[self.part(n)]) for n in self._nodes for word in self.wordnet.words(n))
        for word, pos in set(parts):
            senses = zip(self.wordnet.senses(word, pos), self.wordnet.counts(word, pos), strict=True)
            for node, count in senses:
                counts[node] += count
        return counts


@lru_cache(2)
def taxonomy(wordnet: WordNet) -> Taxonomy:
    """The taxonomy of a copy of WordNet, made once."""
    return Taxonomy(wordnet)
