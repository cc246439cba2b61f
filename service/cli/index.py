"""The index in a cluster: ``kindred index``."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from service.search.engines.elastic.generations import Generations

index = typer.Typer(name="index", help="The index in an Elasticsearch cluster.", no_args_is_help=True)

_Name = Annotated[str, typer.Argument(help="An index, as kindred index status names it.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    app.add_typer(index)


@index.command()
def build(
    ctx: typer.Context,
    switch: Annotated[
        bool, typer.Option(help="Let the index answer as soon as it is whole; --no-switch leaves that.")
    ] = True,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Send the collection to the cluster, as an index of its own; one that was begun is gone on with."""
    context: Context = ctx.obj
    from time import perf_counter

    from service.search.engines.elastic import building

    started, settings = perf_counter(), context.settings
    total = building.opened(settings).manifest.items
    with context.progress("index", total) as advance:
        made = building.build(settings, advance)
    seconds = perf_counter() - started
    answer: dict[str, object] = {
        "index": made.index,
        "items": made.items,
        "sent": made.sent,
        "live_changes": made.changes,
        "seconds": round(seconds, 1),
    }
    if switch:
        _switch(context, made.index)
    context.say("built", {**answer, "answers": switch})


@index.command()
def status(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Say which indices there are, which one answers, and which live changes the cluster did not take."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import Outbox

    found = _generations(context).all()
    with Outbox(context.settings.state.outbox) as outbox:
        pending, before = outbox.pending(), outbox.answered_before()
    if context.json:
        context.print_json(
            {
                "indices": [one._asdict() for one in found],
                "waiting": [one._asdict() for one in pending],
                "before": before,
            }
        )
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table("index", "items", "revision", "whole", "answers", box=None)
    for one in found:
        marks = ("yes" if mark else "no" for mark in (one.whole, one.answers))
        table.add_row(escape(one.name), f"{one.items:,}", f"{one.revision:,}", *marks)
    context.console.print(table)
    for write in pending:
        context.warn(f"not taken: {write.id} of revision {write.revision}: {write.reason}")
    if pending:
        context.warn("send them again: kindred index retry")


@index.command()
def switch(ctx: typer.Context, name: _Name, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Let another index answer, from one question to the next."""
    context: Context = ctx.obj
    before = _switch(context, name)
    context.say("answers", {"index": name, "before": before or "none"})


@index.command()
def rollback(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Let the index answer again that did before the last switch."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.search.engines.elastic.sending import Outbox

    there = {one.name for one in _generations(context).all() if not one.answers}
    with Outbox(context.settings.state.outbox) as outbox:
        name = next((one for one in outbox.answered_before() if one in there), None)
    if name is None:
        raise UsageError("no index is there that answered before; see: kindred index status")
    before = _switch(context, name)
    context.say("answers", {"index": name, "before": before or "none"})


@index.command()
def drop(ctx: typer.Context, name: _Name, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Delete an index that does not answer."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import Outbox

    _generations(context).drop(name)
    with Outbox(context.settings.state.outbox) as outbox:
        outbox.forget(name)
    context.say("dropped", {"index": name})


@index.command()
def retry(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Send the live changes again that the cluster did not take, as the catalogue has them now."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import retry as again

    sent, waiting = again(context.settings)
    context.say("sent again", {"sent": sent, "waiting": waiting})


def _generations(context: Context) -> "Generations":
    from service.search.engines.elastic.client import connect
    from service.search.engines.elastic.generations import Generations
    from service.search.engines.elastic.settings import cluster

    settings = cluster(context.settings)
    return Generations(connect(settings), settings)


def _switch(context: Context, name: str) -> str | None:
    """Switch, send what changed meanwhile, and remember which index answered before."""
    from service.search.engines.elastic import building
    from service.search.engines.elastic.sending import Outbox

    before = building.switch(context.settings, name, _generations(context))
    if before not in (None, name):
        with Outbox(context.settings.state.outbox) as outbox:
            outbox.remember_answering(before)
    return before
