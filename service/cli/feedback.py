"""Feedback on neighbours: ``kindred feedback``."""

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
        verdict = "pinned" if judgement.pinned else "fits" if judgement.fits else "does not fit"
        answer = {"type": judgement.type, "said": verdict, "score": judgement.score, "by": judgement.by}
        context.say(f"{judgement.left} and {judgement.right}", answer)


@app.command()
def withdraw(
    ctx: typer.Context,
    left: Annotated[str, typer.Argument(help="The id of the one item.")],
    right: Annotated[str, typer.Argument(help="The id of the other.")],
    kind: Annotated[str, typer.Argument(help="The type that was judged.")],
    by: Annotated[str, typer.Option(help="The name of the key that judged.")],
    json: JsonOption = False,
) -> None:
    """Take back what was said of a pair: at once it is in the lists of its type where it was before."""
    context: Context = ctx.obj
    from service.operations.feedback import Feedback

    with Feedback(context.state.feedback) as feedback:
        feedback.withdraw((left, right), kind, by)
    context.say("withdrawn", {"left": left, "right": right, "type": kind, "by": by})


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
