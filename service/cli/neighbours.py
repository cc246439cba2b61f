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
    part: Annotated[int, typer.Option(min=1, help="Items of one file.")] = 1000,
    anew: Annotated[bool, typer.Option("--anew", help="Remove what an earlier run left there.")] = False,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """Write every item's neighbours as Parquet files; a run that was stopped goes on where it was."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import check_whole, open_recommender
    from service.search.batch.parquet import Parquet
    from service.search.batch.runs import Batch, claim, clear, run, run_spread

    if not every:
        raise UsageError("neighbours are written of every item; say so: --all")
    settings = context.served(system)
    check_whole(settings)
    recommender = open_recommender(settings, system)
    wanted = {recommender.system.position(kind) for kind in kinds or recommender.system.types}
    batch = Batch(
        generation=recommender.mark,
        system=recommender.system.name,
        k=k,
        types=tuple(kind for at, kind in enumerate(recommender.system.types) if at in wanted),
        items=len(recommender.collection),
        part=part,
    )
    if anew and out.is_dir():
        clear(out)
    claim(out, batch)
    form, variant, processes = Parquet(), recommender.variant, settings.analysis.workers
    with context.progress("neighbours", batch.items) as advance:
        # a part that is the only one is not worth the seconds that another process takes to start
        if processes == 1 or len(batch.parts(out, form)) == 1:
            done = run(recommender, batch, out, form, advance)
        else:
            opening = partial(open_recommender, settings, system)
            done = run_spread(opening, batch, out, form, processes, advance)
    fallback = {"stands_in_for": variant.stands_in_for, "approximate": variant.approximate}
    answer = {"directory": str(out), **fallback, **done._asdict()}
    context.say("neighbours", answer | batch.model_dump(mode="json", exclude={"format"}))
