"""Language models: ``kindred models download`` and ``check``."""

import typer

from service.cli.context import Context, JsonOption, group

app = group("models", "The language models that analyse the texts.")


@app.command()
def check(ctx: typer.Context, json: JsonOption = False) -> None:
    """Load the configured models and put their known questions to them."""
    context: Context = ctx.obj
    from service.composition import open_language

    settings = context.served()
    language = open_language(settings)
    facts = {"directory": str(language.directory), "fingerprint": language.fingerprint}
    context.say("language models", {"package": settings.language.package, **facts})


@app.command()
def download(ctx: typer.Context, json: JsonOption = False) -> None:
    """Fetch Stanza's own English package, which language.package: default then uses (needs a network)."""
    context: Context = ctx.obj
    from features.text import standard
    from features.text.language import read_manifest

    directory = context.basic_settings.standard_models
    standard.download(directory)
    files = read_manifest(directory).files
    size = sum(facts.bytes for facts in files.values())
    context.say("downloaded", {"directory": str(directory), "files": len(files), "bytes": size})
