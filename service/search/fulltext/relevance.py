"""How well items fit what is looked for: BM25 over the fields, in which a term counts once a field."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from features.arrays import Floats
from service.search.fulltext.index import Index
from service.search.fulltext.language import Term

MORE: Final[Mapping[str, float]] = {"title": 7.0, "creator": 3.0, "subject": 2.0, "places": 1.0}
"""How much more than once a term counts where one of these fields has it."""

_MANY: Final = 40_000
"""A term that more items have counts in titles alone: elsewhere it tells little, and costs most."""

_K1: Final = 1.2
_B: Final = 0.75
_LEAST: Final = 1e-6
"""The constants of BM25 as SQLite has them, and the rarity of what more than half of the items have."""


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term, how many items have it, how rare that is, and in which fields it counts more than once."""

    term: Term
    having: int
    rarity: float
    fields: tuple[str, ...]

    def score(self, weights: Floats, usual: Floats) -> Floats:
        """What the term adds to items of these weights: once, and what it counts more."""
        return self.rarity * weights * (_K1 + 1) / (weights + usual)


def weighed(wanted: Sequence[Term], index: Index) -> list[WeightedTerm]:
    """Terms by how rare they are in the collection as it was built."""
    items = index.size[0]
    found = []
    for term in wanted:
        having = index.count(term.match)
        rarity = max(math.log((items - having + 0.5) / (having + 0.5)), _LEAST)
        # what is looked for in one field counts the same wherever it is found
        fields = () if term.field else ("title",) if having > _MANY else tuple(MORE)
        found.append(WeightedTerm(term, having, rarity, fields))
    return found


def scores(terms: Sequence[WeightedTerm], index: Index) -> Floats:
    """How well each row of the collection as it was built fits, the higher the better.

    That of a row that lacks any of the terms means nothing.
    """
    total = np.zeros(index.size[0])
    long = usual(index.lengths, index)
    rarest = min(terms, key=lambda one: one.having)
    for one in terms:
        weights = np.ones(len(total))
        for field in one.fields:
            match = replace(one.term, field=field).match
            # nothing is asked of rows that are not found anyway
            near = match if one is rarest else f"{match} AND {rarest.term.match}"
            weights[index.rows(near)] += MORE[field]
        total += one.score(weights, long)
    return total


def usual(lengths: Floats, index: Index) -> Floats:
    """What makes terms count less in items of more words; ``lengths`` are their numbers of words."""
    items, words = index.size
    compared: Floats = lengths * items / words if words else np.ones_like(lengths)
    return _K1 * (1 - _B + _B * compared)
