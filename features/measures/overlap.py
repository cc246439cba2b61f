"""Lexical overlap of two sets of terms (thesis eq. 5.1 and 2.6, and other ways to divide it).

The terms of a scope are a set A; ``|A|`` is their number, or with ``weights: idf`` the sum of their
``ln(1 + N / df)``. ``amount`` divides by neither side: an item is not 1 with itself there.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar, get_args

import numpy as np
from pydantic import Field

from features.arrays import Arrays, Bools, Doubles, Integers, NewArrays, Rows, Singles
from features.compiled import compiled
from features.knowledge.resources import Resources
from features.measures.bags import BagBuilder, PostedColumn, ScopedSettings, TermRows, idf, looked_up
from features.measures.base import ByParts, Columns, EvidencePair
from features.measures.parts import RowPart
from features.measures.postings import inverted, weights_among
from features.measures.selections import ScopeReader
from features.measures.tables import row_sums, summed
from features.measures.vocabulary import written
from features.profiles.blocks import Block

OverlapKind = Literal["jaccard", "dice", "containment", "amount", "cosine"]
TermWeighting = Literal["none", "idf"]
OverlapWeighting = Literal["none", "idf", "information"]
_JACCARD, _DICE, _CONTAINMENT, _AMOUNT, _COSINE = range(len(get_args(OverlapKind)))
HALF = 10.0  # what two items have to share for an amount of .5: with idf, in nats, a rare word or two

_Number = TypeVar("_Number", float, Doubles)


class OverlapSettings(ScopedSettings):
    """Overlap over one scope."""

    GROUPED = False

    EXAMPLES = (
        {"kind": "jaccard", "weights": "idf"},
        {"kind": "containment"},
        {"kind": "amount", "weights": "idf", "scope": {"parts": ["subject"]}},
        {"kind": "containment", "scope": {"parts": ["title", "part_of"], "facts": ["sets"]}},
    )

    measure: Literal["overlap"] = Field(description="lexical overlap (eq. 5.1)")
    kind: OverlapKind = Field(
        "jaccard",
        description="what the shared terms are divided by: those of both sides together, the mean of both"
        " sides (word overlap, eq. 2.6), the smaller side, or the geometric mean of both (`cosine` of binary"
        " vectors, TokenCos). Containment does not suffer from a text that is much longer than the"
        " other. `amount` divides by neither side: `s / (s + 10)` for s shared, so that an item is not 1"
        " with itself",
    )
    weights: OverlapWeighting = Field(
        "none",
        description="`none`: every term counts 1; `idf`: a term counts `ln(1 + N / df)`, rare ones more;"
        " `information`: `-ln P`, P the share of the term among the terms of all items (eq. 3.1)",
    )

    def builder(self, resources: Resources) -> "OverlapBuilder":
        """An empty builder; raises ``ResourceMissing``."""
        return OverlapBuilder(self, ScopeReader(self.scope, resources))

    def column(self, arrays: Arrays, resources: Resources, columns: Columns) -> "OverlapColumn":
        """The column over stored arrays, used where they lie."""
        return OverlapColumn(self, ScopeReader(self.scope, resources), arrays)


def ratio(kind: OverlapKind, shared: _Number, left: _Number, right: _Number) -> _Number:
    """The overlap of two sets from ``|A n B|``, ``|A|`` and ``|B|``, none of them empty.

    >>> [ratio(kind, 2.0, 4.0, 2.0) for kind in ("jaccard", "dice", "containment")]  # 2/4, 4/6, 2/2
    [0.5, 0.6666666666666666, 1.0]
    >>> ratio("cosine", 2.0, 4.0, 4.0)  # 2 / sqrt(4 x 4)
    0.5
    >>> ratio("amount", 10.0, 400.0, 200.0)  # 10 / (10 + 10)
    0.5
    """
    if kind == "amount":
        return shared / (shared + HALF)
    if kind == "jaccard":
        return shared / (left + right - shared)
    if kind == "dice":
        return 2 * shared / (left + right)
    if kind == "cosine":
        mean: _Number = (left * right) ** 0.5
        return shared / mean
    # the smaller of two, for numbers and for arrays alike
    return shared / ((left + right - abs(left - right)) / 2)


@compiled
def _ratios(kind: int, shared: Singles, left: np.float32, rights: Singles) -> Singles:
    """The same of a set with many, in single precision; NaN where a size is. ``kind`` is a place in Kind."""
    one, two, half, none = np.float32(1.0), np.float32(2.0), np.float32(HALF), np.float32(0.0)
    ratios = np.empty(len(shared), np.float32)
    for n in range(len(shared)):
        common, right = shared[n], rights[n]
        if kind == _JACCARD:
            whole = left + right - common
        elif kind == _DICE:
            whole = (left + right) / two
        elif kind == _CONTAINMENT:
            # of NaN nothing is greater: it stays
            whole = left if right > left else right
        elif kind == _COSINE:
            whole = np.sqrt(left * right)
        else:
            # of an amount the size counts only in that there is one
            whole = common + half + none * right
        ratios[n] = one if common > whole else common / whole
    return ratios


@dataclass(frozen=True, slots=True, eq=False)
class Sets(TermRows):
    """Items as sets of terms, with what all of an item's terms count together."""

    sizes: Doubles


