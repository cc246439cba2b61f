"""Language models: ``kindred models download`` and ``check``."""

import typer

from service.cli.context import Context, JsonOption

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
