"""What ``kindred select`` does: the terms of an additive system, and what their choice is worth."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

import msgspec
import numpy as np
from pydantic import JsonValue
from threadpoolctl import threadpool_limits

from evaluation import leaving_out, report, sheets
from evaluation.choosing import (
    CandidateTerms,
    NestedSelection,
    SelectionLimits,
    SelectionStep,
    choose,
    predict_nested,
    terms,
)
from evaluation.criteria import ChoosingPairs, Criterion, FoldsAndProviders, MuseumsLeftOut
from evaluation.fitting import INNER_FOLDS, Division, Prediction
from evaluation.museums import MuseumsResult
from evaluation.results import Result, Task
from evaluation.running import Run
from evaluation.sheets import Sheet, markdown, number, signed
from features.measures.base import needed
from ingest.errors import UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.regressors.additive import AdditiveSettings
from models.systems import known_pairs
from models.types import SimilarityType
from service.opening import available, open_resources


class NestedOutcome(NamedTuple):
    """What a choice is worth, repeated inside what every division trains on, and its terms by division."""

    results: Sequence[Result] = ()
    museums: MuseumsResult | None = None
    chosen: Sequence[Mapping[str, Mapping[str, JsonValue]]] = ()


def select(
    run: Run, limits: SelectionLimits, inside: bool, out: Path | None, museums: Path | None = None
) -> None:
    """Choose the terms of a system from all pairs, and say what that is worth.

    The sets of a folder of ``museums`` are left out in turn, and the run's own only train; without a folder
    the run's own pairs are divided.
    """
    row = _additive(run)
    tested = leaving_out.museum_sets(museums, run.directories) if museums else []
    run = replace(run, directories=[*tested, *run.directories])
    selection, task, absent = _selection(run, row, limits, len(tested))
    with threadpool_limits(1), run.context.progress("choose") as advance:
        steps = choose(row, selection.field, selection.learnt, limits, _outer(run, selection), advance)
    chosen = terms(steps, selection.types)
    read = tuple(dict.fromkeys((*(step.term for step in steps), *selection.field.read)))
    features = needed(read, run.context.settings.features)
    nested = _nested(run, selection, task, tested) if inside else NestedOutcome()
    if out is not None:
        write_whole(out, text(steps, chosen, features, nested, run.name).encode(), unwritable_output)
    answer = {
        "system": run.name,
        "own": chosen,
        "features": features,
        "steps": [{"type": s.kind, "term": s.term, **s.r, "gain": s.gain, "price": s.price} for s in steps],
        "absent": absent,
        "nested": nested.museums or [report.document(result) for result in nested.results],
    }

    def show() -> None:
        console = run.context.console
        sheets.show_sheets(console, [_steps(steps, chosen)])
        # lines of YAML stay whole however narrow the terminal is
        console.print(yaml(chosen), highlight=False, markup=False, soft_wrap=True)
        sheets.show_line(console, f"{len(features)} features, their parts among them")
        for resource, sentence in absent.items():
            sheets.show_line(console, f"without features that need {resource}: {sentence}")
        if nested.results:
            report.show(console, run.name, nested.results)
        if nested.museums is not None:
            leaving_out.show(run, nested.museums)
        if nested.chosen:
            sheets.show_sheets(console, [_chosen_again(nested.chosen, chosen)])

    run.answer(answer, show)


def _additive(run: Run) -> AdditiveSettings:
    name, row = run.name, run.system
    if not isinstance(row, AdditiveSettings):
        raise UsageError(f"system {name!r} is not additive: only terms of a sum are chosen; name another")
    if row.ridge_of != "each":
        raise UsageError(
            f"system {name!r} has one penalty for all terms together, which a further term would change: "
            "give its row in config.yaml ridge_of: each, with a ridge of about 1"
        )
    return row


def _selection(
    run: Run, row: AdditiveSettings, limits: SelectionLimits, tested: int
) -> tuple[NestedSelection, Task, dict[str, str]]:
    """The choice from the pairs of a run, of whose directories the first are left out in turn, if any."""
    settings, pairs = run.context.settings, run.pairs
    types = row.types(pairs.types)
    wanted = tuple(dict.fromkeys(feature for kind in types for feature in row.choice(kind)))
    declared = {part: settings.features[part] for part in needed(wanted, settings.features)}
    present, absent = available(declared, open_resources(settings))
    field = CandidateTerms.of(row, tuple(types), settings.features, present)
    candidates = row.model_copy(update={"features": field.names, "own": {}, "among": {}})
    values = run.values(pairs, {run.name: candidates}).table.over(field.names)
    data = run.data(pairs)
    task = Task(run.name, candidates, data, values)
    known = known_pairs(row, field.names, values, tuple(types))
    if np.isnan(task.gold).any():
        raise UsageError("terms are chosen by pairs with gold of every type: leave out those where it is NA")
    learnt = ChoosingPairs(values, task.gold, known, data.group, data.providers, pairs.same, pairs.parts)
    criterion: Criterion = FoldsAndProviders(INNER_FOLDS, settings.evaluation.seed)
    if tested:
        criterion = MuseumsLeftOut(tuple(part.name for part in pairs.parts[:tested]))
    return NestedSelection(run.name, row, field, learnt, types, limits, criterion), task, absent


def _outer(run: Run, selection: NestedSelection) -> Criterion:
    """What the terms of the answer are chosen by: of folds more than inside a division."""
    if isinstance(selection.criterion, FoldsAndProviders):
        return replace(selection.criterion, number=run.context.settings.evaluation.folds)
    return selection.criterion


def _nested(run: Run, selection: NestedSelection, task: Task, tested: Sequence[Path]) -> NestedOutcome:
    if tested:
        return _nested_museums(run, selection, task, tested)
    data, results = task.grounds, []
    task = Task(task.name, selection.row, data, task.values)
    for strict in (False, True):
        if strict and data.unseen_refused:
            continue
        divisions = data.unseen if strict else data.folds(0)
        label = "unseen, nested" if strict else f"{len(divisions)} folds, nested"
        results.append(task.chosen_inside(label, _predicted(run, selection, divisions, label), strict))
    return NestedOutcome(results, chosen=[result.chosen for result in results])


def _nested_museums(
    run: Run, selection: NestedSelection, task: Task, tested: Sequence[Path]
) -> NestedOutcome:
    divisions = [division for (division,) in selection.criterion.ways(selection.learnt)]
    predicted = _predicted(run, selection, divisions, "museums, nested")
    statement = (
        "each museum left out: its pairs scored by a model whose terms were chosen anew, and trained, on the"
        " pairs of the other sets that touch no record of it, the other museums left out in turn; gold: "
        f"{run.pairs.gold_source}"
    )
    types = tuple(selection.types)
    result = leaving_out.of_museums(
        statement, tested, divisions, task.gold, predicted.scores, types, task.grounds
    )
    return NestedOutcome(museums=result, chosen=[predicted.chosen])


def _predicted(run: Run, selection: NestedSelection, divisions: Sequence[Division], label: str) -> Prediction:
    workers = min(run.context.settings.analysis.workers, len(divisions))
    with run.context.progress(label, len(divisions)) as advance:
        return predict_nested(selection, divisions, workers, advance)


def yaml(own: Mapping[SimilarityType, Sequence[str]]) -> str:
    """Chosen terms as a system's row has them.

    >>> print(yaml({"time": ("dates_gap", "years")}))
        own:
          time:
            [dates_gap, years]
    """
    lines = ["    own:"]
    for kind, names in own.items():
        text = fill(f"[{', '.join(names)}]", 120, initial_indent=" " * 8, subsequent_indent=" " * 9)
        lines += [f"      {kind}:", text]
    return "\n".join(lines)


def text(
    steps: Sequence[SelectionStep],
    own: Mapping[SimilarityType, Sequence[str]],
    features: Sequence[str],
    nested: NestedOutcome,
    name: str,
) -> str:
    """All of a selection as Markdown."""
    blocks = [
        f"## Terms of `{name}`",
        f"{len(features)} features, their parts among them: {', '.join(features)}.",
        markdown(_steps(steps, own)),
        f"```yaml\n{yaml(own)}\n```",
    ]
    if nested.results:
        blocks.append(markdown(report.correlations(report.labelled(name, nested.results))))
        blocks.append(markdown(_chosen_again(nested.chosen, own)))
        blocks += [f"{result.label}: {result.statement}." for result in nested.results]
    if nested.museums is not None:
        blocks.append(markdown(leaving_out.sheet(nested.museums)))
        blocks.append(markdown(_chosen_again(nested.chosen, own)))
        blocks.append(f"{nested.museums.statement}.")
    return "\n\n".join(blocks) + "\n"


def _steps(steps: Sequence[SelectionStep], types: Iterable[SimilarityType]) -> Sheet:
    rows = [
        (kind, s.term, *map(number, s.r.values()), signed(s.gain, 4), number(s.price, 4))
        for kind in types
        for s in steps
        if s.kind == kind
    ]
    return Sheet("Terms", ("type", "term", *steps[0].r, "gain", "price"), rows, words=2)


def _chosen_again(
    chosen: Sequence[Mapping[str, Mapping[str, JsonValue]]], own: Mapping[SimilarityType, Sequence[str]]
) -> Sheet:
    """In how many of the divisions each term was chosen that is chosen from all pairs."""
    shape = dict[str, dict[str, dict[SimilarityType, list[str]]]]
    divisions = [d["own"] for each in chosen for d in msgspec.convert(each, shape).values()]
    counts = Counter((kind, name) for terms in divisions for kind in terms for name in terms[kind])
    rows = [(kind, ", ".join(f"{name} {counts[kind, name]}" for name in own[kind])) for kind in own]
    heading = f"Of {len(divisions)} divisions those that choose the same term"
    return Sheet(heading, ("type", "terms"), rows, words=2)
