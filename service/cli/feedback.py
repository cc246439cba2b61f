"""Feedback on neighbours: ``kindred feedback list`` and ``export``."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption

app = typer.Typer(name="feedback", help="What curators said of neighbours.", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    """Add the commands to the app."""
    parent.add_typer(app)


@app.command(name="list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Every judgement: of which pair, in which type, whether it fits, and who said so."""
    context: Context = ctx.obj
    from service.operations.feedback import Feedback

    with Feedback(context.settings.state.feedback) as feedback:
        found = feedback.every()
    if context.json:
        context.print_json({"judgements": [one._asdict() for one in found]})
        return
    for one in found:
        said = "fits" if one.fits else "does not fit"
        context.say(
            f"{one.left} and {one.right}", {"type": one.type, "said": said, "score": one.score, "by": one.by}
        )


@app.command()
def export(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(help="The folder for the files; made where it is not there.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Write what was judged as pairs with gold of all types, in the layout of Typed-Similarity."""
    context: Context = ctx.obj
    from ingest.catalogue import Catalogue
    from service.operations.feedback import Feedback, judged, write

    state = context.settings.state
    with Feedback(state.feedback) as feedback:
        found = judged(feedback.every(), context.settings.types)
    ids = {item for one in found for item in one.pair}
    with Catalogue(state.catalogue, read_only=True) as catalogue:
        records = {item: record for item in ids if (record := catalogue.get(item)) is not None}
    number = write(found, records, out)
    context.say("feedback", {"directory": str(out), "pairs": number, "left_out": len(found) - number})
