"""Hirst and St-Onge (1998): a way between two synsets that is short and seldom changes its direction.

Relations lead up (hypernyms, meronyms), down (hyponyms, holonyms, causes, entailments) or across (antonyms,
similar adjectives, attributes, *see also*, what an adjective is of). Two synsets that are one, or that a
relation across links, are strongly related: 16. Else a way of up to five relations counts
``8 - length - changes of direction``; no relation may lead up behind one that does not, and there are at most
two changes, with a step across between up and down. All is divided by 16.
"""

from collections import defaultdict
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from features.knowledge.wordnet.reader import WordNet
from features.research.wordnet_similarity.relatedness import WordRelatedness

_Way: TypeAlias = Literal["up", "down", "across"]

_WAYS: Final[dict[str, _Way]] = {
    "@": "up", "@i": "up", "%m": "up", "%s": "up", "%p": "up",
    "~": "down", "~i": "down", "#m": "down", "#s": "down", "#p": "down", ">": "down", "*": "down",
    "!": "across", "&": "across", "=": "across", "^": "across", "\\": "across",
}  # fmt: skip
_STRONG: Final = 16.0
_MEDIUM: Final = 8
_LONGEST: Final = 5
_AFTER: Final[dict[tuple[_Way, ...], tuple[_Way, ...]]] = {
    (): ("up", "down", "across"),
    ("up",): ("up", "down", "across"),
    ("down",): ("down", "across"),
    ("across",): ("across", "down"),
    ("up", "down"): ("down",),
    ("up", "across"): ("across", "down"),
    ("down", "across"): ("across",),
    ("across", "down"): ("down",),
    ("up", "across", "down"): ("down",),
}
"""Where a way may go on that went in these directions."""


class HirstStOnge(WordRelatedness):
    """The measure over one WordNet.

    Of synsets a and b the shortest allowed way may lead from a to b or from b to a: the better counts.
    """

    def __init__(self, wordnet: WordNet) -> None:
        super().__init__(wordnet)
        self._reached = lru_cache(512)(self._ways_from)

    def related(self, sense: int, other: int) -> float:
        """``16`` for a strong relation, else what the best way counts, divided by 16."""
        if sense == other or any(self._is_across(*pair) for pair in ((sense, other), (other, sense))):
            return 1.0
        ways = (self._reached(one).get(end, 0) for one, end in ((sense, other), (other, sense)))
        return max(ways) / _STRONG

    def _is_across(self, sense: int, other: int) -> bool:
        links = self._wordnet.pointers(sense)
        return any(link.target == other and _WAYS.get(link.symbol) == "across" for link in links)

    def _ways_from(self, sense: int) -> dict[int, int]:
        """What the best way to every synset within five relations counts."""
        best: dict[int, int] = {}
        at: dict[tuple[int, tuple[_Way, ...]], None] = {(sense, ()): None}
        for length in range(1, _LONGEST + 1):
            beyond: dict[tuple[int, tuple[_Way, ...]], None] = {}
            for node, directions in at:
                for way, targets in self._links(node).items():
                    if way in _AFTER[directions]:
                        then = directions if directions[-1:] == (way,) else (*directions, way)
                        beyond.update(dict.fromkeys((target, then) for target in targets))
            for node, directions in beyond:
                worth = _MEDIUM - length - (len(directions) - 1)
                best[node] = max(worth, best.get(node, 0))
            at = beyond
        return best

    def _links(self, node: int) -> dict[_Way, list[int]]:
        links: dict[_Way, list[int]] = defaultdict(list)
        for link in self._wordnet.pointers(node):
            if link.symbol in _WAYS:
                links[_WAYS[link.symbol]].append(link.target)
        return links
