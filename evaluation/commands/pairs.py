"""The commands on pairs of one's own: ``kindred pairs mine`` and ``import``."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.context import Context, JsonOption, group

app = group("pairs", "Pairs of one's own: drawn from a collection to be judged, or judged elsewhere.")
OutOption = Annotated[Path, typer.Option(help="The folder for the files; made where it is not there.")]


@app.command()
def mine(
    ctx: typer.Context,
    out: OutOption,
    number: Annotated[int, typer.Option(min=1, max=100_000, help="How many pairs.")] = 480,
    seed: Annotated[int, typer.Option(help="The same seed draws the same pairs.")] = 7,
    collection: Annotated[
        Path | None, typer.Option(help="State directory of the collection; the configured one without it.")
    ] = None,
    types: Annotated[
        list[str] | None, typer.Option("--type", help="A type to draw in; all without it. May be repeated.")
    ] = None,
    across: Annotated[
        bool, typer.Option("--across", help="Go from each item to items of other providers alone.")
    ] = False,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Draw pairs worth judging from a built collection, by chains of neighbours in each type.

    As many pairs of each type; of three two follow each other in a chain, one has an item between. They are
    written in the layout of Typed-Similarity without gold, with the type and the distance in strata.tsv.

    With --json: {"directory", "pairs", "seed", "strata": {TYPE: [at distance 1, at distance 2]}}.
    """
    from evaluation.gold.mining import mine, write_mined
    from ingest.errors import UnknownType, UsageError
    from service import open_collection
    from service.search.facets import Filters

    context: Context = ctx.obj
    opened = open_collection(collection, config=context.config)
    kinds = tuple(kind for kind in opened.types if not types or kind in types)
    if unknown := set(types or ()) - set(opened.types):
        raise UnknownType(f"there is no type {sorted(unknown)[0]!r}; known are {', '.join(opened.types)}")
    providers = {row.id: row.provider for row in opened.items()} if across else {}

    def neighbours(item: str, kind: str) -> list[str]:
        others = tuple(sorted({*providers.values()} - {providers[item]})) if across else ()
        if across and not others:
            raise UsageError("the collection has one provider: leave out --across")
        return [row.id for row in opened.similar(item, kind, filters=Filters(provider=others), floor=0.0)]

    with context.progress("draw", number) as advance:
        drawn = mine(list(opened), kinds, neighbours, number, seed, advance)
    items = {item for one in drawn for item in (one.left, one.right)}
    write_mined(drawn, {item: opened.record(item) for item in items}, out)
    counts = {kind: [sum(one[2:] == (kind, far) for one in drawn) for far in (1, 2)] for kind in kinds}
    context.say("pairs", {"directory": str(out), "pairs": len(drawn), "seed": seed, "strata": counts})


@app.command(name="import")
def import_(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A table or JSON lines, a row for each judgement.")],
    out: OutOption,
    scale: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="The lowest and highest number of the judgements.")
    ] = "0-5",
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Write judgements of one's own as pairs with gold, in the layout of Typed-Similarity.

    A row has the columns left and right with the ids of two records, a column for each type that was judged,
    and annotator where several judged. A cell may be empty, or NA for a type that does not apply, which
    counts 0. The gold is the mean of the annotators. Records are those of the collection, unless columns such
    as left_title and right_description describe them; a vertical bar stands between several values.

    With --json: {"directory", "pairs", "annotators", "left_out": pairs whose records are unknown,
    "agreement": {"with_the_rest" | "alpha": {TYPE: figure or null}}}.
    """
    from evaluation.gold.judgements import Scale, read_judgements, write_judgements
    from ingest.catalogue import Catalogue
    from ingest.errors import PairsError

    context: Context = ctx.obj
    settings = context.settings
    judgements = read_judgements(file, settings.types, Scale.of(scale))
    missing = {item for pair in judgements.pairs for item in pair} - judgements.records.keys()
    if missing and settings.state.catalogue.exists():
        with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
            stored = {item: record for item in missing if (record := catalogue.get(item)) is not None}
        judgements = judgements._replace(records={**judgements.records, **stored})
    number = write_judgements(judgements, tuple(settings.types), out)
    if not number:
        raise PairsError(
            f"no pair of {file} has two records that are known; ingest them, or describe them in columns"
            " such as left_title and right_title"
        )
    context.say(
        "pairs",
        {
            "directory": str(out),
            "pairs": number,
            "annotators": len(judgements.annotators),
            "left_out": len(judgements.pairs) - number,
            "agreement": judgements.agreement(),
        },
    )
