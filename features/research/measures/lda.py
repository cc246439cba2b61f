"""Cosine of topic mixtures (thesis eq. 6.3): latent Dirichlet allocation, fitted by gensim.

As published: 100 topics, alpha = eta = 1/100, the cosine of two items' mixtures theta. The papers
leave open how it is fitted; decided here:

- Terms are those of the scope, without those of fewer than ``least`` items and of more than the share
  ``most`` of all: there is no list of stop words. An item without any of them has no mixture: NaN.
- Online variational Bayes (Hoffman and others 2010), seeded, reads about ``documents`` bags: a small
  collection several times over, of a large one evenly spaced items. So the time of a fit is bounded, and
  the same items give the same topics.
- Items are inferred from the topics by ``mixtures``, the collection's own and new ones alike,
  always from the same start: the same bag has the same theta, and nothing is fitted again.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Bools, Doubles, Ints, Longs, Singles
from features.compiled import compiled_grouped
from features.knowledge.resources import Resources
from features.measures import dense
from features.measures.bags import BagBuilder, Bags, ScopedSettings, TermColumn
from features.measures.base import Columns, EvidencePair, Theme
from features.measures.matches import matches
from features.measures.selections import ScopeReader
from features.measures.tables import Table, starts_of
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence

if TYPE_CHECKING:
    from scipy.sparse import csr_array

STEP = 0.001
"""Inference ends when the counts of topics change by less than this on average, as in gensim."""
_ROWS = 256
"""Bags inferred at a time: their numbers stay in a core's cache."""


def mixtures(topics: Singles, starts: Longs, terms: Ints, counts: Ints, iterations: int) -> Singles:
    """The topic mixtures of bags at unit length, float32[bags, topics]: a product of two is their cosine.

    The terms of bag i are ``terms[starts[i]:starts[i + 1]]``, rows of ``topics``, each as often as
    ``counts`` says; a bag without any has NaN. A bag has the same mixture among others as alone.

    >>> beta = np.array([[0.9, 0.1], [0.5, 0.5]], np.float32)  # the second bag has no term
    >>> mixed = mixtures(beta, np.array([0, 2, 2]), np.array([0, 1]), np.array([2, 1]), 50)
    >>> mixed.astype(float).round(2).tolist()
    [[0.99, 0.17], [nan, nan]]
    """
    mixed = np.full((len(starts) - 1, topics.shape[1]), np.nan, np.float32)
    rows = np.flatnonzero(np.diff(starts))

    def infer(first: int) -> None:
        block = rows[first : first + _ROWS]
        gamma = inferred(topics, starts, block, terms, counts, iterations)
        mixed[block] = gamma / np.sqrt((gamma * gamma).sum(axis=1, keepdims=True))

    blocks = range(0, len(rows), _ROWS)
    # in threads: the other processes that fit features are often done by now
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) if len(blocks) > 1 else nullcontext() as threads:
        list(threads.map(infer, blocks) if threads else map(infer, blocks))
    return mixed


def inferred(
    topics: Singles, starts: Longs, rows: Longs, terms: Ints, counts: Ints, iterations: int
) -> Doubles:
    """The topic counts gamma of some bags, float64[rows, topics]: the variational E step of LDA.

    It is the step of Blei and others 2003 in gensim's form, but from a fixed start, all topics alike.
    gamma adds up to the number of words and topics x alpha, which is 1.
    """
    alpha = 1.0 / topics.shape[1]
    from scipy.special import psi

    ends = starts_of(counts)
    words = ends[starts[rows + 1]] - ends[starts[rows]]
    gamma = np.repeat((alpha + words * alpha)[:, np.newaxis], topics.shape[1], axis=1)
    going = np.arange(len(rows))
    for _ in range(iterations):
        # the digamma of the sum is the same for all topics, and falls out of the ratio below
        weights = np.exp(psi(gamma[going]))
        changes = _step(topics, starts, rows, terms, counts, weights, going, gamma)
        going = going[changes >= STEP]
        if not len(going):
            break
    return gamma


