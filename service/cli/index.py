"""The index in a cluster: ``kindred index``."""

from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from service.search.engines.elastic.generations import Generations
    from service.settings import Settings

app = group("index", "The index in an Elasticsearch cluster.")

_Name = Annotated[str, typer.Argument(help="An index, as kindred index status names it.")]


@app.command()
def build(
    ctx: typer.Context,
    switch: Annotated[
        bool, typer.Option(help="Let the index answer as soon as it is whole; --no-switch leaves that.")
    ] = True,
    json: JsonOption = False,
) -> None:
    """Send the collection to the cluster, as an index of its own; one that was begun is gone on with."""
    context: Context = ctx.obj
    from time import perf_counter

    from service.search.engines.elastic import building

    started, settings = perf_counter(), context.served()
    total = building.opened(settings).manifest.items
    with context.progress("index", total) as advance:
        made = building.build(settings, advance)
    answer = {"index": made.index, "items": made.items, "sent": made.sent, "live_changes": made.changes}
    seconds = round(perf_counter() - started, 1)
    if switch:
        _switch(settings, made.index)
    context.say("built", {**answer, "seconds": seconds, "answers": switch})


@app.command()
def status(ctx: typer.Context, json: JsonOption = False) -> None:
    """Say which indices there are, which one answers, and which live changes the cluster did not take."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import Outbox

    settings = context.served()
    indices = _generations(settings).all()
    with Outbox(settings.state.outbox) as outbox:
        pending, before = outbox.pending(), outbox.answered_before()
    whole, waiting = ([row._asdict() for row in rows] for rows in (indices, pending))
    rows = []
    for row in indices:
        marks = ("yes" if mark else "no" for mark in (row.whole, row.answers))
        rows.append((row.name, f"{row.items:,}", f"{row.revision:,}", *marks))
    document = {"indices": whole, "waiting": waiting, "before": before}
    context.print_rows(document, ("index", "items", "revision", "whole", "answers"), rows)
    if context.json:
        return
    for write in pending:
        context.warn(f"not taken: {write.id} of revision {write.revision}: {write.reason}")
    if pending:
        context.warn("send them again: kindred index retry")


@app.command()
def switch(ctx: typer.Context, name: _Name, json: JsonOption = False) -> None:
    """Let another index answer, from one question to the next."""
    context: Context = ctx.obj
    before = _switch(context.served(), name)
    context.say("answers", {"index": name, "before": before or "none"})


@app.command()
def rollback(ctx: typer.Context, json: JsonOption = False) -> None:
    """Let the index answer again that did before the last switch."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.search.engines.elastic.sending import Outbox

    settings = context.served()
    others = {row.name for row in _generations(settings).all() if not row.answers}
    with Outbox(settings.state.outbox) as outbox:
        name = next((name for name in outbox.answered_before() if name in others), None)
    if name is None:
        raise UsageError("no index is there that answered before; see: kindred index status")
    before = _switch(settings, name)
    context.say("answers", {"index": name, "before": before or "none"})


@app.command()
def drop(ctx: typer.Context, name: _Name, json: JsonOption = False) -> None:
    """Delete an index that does not answer."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import Outbox

    settings = context.served()
    _generations(settings).drop(name)
    with Outbox(settings.state.outbox) as outbox:
        outbox.forget(name)
    context.say("dropped", {"index": name})


@app.command()
def retry(ctx: typer.Context, json: JsonOption = False) -> None:
    """Send the live changes again that the cluster did not take, as the catalogue has them now."""
    context: Context = ctx.obj
    from service.search.engines.elastic.sending import retry as again

    sent, waiting = again(context.served())
    context.say("sent again", {"sent": sent, "waiting": waiting})


def _generations(settings: "Settings") -> "Generations":
    from service.search.engines.elastic.client import connect
    from service.search.engines.elastic.generations import Generations
    from service.search.engines.elastic.settings import cluster

    keys = cluster(settings)
    return Generations(connect(keys), keys)


def _switch(settings: "Settings", name: str) -> str | None:
    """Switch, send what changed meanwhile, and remember which index answered before."""
    from service.search.engines.elastic import building
    from service.search.engines.elastic.sending import Outbox

    before = building.switch(settings, name, _generations(settings))
    if before not in (None, name):
        with Outbox(settings.state.outbox) as outbox:
            outbox.remember_answering(before)
    return before
