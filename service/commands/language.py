"""Language models: ``kindred models download``, ``train``, ``train-subjects`` and ``check``."""

from pathlib import Path
from typing import Annotated

import typer

from service.context import Context, JsonOption

models = typer.Typer(
    name="models",
    help="The language models that analyse the texts.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.add_typer(models)


@models.command()
def check(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Load the configured models and put their known questions to them."""
    context: Context = ctx.obj
    from service.composition import open_language

    language = open_language(context.settings)
    facts = {
        "package": context.settings.language.package,
        "directory": str(language.directory),
        "fingerprint": language.fingerprint,
    }
    context.say("language models", facts)


@models.command()
def download(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Fetch Stanza's own English package, which language.package: default then uses (needs a network)."""
    context: Context = ctx.obj
    from features.text import standard
    from features.text.language import read_manifest

    directory = context.settings.standard_models
    standard.download(directory)
    files = read_manifest(directory).files
    size = sum(facts.bytes for facts in files.values())
    context.say("downloaded", {"directory": str(directory), "files": len(files), "bytes": size})


@models.command()
def train(
    ctx: typer.Context,
    shared: Annotated[
        Path, typer.Option(help="Folder that holds data/ud, data/ner, data/wikipedia and data/records.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the models.")],
    test: Annotated[
        Path | None, typer.Option(help="Labels of museum records to score on: tests/data/entities/test.tsv.")
    ] = None,
    work: Annotated[
        Path | None, typer.Option(help="Folder for half-done work, so that a stopped run can go on.")
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the compact English models from the corpora, and score them (about an hour on two cores)."""
    context: Context = ctx.obj
    from training import TrainingSources, train_all
    from training.museum import texts_of_records

    sources = TrainingSources.from_shared(shared)
    texts = texts_of_records(sources, context.settings.mappings)
    context.say("accuracy", train_all(sources, out, texts, test=test, work=work, say=_say))


@models.command()
def train_subjects(
    ctx: typer.Context,
    shared: Annotated[
        Path, typer.Option(help="Folder that holds data/records/tate.jsonl.gz and data/typed.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the model.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the model of predicted subjects from Tate's records, and test it (minutes)."""
    context: Context = ctx.obj
    from training import subjects

    context.say("predicted subjects", subjects.train_subjects(shared, out, say=_say))


def _say(line: str) -> None:
    typer.echo(line, err=True)
