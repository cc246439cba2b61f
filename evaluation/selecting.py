"""What ``kindred select`` does: the terms of an additive system, and what their choice is worth."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill

import msgspec
from threadpoolctl import threadpool_limits

from evaluation import report
from evaluation.choosing import (
    CandidateTerms,
    ChoosingPairs,
    NestedSelection,
    SelectionLimits,
    SelectionStep,
    choose,
    predict_nested,
    terms,
)
from evaluation.report import Sheet, markdown, number, signed
from evaluation.results import EvaluationData, Result, Task
from evaluation.running import Run
from features.measures.base import needed
from ingest.errors import UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.regressors.additive import AdditiveSettings
from models.systems import known_pairs
from models.types import SimilarityType
from service.opening import available, open_resources


def select(run: Run, limits: SelectionLimits, inside: bool, out: Path | None) -> None:
    """Choose the terms of a system from all pairs, and say what that is worth."""
    context, name, row = run.context, run.name, run.system
    if not isinstance(row, AdditiveSettings):
        raise UsageError(f"system {name!r} is not additive: only terms of a sum are chosen; name another")
    if row.ridge_of != "each":
        raise UsageError(
            f"system {name!r} has one penalty for all terms together, which a further term would change: "
            "give its row in config.yaml ridge_of: each, with a ridge of about 1"
        )
    selection, task, absent = _selection(run, row, limits)
    with threadpool_limits(1):
        folds = context.settings.evaluation.folds
        steps = choose(row, selection.field, selection.learnt, limits, selection.seed, folds)
    chosen = terms(steps, selection.types)
    read = tuple(dict.fromkeys((*(step.term for step in steps), *selection.field.read)))
    features = needed(read, context.settings.features)
    results = _nested(run, selection, task) if inside else []
    if out is not None:
        write_whole(out, text(steps, chosen, features, results, name).encode(), unwritable_output)
    answer = {
        "system": name,
        "own": chosen,
        "features": features,
        "steps": [{("type" if key == "kind" else key): v for key, v in s._asdict().items()} for s in steps],
        "absent": absent,
        "nested": [report.document(result) for result in results],
    }

    def show() -> None:
        console = context.console
        report.show_sheets(console, [_steps(steps, chosen)])
        # lines of YAML stay whole however narrow the terminal is
        console.print(yaml(chosen), highlight=False, markup=False, soft_wrap=True)
        report.show_line(console, f"{len(features)} features, their parts among them")
        for resource, sentence in absent.items():
            report.show_line(console, f"without features that need {resource}: {sentence}")
        if results:
            report.show(console, name, results)
            report.show_sheets(console, [_chosen_again(results, chosen)])

    run.answer(answer, show)


def _selection(
    run: Run, row: AdditiveSettings, limits: SelectionLimits
) -> tuple[NestedSelection, Task, dict[str, str]]:
    settings, pairs = run.context.settings, run.pairs
    types = row.types(pairs.types)
    wanted = tuple(dict.fromkeys(feature for kind in types for feature in row.choice(kind)))
    declared = {part: settings.features[part] for part in needed(wanted, settings.features)}
    present, absent = available(declared, open_resources(settings))
    field = CandidateTerms.of(row, tuple(types), settings.features, present)
    candidates = row.model_copy(update={"features": field.names, "own": {}, "among": {}})
    values = run.values(pairs, {run.name: candidates}).table.over(field.names)
    task = Task(run.name, candidates, EvaluationData(pairs, settings.evaluation), values)
    known = known_pairs(row, field.names, values, tuple(types))
    learnt = ChoosingPairs(values, task.gold, known, task.grounds.group, task.grounds.providers)
    seed = settings.evaluation.seed
    return NestedSelection(run.name, row, field, learnt, types, limits, seed), task, absent


def _nested(run: Run, selection: NestedSelection, task: Task) -> list[Result]:
    data, results = task.grounds, []
    task = Task(task.name, selection.row, data, task.values)
    for strict in (False, True):
        if strict and data.unseen_refused:
            continue
        divisions = data.unseen if strict else data.folds(0)
        label = "unseen, nested" if strict else f"{len(divisions)} folds, nested"
        workers = min(run.context.settings.analysis.workers, len(divisions))
        with run.context.progress(label, len(divisions)) as advance:
            predicted = predict_nested(selection, divisions, workers, advance)
        results.append(task.chosen_inside(label, predicted, strict))
    return results


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
    nested: Sequence[Result],
    name: str,
) -> str:
    """All of a selection as Markdown."""
    blocks = [
        f"## Terms of `{name}`",
        f"{len(features)} features, their parts among them: {', '.join(features)}.",
        markdown(_steps(steps, own)),
        f"```yaml\n{yaml(own)}\n```",
    ]
    if nested:
        figures = report.correlations(report.labelled(name, nested))
        blocks += [markdown(figures), markdown(_chosen_again(nested, own))]
        blocks += [f"{result.label}: {result.statement}." for result in nested]
    return "\n\n".join(blocks) + "\n"


def _steps(steps: Sequence[SelectionStep], types: Iterable[SimilarityType]) -> Sheet:
    rows = [
        (kind, s.term, number(s.folds), number(s.unseen), signed(s.gain, 4), number(s.price, 4))
        for kind in types
        for s in steps
        if s.kind == kind
    ]
    return Sheet("Terms", ("type", "term", "folds", "unseen", "gain", "price"), rows, words=2)


def _chosen_again(nested: Sequence[Result], own: Mapping[SimilarityType, Sequence[str]]) -> Sheet:
    """In how many of the divisions each term was chosen that is chosen from all pairs."""
    shape = dict[str, dict[str, dict[SimilarityType, list[str]]]]
    divisions = [d["own"] for result in nested for d in msgspec.convert(result.chosen, shape).values()]
    counts = Counter((kind, name) for terms in divisions for kind in terms for name in terms[kind])
    rows = [(kind, ", ".join(f"{name} {counts[kind, name]}" for name in own[kind])) for kind in own]
    heading = f"Of {len(divisions)} divisions those that choose the same term"
    return Sheet(heading, ("type", "terms"), rows, words=2)
