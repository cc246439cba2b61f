"""Questions to the collection, answered as over HTTP: ``kindred item``, ``similar`` and ``explain``."""

from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption
from service.cli.search import (
    FirstOption,
    ImageOption,
    LastOption,
    ObjectOption,
    PlaceOption,
    ProviderOption,
    WhereOption,
    filters,
)

_Id = Annotated[str, typer.Argument(help="The item's id.")]


def item(ctx: typer.Context, item_id: _Id, json: JsonOption = False) -> None:
    """Show the record of an item, as the catalogue has it at this moment, built or not."""
    context: Context = ctx.obj
    from ingest.catalogue import Catalogue
    from ingest.errors import UnknownItem
    from service.web.api import record_answers

    with Catalogue(context.state.catalogue, read_only=True) as catalogue:
        record = catalogue.get(item_id)
    if record is None:
        raise UnknownItem(f"no item {item_id!r} in the catalogue")
    answer = record_answers.item(record)
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
        return
    facts = answer.model_dump(exclude={"id", "href", "similar", "view"})
    context.say(answer.id, {name: value for name, value in facts.items() if value})


def explain(
    ctx: typer.Context,
    left: _Id,
    right: Annotated[str, typer.Argument(help="The other item's id.")],
    kind: Annotated[str | None, typer.Option("--type", help="Only this type.")] = None,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """How alike two items are and why: a score of each type, and what every feature adds to them."""
    context: Context = ctx.obj
    from service.cli.tables import print_pair
    from service.composition import open_recommender
    from service.web.api import answers

    recommender = open_recommender(context.served(system), system)
    if kind is not None:
        recommender.system.position(kind)
    answer = answers.pair(recommender.score(left, right), recommender.variant, (True, True), explain=True)
    if kind is not None:
        only = [explanation for explanation in answer.explanations or () if explanation.type == kind]
        answer = answer.model_copy(update={"explanations": only})
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
    else:
        print_pair(context, answer)


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
    provider: ProviderOption = None,
    kind_of_object: ObjectOption = None,
    first: FirstOption = None,
    last: LastOption = None,
    place: PlaceOption = None,
    where: WhereOption = None,
    image: ImageOption = None,
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
    json: JsonOption = False,
) -> None:
    """The items most similar to one or several items, each with its score and the reason."""
    context: Context = ctx.obj
    from service.cli.tables import print_neighbours
    from service.composition import open_recommender
    from service.search.queries import Search, WeightedSeed
    from service.web.api import answers

    settings = context.served(system)
    usual = settings.service.overview if kind is None else settings.service.limit
    search = Search(
        seeds=(*map(WeightedSeed, item_ids), *(WeightedSeed(seed, -1.0) for seed in unlike or ())),
        type=kind,
        limit=usual if limit is None else limit,
        filters=filters(provider, kind_of_object, first, last, place, where, image),
        without=tuple(without or ()),
        diversity=diversity,
        cursor=cursor,
        floor=floor,
    )
    recommender = open_recommender(settings, system)
    form = answers.neighbours if len(search.seeds) == 1 else answers.similar
    answer = form(search, recommender.variant, recommender.search(search), explain=explain)
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
        return
    labels = [
        f"{'not ' if seed.weight < 0 else ''}{recommender.item(seed.id).label} ({seed.id})"
        for seed in search.seeds
    ]
    print_neighbours(context, labels, answer)
