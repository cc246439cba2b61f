"""The random walk as a measure (thesis eq. 2.2, 2.3 and 6.7).

*document*: one walk from all words of an item, each occurrence an equal share; two items compare by
the cosine of their walks. *pairwise*: one walk a word, and the best matches of the distinct words of
either item are averaged, half for each side. Both are looked up in tables
(see ``features.research.walks.walks``).

A word outside the graph starts no walk: *document* leaves it out, as UKB does, *pairwise* counts it as
a word that is 0 to every word, itself included.
"""

from abc import abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, TypeAlias, TypeVar

import numpy as np
from pydantic import Field, model_validator

from features.arrays import Array, Arrays, Bools, Bytes, Doubles, Ints, Longs, Singles
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import Bags, CollectedBags, bags_of
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme, distinct
from features.measures.matches import matches
from features.measures.scope import Scope
from features.measures.selections import ScopeReader, occurrences
from features.measures.tables import Table
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.research.measures.best_matches import in_order, pair_amounts
from features.research.measures.linked import linked
from features.research.walks import table_kernels as kernels
from features.research.walks.growth import LEVELS
from features.research.walks.walks import Walks
from features.research.walks.writer import WalkWriter
from features.text.caches import text_cache

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


Similarity = Literal["document", "pairwise"]


class WalkSettings(MeasureSettings):
    """The walk over one graph from the words, or the articles, of one scope."""

    EXAMPLES = (
        {"graph": "wordnet", "scope": {"form": "lemma"}},
        {"graph": "wordnet", "similarity": "pairwise", "scope": {"form": "lemma"}},
    )
    VERSION: ClassVar[int] = 2  # names that are no kinds of people
    theme: ClassVar[Theme] = "meaning"
    search_cost: ClassVar[float] = 5.0

    measure: Literal["walk"] = Field(
        description="random walks over WordNet or Wikipedia (personalised PageRank, eq. 2.2, 2.3)"
    )
    graph: GraphName = Field(
        description="`wordnet`: the walk starts from the synsets of the scope's words, each only as its"
        " own part of speech, over the relations of WordNet 3.0; `wikipedia`: from the articles that the"
        " scope's words name, over their links"
    )
    scope: Scope = Field(default=Scope(), description="which terms of a profile count")
    similarity: Similarity = Field(
        "document",
        description="`document`: the cosine of one walk from all words of each item, every occurrence an"
        " equal share; `pairwise`: the average of the best matches of the distinct words (eq. 6.7), half for"
        " each item",
    )

    @model_validator(mode="after")
    def _words_that_walk(self) -> "WalkSettings":
        allowed = ("none", "events") if self.graph == "wordnet" else ("none",)
        for scope in (self.scope, *self.scope.also):
            if scope.expand not in allowed:
                raise ValueError(
                    f"the walk over {self.graph} starts from no scope with expand: {scope.expand}"
                )
        return self

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The graph, and what the scope needs."""
        return tuple(sorted({self.graph, *self.scope.needs}))

    @property
    def collects(self) -> Hashable:
        """Where walks of the graph start: one process numbers its words in the tables, always alike."""
        return self.graph

    def builder(self, resources: Resources) -> "WalkBuilder":
        """An empty builder; raises ``ResourceMissing`` where the graph is absent."""
        return WalkBuilder(self, Seeds(self.graph, self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "AnyWalk":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other tables."""
        seeds = Seeds(self.graph, self.scope, resources)
        column = DocumentColumn if self.similarity == "document" else PairwiseColumn
        return column(arrays, seeds)


@dataclass(frozen=True, slots=True, eq=False)
class WordSets(Table):
    """The distinct words of every item that are in the graph, as numbers of the tables."""

    LISTS: ClassVar[tuple[str, ...]] = ("words",)

    starts: Longs
    words: Ints


@dataclass(frozen=True, slots=True, eq=False)
class WeightedWords(WordSets):
    """The words of every item, weighted so that its walk has length 1."""

    LISTS = ("words", "weights")

    weights: Singles


@dataclass(frozen=True, slots=True, eq=False)
class SizedWords(WordSets):
    """The words of every item; ``sizes`` counts those outside the graph too."""

    sizes: Ints


class WalkBuilder:
    """Collects where the walks of every item start."""

    def __init__(self, settings: WalkSettings, seeds: Seeds) -> None:
        self._settings, self._seeds = settings, seeds
        self._bags = CollectedBags()

    def take(self, block: Block) -> None:
        """Take in the words of the next items."""
        self._bags.add(block, bags_of(len(block), *self._seeds.of(block)))

    def arrays(self) -> dict[str, Array]:
        """The items' words; those that are new are stored in the tables, whose token is kept."""
        walks, counts = self._seeds.walks, self._bags.counts()
        WalkWriter(walks).extend(self._bags.names)
        numbers = walks.ids(self._bags.names)[counts.indices]
        bags = Bags(counts.indptr.astype(np.int64), numbers, counts.data)
        document = self._settings.similarity == "document"
        table = _weighted(self._seeds, bags) if document else _sized(bags)
        return {**table.arrays(), "tables": np.frombuffer(walks.token.encode(), np.uint8)}