class OverlapBuilder(BagBuilder):
    """Keeps which item has which term."""

    def __init__(self, settings: OverlapSettings, reader: ScopeReader) -> None:
        super().__init__(reader)
        self._settings = settings

    def arrays(self) -> NewArrays:
        """The sets, their posting lists, the vocabulary and its document frequencies."""
        (starts, terms, _), frequencies = self._bags.bags(), self.frequencies()
        total = float(frequencies.sum())
        weights = _weights(self._settings.weights, len(self._bags), frequencies, total)
        return {
            **Sets(starts, terms, summed(starts, lambda own: weights[terms[own]])).arrays(),
            **inverted(starts, terms, np.broadcast_to(np.uint8(1), len(terms))).arrays(),
            "frequencies": frequencies,
            **written(self._bags.names),
        }


def _weights(
    weighting: OverlapWeighting, documents: int, frequencies: Integers | Doubles, total: float
) -> Doubles:
    """What terms of some document frequencies count; ``total`` is the sum of those of all terms.

    >>> _weights("information", 4, np.array([1, 4]), 8).round(4).tolist()  # ln 8 and ln 2
    [2.0794, 0.6931]
    """
    if weighting == "none":
        return np.ones(len(frequencies))
    if weighting == "idf":
        return idf(documents, frequencies)
    # a term that the collection lacks counts as one of one item
    information: Doubles = np.log(max(total, 1) / np.maximum(frequencies, 1))
    return information


class OverlapColumn(PostedColumn[Sets]):
    """The overlap of an item with others, by posting lists."""

    def __init__(self, settings: OverlapSettings, reader: ScopeReader, arrays: Arrays) -> None:
        super().__init__(Sets.of(arrays), reader, arrays)
        self._settings = settings

    def read(self, block: Block) -> Sets:
        """The sets of the items of a block."""
        bags = self.bags(block)
        return Sets(bags.starts, bags.terms, row_sums(bags.starts, self._weights_of(bags.terms)))

    def similarities(self, query: Sets, table: Sets) -> Doubles:
        """The overlap under the collection's document frequencies."""
        sizes = np.where(table.filled, table.sizes, 1.0)
        sides = np.full(len(table), query.sizes[0]), sizes
        return ratio(self._settings.kind, self.shared(query, table), *sides)

    def shared(self, query: Sets, table: Sets) -> Doubles:
        """What the terms that each row has too count together."""
        weights = weights_among(query.terms, self._weights_of(query.terms), table.terms)
        return row_sums(table.starts, weights)

    @property
    def same(self) -> Hashable:
        """What is read of the scope and what terms count."""
        return OverlapColumn, self._reader.key, self._settings.weights

    def known_weights(self, table: Sets, known: Bools, rows: Rows) -> Doubles:
        """Their products add up to what is shared over the geometric mean of both sizes."""
        return np.sqrt(self._weights[table.terms[known]] / np.maximum(table.sizes[rows], 1e-300))

    def informed_by_parts(self, query: Sets) -> ByParts:
        """The overlap, by posting lists; features over the same terms and weights share what they add up."""
        sums = self._postings.sums(query.terms, self._weights_of(query.terms))
        size = np.float32(query.sizes[0])
        kind = get_args(OverlapKind).index(self._settings.kind)

        def ratios(part: RowPart) -> Singles:
            common = part.once(self.same, lambda: sums(part.rows))
            return _ratios(kind, common, size, self._sizes[part.rows])

        return ratios

    @cached_property
    def _sizes(self) -> Singles:
        """What all terms of every item count together, NaN for no term."""
        return np.where(self.table.filled, self.table.sizes, np.nan).astype(np.float32)

    def evidence(self, block: Block, left: int, right: int) -> tuple[EvidencePair, ...]:
        """The shared terms, each with what it counts of all that is shared."""
        table = self.of(block)
        common = np.intersect1d(table.row(left).terms, table.row(right).terms, assume_unique=True)
        return self.shared_terms(block, left, right, common, self._weights_of(common))

    @cached_property
    def _weights(self) -> Doubles:
        return _weights(self._settings.weights, self._items, self._frequencies, self._total)

    @cached_property
    def _total(self) -> float:
        return float(np.asarray(self._frequencies).sum())

    def _weights_of(self, terms: Integers) -> Doubles:
        unseen = _weights(self._settings.weights, self._items, np.zeros(1, np.int32), self._total).item()
        return looked_up(self._weights, unseen, terms)
