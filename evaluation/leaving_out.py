"""What ``kindred evaluate --museums`` does: every museum scored by a system that learnt nothing from it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from evaluation import report
from evaluation.fitting import Division
from evaluation.museums import MuseumsResult, left_out, measured, together, two_readers
from evaluation.report import Sheet, number
from evaluation.results import EvaluationData, Task, of_weights
from evaluation.running import Run
from evaluation.scoring import AnalysedPairs
from evaluation.typed import DirectoryPairs, joined, read_directories
from features.arrays import Doubles, Rows
from ingest.errors import UsageError
from ingest.typed_files import INPUT
from models import artefact
from models.systems import System, untrained
from models.types import SimilarityType, Types
from service.opening import open_system

Profiles: TypeAlias = Callable[[str], Mapping[str, bytes]]
"""Given the museum left out, the profiles of all records by id, made by what learnt nothing from it."""


@dataclass(frozen=True, eq=False)
class LeavingOut:
    """A system and the pairs of all museums; features are fitted on the records of some pairs alone."""

    run: Run
    data: EvaluationData
    analysed: AnalysedPairs
    profiles: Profiles

    def task(self, museum: str, rows: Rows) -> Task:
        """The system over some pairs, for the museum that is left out."""
        pairs, needs = self.data.pairs.some(rows), self.run.system.needs
        values = self.analysed.table(pairs, self.profiles(museum)).over(needs)
        return Task(self.run.name, self.run.system, EvaluationData(pairs, self.data.settings), values)

    def scored(self, division: Division, system: System | None, types: Sequence[SimilarityType]) -> Doubles:
        """Scores float64[pairs, types] of what a division tests: of a system, or of the one that it fits."""
        museum, train, test = division
        fitted = system or self.task(museum, train).fitted().system
        scores: Doubles = fitted.score(self.task(museum, test).values)
        return scores[:, [fitted.position(kind) for kind in types]]


def evaluate_museums(run: Run, folder: Path, at_hand: bool) -> None:
    """Leave out each set of a folder in turn, or score it by weights at hand; the run's own only train."""
    context, settings = run.context, run.context.settings
    tested = replace(run, directories=_sets(folder, run.directories))
    pairs = joined(read_directories([*tested.directories, *run.directories], settings.types))
    pairs.known_gold()
    data = EvaluationData(pairs, settings.evaluation)
    sets = pairs.parts[: len(tested.directories)]
    system, statement = _fixed(run, data.pairs.types, sets, at_hand)
    if system is None:
        divisions = left_out(pairs.parts, data.providers, [each.name for each in sets])
    else:
        every, none = np.arange(len(pairs), dtype=np.intp), np.empty(0, np.intp)
        divisions = [Division(each.name, none, every[each.rows]) for each in sets]
    whole = Task(run.name, run.system, data, np.empty((len(pairs), 0)))
    types = [kind for kind in whole.types if system is None or kind in system.types]
    analysed = run.analysed(pairs)
    leaving = LeavingOut(run, data, analysed, lambda _: analysed.profiles)
    museums, columns = [], [tuple(whole.types).index(kind) for kind in types]
    gold, scores = whole.gold[:, columns], np.full((len(pairs), len(types)), np.nan)
    with context.progress("fit", len(divisions)) as advance:
        for directory, division in zip(tested.directories, divisions, strict=True):
            name, train, test = division
            scores[test] = leaving.scored(division, system, types)
            judged = two_readers(directory, types)
            museums.append(measured(name, len(train), gold[test], scores[test], types, judged))
            advance(1)
    rows = np.concatenate([division.test for division in divisions])
    statement = f"{statement}; gold: {pairs.gold_source}"
    result = together(statement, museums, gold[rows], scores[rows], types)
    tested.answer({**run.described, "museums": result}, lambda: _show(run, result))


def _sets(folder: Path, known: Sequence[Path]) -> list[Path]:
    """The sets of pairs in a folder by name, but for those that only train."""
    inside = sorted(path for path in folder.glob("*") if (path / INPUT).is_file())
    only_training = {path.resolve() for path in known}
    if sets := [path for path in inside if path.resolve() not in only_training]:
        return sets
    raise UsageError(
        f"--museums names {folder}, which holds no folder with {INPUT} that --pairs does not name;"
        " name the folder that holds the sets of the museums"
    )


def _fixed(
    run: Run, types: Types, sets: Sequence[DirectoryPairs], at_hand: bool
) -> tuple[System | None, str]:
    """The system that scores every museum, None where one is fitted for each; and how it was trained."""
    if not run.system.trained:
        system = untrained(run.name, run.system, types)
        return system, "no gold was used to train: this system has nothing to train"
    if at_hand:
        system = open_system(run.context.settings, run.name)
        folders = artefact.directories(run.context.settings.state.weights)
        return system, of_weights(artefact.manifest(run.name, folders).trained_on, sets)
    return None, (
        "each museum left out: its pairs scored by a model trained on the pairs of the other sets that touch"
        " no record of it; features fitted on the records of either side alone"
    )


_BRACKETS = """\
In brackets: a type that at most one pair in ten of the museum has anything of. It counts in no mean."""


def _show(run: Run, result: MuseumsResult) -> None:
    console = run.context.console
    report.show_sheets(console, [sheet(result)])
    report.show_line(console, _BRACKETS)
    report.show_line(console, f"{run.name}: {result.statement}.")


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
    rows.append(row("pooled", total, shown(result.pooled), result.pooled_mean, None))
    for museum in result.museums:
        if (readers := museum.readers) is not None:
            name = f"two readers, {museum.name}"
            rows.append(row(name, readers.pairs, shown(readers.pearson), readers.mean, None))
    heads = ("museum", "pairs", *report.heads(types), "mean", "bias")
    return Sheet("Pearson r, museum by museum", heads, rows)
