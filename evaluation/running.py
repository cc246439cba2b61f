"""What the commands do once their options are read: prepare, measure, and say what was found."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation import ablation, comparison, publication, report, tables
from evaluation.ablation import AblationResult
from evaluation.comparison import Comparison, PreparedFeatures
from evaluation.directories import joined, read_directories, trained_on
from evaluation.feedback import Effect, effect, judged_pairs
from evaluation.folds import labels
from evaluation.results import EvaluationData, Result, Task, evaluate
from evaluation.selection import fitting
from evaluation.typed import Pairs, read_pairs, write_scores
from features.arrays import Doubles
from ingest.errors import ResourceMissing, UsageError
from models import artefact
from models.systems import SystemSettings
from service.cli.context import Context
from service.opening import open_resources, open_system
from service.search.variants import choose


def train(
    context: Context,
    name: str,
    system: SystemSettings,
    directories: Sequence[Path],
    out: Path | None,
    *,
    with_feedback: bool = False,
    anyway: bool = False,
) -> None:
    """Fit a system to all pairs, and to feedback where that is asked for, and keep its weights.

    Raises ``UsageError`` where feedback makes it worse, unless it may be ``anyway``.
    """
    if not system.trained:
        raise UsageError(
            f"system {name!r} has nothing to train; use it as it is: kindred score --system {name}"
        )
    types = context.settings.types
    read = read_directories(directories, types)
    extra = [judged_pairs(context.settings.state, types)] if with_feedback else []
    pairs = _gold_known(joined([*read, *extra]))
    task = _task(context, name, system, pairs)
    found = effect(task, sum(map(len, read))) if with_feedback else None
    if found is not None:
        _say_effect(context, name, found, anyway=anyway)
    fitted = fitting(name, system, task.types)(
        task.values, task.gold, labels(pairs.ids), context.settings.evaluation.seed
    )
    told = trained_on(pairs)
    folder = out or context.settings.state.weights
    path = artefact.save(
        folder, fitted.system, fitted.row, context.settings.features, trained_on=told, pairs=len(pairs)
    )
    if context.json:
        answer = {"weights": str(path), "system": name, "trained_on": told, "gold": pairs.gold_source}
        more = {"pairs": len(pairs), "chosen": fitted.chosen, "features": report.weights(fitted.system)}
        told_too = {} if found is None else {"feedback": found._asdict()}
        context.print_json({**answer, **more, **told_too})
    else:
        report.show_weights(context.console, fitted.system)
        for setting, value in fitted.chosen.items():
            report.show_line(context.console, f"{name}: chosen {setting} {value}")
        report.show_line(context.console, f"{name}: trained on {told}; kept in {path}")


def _say_effect(context: Context, name: str, found: Effect, *, anyway: bool) -> None:
    told = (
        f"{name}: mean r in folds {found.before:.4f} without feedback, {found.after:.4f} with the"
        f" {found.judged:,} pairs that were judged"
    )
    if found.worse and not anyway:
        raise UsageError(f"{told}; no weights are kept. To keep them nevertheless add --anyway")
    if not context.json:
        report.show_line(context.console, told)


def score(context: Context, name: str, directories: Sequence[Path], out: Path) -> None:
    """Score pairs with the weights at hand; where the system lacks a resource by the one in its place."""
    settings = context.settings
    if len(directories) > 1:
        raise UsageError("a file of scores is of one directory: name one with --pairs, and run it for each")
    pairs = read_pairs(directories[0], context.settings.types)
    variant = choose(settings, open_resources(settings), name)
    fitted, row = open_system(settings, variant.system), settings.system(variant.system)
    # scoring takes minutes: who meant another system wants to know before
    if variant.warning:
        context.warn(variant.warning)
    values = _values(context, variant.system, row, pairs)
    scores = fitted.score(values)
    both = zip(pairs.left, pairs.right, strict=True)
    same = np.array([left.analysis_hash == right.analysis_hash for left, right in both], dtype=bool)
    scores[same] = np.nan_to_num(fitted.identical(values[same]))
    write_scores(out, scores)
    if context.json:
        about = {"system": variant.system, "stands_in_for": variant.stands_in_for}
        context.print_json({"scores": str(out), **about, "pairs": len(pairs)})
    else:
        report.show_line(context.console, f"{out}: {len(pairs):,} pairs scored by {variant.system}")


def evaluate_one(
    context: Context,
    name: str,
    system: SystemSettings,
    directories: Sequence[Path],
    cv: int | None,
    unseen: bool,
) -> None:
    """One system: with the weights at hand, in folds, or unseen."""
    pairs = with_gold(context, directories)
    at_hand = system.trained and cv is None and not unseen
    fitted = open_system(context.settings, name) if at_hand else None
    task = _task(context, name, system, pairs)
    found = evaluate(task, cv, unseen)
    if fitted is not None:
        weights = artefact.manifest(name, artefact.directories(context.settings.state.weights))
        found.append(task.as_it_is(fitted, weights.trained_on))
    if context.json:
        answer = {"pairs": report.about(pairs, directories), "system": name, "title": system.title}
        documents = [report.document(result) for result in found]
        context.print_json({**answer, "features": system.needs, "results": documents})
    else:
        say_size(context, pairs)
        report.show(context.console, name, found)


def evaluate_held_out(
    context: Context,
    name: str,
    system: SystemSettings,
    directories: Sequence[Path],
    tests: Sequence[Path],
) -> None:
    """One system, trained on the pairs of some directories, on those of others."""
    training, test = with_gold(context, directories), with_gold(context, tests)
    found = _held_out(context, name, system, training, test)
    if context.json:
        answer = {"pairs": report.about(test, tests), "system": name, "title": system.title}
        context.print_json({**answer, "features": system.needs, "results": [report.document(found)]})
    else:
        say_size(context, test)
        report.show(context.console, name, [found])


def ablate_one(
    context: Context,
    name: str,
    system: SystemSettings,
    directories: Sequence[Path],
    measures: bool,
    number: int,
) -> None:
    """One system without each of its features, or without the features of each measure."""
    pairs = with_gold(context, directories)
    found = _ablated(context, _task(context, name, system, pairs), measures, number)
    if context.json:
        answer = {"pairs": report.about(pairs, directories), "system": name, "title": system.title}
        context.print_json({**answer, "features": system.needs, "ablation": found})
    else:
        say_size(context, pairs)
        report.show_sheets(context.console, [tables.ablation(name, found)])


def evaluate_all(context: Context, directories: Sequence[Path], number: int) -> None:
    """Every declared system, and every feature that one of them needs."""
    pairs = with_gold(context, directories)
    systems = context.settings.systems
    found = _compared(context, systems, pairs, prepared(context, pairs, systems), number)
    if context.json:
        about = {"pairs": report.about(pairs, directories)}
        context.print_json({**about, **report.comparison_document(found)})
    else:
        say_size(context, pairs)
        report.show_comparison(context.console, found)


def publish(
    context: Context, name: str, system: SystemSettings, directories: Sequence[Path], out: Path
) -> None:
    """Write what was measured of every system, and of one of them closely."""
    read = read_directories(directories, context.settings.types)
    pairs = _gold_known(joined(read))
    systems = context.settings.systems
    values = prepared(context, pairs, systems)
    if name in values.absent:
        raise ResourceMissing(f"system {name!r} cannot be looked at: {values.absent[name]}")
    found = _compared(context, systems, pairs, values, 0)
    looked_at = next(each for each in found.standings if each.name == name)
    ways = (True,) if system.trained else ()
    task = Task(name, system, found.grounds, values.table.over(system.needs))
    parts = [_ablated(context, task, measures, 0) for measures in ways]
    held_out = {
        test.parts[0].name: _held_out(
            context, name, system, joined([each for each in read if each is not test]), test
        )
        for test in read
        if len(read) > 1
    }
    worst = publication.write(publication.ResultsReport(found, looked_at, held_out, parts), out)
    if context.json:
        names = [each.name for each in found.standings]
        answer = {"results": str(out), "worst": str(worst), "system": name}
        context.print_json({**answer, "systems": names, "absent": found.absent})
    else:
        report.show_comparison(context.console, found)
        report.show_line(context.console, f"written: {out}, {worst}")


def _compared(
    context: Context,
    systems: Mapping[str, SystemSettings],
    pairs: Pairs,
    prepared: PreparedFeatures,
    number: int,
) -> Comparison:
    trained = sum(about.trained for name, about in systems.items() if name not in prepared.absent)
    with _fits(context, pairs, trained, number) as grounds:
        return comparison.compare(systems, prepared, grounds, number)


def _ablated(context: Context, task: Task, measures: bool, number: int) -> list[AblationResult]:
    system, declared = task.settings, context.settings.features
    parts: dict[str, list[str]] = {feature: [feature] for feature in system.sees}
    if measures:
        parts = ablation.by_measure(system.sees, {name: declared[name].measure for name in system.sees})
    with _fits(context, task.grounds.pairs, len(parts) + 1, number) as grounds:
        return ablation.ablate(replace(task, grounds=grounds), parts, number)


@contextmanager
def _fits(context: Context, pairs: Pairs, systems: int, number: int) -> Iterator[EvaluationData]:
    settings = context.settings.evaluation
    grounds = EvaluationData(pairs, settings)
    divisions = len(grounds.folds(number)) + (0 if grounds.unseen_refused else len(grounds.unseen))
    with context.progress("fit", systems * divisions) as advance:
        yield EvaluationData(pairs, settings, advance)


def _held_out(context: Context, name: str, system: SystemSettings, training: Pairs, test: Pairs) -> Result:
    """What a system is worth on pairs that its model saw none of, not even in another directory.

    Features are fitted on the records of either side alone, as where weights meet a collection.
    """
    tested = {frozenset(ids) for ids in test.ids}
    others = np.array([frozenset(ids) not in tested for ids in training.ids], dtype=bool)
    if not others.any():
        raise UsageError("--test holds every pair that --pairs names: nothing is left to train on")
    apart = _task(context, name, system, test)
    if not system.trained:
        return apart.untrained(strict=False)
    task = _task(context, name, system, training)
    statement = f"held out: trained on {trained_on(training)}"
    if not others.all():
        statement += f", less the {np.count_nonzero(~others)} pairs that are tested"
    fit = fitting(name, system, task.types)
    seed = context.settings.evaluation.seed
    fitted = fit(task.values[others], task.gold[others], task.grounds.group[others], seed)
    return apart.held_out(fitted.system, statement)


def with_gold(context: Context, directories: Sequence[Path]) -> Pairs:
    """The pairs of directories, all of which have gold."""
    return _gold_known(joined(read_directories(directories, context.settings.types)))


def _gold_known(pairs: Pairs) -> Pairs:
    pairs.known_gold()
    return pairs


def say_size(context: Context, pairs: Pairs) -> None:
    """Where pairs are from, and how many they are."""
    names = " + ".join(part.name for part in pairs.parts)
    report.show_line(context.console, f"{names}: {len(pairs):,} pairs of {pairs.size:,} records")


def prepared(context: Context, pairs: Pairs, systems: Mapping[str, SystemSettings]) -> PreparedFeatures:
    """The feature values of pairs, analysed first where they are new."""
    return comparison.prepare(
        context.settings, pairs, systems, lambda total: context.progress("analyse", total)
    )


def _task(context: Context, name: str, system: SystemSettings, pairs: Pairs) -> Task:
    grounds = EvaluationData(pairs, context.settings.evaluation)
    return Task(name, system, grounds, _values(context, name, system, pairs))


def _values(context: Context, name: str, system: SystemSettings, pairs: Pairs) -> Doubles:
    return prepared(context, pairs, {name: system}).table.over(system.needs)
