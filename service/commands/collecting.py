"""Records in: ``kindred ingest`` and ``kindred build``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from service.context import Context, JsonOption

if TYPE_CHECKING:
    from features.knowledge.resources import Resources
    from ingest.catalogue import Catalogue
    from service.settings import Settings


class _Made(NamedTuple):
    """What a collection is made from: a state of the catalogue, and a language pipeline."""

    revision: int
    pipeline: str


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command()(ingest)
    app.command()(build)


def ingest(
    ctx: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(
            help="CSV, TSV, JSON or JSON Lines, plain or .gz; or a directory of Typed-Similarity files."
        ),
    ],
    mapping: Annotated[
        str | None, typer.Option(help="How columns become fields: a name under mappings in config.yaml.")
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Read records into the catalogue; what is already there and unchanged stays as it is.

    A record without an id or without any text is rejected: its line and the reason go to
    rejects.jsonl in the state directory. Exit status 0: all taken; 3: some were rejected; 1: a file
    is damaged (the rows before the damage are kept).
    """
    context: Context = ctx.obj
    settings = context.settings
    from msgspec.structs import asdict

    from ingest.catalogue import Catalogue
    from ingest.errors import UnreadableFile
    from ingest.folders import writing
    from ingest.ingestion import ingest as run
    from ingest.ingestion import size

    chosen = settings.mapping(mapping or settings.ingest.mapping)
    with writing(settings.state.directory):
        settings.state.directory.mkdir(parents=True, exist_ok=True)
    with Catalogue(settings.state.catalogue) as catalogue, context.progress("ingest", size(files)) as advance:
        summary = run(files, chosen, catalogue, settings.state.rejects, advance)
    context.say("ingested", asdict(summary))
    if summary.damaged:
        raise UnreadableFile("; ".join(summary.damaged))
    if summary.rejected:
        raise typer.Exit(3)


def build(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - read by its callback
    """Analyse new records and fit the collection that similar, explain and serve answer from.

    Goes on where a killed run stopped, and does nothing where nothing changed. Whoever reads keeps
    the collection before until the new one is whole.
    """
    built(ctx.obj, wait=True)


def built(context: Context, *, wait: bool) -> None:
    """Build; where another process builds, wait until it is done or raise ``UsageError``."""
    settings = context.settings
    from ingest.catalogue import Catalogue
    from ingest.errors import CollectionMissing
    from service.compaction import alone

    if not settings.state.catalogue.exists():
        raise CollectionMissing(
            f"nothing is ingested in {settings.state.directory}; run: kindred ingest FILE"
        )
    with alone(settings, wait=wait), Catalogue(settings.state.catalogue) as catalogue:
        if not catalogue.count():
            raise CollectionMissing("the catalogue holds no record; run: kindred ingest FILE")
        _build(context, settings, catalogue)


def _build(context: Context, settings: "Settings", catalogue: "Catalogue") -> None:
    from time import perf_counter

    from features.profiles.analysis import analyse_pending, fingerprint

    started = perf_counter()
    mark = fingerprint(settings.models)
    analysed, complete = 0, False
    while not complete:
        with context.progress("analyse", catalogue.count_pending(mark)) as advance:
            analysed += analyse_pending(catalogue, settings.models, settings.analysis, advance)
        between = perf_counter()
        with catalogue.snapshot() as revision:
            # records that were ingested meanwhile are analysed first: a collection has all of its revision
            complete = not catalogue.count_pending(mark)
            fitted = complete and _fit(context, settings, catalogue, _Made(revision, mark))
            items = catalogue.count()
    catalogue.settle(revision)
    answer = {
        "items": items,
        "analysed": analysed,
        "fitted": fitted,
        "revision": revision,
        "analysis_seconds": round(between - started, 2),
        "fit_seconds": round(perf_counter() - between, 2),
    }
    context.say("collection", answer)


def _fit(context: Context, settings: "Settings", catalogue: "Catalogue", made: _Made) -> bool:
    """Fit a collection where the current one is of something else; whether it did."""
    from features.collection import collection
    from service.composition import open_resources
    from service.variants import features_of, served

    resources = open_resources(settings)
    systems, refused = served(settings, resources)
    for sentence in (*(variant.warning for variant in systems if variant.warning), *refused):
        context.warn(sentence)
    features = features_of(settings, [variant.system for variant in systems])
    current = collection.current(settings.state.collection)
    alike = current and (current.revision, current.pipeline, current.features) == (*made, features)
    if alike and _opens(settings, resources):
        return False
    with context.progress("fit", catalogue.count()) as advance:
        items = (collection.Item(record, blob) for record, blob in catalogue.profiled(made.pipeline))
        collection.build(
            settings.state.collection,
            items,
            features,
            resources,
            revision=made.revision,
            pipeline=made.pipeline,
            processes=settings.analysis.workers,
            advance=advance,
        )
    return True


def _opens(settings: "Settings", resources: "Resources") -> bool:
    """Whether the current collection fits the Wikipedia and the tables of walks that there are now."""
    from features.collection.collection import Collection
    from ingest.errors import DamagedArtefact

    try:
        Collection.open(settings.state.collection, resources)
    except DamagedArtefact:
        return False
    return True
