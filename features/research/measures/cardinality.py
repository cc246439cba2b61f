"""Soft cardinality of two sets of words (thesis eq. 5.2 and 5.3; Jimenez and others 2012).

A set of words that mean nearly the same counts for little more than one word:

    |A|' = sum over i in A of 1 / (sum over j in A of sim(i, j)^p)            (5.2)
    SSC(A, B) = 2 |A n B|' / (|A|' + |B|'),  |A n B|' = |A|' + |B|' - |A u B|'  (5.3)

The elements are the terms of a scope, each once; ``sim`` is ``max(0, cosine)`` of their word vectors, 1 for
a word with itself and 0 where a word has no vector: two words of ``sim`` .5 and p = 2 count .8 each. Unitor's
dependency triples are left out, as there is no parser here. A union can come out softly smaller than half of
both sides together; such a value is cut at 1.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from features.arrays import Array, Arrays, Doubles, Integers, Ints, Longs, Singles
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.bags import BagBuilder, Bags, TermColumn
from features.measures.base import Columns, EvidencePair, distinct
from features.measures.matches import matches
from features.measures.selections import ScopeReader
from features.measures.tables import Table, row_sums
from features.measures.vocabulary import Vocabulary, written
from features.profiles.blocks import Block
from features.research.measures.best_matches import in_order
from features.research.measures.vectors import WordedSettings
from features.research.word_vectors import WordVectors, word_vectors

_BLOCK = 8192
"""Words whose vectors are turned from 32 bits to 64 at a time."""


class CardinalitySettings(WordedSettings):
    """Soft cardinality over one scope."""

    EXAMPLES = ({"scope": {"form": "lemma"}},)
    cost: ClassVar[float] = 100.0  # every word of an item with every other

    measure: Literal["cardinality"] = Field(description="soft cardinality (eq. 5.2, 5.3)")
    p: float = Field(
        2.0,
        gt=0,
        description="power of the similarity of two words: the higher, the less a mere likeness counts",
    )

    def builder(self, resources: Resources) -> "CardinalityBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return CardinalityBuilder(self, ScopeReader(self.scope, resources), word_vectors())

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "CardinalityColumn":
        """The column over stored arrays; raises ``DamagedArtefact`` where they are of other vectors."""
        return CardinalityColumn(self, ScopeReader(self.scope, resources), arrays, word_vectors())


def soft_ratio(left: Doubles, right: float, unions: Doubles) -> Doubles:
    """Equation 5.3 from the soft cardinalities of two sets and of their union, cut to [0, 1].

    >>> soft_ratio(np.array([1.6]), 1.0, np.array([1.8])).round(4).tolist()  # 2 x (1.6 + 1.0 - 1.8) / 2.6
    [0.6154]
    """
    return np.clip(2 * (left + right - unions) / (left + right), 0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class SoftSets(Table):
    """Items as sets of terms; ``company`` is each term's sum of similarities^p within its item.

    ``unseen`` are the rows of the word vectors of the terms that the collection lacks, by their number
    beyond the vocabulary.
    """

    LISTS = ("terms", "company")
    SHARED = ("unseen",)

    starts: Longs
    terms: Ints
    company: Doubles
    unseen: Ints


class CardinalityBuilder(BagBuilder):
    """Keeps the words of every item and how much company each has there."""

    def __init__(self, settings: CardinalitySettings, reader: ScopeReader, words: WordVectors) -> None:
        super().__init__(reader)
        self._settings, self._words = settings, words

    def arrays(self) -> dict[str, Array]:
        """The sets, the vocabulary with the rows of its word vectors, and the mark of these."""
        (starts, terms, _), names = self._bags.bags(), self._bags.names
        rows = self._words.rows(names)
        company = _company(starts, terms, self._words.units(rows), self._settings.p)
        return {
            **SoftSets(starts, terms, company, np.empty(0, np.int32)).arrays(),
            "rows": rows,
            "vectors": self._words.mark(),
            **written(names),
        }


class CardinalityColumn(TermColumn[SoftSets]):
    """Soft overlap of an item with others.

    The similarities of the item's words with the others' are worked out once; every other item then
    is look-ups, one for each word of either side (:func:`_unions`).
    """

    def __init__(
        self, settings: CardinalitySettings, reader: ScopeReader, arrays: Arrays, words: WordVectors
    ) -> None:
        super().__init__(SoftSets.of(arrays), reader, Vocabulary(arrays))
        self._settings, self._words = settings, words
        words.check(arrays["vectors"])
        self._rows = np.asarray(arrays["rows"], np.int32)

    def read(self, block: Block) -> SoftSets:
        """The sets of the items of a block."""
        bags = self.bags(block)
        unseen = self._unseen(block, bags)
        met, places = np.unique(bags.terms, return_inverse=True)
        units = self._words.units(self._rows_of(met, unseen))
        company = _company(bags.starts, places.astype(np.int32), units, self._settings.p)
        return SoftSets(bags.starts, bags.terms, company, unseen)

    def similarities(self, query: SoftSets, table: SoftSets) -> Doubles:
        """The soft overlap, eq. 5.3."""
        met, places = distinct(table.terms, len(self._rows) + len(table.unseen))
        units = self._words.units(self._rows_of(met, table.unseen))
        similar = powered(_cosines(units, self._units(query)), self._settings.p)
        own = np.full(len(met), -1, np.int32)
        _, at, there = np.intersect1d(met, query.terms, assume_unique=True, return_indices=True)
        own[at] = there
        similar[at, there] = 1.0
        unions = _unions(table.starts, places, table.company, similar, own, query.company)
        sizes = row_sums(table.starts, 1.0 / table.company)
        size = row_sums(query.starts, 1.0 / query.company)[0]
        return soft_ratio(np.where(sizes > 0, sizes, 1.0), size, unions)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The most similar words of both sides."""
        table = self.of(block)
        one, other = table.row(left), table.row(right)
        similar = powered(_cosines(self._units(one), self._units(other)), self._settings.p)
        similar[one.terms[:, np.newaxis] == other.terms] = 1.0
        here = in_order(self.standing(block, left), one.terms)
        return matches(similar, here, in_order(self.standing(block, right), other.terms))

    def _units(self, table: SoftSets) -> Singles:
        return self._words.units(self._rows_of(table.terms, table.unseen))

    def _rows_of(self, terms: Integers, unseen: Ints) -> Ints:
        """The rows of the word vectors of terms by their number, -1 for none."""
        rows: Ints = (np.concatenate((self._rows, unseen)) if len(unseen) else self._rows)[terms]
        return rows

    def _unseen(self, block: Block, bags: Bags) -> Ints:
        unseen = self.unseen(bags)
        if not len(unseen):
            return np.empty(0, np.int32)
        rows = np.full(len(block.lexicon), -1, np.int32)
        rows[unseen] = self._words.rows([block.lexicon.terms[number] for number in unseen.tolist()])
        return rows


