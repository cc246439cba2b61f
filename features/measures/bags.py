"""Bags of terms as arrays: the part that all measures over the words of a scope share."""

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
from pydantic import Field
from scipy.sparse import csr_array

from features.compiled import compiled
from features.knowledge.resources import ResourceName
from features.measures.base import MeasureSettings, Theme
from features.measures.scope import Scope, ScopeReader
from features.measures.selections import selection
from features.measures.vocabulary import written
from features.profiles.blocks import Block, Lexicon, Longs
from features.profiles.occurrence import Occurrence

Ints = npt.NDArray[np.int32]

_ABOUT: Final[dict[str, Theme]] = {"events": "events", "people": "kinds", "places": "places"}


_COSTS: Final[dict[str, float]] = {
    "none": 10.0, "events": 60.0, "people": 60.0, "hypernyms": 60.0, "places": 300.0,
}  # fmt: skip


class ScopedSettings(MeasureSettings):
    """A measure over the terms of one scope."""

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
        return _COSTS[self.scope.expand]

    @property
    def theme(self) -> Theme:
        """What the terms of the scope are about, as far as they are of WordNet; plain words are words."""
        return _ABOUT.get(self.scope.expand, "words")


class Bags:
    """The bags of a collection, item by item; terms are numbered in the order of their code points.

    >>> bags = Bags()
    >>> bags.add(Counter("bba"))
    >>> bags.add(Counter("a"))
    >>> bags.terms, bags.counts().toarray().tolist(), bags.frequencies().tolist()
    (['a', 'b'], [[1, 2], [1, 0]], [2, 1])
    """

    def __init__(self) -> None:
        self._lexicon = Lexicon()
        self._terms = array("i")
        self._counts = array("i")
        self._starts = array("q", [0])

    def __len__(self) -> int:
        """The number of items."""
        return len(self._starts) - 1

    @property
    def met(self) -> list[str]:
        """Every term, in the order in which they were met."""
        return [self._lexicon.terms[number] for number in self._met.tolist()]

    @property
    def terms(self) -> list[str]:
        """Every term, in the order of its number."""
        return [self._lexicon.terms[number] for number in self._ordered.tolist()]

    def add(self, bag: Counter[str]) -> None:
        """Take in the bag of the next item."""
        self._terms.extend(map(self._lexicon.number, bag))
        self._counts.extend(bag.values())
        self._starts.append(len(self._terms))
        self._forget()

    def take(self, block: Block, items: Longs, terms: Longs) -> None:
        """Take in the bags of a block: its terms in text order, each with the place of its item.

        All blocks have one lexicon; raises ``ValueError`` where this one has another.
        """
        if self._lexicon is not block.lexicon:
            if len(self):
                raise ValueError("the blocks of a collection share a lexicon")
            self._lexicon = block.lexicon
        own, counts, sizes = _counted(len(block), items, terms, *block.lexicon.scratch(len(block)))
        self._starts.frombytes((np.cumsum(sizes) + len(self._terms)).tobytes())
        self._terms.frombytes(own.tobytes())
        self._counts.frombytes(counts.tobytes())
        self._forget()

    def counts(self) -> csr_array:
        """How often each item has each term, int32[items, terms]; in an item terms stand in their order."""
        counts = self._numbered(self._ordered)
        counts.sort_indices()
        return counts

    def counts_as_met(self) -> csr_array:
        """The same with terms in the order in which they were met, in the collection and in each item."""
        return self._numbered(self._met)

    def frequencies(self) -> npt.NDArray[np.int32]:
        """How many items have each term."""
        found = np.bincount(np.frombuffer(self._terms, np.int32), minlength=len(self._lexicon))
        return found[self._ordered].astype(np.int32)

    def vocabulary(self) -> dict[str, npt.NDArray[np.generic]]:
        """The terms as arrays, for :class:`features.measures.vocabulary.Vocabulary`."""
        return written(self.terms)

    def _numbered(self, order: Ints) -> csr_array:
        """The counts with terms in an order of their numbers in the lexicon."""
        places = np.empty(len(self._lexicon), np.int32)
        places[order] = np.arange(len(order), dtype=np.int32)
        terms = np.frombuffer(self._terms, np.int32)
        return csr_array(
            (np.array(self._counts, np.int32), places[terms], np.array(self._starts, np.int64)),
            shape=(len(self), len(order)),
        )

    @cached_property
    def _met(self) -> Ints:
        return _first_met(np.frombuffer(self._terms, np.int32), len(self._lexicon))

    @cached_property
    def _ordered(self) -> Ints:
        met = self._met.tolist()
        return np.array(sorted(met, key=self._lexicon.terms.__getitem__), np.int32)

    def _forget(self) -> None:
        self.__dict__.pop("_met", None)
        self.__dict__.pop("_ordered", None)


