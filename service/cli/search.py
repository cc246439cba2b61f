"""Items by their texts and by filters: ``kindred search`` and ``kindred items``."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from service.search.facets import Filters
    from service.search.fulltext.finding import WordQuery
    from service.web.api.listing_schemas import Facets, Listing

ProviderOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--provider", help="Only items of this provider; repeatable.")
]
ObjectOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--object", help="Only items of this kind of object; repeatable.")
]
FirstOption: TypeAlias = Annotated[
    int | None, typer.Option("--from", min=-9999, max=9999, help="Only items of this year or later.")
]
LastOption: TypeAlias = Annotated[
    int | None, typer.Option("--to", min=-9999, max=9999, help="Only items of this year or earlier.")
]
PlaceOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--place", help="Only items that name this place; repeatable.")
]
ImageOption: TypeAlias = Annotated[
    bool | None, typer.Option("--image/--no-image", help="Only items with a picture, or without one.")
]
WhereOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="NAME=VALUE",
        help="Only items by this maker, or that their museum indexes so: maker, person, culture, period,"
        " event, concept, material or part_of, as in concept=canals; repeatable.",
    ),
]
_Limit: TypeAlias = Annotated[int, typer.Option("--limit", help="How many items, 1 to 100.")]
_Offset: TypeAlias = Annotated[int, typer.Option("--offset", help="How many items to leave out first.")]
_Facets: TypeAlias = Annotated[
    bool, typer.Option("--facets", help="Count what all the items that were found share.")
]


def search(
    ctx: typer.Context,
    query: Annotated[
        str, typer.Argument(help='Words, "phrases", beginnings (ven*), creator:turner, and -exclusions.')
    ],
    provider: ProviderOption = None,
    kind_of_object: ObjectOption = None,
    first: FirstOption = None,
    last: LastOption = None,
    place: PlaceOption = None,
    where: WhereOption = None,
    image: ImageOption = None,
    sort: Annotated[str, typer.Option(help="relevance, oldest, newest, title or id.")] = "relevance",
    limit: _Limit = 20,
    offset: _Offset = 0,
    facets: _Facets = False,
    json: JsonOption = False,
) -> None:
    """Search the texts of the items; what is found fits all words and filters."""
    allowed = filters(provider, kind_of_object, first, last, place, where, image)
    _answer(ctx.obj, query, allowed, sort, limit, offset, facets=facets)


def items(
    ctx: typer.Context,
    provider: ProviderOption = None,
    kind_of_object: ObjectOption = None,
    first: FirstOption = None,
    last: LastOption = None,
    place: PlaceOption = None,
    where: WhereOption = None,
    image: ImageOption = None,
    sort: Annotated[str, typer.Option(help="oldest, newest, title or id.")] = "id",
    limit: _Limit = 20,
    offset: _Offset = 0,
    facets: _Facets = False,
    json: JsonOption = False,
) -> None:
    """List the items that fit some filters; all of them without any."""
    allowed = filters(provider, kind_of_object, first, last, place, where, image)
    _answer(ctx.obj, "", allowed, sort, limit, offset, facets=facets)


def filters(
    provider: list[str] | None,
    kind_of_object: list[str] | None,
    first: int | None,
    last: int | None,
    place: list[str] | None,
    where: list[str] | None,
    image: bool | None,
) -> "Filters":
    """The filters that the options of a command name; raises ``UsageError`` for a name that is no filter."""
    from features.collection.facets import NAMED
    from ingest.errors import UsageError
    from service.search.facets import Filters

    names = {"provider": provider or [], "object": kind_of_object or [], "place": place or []}
    for given in where or ():
        name, _, value = given.partition("=")
        if name not in NAMED or not value:
            raise UsageError(f"--where is NAME=VALUE with a name of {', '.join(NAMED)}, not {given!r}")
        names.setdefault(name, []).append(value)
    every = {name: tuple(values) for name, values in names.items()}
    return Filters(first=first, last=last, image=image, **every)


def _answer(
    context: Context, query: str, allowed: "Filters", sort: str, limit: int, offset: int, *, facets: bool
) -> None:
    from typing import cast

    from service.composition import open_recommender
    from service.search.fulltext.finding import Sort, WordQuery
    from service.web.api.answers import listing

    order = cast("Sort", sort)  # what is no sort is refused there, in words
    wanted = WordQuery(query=query, filters=allowed, sort=order, limit=limit, offset=offset, facets=facets)
    answer = listing(open_recommender(context.served()).index.find(wanted), wanted)
    if context.json:
        context.print_json(answer.model_dump(mode="json", by_alias=True))
    else:
        _print(context, wanted, answer)


def _print(context: Context, wanted: "WordQuery", answer: "Listing") -> None:
    from rich.markup import escape
    from rich.table import Column, Table

    shown = wanted.offset + len(answer.items)
    first = f"{wanted.offset + 1:,} to {shown:,} " if answer.items else ""
    columns = (Column(name, overflow="fold") for name in ("item", "creator", "date"))
    table = Table(*columns, title=f"{first}of {answer.total:,}", title_justify="left", box=None)
    for hit in answer.items:
        label = f"{escape(hit.title)}\n[dim]{escape(hit.id)}[/dim]"
        table.add_row(label, escape("; ".join(hit.creator)), escape("; ".join(hit.date)))
    context.console.print(table)
    if answer.facets is not None:
        context.say("of all that were found", _counts(answer.facets))
    for note in answer.notes:
        context.warn(note)
    if answer.suggestion is not None:
        typer.echo(f"did you mean: {answer.suggestion}", err=True)
    if answer.next is not None:
        typer.echo(f"more: --offset {shown}", err=True)


def _counts(facets: "Facets") -> dict[str, list[str]]:
    from features.collection.facets import NAMED

    by_name = {name: getattr(facets, name) for name in NAMED if getattr(facets, name)}
    counts = {facet: [f"{name.name}: {name.items:,}" for name in names] for facet, names in by_name.items()}
    return counts | {"decade": [f"{one.from_} to {one.to}: {one.items:,}" for one in facets.decade]}
