"""``python -m training models``, ``encoder``, ``facts``, ``layers`` and so on: what Kindred comes with."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ingest.errors import KindredError
from service.cli.context import Context, JsonOption

app = typer.Typer(
    name="training",
    help="Trains the models that Kindred comes with.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _start(
    ctx: typer.Context,
    config: Annotated[Path | None, typer.Option(help="A configuration file over the project's own.")] = None,
) -> None:
    ctx.obj = Context(config)


@app.command()
def models(
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
    from training.museum import texts_of_records
    from training.run import train_all
    from training.sources import TrainingSources

    sources = TrainingSources.from_shared(shared)
    texts = texts_of_records(sources, context.settings.mappings)
    context.say("accuracy", train_all(sources, out, texts, test=test, work=work, say=_say))


@app.command()
def encoder(
    ctx: typer.Context,
    shared: Annotated[
        Path, typer.Option(help="Folder that holds data/records, data/wikipedia, data/sts and data/ud.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the model.")],
    work: Annotated[
        Path, typer.Option(help="Folder for the vectors to learn from, so that a stopped run can go on.")
    ],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the compact sentence encoder from MiniLM, and compare the two (under an hour on two cores)."""
    context: Context = ctx.obj
    from features.knowledge.wordnet.reader import open_wordnet
    from training.encoder import train_encoder

    settings = context.settings
    wordnet, workers = open_wordnet(settings.resources.wordnet), settings.analysis.workers
    context.say(
        "compact sentence encoder",
        train_encoder(shared, out, work, settings.mappings, wordnet, workers=workers, say=_say),
    )


@app.command()
def facts(
    ctx: typer.Context,
    shared: Annotated[Path, typer.Option(help="Folder that holds data/facts and data/records.")],
    out: Annotated[Path, typer.Option(help="Folder for the models.")],
    work: Annotated[Path, typer.Option(help="Folder for half-done work, so that a stopped run can go on.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the models of facts, also those that leave museums out, and test them (an hour on two cores)."""
    context: Context = ctx.obj
    from service.opening import open_resources
    from training.facts import train_facts

    settings = context.settings
    context.say(
        "facts",
        train_facts(
            shared,
            out,
            work,
            settings.mappings,
            open_resources(settings),
            analysis=settings.analysis,
            say=_say,
        ),
    )


@app.command()
def about(
    ctx: typer.Context,
    shared: Annotated[Path, typer.Option(help="Folder that holds data/facts.")],
    out: Annotated[Path, typer.Option(help="Folder for the models, that of the models of facts.")],
    work: Annotated[Path, typer.Option(help="Folder for the profiles of the records.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the models of what records are about, also those that leave museums out (two minutes)."""
    context: Context = ctx.obj
    from features.knowledge.wordnet.reader import open_wordnet
    from training.about import train_about

    settings = context.settings
    wordnet = open_wordnet(settings.resources.wordnet)
    context.say("about", train_about(shared, out, work, wordnet, analysis=settings.analysis, say=_say))


@app.command()
def layers(
    ctx: typer.Context,
    shared: Annotated[Path, typer.Option(help="Folder that holds data/wikipedia and data/records.")],
    out: Annotated[Path, typer.Option(help="Folder for the layers: features/research/weights.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Train the clusters and CBOW vectors of the Cube's word layers (six to eight minutes on one core)."""
    context: Context = ctx.obj
    from training.sources import TrainingSources
    from training.word_layers import train_layers

    context.say("word layers", train_layers(TrainingSources.from_shared(shared), out, say=_say))


@app.command()
def makers(
    ctx: typer.Context,
    shared: Annotated[Path, typer.Option(help="Folder that holds data/records.")],
    out: Annotated[Path, typer.Option(help="File for the table: features/text/names/makers.tsv.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Gather the nations of makers from the shared records and from training/labels/makers.txt."""
    context: Context = ctx.obj
    from training.makers import write_makers

    context.say("makers", write_makers(shared, out, context.settings.mappings))


@app.command()
def glosses(
    ctx: typer.Context,
    shared: Annotated[Path, typer.Option(help="Folder that holds data/records.")],
    out: Annotated[Path, typer.Option(help="File for the table: features/text/glosses.tsv.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Write the words of other languages with their English, in all forms; counts the forms by language."""
    context: Context = ctx.obj
    from features.text.language import Language
    from training.glosses import english_records, write_glosses

    settings = context.settings
    records = english_records(shared, settings.mappings)
    context.say("glosses", write_glosses(records, Language(settings.models.language), out))


def _say(line: str) -> None:
    typer.echo(line, err=True)


def main() -> None:
    """Run the command; a foreseeable error is one line on stderr and an exit status, never a traceback."""
    try:
        app(prog_name="python -m training")
    except KindredError as error:
        _stop(f"{error.code}: {error.detail}", error.exit_status)
    except OSError as error:  # corpora that are not there, a folder that may not be written
        _stop(f"system: {error}", 1)


def _stop(message: str, status: int) -> None:
    typer.echo(f"training: {message}", err=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
