"""Feedback on neighbours: ``kindred feedback list`` and ``export``."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, group

app = group("feedback", "What curators said of neighbours.")


@app.command(name="list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:
    """Every judgement: of which pair, in which type, whether it fits, and who said so."""
    context: Context = ctx.obj
    from service.operations.feedback import Feedback

    with Feedback(context.state.feedback) as feedback:
        judgements = feedback.every()
    if context.json:
        context.print_json({"judgements": [judgement._asdict() for judgement in judgements]})
        return
    for judgement in judgements:
        verdict = "fits" if judgement.fits else "does not fit"
        answer = {"type": judgement.type, "said": verdict, "score": judgement.score, "by": judgement.by}
        context.say(f"{judgement.left} and {judgement.right}", answer)


@app.command()
def export(
    ctx: typer.Context,
    out: Annotated[Path, typer.Option(help="The folder for the files; made where it is not there.")],
    json: JsonOption = False,
) -> None:
    """Write what was judged as pairs with gold, in the layout of Typed-Similarity; NA where nobody judged."""
    context: Context = ctx.obj
    from ingest.catalogue import Catalogue
    from ingest.errors import UsageError
    from ingest.typed_files import write_pairs
    from service.operations.feedback import Feedback, judged

    settings = context.served()
    with Feedback(settings.state.feedback) as feedback:
        pairs = judged(feedback.every(), settings.types)
    ids = {item for judged_pair in pairs for item in judged_pair.pair}
    with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
        records = catalogue.some(ids)
    number = write_pairs(out, pairs, records)
    if not number:
        raise UsageError("there is no feedback on items that are in the collection")
    context.say("feedback", {"directory": str(out), "pairs": number, "left_out": len(pairs) - number})
