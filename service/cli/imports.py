"""The runs and harvests that took records in: ``kindred imports``."""

from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, group

app = group("imports", "The runs that took records in, and taking one back.")


@app.callback(invoke_without_command=True, no_args_is_help=False)
def list_(ctx: typer.Context, json: JsonOption = False) -> None:
    """List the runs that took records in, the latest first; undo NUMBER takes one back."""
    if ctx.invoked_subcommand is not None:
        return
    context: Context = ctx.obj
    from ingest.imports import Imports

    with Imports(context.state.catalogue, read_only=True) as catalogue:
        runs = catalogue.imports()
    rows = []
    for run in runs:
        files = ", ".join(run.files[:3]) + (", ..." if len(run.files) > 3 else "")
        state = "taken back" if run.undone else "" if run.ended else "not ended"
        counts = (f"{number:,}" for number in (run.added, run.changed, run.removed))
        source = run.source or (f"harvest {run.harvest}" if run.harvest else "")
        rows.append((str(run.number), run.began, files, source, *counts, state))
    context.print_rows(runs, ("run", "began", "files", "source", "added", "changed", "removed", ""), rows)


@app.command()
def undo(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(help="The number of the run, as kindred imports lists it.")],
    json: JsonOption = False,
) -> None:
    """Take a run back whole: what it added goes, what it changed or removed is as before.

    A record that something else changed since stays as it is now, and is counted as kept. Answers have
    it after the next kindred build. The next harvest from a server of which a harvest was taken back asks
    for everything again.
    """
    context: Context = ctx.obj
    from msgspec.structs import asdict

    from ingest.errors import CollectionMissing
    from ingest.imports import Imports

    path = context.state.catalogue
    if not path.exists():
        raise CollectionMissing(f"no catalogue at {path}; make one with: kindred ingest FILE")
    with Imports(path) as catalogue:
        undone = catalogue.undo(number)
    context.say("taken back", asdict(undone))
