"""Every item's neighbours at once: ``kindred neighbours``."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption


def neighbours(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(help="The folder for the Parquet files.")],
    every: Annotated[bool, typer.Option("--all", help="Of every item of the collection; required.")] = False,
    k: Annotated[int, typer.Option("--k", min=1, max=1000, help="Neighbours of each item and type.")] = 25,
    kinds: Annotated[
        list[str] | None, typer.Option("--type", help="A type of similarity; repeatable. All without it.")
    ] = None,
    floor: Annotated[
        float | None,
        typer.Option(
            min=0, max=5, help="The score at which a list ends; the system's own without it, 0 for no end."
        ),
    ] = None,
    part: Annotated[int, typer.Option(min=1, help="Items of one file.")] = 1000,
    anew: Annotated[bool, typer.Option("--anew", help="Remove what an earlier run left there.")] = False,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """Write every item's neighbours as Parquet files; a run that was stopped goes on where it was."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import check_whole, open_recommender
    from service.search.batch.parquet import PARQUET
    from service.search.batch.runs import BatchManifest, claim, clear, run

    if not every:
        raise UsageError("neighbours are written of every item; say so: --all")
    settings = context.served(system)
    check_whole(settings)
    recommender = open_recommender(settings, system)
    wanted = {recommender.system.position(kind) for kind in kinds or recommender.system.types}
    types = [kind for at, kind in enumerate(recommender.system.types) if at in wanted]
    floors = recommender.system.floor if floor is None else dict.fromkeys(types, floor)
    batch = BatchManifest.of(recommender, k, types, part, floors)
    if anew and out.is_dir():
        clear(out)
    claim(out, batch)
    variant, processes = recommender.variant, settings.analysis.workers
    opening = partial(open_recommender, settings, system)
    with context.progress("neighbours", batch.items) as advance:
        done = run(recommender, opening, processes, batch, out, PARQUET, advance)
    fallback = {"stands_in_for": variant.stands_in_for, "approximate": variant.approximate}
    answer = {"directory": str(out), **fallback, **done._asdict()}
    context.say("neighbours", answer | batch.model_dump(mode="json", exclude={"format"}))
