"""Out: ``kindred item``, ``explain`` and ``serve``; ``similar`` and ``neighbours`` stand in ``finding``.

With ``--json`` the commands that ask answer with the same documents as the HTTP service, which explains
neighbours only where it is asked to, as ``--explain`` does here.
"""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption
from service.cli.finding import neighbours, similar

if TYPE_CHECKING:
    from service.web.api.schemas import Item

_Id = Annotated[str, typer.Argument(help="The item's id.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    for command in (item, similar, neighbours, explain, serve):
        app.command()(command)


def item(ctx: typer.Context, item_id: _Id, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Show an item of the collection."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.web.api import answers

    found = answers.item(open_recommender(context.settings).item(item_id))
    if context.json:
        context.print_json(found.model_dump(mode="json"))
    else:
        _print_item(context, found)


def explain(
    ctx: typer.Context,
    left: _Id,
    right: Annotated[str, typer.Argument(help="The other item's id.")],
    kind: Annotated[str | None, typer.Option("--type", help="Only this type.")] = None,
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """How alike two items are and why: a score of each type, and what every feature adds to them."""
    context: Context = ctx.obj
    from service.cli.tables import print_pair
    from service.composition import open_recommender
    from service.web.api import answers

    recommender = open_recommender(context.settings, system)
    if kind is not None:
        recommender.system.position(kind)
    answer = answers.pair(recommender.score(left, right), recommender.variant, (True, True), explain=True)
    if kind is not None:
        only = [one for one in answer.explanations or () if one.type == kind]
        answer = answer.model_copy(update={"explanations": only})
    if context.json:
        context.print_json(answer.model_dump(mode="json"))
    else:
        print_pair(context, answer)


def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on, in place of service.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on, in place of service.port.")
    ] = None,
) -> None:
    """Serve the collection over HTTP: the API, and a page for every item."""
    context: Context = ctx.obj
    from service.web.serving import serve as run

    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    service = context.settings.service.model_copy(update=given)
    run(context.settings.model_copy(update={"service": service}), context.config)


def _print_item(context: Context, found: "Item") -> None:
    facts = found.model_dump(exclude={"id", "href", "similar", "view"})
    context.say(found.id, {name: value for name, value in facts.items() if value})
