"""The starts of walks: the words of an item that a graph knows, or the articles that it is linked to."""

from typing import Literal

import numpy as np

from features.arrays import Longs
from features.knowledge.resources import Resources
from features.measures.scope import Scope
from features.measures.selections import ScopeReader, occurrences
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.research.measures.linked import linked
from features.research.walks.walks import Walks
from features.text.text_cache import text_cache

GraphName = Literal["wordnet", "wikipedia"]


class Seeds:
    """Where the walks of items start: keys of the graph's tables, each where it stands."""

    def __init__(self, graph: GraphName, scope: Scope, resources: Resources) -> None:
        self._reader = ScopeReader(scope, resources)
        self._resources = resources
        self._known = text_cache(1 << 18)(self._key)
        self._over_words = graph == "wordnet"
        self.walks: Walks = resources.wordnet_walks if self._over_words else resources.wikipedia_walks

    def of(self, block: Block) -> tuple[Longs, Longs]:
        """The keys of a block as numbers of its lexicon, in text order, behind the places of their items."""
        if self._over_words:
            return block.items[self._reader.selection(block).values], self._keys(block)
        articles = linked(block, self._resources.linker, self._reader)
        keys = block.lexicon.numbers(map(str, articles.articles.tolist()))
        return block.items[articles.values], keys

    def standing(self, block: Block, item: int) -> dict[str, list[Occurrence]]:
        """Every key of an item with the places where it stands, in text order."""
        standing: dict[str, list[Occurrence]] = {}
        if self._over_words:
            selection = self._reader.selection(block)
            rows = np.flatnonzero(block.items[selection.values] == item)
            keys = [block.lexicon.terms[number] for number in self._keys(block)[rows].tolist()]
            places = occurrences(block, selection.at(rows))
        else:
            named = linked(block, self._resources.linker, self._reader).of(block, item)
            keys, places = [str(article) for article, _ in named], [where for _, where in named]
        for key, place in zip(keys, places, strict=True):
            standing.setdefault(key, []).append(place)
        return standing

    def _keys(self, block: Block) -> Longs:
        pairs, which = self._reader.selection(block).pairs()
        terms = block.lexicon.terms
        return block.lexicon.numbers(self._known(terms[term], terms[tag]) for term, tag in pairs)[which]

    def _key(self, term: str, tag: str) -> str:
        # the likeliest lemma; a word that WordNet lacks keeps its universal part of speech
        lemma, pos = next(iter(self._resources.wordnet.lemmas(term, tag)), (term, tag))
        return f"{lemma}#{pos}"
