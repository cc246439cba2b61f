"""Exact neighbours without scoring every item: a sum of bounded terms, added up until it is decided.

An additive score is a base and one term a feature, and each term has a least and a most (its *reach*).
Features are added up in the order of what they can tell for what they cost, first for all items. Then
the exact scores of the most promising items give the threshold: what the last of the best so far
has. An item whose sum, with the most that all pending features could add, is below the threshold cannot
be among the best, and is dropped; the pending features are asked of the others only, and so on, until
what is left is scored exactly. This is the threshold principle of Fagin, Lotem and Naor (2003, "Optimal
aggregation algorithms for middleware"), with columns in place of lists.

Nothing is lost: the bounds hold for every value that a feature may take, sums are compared with a margin
far above the rounding of floating point, and the scores that decide are those of
:class:`service.index.local.LocalIndex`, added up in the same order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from features.collection import Collection
from features.measures.base import Rows, Scores
from features.measures.derived import DerivedSettings, needed
from models.regressors.base import AdditiveRegressor
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.kernels import add
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Mask, Query
from service.index.ranking import best, eligible, motivated
from service.index.terms import Term, terms_of

_MARGIN: Final = 1e-6
"""Sums of the same terms in another order differ by some 1e-13."""

_COSTS: Final[Mapping[str, float]] = {
    "sentences": 16.0,
    "subjects": 8.0,
    "lda": 8.0,
    "walk": 60.0,
    "link_vectors": 200.0,
    "vectors": 30.0,
    "cardinality": 2000.0,
}
"""What a measure costs an item, beside one that looks up a list or a number."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When a search looks at what it can drop; nothing of it changes an answer.

    ``head`` is the share of the reach of all terms that is added up for all items first, ``group`` the
    number of terms between two looks; ``probes`` times the asked number of items are scored exactly for
    the threshold, and where no more than ``few`` are left these are scored and not looked at any longer.
    """

    head: float = 0.5
    group: int = 6
    probes: int = 4
    few: int = 256


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """The terms of a type in the order in which they are added up.

    ``least[n]`` and ``most[n]`` are what the terms from the n-th on come to at the least and at the most,
    and ``head`` is how many are added up for all items.
    """

    terms: tuple[Term, ...]
    least: Scores
    most: Scores
    head: int

    @classmethod
    def of(cls, terms: tuple[Term, ...], share: float) -> "_Plan":
        """The plan whose head has that share of the reach of all terms."""
        spans = np.cumsum([0.0, *(term.most - term.least for term in terms)])
        head = int(np.searchsorted(spans, share * spans[-1]))
        return cls(terms, _rest([term.least for term in terms]), _rest([term.most for term in terms]), head)


def _rest(amounts: Sequence[float]) -> Scores:
    """The sums of the amounts from each on, and 0 in the end."""
    rest: Scores = np.cumsum([0.0, *reversed(amounts)])[::-1]
    return rest


class ExactIndex:
    """Exact neighbours over an additive system (see ``service.index.port`` for what is promised).

    Several seeds, and an item that is not liked, are answered by scoring every item.
    """

    def __init__(
        self, collection: Collection, system: System, additive: AdditiveRegressor, pace: Pace = Pace()
    ) -> None:
        self.collection = collection
        self.pace = pace
        self.system = system
        self.additive = additive
        self._whole = LocalIndex(collection, system)
        self.terms = terms_of(system, additive)
        self.plans = {
            kind: _Plan.of(self._ordered(terms.terms), pace.head) for kind, terms in self.terms.items()
        }

    def nearest(self, query: Query, limit: int, after: Found | None = None) -> list[Found]:
        """The ``limit`` best items of one type, those behind ``after`` where it is given."""
        if len(query.seeds) > 1 or limit >= len(self.collection):
            return self._whole.nearest(query, limit, after)
        may = eligible(self.collection.duplicates, query)
        return self._search(query.seeds[0].row, query.type, {}).best(limit, may, after)

    def nearest_of_each(self, asked: Asked, limit: int) -> dict[SimilarityType, list[Found]]:
        """As ``nearest`` for each of the eight types; what several of them look at is compared once."""
        if len(asked.seeds) > 1 or limit >= len(self.collection):
            return self._whole.nearest_of_each(asked, limit)
        may, seen = eligible(self.collection.duplicates, asked), dict[str, Scores]()
        return {kind: self._search(asked.seeds[0].row, kind, seen).best(limit, may) for kind in TYPES}

    def motivated(self, asked: Asked, limit: int) -> list[tuple[Found, SimilarityType]]:
        """The neighbours of all types, each with the type in which it stands out most."""
        return motivated(self.nearest_of_each(asked, limit), len(self.collection), limit)

    def _search(self, row: int, kind: SimilarityType, seen: dict[str, Scores]) -> "_Search":
        return _Search(self, row, kind, seen)

    def _ordered(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """What can tell most for what it costs comes first."""
        return tuple(sorted(terms, key=lambda term: (term.least - term.most) / self._cost(term.name)))

    def _cost(self, name: str) -> float:
        features = self.collection.manifest.features
        return sum(_COSTS.get(features[part].measure, 1.0) for part in needed((name,), features))


class _Search:
    """One search under way: the rows that are left, their sums, and the terms that are pending.

    ``seen`` keeps what was compared with every row, for other searches of the same item.
    """

    def __init__(self, index: ExactIndex, row: int, kind: SimilarityType, seen: dict[str, Scores]) -> None:
        self._pace = index.pace
        self._collection, self._features = index.collection, index.collection.manifest.features
        self._row, self._terms, self._plan = row, index.terms[kind], index.plans[kind]
        self._nothing = self._terms.nothing
        self._added = 0
        self._rows: Rows | None = None
        self._found = seen
        self._scored: dict[int, float] = {}
        self._sums: Scores = np.full(len(self._collection), self._terms.base)

    def best(self, limit: int, may: Mask, after: Found | None = None) -> list[Found]:
        """The ``limit`` best of the rows that may be given, best first."""
        self._add(self._plan.head)
        self._keep(may & (self._values(self._nothing) != 0) if self._nothing else may)
        threshold, ahead = -np.inf, np.inf if after is None else after.score
        while self._added < len(self._plan.terms) and len(self._sums) > max(
            self._pace.few, self._pace.probes * limit
        ):
            threshold = max(threshold, self._probe(limit, after))
            self._drop(threshold, ahead)
            self._add(self._pace.group)
            self._drop(threshold, ahead)
        if self._added == len(self._plan.terms) and after is None and len(self._sums) > limit:
            # every term is added up: only what ties with the last of the best has to be told apart
            last = np.partition(self._sums, len(self._sums) - limit)[len(self._sums) - limit]
            self._drop(float(last) - _MARGIN, ahead)
        self._score(self._left)
        return self._ranked(limit, after)

    @property
    def _left(self) -> Rows:
        return np.arange(len(self._sums)) if self._rows is None else self._rows

    def _add(self, number: int) -> None:
        """Add up that many of the pending terms."""
        for term in self._plan.terms[self._added : self._added + number]:
            line = term.line
            add(self._sums, self._values(term.name), line.knots, line.heights, line.missing)
        self._added = min(self._added + number, len(self._plan.terms))

    def _values(self, name: str) -> Scores:
        """A feature's values of the rows that are left; what features are made of is found once."""
        if name not in self._found:
            settings = self._features[name]
            if isinstance(settings, DerivedSettings):
                self._found[name] = settings.combine(*(self._values(part) for part in settings.parts))
            else:
                self._found[name] = self._collection.compare_row(self._row, (name,), self._rows)[name]
        return self._found[name]

    def _keep(self, mask: Mask) -> None:
        """Drop the rows where the mask is False."""
        kept = np.flatnonzero(mask)
        self._rows = kept if self._rows is None else self._rows[kept]
        self._sums = self._sums[kept]
        pending = tuple(term.name for term in self._plan.terms[self._added :])
        wanted = set(needed(pending, self._features))
        self._found = {name: values[kept] for name, values in self._found.items() if name in wanted}

    def _drop(self, threshold: float, ahead: float) -> None:
        """Drop what cannot reach the threshold with all that is pending, or is ahead of where to start."""
        least, most = self._plan.least[self._added] - _MARGIN, self._plan.most[self._added] + _MARGIN
        mask = (self._sums + most >= threshold) & (self._sums + least <= ahead)
        if not mask.all():
            self._keep(mask)

    def _probe(self, limit: int, after: Found | None) -> float:
        """The least that the last of the best has: what the last of the best has that are known."""
        number = self._pace.probes * limit
        if len(self._sums) > number:
            self._score(np.sort(self._left[np.argpartition(-self._sums, number)[:number]]))
        known = self._ranked(limit, after)
        return known[-1].score - _MARGIN if len(known) == limit else -np.inf

    def _score(self, rows: Rows) -> None:
        """Score rows to the last bit as an index does that scores every item."""
        new = np.array([row for row in rows.tolist() if row not in self._scored], dtype=np.intp)
        values = self._collection.compare_row(self._row, self._terms.asked, new)
        scores = self._terms.scores(values, len(new))
        self._scored.update(zip(new.tolist(), scores.tolist(), strict=True))

    def _ranked(self, limit: int, after: Found | None) -> list[Found]:
        """The best of the rows that are scored."""
        rows = np.array(sorted(self._scored), dtype=np.intp)
        scores = np.array([self._scored[row] for row in rows.tolist()])
        if after is not None:
            after = Found(int(np.searchsorted(rows, after.row, "right")) - 1, after.score)
        found = best(scores, np.ones(len(rows), dtype=bool), limit, after)
        return [Found(int(rows[one.row]), one.score) for one in found]
