"""Commands on pairs, by the entry point group ``kindred.commands``; each loads what it needs when it runs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from evaluation.commands.bench import bench
from evaluation.commands.evaluate import evaluate
from evaluation.commands.options import (
    ModelsOption,
    OnePairsOption,
    PairsOption,
    ReferenceOption,
    SystemOption,
)
from evaluation.commands.pairs import app as pairs_app
from service.cli.context import Context, JsonOption


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    for command in (train, evaluate, results, select, score, metric, bench):
        app.command()(command)
    app.add_typer(pairs_app)


def train(
    ctx: typer.Context,
    pairs: PairsOption,
    system: SystemOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the weights; the state directory's where none is named.")
    ] = None,
    with_feedback: Annotated[
        bool, typer.Option("--with-feedback", help="Train on what curators said of neighbours as well.")
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Keep the weights even where feedback makes the mean r worse.")
    ] = False,
    gain: Annotated[
        bool, typer.Option("--gain", help="Say r by the weights at hand and, in folds, by such a training.")
    ] = False,
    facts_models: ModelsOption = None,
    reference: ReferenceOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Fit a system's regressors, one for each type, to the gold of pairs and keep the weights.

    Settings that the system's row lists under select are chosen by a cross-validation of the pairs.
    With --with-feedback the mean r in folds of the pairs is told without feedback and with it, in the same
    folds; where it falls no weights are kept. With --gain the same is done for the pairs: before is r by the
    weights at hand, after by weights trained in folds on the other pairs alone.

    With --json: {"weights": FILE, "system", "trained_on", "gold", "pairs", "chosen": {SETTING:
    value}, "features": {FEATURE or "base": {TYPE: weight}}}, and with feedback "feedback": {"before",
    "after", "judged"}; with --gain "gain": {"before": {TYPE or "mean": r}, "after": likewise}.
    """
    from evaluation.running import Run, train

    train(
        Run.of(ctx.obj, system, pairs, facts_models, reference),
        out,
        with_feedback=with_feedback,
        anyway=anyway,
        gain=gain,
    )


def results(
    ctx: typer.Context,
    pairs: PairsOption,
    out: Annotated[Path, typer.Option(help="File for the results; worst.md is written beside it.")],
    system: SystemOption = None,
    facts_models: ModelsOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Measure every declared system and write the results as Markdown.

    The named system is looked at closely: what it loses without each feature and each measure, and
    the pairs that it is most wrong about, in worst.md. A findings.md beside the file is included. What
    the features give on pairs of the sample collection is written beside it, so that a test can tell
    whether the results are of this code.
    The same pairs, settings and resources give the same bytes.

    With --json: {"results": FILE, "worst": FILE, "system", "systems": [...], "absent": {SYSTEM: what
    would provide what it lacks}}.
    """
    from evaluation import running

    running.publish(running.Run.of(ctx.obj, system, pairs, facts_models), out)


def select(
    ctx: typer.Context,
    pairs: PairsOption = [],  # noqa: B006 - the default that typer has for a list
    system: SystemOption = None,
    most_terms: Annotated[int, typer.Option(min=1, max=100, help="Most terms of a type.")] = 16,
    most_features: Annotated[
        int, typer.Option(min=1, max=1000, help="Most features in all, their parts among them.")
    ] = 40,
    price: Annotated[
        float, typer.Option(min=0, help="The r that a millisecond of a question must bring a type.")
    ] = 0.001,
    museums: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="By each museum left out in turn, of the sets in this folder; those of --pairs only train.",
        ),
    ] = None,
    nested: Annotated[
        bool, typer.Option("--nested", help="Repeat it inside the training pairs of every division.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="File for what was found, as Markdown.")] = None,
    facts_models: ModelsOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Choose the terms of every type of an additive system, and print them as its row has them.

    Forward: each step takes the term, of whichever type, that raises r in folds and r on providers left
    out most, their mean less the price of the features that it makes the system read. It ends where none
    is worth its price. The candidates are those of the row, under among.

    With --museums every folder in DIR that holds pairs is left out in turn, as evaluate does, and r is that
    within each: a step raises the mean over the museums and the mean over the worst third of them, which
    count the same. A type counts in a museum where more than one pair in ten has a gold above 0.

    With --nested the same is done inside the training pairs of every fold and of every division that
    leaves providers out, or a museum: these figures are of pairs that had no part in the choice.

    With --json: {"pairs", "system", "own": {TYPE: [FEATURE, ...]}, "features": [... with parts],
    "steps": [{"type", "term", "folds", "unseen", "gain", "price"}], "absent": {RESOURCE: what would
    provide it}, "nested": [results as of evaluate]}. With --museums "museums" and "worst" in place of
    "folds" and "unseen", and "nested" has what evaluate --museums has under "museums".
    """
    from evaluation.choosing import SelectionLimits
    from evaluation.running import Run
    from evaluation.selecting import select
    from ingest.errors import UsageError

    if not (pairs or museums):
        raise UsageError("no pairs are named: add --pairs, or --museums")
    limits = SelectionLimits(most_terms, most_features, price)
    select(Run.of(ctx.obj, system, pairs, facts_models), limits, nested, out, museums)


def score(
    ctx: typer.Context,
    pairs: OnePairsOption,
    out: Annotated[Path, typer.Option(help="File for the scores: eight numbers a line, tab separated.")],
    system: SystemOption = None,
    reference: ReferenceOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Score pairs in the official layout: a line a pair, the eight types in the official order.

    Where neither record has anything of a type its number is 0. Where a resource that the system needs
    is absent the one declared to stand in for it scores, and the answer says so.

    Features are fitted on the records of these pairs, so that a score depends on the other pairs, unless
    --reference names a collection: then a pair has the same score whatever stands beside it.

    With --json: {"scores": FILE, "system", "stands_in_for": SYSTEM or null, "pairs", "fitted_on"}.
    """
    from evaluation.running import Run, score

    score(Run.of(ctx.obj, system, pairs, reference=reference), out)


def metric(
    ctx: typer.Context,
    cardinality: Annotated[
        Literal["1:1", "1:n"] | None, typer.Option(help="One pair at a time, or one item with many.")
    ] = None,
    interest: Annotated[
        Literal["all", "k-best", "threshold"] | None,
        typer.Option(help="All scores, the k best, or those above a threshold."),
    ] = None,
    information: Annotated[
        Literal["value", "rank", "classification"] | None,
        typer.Option(help="What is used of a score: its value, its rank, or its class."),
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Name the metrics that fit what an application needs of scores, by the framework of Beyer (2015).

    Without an option all nine plausible requirements are named; every option leaves those that fit it.

    With --json: [{"cardinality", "interest", "information", "metrics": [{"name", "title", "meaning",
    "function"}]}].
    """
    from evaluation.requirements import METRICS, recommended

    context: Context = ctx.obj
    requirements = recommended(cardinality, interest, information)
    document = [
        {
            "cardinality": one.cardinality,
            "interest": one.interest,
            "information": one.information,
            "metrics": [{"name": name, **METRICS[name]._asdict()} for name in one.metrics],
        }
        for one in requirements
    ]
    rows = [
        (one.cardinality, one.interest, one.information, name, METRICS[name].title)
        for one in requirements
        for name in one.metrics
    ]
    context.print_rows(document, ("cardinality", "interest", "information", "metric", "is"), rows)
