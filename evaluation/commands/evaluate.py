"""The command ``kindred evaluate``: how well scores agree with gold, in each of its ways."""

from pathlib import Path
from typing import Annotated

import typer

from evaluation.commands.options import ModelsOption, PairsOption, SystemOption
from service.cli.context import JsonOption


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
    scores: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Scores of any system: eight numbers a line and pair. May be repeated."
        ),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Two systems, each a file of scores or a declared system."),
    ] = None,
    metrics: Annotated[
        bool, typer.Option("--metrics", help="With --scores: rank correlation, nDCG and errors as well.")
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

    With --scores the scores of other programs are measured: a file in the layout of the gold each. With
    --compare two systems are: by type with Williams' test and Holm's correction, in the mean by a paired
    bootstrap. A declared system is scored in folds, or unseen with --unseen.

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
    "by_type", "mean", "bias", "pooled", "pooled_mean"}. With --scores "scores" in place of "results":
    [{"file", ... as results}], and "metrics": {FILE: {METRIC: {TYPE: figure}}}. With --compare "compared":
    [{"name", ... as results}], and "differences": {"by_type": {TYPE: {"difference", "p", "interval",
    "p_corrected"}}, "mean": {"difference", "p", "interval"}}.
    """
    from evaluation import running
    from ingest.errors import UsageError

    divided, others = unseen or cv is not None, test or every or ablate or museums
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
        (scores and (others or divided or system), "--scores is of files alone: leave out other ways"),
        (
            compare and (others or scores or system),
            "--compare names its systems: leave out --system, --scores and other ways",
        ),
        (metrics and not scores, "--metrics is about given scores: add --scores"),
    )
    for holds, sentence in refused:
        if holds:
            raise UsageError(sentence)
    run = running.Run.of(ctx.obj, system, pairs, facts_models)
    if scores or compare:
        from evaluation.given_scores import compare_two, evaluate_given

        if scores:
            evaluate_given(run, scores, metrics)
        elif compare:
            compare_two(run, compare, cv, unseen)
    elif museums:
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
