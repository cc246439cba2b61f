"""Records in: ``kindred ingest`` and ``kindred build``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from service.cli import trying
from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from features.collection.collection import Built
    from features.knowledge.installed import InstalledResources
    from ingest.catalogue import Catalogue
    from service.settings import Settings


_SHOWN = 8
"""Features that are named at most."""


class _BuildInputs(NamedTuple):
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
        list[Path] | None,
        typer.Argument(
            help="CSV, TSV, xlsx, ods, JSON, JSON Lines, XML (LIDO, EDM, MODS, MARCXML, oai_dc), or .gz;"
            " zip or tar archives of them; or a directory of Typed-Similarity files."
        ),
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The sample collection of the project.")] = False,
    mapping: Annotated[
        str | None,
        typer.Option(help="How columns become fields: a name under mappings. None: that for a file's form."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would come of it, and write nothing.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Refuse a mapping with a column that no row has; nothing is written."),
    ] = False,
    replace_source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The files are all of this source: what they lack of it now is removed."
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Remove however many records of the source that may be.")
    ] = False,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Read records into the catalogue; what is already there and unchanged stays as it is.

    A record without an id or without any text is rejected: its line and the reason go to
    rejects.jsonl in the state directory, as do those of a row whose id came before. A date that is not
    understood rejects no record; it is counted, and named. --dry-run shows the first records beside
    their source, how full each field is, and what is strange, and writes nothing. Exit status 0: all
    taken; 3: some were rejected; 1: a file is damaged (the rows before the damage are kept), or one id
    stands in so many of its records that it is refused.
    """
    context: Context = ctx.obj
    settings = context.settings
    from msgspec.structs import asdict

    from ingest.columns import Columns
    from ingest.imports import Imports
    from ingest.ingestion import SAMPLE, Sync, size
    from ingest.ingestion import ingest as run
    from ingest.storage.files import writing
    from service.cli.mapping_choice import chooser, is_for_many
    from service.operations.strange_dates import StrangeDates

    paths = [*(files or ()), *([SAMPLE] if sample else ())]
    if dry_run or strict:
        report = trying.tried(context, paths, mapping)
        if dry_run:
            trying.show(context, report, paths)
        if strict:
            trying.refuse_absent(report)
        if dry_run:
            _end(report.damaged, report.rejected)
            return
    chosen = chooser(settings, mapping)
    length = size(paths)
    with writing(settings.state.directory):
        settings.state.directory.mkdir(parents=True, exist_ok=True)
    strange = StrangeDates()
    columns = Columns(by_part=is_for_many(mapping))
    sync = Sync(replace_source, 1 if yes else settings.ingest.removed) if replace_source else None
    with Imports(settings.state.catalogue) as catalogue, context.progress("ingest", length) as advance:
        summary = run(
            paths,
            chosen,
            catalogue,
            settings.state.rejects,
            advance,
            strange.note,
            limits=settings.ingest.limits,
            columns=columns,
            sync=sync,
        )
    warned = ("reasons", "repeats", "identifiers")
    told = {key: value for key, value in asdict(summary).items() if context.json or key not in warned}
    context.say("ingested", {**told, "dates_not_understood": len(strange)})
    if strange:
        context.warn(strange.sentence())
    trying.warn_of_ids(context, summary.identifiers, summary.repeats)
    trying.warn_of_reasons(context, summary.reasons)
    for column, parts in columns.absent().items():
        context.warn(f"no row has the column {column!r}, which the mapping reads for {', '.join(parts)}")
    _end(summary.damaged, summary.rejected)


def _end(damaged: "Sequence[str]", rejected: int) -> None:
    """The exit status that says how a run went."""
    from ingest.errors import UnreadableFile

    if damaged:
        raise UnreadableFile("; ".join(damaged))
    if rejected:
        raise typer.Exit(3)


