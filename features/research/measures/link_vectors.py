"""The Wikipedia Link Vector Model (WLVM: Milne 2007; thesis eq. 6.4 to 6.7): items as sets of articles.

An item is the set of articles that its texts name. Two items compare by the average of the best matches,
half for each side: ``sim(a, b) = (sum_{x in a} max_{y in b} cos(x, y) / |a| + the same from b) / 2``.
The thesis prints arg max where it means max.

Two articles compare by the cosine of their links. The weight of a link from x to y is
``|x->y| * log(t / |z->y|)``, over the number t of all articles and the number of articles z that link to y:
what few articles link to says more. The thesis prints a sum over z inside the logarithm, which would depend
on units; Milne's text says that popular targets weigh little, so it is read as t over the in-degree.
``|x->y|`` is 1: the dumps keep a link once, however often an article repeats it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles, Integers, Ints, Longs
from features.knowledge.resources import Resources
from features.measures.bags import bags_of
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, Theme
from features.measures.matches import matches
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.measures.tables import Table, joined
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.research.measures.best_matches import best_matches, pair_amounts
from features.research.measures.linked import linked
from features.research.wikipedia.linking import Linker
from features.research.wikipedia.store import Wikipedia
from ingest.errors import DamagedArtefact

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class LinkVectorsSettings(MeasureSettings):
    """WLVM over the articles that one scope names."""

    EXAMPLES = ({},)

    measure: Literal["link_vectors"] = Field(
        description="best matches of the link vectors of Wikipedia's articles (eq. 6.7)"
    )
    scope: Scope = Field(default=Scope(), description="which words may name articles")

    @property
    def needs(self) -> tuple[Literal["wikipedia"], ...]:
        """Wikipedia."""
        return ("wikipedia",)

    @property
    def collects(self) -> Hashable:
        """Links to articles."""
        return "wikipedia"

    @property
    def theme(self) -> Theme:
        """What words mean."""
        return "meaning"

    @property
    def cost(self) -> float:
        """Linking."""
        return 170.0

    def builder(self, resources: Resources) -> "LinkVectorsBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LinkVectorsBuilder(ScopeReader(self.scope, resources), resources.linker)

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "LinkVectorsColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of another Wikipedia."""
        reader = ScopeReader(self.scope, resources)
        return LinkVectorsColumn(reader, arrays, resources.linker, LinkVectors(resources.wikipedia))


@dataclass(frozen=True, slots=True, eq=False)
class Articles(Table):
    """The articles that every item names, each once, ascending."""

    LISTS = ("articles",)

    starts: Longs
    articles: Ints


def _read(block: Block, reader: ScopeReader, linker: Linker) -> Articles:
    found = linked(block, linker, reader)
    bags = bags_of(len(block), block.items[found.values], found.articles)
    return Articles(bags.starts, bags.terms)


class LinkVectorsBuilder:
    """Collects the articles of every item."""

    def __init__(self, reader: ScopeReader, linker: Linker) -> None:
        self._reader, self._linker = reader, linker
        self._blocks: list[Articles] = []

    def take(self, block: Block) -> None:
        """Link the next items."""
        self._blocks.append(_read(block, self._reader, self._linker))

    def arrays(self) -> dict[str, Array]:
        """The items' articles, and which Wikipedia they are of."""
        none = Articles(np.zeros(1, np.int64), np.empty(0, np.int32))
        mark = np.frombuffer(self._linker.wikipedia.digest.encode(), np.uint8)
        return {**joined(none, self._blocks).arrays(), "wikipedia": mark}


class LinkVectorsColumn(Column[Articles]):
    """Best matches of an item's articles with those of others."""

    def __init__(self, reader: ScopeReader, arrays: Arrays, linker: Linker, vectors: "LinkVectors") -> None:
        super().__init__(Articles.of(arrays))
        self._reader, self._linker, self._vectors = reader, linker, vectors
        if np.asarray(arrays["wikipedia"], np.uint8).tobytes().decode() != vectors.wikipedia.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )

    def read(self, block: Block) -> Articles:
        """The articles of the items of a block."""
        return _read(block, self._reader, self._linker)

    def informed(self, table: Articles) -> Bools:
        """Which items name an article."""
        return np.diff(table.starts) > 0

    def similarities(self, query: Articles, table: Articles) -> Doubles:
        """The averages of the best matches, eq. 6.7."""
        if table is self.table:
            met, places, rows = self._met
        else:
            met, places, rows = self._distinct(table)
        return best_matches(table.starts, places, self._vectors.cosines(met, query.articles, rows))

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of articles that bring most, each by the words that name it."""
        table = self.of(block)
        ours, theirs = table.row(left).articles, table.row(right).articles
        amounts = pair_amounts(self._vectors.cosines(ours, theirs), len(ours), len(theirs))
        here, there = self._standing(block, left), self._standing(block, right)
        return matches(
            amounts,
            {article: here[article] for article in ours.tolist()},
            {article: there[article] for article in theirs.tolist()},
        )

    @cached_property
    def _met(self) -> "tuple[Ints, Ints, csr_array]":
        return self._distinct(self.table)

    def _distinct(self, table: Articles) -> "tuple[Ints, Ints, csr_array]":
        """The distinct articles of a table, the place of each item's among them, and their vectors."""
        met, places = np.unique(table.articles, return_inverse=True)
        return met, places.astype(np.int32), self._vectors.rows(met)

    def _standing(self, block: Block, item: int) -> dict[int, list[Occurrence]]:
        """The articles of an item, each with the words that name it."""
        found: dict[int, list[Occurrence]] = {}
        for article, where in linked(block, self._linker, self._reader).of(block, item):
            found.setdefault(article, []).append(where)
        return found


class LinkVectors:
    """The vectors of one Wikipedia's articles, and their cosines."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        self.wikipedia = wikipedia

    def rows(self, articles: Ints) -> "csr_array":
        """The vectors of articles, each of length 1, or 0 without links: float64[articles, all articles]."""
        from scipy.sparse import csr_array

        links = [self.wikipedia.links(article) for article in articles.tolist()]
        starts = np.concatenate(([0], np.cumsum([len(own) for own in links], dtype=np.int64)))
        targets = np.concatenate([np.empty(0, np.int32), *links])
        weights = link_weights(len(self.wikipedia), self.wikipedia.indegrees[targets])
        found = csr_array((weights, targets, starts), shape=(len(articles), len(self.wikipedia)))
        lengths = np.sqrt(np.asarray(found.power(2).sum(axis=1)).reshape(-1))
        found.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(starts))
        return found

    def cosines(self, left: Ints, right: Ints, rows: "csr_array | None" = None) -> Doubles:
        """Of articles with articles, float64[left, right]; 1 for one with itself, whatever it links to.

        ``rows`` are those of ``left`` where they are known already.
        """
        products = (self.rows(left) if rows is None else rows) @ self.rows(right).T
        cosines: Doubles = np.minimum(products.toarray(), 1.0)
        cosines[left[:, np.newaxis] == right] = 1.0
        return cosines


def link_weights(articles: int, indegrees: Integers) -> Doubles:
    """The weights of links to articles of these in-degrees (eq. 6.4), natural logarithm.

    >>> link_weights(100, np.array([1, 10, 100])).round(4).tolist()  # ln 100, ln 10, ln 1
    [4.6052, 2.3026, 0.0]
    """
    weights: Doubles = np.log(articles / np.maximum(indegrees, 1))
    return weights
