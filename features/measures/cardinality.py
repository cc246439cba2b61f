"""Soft cardinality of two sets of words (thesis eq. 5.2 and 5.3; Jimenez and others 2012).

A set of words that mean nearly the same counts for little more than one word:

    |A|' = sum over i in A of 1 / (sum over j in A of sim(i, j)^p)            (5.2)
    SSC(A, B) = 2 |A n B|' / (|A|' + |B|'),  |A n B|' = |A|' + |B|' - |A u B|'  (5.3)

The elements are the terms of a scope, each once; ``sim`` is ``max(0, cosine)`` of their word
vectors, 1 for a word with itself and 0 where a word has no vector. Unitor takes dependency triples;
there is no parser here, so its syntactic part is left out. A union can come out softly smaller than
half of both sides together; such a value is cut at 1.

With two words of ``sim`` .5 and p = 2 each counts 1 / (1 + .25), so that both are .8 + .8 = 1.6.
"""

from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field

from features.collection import row_groups as twins
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.bags import BagBuilder, by_term
from features.measures.base import Arrays, Evidence, Rows, Scores, SeenColumn, parts, taken
from features.measures.matches import matches
from features.measures.scope import ScopeReader
from features.measures.vocabulary import Vocabulary
from features.measures.worded import WordedSettings
from features.profiles.profile import Profile
from features.text.word_vectors import Floats, WordVectors, word_vectors

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]


class CardinalitySettings(WordedSettings):
    """Soft cardinality over one scope."""

    measure: Literal["cardinality"] = Field(description="soft cardinality of words, eq. 5.2 and 5.3")
    p: float = Field(2.0, gt=0, description="power of a similarity: the higher, the less a likeness counts")

    @property
    def cost(self) -> float:
        """Every word of an item with every other."""
        return 100.0

    def builder(self, resources: Resources) -> "CardinalityBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return CardinalityBuilder(self, self.scope.reader(resources), word_vectors())

    def column(self, arrays: Arrays, resources: Resources) -> "CardinalityColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other vectors."""
        return CardinalityColumn(self, self.scope.reader(resources), arrays, word_vectors())


def soft_ratio(left: float, right: float, union: float) -> float:
    """Equation 5.3 from the soft cardinalities of two sets and of their union, cut to [0, 1].

    >>> round(soft_ratio(1.6, 1.0, 1.8), 4)  # 2 x (1.6 + 1.0 - 1.8) / 2.6
    0.6154
    """
    return min(1.0, max(0.0, 2 * (left + right - union) / (left + right)))


class CardinalityBuilder(BagBuilder):
    """Keeps the words of every item and how much company each has there."""

    def __init__(self, settings: CardinalitySettings, scope: ScopeReader, words: WordVectors) -> None:
        super().__init__(scope)
        self._settings, self._words = settings, words

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """Per item its terms, per term the sum of its powered similarities within the item."""
        counts = self._bags.counts()
        terms = counts.indices.astype(np.int32)
        starts = counts.indptr.astype(np.int64)
        rows = self._words.rows(self._bags.terms)
        company = np.empty(len(terms), np.float32)
        _company(starts, terms, self._words.units(rows), self._settings.p, company)
        return {
            "terms": terms,
            "indptr": starts,
            "company": company,
            "rows": rows,
            "vectors": self._words.mark(),
            **self._bags.vocabulary(),
        }


class _Set(NamedTuple):
    """A profile's terms in the order of their unit vectors, the company of each, and their cardinality."""

    terms: tuple[str, ...]
    units: Floats
    company: Scores
    size: float


