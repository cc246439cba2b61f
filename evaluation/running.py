"""What the commands do once their options are read: prepare, measure, and print."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evaluation import publication, report, scoring, sheets
from evaluation.comparison import AblationResult, Comparison, ablate, compare
from evaluation.correlation import agreement
from evaluation.fact_models import fact_models
from evaluation.fitting import Division, folds, labels
from evaluation.provenance import LearntPairs, packed
from evaluation.results import EvaluationData, Result, Task, evaluate
from evaluation.sample_figures import sample_figures
from evaluation.typed import Pairs, joined, read_directories, read_pairs, trained_on, write_scores
from ingest.catalogue import Catalogue
from ingest.errors import ResourceMissing, UsageError
from ingest.typed_files import write_pairs
from models import artefact
from models.systems import SystemSettings
from models.types import Types
from service.cli.context import Context
from service.opening import open_resources, open_system
from service.operations.feedback import Feedback, judged
from service.search.variants import choose
from service.sections import StateSettings


@dataclass(frozen=True)
class Run:
    """A command on a declared system and the pairs of some directories.

    ``models`` is a folder of models of facts: see :func:`evaluation.fact_models.fact_models`. ``reference``
    is the collection that features are fitted on, None for the records of each directory.
    """

    context: Context
    name: str
    system: SystemSettings
    directories: Sequence[Path]
    models: Path | None = None
    reference: Path | None = None

    @classmethod
    def of(
        cls,
        context: Context,
        name: str | None,
        directories: Sequence[Path],
        models: Path | None = None,
        reference: Path | None = None,
    ) -> "Run":
        """A run of the named system, else of that of the service; raises ``UnknownSystem``."""
        chosen = name or context.settings.service.system
        return cls(context, chosen, context.settings.system(chosen), directories, models, reference)

    @property
    def fitted_on(self) -> str:
        """In words what the features of pairs are fitted on."""
        if self.reference:
            return f"the records of {self.reference}"
        return "the records of " + ("these pairs" if len(self.directories) == 1 else "each directory alone")

    def data(self, pairs: Pairs) -> EvaluationData:
        """Some pairs, with how they are divided and what their features are fitted on."""
        return EvaluationData(pairs, self.context.settings.evaluation, self.fitted_on)

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs of all directories; raises ``PairsError`` where they have no gold."""
        return _with_gold(self.read)

    @cached_property
    def read(self) -> list[Pairs]:
        """The pairs of each directory."""
        return read_directories(self.directories, self.context.settings.types)

    def values(self, pairs: Pairs, systems: Mapping[str, SystemSettings]) -> scoring.PreparedFeatures:
        """The feature values of pairs that systems need; records that are new are analysed first."""
        context, models = self.context, fact_models(self.models)
        return scoring.prepare(
            context.settings,
            pairs,
            systems,
            lambda total: context.progress("analyse", total),
            models,
            self.reference,
        )

    def task(self, pairs: Pairs) -> Task:
        """The system over some pairs."""
        values = self.values(pairs, {self.name: self.system}).table.over(self.system.needs)
        return Task(self.name, self.system, self.data(pairs), values)

    @property
    def described(self) -> dict[str, object]:
        """The system for JSON."""
        return {"system": self.name, "title": self.system.title, "features": self.system.needs}

    def answer(self, document: Mapping[str, object], show: Callable[[], None]) -> None:
        """Print the pairs and a document for programs, or what ``show`` prints for people."""
        pairs, size = self.pairs, {"number": len(self.pairs), "records": self.pairs.size}
        if self.context.json:
            about = {"directories": list(map(str, self.directories)), **size}
            about |= {"digest": pairs.digest, "gold": pairs.gold_source}
            self.context.print_json({"pairs": about, **document})
        else:
            names = " + ".join(part.name for part in pairs.parts)
            sheets.show_line(self.context.console, f"{names}: {len(pairs):,} pairs of {pairs.size:,} records")
            show()


def _with_gold(read: Sequence[Pairs]) -> Pairs:
    pairs = joined(read)
    pairs.known_gold()
    return pairs


