"""Neighbours by a system that cannot be searched: an additive one proposes, and what it proposes is scored.

Of each type the ``number`` items that the additive system ranks highest are the *candidates*. They are
scored exactly and ranked by these scores, so every score that is given is the system's own. The answer is
approximate: an item that the additive system ranks lower is not found, however high the system would score
it. ``python -m bench.recall`` measures how much of the exact answer is.

For several seeds the candidates are the best by the joined score of the additive system, so that an item
that is somewhat near to all of them is proposed too. Which items may be given is settled before: the
candidates are those of the items that fit a filter. They do not depend on how many neighbours are asked
for or on the page, and no page goes beyond them: pages together give each candidate once, best first,
and then end.
"""

import numpy as np

from features.collection.collection import Collection
from features.measures.base import Rows
from models.systems import System
from models.types import SimilarityType
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Index, Query
from service.index.ranking import best_of, motivated


class CandidateIndex:
    """Neighbours among candidates (see ``service.index.port`` for what is promised but for exactness).

    ``additive`` is an index over the same items that proposes ``number`` candidates of each type.
    """

    def __init__(self, collection: Collection, system: System, additive: Index, number: int) -> None:
        self.additive = additive
        self._number = number
        self._items = len(collection)
        self._exact = LocalIndex(collection, system)

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best candidates of one type, those behind ``after`` where it is given."""
        return self._ranked(query, self.additive.nearest(query, self._number), limit, after)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types, each among its own candidates."""
        proposed = self.additive.nearest_of_each(asked, self._number)
        return {
            kind: self._ranked(Query(asked.seeds, asked.allowed, asked.without, type=kind), found, limit)
            for kind, found in proposed.items()
        }

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), self._items, limit)

    def _ranked(
        self, query: Query, proposed: list[Found], limit: int, after: Found | None = None
    ) -> list[Found]:
        rows: Rows = np.array(sorted(one.row for one in proposed), dtype=np.intp)
        return best_of(rows, self._exact.scores(query, rows), limit, after)
