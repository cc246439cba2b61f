"""The collection: ``kindred build`` and ``rebuild``."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from features.collection.collection import Built
    from features.knowledge.resources import Resources
    from ingest.catalogue import Catalogue
    from service.operations.language_report import LanguageShare
    from service.settings import Settings

_SHOWN = 8  # features that are named at most


def build(
    ctx: typer.Context,
    precompute: Annotated[
        bool,
        typer.Option(
            "--precompute", help="Then work out the best 50 neighbours of every item by type, to be read."
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Analyse new records and fit the collection that similar, explain and serve answer from.

    Goes on where a killed run stopped, and does nothing where nothing changed. Whoever reads keeps
    the collection before until the new one is whole. Precomputed neighbours follow when the collection
    answers already, and are read once all of them are there.
    """
    _build(ctx.obj, wait=True, precompute=precompute)


def rebuild(
    ctx: typer.Context,
    background: Annotated[
        bool, typer.Option("--background", help="Begin it at low priority and return at once.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Build the collection anew from the catalogue, with what was put and deleted since.

    As kindred build, but it does not wait for another build. Whoever reads keeps the collection before
    until the new one is whole.
    """
    context: Context = ctx.obj
    from service.operations.compaction import alone, log_file, start

    if not background:
        _build(context, wait=False)
        return
    with alone(context.state):  # say at once that another is under way
        pass
    process = start(context.state, context.config)
    context.say("rebuilding", {"process": process.pid, "log": str(log_file(context.state))})


def _build(context: Context, *, wait: bool, precompute: bool = False) -> None:
    """Build; where another process builds, wait until it is done or raise ``UsageError``."""
    from ingest.catalogue import Catalogue
    from ingest.errors import CollectionMissing
    from service.operations.compaction import alone

    settings = context.served()
    state = settings.state
    if not state.catalogue.exists():
        raise CollectionMissing(f"nothing is ingested in {state.directory}; run: kindred ingest FILE")
    with alone(state, wait=wait), Catalogue(state.catalogue) as catalogue:
        if not catalogue.count():
            raise CollectionMissing("the catalogue holds no record; run: kindred ingest FILE")
        answer = _built(context, settings, catalogue)
        if precompute or settings.service.precompute:
            answer |= _precompute(context, settings)
        context.say("collection", answer)


def _built(context: Context, settings: "Settings", catalogue: "Catalogue") -> dict[str, object]:
    from time import perf_counter

    from features.collection.collection import Built
    from features.measures.base import Column
    from features.measures.places import PlacesColumn
    from features.profiles.analysis import analyse_pending, fingerprint
    from service.opening import open_resources

    started = perf_counter()
    mark = fingerprint(settings.models)
    analysed, complete = 0, False
    fitted: list[str] = []
    usual: dict[str, float] = {}
    archives: dict[str, str] = {}
    while not complete:
        with context.progress("analyse", catalogue.count_pending(mark)) as advance:
            analysed += analyse_pending(catalogue, settings.models, settings.analysis, advance)
        between = perf_counter()
        with catalogue.snapshot() as revision:
            # records that were ingested meanwhile are analysed first: a collection has all of its revision
            complete = not catalogue.count_pending(mark)
            if complete:
                fitted = _fit(context, settings, catalogue, revision, mark)
                collection = Built.open(settings.state.collection, open_resources(settings))
                for name, column in collection.columns.items():
                    if isinstance(column, Column) and column.usual is not None:
                        usual[name] = round(column.usual, 3)
                    if isinstance(column, PlacesColumn):
                        archives |= {source: line[0].term for source, line in column.archives.items()}
                _index(collection)
            items = catalogue.count()
    catalogue.settle(revision)
    languages = _languages(settings, items) if fitted else {}
    names = ", ".join(fitted[:_SHOWN]) + (", ..." if len(fitted) > _SHOWN else "")
    return {
        "items": items,
        "analysed": analysed,
        "fitted": fitted if context.json else f"{len(fitted)} features: {names}" if fitted else "none",
        "revision": revision,
        "analysis_seconds": round(between - started, 2),
        "fit_seconds": round(perf_counter() - between, 2),
        "usual": usual if context.json else ", ".join(f"{name} {value}" for name, value in usual.items()),
        "archives": archives if context.json else _listed(archives),
        "languages": {language: share._asdict() for language, share in languages.items()}
        if context.json
        else "; ".join(_sentence(*pair) for pair in languages.items()) or "one",
    }


def _languages(settings: "Settings", items: int) -> "dict[str, LanguageShare]":
    """The shares of languages; none where they cannot be had: the collection is built all the same.

    The items may lie in a cluster, and the system may not be trained yet.
    """
    from ingest.errors import KindredError
    from service.composition import open_built
    from service.operations.language_report import FEWEST, own_language

    if items < FEWEST:
        return {}
    with suppress(KindredError):
        return own_language(open_built(settings))
    return {}


def _sentence(language: str, share: "LanguageShare") -> str:
    return (
        f"{language}: {share.items:.0%} of the items, {share.neighbours:.0%} of the neighbours of its items"
    )


def _listed(archives: dict[str, str]) -> str:
    """Of which place each archive is that has one."""
    return "; ".join(f"{source}: {place}" for source, place in archives.items()) or "none"


def _index(collection: "Built") -> None:
    """Make the index to search where there is none, as of an earlier Kindred, or a damaged one."""
    from features.fulltext import index_file

    if collection.folder is not None:
        rows = range(len(collection))
        index_file.ensure(collection.folder, len(rows), lambda: map(collection.record, rows))


def _precompute(context: Context, settings: "Settings") -> dict[str, object]:
    from functools import partial
    from time import perf_counter

    from service.composition import open_built
    from service.search.batch.precompute import precompute

    started, recommender = perf_counter(), open_built(settings)
    with context.progress("neighbours", len(recommender.collection)) as advance:
        done = precompute(recommender, partial(open_built, settings), settings.analysis.workers, advance)
    kinds = {"precomputed": done.made, "kept": done.reused}
    answer = {kind: [*it] if context.json else ", ".join(it) or "none" for kind, it in kinds.items()}
    return {**answer, "precompute_seconds": round(perf_counter() - started, 2)}


def _fit(
    context: Context, settings: "Settings", catalogue: "Catalogue", revision: int, pipeline: str
) -> list[str]:
    """Fit what the current collection lacks, or has otherwise; the features that were fitted."""
    from features.collection import build, generation
    from service.opening import open_resources
    from service.search.variants import features_of, served

    resources = open_resources(settings)
    systems, refused = served(settings, resources)
    for sentence in (*(variant.warning for variant in systems if variant.warning), *refused):
        context.warn(sentence)
    features = features_of(settings, [variant.system for variant in systems])
    root, analysis = settings.state.collection, settings.analysis
    current = generation.unchecked_manifest(root)
    same = current and (current.revision, current.pipeline) == (revision, pipeline)
    reused = current if same and _opens(settings, resources) else None
    if reused and not reused.stale(features) and reused.features.keys() == features.keys():
        return []
    with context.progress("fit", catalogue.count()) as advance:
        if reused:
            processes, scheduler = analysis.workers, analysis.scheduler
            return list(build.refit(root, features, resources, processes, advance, scheduler))
        items = (build.AnalysedItem(record, blob) for record, blob in catalogue.profiled(pipeline))
        build.build(
            root,
            items,
            features,
            resources,
            revision=revision,
            pipeline=pipeline,
            processes=analysis.workers,
            scheduler=analysis.scheduler,
            advance=advance,
        )
    return list(features)


def _opens(settings: "Settings", resources: "Resources") -> bool:
    """Whether the current collection fits the Wikipedia and the tables of walks that there are now."""
    from features.collection.collection import Built
    from ingest.errors import DamagedArtefact

    try:
        Built.open(settings.state.collection, resources)
    except DamagedArtefact:
        return False
    return True
