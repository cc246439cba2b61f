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
from features.text.caches import text_cache

ExpansionKind: TypeAlias = Literal["events", "people", "hypernyms"]
Expansion: TypeAlias = Callable[[str, str], tuple[str, ...]]
_TOO_GENERAL = 3


@lru_cache(maxsize=8)
def expansion(wordnet: WordNet, kind: ExpansionKind) -> Expansion:
    """The terms of a lemma and its tag; those of common pairs are cached.

    ``events`` gives event words (:mod:`.events`); ``people`` the kinds of people that a noun names, up to
    *person* (:mod:`.people`); ``hypernyms`` the first sense of a noun or verb and all above it.
    """
    words, people = EventWords(wordnet), People(wordnet)

    def hypernyms(lemma: str, tag: str) -> tuple[str, ...]:
        lemmas = wordnet.lemmas(lemma, tag) if tag in {"NOUN", "VERB"} else ()
        if not lemmas:
            return ()
        first = wordnet.senses(*lemmas[0])[0]
        # entity, object, abstraction and the like say nothing; the hierarchies of verbs are shallow
        return tuple(
            wordnet.names[node]
            for node in (first, *wordnet.ancestors(first))
            if tag == "VERB" or wordnet.depth(node) >= _TOO_GENERAL
        )

    makers: dict[ExpansionKind, Expansion] = {
        "events": lambda lemma, tag: (lemma,) if words.is_event(lemma, tag) else (),
        "people": lambda lemma, tag: tuple(wordnet.names[node] for node in people.kinds(lemma, tag)),
        "hypernyms": hypernyms,
    }
    return text_cache(1 << 16)(makers[kind])
