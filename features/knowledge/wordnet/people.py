"""Kinds of people: what a noun says of the people that it names (girl: a female child, a child, a person).

A noun names people where senses below *person* in WordNet, or below one of the groups of people (a crowd, a
family, a team), make up more than half of its use (:meth:`WordNet.weighted`). Single people, such as Sitter
the astronomer, do not count. Of those senses the ones with a third of the use among them count: *girl* is a
young woman and a female child. So *portrait* and *bust*, which imply a person, name a thing.
"""

from functools import cache

from features.knowledge.wordnet.reader import WordNet, plain

_GROUPS = (
    ("people", 1), ("gathering", 1), ("family", 1), ("family", 2), ("musical_organization", 1), ("team", 1),
    ("crew", 1),
)  # fmt: skip
_NO_GROUPS = (("social_gathering", 1), ("meeting", 1), ("community", 1), ("court", 1))
_HALF, _THIRD = 0.5, 1 / 3
# what a word means in a museum where that is not its first sense in WordNet
_IN_PICTURES = {
    "figure": ("person", 1), "sitter": ("artist's_model", 1), "female": ("female_person", 1),
    "male": ("male_person", 1), "nude": ("nude_person", 1),
}  # fmt: skip


class People:
    """The kinds of people of a WordNet."""

    def __init__(self, wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._person = wordnet.named([("person", 1)])
        self._roots = {*self._person, *wordnet.named(_GROUPS)}
        self._no_groups = set(wordnet.named(_NO_GROUPS))
        self._up = cache(self._line)

    def kinds(self, lemma: str, tag: str) -> tuple[int, ...]:
        """Synsets of the people that a noun, be it proper, names, from the nearest kind up to *person*."""
        if tag not in {"NOUN", "PROPN"}:
            return ()
        lemma = plain(lemma)
        if lemma in _IN_PICTURES:
            nodes = self._wordnet.named([_IN_PICTURES[lemma]])
        else:
            senses = dict(self._wordnet.weighted(lemma, "n"))
            kinds = {node: share for node, share in senses.items() if not self._wordnet.is_instance(node)}
            people = {node: share for node, share in kinds.items() if self._up(node)}
            total = sum(people.values())
            if total <= _HALF * sum(kinds.values()):
                return ()
            nodes = tuple(node for node, share in people.items() if share >= _THIRD * total)
        lines = dict.fromkeys(up for node in nodes for up in self._up(node))
        return tuple(up for up in lines if up not in self._person) + (self._person if lines else ())

    def _line(self, node: int) -> tuple[int, ...]:
        """A sense and what is above it, up to person or a group of people; empty for other senses."""
        line = (node, *self._wordnet.ancestors(node))
        if not self._no_groups.isdisjoint(line):
            return ()
        return tuple(up for up in line if not self._roots.isdisjoint((up, *self._wordnet.ancestors(up))))
