"""WordNet 3.0: its synsets, their relations, and the lemmas of a word, read from where it is installed.

Nothing is downloaded; opening takes a fraction of a second; and synsets keep the offsets that name the nodes
of UKB's graph. A copy that nltk installed is used where Debian's is absent.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Ints
from features.knowledge.wordnet import files
from features.knowledge.wordnet.files import PARTS_OF_SPEECH, Pointer, WordNetTables
from features.text.names.cultures import steps_up
from ingest.errors import ResourceMissing

DEBIAN = Path("/usr/share/wordnet")
_SHARED = tuple(Path(root) for root in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"))
_OF_TAG = {"NOUN": "n", "PROPN": "n", "VERB": "v", "AUX": "v", "ADJ": "a", "ADV": "r"}
"""WordNet's part of speech for a universal one."""
OPEN_TAGS: Final = ("NOUN", "VERB", "ADJ", "ADV")
"""The universal parts of speech of common words that WordNet has, in its order."""
_ENDINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip
"""Endings and what takes their place in a lemma: morphy(7WN)."""


class Derivation(NamedTuple):
    """A link between words: ``word`` of this synset, and ``target_word`` of the node ``target``."""

    word: str
    target: int
    target_word: str


class WordNet:
    """The synsets of WordNet as nodes 0 to ``len(wordnet) - 1``: nouns, verbs, adjectives, adverbs.

    ``names[node]`` is the synset's offset and part of speech (``00001740-n``; adjective satellites
    count as ``a``, as in UKB). ``digest`` differs for a copy with other contents.
    """

    def __init__(self, tables: WordNetTables) -> None:
        self._tables, self.names, self.digest = tables, tables.names, tables.digest
        self._nodes = {name: node for node, name in enumerate(tables.names)}
        self._synset = lru_cache(10_000)(tables.synset)
        self._above: dict[int, tuple[int, ...]] = {}
        self._lines: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.names)

    def node(self, name: str) -> int:
        """The node of a synset's name; raises ``KeyError``."""
        return self._nodes[name]

    def senses(self, lemma: str, pos: str | None = None) -> tuple[int, ...]:
        """The synsets of a lemma in sense order, of one part of speech (n, v, a, r) or of all in turn."""
        senses, key = self._tables.senses, plain(lemma)
        return tuple(node for one in pos or PARTS_OF_SPEECH for node in senses[one].get(key, ()))

    def named(self, senses: Iterable[tuple[str, int]]) -> tuple[int, ...]:
        """The synsets of senses of nouns, each a lemma and a number from 1, where WordNet has them."""
        known = (self.senses(lemma, "n")[number - 1 : number] for lemma, number in senses)
        return tuple(node for nodes in known for node in nodes)

    def counts(self, lemma: str, pos: str) -> tuple[int, ...]:
        """How often each sense was met in the texts that WordNet's makers tagged, in sense order."""
        key = plain(lemma)
        numbers = range(1, len(self.senses(key, pos)) + 1)
        return tuple(self._tables.counts.get((key, pos, number), 0) for number in numbers)

    @cached_property
    def tagged(self) -> int:
        """How many words the texts have that WordNet's makers tagged, at least 1."""
        return max(1, sum(self._tables.counts.values()))

    def lemmas(self, form: str, tag: str) -> tuple[tuple[str, str], ...]:
        """The lemmas of a form with their part of speech, likeliest first, for a universal part of speech.

        A form is looked up as it stands, then in the exceptions (``mice``: mouse), then without the endings
        that WordNet's manual lists. Empty where WordNet lacks the word or has no such part of speech.
        """
        pos = _OF_TAG.get(tag)
        return tuple((lemma, pos) for lemma in self._lemmas(form, pos)) if pos else ()

    def first_lemmas(self, form: str) -> tuple[tuple[str, str], ...]:
        """The likeliest lemma of a form as each part of speech of ``OPEN_TAGS``, where WordNet has one."""
        return tuple(pair for tag in OPEN_TAGS for pair in self.lemmas(form, tag)[:1])

    def _lemmas(self, form: str, pos: str) -> tuple[str, ...]:
        known = self._tables.senses[pos]
        candidates = _candidates(plain(form), pos, self._tables.exceptions[pos])
        return tuple(dict.fromkeys(lemma for lemma in candidates if lemma in known))

    def words(self, node: int) -> tuple[str, ...]:
        """The words of a synset as written, with underscores for blanks."""
        return self._synset(node).words

    def label(self, node: int) -> str:
        """The first word of a synset, with blanks."""
        return self.words(node)[0].replace("_", " ")

    def gloss(self, node: int) -> str:
        """The definition and the examples."""
        return self._synset(node).gloss

    def lexicographer(self, node: int) -> str:
        """The lexicographer file, such as ``noun.person``."""
        return self._synset(node).lexicographer

    def hypernyms(self, node: int) -> tuple[int, ...]:
        """The synsets right above, those that it is an instance of included."""
        if node not in self._above:
            pointers = self._synset(node).pointers
            self._above[node] = tuple(link.target for link in pointers if link.symbol in {"@", "@i"})
        return self._above[node]

    def is_instance(self, node: int) -> bool:
        """Whether the synset names one person, place or event rather than a kind."""
        return any(pointer.symbol == "@i" for pointer in self._synset(node).pointers)

    def holonyms(self, node: int) -> tuple[int, ...]:
        """The synsets that this one is a part of: the region that a town lies in."""
        return tuple(link.target for link in self._synset(node).pointers if link.symbol == "#p")

    def pointers(self, node: int) -> tuple[Pointer, ...]:
        """All relations of a synset and of its words."""
        return self._synset(node).pointers

    def relations(self, node: int) -> int:
        """How many relations WordNet has of a synset: the better known a place, the more."""
        return len(self._synset(node).pointers)

    def ancestors(self, node: int) -> tuple[int, ...]:
        """All synsets above, nearest first; the synset itself is not among them."""
        if node not in self._lines:
            self._lines[node] = tuple(steps_up(node, self.hypernyms))[1:]
        return self._lines[node]

    def depth(self, node: int) -> int:
        """Steps up to the nearest root: 0 for ``entity``."""
        steps = steps_up(node, self.hypernyms)
        # a few verbs stand above each other in a ring without a root
        return next((count for up, count in steps.items() if not self.hypernyms(up)), 0)

    def derivations(self, node: int) -> tuple[Derivation, ...]:
        """The derivational links of the synset's words."""
        return self._between_words(node, "+")

    def antonyms(self, node: int) -> tuple[Derivation, ...]:
        """The words of opposite meaning to words of the synset (wet: dry)."""
        return self._between_words(node, "!")

    def pertainyms(self, node: int) -> tuple[Derivation, ...]:
        """The nouns that the words of an adjective are of (Venetian: Venice)."""
        return self._between_words(node, "\\")

    def _between_words(self, node: int, symbol: str) -> tuple[Derivation, ...]:
        words, target = self.words(node), self.words
        return tuple(
            Derivation(words[link.source_word - 1], link.target, target(link.target)[link.target_word - 1])
            for link in self._synset(node).pointers
            if link.symbol == symbol
        )

    def weighted(self, word: str, pos: str) -> tuple[tuple[int, float], ...]:
        """The senses of a word, each with its share of the word's use: the shares add up to 1.

        A sense weighs how often WordNet's tagged texts have it, plus 1 / rank: of senses met 9, 0 and 0 times
        10, 1/2 and 1/3. A word that WordNet lacks as it stands counts as its first lemma; empty without one.
        """
        lemma = next(iter(self._lemmas(word, pos)), word)
        weights = [count + 1 / rank for rank, count in enumerate(self.counts(lemma, pos), 1)]
        total = sum(weights)
        senses = zip(self.senses(lemma, pos), weights, strict=True)
        return tuple((node, weight / total) for node, weight in senses)

    def arcs(self) -> Ints:
        """The undirected simple graph over all relations: sorted arcs int32[arcs, 2], both ways, for UKB."""
        pairs = np.fromiter(
            ((node, link.target) for node in range(len(self)) for link in self._synset(node).pointers),
            np.dtype((np.int64, 2)),
        )
        both = np.concatenate([pairs, pairs[:, ::-1]])
        codes = np.unique(both[:, 0] * len(self) + both[:, 1])
        return np.stack([codes // len(self), codes % len(self)], axis=1).astype(np.int32)


def plain(form: str) -> str:
    """A form as WordNet's index writes it: small letters, underscores for blanks."""
    return form.lower().replace(" ", "_")


def _candidates(form: str, pos: str, exceptions: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    yield form
    yield from exceptions.get(form, ())
    # boxesful: the ending stands before -ful; a noun in -ss is no plural
    stem, tail = (form[:-3], "ful") if pos == "n" and form.endswith("ful") else (form, "")
    if pos == "n" and stem.endswith("ss"):
        return
    for ending, instead in _ENDINGS[pos]:
        if stem.endswith(ending) and len(stem) > len(ending):
            yield stem.removesuffix(ending) + instead + tail


def open_wordnet(folder: Path | None) -> WordNet:
    """WordNet from ``folder``, or Debian's, or NLTK's; raises ``ResourceMissing``, ``DamagedArtefact``."""
    place = folder or next(_usual_places(), None)
    if place is None:
        raise ResourceMissing(
            "WordNet 3.0 is not installed: apt-get install wordnet-base, or set resources.wordnet to a"
            " folder with its files (data.noun, index.noun and so on)"
        )
    return _opened(place, files.marks(place))


@lru_cache(maxsize=1)
def _opened(place: Path, marks: tuple[tuple[int, int], ...]) -> WordNet:  # noqa: ARG001
    """The WordNet of a place, read once a process; anew where its files have other ``marks``."""
    return WordNet(files.read(place))


def _usual_places() -> Iterator[Path]:
    if (DEBIAN / "data.noun").exists():
        yield DEBIAN
    roots = (Path.home(), Path(sys.prefix), Path(sys.prefix, "share"), Path(sys.prefix, "lib"), *_SHARED)
    data = [Path(path) for path in os.environ.get("NLTK_DATA", "").split(os.pathsep) if path]
    for corpora in (path / "corpora" for path in [*data, *(root / "nltk_data" for root in roots)]):
        if (corpora / "wordnet" / "data.noun").exists():
            yield corpora / "wordnet"
        elif (corpora / "wordnet.zip").exists():
            yield corpora / "wordnet.zip"
