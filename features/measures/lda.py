"""Cosine of topic mixtures (thesis eq. 6.3): latent Dirichlet allocation, fitted by gensim.

As published: 100 topics, alpha = eta = 1/100, the cosine of two items' mixtures theta. The papers
leave open how it is fitted; decided here:

- Terms are those of the scope. Left out are those of fewer than ``least`` items, which tell of
  no other, and of more than the share ``most`` of all: there is no list of stop words.
- Online variational Bayes (Hoffman and others 2010), seeded, reads about ``documents`` bags: a small
  collection several times over, of a large one evenly spaced items. So the time of a fit is bounded
  (gensim's passes are not a setting), and the same items give the same topics.
- Items are inferred from the topics by :func:`features.measures.topics.mixtures`, the collection's own and
  new ones alike, always from the same start: the same bag has the same theta, and nothing is fitted again.
- An item without any of the terms kept has no mixture: NaN.
"""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.collection import row_groups as twins
from features.knowledge.resources import Resources
from features.measures import kernels
from features.measures.bags import BagBuilder, ScopedSettings, by_term
from features.measures.base import Arrays, Evidence, Rows, Scores, SeenColumn, Theme
from features.measures.matches import matches
from features.measures.scope import ScopeReader
from features.measures.topics import STEP, Floats, mixtures
from features.measures.vocabulary import Vocabulary, written
from features.profiles.profile import Profile

_NONE = 1e-12
"""What a term has of a topic that it has no part in: e to the power of less than minus topics."""
_BATCH = 1000
"""Bags between two updates of the topics."""


class LdaSettings(ScopedSettings):
    """Topic mixtures over one scope."""

    measure: Literal["lda"] = Field(description="cosine of topic mixtures, eq. 6.3")
    topics: int = Field(100, ge=2, le=1000, description="number of topics; alpha and eta are 1 / topics")
    documents: int = Field(
        20_000, ge=1, description="bags that a fit reads, some several times or not at all"
    )
    iterations: int = Field(20, ge=1, description="steps of the inference of one item at most")
    least: int = Field(2, ge=1, description="a term of fewer items is left out")
    most: float = Field(
        0.5, gt=0, le=1, description="a term of more than this share of the items is left out"
    )
    seed: int = Field(20130613, ge=0, le=2**32 - 1, description="of the fit")

    @property
    def theme(self) -> Theme:
        """Topics."""
        return "topics"

    @property
    def cost(self) -> float:
        """Inference of the topics, and a fit of them that takes as long whatever the items."""
        return 100.0

    def builder(self, resources: Resources) -> "LdaBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return LdaBuilder(self, self.scope.reader(resources))

    def column(self, arrays: Arrays, resources: Resources) -> "LdaColumn":
        """The column over stored arrays, used where they lie."""
        return LdaColumn(self, self.scope.reader(resources), arrays)


