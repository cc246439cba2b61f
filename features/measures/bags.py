"""Bags of terms as arrays: what all measures over the terms of a scope share."""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Integers, Ints, Longs, Rows
from features.knowledge.resources import ResourceName
from features.measures.base import Column, EvidencePair, MeasureSettings, Theme
from features.measures.postings import Postings, tally
from features.measures.scope import Scope
from features.measures.searchable import WeightedTerms, Weights
from features.measures.selections import ScopeReader, occurrences
from features.measures.spill_buffers import SpillBuffer, blank, parts
from features.measures.tables import Table, items_of, starts_of
from features.measures.vocabulary import Vocabulary
from features.profiles.blocks import Block, Lexicon
from features.profiles.profile import Occurrence

if TYPE_CHECKING:
    from scipy.sparse import csr_array


_THEMES: Final[dict[str, Theme]] = {"events": "events", "people": "kinds", "places": "places"}
_COSTS: Final[dict[str, float]] = {
    "none": 10.0, "events": 15.0, "people": 15.0, "hypernyms": 15.0, "places": 280.0,
}  # fmt: skip

_COST_OF_FACTS: Final = 190.0
_OF_ANY_LANGUAGE: Final = 50
"""Added to the items of a language: among a few items, how many have a word says little of it."""


class ScopedSettings(MeasureSettings):
    """A measure over the terms of one scope."""

    # places, sets that are collections, no kinds of people, languages, figures by any name, scenes
    VERSION: ClassVar[int] = 7

    scope: Scope = Field(default=Scope(), description="which terms of a profile count")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the scope is read with."""
        return self.scope.needs

    @property
    def collects(self) -> Hashable:
        """The terms of the scope."""
        return self.scope

    @property
    def cost(self) -> float:
        """Reading the scope, and two lists of who has which term."""
        return _COST_OF_FACTS if self.scope.facts else _COSTS[self.scope.expand]

    @property
    def theme(self) -> Theme:
        """What the terms are: what WordNet makes of words, facts or figures; plain words are words."""
        if self.scope.figures:
            return "people"
        return "sets" if self.scope.facts else _THEMES.get(self.scope.expand, "words")


class Bags(NamedTuple):
    """The terms of some items: those of item i are ``terms[starts[i]:starts[i + 1]]``, ascending.

    ``counts`` says how often each term stands in the item.
    """

    starts: Longs
    terms: Ints
    counts: Ints

    def where(self, mask: Bools) -> "Bags":
        """With some of the terms only; the mask is bool[terms].

        >>> bags = Bags(np.array([0, 2, 3]), np.array([2, 4, 2]), np.array([1, 2, 1]))
        >>> [column.tolist() for column in bags.where(bags.terms > 2)]
        [[0, 1, 1], [4], [2]]
        """
        starts = np.concatenate(([0], np.cumsum(mask)))[self.starts]
        return Bags(starts, self.terms[mask], self.counts[mask])


def bags_of(size: int, items: Longs, terms: Longs) -> Bags:
    """The bags of ``size`` items from terms and the item that each stands in.

    >>> [column.tolist() for column in bags_of(2, np.array([0, 0, 0, 1]), np.array([4, 2, 4, 2]))]
    [[0, 2, 3], [2, 4, 2], [1, 2, 1]]
    """
    both, counts = np.unique(items << 32 | terms, return_counts=True)
    starts = np.searchsorted(both, np.arange(size + 1, dtype=np.int64) << 32)
    return Bags(starts, (both & 0xFFFFFFFF).astype(np.int32), counts.astype(np.int32))


def read_bags(block: Block, reader: ScopeReader) -> Bags:
    """What a scope picks of the items of a block; terms are numbers of the block's lexicon."""

    selection = reader.selection(block)
    return block.once(
        (Bags, reader.key), lambda: bags_of(len(block), block.items[selection.values], selection.terms)
    )