@compiled_grouped
def _step(
    topics: Singles,
    starts: Longs,
    rows: Longs,
    terms: Ints,
    counts: Ints,
    weights: Doubles,
    going: Longs,
    gamma: Doubles,
) -> Doubles:
    """One step for the bags of ``rows`` that go on, in ``gamma``; by how much it changed, on average."""
    size = topics.shape[1]
    alpha = 1.0 / size
    changes = np.empty(len(going))
    shares = np.empty(size)
    for n in range(len(going)):
        row = rows[going[n]]
        shares[:] = 0.0
        for at in range(starts[row], starts[row + 1]):
            term = terms[at]
            norm = 0.0
            for k in range(size):
                norm += topics[term, k] * weights[n, k]
            share = counts[at] / norm
            for k in range(size):
                shares[k] += share * topics[term, k]
        change = 0.0
        for k in range(size):
            now = alpha + weights[n, k] * shares[k]
            change += abs(now - gamma[going[n], k])
            gamma[going[n], k] = now
        changes[n] = change / size
    return changes


_NONE = 1e-12
"""What a term has of a topic that it has no part in: e to the power of less than minus topics."""
_BATCH = 1000
"""Bags between two updates of the topics."""


class LdaSettings(ScopedSettings):
    """Topic mixtures over one scope."""

    EXAMPLES = ({"topics": 4, "least": 1, "most": 1.0, "documents": 20},)
    theme: ClassVar[Theme] = "topics"
    cost: ClassVar[float] = 100.0  # a fit takes as long whatever the items

    measure: Literal["lda"] = Field(description="cosine of topic mixtures (eq. 6.3)")
    topics: int = Field(100, ge=2, le=1000, description="number of topics; alpha and eta are 1 / topics")
    documents: int = Field(
        20_000,
        ge=1,
        description="items that a fit reads: a smaller collection is read several times, of a larger one"
        " so many items, evenly spaced",
    )
    iterations: int = Field(20, ge=1, description="steps of the inference of one item at most")
    least: int = Field(2, ge=1, description="terms of fewer items are left out")
    most: float = Field(
        0.5, gt=0, le=1, description="terms of more than this share of the items are left out"
    )
    seed: int = Field(
        20130613, ge=0, le=2**32 - 1, description="of the fit: the same items and seed give the same topics"
    )

    def builder(self, resources: Resources) -> "LdaBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LdaBuilder(self, ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "LdaColumn":
        """The column over stored arrays, used where they lie."""
        return LdaColumn(self, ScopeReader(self.scope, resources), arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Mixtures(Table):
    """Topic mixtures of unit length, float32[rows, topics]; NaN for no information."""

    mixtures: Singles


class LdaBuilder(BagBuilder):
    """Collects bags, finds topics in them, and infers the mixture of every item."""

    def __init__(self, settings: LdaSettings, reader: ScopeReader) -> None:
        super().__init__(reader)
        self._settings = settings
        self._met: dict[int, None] = {}

    def take(self, block: Block) -> None:
        """Count the terms of the next items, and remember in which order they are met."""
        super().take(block)
        self._met |= dict.fromkeys(self._reader.selection(block).terms.tolist())

    def arrays(self) -> dict[str, Array]:
        """Mixtures of all items; the topics; the terms.

        ``topics`` float32[terms, topics] holds exp E[ln beta], all that inference needs.
        """
        counts, names = self._bags.counts_as_met(tuple(self._met))
        frequencies = np.bincount(counts.indices, minlength=len(names))
        # in a handful of items a term of one is all there is
        least = min(self._settings.least, int(frequencies.max(initial=0)))
        common = frequencies > max(self._settings.most * len(self._bags), least)
        used = np.flatnonzero((frequencies >= least) & ~common)
        counts = counts[:, used].tocsr()
        topics = fitted(counts, self._settings)
        # of a large collection a part was read: a term that was not in it is of no topic
        seen = topics.max(axis=1, initial=0.0) > _NONE
        order = sorted(np.flatnonzero(seen).tolist(), key=lambda number: names[used[number]])
        used, counts, topics = used[order], counts[:, order].tocsr(), topics[order]
        counts.sort_indices()
        bags = Bags(counts.indptr.astype(np.int64), counts.indices.astype(np.int32), counts.data)
        mixed = mixtures(topics, *bags, self._settings.iterations)
        return {"mixtures": mixed, "topics": topics, **written([names[number] for number in used])}


def fitted(counts: "csr_array", settings: LdaSettings) -> Singles:
    """Topics over the terms of ``counts`` [items, terms]: exp E[ln beta], float32[terms, topics]."""
    rows = np.flatnonzero(np.diff(counts.indptr))
    if not len(rows):
        return np.zeros((counts.shape[1], settings.topics), np.float32)
    from gensim.models import LdaModel

    chosen = rows[np.linspace(0, len(rows) - 1, min(settings.documents, len(rows))).astype(np.intp)]
    # records of one museum stand together: in that order every batch would make the topics its own
    shuffled = np.random.default_rng(settings.seed).permutation(chosen)
    model = LdaModel(
        [list(zip(*bag, strict=True)) for bag in _bags(counts[shuffled])],
        id2word={number: str(number) for number in range(counts.shape[1])},
        num_topics=settings.topics,
        alpha="symmetric",  # 1 / topics
        eta="symmetric",
        passes=max(1, round(settings.documents / len(rows))),
        iterations=settings.iterations,
        gamma_threshold=STEP,
        chunksize=_BATCH,
        eval_every=None,
        random_state=settings.seed,
    )
    topics: Singles = np.ascontiguousarray(model.expElogbeta.T, dtype=np.float32)
    return topics


def _bags(counts: "csr_array") -> Iterator[tuple[Ints, Ints]]:
    for row in range(counts.shape[0]):
        inside = slice(counts.indptr[row], counts.indptr[row + 1])
        yield counts.indices[inside], counts.data[inside]


class LdaColumn(TermColumn[Mixtures]):
    """Cosines of an item's topic mixture with those of others."""

    def __init__(self, settings: LdaSettings, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(Mixtures.of(arrays), reader, Vocabulary(arrays))
        self._settings = settings
        self._topics = np.asarray(arrays["topics"], np.float32)

    def read(self, block: Block) -> Mixtures:
        """The mixtures of the items of a block; a term without a topic says nothing."""
        bags = self.bags(block)
        known = bags.where(bags.terms < len(self._topics))
        return Mixtures(mixtures(self._topics, *known, self._settings.iterations))

    def informed(self, table: Mixtures) -> Bools:
        """Which items have a term with a topic."""
        return ~np.isnan(table.mixtures[:, 0])

    def similarities(self, query: Mixtures, table: Mixtures) -> Doubles:
        """Cosines."""
        return dense.products(table.mixtures, query.mixtures[0])

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The shared words that carry shared topics; where there are none, words of a topic on both sides.

        A mixture is a sum over the words of an item, so the cosine is one over pairs of words.
        """
        one, other = (
            {term: places for term, places in self.standing(block, side).items() if term < len(self._topics)}
            for side in (left, right)
        )
        table = self.of(block)
        a, b = self._carried(one, table.mixtures[left]), self._carried(other, table.mixtures[right])
        brought = a @ b.T
        same = np.array(list(one))[:, np.newaxis] == np.array(list(other))
        return matches(np.where(same, brought, 0.0) if same.any() else brought, one, other)

    def _carried(self, standing: Mapping[int, Sequence[Occurrence]], mixture: Singles) -> Doubles:
        """What each term brings to each topic of its item's mixture, float64[terms, topics]."""
        weights = self._topics[list(standing)].astype(np.float64) * mixture
        counts = np.array([len(places) for places in standing.values()])
        shares: Doubles = weights / weights.sum(axis=1, keepdims=True) * counts[:, np.newaxis]
        return shares
