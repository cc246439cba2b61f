"""Where walks start: the words of a profile that a graph knows, or the articles that it is linked to."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from features.knowledge.resources import Resources
from features.knowledge.walks.walks import Walks
from features.measures.linked import linked, links
from features.measures.scope import Scope
from features.measures.selections import selection
from features.profiles.blocks import Block, Longs
from features.profiles.occurrence import Occurrence
from features.profiles.profile import Profile

GraphName = Literal["wordnet", "wikipedia"]


class Seeds:
    """Where the walks of a profile start: keys of the graph's tables, each where it stands."""

    def __init__(self, graph: GraphName, scope: Scope, resources: Resources) -> None:
        self._scope = scope.reader(resources)
        self._resources = resources
        self._known = lru_cache(maxsize=1 << 18)(self._key)
        wordnet = graph == "wordnet"
        self.walks: Walks = resources.wordnet_walks if wordnet else resources.wikipedia_walks
        self._find = self._words if wordnet else self._articles
        self._find_all = self._words_of if wordnet else self._articles_of

    def __call__(self, profile: Profile) -> dict[str, list[Occurrence]]:
        """Every key with its occurrences, in text order."""
        found: dict[str, list[Occurrence]] = {}
        for key, occurrence in self._find(profile):
            found.setdefault(key, []).append(occurrence)
        return found

    def of(self, block: Block) -> tuple[Longs, Longs]:
        """The keys of a block as numbers of its lexicon, in text order, each with the place of its item."""
        values, keys = self._find_all(block)
        return block.items[values], keys

    def _words(self, profile: Profile) -> Iterator[tuple[str, Occurrence]]:
        for occurrence in self._scope.occurrences(profile):
            yield self._key(occurrence.term, occurrence.tag), occurrence

    def _key(self, term: str, tag: str) -> str:
        # the likeliest lemma; a word that WordNet lacks keeps its universal part of speech
        lemma, pos = next(iter(self._resources.wordnet.lemmas(term, tag)), (term, tag))
        return f"{lemma}#{pos}"

    def _words_of(self, block: Block) -> tuple[Longs, Longs]:
        found = selection(block, self._scope)
        pairs, which = found.pairs()
        terms = block.lexicon.terms
        keys = block.lexicon.numbers(self._known(terms[term], terms[tag]) for term, tag in pairs)
        return found.values, keys[which]

    def _articles(self, profile: Profile) -> Iterator[tuple[str, Occurrence]]:
        for article, occurrence in links(profile, self._resources.linker, self._scope):
            yield str(article), occurrence

    def _articles_of(self, block: Block) -> tuple[Longs, Longs]:
        found = linked(block, self._resources.linker, self._scope)
        return found.values, block.lexicon.numbers(map(str, found.articles.tolist()))
