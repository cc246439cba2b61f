"""The commands on pairs of one's own: ``kindred pairs mine``, ``annotate``, ``export`` and ``import``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, group

if TYPE_CHECKING:
    from evaluation.gold.judgements import Judgements
    from evaluation.typed import Pairs
    from models.types import Types

app = group("pairs", "Pairs of one's own: drawn from a collection to be judged, or judged elsewhere.")
JudgedArgument = Annotated[
    Path, typer.Argument(metavar="PAIRS", help="The folder of pairs, as kindred pairs mine wrote them.")
]
ControlsOption = Annotated[
    Path | None,
    typer.Option(
        "--controls", metavar="DIR", help="Pairs with gold, to be control questions among the others."
    ),
]
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
    from ingest.typed_files import GOLD
    from service import open_collection
    from service.search.facets import Filters

    context: Context = ctx.obj
    if (out / GOLD).exists():
        raise UsageError(f"{out} holds pairs with gold, which would be of other pairs; name another folder")
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


@app.command()
def annotate(
    ctx: typer.Context,
    pairs: JudgedArgument,
    controls: ControlsOption = None,
    every: Annotated[int, typer.Option(min=1, help="Pairs between two control questions.")] = 9,
    host: Annotated[str | None, typer.Option(help="Address to listen on, in place of service.host.")] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Port to listen on, in place of service.port.")
    ] = None,
) -> None:
    """Serve the portal with pages on which people judge pairs, each with a key of their own.

    They are at /edit/pairs, for keys of role curator. What is judged is stored in the state directory at
    once; who comes back goes on where they stopped.
    """
    from evaluation.gold.pages import START, AnnotationTask, add_pages, catalogued_pictures
    from evaluation.typed import read_pairs
    from service.operations.annotations import Annotations
    from service.operations.keys import Keys, Role
    from service.web.serving import serve

    context: Context = ctx.obj
    settings = context.served()
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    service = settings.service.model_copy(update={**given, "workers": 1})
    known = None if controls is None else _with_gold(controls, settings.types)
    store = Annotations(settings.state.annotations)
    drawn = read_pairs(pairs, settings.types)
    pictures = catalogued_pictures(settings.state.catalogue, drawn, known)
    task = AnnotationTask.of(drawn, known, every, settings.types, store, pictures)
    if not any(
        key.revoked is None and key.role.reaches(Role.CURATOR) for key in Keys(settings.state.keys).all()
    ):
        context.warn("nobody can judge yet: make every annotator a key, kindred keys add NAME --role curator")
    context.warn(f"{len(task.questions):,} questions, for annotators at {START}")
    serve(
        settings.model_copy(update={"service": service}),
        context.config,
        lambda served: add_pages(served, task),
    )


@app.command()
def export(
    ctx: typer.Context,
    pairs: JudgedArgument,
    out: OutOption,
    controls: ControlsOption = None,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="NAME", help="Leave out an annotator. May be repeated."),
    ] = None,
    json: JsonOption = False,  # noqa: ARG001 - read by its callback
) -> None:
    """Write the pairs that were judged on the pages, with gold, in the layout of Typed-Similarity.

    The gold is the mean of the annotators; who found that a type does not apply leaves it to the others.
    Control questions are no pairs of it.

    With --json: {"directory", "pairs", "left_out": pairs that nobody judged, "annotators": [{"name",
    "pairs", "controls", "with_the_rest"}], "agreement": as of import}.
    """
    from evaluation.gold.judgements import write_judgements
    from evaluation.gold.questions import annotators, collected, known_answers, standings
    from evaluation.typed import read_pairs
    from ingest.errors import PairsError, UsageError
    from service.operations.annotations import Annotations

    context: Context = ctx.obj
    settings = context.served()
    if out.resolve() == pairs.resolve():
        raise UsageError(
            "--out is the folder of the pairs itself; name another, so that these stay as judged"
        )
    drawn = read_pairs(pairs, settings.types)
    with Annotations(settings.state.annotations) as store:
        stored = store.every()
    names = annotators(stored)
    if unknown := set(without or ()) - set(names.values()):
        known_names = ", ".join(sorted(names.values())) or "nobody"
        raise UsageError(f"{sorted(unknown)[0]!r} has judged nothing; those who have: {known_names}")
    stored = [one for one in stored if names[one.who] not in (without or ())]
    judgements = collected(drawn, stored, tuple(settings.types))
    if not write_judgements(judgements, tuple(settings.types), out):
        raise PairsError(
            f"nobody has judged a pair of {pairs}; kindred pairs annotate {pairs} is where they do"
        )
    known = known_answers(
        stored, None if controls is None else _with_gold(controls, settings.types), judgements.types
    )
    rows = standings(judgements, stored, known)
    answer = {
        "directory": str(out),
        "pairs": len(judgements.pairs),
        "left_out": len(drawn) - len(judgements.pairs),
        "annotators": [one._asdict() for one in rows],
    }
    people = [
        f"{one.name}: {one.pairs} pairs, {_figure(one.controls)} of the control questions right,"
        f" r {_figure(one.with_the_rest)} with the rest"
        for one in rows
    ]
    _say(context, answer, {**answer, "annotators": people}, judgements)


def _with_gold(folder: Path, types: "Types") -> "Pairs":
    """Pairs that have gold; raises ``PairsError``."""
    from evaluation.typed import read_pairs

    pairs = read_pairs(folder, types)
    pairs.known_gold()
    return pairs


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
    leaves it to the others and is 0 where all say so. The gold is the mean of the annotators. Records are
    those of the collection, unless columns such as left_title and right_description describe them; a
    vertical bar stands between several values.

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
            stored = catalogue.some(missing)
        judgements = judgements._replace(records={**judgements.records, **stored})
    number = write_judgements(judgements, tuple(settings.types), out)
    if not number:
        raise PairsError(
            f"no pair of {file} has two records that are known; ingest them, or describe them in columns"
            " such as left_title and right_title"
        )
    answer = {
        "directory": str(out),
        "pairs": number,
        "annotators": len(judgements.annotators),
        "left_out": len(judgements.pairs) - number,
    }
    _say(context, answer, answer, judgements)


def _say(
    context: Context, document: dict[str, object], words: dict[str, object], judgements: "Judgements"
) -> None:
    """Answer with how far annotators agree: by type in a document for programs, as lines for people."""
    agreement = judgements.agreement()
    if context.json:
        context.print_json({**document, "agreement": agreement})
        return
    lines = [
        f"{kind}: r {_figure(agreement['with_the_rest'][kind])}, alpha {_figure(agreement['alpha'][kind])}"
        for kind in (judgements.types if agreement else ())
    ]
    context.say("pairs", {**words, "agreement": lines})


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