class CollectedBags:
    """The bags of a collection, block by block.

    >>> from features.profiles.profile import Profile
    >>> collected, block = CollectedBags(), Block([Profile(()), Profile(())])
    >>> terms = block.lexicon.numbers(["b", "b", "a", "a"])
    >>> collected.add(block, bags_of(2, np.array([0, 0, 0, 1]), terms))
    >>> collected.names, collected.counts().toarray().tolist(), collected.frequencies().tolist()
    (['a', 'b'], [[1, 2], [1, 0]], [2.0, 1.0])
    """

    def __init__(self) -> None:
        self._lexicon = Lexicon()
        self._sizes, self._terms = SpillBuffer(np.int64), SpillBuffer(np.int32)
        self._counts, self._languages = SpillBuffer(np.int32), SpillBuffer(np.int16)
        self._numbers_of_languages: dict[str, int] = {}
        self._ordered: Ints | None = None

    def __len__(self) -> int:
        """The number of items."""
        return len(self._sizes)

    def add(self, block: Block, bags: Bags) -> None:
        """Take in the bags of the next items; all blocks of a collection have one lexicon."""
        self._lexicon, self._ordered = block.lexicon, None
        known = self._numbers_of_languages
        languages = [known.setdefault(profile.language, len(known)) for profile in block.profiles]
        self._languages.add(np.array(languages, np.int16))
        self._sizes.add(np.diff(bags.starts))
        self._terms.add(bags.terms)
        self._counts.add(bags.counts)

    @property
    def names(self) -> list[str]:
        """Every term, in the order of its number: that of the code points."""
        return [self._lexicon.terms[number] for number in self._met().tolist()]

    def bags(self) -> Bags:
        """The bags of all items, each term by its number; they lie in files."""
        number = self._places(self._met())
        starts, met, counted = starts_of(self._sizes.whole()), self._terms.whole(), self._counts.whole()
        terms, counts = blank(np.int32, len(met)), blank(np.int32, len(met))
        for rows in parts(starts):
            own = slice(starts[rows.start], starts[rows.stop])
            items = np.repeat(np.arange(rows.start, rows.stop), np.diff(starts[rows.start : rows.stop + 1]))
            numbers = number[met[own]]
            order = np.lexsort((numbers, items))
            terms[own], counts[own] = numbers[order], counted[own][order]
        return Bags(starts, terms.view(np.int32), counts.view(np.int32))

    def counts(self) -> "csr_array":
        """How often each item has each term, int32[items, terms]; in an item terms ascend."""
        from scipy.sparse import csr_array

        starts, terms, counts = self.bags()
        return csr_array((counts, terms, starts), shape=(len(self), len(self._met())))

    def counts_as_met(self, met: Sequence[int]) -> "tuple[csr_array, list[str]]":
        """The counts with the terms, as numbers of the lexicon, in another order, and the terms."""
        counts, place = self.counts(), self._places(np.array(met, np.int64))
        reordered = type(counts)(
            (counts.data, place[self._met()][counts.indices], counts.indptr), shape=counts.shape
        )
        return reordered, [self._lexicon.terms[number] for number in met]

    def frequencies(self, *, of_words: bool = False) -> Doubles:
        """How many items have each term, float64[terms].

        Of words that only some languages have, how many would have it if all items were in these: *vrouw* may
        stand in every Dutch record, and then tells nothing of any; but among a thousand records of which ten
        are Dutch it would count as rare.
        """
        met = self._met()
        own = tally(self._terms.whole(), len(self._lexicon))[met].astype(np.float64)
        if not of_words or len(self._numbers_of_languages) <= 1:
            return own
        return own * len(self) / np.minimum(self._could_have()[met] + _OF_ANY_LANGUAGE, len(self))

    def _could_have(self) -> Longs:
        """How many items are in the languages in which each number of the lexicon stands."""
        sizes, terms, languages = self._sizes.whole(), self._terms.whole(), self._languages.whole()
        starts = starts_of(sizes)
        stands = np.zeros((len(self._numbers_of_languages), len(self._lexicon)), np.bool_)
        for rows in parts(starts):
            own, items = slice(starts[rows.start], starts[rows.stop]), slice(rows.start, rows.stop)
            stands[np.repeat(languages[items], sizes[items]), terms[own]] = True
        could = np.zeros(len(self._lexicon), np.int64)
        for items, there in zip(np.bincount(languages, minlength=len(stands)), stands, strict=True):
            could[there] += items
        return could

    def _met(self) -> Ints:
        """The terms as numbers of the lexicon, in the order of their code points."""
        if self._ordered is None:
            there = np.flatnonzero(tally(self._terms.whole(), len(self._lexicon)))
            met = sorted(there.tolist(), key=self._lexicon.terms.__getitem__)
            self._ordered = np.array(met, np.int32)
        return self._ordered

    def _places(self, terms: Integers) -> Ints:
        """The place of each number of the lexicon among some."""
        places = np.zeros(len(self._lexicon), np.int32)
        places[terms] = np.arange(len(terms), dtype=np.int32)
        return places


