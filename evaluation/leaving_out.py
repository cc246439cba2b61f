"""What ``kindred evaluate --museums`` does: every museum scored by a system that learnt nothing from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation import sheets
from evaluation.fitting import Division
from evaluation.museums import MuseumsResult, left_out, measured, together
from evaluation.provenance import LearntPairs
from evaluation.readers import two_readers
from evaluation.results import EvaluationData, Task, of_weights
from evaluation.running import Run
from evaluation.sheets import Sheet, number
from evaluation.typed import DirectoryPairs, Pairs
from features.arrays import Doubles
from ingest.errors import UsageError
from ingest.typed_files import INPUT
from models import artefact
from models.systems import System, untrained
from models.types import SimilarityType
from service.opening import open_system


def evaluate_museums(run: Run, folder: Path, at_hand: bool) -> None:
    """Leave out each set of a folder in turn, or score it by weights at hand; the run's own only train."""
    museums = museum_sets(folder, run.directories)
    tested = replace(run, directories=museums)
    every = replace(run, directories=[*museums, *run.directories])
    pairs = every.pairs
    sets = pairs.parts[: len(museums)]
    system, statement = _fixed(run, pairs, sets, at_hand)
    task = run.task(pairs)
    divisions = _divisions(task, sets, fixed=system is not None)
    types = [kind for kind in task.types if system is None or kind in system.types]
    scores = np.full((len(pairs), len(types)), np.nan)
    with run.context.progress("fit", len(divisions)) as advance:
        for _, train, test in divisions:
            scorer = system or task.fitted(train).system
            columns = [scorer.position(kind) for kind in types]
            scores[test] = scorer.score_pairs(task.values[test], pairs.same[test])[:, columns]
            advance(1)
    gold = task.gold[:, [tuple(task.types).index(kind) for kind in types]]
    statement = f"{statement}; features fitted on {every.fitted_on}; gold: {pairs.gold_source}"
    result = of_museums(statement, museums, divisions, gold, scores, types, task.grounds)
    tested.answer({**run.described, "museums": result}, lambda: show(run, result))


def museum_sets(folder: Path, known: Sequence[Path]) -> list[Path]:
    """The sets of pairs in a folder by name, but for those that only train; ``UsageError`` for none."""
    inside = sorted(path for path in folder.glob("*") if (path / INPUT).is_file())
    only_training = {path.resolve() for path in known}
    if sets := [path for path in inside if path.resolve() not in only_training]:
        return sets
    raise UsageError(
        f"--museums names {folder}, which holds no folder with {INPUT} that --pairs does not name;"
        " name the folder that holds the sets of the museums"
    )


def of_museums(
    statement: str,
    directories: Sequence[Path],
    divisions: Sequence[Division],
    gold: Doubles,
    scores: Doubles,
    types: Sequence[SimilarityType],
    data: EvaluationData,
) -> MuseumsResult:
    """The figures of what each division tests, which is the pairs of one of the directories.

    ``gold`` and ``scores`` are float64[pairs, types] of all pairs of ``data``.
    """
    museums = []
    for directory, (name, train, test) in zip(directories, divisions, strict=True):
        judged = two_readers(directory, types)
        museums.append(measured(name, len(train), gold[test], scores[test], types, judged))
    rows = np.concatenate([division.test for division in divisions])
    providers = [data.providers[row] for row in rows.tolist()]
    return together(statement, museums, gold[rows], scores[rows], types, providers, data.settings.seed)


def _divisions(task: Task, sets: Sequence[DirectoryPairs], fixed: bool) -> list[Division]:
    data = task.grounds
    if not fixed:
        return left_out(data.pairs.parts, data.providers, [each.name for each in sets])
    every, none = np.arange(len(data.pairs), dtype=np.intp), np.empty(0, np.intp)
    return [Division(each.name, none, every[each.rows]) for each in sets]


def _fixed(
    run: Run, pairs: Pairs, sets: Sequence[DirectoryPairs], at_hand: bool
) -> tuple[System | None, str]:
    """The system that scores every museum, None where one is fitted for each; and how it was trained."""
    if not run.system.trained:
        system = untrained(run.name, run.system, pairs.types)
        return system, "no gold was used to train: this system has nothing to train"
    if at_hand:
        system = open_system(run.context.settings, run.name)
        folders = artefact.directories(run.context.settings.state.weights)
        weights = artefact.manifest(run.name, folders)
        return system, of_weights(LearntPairs.of(weights), pairs.ids, sets)
    return None, (
        "each museum left out: its pairs scored by a model trained on the pairs of the other sets that touch"
        " no record of it"
    )


_BRACKETS = """\
In brackets: a type that at most one pair in ten of the museum has anything of. It counts in no mean."""


def show(run: Run, result: MuseumsResult) -> None:
    """Print the figures of all museums."""
    console = run.context.console
    sheets.show_sheets(console, [sheet(result)])
    sheets.show_line(console, _BRACKETS)
    sheets.show_line(console, f"{run.name}: {result.statement}.")


def sheet(result: MuseumsResult) -> Sheet:
    """Pearson r by museum and type, then over all museums, then of two readers."""
    types, total = tuple(result.pooled), sum(museum.pairs for museum in result.museums)

    def row(name: str, pairs: int, r: Iterable[str], mean: float, bias: float | None) -> tuple[str, ...]:
        return (name, f"{pairs:,}", *r, number(mean), "" if bias is None else number(bias, 2))

    def shown(r: Mapping[SimilarityType, float]) -> list[str]:
        return [number(r[kind]) for kind in types]

    rows = []
    for museum in result.museums:
        counts = [kind in museum.counted for kind in types]
        r = [cell if own else f"({cell})" for cell, own in zip(shown(museum.pearson), counts, strict=True)]
        rows.append(row(museum.name, museum.pairs, r, museum.mean, museum.bias))
    rows.append(row("mean of museums", total, shown(result.by_type), result.mean, result.bias))
    rows.append(("95 %, museums resampled", "", *("" for _ in types), sheets.spread(result.interval), ""))
    rows.append(row("pooled", total, shown(result.pooled), result.pooled_mean, None))
    without = shown(result.pooled_centred)
    rows.append(row("pooled, less the means of providers", total, without, result.pooled_centred_mean, None))
    for museum in result.museums:
        if (readers := museum.readers) is not None:
            name = f"two readers, {museum.name}"
            rows.append(row(name, readers.pairs, shown(readers.pearson), readers.mean, None))
    heads = ("museum", "pairs", *sheets.heads(types), "mean", "bias")
    return Sheet("Pearson r, museum by museum", heads, rows)
