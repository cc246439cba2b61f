"""Scores of the rows alone that may be among the best: the costly features of the others are left out.

As MaxScore does for posting lists (Turtle and Flood 1995, "Query evaluation: strategies and optimizations",
Information Processing and Management 31): the cheap terms of all rows are added up first. The best by these
are finished, and the last of the best of them is a lower bound of what an answer holds. Rows that do not
reach it with the most that their other terms can add are left out; nothing that an answer may hold is lost.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Bools, Doubles, Rows, Singles
from features.collection.collection import Costly, Values
from features.compiled import compiled
from models.regressors.base import Polyline
from models.systems import NOT_BOTH, System
from models.types import SimilarityType
from service.search.engines.ranking import STEP, last_of
from service.search.engines.terms import CurveSum, CurveTerm, add_terms, cut, limit, margin

_FIRST: Final = 512
"""Rows of a part that are finished first, each the best of its stretch by the cheap terms."""

_CELLS: Final = 10
"""Ranges of a presence by which the most that costly terms add is known."""

_STEPS: Final = 100
_EDGES: Final = np.linspace(0.0, 1.0, _STEPS + 1)
"""The edges of the ranges of a source in which the most is looked for."""


class Wanted(NamedTuple):
    """What is looked for: so many of the eligible rows, bool[rows], with at least the score ``floor``."""

    eligible: Bools
    number: int
    floor: float


class Stage:
    """The costly terms of a type that are read from one feature, the source: they come together.

    One may rise where another falls, and some are multiplied with a presence, the gate, which is cheap.
    So the most that they add to a row, all of them for one value of the source, goes by its gate.
    """

    def __init__(self, terms: Sequence[CurveTerm], costly: Mapping[str, Costly]) -> None:
        self.terms = terms
        self._gate = next((gate for term in terms if (gate := costly[term.feature].gate)), "")
        bounds = [self._highest(cell, costly) for cell in range(_CELLS + 2)]
        self._bounds = np.array(bounds, np.float32) + np.float32(STEP)  # they are rounded, and added up so
        self.most = float(self._bounds.max())

    def bounds(self, values: Values) -> Singles:
        """The most that the terms add to each row; one number where it is the same for all."""
        if not self._gate:
            return np.full(1, self.most, np.float32)
        return _of_cells(np.asarray(values[self._gate], np.float32), self._bounds)

    def _highest(self, cell: int, costly: Mapping[str, Costly]) -> float:
        """The most that the terms add for a gate of a cell: 0, the next tenth and so on, then unknown."""
        informed, unknown = np.zeros(_STEPS), 0.0
        for term in self.terms:
            line, how = term.line, costly[term.feature]
            if how.gate == self._gate != "":
                low, high = max(cell - 1, 0) / _CELLS, cell / _CELLS
                is_known = cell <= _CELLS
                informed += _between(line, low * _EDGES[:-1], high * _EDGES[1:]) if is_known else line.missing
                unknown += float(np.interp(0.0, line.knots, line.heights)) if is_known else line.missing
            elif how.source == term.feature:
                informed += _between(line, _EDGES[:-1], _EDGES[1:])
                unknown += line.missing
            else:
                informed += term.most
                unknown += term.most
        return max(float(informed.max()), unknown)


def _between(line: Polyline, low: Doubles, high: Doubles) -> Doubles:
    """The most of a term between two values each.

    >>> line = Polyline(np.array([0.0, 0.5, 1.0]), np.array([0.0, 2.0, 1.0]), -1.0)
    >>> _between(line, np.array([0.0, 0.4, 0.75]), np.array([0.25, 0.6, 1.0])).tolist()
    [1.0, 2.0, 1.5]
    """
    within = (line.knots >= low[:, np.newaxis]) & (line.knots <= high[:, np.newaxis])
    knots = np.where(within, line.heights, -np.inf).max(axis=1)
    ends = [np.interp(end, line.knots, line.heights) for end in (low, high)]
    most: Doubles = np.maximum.reduce([knots, *ends])
    return most


class PrunedPass:
    """Makes the scores of some rows at a time; minus infinity for what is surely not among the best.

    What is known of the best in one part helps in the next.
    """

    def __init__(
        self, system: System, kind: SimilarityType, own: CurveSum, stages: Sequence[Stage], wanted: Wanted
    ) -> None:
        self._system, self._kind, self._sum, self._number = system, kind, own, wanted.number
        costly = {term.feature for stage in stages for term in stage.terms}
        self._cheap = [term for term in own.terms if term.feature not in costly]
        self._stages = stages
        self._least, self._margin = wanted.floor, margin(own.rounding)

    def __call__(self, values: Values) -> Singles:
        """The scores of the rows of a part, float32[1, rows]."""
        cheap = np.full(values.rows, self._sum.base, np.float32)
        add_terms(self._cheap, cheap, values)
        self._drop(cheap, values)
        bounds = [stage.bounds(values) for stage in self._stages]
        first = self._finished(cheap, bounds, values, _peaks(cheap, _FIRST))
        self._least = max(self._least, last_of(first[1], self._number))
        rows, finished = self._finished(cheap, bounds, values, None)
        scores = np.full((1, values.rows), -np.inf, np.float32)
        scores[0, rows] = finished
        return scores

    def _drop(self, cheap: Singles, values: Values) -> None:
        """Take away the rows that no answer holds, whatever their costly terms."""
        system, kind = self._system, self._kind
        dropped = np.zeros(values.rows, np.bool_) if values.among is None else ~values.among
        if kind in system.not_applicable:
            dropped |= system.lacks(kind, values[system.not_applicable[kind]])
        if kind in system.both and self._least - self._margin > NOT_BOTH:
            dropped |= system.one_sided(values[system.both[kind]])
        cut(cheap, dropped, -np.inf)

    def _finished(
        self, cheap: Singles, bounds: Sequence[Singles], values: Values, rows: Rows | None
    ) -> tuple[Rows, Singles]:
        """Those of some rows that may be among the best, and their scores, limited as they are shown.

        None: of all rows.
        """
        least = self._least - self._margin
        if rows is None:
            rows = np.flatnonzero((sum(bounds, cheap) >= least) & (cheap > -np.inf))
        sums = cheap[rows]
        for at, stage in enumerate(self._stages):
            if at:
                left = np.flatnonzero(
                    sum((own if len(own) == 1 else own[rows] for own in bounds[at:]), sums) >= least
                )
                rows, sums = rows[left], sums[left]
            add_terms(stage.terms, sums, values.picked(rows))
        limit(self._system, self._kind, sums, values.picked(rows))
        return rows, sums


def stages(own: CurveSum, costly: Mapping[str, Costly]) -> list[Stage]:
    """The costly terms of a type; those that may bring the most come first."""
    by_source: dict[str, list[CurveTerm]] = {}
    for term in own.terms:
        if term.feature in costly:
            by_source.setdefault(costly[term.feature].source, []).append(term)
    return sorted((Stage(terms, costly) for terms in by_source.values()), key=lambda one: -one.most)


@compiled
def _of_cells(gates: Singles, bounds: Singles) -> Singles:
    """What stands for the cell of each gate; the last where that is NaN.

    >>> bounds = np.arange(12, dtype=np.float32)
    >>> _of_cells(np.array([0.0, 0.05, 0.1, 1.0, 1.0000001, np.nan], np.float32), bounds).tolist()
    [0.0, 1.0, 1.0, 10.0, 10.0, 11.0]
    """
    of = np.empty(len(gates), np.float32)
    last = len(bounds) - 1
    for n in range(len(gates)):
        gate = gates[n]
        cell = last
        if gate == gate:  # rounding may leave it a little above 1
            cell = min(max(int(np.ceil(gate * np.float32(last - 1))), 0), last - 1)
        of[n] = bounds[cell]
    return of


@compiled
def _peaks(scores: Singles, number: int) -> Rows:
    """The row of the best score of each of so many stretches; none of a stretch without any.

    >>> _peaks(np.array([1, 3, 2, -np.inf, -np.inf, -np.inf], np.float32), 3).tolist()
    [1, 2]
    """
    size = max(1, (len(scores) + number - 1) // number)
    peaks = np.empty((len(scores) + size - 1) // size, np.intp)
    number_of_peaks = 0
    for start in range(0, len(scores), size):
        best = start
        for row in range(start + 1, min(start + size, len(scores))):
            if scores[row] > scores[best]:
                best = row
        if scores[best] > -np.inf:
            peaks[number_of_peaks] = best
            number_of_peaks += 1
    return peaks[:number_of_peaks]
