"""What every measure promises.

A measure compares what it sees of two items. It is pure of I/O, deterministic, symmetric (unless the
docstring of a measure of research says that its paper's looks from the first item) and in [0, 1];
where either side gives no information its value is NaN, never 0 by accident: what NaN becomes is the
system's decision. An item with itself has 1, unless the measure's docstring gives a reason.

It has settings (a row of ``features`` in config.yaml), a table with a row for each item, and a column, which
reads the rows of items and compares one with those of a table; where rows depend on the other items of a
collection, also a builder. Features made of others are of :mod:`features.measures.derived`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, Generic, Literal, Protocol, Self, TypeAlias, TypeVar, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from features.arrays import Array, Arrays, Bools, Doubles, Floats, Integers, Ints, NewArrays, Rows, Singles
from features.knowledge.resources import ResourceName, Resources
from features.measures.parts import RowPart, unknown
from features.measures.searchable import Combination, Searchable, Sum
from features.measures.tables import Table, TableSpillBuffer
from features.profiles.blocks import Block
from features.profiles.profile import Occurrence
from features.text.sentences import EncoderName

Theme: TypeAlias = Literal[
    "words", "names", "makers", "people", "kinds", "places", "times", "events", "meaning",
    "topics", "sets", "presence", "presence of people", "presence of events",
]  # fmt: skip
"""What it means that two items agree in a measure: the wording of a reason is chosen by it."""


@dataclass(frozen=True, slots=True)
class EvidencePair:
    """Why two items agree on a feature: what stands on either side, and how much rests on it.

    ``share`` is the part of the feature's value that does, all adding up to 1. ``whole``: texts were compared
    as wholes, and the values they were made of stand here.
    """

    left: tuple[Occurrence, ...]
    right: tuple[Occurrence, ...]
    share: float
    whole: bool = False


class Builder(Protocol):
    """Collects what a measure stores of the items of a collection."""

    def take(self, block: Block) -> None:
        """Take in the next items; blocks come in row order and share a lexicon."""
        ...

    def arrays(self) -> NewArrays:
        """What has to be stored, by name; the column is made from the same arrays."""
        ...


class FeatureColumn(Protocol):
    """What a collection asks of every feature, be it of a measure or made of others."""

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What the value of two items of a block rests on, strongest first; asked where it is above 0."""
        ...

    def value(self, block: Block, left: int, right: int) -> float:
        """The value of two items of a block."""
        ...


Columns: TypeAlias = Mapping[str, FeatureColumn]  # the columns of features by their names
ByParts: TypeAlias = Callable[[RowPart], Singles]
"""Gives the values of an item with the rows of a part: float32[rows], NaN for no information."""

ROUNDING: Final = 2e-6
"""How far a value in single precision may be from that in double, of features made of others too."""

_Table = TypeVar("_Table", bound=Table)


class RowsBuilder(Generic[_Table]):
    """Collects the rows that ``read`` gives of each item alone, in files until all are there."""

    def __init__(self, read: Callable[[Block], _Table]) -> None:
        self.read = read
        self._rows = TableSpillBuffer(read(Block([])))

    def take(self, block: Block) -> None:
        """Take in the rows of the next items."""
        self._rows.add(self.read(block))

    def table(self) -> _Table:
        """The rows of all items."""
        return self._rows.whole()

    def arrays(self) -> NewArrays:
        """The rows of all items, as they are stored."""
        return self.table().arrays()


class Column(ABC, Generic[_Table]):
    """A fitted measure; ``table`` has a row for each item of the collection.

    ``PICKS``: what ``by_parts`` gives looks at the rows that are ``picked``, since a row is costly.
    """

    PICKS: ClassVar[bool] = False

    def __init__(self, table: _Table) -> None:
        self.table = table

    @abstractmethod
    def read(self, block: Block) -> _Table:
        """The rows of the items of a block; comparable within a lexicon, or with the collection's."""

    @abstractmethod
    def similarities(self, query: _Table, table: _Table) -> Doubles:
        """The measure of one row, ``query``, with all of a table; anything where a side is not informed."""

    def informed(self, table: _Table) -> Bools:
        """Which rows give any information, bool[rows]; here those with an entry in their lists."""
        return table.filled

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """What a value above 0 of two items of a block rests on, strongest first; here nothing."""
        return ()

    def fitted(self, arrays: Arrays) -> NewArrays:
        """Its arrays without those that grow with the items: what a column needs whose rows lie elsewhere."""
        items, fitted = self.table.by_item(), dict[str, Array]()
        for name, array in arrays.items():
            if name in items or name.startswith("posting_"):
                fitted[name] = np.array(array[:0])
            elif name == "starts":
                fitted[name] = np.zeros(1, np.int64)
            elif not name.startswith("group_"):
                fitted[name] = array
        return {**fitted, "items": np.array(len(self.table))} if arrays else {}

    def searchable(self) -> Searchable[_Table] | None:
        """What a search engine may use of the measure; None where it is of no use to one."""
        return None

    @property
    def same(self) -> Hashable:
        """Equal for columns that store the same of every item; only itself for most."""
        return self

    @property
    def usual(self) -> float | None:
        """The nearness that is usual in the collection; None where the measure does not look for it."""
        return None

    def compare(self, query: _Table, table: _Table) -> Doubles:
        """The measure of one row with every row of a table: float64[rows], NaN for no information."""
        if not self.informed(query).all():
            return np.full(len(table), np.nan)
        # of a few rows np.clip takes ten times as long
        scores = np.minimum(np.maximum(self.similarities(query, table), 0.0), 1.0)
        scores[~self.informed(table)] = np.nan
        return scores

    def by_parts(self, query: _Table) -> ByParts:
        """``compare`` with all rows of the collection, by parts, in single precision: see ``ROUNDING``.

        Of a part with picked rows the values of these, where ``PICKS`` is set.
        """
        return self.informed_by_parts(query) if self.informed(query).all() else unknown

    def informed_by_parts(self, query: _Table) -> ByParts:
        """``by_parts`` of a row that gives information; here all are compared at once."""
        whole = self.compare(query, self.table).astype(np.float32)
        return lambda part: whole[part.rows]

    @cached_property
    def inapplicable(self) -> Bools:
        """Which items of the collection give no information."""
        return ~self.informed(self.table)

    def of(self, block: Block) -> _Table:
        """What ``read`` gives, read once a block; of the collection's own items what the table holds."""

        def rows() -> _Table:
            if block.stored is not None:
                return cast("_Table", block.stored(self))
            return self.read(block) if block.rows is None else self.table.at(block.rows)

        return block.once(self, rows)

    def value(self, block: Block, left: int, right: int) -> float:
        """The measure of two items of a block."""
        # an item is compared with all its neighbours at once
        table = self.of(block)
        values = block.once((Column, self, left), lambda: self.compare(table.row(left), table))
        return float(values[right])