def _weighted(seeds: Seeds, bags: Bags) -> WeightedWords:
    starts, words, counts = bags.where(bags.terms >= 0)  # words outside the graph are numbered -1
    weights = seeds.walks.units(starts, words, counts.astype(np.float64))
    return WeightedWords(starts, words, weights.astype(np.float32))


def _sized(bags: Bags) -> SizedWords:
    starts, words, _ = bags.where(bags.terms >= 0)
    return SizedWords(starts, words, np.diff(bags.starts).astype(np.int32))


_Words = TypeVar("_Words", bound=WordSets)


class WalkColumn(Column[_Words]):
    """What both ways to compare share."""

    def __init__(self, table: _Words, arrays: Arrays, seeds: Seeds) -> None:
        super().__init__(table)
        self._seeds = seeds
        seeds.walks.expect(np.asarray(arrays["tables"], np.uint8).tobytes().decode(), table.words)

    def bags(self, block: Block) -> Bags:
        """The words of a block as numbers of the tables, -1 outside the graph."""
        bags = bags_of(len(block), *self._seeds.of(block))
        met, places = np.unique(bags.terms, return_inverse=True)
        numbers = self._seeds.walks.ids([block.lexicon.terms[number] for number in met.tolist()])
        return Bags(bags.starts, numbers[places], bags.counts)

    def codes(self, query: _Words, table: _Words) -> tuple[Bytes, Ints]:
        """The codes of the words that a table has with those of a query, and each entry's place there."""
        met, places = self._stored if table is self.table else _distinct(table.words)
        return self._seeds.walks.codes(query.words, met), places

    @cached_property
    def _stored(self) -> tuple[Ints, Ints]:
        return _distinct(self.table.words)

    def standing(self, block: Block, item: int) -> dict[int, list[Occurrence]]:
        """The words of an item that are in the graph, by their number, with their places."""
        keys = self._seeds.standing(block, item)
        numbers = self._seeds.walks.ids(list(keys)).tolist()
        return {number: keys[key] for key, number in zip(keys, numbers, strict=True) if number >= 0}

    @abstractmethod
    def amounts(self, cosines: Doubles, left: _Words, right: _Words) -> Doubles:
        """What each pair of words of two items brings to the value: float64[left words, right words]."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of words that bring most of the value."""
        table = self.of(block)
        one, other = table.row(left), table.row(right)
        amounts = self.amounts(self._seeds.walks.cosines(one.words, other.words), one, other)
        here = in_order(self.standing(block, left), one.words)
        return matches(amounts, here, in_order(self.standing(block, right), other.words))


def _distinct(words: Ints) -> tuple[Ints, Ints]:
    """The distinct words, ascending, and the place of each word among them."""
    met, places = distinct(words, int(words.max(initial=-1)) + 1)
    return met.astype(np.int32), places


class DocumentColumn(WalkColumn[WeightedWords]):
    """Cosines of the walks of items."""

    def __init__(self, arrays: Arrays, seeds: Seeds) -> None:
        super().__init__(WeightedWords.of(arrays), arrays, seeds)

    def read(self, block: Block) -> WeightedWords:
        """The words of the items of a block."""
        return _weighted(self._seeds, self.bags(block))

    def similarities(self, query: WeightedWords, table: WeightedWords) -> Doubles:
        """Soft cosines."""
        codes, places = self.codes(query, table)
        values = kernels.spread(codes, LEVELS, query.weights.astype(np.float64))
        products: Doubles = kernels.sums(table.starts, places, table.weights, values)
        return products

    def amounts(self, cosines: Doubles, left: WeightedWords, right: WeightedWords) -> Doubles:
        """The products that the cosine adds up."""
        products: Doubles = left.weights[:, np.newaxis] * cosines * right.weights
        return products


class PairwiseColumn(WalkColumn[SizedWords]):
    """Best matches of the walks of items' words."""

    def __init__(self, arrays: Arrays, seeds: Seeds) -> None:
        super().__init__(SizedWords.of(arrays), arrays, seeds)

    def read(self, block: Block) -> SizedWords:
        """The words of the items of a block."""
        return _sized(self.bags(block))

    def informed(self, table: SizedWords) -> Bools:
        """Which items have a word in the scope, be it outside the graph."""
        return table.sizes > 0

    def similarities(self, query: SizedWords, table: SizedWords) -> Doubles:
        """The averages of the best matches, eq. 6.7."""
        codes, places = self.codes(query, table)
        there, back = kernels.best_matches(table.starts, places, codes, LEVELS)
        means: Doubles = there / (2.0 * query.sizes[0]) + back / (2.0 * np.maximum(table.sizes, 1))
        return means

    def amounts(self, cosines: Doubles, left: SizedWords, right: SizedWords) -> Doubles:
        """The shares of the best matches in the averages."""
        return pair_amounts(cosines, int(left.sizes[0]), int(right.sizes[0]))


AnyWalk: TypeAlias = DocumentColumn | PairwiseColumn
