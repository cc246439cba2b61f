"""``kindred train``, ``evaluate`` and ``score``: systems on typed-similarity pairs.

Found by the entry point group ``kindred.commands``. Only typer is imported here; a command loads
what it needs when it runs.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.context import Context, JsonOption

if TYPE_CHECKING:
    from evaluation.typed import Pairs
    from models.systems import Matrix, SystemSettings

PairsOption = Annotated[
    Path,
    typer.Option(
        "--pairs", help="Directory in the official layout: STS.input.europeana.txt, pairs/text, gold."
    ),
]
SystemOption = Annotated[
    str | None, typer.Option("--system", help="A system of config.yaml; service.system where none is named.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command()(train)
    app.command()(evaluate)
    app.command()(score)


def train(
    ctx: typer.Context,
    pairs: PairsOption,
    system: SystemOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the weights; the state directory's where none is named.")
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Fit a system's eight regressors to the gold of pairs and keep the weights.

    With --json: {"weights": FILE, "system", "trained_on", "gold", "pairs", "features": {FEATURE or
    "base": {TYPE: weight}}}.
    """
    context: Context = ctx.obj
    name, chosen = _system(context, system)
    from evaluation import provenance, report
    from evaluation.typed import read_pairs
    from ingest.errors import UsageError
    from models import artefact
    from models.regression import fit

    if not chosen.trained:
        raise UsageError(
            f"system {name!r} has nothing to train; use it as it is: kindred score --system {name}"
        )
    read = read_pairs(pairs)
    gold = read.known_gold()
    fitted = fit(name, chosen, _values(context, chosen, read), gold)
    trained_on = provenance.trained_on(pairs.resolve().name, len(read), read.digest, read.gold_source)
    folder = out or context.settings.state.weights
    try:
        path = artefact.save(
            folder, fitted, context.settings.features, trained_on=trained_on, pairs=len(read)
        )
    except OSError as error:
        raise UsageError(f"no weights can be written to {folder}: {error.strerror or error}") from None
    if context.json:
        answer = {"weights": str(path), "system": name, "trained_on": trained_on, "gold": read.gold_source}
        context.print_json({**answer, "pairs": len(read), "features": report.weights(fitted)})
    else:
        report.show_weights(context.console, fitted)
        context.console.print(
            f"{name}: trained on {trained_on}; kept in {path}", highlight=False, markup=False
        )


def evaluate(
    ctx: typer.Context,
    pairs: PairsOption,
    system: SystemOption = None,
    cv: Annotated[
        int | None,
        typer.Option(
            "--cv",
            min=0,
            max=100,
            metavar="FOLDS",
            help="Cross-validate instead of using the weights at hand; 0: evaluation.folds of config.yaml.",
        ),
    ] = None,
    unseen: Annotated[
        bool, typer.Option("--unseen", help="Test on collections whose provider is in no pair trained on.")
    ] = False,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Pearson r of a system with the gold, for the eight types and their mean, and counts of errors.

    Without --cv and --unseen a system that is trained scores with the weights at hand; one that has
    nothing to train scores the same with or without --cv.

    Every statement says what the gold is: model-annotated, where a README.md of the pairs or of the
    folder above says so.

    With --json: {"pairs": {"directory", "number", "records", "digest", "gold"}, "system", "title",
    "features": [...], "results": [{"way": untrained | weights | cross-validation | unseen,
    "statement", "pearson": {TYPE: r or null}, "mean", "undefined": {TYPE: reason}, "errors":
    {">4" | ">3" | ">2": {TYPE: count}}, and for unseen "within", "within_providers", "bias"}]}.
    """
    context: Context = ctx.obj
    name, chosen = _system(context, system)
    from evaluation import report, results
    from evaluation.typed import read_pairs
    from models import artefact
    from service.composition import open_system

    read = read_pairs(pairs)
    read.known_gold()
    at_hand = chosen.trained and cv is None and not unseen
    fitted = open_system(context.settings, name) if at_hand else None
    task = results.Task(name, chosen, read, _values(context, chosen, read))
    found = results.evaluate(task, context.settings.evaluation, cv, unseen)
    if fitted is not None:
        weights = artefact.manifest(name, artefact.directories(context.settings.state.weights))
        found.append(task.as_it_is(fitted, weights.trained_on))
    if context.json:
        size = {"number": len(read), "records": len(read.records), "digest": read.digest}
        about = {"directory": str(pairs), **size, "gold": read.gold_source}
        answer = {"pairs": about, "system": name, "title": chosen.title}
        documents = [report.document(result) for result in found]
        context.print_json({**answer, "features": chosen.needs, "results": documents})
    else:
        line = f"{pairs}: {len(read):,} pairs of {len(read.records):,} records"
        context.console.print(line, highlight=False, markup=False)
        report.show(context.console, name, found)


def score(
    ctx: typer.Context,
    pairs: PairsOption,
    out: Annotated[Path, typer.Option(help="File for the scores: eight numbers a line, tab separated.")],
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Score pairs in the official layout: a line a pair, the eight types in the official order.

    With --json: {"scores": FILE, "system", "pairs"}.
    """
    context: Context = ctx.obj
    name, chosen = _system(context, system)
    from evaluation.typed import read_pairs, write_scores
    from service.composition import open_system

    read = read_pairs(pairs)
    fitted = open_system(context.settings, name)
    write_scores(out, fitted.score(_values(context, chosen, read)))
    if context.json:
        context.print_json({"scores": str(out), "system": name, "pairs": len(read)})
    else:
        line = f"{out}: {len(read):,} pairs scored by {name}"
        context.console.print(line, highlight=False, markup=False)


def _system(context: Context, name: str | None) -> "tuple[str, SystemSettings]":
    chosen = name or context.settings.service.system
    return chosen, context.settings.system(chosen)


def _values(context: Context, system: "SystemSettings", pairs: "Pairs") -> "Matrix":
    from evaluation.scoring import CATALOGUE, feature_values, pair_profiles
    from features.measures.derived import needed
    from service.composition import open_resources

    settings = context.settings
    profiles = pair_profiles(
        pairs,
        settings.state.directory / CATALOGUE,
        settings.models,
        settings.analysis,
        lambda total: context.progress("analyse", total),
    )
    names = needed(system.needs, settings.features)
    values = feature_values(
        pairs, {name: settings.features[name] for name in names}, profiles, open_resources(settings)
    )
    return values[:, [names.index(name) for name in system.needs]]
