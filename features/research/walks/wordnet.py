"""Walks over WordNet: from a word, each of its synsets an equal share (UKB without sense frequencies)."""

from functools import cache
from pathlib import Path

from features.knowledge.wordnet.reader import WordNet
from features.knowledge.wordnet.files import PARTS_OF_SPEECH
from features.research.walks.graph import Graph
from features.research.walks.growth import Start
from features.research.walks.walks import Walks


def open_walks(wordnet: WordNet, folder: Path) -> Walks:
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
