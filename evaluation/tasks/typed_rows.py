"""Typed similarity as a task of ``kindred bench``: r by type, over the pairs that Kindred is trained on.

A measure is scored alone, for every type; a system in folds that share no record, or once if it has nothing
to train. ``kindred evaluate`` says more of either: unseen providers, museums left out, errors.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final

from evaluation.results import Result, evaluate
from evaluation.running import Run
from evaluation.tasks.benching import BenchRow, Score
from evaluation.tasks.texts import check_declared
from models.regressors.linear import OneSettings
from models.systems import SystemSettings
from service.cli.context import Context

SETS: Final = ("train", "walters")
SHOWN: Final = ("T0", "TokenCos", "BM25", "sentence-cosine", "Unitor", "ten-cosines", "kindred")
"""The systems that the whole bench shows."""


def typed_rows(context: Context, data: Path, measure: str | None, system: str | None) -> Iterator[BenchRow]:
    """A row for a measure, a system, or all that the bench shows. Raises as ``kindred evaluate`` does."""
    if measure is not None:
        check_declared(context.settings, (measure,))
        every = dict.fromkeys(context.settings.types, measure)
        row = OneSettings(title=measure, regressor="one", one=every, same_text=False)
        yield _row(context, data, measure, row)
        return
    for name in (system,) if system else SHOWN:
        yield _row(context, data, name, context.settings.system(name))


def _row(context: Context, data: Path, name: str, settings: SystemSettings) -> BenchRow:
    start = perf_counter()
    run = Run(context, name, settings, [data / one for one in SETS])
    (result,) = evaluate(run.task(run.pairs), 0, strict=False)
    return BenchRow(name, _mean(result), tuple(_types(result)), perf_counter() - start)


def _mean(result: Result) -> Score:
    return Score("mean of eight types", result.agreement.mean, result.interval)


def _types(result: Result) -> Sequence[Score]:
    pearson = result.agreement.pearson
    return [Score(kind, pearson[kind], result.intervals[kind]) for kind in pearson]