def _cosines(left: Singles, right: Singles) -> Doubles:
    """Of unit vectors with unit vectors, float64[left, right].

    Added up in 64 bits: in 32 a value would depend on the company in which its item is read.
    """
    cosines = np.empty((len(left), len(right)))
    for start in range(0, len(left), _BLOCK):
        some = slice(start, start + _BLOCK)
        np.matmul(left[some].astype(np.float64), right.T.astype(np.float64), out=cosines[some])
    return cosines


def powered(cosines: Doubles, p: float) -> Doubles:
    """Similarities ``max(0, cosine)^p``, no higher than 1.

    >>> powered(np.array([-0.5, 0.5]), 2.0).tolist()
    [0.0, 0.25]
    """
    similar: Doubles = np.clip(cosines, 0.0, 1.0) ** p
    return similar


@compiled
def _company(starts: Longs, terms: Ints, units: Singles, p: float) -> Doubles:
    """For each term of each item the sum over the item's terms of sim^p; ``units`` has a row a term."""
    company = np.empty(len(terms))
    for row in range(len(starts) - 1):
        first, beyond = starts[row], starts[row + 1]
        company[first:beyond] = 1.0
        for one in range(first, beyond):
            for two in range(one + 1, beyond):
                cosine = 0.0
                for k in range(units.shape[1]):
                    cosine += np.float64(units[terms[one], k]) * np.float64(units[terms[two], k])
                if cosine > 0.0:
                    power = min(cosine, 1.0) ** p
                    company[one] += power
                    company[two] += power
    return company


@compiled
def _unions(
    starts: Longs, terms: Ints, company: Doubles, similar: Doubles, places: Ints, own: Doubles
) -> Doubles:
    """The soft cardinality of the union of a profile's terms with those of every item.

    ``similar`` float64[vocabulary, profile's terms] are powered similarities, ``places`` says which
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
            theirs = company[at]
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
