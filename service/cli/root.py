"""The command ``kindred``: only typer is imported, every command loads what it needs when it runs.

Each entry point of the group ``kindred.commands`` is a function that adds commands to the app.
"""

import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from ingest.errors import KindredError
from service.cli import (
    backup,
    build,
    dates,
    export,
    feedback,
    harvest,
    imports,
    index,
    ingest,
    keys,
    mapping,
    models,
    neighbours,
    paths,
    put,
    search,
    serve,
    similar,
    wikipedia,
)
from service.cli.context import Context

app = typer.Typer(
    name="kindred",
    help="Tells how the items of a cultural-heritage collection are alike: in which way, how much, and why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # help in plain text: loading rich would double the time it takes
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"kindred {version('kindred')}")
        raise typer.Exit


@app.callback()
def _start(
    ctx: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(help="A configuration file over the project's own.", envvar="KINDRED_CONFIG"),
    ] = None,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    ctx.obj = Context(config)


for _command in (
    *(ingest.ingest, build.build, put.put, put.delete, build.rebuild, harvest.harvest),
    *(
        backup.backup,
        backup.restore,
        similar.item,
        similar.similar,
        neighbours.neighbours,
        similar.explain,
        export.export,
    ),
    *(export.export, serve.serve, serve.shard, search.search, search.items),
):
    app.command()(_command)
for _group in (mapping, imports, feedback, keys, paths, index, dates, models, wikipedia):
    app.add_typer(_group.app)
for _entry in entry_points(group="kindred.commands"):
    _entry.load()(app)


def main() -> None:
    """Run the command; a foreseeable error is one line on stderr and an exit status, never a traceback."""
    try:
        app()
    except KindredError as error:
        _stop(f"{error.code}: {error.detail}", error.exit_status)
    except OSError as error:  # a full disk, a folder that may not be written
        _stop(f"system: {error}", 1)


def _stop(message: str, status: int) -> None:
    from service.cli.terminal import without_commands

    typer.secho(f"kindred: {without_commands(message)}", err=True, fg="red" if sys.stderr.isatty() else None)
    sys.exit(status)
