"""What a measure lets a search engine use, so that the engine proposes items without comparing all of them.

A column gives one of five declarations: what an engine may store of every item, and how near other items are
that share it with one. An engine makes fields and queries of it, and knows no measure by name. What it
proposes is scored by the measure itself: a declaration may be rough, but should rank as the measure ranks.
A feature that is made of others gives a ``Combination``, the way in which their values make its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from features.arrays import Doubles, Ints, Longs, Singles
from features.measures.tables import Table

_Table = TypeVar("_Table", bound=Table)

Weights: TypeAlias = tuple[Longs, Ints, Doubles]
"""Where the terms of every row start and the last end, the terms, and their weights."""


@dataclass(frozen=True, slots=True)
class WeightedTerms(Generic[_Table]):
    """Terms with weights: the products of the weights of shared terms add up to the value, or nearly.

    ``weights`` gives those of every row of a table. Terms are numbers of the collection's vocabulary.
    """

    weights: Callable[[_Table], Weights]


class SearchStep(NamedTuple):
    """About what value items have with every key of one of ``groups`` in the list ``of``, or more."""

    value: float
    groups: tuple[tuple[str, ...], ...]
    of: str = ""


@dataclass(frozen=True, slots=True)
class Steps(Generic[_Table]):
    """Lists of keys, and for an item the steps by which others are near, the widest first.

    ``kind`` is a word for the keys, ``lists`` names the lists, "" where there is one. ``keys``
    gives for each row of a table its keys by the name of the list; ``steps`` takes a table of one row.
    """

    kind: str
    keys: Callable[[_Table], Iterator[Mapping[str, Sequence[str]]]]
    steps: Callable[[_Table], list[SearchStep]]
    lists: tuple[str, ...] = ("",)


class Distance(NamedTuple):
    """Items whose ends are at most so far from one's own have about this value, or more."""

    years: int
    value: float


@dataclass(frozen=True, slots=True)
class Range(Generic[_Table]):
    """Two ends on a line of years, and for an item the distances by which others are near, the widest first.

    ``ends`` gives float64[rows, 2], NaN for none; ``distances`` takes a table of one row.
    """

    ends: Callable[[_Table], Doubles]
    distances: Callable[[_Table], list[Distance]]


@dataclass(frozen=True, slots=True)
class Vector(Generic[_Table]):
    """A vector of length 1, 0 for no information: the value follows the product of two of them.

    ``unit`` gives float32[rows, numbers]. ``text`` says what the vectors are of: columns with the same have
    the same vectors, and "" stands for one that has its own. ``usual`` is how near each item's vector is to
    others in general; of several columns over one text that which is ``scaled`` knows it.
    """

    unit: Callable[[_Table], Singles]
    text: str = ""
    usual: Callable[[_Table], Singles] | None = None
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Level(Generic[_Table]):
    """One number an item: the value of two items is the smaller of theirs, or the larger.

    ``of`` gives float64[rows] between 0 and 1, NaN for no information.
    """

    of: Callable[[_Table], Doubles]
    smaller: bool


Searchable: TypeAlias = WeightedTerms[_Table] | Steps[_Table] | Range[_Table] | Vector[_Table] | Level[_Table]
"""What an engine may use of a column."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The feature grows with each of its parts, about as their sum."""


@dataclass(frozen=True, slots=True)
class Largest:
    """The feature is the largest of its parts, each times its factor."""

    factors: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Unless:
    """The feature is its first part, as far as its second has nothing."""


@dataclass(frozen=True, slots=True)
class Informed:
    """The feature is whether its parts give any information, whatever their values."""


Combination: TypeAlias = Sum | Largest | Unless | Informed  # how the values of a feature's parts make its own
