"""What ``kindred select`` does: the terms of an additive system, and what their choice is worth."""

from collections.abc import Sequence
from pathlib import Path

from threadpoolctl import threadpool_limits

from evaluation import choosing_report, nested, report
from evaluation.choosing import CandidateTerms, ChoosingPairs, SelectionLimits, SelectionStep, choose, own
from evaluation.results import EvaluationData, Result, Task
from evaluation.running import prepared, say_size, with_gold
from evaluation.typed import Pairs
from features.measures.base import needed
from ingest.errors import UsageError
from ingest.storage.files import unwritable_output, write_whole
from models.regressors.additive import AdditiveSettings
from models.systems import SystemSettings, known_pairs
from service.cli.context import Context
from service.opening import available, open_resources


def select(
    context: Context,
    name: str,
    system: SystemSettings,
    directories: Sequence[Path],
    limits: SelectionLimits,
    inside: bool,
    out: Path | None,
) -> None:
    """Choose the terms of a system from all pairs, and say what that is worth."""
    if not isinstance(system, AdditiveSettings):
        raise UsageError(f"system {name!r} is not additive: only terms of a sum are chosen; name another")
    if system.ridge_of != "each":
        raise UsageError(
            f"system {name!r} has one penalty for all terms together, which a further term would change: "
            "give its row in config.yaml ridge_of: each, with a ridge of about 1"
        )
    pairs = with_gold(context, directories)
    selection, absent = _selection(context, name, system, pairs, limits)
    with threadpool_limits(1):
        number = context.settings.evaluation.folds
        taken = choose(system, selection.field, selection.learnt, limits, selection.seed, number)
    chosen = own(taken, tuple(selection.types))
    read = tuple(dict.fromkeys((*(step.term for step in taken), *selection.field.read)))
    features = needed(read, context.settings.features)
    results = _nested(context, selection, pairs) if inside else []
    if out is not None:
        text = choosing_report.text(taken, chosen, features, results, name)
        write_whole(out, text.encode(), unwritable_output)
    if context.json:
        answer = {"pairs": report.about(pairs, directories), "system": name, "own": chosen}
        more = {"features": features, "steps": [_step(step) for step in taken], "absent": absent}
        context.print_json({**answer, **more, "nested": [report.document(each) for each in results]})
        return
    say_size(context, pairs)
    report.show_sheets(context.console, [choosing_report.steps(taken, chosen)])
    # lines of YAML stay whole however narrow the terminal is
    context.console.print(choosing_report.yaml(chosen), highlight=False, markup=False, soft_wrap=True)
    report.show_line(context.console, f"{len(features)} features, their parts among them")
    for resource, sentence in absent.items():
        report.show_line(context.console, f"without features that need {resource}: {sentence}")
    if results:
        report.show(context.console, name, results)
        report.show_sheets(context.console, [choosing_report.kept(results, chosen)])


def _selection(
    context: Context, name: str, row: AdditiveSettings, pairs: Pairs, limits: SelectionLimits
) -> tuple[nested.NestedSelection, dict[str, str]]:
    settings = context.settings
    types = row.types(pairs.types)
    wanted = tuple(dict.fromkeys(feature for kind in types for feature in row.choice(kind)))
    declared = {each: settings.features[each] for each in needed(wanted, settings.features)}
    kept, absent = available(declared, open_resources(settings))
    field = CandidateTerms.of(row, tuple(types), settings.features, kept)
    asked = row.model_copy(update={"features": field.names, "own": {}, "among": {}})
    values = prepared(context, pairs, {name: asked}).table.over(field.names)
    grounds = EvaluationData(pairs, settings.evaluation)
    task = Task(name, asked, grounds, values)
    known = known_pairs(row, field.names, values, tuple(types))
    learnt = ChoosingPairs(values, task.gold, known, grounds.group, grounds.providers)
    return nested.NestedSelection(name, row, field, learnt, types, limits, settings.evaluation.seed), absent


def _nested(context: Context, selection: nested.NestedSelection, pairs: Pairs) -> list[Result]:
    grounds = EvaluationData(pairs, context.settings.evaluation)
    task = Task(selection.name, selection.row, grounds, selection.learnt.values)
    found = []
    for strict in (False, True):
        if strict and grounds.unseen_refused:
            continue
        divisions = grounds.unseen if strict else grounds.folds(0)
        label = "unseen, nested" if strict else f"{len(divisions)} folds, nested"
        workers = min(context.settings.analysis.workers, len(divisions))
        with context.progress(label, len(divisions)) as advance:
            predicted = nested.predict(selection, divisions, workers, advance)
        found.append(task.chosen_inside(label, predicted, strict))
    return found


def _step(step: SelectionStep) -> dict[str, object]:
    found = step._asdict()
    return {"type": found.pop("kind"), **found}
