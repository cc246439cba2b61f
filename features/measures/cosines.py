"""Cosines of an item with others by posting lists: what the measures share that weigh terms of a scope."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from features.arrays import Bools, Doubles, Singles
from features.measures.bags import PostedColumn, TermRows
from features.measures.base import ByParts
from features.measures.dense import inverse


@dataclass(frozen=True, slots=True, eq=False)
class NormedRows(TermRows):
    """The terms of every item as a vector; ``norms`` are the lengths of the vectors, 0 for no information."""

    norms: Doubles


_Rows = TypeVar("_Rows", bound=NormedRows)


class CosineColumn(PostedColumn[_Rows]):
    """A column of cosines: a shared term adds its weight in the query times its count in a posting list."""

    @abstractmethod
    def query_weights(self, query: _Rows) -> Doubles:
        """What each term of an item adds to a cosine with it, by one count and before the other's length."""

    def informed(self, table: _Rows) -> Bools:
        """Which items have a term in the scope."""
        return table.norms > 0

    def informed_by_parts(self, query: _Rows) -> ByParts:
        """The cosines, by posting lists."""
        sums = self._postings.sums(query.terms, self.query_weights(query))
        return lambda part: np.minimum(sums(part.rows) * self._shares[part.rows], np.float32(1.0))

    @cached_property
    def _shares(self) -> Singles:
        """1 over the length of every item's vector, NaN for none."""
        return inverse(self.table.norms)