@compiled
def _counted(
    number: int, items: Longs, terms: Longs, turn: int, stamps: Longs, slots: Longs
) -> tuple[Ints, Ints, Longs]:
    """The distinct terms of every item in text order, how often each stands there, and how many they are.

    ``stamps`` and ``slots`` have room for two numbers a term; no stamp has ever been ``turn`` or more.
    """
    found, counts = np.empty(len(terms), np.int32), np.empty(len(terms), np.int32)
    sizes = np.zeros(number, np.int64)
    size = 0
    for at in range(len(terms)):
        term, item = terms[at], items[at]
        if stamps[term] == turn + item:
            counts[slots[term]] += 1
        else:
            stamps[term] = turn + item
            slots[term] = size
            found[size] = term
            counts[size] = 1
            sizes[item] += 1
            size += 1
    return found[:size], counts[:size], sizes


@compiled
def _first_met(terms: Ints, number: int) -> Ints:
    """The distinct of some numbers below ``number``, in the order in which they are met."""
    there = np.zeros(number, np.bool_)
    found = np.empty(number, np.int32)
    size = 0
    for term in terms:
        if not there[term]:
            there[term] = True
            found[size] = term
            size += 1
    return found[:size].copy()


class BagBuilder:
    """Collects the bags of a collection: what all builders over the terms of a scope begin with."""

    def __init__(self, scope: ScopeReader) -> None:
        self._scope = scope
        self._bags = Bags()
        self._counts = True

    def share(self, collected: dict[object, object]) -> None:
        """Leave the counting to the first builder over the same scope."""
        first = collected.setdefault(self._scope, self)
        if isinstance(first, BagBuilder) and first is not self:
            self._bags, self._counts = first._bags, False

    def take(self, block: Block) -> None:
        """Count the terms of the next items."""
        if self._counts:
            found = selection(block, self._scope)
            self._bags.take(block, block.items[found.values], found.terms)


def forward(counts: csr_array) -> dict[str, npt.NDArray[np.generic]]:
    """Which terms each item has: those of item i are ``terms[starts[i]:starts[i + 1]]``, ascending."""
    return {"starts": counts.indptr.astype(np.int64), "terms": counts.indices.astype(np.int32)}


def inverted(counts: csr_array) -> dict[str, npt.NDArray[np.generic]]:
    """Which items have each term: those of term t are ``items[lists[t]:lists[t + 1]]``, ascending."""
    lists = counts.tocsc()
    return {"lists": lists.indptr.astype(np.int64), "items": lists.indices.astype(np.int32)}


def smallest(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Numbers of 0 and more in as few bytes as the largest takes.

    >>> [smallest(np.array([1, most])).itemsize for most in (255, 256, 65536)]
    [1, 2, 4]
    """
    most = int(counts.max(initial=0))
    found: npt.NDArray[np.integer] = counts.astype(np.min_scalar_type(most))
    return found


def whole(array: npt.NDArray[np.generic]) -> npt.NDArray[np.integer]:
    """Stored whole numbers, of however many bytes, used where they lie."""
    found: npt.NDArray[np.integer] = np.asarray(array)
    return found


def by_term(occurrences: Iterable[Occurrence]) -> dict[str, list[Occurrence]]:
    """Every term with the places where it stands, in text order."""
    found: dict[str, list[Occurrence]] = {}
    for occurrence in occurrences:
        found.setdefault(occurrence.term, []).append(occurrence)
    return found
