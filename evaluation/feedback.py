"""Training with feedback: whether judgements of curators make a system better on pairs that have gold."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from evaluation.correlation import agreement
from evaluation.folds import Division, folds, labels
from evaluation.results import Task
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


def judged_pairs(state: StateSettings, types: Types) -> Pairs:
    """The pairs that were judged, as they are written out for others; raises ``UsageError`` for none."""
    with Feedback(state.feedback) as feedback:
        pairs = judged(feedback.every(), types)
    if not pairs:
        raise UsageError("nobody has given feedback yet; leave out --with-feedback")
    ids = {item for judgement in pairs for item in judgement.pair}
    with Catalogue(state.catalogue, read_only=True) as catalogue:
        records = {item: record for item in ids if (record := catalogue.get(item)) is not None}
    with TemporaryDirectory() as folder:
        named = Path(folder) / "feedback"
        write(pairs, records, named)
        return read_pairs(named, types)


def effect(task: Task, given: int) -> Effect:
    """What feedback does to the first ``given`` pairs of a task; those behind them are the judged ones.

    Both times the same folds test the same pairs: those of a cross-validation without feedback. No judged
    pair that shares a record with a tested one, by any chain of pairs, is trained on.
    """
    data, judged_rows = task.grounds, np.arange(given, len(task.gold))
    without = folds(labels(data.pairs.ids[:given]), data.settings.folds, data.settings.seed)
    divisions = []
    for name, train, test in without:
        apart = ~np.isin(data.group[judged_rows], data.group[test])
        divisions.append(Division(name, np.concatenate([train, judged_rows[apart]]), test))

    def mean(divisions: list[Division]) -> float:
        scores = task.predicted(divisions).scores
        return agreement(task.gold[:given], scores[:given], task.types).mean

    return Effect(mean(without), mean(divisions), len(judged_rows))
