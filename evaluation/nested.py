"""What a selection of terms is worth: it is repeated inside what every division trains on.

The choice of the terms is part of the training. A figure of the chosen system in folds would be of pairs
that had a say in the choice; here none has.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from pydantic import JsonValue
from threadpoolctl import threadpool_limits

from evaluation.choosing import CandidateTerms, ChoosingPairs, SelectionLimits, choose, own
from evaluation.folds import Division
from evaluation.prediction import Prediction
from features.arrays import Doubles
from features.processes import spread
from models.regressors.additive import AdditiveSettings
from models.systems import fit
from models.types import Types

_LOST = "a process of the selection was ended from outside (memory is the usual reason); run it again"


class NestedSelection(NamedTuple):
    """A selection as it is made of some pairs: the row, the features, the pairs, and how far it goes."""

    name: str
    row: AdditiveSettings
    field: CandidateTerms
    learnt: ChoosingPairs
    types: Types
    limits: SelectionLimits
    seed: int

    def scores(self, division: Division) -> tuple[Doubles, dict[str, tuple[str, ...]]]:
        """Scores of the pairs that a division tests, by a system of the others, and its terms."""
        learnt = self.learnt.over(division.train)
        chosen = own(choose(self.row, self.field, learnt, self.limits, self.seed), tuple(self.types))
        row = self.row.model_copy(update={"features": (), "own": chosen, "among": {}})
        columns = [self.field.names.index(name) for name in row.needs]
        system = fit(self.name, row, learnt.values[:, columns], learnt.gold, self.types)
        return system.score(self.learnt.values[division.test][:, columns]), chosen


def predict(
    selection: NestedSelection,
    divisions: Sequence[Division],
    workers: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Prediction:
    """Scores of all pairs, each by the procedure on the pairs of the division that tests it."""
    scores = np.full(selection.learnt.gold.shape, np.nan)
    chosen: dict[str, Mapping[str, JsonValue]] = {}
    with spread(workers, _LOST, _load, selection) as pool:
        for division, found in zip(divisions, pool.map(_run, divisions), strict=True):
            scores[division.test], terms = found
            chosen[division.name] = {"own": {kind: list(names) for kind, names in terms.items()}}
            advance(1)
    return Prediction(scores, chosen)


_selection: NestedSelection


def _load(selection: NestedSelection) -> None:
    global _selection
    _selection = selection


def _run(division: Division) -> tuple[Doubles, dict[str, tuple[str, ...]]]:
    # the matrices are small: threads would wait for each other
    with threadpool_limits(1):
        return _selection.scores(division)
