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
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Doubles, Integers, Ints, Longs, NewArrays
from features.knowledge.resources import ResourceName, Resources
from features.measures.bags import bags_of
from features.measures.base import Column, Columns, EvidencePair, MeasureSettings, RowsBuilder, Theme
from features.measures.matches import matches
from features.measures.scope import Scope
from features.measures.selections import ScopeReader
from features.measures.tables import Table, starts_of
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.research.measures.best_matches import best_matches, in_order, pair_amounts
from features.research.measures.linked import linked
from features.research.wikipedia.linking import Linker
from features.research.wikipedia.store import Wikipedia
from ingest.errors import DamagedArtefact

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class LinkVectorsSettings(MeasureSettings):
    """WLVM over the articles that one scope names."""

    EXAMPLES = ({},)
    VERSION: ClassVar[int] = 2  # names that are no kinds of people
    theme: ClassVar[Theme] = "meaning"
    needs: ClassVar[tuple[ResourceName, ...]] = ("wikipedia",)
    collects: ClassVar[Hashable] = "wikipedia"
    cost: ClassVar[float] = 170.0

    measure: Literal["link_vectors"] = Field(
        description="best matches of the link vectors of Wikipedia's articles (eq. 6.7)"
    )
    scope: Scope = Field(default=Scope(), description="which words may name articles")

    def builder(self, resources: Resources) -> "LinkVectorsBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LinkVectorsBuilder(_Reader(ScopeReader(self.scope, resources), resources.linker))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "LinkVectorsColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of another Wikipedia."""
        reader = _Reader(ScopeReader(self.scope, resources), resources.linker)
        return LinkVectorsColumn(reader, arrays, LinkVectors(resources.wikipedia))


@dataclass(frozen=True, slots=True, eq=False)
class Articles(Table):
    """The articles that every item names, each once, ascending."""

    LISTS = ("articles",)

    starts: Longs
    articles: Ints


@dataclass(frozen=True, slots=True)
class _Reader:
    scope: ScopeReader
    linker: Linker

    def __call__(self, block: Block) -> Articles:
        links = linked(block, self.linker, self.scope)
        bags = bags_of(len(block), block.items[links.values], links.articles)
        return Articles(bags.starts, bags.terms)


class LinkVectorsBuilder(RowsBuilder[Articles]):
    """Collects the articles of every item."""

    def __init__(self, reader: _Reader) -> None:
        super().__init__(reader)
        self._digest = reader.linker.wikipedia.digest

    def arrays(self) -> NewArrays:
        """The items' articles, and which Wikipedia they are of."""
        return {**super().arrays(), "wikipedia": np.frombuffer(self._digest.encode(), np.uint8)}


class LinkVectorsColumn(Column[Articles]):
    """Best matches of an item's articles with those of others."""

    def __init__(self, reader: _Reader, arrays: Arrays, vectors: "LinkVectors") -> None:
        super().__init__(Articles.of(arrays))
        self._reader, self._vectors = reader, vectors
        if np.asarray(arrays["wikipedia"], np.uint8).tobytes().decode() != vectors.wikipedia.digest:
            raise DamagedArtefact(
                "the collection was built with another Wikipedia than is built now; run: kindred build"
            )

    def read(self, block: Block) -> Articles:
        """The articles of the items of a block."""
        return self._reader(block)

    def similarities(self, query: Articles, table: Articles) -> Doubles:
        """The averages of the best matches, eq. 6.7."""
        met, places, rows = self._met if table is self.table else self._distinct(table)
        cosines = self._vectors.cosines(met, query.articles, rows)
        return best_matches(table.starts, places, cosines, np.ones(len(cosines)), np.ones(cosines.shape[1]))

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The pairs of articles that bring most, each by the words that name it."""
        table = self.of(block)
        one, other = table.row(left).articles, table.row(right).articles
        amounts = pair_amounts(self._vectors.cosines(one, other), len(one), len(other))
        here = in_order(self._standing(block, left), one)
        return matches(amounts, here, in_order(self._standing(block, right), other))

    @cached_property
    def _met(self) -> "tuple[Ints, Ints, csr_array]":
        return self._distinct(self.table)

    def _distinct(self, table: Articles) -> "tuple[Ints, Ints, csr_array]":
        """The distinct articles of a table, the place of each item's among them, and their vectors."""
        met, places = np.unique(table.articles, return_inverse=True)
        return met, places.astype(np.int32), self._vectors.rows(met)

    def _standing(self, block: Block, item: int) -> dict[int, list[Occurrence]]:
        standing: dict[int, list[Occurrence]] = {}
        for article, where in linked(block, self._reader.linker, self._reader.scope).of(block, item):
            standing.setdefault(article, []).append(where)
        return standing


class LinkVectors:
    """The vectors of one Wikipedia's articles, and their cosines."""

    def __init__(self, wikipedia: Wikipedia) -> None:
        self.wikipedia = wikipedia

    def rows(self, articles: Ints) -> "csr_array":
        """The vectors of articles, each of length 1, or 0 without links: float64[articles, all articles]."""
        from scipy.sparse import csr_array

        links = [self.wikipedia.links(article) for article in articles.tolist()]
        starts = starts_of(map(len, links))
        targets = np.concatenate([np.empty(0, np.int32), *links])
        weights = link_weights(len(self.wikipedia), self.wikipedia.inlinks.sizes[targets])
        vectors = csr_array((weights, targets, starts), shape=(len(articles), len(self.wikipedia)))
        lengths = np.sqrt(np.asarray(vectors.power(2).sum(axis=1)).reshape(-1))
        vectors.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(starts))
        return vectors

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
