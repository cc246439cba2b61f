"""Extended Lesk (Banerjee and Pedersen 2003; thesis eq. 2.1): the words that glosses around synsets share.

The glosses of each synset and of its hypernyms, hyponyms, parts and wholes are compared, each relation with
each. The longest run of words that two glosses share counts the square of its length, then the longest of
what is left, and so on; a run does not begin or end with a word of a closed class. The sum is divided by the
geometric mean of what both have with themselves, so that a synset is 1 with itself.
"""

import re
from functools import lru_cache
from itertools import product
from math import sqrt
from typing import Final

from features.knowledge.wordnet.reader import WordNet
from features.research.wordnet_similarity.relatedness import WordRelatedness

_RELATIONS: Final = (
    frozenset({"@", "@i"}),
    frozenset({"~", "~i"}),
    frozenset({"%m", "%s", "%p"}),
    frozenset({"#m", "#s", "#p"}),
)
_WORD: Final = re.compile(r"\w+(?:'\w+)?")
_EXAMPLES: Final = re.compile(r'"[^"]*"?')
_CLOSED: Final = frozenset({
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "for", "from", "had", "has",
    "have", "in", "into", "is", "it", "its", "of", "on", "or", "so", "some", "such", "than", "that", "the",
    "their", "them", "they", "this", "those", "to", "was", "were", "when", "which", "who", "whose", "with",
})  # fmt: skip


def overlap(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """The squares of the lengths of the runs that two texts share, the longest first.

    >>> overlap(tuple("a drawing paper with a coat".split()), tuple("paper with a sheet of drawing".split()))
    2

    *drawing* and *paper* are one word each; *with a* ends with a word of a closed class.
    """
    left, right, squares = list[str | None](one), list[str | None](other), 0
    while True:
        size, here, there = _longest(left, right)
        if not size:
            return squares
        squares += size * size
        # what is used parts the runs beside it
        left[here : here + size] = [None]
        right[there : there + size] = [None]


def _longest(left: list[str | None], right: list[str | None]) -> tuple[int, int, int]:
    """The longest run that both have, without words of closed classes at its ends: length and begins."""
    best, lengths = (0, 0, 0), [0] * (len(right) + 1)
    for i, word in enumerate(left):
        before = 0
        for j, other in enumerate(right):
            before, lengths[j + 1] = lengths[j + 1], before + 1 if word is not None and word == other else 0
            size, end = lengths[j + 1], i + 1
            if size > best[0] and word not in _CLOSED:
                begin = end - size
                while left[begin] in _CLOSED:
                    begin += 1
                if end - begin > best[0]:
                    best = (end - begin, begin, j + 1 - (end - begin))
    return best


class ExtendedLesk(WordRelatedness):
    """The measure over one WordNet."""

    def __init__(self, wordnet: WordNet) -> None:
        super().__init__(wordnet)
        self._glosses = lru_cache(1 << 14)(self._glosses_of)
        self._whole = lru_cache(1 << 14)(lambda sense: self._overlaps(sense, sense))

    def related(self, sense: int, other: int) -> float:
        """Eq. 2.1, divided by the geometric mean of what both have with themselves."""
        if sense == other:
            return 1.0
        most = sqrt(self._whole(sense) * self._whole(other))
        return min(1.0, self._overlaps(sense, other) / most) if most else 0.0

    def _overlaps(self, sense: int, other: int) -> int:
        return sum(overlap(one, two) for one, two in product(self._glosses(sense), self._glosses(other)))

    def _glosses_of(self, sense: int) -> list[tuple[str, ...]]:
        """The words of the gloss of a synset and of those of each relation together."""
        links = self._wordnet.pointers(sense)
        related = ([link.target for link in links if link.symbol in one] for one in _RELATIONS)
        return [own for nodes in ([sense], *related) if (own := self._words(nodes))]

    def _words(self, nodes: list[int]) -> tuple[str, ...]:
        glosses = (_EXAMPLES.sub(" ", self._wordnet.gloss(node)).lower() for node in dict.fromkeys(nodes))
        return tuple(word for gloss in glosses for word in _WORD.findall(gloss))
