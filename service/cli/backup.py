"""What cannot be made again is kept: ``kindred backup`` and ``kindred restore``."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption


def backup(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="The zip file to write; one that is there is replaced.")],
    json: JsonOption = False,
) -> None:
    """Back up the catalogue, paths, keys, feedback and trained weights; a service may run meanwhile."""
    context: Context = ctx.obj
    from service.operations.backup import backup

    context.say("backup", {"file": str(file), **backup(context.state, file)._asdict()})


def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file that kindred backup wrote.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace what the state directory has.")] = False,
    json: JsonOption = False,
) -> None:
    """Put back what a backup holds, after all of it was checked; then run: kindred build.

    Keys that are revoked by now stay so. Where the present keys are lost, those that were revoked after the
    backup count again: look at them with kindred keys list.
    """
    context: Context = ctx.obj
    from service.operations.backup import restore
    from service.operations.compaction import alone

    context.state.directory.mkdir(parents=True, exist_ok=True)
    with alone(context.state):
        restored = restore(context.state, file, replace=replace)
    context.say("restored", {"file": str(file), **restored._asdict()})