class CardinalityColumn(SeenColumn[_Set]):
    """Soft overlap of a profile with every item.

    The similarities of the profile's words with the vocabulary are worked out once; every item then
    is look-ups, one for each word of either side (:func:`_unions`).
    """

    def __init__(
        self, settings: CardinalitySettings, scope: ScopeReader, arrays: Arrays, words: WordVectors
    ) -> None:
        super().__init__()
        self._settings, self._scope = settings, scope
        self._words = words
        words.check(arrays["vectors"])
        self._terms = np.asarray(arrays["terms"], np.int32)
        self._starts = np.asarray(arrays["indptr"], np.int64)
        self._company = np.asarray(arrays["company"], np.float32)
        self._rows = np.asarray(arrays["rows"], np.int32)
        self._vocabulary = Vocabulary(arrays)

    @cached_property
    def _units(self) -> Floats:
        return self._words.units(self._rows)

    @cached_property
    def _sizes(self) -> Scores:
        """The soft cardinality of every item, NaN for an item without a term."""
        sizes = np.full(len(self._starts) - 1, np.nan)
        filled = np.diff(self._starts) > 0
        if filled.any():
            parts = 1.0 / self._company.astype(np.float64)
            sizes[filled] = np.add.reduceat(parts, self._starts[:-1][filled])
        return sizes

    def alike(self) -> twins.Keys:
        """Keys of the rows by what is compared of them."""
        return twins.of_lists(self._starts, self._terms)

    def pair(self, left: Profile, right: Profile) -> float:
        """The soft overlap of two profiles."""
        a, b = self._seen(left), self._seen(right)
        if not a.terms or not b.terms:
            return float("nan")
        similar = powered(a.units @ b.units.T, self._settings.p)
        shared = {term: place for place, term in enumerate(a.terms)}
        at = np.array([shared.get(term, -1) for term in b.terms])
        new, common = np.flatnonzero(at < 0), at[at >= 0]
        # what a word of A meets in the union are the words of A and those that B adds, and so for B
        ours = a.company + similar[:, new].sum(axis=1)
        theirs = b.company[new] + np.delete(similar[:, new], common, axis=0).sum(axis=0)
        return soft_ratio(a.size, b.size, float((1.0 / ours).sum() + (1.0 / theirs).sum()))

    def evidence(self, left: Profile, right: Profile) -> tuple[Evidence, ...]:
        """The most similar words of both sides; none where the value is 0 or NaN."""
        if not self.pair(left, right) > 0:
            return ()
        a, b = self._seen(left), self._seen(right)
        ours, theirs = (by_term(self._scope.occurrences(side)) for side in (left, right))
        similar = powered(a.units @ b.units.T, self._settings.p)
        for row, term in enumerate(a.terms):
            if term in theirs:
                similar[row, b.terms.index(term)] = 1.0
        return matches(
            similar, {term: ours[term] for term in a.terms}, {term: theirs[term] for term in b.terms}
        )

    def _see(self, profile: Profile) -> _Set:
        terms = tuple(self._scope.bag(profile))
        units = self._words.units(self._words.rows(terms))
        similar = powered(units @ units.T, self._settings.p).astype(np.float64)
        np.fill_diagonal(similar, 1.0)
        company = similar.sum(axis=1)
        return _Set(terms, units, company, float((1.0 / company).sum()))

    def _compared(self, seen: _Set, rows: Rows | None) -> Scores:
        """The soft overlap with every item; NaN where the item or the profile has no term."""
        sizes = taken(self._sizes, rows)
        if not seen.terms:
            return np.full(len(sizes), np.nan)
        # of all words, whatever the rows: a product of fewer may differ in the last bit
        similar = powered(self._units @ seen.units.T, self._settings.p)
        places = np.full(len(self._rows), -1, np.int32)
        for place, number in enumerate(self._vocabulary.numbers(seen.terms).tolist()):
            if number >= 0:
                places[number] = place
        starts, terms, company = self._starts, self._terms, self._company
        if rows is not None:
            starts, own = parts(starts, rows)
            terms, company = terms[own], company[own]
        unions = _unions(starts, terms, company, similar, places, seen.company)
        return np.clip(2 * (sizes + seen.size - unions) / (sizes + seen.size), 0.0, 1.0)


def powered(cosines: Floats, p: float) -> Floats:
    """Similarities ``max(0, cosine)^p``, no higher than 1.

    >>> powered(np.array([-0.5, 0.5], np.float32), 2.0).tolist()
    [0.0, 0.25]
    """
    similar: Floats = np.clip(cosines, 0.0, 1.0) ** np.float32(p)
    return similar


@compiled
def _company(starts: Longs, terms: Ints, units: Floats, p: float, company: Floats) -> None:
    """Fill ``company``: for each term of each item the sum over the item's terms of sim^p."""
    for row in range(len(starts) - 1):
        first, beyond = starts[row], starts[row + 1]
        company[first:beyond] = 1.0
        for one in range(first, beyond):
            for two in range(one + 1, beyond):
                cosine = np.float32(0.0)
                for k in range(units.shape[1]):
                    cosine += units[terms[one], k] * units[terms[two], k]
                if cosine > 0.0:
                    power = min(float(cosine), 1.0) ** p
                    company[one] += power
                    company[two] += power


@compiled
def _unions(
    starts: Longs, terms: Ints, company: Floats, similar: Floats, places: Ints, own: Scores
) -> Scores:
    """The soft cardinality of the union of a profile's terms with those of every item.

    ``similar`` float32[vocabulary, profile's terms] are powered similarities, ``places`` says which
    of the profile's terms a term of the vocabulary is (-1: none), ``own`` is the company of the
    profile's terms among themselves. A word that both have stands in the union once.
    """
    size = len(own)
    unions = np.empty(len(starts) - 1)
    met = np.empty(size)
    common = np.empty(size, np.int32)
    for row in range(len(starts) - 1):
        met[:] = own
        shared = 0
        for at in range(starts[row], starts[row + 1]):
            if places[terms[at]] >= 0:
                common[shared] = places[terms[at]]
                shared += 1
        total = 0.0
        for at in range(starts[row], starts[row + 1]):
            term = terms[at]
            if places[term] >= 0:
                continue
            theirs = np.float64(company[at])
            for k in range(size):
                met[k] += similar[term, k]
                theirs += similar[term, k]
            for k in range(shared):
                theirs -= similar[term, common[k]]
            total += 1.0 / theirs
        for k in range(size):
            total += 1.0 / met[k]
        unions[row] = total
    return unions