class BagBuilder:
    """Collects the bags of a collection: what all builders over the terms of a scope begin with."""

    def __init__(self, reader: ScopeReader) -> None:
        self._reader = reader
        self._bags = CollectedBags()

    def take(self, block: Block) -> None:
        """Count the terms of the next items; builders over one scope share the arrays of a block."""
        self._bags.add(block, read_bags(block, self._reader))

    def frequencies(self) -> Doubles:
        """How many items have each term; of words, as if all items were in the languages that have it."""
        return self._bags.frequencies(of_words=self._reader.scope.is_of_words)


_Table = TypeVar("_Table", bound=Table)


class TermColumn(Column[_Table]):
    """A column whose rows have terms of a scope, numbered by the vocabulary of the collection.

    A term that the collection lacks has the size of the vocabulary plus its number in the block's lexicon.
    """

    def __init__(self, table: _Table, reader: ScopeReader, vocabulary: Vocabulary) -> None:
        super().__init__(table)
        self._reader, self._vocabulary = reader, vocabulary

    def bags(self, block: Block) -> Bags:
        """The bags of a block, in the collection's numbers."""
        bags = read_bags(block, self._reader)
        numbers = self._numbers(block, bags.terms)
        order = np.lexsort((numbers, np.repeat(np.arange(len(block)), np.diff(bags.starts))))
        return Bags(bags.starts, numbers[order], bags.counts[order])

    def unseen(self, bags: Bags) -> Longs:
        """The terms that the collection lacks, each once, as numbers of the block's lexicon."""
        terms = np.unique(bags.terms).astype(np.int64)
        return terms[terms >= len(self._vocabulary)] - len(self._vocabulary)

    def names(self, block: Block, terms: Integers) -> list[str]:
        """The terms of some numbers."""
        size = len(self._vocabulary)
        return [
            self._vocabulary[number] if number < size else block.lexicon.terms[number - size]
            for number in terms.tolist()
        ]

    def standing(self, block: Block, item: int, terms: Integers | None = None) -> dict[int, list[Occurrence]]:
        """Terms of an item, all or some, by their numbers, with where each stands, in text order."""
        own = self._reader.of_item(block, item)
        if terms is None:
            numbers = self._numbers(block, own.terms).tolist()
        else:
            # an item has many neighbours, which share few of its words
            rows_of = block.once((TermColumn, self._reader.key, item), lambda: _rows_of(own.terms))
            of_block = block.lexicon.numbers(self.names(block, terms)).tolist()
            standing = [
                (row, number)
                for term, number in zip(of_block, terms.tolist(), strict=True)
                for row in rows_of.get(term, ())
            ]
            own = own.at(np.array([row for row, _ in standing], np.int64))
            numbers = [number for _, number in standing]
        places: dict[int, list[Occurrence]] = {}
        for number, place in zip(numbers, occurrences(block, own), strict=True):
            places.setdefault(number, []).append(place)
        return places

    def _numbers(self, block: Block, terms: Integers) -> Ints:
        distinct, places = np.unique(terms, return_inverse=True)
        numbers = self._vocabulary.numbers([block.lexicon.terms[number] for number in distinct.tolist()])
        unseen = numbers < 0
        numbers[unseen] = len(self._vocabulary) + distinct[unseen]
        return numbers[places]


