"""What the commands do once their options are read: prepare, measure, and say what was found."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from evaluation import ablation, comparison, provenance, publication, report, tables
from evaluation.ablation import Ablated
from evaluation.comparison import Comparison, Prepared
from evaluation.folds import labels
from evaluation.results import Grounds, Task, evaluate
from evaluation.selection import fitting
from evaluation.typed import Pairs, read_pairs, write_scores
from ingest.errors import ResourceMissing, UsageError
from models import artefact
from models.systems import Matrix, SystemSettings
from service.composition import open_resources, open_system
from service.context import Context
from service.variants import choose


def train(context: Context, name: str, system: SystemSettings, directory: Path, out: Path | None) -> None:
    """Fit a system to all pairs and keep its weights."""
    if not system.trained:
        raise UsageError(
            f"system {name!r} has nothing to train; use it as it is: kindred score --system {name}"
        )
    pairs = _with_gold(context, directory)
    task = _task(context, name, system, pairs)
    fitted = fitting(name, system, task.types)(
        task.values, task.gold, labels(pairs.ids), context.settings.evaluation.seed
    )
    trained_on = provenance.trained_on(directory.resolve().name, len(pairs), pairs.digest, pairs.gold_source)
    folder = out or context.settings.state.weights
    path = artefact.save(
        folder, fitted.system, fitted.row, context.settings.features, trained_on=trained_on, pairs=len(pairs)
    )
    if context.json:
        answer = {"weights": str(path), "system": name, "trained_on": trained_on, "gold": pairs.gold_source}
        more = {"pairs": len(pairs), "chosen": fitted.chosen, "features": report.weights(fitted.system)}
        context.print_json({**answer, **more})
    else:
        report.show_weights(context.console, fitted.system)
        for setting, value in fitted.chosen.items():
            report.show_line(context.console, f"{name}: chosen {setting} {value}")
        report.show_line(context.console, f"{name}: trained on {trained_on}; kept in {path}")


def score(context: Context, name: str, directory: Path, out: Path) -> None:
    """Score pairs with the weights at hand; where the system lacks a resource by the one in its place."""
    settings = context.settings
    pairs = read_pairs(directory, context.settings.types)
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
    context: Context, name: str, system: SystemSettings, directory: Path, cv: int | None, unseen: bool
) -> None:
    """One system: with the weights at hand, in folds, or unseen."""
    pairs = _with_gold(context, directory)
    at_hand = system.trained and cv is None and not unseen
    fitted = open_system(context.settings, name) if at_hand else None
    task = _task(context, name, system, pairs)
    found = evaluate(task, cv, unseen)
    if fitted is not None:
        weights = artefact.manifest(name, artefact.directories(context.settings.state.weights))
        found.append(task.as_it_is(fitted, weights.trained_on))
    if context.json:
        answer = {"pairs": report.about(pairs, directory), "system": name, "title": system.title}
        documents = [report.document(result) for result in found]
        context.print_json({**answer, "features": system.needs, "results": documents})
    else:
        _say_size(context, directory, pairs)
        report.show(context.console, name, found)


def ablate_one(
    context: Context, name: str, system: SystemSettings, directory: Path, measures: bool, number: int
) -> None:
    """One system without each of its features, or without the features of each measure."""
    pairs = _with_gold(context, directory)
    found = _ablated(context, _task(context, name, system, pairs), measures, number)
    if context.json:
        answer = {"pairs": report.about(pairs, directory), "system": name, "title": system.title}
        context.print_json({**answer, "features": system.needs, "ablation": found})
    else:
        _say_size(context, directory, pairs)
        report.show_sheets(context.console, [tables.ablation(name, found)])


def evaluate_all(context: Context, directory: Path, number: int) -> None:
    """Every declared system, and every feature that one of them needs."""
    pairs = _with_gold(context, directory)
    systems = context.settings.systems
    found = _compared(context, systems, pairs, _prepared(context, pairs, systems), number)
    if context.json:
        about = {"pairs": report.about(pairs, directory)}
        context.print_json({**about, **report.comparison_document(found)})
    else:
        _say_size(context, directory, pairs)
        report.show_comparison(context.console, found)


def publish(context: Context, name: str, system: SystemSettings, directory: Path, out: Path) -> None:
    """Write what was measured of every system, and of one of them closely."""
    pairs = _with_gold(context, directory)
    systems = context.settings.systems
    prepared = _prepared(context, pairs, systems)
    if name in prepared.absent:
        raise ResourceMissing(f"system {name!r} cannot be looked at: {prepared.absent[name]}")
    found = _compared(context, systems, pairs, prepared, 0)
    looked_at = next(each for each in found.standings if each.name == name)
    ways = (True,) if system.trained else ()
    task = Task(name, system, found.grounds, prepared.table.over(system.needs))
    parts = [_ablated(context, task, measures, 0) for measures in ways]
    worst = publication.write(publication.Report(directory.resolve().name, found, looked_at, parts), out)
    if context.json:
        names = [each.name for each in found.standings]
        answer = {"results": str(out), "worst": str(worst), "system": name}
        context.print_json({**answer, "systems": names, "absent": found.absent})
    else:
        report.show_comparison(context.console, found)
        report.show_line(context.console, f"written: {out}, {worst}")


def _compared(
    context: Context, systems: Mapping[str, SystemSettings], pairs: Pairs, prepared: Prepared, number: int
) -> Comparison:
    trained = sum(about.trained for name, about in systems.items() if name not in prepared.absent)
    with _fits(context, pairs, trained, number) as grounds:
        return comparison.compare(systems, prepared, grounds, number)


def _ablated(context: Context, task: Task, measures: bool, number: int) -> list[Ablated]:
    system, declared = task.settings, context.settings.features
    parts: dict[str, list[str]] = {feature: [feature] for feature in system.sees}
    if measures:
        parts = ablation.by_measure(system.sees, {name: declared[name].measure for name in system.sees})
    with _fits(context, task.grounds.pairs, len(parts) + 1, number) as grounds:
        return ablation.ablate(replace(task, grounds=grounds), parts, number)


@contextmanager
def _fits(context: Context, pairs: Pairs, systems: int, number: int) -> Iterator[Grounds]:
    settings = context.settings.evaluation
    grounds = Grounds(pairs, settings)
    divisions = len(grounds.folds(number)) + (0 if grounds.unseen_refused else len(grounds.unseen))
    with context.progress("fit", systems * divisions) as advance:
        yield Grounds(pairs, settings, advance)


def _with_gold(context: Context, directory: Path) -> Pairs:
    pairs = read_pairs(directory, context.settings.types)
    pairs.known_gold()
    return pairs


def _say_size(context: Context, directory: Path, pairs: Pairs) -> None:
    report.show_line(context.console, f"{directory}: {len(pairs):,} pairs of {len(pairs.records):,} records")


def _prepared(context: Context, pairs: Pairs, systems: Mapping[str, SystemSettings]) -> Prepared:
    return comparison.prepare(
        context.settings, pairs, systems, lambda total: context.progress("analyse", total)
    )


def _task(context: Context, name: str, system: SystemSettings, pairs: Pairs) -> Task:
    grounds = Grounds(pairs, context.settings.evaluation)
    return Task(name, system, grounds, _values(context, name, system, pairs))


def _values(context: Context, name: str, system: SystemSettings, pairs: Pairs) -> Matrix:
    return _prepared(context, pairs, {name: system}).table.over(system.needs)
