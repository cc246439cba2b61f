"""Records in: ``kindred ingest`` and ``kindred build``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.context import Context, JsonOption

if TYPE_CHECKING:
    from ingest.catalogue import Catalogue
    from ingest.ingestion import Summary
    from service.settings import Settings


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command()(ingest)
    app.command()(build)


def ingest(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(help="CSV, TSV, JSON or JSON Lines, plain or .gz; or a directory of Typed-Similarity files."),
    ],
    mapping: Annotated[
        str | None, typer.Option(help="How columns become fields: a name under mappings in config.yaml.")
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Read records into the catalogue; what is already there and unchanged stays as it is.

    A record without an id or without any text is rejected: its line and the reason go to
    rejects.jsonl in the state directory. Exit status 0: all taken; 3: some were rejected.
    """
    context: Context = ctx.obj
    settings = context.settings
    from ingest.catalogue import Catalogue
    from ingest.ingestion import ingest as run

    chosen = settings.mapping(mapping or settings.ingest.mapping)
    settings.state.directory.mkdir(parents=True, exist_ok=True)
    with Catalogue(settings.state.catalogue) as catalogue, context.progress("ingest") as advance:
        summary = run(files, chosen, catalogue, settings.state.rejects, advance)
    _report(context, summary)


def _report(context: Context, summary: "Summary") -> None:
    if context.json:
        context.print_json(summary)
    else:
        context.table("ingested", ["records", "number"], [])
    if summary.rejected:
        raise typer.Exit(3)


def build(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - read by its callback
    """Analyse new records and fit the collection that similar, explain and serve answer from.

    Goes on where a killed run stopped. Readers keep the collection before until the new one is whole.
    """
    context: Context = ctx.obj
    settings = context.settings
    from ingest.catalogue import Catalogue
    from ingest.errors import CollectionMissing

    if not settings.state.catalogue.exists():
        raise CollectionMissing(f"nothing is ingested in {settings.state.directory}; run: kindred ingest FILE")
    with Catalogue(settings.state.catalogue) as catalogue:
        if not catalogue.count():
            raise CollectionMissing("the catalogue holds no record; run: kindred ingest FILE")
        _build(context, settings, catalogue)


def _build(context: Context, settings: "Settings", catalogue: "Catalogue") -> None:
    from time import perf_counter

    from features import collection
    from features.analysis import analyse_pending, fingerprint
    from service.composition import open_language

    started = perf_counter()
    language = open_language(settings)
    mark = fingerprint(language)
    with context.progress("analyse", catalogue.count_pending(mark)) as advance:
        analysed = analyse_pending(catalogue, language, settings.analysis, advance)
    between = perf_counter()
    with context.progress("fit", catalogue.count()) as advance:
        items = (collection.Item(record, blob) for record, blob in catalogue.profiled(mark))
        fitted = collection.build(
            settings.state.collection,
            items,
            settings.features,
            revision=catalogue.revision,
            pipeline=mark,
            advance=advance,
        )
    answer = {
        "items": len(fitted),
        "analysed": analysed,
        "revision": fitted.manifest.revision,
        "features": list(fitted.manifest.features),
        "analysis_seconds": round(between - started, 3),
        "fit_seconds": round(perf_counter() - between, 3),
    }
    if context.json:
        context.print_json(answer)
    else:
        context.say(answer, title="collection")
