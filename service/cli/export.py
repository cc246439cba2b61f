"""Everything that Kindred has of a collection, in one file: ``kindred export``."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption


def export(
    ctx: typer.Context,
    out: Annotated[Path, typer.Argument(help="The file; its name ends in .csv, .jsonl or .jsonld.")],
    neighbours: Annotated[
        int, typer.Option(min=0, max=100, help="Neighbours of each item and type; 0 writes none.")
    ] = 0,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """Write every item with what Kindred read of it: years, makers, places, and neighbours where wanted.

    A file that is there already is replaced once the new one is whole.
    """
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from ingest.storage.files import unwritable_output, whole_file
    from service.composition import check_whole, open_recommender
    from service.operations.export import FORMS, exported, written

    form = out.suffix.removeprefix(".").lower()
    if form not in FORMS:
        endings = ", ".join(f".{one}" for one in FORMS)
        raise UsageError(f"the name of {out} tells no form; let it end in one of: {endings}")
    settings = context.served(system)
    check_whole(settings)
    recommender = open_recommender(settings, system)
    types = [*recommender.system.types] if neighbours else []
    with (
        whole_file(out, unwritable_output) as file,
        context.progress("export", len(recommender.collection)) as advance,
    ):
        for piece in written(exported(recommender, neighbours), form, types):
            file.write(piece)
            advance(1)
    context.say("exported", {"file": str(out), "form": form, "items": len(recommender.collection)})
