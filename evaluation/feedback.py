"""Training with feedback: whether what curators said makes a system better on pairs that have gold."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from evaluation.correlation import agreement
from evaluation.folds import Division, folds, labels
from evaluation.prediction import predict
from evaluation.results import Task
from evaluation.selection import fitting
from evaluation.typed import Pairs, read_pairs
from ingest.catalogue import Catalogue
from ingest.errors import UsageError
from models.types import Types
from service.operations.feedback import Feedback, judged, write
from service.sections import StateSettings


class Effect(NamedTuple):
    """The mean r over the types in folds of the pairs that have gold, without feedback and with it."""

    before: float
    after: float
    judged: int

    @property
    def worse(self) -> bool:
        """Whether feedback makes it worse."""
        return self.after < self.before


def judged_pairs(state: StateSettings, types: Types) -> Pairs:
    """The pairs that were judged, as they are written out for others; raises ``UsageError`` for none."""
    with Feedback(state.feedback) as feedback:
        found = judged(feedback.every(), types)
    if not found:
        raise UsageError("nobody has given feedback yet; leave out --with-feedback")
    ids = {item for one in found for item in one.pair}
    with Catalogue(state.catalogue, read_only=True) as catalogue:
        records = {item: record for item in ids if (record := catalogue.get(item)) is not None}
    with TemporaryDirectory() as folder:
        named = Path(folder) / "feedback"
        write(found, records, named)
        return read_pairs(named, types)


def effect(task: Task, given: int) -> Effect:
    """What feedback does to the first ``given`` pairs of a task; those behind them are the judged ones.

    Both times the same folds test the same pairs: those of a cross-validation without feedback. No judged
    pair that shares a record with a tested one, by any chain of pairs, is trained on.
    """
    grounds = task.grounds
    group, judged_rows = grounds.group, np.arange(given, len(task.gold))
    without = folds(labels(grounds.pairs.ids[:given]), grounds.settings.folds, grounds.settings.seed)
    divisions = []
    for name, train, test in without:
        apart = ~np.isin(group[judged_rows], group[test])
        divisions.append(Division(name, np.concatenate([train, judged_rows[apart]]), test))
    return Effect(_mean(task, given, without), _mean(task, given, divisions), len(judged_rows))


def _mean(task: Task, given: int, divisions: Sequence[Division]) -> float:
    fit = fitting(task.name, task.settings, task.types)
    seed = task.grounds.settings.seed
    scores = predict(fit, task.values, task.gold, task.grounds.group, divisions, seed).scores
    return agreement(task.gold[:given], scores[:given], task.types).mean
