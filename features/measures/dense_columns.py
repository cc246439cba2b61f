"""Cosine of vectors in 8 bits, as they are or relative to what is usual near either item.

A negative cosine counts as 0. Sums of products are exact: ``compare`` and ``pair`` agree to the last bit, and
an item has exactly 1 with itself.

Scaled cosines (cross-domain similarity local scaling, CSLS: Conneau et al. 2018, "Word translation without
parallel data", section 2.3, halved and moved into [0, 1]) are ``cos(a, b) - (r(a) + r(b)) / 2 + 1/2``, cut
off at 0 and 1, where r(x) is the mean of the highest twentieth of the cosines of x with a fixed sample of the
collection; the smaller that is, the more of what is usual in other collections comes into r(x). A scaled
value of an item with itself is 1 only where nothing else is near to it: an exception from the contract of a
measure.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from features.arrays import Arrays, Bools, Doubles, Int8s, Ints, NewArrays, Singles
from features.compiled import compiled
from features.measures import dense
from features.measures.base import ByParts, Column, RowsBuilder
from features.measures.parts import RowPart
from features.measures.searchable import Vector
from features.measures.tables import Table
from features.profiles.blocks import Block

_BLOCK = 1024  # rows that are worked on at once, so that their numbers stay in a core's cache
_SAMPLE = 600
"""Items of a collection by which the usual is measured, evenly spaced over those that have the text."""

_ENOUGH = 60
"""Items of a sample from which on it alone says what is usual."""

_USUAL = 0.55
"""What is usual in other collections: of five museums .51 of contents and .58 of whole texts."""

_NEAREST = 0.05  # the share of the sample that counts as near


@dataclass(frozen=True, slots=True, eq=False)
class DenseVectors(Table):
    """Vectors int8[rows, 384], the squares of their lengths (0 for none), and r where values are scaled."""

    vectors: Int8s
    squares: Ints
    densities: Singles


def measured(vectors: Int8s) -> DenseVectors:
    """The vectors with the squares of their lengths."""
    squares = np.empty(len(vectors), np.int32)
    for at in range(0, len(vectors), _BLOCK):
        numbers = vectors[at : at + _BLOCK].astype(np.int32)
        squares[at : at + _BLOCK] = (numbers * numbers).sum(axis=1)
    return DenseVectors(vectors, squares, np.zeros(len(vectors), np.float32))


class DenseBuilder(RowsBuilder[DenseVectors]):
    """Collects the vectors of records."""

    def __init__(self, vectors: Callable[[Block], Int8s], *, scaled: bool) -> None:
        super().__init__(lambda block: measured(vectors(block)))
        self._scaled = scaled

    def arrays(self) -> NewArrays:
        """The vectors; scaled ones have the rows of the sample int32 beside them."""
        table = self.table()
        if not self._scaled:
            return table.arrays()
        informed = np.flatnonzero(table.squares)
        spaced = np.linspace(0, len(informed) - 1, min(len(informed), _SAMPLE)).round().astype(np.int64)
        rows = informed[spaced]
        densities = _densities(table, table.at(rows))
        return {**replace(table, densities=densities).arrays(), "sample": rows.astype(np.int32)}


def _densities(table: DenseVectors, sample: DenseVectors) -> Singles:
    """How near the nearest items of a sample are to each row: r, NaN for a vector of 0."""
    sampled, squares = sample.vectors.astype(np.float32).T, sample.squares.astype(np.float64)
    near = max(1, round(len(sample) * _NEAREST))
    densities = np.full(len(table), np.nan, np.float32)
    for start in range(0, len(table) if len(sample) else 0, _BLOCK):
        rows = slice(start, start + _BLOCK)
        products = table.vectors[rows].astype(np.float32) @ sampled
        lengths = np.sqrt(table.squares[rows, np.newaxis] * squares)
        cosines = np.divide(products, lengths, out=np.full(lengths.shape, np.nan), where=lengths > 0)
        # sorted, so that the mean does not depend on where the nearest stand
        nearest = np.sort(np.partition(cosines, -near, axis=1)[:, -near:], axis=1)
        densities[rows] = nearest.mean(axis=1)
    # the nearest of a few are kin, not the background: so few say less than other collections do
    own = min(1.0, len(sample) / _ENOUGH)
    return np.asarray(own * densities + (1 - own) * _USUAL, np.float32)


class DenseColumn(Column[DenseVectors]):
    """Cosines of an item's vector with those of others.

    ``of`` says what the vectors are of: columns of the same share the products.
    """

    PICKS = True

    def __init__(self, of: str, arrays: Arrays, *, scaled: bool) -> None:
        super().__init__(DenseVectors.of(arrays))
        self._of, self._arrays, self._is_scaled = of, arrays, scaled

    @abstractmethod
    def vectors(self, block: Block) -> Int8s:
        """The vectors of the items of a block, int8[items, 384]; 0 for none. Read only."""

    def searchable(self) -> Vector[DenseVectors]:
        """The vectors at length 1."""
        return Vector(_unit, self._of, usual=lambda table: table.densities, scaled=self._is_scaled)

    def read(self, block: Block) -> DenseVectors:
        """The vectors of the items of a block."""
        table = measured(self.vectors(block))
        return replace(table, densities=_densities(table, self._sampled)) if self._is_scaled else table

    @property
    def usual(self) -> float | None:
        """Where values are scaled the median r of the items: half of them are nearer to what is near them."""
        densities = np.asarray(self._arrays.get("usual", self.table.densities), np.float64)
        known = densities[~np.isnan(densities)]
        return float(np.median(known)) if self._is_scaled and len(known) else None

    def fitted(self, arrays: Arrays) -> NewArrays:
        """As of any column; of the sample the vectors are stored."""
        fitted = {name: array for name, array in super().fitted(arrays).items() if name != "sample"}
        if self._is_scaled:
            fitted |= {"sample_vectors": self._sampled.vectors, "sample_squares": self._sampled.squares}
            fitted["usual"] = np.array([] if self.usual is None else [self.usual])
        return fitted

    def informed(self, table: DenseVectors) -> Bools:
        """Which items have a vector, and a collection that says what is usual."""
        return (table.squares > 0) & ~np.isnan(table.densities)

    def similarities(self, query: DenseVectors, table: DenseVectors) -> Doubles:
        """Cosines, scaled where that is asked for."""
        cosines = dense.cosines(table.vectors, table.squares, query.vectors[0], int(query.squares[0]))
        if not self._is_scaled:
            return cosines
        return _scaled(cosines, query.densities[0].item(), table.densities)

    def informed_by_parts(self, query: DenseVectors) -> ByParts:
        """The cosines; a plain and a scaled feature over the same share those of a whole part."""
        vector, square, table = query.vectors[0], int(query.squares[0]), self.table

        def values(part: RowPart) -> Singles:
            def cosines_of_part() -> Singles:
                if part.picked is not None:
                    return dense.picked_cosines(table.vectors, self._shares, vector, square, part.picked)
                return dense.single_cosines(table.vectors[part.at], self._shares[part.at], vector, square)

            cosines = part.once((DenseColumn, self._of), cosines_of_part)
            if not self._is_scaled:
                return np.clip(cosines, np.float32(0.0), np.float32(1.0))
            return _scaled_singles(cosines, query.densities[0], table.densities[part.at])

        return values

    @cached_property
    def _shares(self) -> Singles:
        """1 over the length of every item's vector, NaN for none."""
        return dense.inverse(np.sqrt(self.table.squares))

    @cached_property
    def _sampled(self) -> DenseVectors:
        """The items of the sample: rows of the collection, or stored beside rows that lie elsewhere."""
        if "sample_vectors" not in self._arrays:
            return self.table.at(np.asarray(self._arrays.get("sample", np.empty(0)), np.int32))
        vectors = np.asarray(self._arrays["sample_vectors"], np.int8)
        squares = np.asarray(self._arrays["sample_squares"], np.int32)
        return DenseVectors(vectors, squares, np.zeros(len(squares), np.float32))


def _unit(table: DenseVectors) -> Singles:
    lengths = np.sqrt(np.maximum(table.squares, 1)).astype(np.float32)
    return table.vectors.astype(np.float32) / lengths[:, np.newaxis]


def _scaled(cosines: Doubles, density: float, densities: Singles) -> Doubles:
    """Cosines relative to what is usual near either side.

    >>> # .7 + .5 - (.6 + .5) / 2; the same two, nobody near; further apart than usual
    >>> _scaled(np.array([0.7, 0.7, 0.2]), 0.6, np.array([0.5, 0.1, 0.9], np.float32)).round(2).tolist()
    [0.65, 0.85, 0.0]
    """
    return np.clip(cosines + 0.5 - (density + densities.astype(np.float64)) / 2, 0.0, 1.0)


@compiled
def _scaled_singles(cosines: Singles, density: np.float32, densities: Singles) -> Singles:
    """The same in single precision; NaN stays NaN."""
    half, none, one = np.float32(0.5), np.float32(0.0), np.float32(1.0)
    values = np.empty(len(cosines), np.float32)
    for n in range(len(cosines)):
        value = cosines[n] + half - (density + densities[n]) * half
        # of NaN nothing is less or greater
        values[n] = none if value < none else one if value > one else value
    return values
