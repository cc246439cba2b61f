"""Items by their texts and by filters: ``kindred search`` and ``kindred items``."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from service.search.fulltext.finding import WordQuery
    from service.web.api.schemas import Listing

_Provider: TypeAlias = Annotated[
    list[str] | None, typer.Option("--provider", help="Only items of this provider; repeatable.")
]
_Object: TypeAlias = Annotated[
    list[str] | None, typer.Option("--object", help="Only items of this kind of object; repeatable.")
]
_First: TypeAlias = Annotated[
    int | None, typer.Option("--from", min=-9999, max=9999, help="Only items of this year or later.")
]
_Last: TypeAlias = Annotated[
    int | None, typer.Option("--to", min=-9999, max=9999, help="Only items of this year or earlier.")
]
_Place: TypeAlias = Annotated[
    list[str] | None, typer.Option("--place", help="Only items that name this place; repeatable.")
]
_Image: TypeAlias = Annotated[
    bool | None, typer.Option("--image/--no-image", help="Only items with a picture, or without one.")
]
_Limit: TypeAlias = Annotated[int, typer.Option("--limit", help="How many items, 1 to 100.")]
_Offset: TypeAlias = Annotated[int, typer.Option("--offset", help="How many items to leave out first.")]
_Facets: TypeAlias = Annotated[
    bool, typer.Option("--facets", help="Count what all the items that were found share.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.command()(search)
    app.command()(items)


def search(
    ctx: typer.Context,
    query: Annotated[
        str, typer.Argument(help='Words, "phrases", beginnings (ven*), creator:turner, and -exclusions.')
    ],
    provider: _Provider = None,
    kind_of_object: _Object = None,
    first: _First = None,
    last: _Last = None,
    place: _Place = None,
    image: _Image = None,
    sort: Annotated[str, typer.Option(help="relevance, oldest, newest, title or id.")] = "relevance",
    limit: _Limit = 20,
    offset: _Offset = 0,
    facets: _Facets = False,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Search the texts of the items; what is found fits all words and filters."""
    filters = (provider, kind_of_object, first, last, place, image)
    _answer(ctx.obj, _wanted(query, filters, sort, limit, offset, facets=facets))


def items(
    ctx: typer.Context,
    provider: _Provider = None,
    kind_of_object: _Object = None,
    first: _First = None,
    last: _Last = None,
    place: _Place = None,
    image: _Image = None,
    sort: Annotated[str, typer.Option(help="oldest, newest, title or id.")] = "id",
    limit: _Limit = 20,
    offset: _Offset = 0,
    facets: _Facets = False,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """List the items that fit some filters; all of them without any."""
    filters = (provider, kind_of_object, first, last, place, image)
    _answer(ctx.obj, _wanted("", filters, sort, limit, offset, facets=facets))


_Given: TypeAlias = tuple[
    list[str] | None, list[str] | None, int | None, int | None, list[str] | None, bool | None
]


def _wanted(query: str, given: _Given, sort: str, limit: int, offset: int, *, facets: bool) -> "WordQuery":
    from typing import cast

    from service.search.facets import Filters
    from service.search.fulltext.finding import Sort, WordQuery

    provider, kinds, first, last, place, image = given
    filters = Filters(
        provider=tuple(provider or ()),
        object=tuple(kinds or ()),
        first=first,
        last=last,
        place=tuple(place or ()),
        image=image,
    )
    # what is no sort is refused there, in words
    order = cast("Sort", sort)
    return WordQuery(query=query, filters=filters, sort=order, limit=limit, offset=offset, facets=facets)


def _answer(context: Context, wanted: "WordQuery") -> None:
    from service.composition import open_recommender
    from service.web.api.answers import listing

    found = open_recommender(context.settings).index.find(wanted)
    answer = listing(found, wanted)
    if context.json:
        context.print_json(answer.model_dump(mode="json", by_alias=True))
        return
    _print(context, wanted, answer)


def _print(context: Context, wanted: "WordQuery", answer: "Listing") -> None:
    from rich.markup import escape
    from rich.table import Table

    shown = wanted.offset + len(answer.items)
    title = (
        f"{wanted.offset + 1:,} to {shown:,} of {answer.total:,}" if answer.items else f"of {answer.total:,}"
    )
    table = Table(title=title, title_justify="left", box=None)
    for column in ("item", "creator", "date"):
        table.add_column(column, overflow="fold")
    for one in answer.items:
        item = f"{escape(one.title)}\n[dim]{escape(one.id)}[/dim]"
        table.add_row(item, escape("; ".join(one.creator)), escape("; ".join(one.date)))
    context.console.print(table)
    if answer.facets is not None:
        _print_facets(context, answer)
    for note in answer.notes:
        context.warn(note)
    if answer.suggestion is not None:
        typer.echo(f"did you mean: {answer.suggestion}", err=True)
    if answer.next is not None:
        typer.echo(f"more: --offset {shown}", err=True)


def _print_facets(context: Context, answer: "Listing") -> None:
    facets = answer.facets
    if facets is None:
        return
    lines = {
        facet: [f"{one.name}: {one.items:,}" for one in names]
        for facet, names in (
            ("provider", facets.provider),
            ("object", facets.object),
            ("place", facets.place),
        )
    }
    lines["decade"] = [f"{one.from_} to {one.to}: {one.items:,}" for one in facets.decade]
    context.say("of all that were found", lines)
