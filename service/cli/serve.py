"""The HTTP service, ``kindred serve``, and a process that searches for others, ``kindred shard``."""

import os
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Final

import typer

from service.cli.context import Context

if TYPE_CHECKING:
    from service.sections import ServiceSettings

_CURATOR: Final = "curator of this machine"


def serve(
    ctx: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on, in place of service.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on, in place of service.port.")
    ] = None,
    curators: Annotated[
        bool,
        typer.Option(
            "--curators", help="Take changes, and make a key to log in with: to try it on one's own machine."
        ),
    ] = False,
) -> None:
    """Serve the collection over HTTP: the API, and a page for every item."""
    context: Context = ctx.obj
    from service.web.serving import serve as run

    if curators:
        # read by the processes that serve and rebuild, too
        os.environ["KINDRED_SERVICE__WRITES"] = "true"
    settings = context.served()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    service = settings.service.model_copy(update=given)
    if curators:
        _let_in(context, service)
    run(settings.model_copy(update={"service": service}), context.config)


def shard(
    ctx: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8010,
) -> None:
    """Search parts of the collection for processes whose index.kind is sharded."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.search.engines.sharded.settings import sharded
    from service.web.serving import serve_shard

    settings = context.served()
    if not _is_own(host) and sharded(settings).secret_file is None:
        raise UsageError(
            f"{host} is reached from other machines: write a secret into a file, and name it as"
            " index.secret_file here and where the questions come from"
        )
    serve_shard(settings, host, port)


def _let_in(context: Context, service: "ServiceSettings") -> None:
    """Make the one key of this machine's curator anew, and show it; raises ``UsageError``."""
    from ingest.errors import UsageError
    from service.operations.keys import Keys, Role

    if not _is_own(service.host):
        raise UsageError(
            f"--curators is for one's own machine, and {service.host} is reached from others: make keys with"
            " kindred keys add NAME --role curator, and set service.writes: true"
        )
    with Keys(context.state.keys) as keys:
        for key in keys.all():
            if key.name == _CURATOR and key.revoked is None:
                keys.revoke(key.id)
        _, token = keys.add(_CURATOR, Role.CURATOR)
    typer.echo(
        f"Log in at http://{service.host}:{service.port}/login with this key, which counts until the"
        " next start:"
    )
    typer.echo(token)


def _is_own(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
