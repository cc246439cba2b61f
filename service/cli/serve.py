"""The HTTP service: ``kindred serve``."""

from typing import Annotated

import typer

from service.cli.context import Context


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

    settings = context.served()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    service = settings.service.model_copy(update=given)
    run(settings.model_copy(update={"service": service}), context.config)