def build(
    ctx: typer.Context,
    precompute: Annotated[
        bool,
        typer.Option(
            "--precompute", help="Then work out the best 50 neighbours of every item by type, to be read."
        ),
    ] = False,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Analyse new records and fit the collection that similar, explain and serve answer from.

    Goes on where a killed run stopped, and does nothing where nothing changed. Whoever reads keeps
    the collection before until the new one is whole. Precomputed neighbours follow when the collection
    answers already, and are read once all of them are there.
    """
    built(ctx.obj, wait=True, precompute=precompute)


def built(context: Context, *, wait: bool, precompute: bool = False) -> None:
    """Build; where another process builds, wait until it is done or raise ``UsageError``."""
    settings = context.settings
    from ingest.catalogue import Catalogue
    from ingest.errors import CollectionMissing
    from service.operations.compaction import alone

    if not settings.state.catalogue.exists():
        raise CollectionMissing(
            f"nothing is ingested in {settings.state.directory}; run: kindred ingest FILE"
        )
    with alone(settings, wait=wait), Catalogue(settings.state.catalogue) as catalogue:
        if not catalogue.count():
            raise CollectionMissing("the catalogue holds no record; run: kindred ingest FILE")
        answer = _build(context, settings, catalogue)
        if precompute or settings.service.precompute:
            answer |= _precompute(context, settings)
        context.say("collection", answer)


def _build(context: Context, settings: "Settings", catalogue: "Catalogue") -> dict[str, object]:
    from time import perf_counter

    from features.profiles.analysis import analyse_pending, fingerprint

    started = perf_counter()
    mark = fingerprint(settings.models)
    analysed, complete = 0, False
    fitted: list[str] = []
    usual: dict[str, float] = {}
    while not complete:
        with context.progress("analyse", catalogue.count_pending(mark)) as advance:
            analysed += analyse_pending(catalogue, settings.models, settings.analysis, advance)
        between = perf_counter()
        with catalogue.snapshot() as revision:
            # records that were ingested meanwhile are analysed first: a collection has all of its revision
            complete = not catalogue.count_pending(mark)
            if complete:
                fitted = _fit(context, settings, catalogue, _BuildInputs(revision, mark))
                collection = _opened(settings)
                usual = _usual(collection)
                _index(collection)
            items = catalogue.count()
    catalogue.settle(revision)
    return {
        "items": items,
        "analysed": analysed,
        "fitted": fitted if context.json else _told(fitted),
        "revision": revision,
        "analysis_seconds": round(between - started, 2),
        "fit_seconds": round(perf_counter() - between, 2),
        "usual": usual if context.json else ", ".join(f"{name} {value}" for name, value in usual.items()),
    }


def _precompute(context: Context, settings: "Settings") -> dict[str, object]:
    """Make the precomputed lists that the collection lacks."""
    from functools import partial
    from time import perf_counter

    from service.composition import open_built
    from service.search.batch.precompute import precompute

    started, recommender = perf_counter(), open_built(settings)
    with context.progress("neighbours", len(recommender.collection)) as advance:
        done = precompute(recommender, partial(open_built, settings), settings.analysis.workers, advance)
    return {
        "precomputed": list(done.made) if context.json else ", ".join(done.made) or "none",
        "kept": list(done.kept) if context.json else ", ".join(done.kept) or "none",
        "precompute_seconds": round(perf_counter() - started, 2),
    }


def _told(features: list[str]) -> str:
    """What was fitted, in a few words."""
    shown = ", ".join(features[:_SHOWN])
    return (
        f"{len(features)} features: {shown}{', ...' if len(features) > _SHOWN else ''}"
        if features
        else "none"
    )


def _fit(context: Context, settings: "Settings", catalogue: "Catalogue", made: _BuildInputs) -> list[str]:
    """Fit what the current collection lacks, or has otherwise; the features that were fitted."""
    from features.collection import build, generation
    from service.opening import open_resources
    from service.search.variants import features_of, served

    resources = open_resources(settings)
    systems, refused = served(settings, resources)
    for sentence in (*(variant.warning for variant in systems if variant.warning), *refused):
        context.warn(sentence)
    features = features_of(settings, [variant.system for variant in systems])
    root, processes, scheduler = (
        settings.state.collection,
        settings.analysis.workers,
        settings.analysis.scheduler,
    )
    current = generation.unchecked_manifest(root)
    if current and (current.revision, current.pipeline) == made and _opens(settings, resources):
        if not current.stale(features) and current.features.keys() == features.keys():
            return []
        with context.progress("fit", catalogue.count()) as advance:
            return list(build.refit(root, features, resources, processes, advance, scheduler))
    with context.progress("fit", catalogue.count()) as advance:
        items = (build.AnalysedItem(record, blob) for record, blob in catalogue.profiled(made.pipeline))
        build.build(
            root,
            items,
            features,
            resources,
            revision=made.revision,
            pipeline=made.pipeline,
            processes=processes,
            scheduler=scheduler,
            advance=advance,
        )
    return list(features)


def _opened(settings: "Settings") -> "Built":
    """The collection that was built."""
    from features.collection.collection import Built
    from service.opening import open_resources

    return Built.open(settings.state.collection, open_resources(settings))


def _usual(collection: "Built") -> dict[str, float]:
    """What the fit found to be usual in the collection, by feature."""
    from features.measures.base import Column

    fitted = {name: column.usual for name, column in collection.columns.items() if isinstance(column, Column)}
    return {name: round(usual, 3) for name, usual in fitted.items() if usual is not None}


def _index(collection: "Built") -> None:
    """Make the index to search where there is none, as of an earlier Kindred, or a damaged one."""
    from features.collection import fulltext

    if collection.folder is not None:
        rows = range(len(collection))
        fulltext.ensure(collection.folder, len(rows), lambda: map(collection.record, rows))


def _opens(settings: "Settings", resources: "InstalledResources") -> bool:
    """Whether the current collection fits the Wikipedia and the tables of walks that there are now."""
    from features.collection.collection import Built
    from ingest.errors import DamagedArtefact

    try:
        Built.open(settings.state.collection, resources)
    except DamagedArtefact:
        return False
    return True
