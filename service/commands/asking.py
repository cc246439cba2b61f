"""Neighbours out: ``kindred item``, ``similar``, ``explain`` and ``serve``.

With ``--json`` the first three answer with the same documents as the HTTP service, which explains
neighbours only where it is asked to, as ``--explain`` does here.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from service.context import Context, JsonOption

if TYPE_CHECKING:
    from service.api.schemas import Explanation, Item, Neighbours, Pair

_Id = Annotated[str, typer.Argument(help="The item's id.")]
_System = Annotated[
    str | None, typer.Option("--system", help="A system of config.yaml in place of service.system.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    for command in (item, similar, explain, serve):
        app.command()(command)


def item(ctx: typer.Context, item_id: _Id, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Show an item of the collection."""
    context: Context = ctx.obj
    from service.api import answers
    from service.composition import open_recommender

    found = answers.item(open_recommender(context.settings).item(item_id))
    if context.json:
        context.print_json(found.model_dump(mode="json"))
    else:
        _print_item(context, found)


def similar(
    ctx: typer.Context,
    item_id: _Id,
    kind: Annotated[
        str | None,
        typer.Option("--type", help="One of the eight types; without it each neighbour has its own."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="How many neighbours, 1 to 100.")] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add what every feature adds to each neighbour's score.")
    ] = False,
    system: _System = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """The items most similar to an item, each with its score and the reason."""
    context: Context = ctx.obj
    from models.types import similarity_type
    from service.api import answers
    from service.composition import open_recommender

    wanted = similarity_type(kind) if kind is not None else None
    recommender = open_recommender(context.settings, system)
    asked = recommender.item(item_id)
    service = context.settings.service
    if wanted:
        found = recommender.similar(item_id, wanted, service.limit if limit is None else limit)
    else:
        found = recommender.overview(item_id, service.overview if limit is None else limit)
    answer = answers.neighbours(asked, wanted, recommender.variant, found, explain=explain)
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
    else:
        _print_neighbours(context, asked.label, answer)


def explain(
    ctx: typer.Context,
    left: _Id,
    right: Annotated[str, typer.Argument(help="The other item's id.")],
    kind: Annotated[str | None, typer.Option("--type", help="Only this one of the eight types.")] = None,
    system: _System = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """How alike two items are and why: eight scores, and what every feature adds to them."""
    context: Context = ctx.obj
    from models.types import similarity_type
    from service.api import answers
    from service.composition import open_recommender

    wanted = similarity_type(kind) if kind is not None else None
    recommender = open_recommender(context.settings, system)
    answer = answers.pair(recommender.score(left, right), recommender.variant, (True, True), explain=True)
    if wanted:
        only = [one for one in answer.explanations or () if one.type == wanted]
        answer = answer.model_copy(update={"explanations": only})
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
    else:
        _print_pair(context, answer)


def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on, in place of service.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on, in place of service.port.")
    ] = None,
) -> None:
    """Serve the collection over HTTP: the API, and a page for every item."""
    context: Context = ctx.obj
    from service.serving import serve as run

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    service = context.settings.service.model_copy(update=given)
    run(context.settings.model_copy(update={"service": service}))


def _print_item(context: Context, found: "Item") -> None:
    facts = found.model_dump(exclude={"id", "href", "similar", "view"})
    context.say(found.id, {name: value for name, value in facts.items() if value})


def _print_neighbours(context: Context, label: str, answer: "Neighbours") -> None:
    from rich.markup import escape
    from rich.table import Table

    title = f"{label} ({answer.item}), {_system(answer)}"
    table = Table("score", "type", "item", "because", title=escape(title), title_justify="left", box=None)
    for near in answer.neighbours:
        item = f"{escape(near.title)}\n[dim]{escape(near.id)}[/dim]"
        table.add_row(_shown(near.score), near.type, item, escape(near.reason))
        for amount, line in _sum(near.explanation) if near.explanation else ():
            table.add_row(amount, "", "", escape(line))
    context.console.print(table)


def _print_pair(context: Context, answer: "Pair") -> None:
    from rich.markup import escape
    from rich.table import Table

    title = f"{answer.left.title or answer.left.id} and {answer.right.title or answer.right.id}"
    title += f", {_system(answer)}"
    table = Table("type", "score", "because", title=escape(title), title_justify="left", box=None)
    for one in answer.explanations or ():
        table.add_row(one.type, _shown(one.score), escape(getattr(answer.reasons, one.type)), style="bold")
        for line in _sum(one):
            table.add_row("", line[0], escape(line[1]))
    context.console.print(table)


def _sum(one: "Explanation") -> list[tuple[str, str]]:
    from service.phrases import short

    if one.base is None:
        return []
    lines = [(f"{one.base:+.3f}", "base")]
    said: dict[str, str] = {}
    for part in one.contributions or ():
        value = "no information" if part.value is None else f"{part.value:.3f}"
        weight = "" if part.weight is None else f" x {part.weight:.3f}"
        shown = [short(evidence.about or evidence.left[0].text) for evidence in part.evidence[:5]]
        words = said[part.feature] = said.get(part.evidence_of or "", ", ".join(dict.fromkeys(shown)))
        lines.append((f"{part.amount:+.3f}", f"{part.feature} {value}{weight}  {words}"))
    return lines


def _shown(score: float | None) -> str:
    return "–" if score is None else f"{score:.2f}"


def _system(answer: "Neighbours | Pair") -> str:
    stands_in = f" (in place of {answer.stands_in_for})" if answer.stands_in_for else ""
    return f"system {answer.system}{stands_in}"
