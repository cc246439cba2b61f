"""Neighbours: ``kindred similar`` and ``kindred neighbours``."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption

if TYPE_CHECKING:
    from service.search.queries import Search
    from service.sections import ServiceSettings


def similar(
    ctx: typer.Context,
    item_ids: Annotated[list[str], typer.Argument(help="The item's id, or those of several.")],
    unlike: Annotated[
        list[str] | None, typer.Option("--not", help="An item that neighbours should be unlike; repeatable.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option("--type", help="A type of similarity; without it each neighbour has its own."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="How many neighbours, 1 to 100.")] = None,
    provider: Annotated[
        list[str] | None, typer.Option(help="Only items of this provider; repeatable.")
    ] = None,
    kind_of_object: Annotated[
        list[str] | None, typer.Option("--object", help="Only items of this kind of object; repeatable.")
    ] = None,
    first: Annotated[
        int | None, typer.Option("--from", min=-9999, max=9999, help="Only items of this year or later.")
    ] = None,
    last: Annotated[
        int | None, typer.Option("--to", min=-9999, max=9999, help="Only items of this year or earlier.")
    ] = None,
    place: Annotated[
        list[str] | None, typer.Option(help="Only items that name this place; repeatable.")
    ] = None,
    image: Annotated[
        bool | None, typer.Option("--image/--no-image", help="Only items with a picture, or without one.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="An item to leave out, with its duplicates; repeatable.")
    ] = None,
    diversity: Annotated[
        float, typer.Option(help="How much neighbours should differ from each other, 0 to 1; needs a type.")
    ] = 0.0,
    floor: Annotated[
        float | None,
        typer.Option(help="The score at which a list of a type ends; the system's own without it, 0: none."),
    ] = None,
    cursor: Annotated[
        str | None, typer.Option(help="Go on behind an answer to the same question: its next.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add what every feature adds to each neighbour's score.")
    ] = False,
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """The items most similar to one or several items, each with its score and the reason."""
    context: Context = ctx.obj
    from service.search.facets import Filters
    from service.search.queries import Search, WeightedSeed

    service = context.settings.service
    search = Search(
        seeds=(*map(WeightedSeed, item_ids), *(WeightedSeed(one, -1.0) for one in unlike or ())),
        type=kind,
        limit=_limit(service, kind, limit),
        filters=Filters(
            provider=tuple(provider or ()),
            object=tuple(kind_of_object or ()),
            first=first,
            last=last,
            place=tuple(place or ()),
            image=image,
        ),
        without=tuple(without or ()),
        diversity=diversity,
        cursor=cursor,
        floor=floor,
    )
    _answer(context, search, system, explain=explain)


def _limit(service: "ServiceSettings", kind: str | None, limit: int | None) -> int:
    if limit is not None:
        return limit
    return service.overview if kind is None else service.limit


def _answer(context: Context, search: "Search", system: str | None, *, explain: bool) -> None:
    from service.cli.tables import print_neighbours
    from service.composition import open_recommender
    from service.web.api import answers

    recommender = open_recommender(context.settings, system)
    found = recommender.search(search)
    form = answers.neighbours if len(search.seeds) == 1 else answers.similar
    answer = form(search, recommender.variant, found, explain=explain)
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
        return
    labels = [
        f"{'not ' if seed.weight < 0 else ''}{recommender.item(seed.id).label} ({seed.id})"
        for seed in search.seeds
    ]
    print_neighbours(context, labels, answer)


def neighbours(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(help="The folder for the Parquet files.")],
    every: Annotated[bool, typer.Option("--all", help="Of every item of the collection; required.")] = False,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Neighbours of each item and type.")] = 25,
    kinds: Annotated[
        list[str] | None, typer.Option("--type", help="A type of similarity; repeatable. All without it.")
    ] = None,
    part: Annotated[int, typer.Option(min=1, help="Items of one file.")] = 1000,
    anew: Annotated[bool, typer.Option("--anew", help="Remove what an earlier run left there.")] = False,
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Write every item's neighbours as Parquet files; a run that was stopped goes on where it was."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import check_whole, open_recommender
    from service.search.batch.parquet import Parquet
    from service.search.batch.runs import Batch, claim, clear, run, run_spread

    if not every:
        raise UsageError("neighbours are written of every item; say so: --all")
    check_whole(context.settings)
    recommender = open_recommender(context.settings, system)
    asked = {recommender.system.position(kind) for kind in kinds or recommender.system.types}
    batch = Batch(
        generation=recommender.mark,
        system=recommender.system.name,
        k=k,
        types=tuple(kind for at, kind in enumerate(recommender.system.types) if at in asked),
        items=len(recommender.collection),
        part=part,
    )
    if anew and out.is_dir():
        clear(out)
    claim(out, batch)
    form, variant, processes = Parquet(), recommender.variant, context.settings.analysis.workers
    opening = partial(open_recommender, context.settings, system)
    with context.progress("neighbours", batch.items) as advance:
        # a part that is the only one is not worth the seconds that another process takes to start
        if processes == 1 or len(batch.parts(out, form)) == 1:
            done = run(recommender, batch, out, form, advance)
        else:
            done = run_spread(opening, batch, out, form, processes, advance)
    about = {"stands_in_for": variant.stands_in_for, "approximate": variant.approximate}
    told = {"directory": str(out), **about, **done._asdict()}
    context.say("neighbours", {**told, **batch.model_dump(mode="json", exclude={"format"})})
