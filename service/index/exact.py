"""Exact neighbours without scoring every item: a sum of bounded terms, added up until it is decided.

An additive score is a base and one term a feature, and each term has a least and a most (its *reach*).
Terms whose features cannot tell many rows apart (thousands of records have the same creator) are summed
up once for each kind of rows (see ``row_groups``). The others are added up in the order of what they
can tell for what they cost, at first for all items. Then the scores of the most promising items give the
threshold: what the last of the best so far has. An item whose sum, with the most that all pending terms
could add, is below the threshold cannot be among the best, and is dropped; the pending terms are asked of
the others only, and so on. This is the threshold principle of Fagin, Lotem and Naor (2003, "Optimal
aggregation algorithms for middleware"), with columns in place of lists.

Nothing is lost: the bounds hold for every value that a feature may take, and sums are compared with a
margin far above the rounding of floating point. What is left in the end is scored as
:class:`service.index.local.LocalIndex` scores, so that no digit differs.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np

from features.collection.collection import Collection
from features.measures.base import Rows, Scores
from features.measures.derived import DerivedSettings, needed
from models.regressors.base import AdditiveRegressor
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.kernels import spread
from service.index.local import LocalIndex
from service.index.plans import Plan, Shared, plans
from service.index.port import Asked, Found, Mask, Query, Seed
from service.index.ranking import Eligible, best_of, motivated
from service.index.terms import Term, terms_of

_MARGIN: Final = 1e-6
"""Bounds are sums of the same terms in another order, which differ by some 1e-13."""

_MANY: Final = 20_000
"""From so many items on several columns are compared at the same time."""

_WORKERS: Final = ThreadPoolExecutor(os.cpu_count(), "columns")


@dataclass(frozen=True, slots=True)
class Pace:
    """When a search looks at what it can drop; nothing of it changes an answer.

    ``head`` is the share of the reach of all terms that is added up for all items first, ``group`` what
    the terms between two looks cost together: a dear one is asked of what is left only. ``probes`` times
    the asked number of items are scored at once for the threshold, at first and where more than the share
    ``shrunk`` of the items was left at the last look. Of at most ``few`` items the rest is added up without
    a look. Terms are summed up by kinds where a kind has ``kind`` rows on average: with more kinds a term
    is better left to bounds.
    """

    head: float = 0.45
    group: float = 8.0
    probes: int = 4
    shrunk: float = 0.3
    few: int = 512
    kind: int = 16


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
        self.plans = plans(collection, self.terms, pace.kind)
        self._eligible = Eligible(collection.duplicates)
        self.whole = LocalIndex(collection, system, self.terms)

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type, those behind ``after`` where it is given."""
        if len(query.seeds) > 1 or limit >= len(self.collection):
            return self.whole.nearest(query, limit, after)
        may = self._eligible(query)
        return _Search(self, query.seeds[0].row, query.type, {}).best(limit, may, after)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types; features that have twins are compared once for all."""
        if len(asked.seeds) > 1 or limit >= len(self.collection):
            return self.whole.nearest_of_each(asked, limit)
        may, seen = self._eligible(asked), dict[str, Scores]()
        found: dict[SimilarityType, list[Found]] = {}
        for kind in TYPES:
            asked.check()
            found[kind] = _Search(self, asked.seeds[0].row, kind, seen).best(limit, may)
        return found

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), len(self.collection), limit)


class _Search:
    """One search under way: the rows that are left, and the sums of the terms added up so far.

    ``seen`` keeps, for other searches of the same item, the values of features that have twins: those with
    the first row of each kind. The others are compared anew for each type, with the rows that it leaves.
    """

    def __init__(self, index: ExactIndex, row: int, kind: SimilarityType, seen: dict[str, Scores]) -> None:
        self._index, self._row, self._kind = index, row, kind
        self._plan: Plan = index.plans[kind]
        self._features = index.collection.manifest.features
        self._seen = seen
        self._rows: Rows | None = None
        self._found: dict[str, Scores] = {}
        self._sums: Scores = np.full(len(index.collection), self._plan.base)
        self._pending: tuple[Term, ...] = self._plan.single

    def best(self, limit: int, may: Mask, after: Found | None = None) -> list[Found]:
        """The ``limit`` best of the rows that may be given, best first."""
        pace = self._index.pace
        for shared in self._plan.shared:
            spread(self._sums, self._summed(shared), shared.twins.kinds)
        self._add_silent()
        self._leave_out(may)
        self._add(self._head())
        threshold, ahead = -np.inf, np.inf if after is None else after.score
        before = 0
        while self._pending and len(self._sums) > max(pace.few, pace.probes * limit):
            if len(self._sums) > pace.shrunk * before:
                threshold = max(threshold, self._probe(limit, after))
            before = len(self._sums)
            self._drop(threshold, ahead)
            self._add(self._affordable())
            self._drop(threshold, ahead)
        self._add(len(self._pending))
        return self._ranked(limit, after)

    def _summed(self, shared: Shared) -> Scores:
        """What terms with twins come to for each kind."""
        for part in shared.parts:
            missing = [term.name for term in part.terms if term.name not in self._seen]
            self._seen |= self._index.collection.compare_row(self._row, missing, part.twins.first)
        return shared.sums(self._seen)

    def _add_silent(self) -> None:
        """Add the terms of features that the item says nothing of: they are the same for all rows."""
        names = [term.name for term in self._pending]
        itself = self._index.collection.compare_row(self._row, names, np.array([self._row]))
        parts = {
            name
            for name in names
            if np.isnan(itself[name][0]) and not isinstance(self._features[name], DerivedSettings)
        }
        self._sums += sum(term.line.missing for term in self._pending if term.name in parts)
        self._pending = tuple(term for term in self._pending if term.name not in parts)

    def _leave_out(self, may: Mask) -> None:
        nothing = self._plan.not_applicable
        if nothing:
            may = may & (self._values(nothing) != 0)
        self._keep(may)

    def _head(self) -> int:
        """How many of the pending terms are added up for all rows first."""
        spans = np.cumsum([term.span for term in self._pending])
        return int(np.searchsorted(spans, self._index.pace.head * spans[-1])) if len(spans) else 0

    def _affordable(self) -> int:
        """How many of the pending terms are added up before the next look: one at least."""
        costs = np.cumsum([term.cost for term in self._pending])
        return max(1, int(np.searchsorted(costs, self._index.pace.group, "right")))

    def _add(self, number: int) -> None:
        """Add up that many of the pending terms."""
        terms, self._pending = self._pending[:number], self._pending[number:]
        if len(self._sums) > _MANY:
            self._compare([term.name for term in terms])
        for term in terms:
            term.add_to(self._sums, self._values(term.name))

    def _compare(self, names: Sequence[str]) -> None:
        """Compare what features are made of, several at a time: the compiled loops hold no lock."""
        parts = needed(tuple(names), self._features)
        whole = [name for name in parts if not isinstance(self._features[name], DerivedSettings)]
        missing = [name for name in whole if name not in self._found]
        self._found.update(zip(missing, _WORKERS.map(self._compared, missing), strict=True))

    def _compared(self, name: str) -> Scores:
        """A feature's values of the rows that are left."""
        collection, rows = self._index.collection, self._rows
        twins = collection.twins.get(name)
        if twins is None or (name not in self._seen and 2 * len(twins.first) > len(self._sums)):
            return collection.compare_row(self._row, (name,), rows)[name]
        if name not in self._seen:
            self._seen |= collection.compare_row(self._row, (name,), twins.first)
        return self._seen[name][twins.kinds if rows is None else twins.kinds[rows]]

    def _values(self, name: str) -> Scores:
        """As ``_compared``; what features are made of is found once."""
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
        wanted = set(needed(tuple(term.name for term in self._pending), self._features))
        self._found = {name: values[places] for name, values in self._found.items() if name in wanted}

    def _drop(self, threshold: float, ahead: float) -> None:
        """Drop what cannot reach the threshold with all that is pending, or is ahead of where to start."""
        least = sum(term.least for term in self._pending) - _MARGIN
        most = sum(term.most for term in self._pending) + _MARGIN
        mask = (self._sums + most >= threshold) & (self._sums + least <= ahead)
        if not mask.all():
            self._keep(mask)

    def _probe(self, limit: int, after: Found | None) -> float:
        """The least that the last of the best has: what it has among the most promising, scored at once."""
        number = self._index.pace.probes * limit
        apart = copy(self)  # what it takes is its own
        apart._take(np.sort(np.argpartition(-self._sums, number)[:number]))
        apart._add(len(apart._pending))
        known = best_of(apart._left, apart._sums, limit, after)
        return known[-1].score - _MARGIN if len(known) == limit else -np.inf

    @property
    def _left(self) -> Rows:
        return np.arange(len(self._sums)) if self._rows is None else self._rows

    def _ranked(self, limit: int, after: Found | None) -> list[Found]:
        """The best of the rows that are left, all terms of which are added up; scored as any index does."""
        behind = 0 if after is None else int(np.count_nonzero(self._sums >= after.score - _MARGIN))
        sure = limit + behind
        rows = self._left
        if sure < len(rows):
            last = np.partition(self._sums, len(rows) - sure)[len(rows) - sure]
            rows = rows[self._sums >= last - _MARGIN]
        query = Query((Seed(self._row),), type=self._kind)
        return best_of(rows, self._index.whole.scores(query, rows), limit, after)
