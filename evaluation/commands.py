"""Commands on pairs, by the entry point group ``kindred.commands``; each loads what it needs when it runs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from service.cli.context import Context, JsonOption

PairsOption = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="DIR",
        help="Directory in the official layout: STS.input.europeana.txt, pairs/text, gold. May be repeated.",
    ),
]
OnePairsOption = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="DIR",
        help="Directory in the official layout: STS.input.europeana.txt, pairs/text.",
    ),
]
SystemOption = Annotated[
    str | None, typer.Option("--system", help="A declared system; service.system where none is named.")
]
ModelsOption = Annotated[
    Path | None,
    typer.Option(
        "--facts-models",
        metavar="DIR",
        help="Folder of models of facts, each for sets of pairs that it learnt nothing from.",
    ),
]


ReferenceOption = Annotated[
    Path | None,
    typer.Option(
        "--reference",
        metavar="CATALOGUE|DIR",
        help="Fit features on this collection: a catalogue, a state directory, or a directory of pairs.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    for command in (train, evaluate, results, select, score, metric):
        app.command()(command)


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
    facts_models: ModelsOption = None,
    reference: ReferenceOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Fit a system's regressors, one for each type, to the gold of pairs and keep the weights.

    Settings that the system's row lists under select are chosen by a cross-validation of the pairs.
    With --with-feedback the mean r in folds of the pairs is told without feedback and with it, in the same
    folds; where it falls no weights are kept.

    With --json: {"weights": FILE, "system", "trained_on", "gold", "pairs", "chosen": {SETTING:
    value}, "features": {FEATURE or "base": {TYPE: weight}}}, and with feedback "feedback": {"before",
    "after", "judged"}.
    """
    from evaluation.running import Run, train

    train(
        Run.of(ctx.obj, system, pairs, facts_models, reference),
        out,
        with_feedback=with_feedback,
        anyway=anyway,
    )


def evaluate(
    ctx: typer.Context,
    pairs: PairsOption = [],  # noqa: B006 - the default that typer has for a list
    system: SystemOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every declared system, in folds and unseen; features alone.")
    ] = False,
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
    test: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="Train on --pairs, test on the pairs of this directory. May be repeated."
        ),
    ] = None,
    museums: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Each museum left out in turn, of the sets in this folder; those of --pairs only train.",
        ),
    ] = None,
    at_hand: Annotated[
        bool, typer.Option("--at-hand", help="With --museums: by the weights at hand, nothing left out.")
    ] = False,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="What the system loses without each of its features.")
    ] = False,
    measures: Annotated[
        bool, typer.Option("--measures", help="With --ablate: without all features of a measure at once.")
    ] = False,
    facts_models: ModelsOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Pearson r of a system with the gold, for each type and their mean, and counts of errors.

    Without --cv and --unseen a system that is trained scores with the weights at hand; one that has
    nothing to train scores the same with or without them. With --test it is trained on --pairs, but for
    pairs that are tested, and scores the pairs of the other directory. Where the pairs are of several
    directories every figure is given for all together and for each. With --all every declared system is
    scored, those that are trained in folds and unseen. With --ablate the system is trained again
    without each of its features, in folds and unseen.

    With --museums every folder in DIR that holds pairs is the set of a museum, or of several. The system is
    trained on the other sets, but for pairs that touch a record of the museum, and scores its pairs. A
    type counts in a museum where more than one pair in ten has a gold above 0. With --at-hand the weights
    at hand score all sets.

    Every statement says what the gold is: model-annotated, where a README.md of the pairs or of the
    folder above says so.

    With --json: {"pairs": {"directories": [...], "number", "records", "digest", "gold"}, "system",
    "title", "features": [...], "results": [{"way": untrained | weights | cross-validation | unseen |
    held out, "statement", "pearson": {TYPE: r or null}, "mean", "interval": [low, high] of the mean,
    "undefined": {TYPE: reason}, "errors": {">4" | ">3" | ">2": {TYPE: count}}, with unseen "within",
    "within_providers", "bias", of several directories "directories": {NAME: {"number", "pearson",
    "mean"}}, and where settings were chosen "chosen": {DIVISION: {SETTING:
    value}}}]}.

    With --all: {"pairs", "systems": [{"system", "title", "features", "results"}], "absent": {SYSTEM:
    what would provide what it lacks}, "features": [{"feature", "informed": pairs, "pearson": {TYPE:
    r, no information as 0}, "among_informed": {TYPE: r}}]}. With --ablate "ablation" in place of
    "results": [{"without", "features", "mean", "change", "unseen", "unseen_change"}]. With --museums
    "museums" in place of "results": {"statement", "museums": [{"name", "pairs", "trained_on": pairs,
    "pearson", "counted": [TYPE, ...], "mean", "bias", "readers": {"pairs", "pearson", "mean"} or null}],
    "by_type", "mean", "bias", "pooled", "pooled_mean"}.
    """
    from evaluation import running
    from ingest.errors import UsageError

    divided = unseen or cv is not None
    refused = (
        (not (pairs or museums), "no pairs are named: add --pairs, or --museums"),
        (every and system, "--all is of every system: leave out --all or --system"),
        (every and ablate, "--all and --ablate show different tables: leave out one"),
        (unseen and (every or ablate), "--all and --ablate test unseen by themselves: leave out --unseen"),
        (measures and not ablate, "--measures says what --ablate leaves out: add --ablate"),
        (at_hand and not museums, "--at-hand says how --museums scores: add --museums"),
        (
            test and (every or ablate or divided),
            "--test is a way of its own: leave out --all, --ablate, --unseen and --cv",
        ),
        (
            museums and (test or every or ablate or divided),
            "--museums is a way of its own: leave out --test, --all, --ablate, --unseen and --cv",
        ),
    )
    for holds, sentence in refused:
        if holds:
            raise UsageError(sentence)
    run = running.Run.of(ctx.obj, system, pairs, facts_models)
    if museums:
        from evaluation.leaving_out import evaluate_museums

        evaluate_museums(run, museums, at_hand)
    elif test:
        running.evaluate_apart(run, test)
    elif every:
        running.evaluate_all(run, cv or 0)
    elif ablate:
        running.ablate_one(run, measures, cv or 0)
    else:
        running.evaluate_one(run, cv, unseen)


def results(
    ctx: typer.Context,
    pairs: PairsOption,
    out: Annotated[Path, typer.Option(help="File for the results; worst.md is written beside it.")],
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Measure every declared system and write the results as Markdown.

    The named system is looked at closely: what it loses without each feature and each measure, and
    the pairs that it is most wrong about, in worst.md. A findings.md beside the file is included.
    The same pairs, settings and resources give the same bytes.

    With --json: {"results": FILE, "worst": FILE, "system", "systems": [...], "absent": {SYSTEM: what
    would provide what it lacks}}.
    """
    from evaluation import running

    running.publish(running.Run.of(ctx.obj, system, pairs), out)


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