@dataclass(frozen=True, slots=True, eq=False)
class TermRows(Table):
    """The distinct terms of every item, ascending."""

    LISTS: ClassVar[tuple[str, ...]] = ("terms",)

    starts: Longs
    terms: Ints


_TermRows = TypeVar("_TermRows", bound=TermRows)


class PostedColumn(TermColumn[_TermRows]):
    """A column with posting lists of its terms, and with how many items have each."""

    def __init__(self, table: _TermRows, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(table, reader, Vocabulary(arrays))
        self._items = items_of(arrays, table)
        self._postings = Postings.of(arrays)
        self._frequencies = np.asarray(arrays["frequencies"], np.float64)

    def searchable(self) -> WeightedTerms[_TermRows]:
        """The terms that the collection knows, with weights."""
        return WeightedTerms(self._known_terms)

    def _known_terms(self, table: _TermRows) -> Weights:
        known = table.terms < len(self._vocabulary)
        starts = np.concatenate(([0], np.cumsum(known)))[table.starts]
        rows = np.repeat(np.arange(len(table)), np.diff(table.starts))
        return starts, table.terms[known], self.known_weights(table, known, rows[known])

    @abstractmethod
    def known_weights(self, table: _TermRows, known: Bools, rows: Rows) -> Doubles:
        """The weights of the terms of a mask bool[terms], which stand in these rows."""

    def shared_terms(
        self, block: Block, left: int, right: int, terms: Integers, amounts: Doubles
    ) -> tuple[EvidencePair, ...]:
        """Terms that both sides have, each with its share of all the ``amounts``, the largest first."""
        left_places, right_places = (self.standing(block, item, terms) for item in (left, right))
        brings = dict(zip(terms.tolist(), amounts.tolist(), strict=True))
        total = sum(brings.values())
        pairs = [
            EvidencePair(tuple(left_places[term]), tuple(right_places[term]), amount / total)
            for term, amount in brings.items()
        ]
        return tuple(sorted(pairs, key=lambda pair: (-pair.share, pair.left[0].term)))


def _rows_of(terms: Integers) -> dict[int, list[int]]:
    """Where each term stands among some, in their order."""
    rows: dict[int, list[int]] = {}
    for row, term in enumerate(terms.tolist()):
        rows.setdefault(term, []).append(row)
    return rows


def idf(documents: int, frequencies: Integers | Doubles) -> Doubles:
    """Inverse document frequency ``ln(1 + N / df)``, natural logarithm; ``df`` is 1 at least.

    >>> idf(4, np.array([0, 1, 2, 4])).round(4).tolist()  # ln 5, ln 5, ln 3, ln 2
    [1.6094, 1.6094, 1.0986, 0.6931]
    """
    values: Doubles = np.log1p(max(1, documents) / np.maximum(frequencies, 1))
    return values


def looked_up(known: Doubles, unseen: Doubles | float, terms: Integers) -> Doubles:
    """The idf of terms by their number; of those beyond ``known`` in ``unseen``, or all the same.

    >>> looked_up(np.array([0.5]), np.array([1.0, 2.0]), np.array([0, 2])).tolist()
    [0.5, 2.0]
    >>> looked_up(np.array([0.5]), 3.0, np.array([0, 2])).tolist()
    [0.5, 3.0]
    """
    beyond = terms >= len(known)
    values = np.empty(len(terms))
    values[~beyond] = known[terms[~beyond]]
    values[beyond] = unseen[terms[beyond] - len(known)] if isinstance(unseen, np.ndarray) else unseen
    return values
