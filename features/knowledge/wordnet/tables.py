"""What a source of WordNet gives: the same few tables, whatever format they were read from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

PARTS_OF_SPEECH = ("n", "v", "a", "r")
"""Nouns, verbs, adjectives (satellites among them), adverbs: the order of the nodes."""

LEXICOGRAPHER_FILES = (
    "adj.all", "adj.pert", "adv.all", "noun.Tops", "noun.act", "noun.animal", "noun.artifact",
    "noun.attribute", "noun.body", "noun.cognition", "noun.communication", "noun.event", "noun.feeling",
    "noun.food", "noun.group", "noun.location", "noun.motive", "noun.object", "noun.person",
    "noun.phenomenon", "noun.plant", "noun.possession", "noun.process", "noun.quantity", "noun.relation",
    "noun.shape", "noun.state", "noun.substance", "noun.time", "verb.body", "verb.change",
    "verb.cognition", "verb.communication", "verb.competition", "verb.consumption", "verb.contact",
    "verb.creation", "verb.emotion", "verb.motion", "verb.perception", "verb.possession", "verb.social",
    "verb.stative", "verb.weather", "adj.ppl",
)  # fmt: skip
"""The names of the lexicographer files by number, as in the manual page lexnames(5WN)."""


class Pointer(NamedTuple):
    """A relation of a synset: ``symbol`` as in wninput(5WN), ``target`` a node.

    ``source_word`` and ``target_word`` count the words of both synsets from 1 where the relation
    holds between two words; both are 0 where it holds between the synsets.
    """

    symbol: str
    target: int
    source_word: int
    target_word: int


class Synset(NamedTuple):
    """A synset: its words with underscores, its lexicographer file, its relations, its gloss."""

    words: tuple[str, ...]
    lexicographer: str
    pointers: tuple[Pointer, ...]
    gloss: str


@dataclass(frozen=True)
class WordNetTables:
    """The tables of one copy of WordNet.

    ``names[node]`` is ``offset-pos``; ``senses[pos][lemma]`` are nodes in sense order;
    ``counts[lemma, pos, number]`` says how often sense ``number`` (from 1) was met in the tagged
    texts of WordNet; ``exceptions[pos][form]`` are the lemmas of an irregular form.
    """

    names: tuple[str, ...]
    senses: Mapping[str, Mapping[str, tuple[int, ...]]]
    counts: Mapping[tuple[str, str, int], int]
    exceptions: Mapping[str, Mapping[str, tuple[str, ...]]]
    synset: Callable[[int], Synset]
    digest: str