def train(
    run: Run, out: Path | None, *, with_feedback: bool = False, anyway: bool = False, gain: bool = False
) -> None:
    """Fit a system to all pairs, and to feedback if wanted, and store its weights.

    Raises ``UsageError`` where feedback makes it worse, unless ``anyway``.
    """
    context, name, settings = run.context, run.name, run.context.settings
    if not run.system.trained:
        raise UsageError(
            f"system {name!r} has nothing to train; use it as it is: kindred score --system {name}"
        )
    read = run.read
    pairs = _with_gold([*read, _judged_pairs(settings.state, settings.types)] if with_feedback else read)
    task = run.task(pairs)
    judged = _effect(task, sum(map(len, read))) if with_feedback else None
    if judged is not None:
        sentence = (
            f"{name}: mean r in folds {judged['before']:.4f} without feedback, {judged['after']:.4f} with the"
            f" {judged['judged']:,} pairs that were judged"
        )
        if judged["after"] < judged["before"] and not anyway:
            raise UsageError(f"{sentence}; no weights are kept. To keep them nevertheless add --anyway")
        if not context.json:
            sheets.show_line(context.console, sentence)
    gained = _gain(run, task) if gain else None
    system, row, chosen = task.fitted()
    source, folder = trained_on(pairs.parts), out or settings.state.weights
    if run.reference:
        source += f"; features fitted on {run.fitted_on}"
    learnt = packed(pairs.ids)
    path = artefact.save(
        folder, system, row, settings.features, trained_on=source, pairs=len(pairs), learnt=learnt
    )
    if context.json:
        answer = {"weights": str(path), "system": name, "trained_on": source, "gold": pairs.gold_source}
        more = {"pairs": len(pairs), "chosen": chosen, "features": report.weights(system)}
        feedback = {} if judged is None else {"feedback": judged}
        context.print_json({**answer, **more, **feedback, **({} if gained is None else {"gain": gained})})
        return
    report.show_weights(context.console, system)
    if gained is not None:
        sheets.show_sheets(context.console, [report.gain(gained)])
    for setting, value in chosen.items():
        sheets.show_line(context.console, f"{name}: chosen {setting} {value}")
    sheets.show_line(context.console, f"{name}: trained on {source}; kept in {path}")


def score(run: Run, out: Path) -> None:
    """Score pairs with the weights at hand; where the system lacks a resource by the one in its place."""
    context, settings = run.context, run.context.settings
    if len(run.directories) > 1:
        raise UsageError("a file of scores is of one directory: name one with --pairs, and run it for each")
    pairs = read_pairs(run.directories[0], settings.types)
    variant = choose(settings, open_resources(settings), run.name)
    system = open_system(settings, variant.system)
    # scoring takes minutes: who meant another system wants to know before
    if variant.warning:
        context.warn(variant.warning)
    scorer = Run.of(context, variant.system, run.directories, reference=run.reference)
    values = scorer.task(pairs).values
    scores = system.score_pairs(values, pairs.same)
    write_scores(out, scores)
    if context.json:
        names = {"system": variant.system, "stands_in_for": variant.stands_in_for}
        context.print_json({"scores": str(out), **names, "pairs": len(pairs), "fitted_on": scorer.fitted_on})
    else:
        sentence = (
            f"{out}: {len(pairs):,} pairs scored by {variant.system}; features fitted on {scorer.fitted_on}"
        )
        sheets.show_line(context.console, sentence)


def evaluate_one(run: Run, cv: int | None, unseen: bool) -> None:
    """One system: with the weights at hand, in folds, or unseen."""
    settings, name, pairs = run.context.settings, run.name, run.pairs
    at_hand = run.system.trained and cv is None and not unseen
    system = open_system(settings, name) if at_hand else None
    task = run.task(pairs)
    results = evaluate(task, cv, unseen)
    if system is not None:
        weights = artefact.manifest(name, artefact.directories(settings.state.weights))
        results.append(task.as_trained(system, LearntPairs.of(weights)))
    _answer_results(run, results)


def evaluate_apart(run: Run, tests: Sequence[Path]) -> None:
    """One system, trained on the pairs of some directories, on those of others."""
    training, test = run.pairs, replace(run, directories=tests)
    _answer_results(test, [_apart(run, training, test.pairs)])


def _answer_results(run: Run, results: Sequence[Result]) -> None:
    documents = {"results": [report.document(result) for result in results]}
    readers = run.data(run.pairs).readers
    run.answer(
        {**run.described, **documents, "readers": readers},
        lambda: report.show(run.context.console, run.name, results, readers),
    )


def ablate_one(run: Run, measures: bool, number: int) -> None:
    """One system without each of its features, or without the features of each measure."""
    task = run.task(run.pairs)
    parts = _ablated(run.context, task, measures, number)
    sheet = report.ablation(run.name, parts, task.grounds.readers)
    run.answer({**run.described, "ablation": parts}, lambda: sheets.show_sheets(run.context.console, [sheet]))


def evaluate_all(run: Run, number: int) -> None:
    """Every declared system, and every feature that one of them needs."""
    result = _compared(run, run.values(run.pairs, run.context.settings.systems), number)
    console = run.context.console
    run.answer(report.comparison_document(result), lambda: report.show_comparison(console, result))