class LdaBuilder(BagBuilder):
    """Collects bags, finds topics in them, and infers the mixture of every item."""

    def __init__(self, settings: LdaSettings, scope: ScopeReader) -> None:
        super().__init__(scope)
        self._settings = settings

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Mixtures of unit length float32[rows, topics], NaN for no information; the topics; the terms.

        ``topics`` float32[terms, topics] holds exp E[ln beta], all that inference needs.
        """
        # topics depend on the order in which the terms are given: that in which they were met
        counts, names = self._bags.counts_as_met(), self._bags.met
        frequencies = np.bincount(counts.indices, minlength=len(names))
        # in a handful of items a term of one is all there is
        least = min(self._settings.least, int(frequencies.max(initial=0)))
        common = frequencies > max(self._settings.most * len(self._bags), least)
        kept = np.flatnonzero((frequencies >= least) & ~common)
        counts = counts[:, kept].tocsr()
        topics = fitted(counts, self._settings)
        # of a large collection a part was read: a term that was not in it is of no topic
        seen = topics.max(axis=1, initial=0.0) > _NONE
        order = sorted(np.flatnonzero(seen).tolist(), key=lambda number: names[kept[number]])
        kept, counts, topics = kept[order], counts[:, order].tocsr(), topics[order]
        counts.sort_indices()
        starts = counts.indptr.astype(np.int64)
        terms = counts.indices.astype(np.int32)
        found = mixtures(topics, starts, terms, counts.data, self._settings.iterations)
        return {"mixtures": found, "topics": topics, **written([names[number] for number in kept])}


def fitted(counts: csr_array, settings: LdaSettings) -> Floats:
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
    topics: Floats = np.ascontiguousarray(model.expElogbeta.T, dtype=np.float32)
    return topics


def _bags(counts: csr_array) -> Iterator[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]]:
    for row in range(counts.shape[0]):
        inside = slice(counts.indptr[row], counts.indptr[row + 1])
        yield counts.indices[inside], counts.data[inside]


class _Seen(NamedTuple):
    """A profile's terms that have a topic, how often each stands there, and its mixture, NaN for none.

    Of a row only the mixture.
    """

    terms: tuple[str, ...]
    numbers: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    mixture: Floats


class LdaColumn(SeenColumn[_Seen]):
    """Cosines of an item's topic mixture with that of every item."""

    def __init__(self, settings: LdaSettings, scope: ScopeReader, arrays: Arrays) -> None:
        super().__init__()
        self._settings, self._scope = settings, scope
        self._mixtures = np.asarray(arrays["mixtures"], np.float32)
        self._topics = np.asarray(arrays["topics"], np.float32)
        self._vocabulary = Vocabulary(arrays)

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_rows(self._mixtures)

    def pair(self, left: Profile, right: Profile) -> float:
        """The cosine of two profiles."""
        theirs = self._seen(right).mixture[np.newaxis]
        return _cosines(np.zeros(1, np.intp), theirs, self._seen(left).mixture).item()

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The shared words that carry shared topics; where there are none, words of a topic on both sides.

        A mixture is a sum over the words of an item, so the cosine is one over pairs of words.
        """
        if not self.pair(left, right) > 0:
            return ()
        a, b = self._seen(left), self._seen(right)
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        brought = self._carried(a) @ self._carried(b).T
        same = np.array([[one == two for two in b.terms] for one in a.terms])
        return matches(
            np.where(same, brought, 0.0) if same.any() else brought,
            {term: ours[term] for term in a.terms},
            {term: theirs[term] for term in b.terms},
        )

    def _see(self, profile: Profile) -> _Seen:
        bag = self._scope.bag(profile)
        found = sorted(bag)
        every = self._vocabulary.numbers(found)
        terms = tuple(term for term, number in zip(found, every, strict=True) if number >= 0)
        counts, numbers = np.array([bag[term] for term in terms], np.int32), every[every >= 0]
        own = np.array([0, len(numbers)])
        mixture = mixtures(self._topics, own, numbers, counts, self._settings.iterations)[0]
        return _Seen(terms, numbers, counts, mixture)

    def _stored(self, row: int, profile: Callable[[], Profile]) -> _Seen:  # noqa: ARG002
        none = np.empty(0, np.int32)
        return _Seen((), none, none, self._mixtures[row])

    def _compared(self, seen: _Seen, rows: Rows | None) -> Scores:
        """The cosine with every item; NaN where the item or the profile has no term with a topic."""
        return _cosines(
            np.arange(len(self._mixtures)) if rows is None else rows, self._mixtures, seen.mixture
        )

    def _carried(self, seen: _Seen) -> Scores:
        """What each term brings to each topic of its item's mixture, float64[terms, topics]."""
        rows = self._topics[seen.numbers].astype(np.float64)
        weights = rows * seen.mixture
        shares: Scores = weights / weights.sum(axis=1, keepdims=True) * seen.counts[:, np.newaxis]
        return shares


def _cosines(rows: Rows, mixtures: Floats, mixture: Floats) -> Scores:
    return np.minimum(kernels.dense(rows, mixtures, mixture), 1.0)