AnyColumn: TypeAlias = Column[Table]


class MeasureSettings(BaseModel, ABC):
    """A row of ``features`` in config.yaml: a measure, what it sees, and how.

    A property here may be a class variable of a measure: ``theme: ClassVar[Theme] = "times"``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    VERSION: ClassVar[int] = 1
    """Raised by hand whenever the measure gives other numbers: a build then fits it anew."""

    EXAMPLES: ClassVar[tuple[Mapping[str, JsonValue], ...]] = ()
    """Rows without their ``measure``: the documentation shows the first, and tests hold the measure to its
    promises with each. A feature that others name is called as its measure, the second of it ``NAME_2``."""

    GROUPED: ClassVar[bool] = True
    """Whether rows that are the same are compared once; posting lists are quicker than that."""

    measure: str = Field(description="which measure; each declares its own name")

    @property
    def needs(self) -> tuple[ResourceName, ...]:
        """The resources that the measure cannot do without."""
        return ()

    @property
    def made_of(self) -> tuple[str, ...]:
        """The features it is made of, none for most."""
        return ()

    @property
    def combination(self) -> Combination:
        """How the values of ``made_of`` make its own, roughly: for search engines."""
        return Sum()

    @property
    def theme(self) -> Theme:
        """What agreement in it means; of words of a scope the scope says more."""
        return "words"

    @property
    def collects(self) -> Hashable:
        """What a builder collects: features that collect the same are fitted in one process."""
        return self.model_dump_json()

    @property
    def cost(self) -> float:
        """What a fit takes, roughly: microseconds of a core an item, as measured on real records."""
        return 10.0

    @property
    def search_cost(self) -> float:
        """What a question takes of its column besides its parts, roughly: milliseconds for 160,000 items."""
        return 1.0

    def with_encoder(self, encoder: EncoderName) -> Self:
        """The same over the vectors of a sentence encoder; itself where it takes none."""
        return self

    def values(self, parts: Mapping[str, Floats], compare: Callable[[], Floats]) -> Floats:
        """The feature's values: what its column gives, or what is made of those of its ``made_of``."""
        return compare()

    def builder(self, resources: Resources) -> Builder:
        """An empty builder, here of what a column reads of each item alone; raises ``ResourceMissing``."""
        return RowsBuilder(plain(self.column({}, resources, {})).read)

    @abstractmethod
    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> FeatureColumn:
        """The column over stored arrays, used where they lie; ``columns`` are those of its ``made_of``."""


def plain(column: FeatureColumn) -> AnyColumn:
    """A column of a measure of its own; raises ``TypeError`` for a feature that is made of others."""
    if not isinstance(column, Column):
        raise TypeError("a feature that is made of others has no column of its own")
    return column


def needed(names: tuple[str, ...], declared: Mapping[str, MeasureSettings]) -> tuple[str, ...]:
    """The named features and the parts they are made of, parts first, each once."""
    ordered: dict[str, None] = {}
    for name in names:
        ordered |= dict.fromkeys((*needed(declared[name].made_of, declared), name))
    return tuple(ordered)


def distinct(numbers: Integers, size: int) -> tuple[Rows, Ints]:
    """The distinct of some numbers below ``size``, ascending, and the place of each: as ``numpy.unique``.

    >>> [each.tolist() for each in distinct(np.array([5, 2, 5]), 9)]
    [[2, 5], [1, 0, 1]]
    """
    there = np.zeros(size, dtype=bool)
    there[numbers] = True  # without sorting
    met = np.flatnonzero(there)
    place = np.empty(size, np.int32)
    place[met] = np.arange(len(met), dtype=np.int32)
    return met, place[numbers]