def publish(run: Run, out: Path) -> None:
    """Write what was measured of every system, and of one of them closely."""
    context, name, system, pairs = run.context, run.name, run.system, run.pairs
    values = run.values(pairs, context.settings.systems)
    if name in values.absent:
        raise ResourceMissing(f"system {name!r} cannot be looked at: {values.absent[name]}")
    result = _compared(run, values, 0)
    close = next(each for each in result.standings if each.name == name)
    task = Task(name, system, result.grounds, values.table.over(system.needs))
    parts = _ablated(context, task, True, 0) if system.trained else []
    apart = {
        test.parts[0].name: _apart(run, joined([each for each in run.read if each is not test]), test)
        for test in run.read
        if len(run.read) > 1
    }
    sample = sample_figures(context.settings, {each.name: each.settings for each in result.standings})
    worst = publication.write(publication.ResultsReport(result, close, apart, parts, sample), out)
    if context.json:
        names = [each.name for each in result.standings]
        answer = {"results": str(out), "worst": str(worst), "system": name}
        context.print_json({**answer, "systems": names, "absent": result.absent})
    else:
        report.show_comparison(context.console, result)
        sheets.show_line(context.console, f"written: {out}, {worst}")


def _compared(run: Run, prepared: scoring.PreparedFeatures, number: int) -> Comparison:
    systems = run.context.settings.systems
    trained = sum(system.trained for name, system in systems.items() if name not in prepared.absent)
    with _fits(run.context, run.data(run.pairs), trained, number) as data:
        return compare(systems, prepared, data, number)


def _ablated(context: Context, task: Task, measures: bool, number: int) -> list[AblationResult]:
    declared, parts = context.settings.features, defaultdict[str, list[str]](list)
    for feature in task.settings.sees:
        parts[declared[feature].measure if measures else feature].append(feature)
    with _fits(context, task.grounds, len(parts) + 1, number) as data:
        return ablate(replace(task, grounds=data), parts, number)


@contextmanager
def _fits(context: Context, data: EvaluationData, systems: int, number: int) -> Iterator[EvaluationData]:
    divisions = len(data.folds(number)) + (0 if data.unseen_refused else len(data.unseen))
    with context.progress("fit", systems * divisions) as advance:
        yield replace(data, advance=advance)


def _apart(run: Run, training: Pairs, test: Pairs) -> Result:
    """What a system is worth on pairs of which its model saw none."""
    tested = {frozenset(ids) for ids in test.ids}
    others = np.array([frozenset(ids) not in tested for ids in training.ids], dtype=bool)
    if not others.any():
        raise UsageError("--test holds every pair that --pairs names: nothing is left to train on")
    task = run.task(test)
    if not run.system.trained:
        return task.untrained()
    learnt = run.task(training)
    statement = f"held out: trained on {trained_on(training.parts)}"
    if not others.all():
        statement += f", less the {np.count_nonzero(~others)} pairs that are tested"
    return task.scored_by(learnt.fitted(others).system, "held out", "held out", statement)


def _judged_pairs(state: StateSettings, types: Types) -> Pairs:
    """The pairs that were judged, as they are written out for others; raises ``UsageError`` for none."""
    with Feedback(state.feedback) as feedback:
        pairs = judged(feedback.every(), types)
    if not pairs:
        raise UsageError("nobody has given feedback yet; leave out --with-feedback")
    ids = {item for judgement in pairs for item in judgement.pair}
    with Catalogue(state.catalogue, read_only=True) as catalogue:
        records = catalogue.some(ids)
    with TemporaryDirectory() as folder:
        named = Path(folder) / "feedback"
        if not write_pairs(named, pairs, records):
            raise UsageError("there is no feedback on items that are in the collection")
        return read_pairs(named, types)


def _gain(run: Run, task: Task) -> dict[str, dict[str, float]]:
    """r over the pairs by the weights at hand, and in folds by weights trained on the other folds alone."""
    system = open_system(run.context.settings, run.name)
    weights = artefact.manifest(run.name, artefact.directories(run.context.settings.state.weights))
    results = {
        "before": task.as_trained(system, LearntPairs.of(weights)),
        "after": task.cross_validated(0),
    }
    return {name: {**one.agreement.pearson, "mean": one.agreement.mean} for name, one in results.items()}


def _effect(task: Task, given: int) -> dict[str, float]:
    """The mean r of the first ``given`` pairs in folds, without and with the judged pairs behind them.

    Both times the same folds test the same pairs: those of a cross-validation without feedback. No judged
    pair that shares a record with a tested one, by any chain of pairs, is trained on.
    """
    data, judged_rows = task.grounds, np.arange(given, len(task.gold))
    group = labels(data.pairs.ids[:given], data.pairs.texts[:given])
    without = folds(group, data.settings.folds, data.settings.seed)
    divisions = []
    for name, train, test in without:
        apart = ~np.isin(data.group[judged_rows], data.group[test])
        divisions.append(Division(name, np.concatenate([train, judged_rows[apart]]), test))

    def mean(divisions: list[Division]) -> float:
        scores = task.predicted(divisions).scores
        return agreement(task.gold[:given], scores[:given], task.types).mean

    return {"before": mean(without), "after": mean(divisions), "judged": len(judged_rows)}
