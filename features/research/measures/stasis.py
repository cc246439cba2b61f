"""STASIS (Li, McLean, Bandar, O'Shea and Crockett 2006; O'Shea and others 2013): meaning and order of words.

Both texts are vectors over all words that either has. A word that a text has counts 1 there, another one its
similarity to the word of the text that is most like it (:mod:`...wordnet_similarity.li`), or 0 below .2; both
times what the two words tell: ``I(w) = 1 - ln(n + 1) / ln(N + 1)`` for a word that was met n times among N in
the texts that WordNet's makers tagged, which are of the Brown Corpus. *S* is the cosine of the vectors. The
order vectors hold the place in the text of each word, or of the word most like it, or 0 below .4; *R* is
``1 - |r1 - r2| / |r1 + r2|``. The measure is ``.85 S + .15 R``. A text without words gives no information.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import log
from typing import Final, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Doubles
from features.knowledge.resources import ResourceName, Resources
from features.knowledge.wordnet.reader import WordNet
from features.measures.base import Columns
from features.measures.selections import ScopeReader
from features.research.measures.texts import SharedRun, TextColumn, TextSettings
from features.research.wordnet_similarity.words import WordSimilarity

_MEANING: Final = 0.85
_ALIKE: Final = 0.2
_IN_PLACE: Final = 0.4


class StasisSettings(TextSettings):
    """STASIS over one scope."""

    EXAMPLES = ({"scope": {"parts": ["title"]}},)

    measure: Literal["stasis"] = Field(description="STASIS: meaning and order of words (Li and others 2006)")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """WordNet, and what the scope is read with."""
        return tuple(dict.fromkeys(("wordnet", *self.scope.needs)))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "StasisColumn":
        """The column over stored arrays; raises ``ResourceMissing``."""
        return StasisColumn(ScopeReader(self.scope, resources), arrays, resources.wordnet)


class StasisColumn(TextColumn):
    """Texts compared by what their words mean, and by their order."""

    def __init__(self, reader: ScopeReader, arrays: Arrays, wordnet: WordNet) -> None:
        super().__init__(reader, arrays)
        self._words, self._wordnet = WordSimilarity(wordnet, "li"), wordnet
        self._informative = lru_cache(1 << 16)(self._information)

    def similarity(self, one: str, other: str) -> float:
        """The cosine of the meanings and the likeness of the orders, .85 and .15."""
        left, right = one.split(), other.split()
        joint = list(dict.fromkeys((*left, *right)))
        sides = [self._vectors(joint, list(dict.fromkeys(words)), words) for words in (left, right)]
        (meant, ordered), (others, other_order) = sides
        lengths = float(np.linalg.norm(meant) * np.linalg.norm(others))
        meaning = float(meant @ others) / lengths if lengths else 0.0
        apart = np.linalg.norm(ordered - other_order) / np.linalg.norm(ordered + other_order)
        return min(1.0, _MEANING * meaning + (1 - _MEANING) * (1 - float(apart)))

    def spans(self, one: str, other: str) -> Iterator[SharedRun]:
        """The words that both have."""
        places = dict(_places(other))
        for word, start in _places(one):
            if word in places:
                yield SharedRun(start, places[word], len(word))

    def _vectors(self, joint: list[str], own: list[str], words: list[str]) -> tuple[Doubles, Doubles]:
        """The meaning and the order of a text over all words of both."""
        similar = self._words.of(joint, own)
        best, values = similar.argmax(axis=1), similar.max(axis=1)
        informative = np.array([self._informative(word) for word in joint])
        nearest = informative[[joint.index(own[at]) for at in best.tolist()]]
        places = np.array([words.index(own[at]) + 1 for at in best.tolist()], np.float64)
        meant: Doubles = np.where(values >= _ALIKE, values * informative * nearest, 0.0)
        ordered: Doubles = np.where(values >= _IN_PLACE, places, 0.0)
        return meant, ordered

    def _information(self, word: str) -> float:
        lemmas = self._wordnet.first_lemmas(word)
        met = sum(sum(self._wordnet.counts(lemma, pos)) for lemma, pos in lemmas)
        return 1 - log(met + 1) / log(self._wordnet.tagged + 1)


def _places(text: str) -> Iterator[tuple[str, int]]:
    """Every word with where it begins; of one that stands twice the last."""
    at = 0
    for word in text.split(" "):
        yield word, at
        at += len(word) + 1
