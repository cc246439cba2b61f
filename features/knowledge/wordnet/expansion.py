"""What WordNet makes of the words of a scope: event words, kinds of people, or hypernyms.

An expansion turns a lemma and its universal part of speech into terms: the lemma itself, or the
names of synsets (``10084295-n``). ``WordNet.label`` makes a name readable.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, TypeAlias

from features.knowledge.wordnet.events import EventWords
from features.knowledge.wordnet.people import People
from features.knowledge.wordnet.reader import WordNet
from features.text.text_cache import text_cache

ExpansionKind: TypeAlias = Literal["events", "people", "hypernyms"]
Expansion: TypeAlias = Callable[[str, str], tuple[str, ...]]

_TOO_GENERAL = 3
_WORDS = 1 << 16
"""Pairs of a lemma and a tag of which the terms are remembered."""


@lru_cache(maxsize=8)
def expansion(wordnet: WordNet, kind: ExpansionKind) -> Expansion:
    """The terms of a lemma and its tag; those of common pairs are kept.

    ``events`` keeps event words (:mod:`.events`); ``people`` gives the kinds of people
    that a noun names, up to *person* (:mod:`.people`); ``hypernyms`` the first sense of
    a noun or verb and all above it.
    """
    make = {"events": _events, "people": _people, "hypernyms": _hypernyms}[kind](wordnet)
    return text_cache(_WORDS)(make)


def _events(wordnet: WordNet) -> Expansion:
    words = EventWords(wordnet)
    return lambda lemma, tag: (lemma,) if words.is_event(lemma, tag) else ()


def _people(wordnet: WordNet) -> Expansion:
    people = People(wordnet)
    return lambda lemma, tag: tuple(wordnet.names[node] for node in people.kinds(lemma, tag))


def _hypernyms(wordnet: WordNet) -> Expansion:
    def terms(lemma: str, tag: str) -> tuple[str, ...]:
        if tag not in {"NOUN", "VERB"}:
            return ()
        lemmas = wordnet.lemmas(lemma, tag)
        if not lemmas:
            return ()
        first = wordnet.senses(*lemmas[0])[0]
        line = (first, *wordnet.ancestors(first))
        # entity, object, abstraction and the like say nothing; the hierarchies of verbs are shallow
        kept = [node for node in line if tag == "VERB" or wordnet.depth(node) >= _TOO_GENERAL]
        return tuple(wordnet.names[node] for node in kept)

    return terms
