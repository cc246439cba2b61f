"""Exact neighbours without scoring every item: a sum of bounded terms, added up until it is decided.

An additive score is a base and one term a feature, and each term has a least and a most (its *reach*).
Features are added up in the order of what they can tell for what they cost, first for all items. Then
the exact scores of the most promising items give the threshold: what the last of the best so far
has. An item whose sum, with the most that all pending features could add, is below the threshold cannot
be among the best, and is dropped; the pending features are asked of the others only, and so on, until
what is left is scored exactly. This is the threshold principle of Fagin, Lotem and Naor (2003, "Optimal
aggregation algorithms for middleware"), with columns in place of lists.

Nothing is lost: the bounds hold for every value that a feature may take, sums are compared with a margin
far above the rounding of floating point, and the terms of an item are added up in one order whenever
that is done, so that the scores are those of :class:`service.index.local.LocalIndex` to the last digit.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from features.collection import Collection
from features.measures.base import Rows, Scores
from features.measures.derived import DerivedSettings, needed
from models.regressors.base import AdditiveRegressor
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Mask, Query
from service.index.ranking import best_of, eligible, motivated
from service.index.terms import terms_of

_MARGIN: Final = 1e-6
"""Bounds are sums of the same terms in another order, which differ by some 1e-13."""

_MANY: Final = 20_000
"""From so many items on several columns are compared at the same time."""

_WORKERS: Final = ThreadPoolExecutor(os.cpu_count(), "columns")


@dataclass(frozen=True, slots=True)
class Pace:
    """When a search looks at what it can drop; nothing of it changes an answer.

    ``head`` is the share of the reach of all terms that is added up for all items first, ``group`` the
    number of terms between two looks. ``probes`` times the asked number of items are scored at once
    for the threshold, at first and where more than the share ``shrunk`` of the items was left at the last
    look. Of at most ``few`` items the rest is added up without a look.
    """

    head: float = 0.45
    group: int = 8
    probes: int = 4
    shrunk: float = 0.3
    few: int = 512


class ExactIndex:
    """Exact neighbours over an additive system (see ``service.index.port`` for what is promised).

    Several seeds are answered by scoring every item.
    """

    def __init__(
        self, collection: Collection, system: System, additive: AdditiveRegressor, pace: Pace = Pace()
    ) -> None:
        self.collection = collection
        self.pace = pace
        self.terms = terms_of(system, additive, collection.manifest.features)
        self._whole = LocalIndex(collection, system, self.terms)

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type, those behind ``after`` where it is given."""
        if len(query.seeds) > 1 or limit >= len(self.collection):
            return self._whole.nearest(query, limit, after)
        may = eligible(self.collection.duplicates, query)
        return _Search(self, query.seeds[0].row, query.type, {}).best(limit, may, after)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types; what several of them look at is compared once."""
        if len(asked.seeds) > 1 or limit >= len(self.collection):
            return self._whole.nearest_of_each(asked, limit)
        may, seen = eligible(self.collection.duplicates, asked), dict[str, Scores]()
        return {kind: _Search(self, asked.seeds[0].row, kind, seen).best(limit, may) for kind in TYPES}

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), len(self.collection), limit)


class _Search:
    """One search under way: the rows that are left, and the sums of the terms added up so far.

    ``seen`` keeps what was compared with every row, for other searches of the same item.
    """

    def __init__(self, index: ExactIndex, row: int, kind: SimilarityType, seen: dict[str, Scores]) -> None:
        self._index, self._row, self._kind = index, row, kind
        self._terms = index.terms[kind]
        self._features = index.collection.manifest.features
        self._added = 0
        self._rows: Rows | None = None
        self._sums: Scores = np.full(len(index.collection), self._terms.base)
        self._found = seen

    def best(self, limit: int, may: Mask, after: Found | None = None) -> list[Found]:
        """The ``limit`` best of the rows that may be given, best first."""
        pace, nothing = self._index.pace, self._terms.nothing
        self._add(int(np.searchsorted(self._terms.reached, pace.head)))
        self._keep(may & (self._values(nothing) != 0) if nothing else may)
        threshold, ahead = -np.inf, np.inf if after is None else after.score
        before = 0
        while self._pending and len(self._sums) > max(pace.few, pace.probes * limit):
            if len(self._sums) > pace.shrunk * before:
                threshold = max(threshold, self._probe(limit, after))
            before = len(self._sums)
            self._drop(threshold, ahead)
            self._add(pace.group)
            self._drop(threshold, ahead)
        self._add(self._pending)
        return self._ranked(limit, after)

    @property
    def _pending(self) -> int:
        return len(self._terms.terms) - self._added

    def _add(self, number: int) -> None:
        """Add up that many of the pending terms."""
        terms = self._terms.terms[self._added : self._added + number]
        if len(self._sums) > _MANY:
            self._compare([term.name for term in terms])
        for term in terms:
            term.add_to(self._sums, self._values(term.name))
            self._added += 1

    def _compare(self, names: Sequence[str]) -> None:
        """Compare what features are made of, several at a time: the compiled loops hold no lock."""
        parts = needed(tuple(names), self._features)
        whole = [name for name in parts if not isinstance(self._features[name], DerivedSettings)]
        missing = [name for name in whole if name not in self._found]
        self._found.update(zip(missing, _WORKERS.map(self._compared, missing), strict=True))

    def _compared(self, name: str) -> Scores:
        found = self._index.collection.compare_row(self._row, (name,), self._rows)
        return found[name]

    def _values(self, name: str) -> Scores:
        """A feature's values of the rows that are left; what features are made of is found once."""
        if name not in self._found:
            settings = self._features[name]
            if isinstance(settings, DerivedSettings):
                self._found[name] = settings.combine(*(self._values(part) for part in settings.parts))
            else:
                self._found[name] = self._compared(name)
        return self._found[name]

    def _keep(self, mask: Mask) -> None:
        """Drop the rows where the mask is False."""
        self._take(np.flatnonzero(mask))

    def _take(self, places: Rows) -> None:
        """Keep what stands at some places."""
        self._rows = places if self._rows is None else self._rows[places]
        self._sums = self._sums[places]
        pending = tuple(term.name for term in self._terms.terms[self._added :])
        wanted = set(needed(pending, self._features))
        self._found = {name: values[places] for name, values in self._found.items() if name in wanted}

    def _drop(self, threshold: float, ahead: float) -> None:
        """Drop what cannot reach the threshold with all that is pending, or is ahead of where to start."""
        least, most = self._terms.least[self._added] - _MARGIN, self._terms.most[self._added] + _MARGIN
        mask = (self._sums + most >= threshold) & (self._sums + least <= ahead)
        if not mask.all():
            self._keep(mask)

    def _probe(self, limit: int, after: Found | None) -> float:
        """The least that the last of the best has: what it has among the most promising, scored at once."""
        number = self._index.pace.probes * limit
        apart = _Search(self._index, self._row, self._kind, self._found)
        apart._added, apart._rows, apart._sums = self._added, self._rows, self._sums
        apart._take(np.sort(np.argpartition(-self._sums, number)[:number]))
        apart._add(apart._pending)
        known = apart._ranked(limit, after)
        return known[-1].score - _MARGIN if len(known) == limit else -np.inf

    def _ranked(self, limit: int, after: Found | None) -> list[Found]:
        """The best of the rows that are left, all terms of which are added up."""
        rows = np.arange(len(self._sums)) if self._rows is None else self._rows
        return best_of(rows, self._sums, limit, after)
