"""``kindred paths``: ``list``, ``show``, ``export``, ``import``, ``suggest`` and ``between``."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption, group

if TYPE_CHECKING:
    from service.paths.model import Content, ExplorationPath
    from service.paths.store import PathsFile
    from service.web.api.path_schemas import PathDocument, PathStep, Walk

app = group("paths", "Exploration paths.")

_PathId = Annotated[str, typer.Argument(help="The path's id.")]
_Kinds = Annotated[
    list[str] | None,
    typer.Option("--type", help="Only by this type of similarity; repeatable. By any without it."),
]


@app.command("list")
def list_(ctx: typer.Context, json: JsonOption = False) -> None:
    """Every path as it is now, the last changed first."""
    context: Context = ctx.obj
    with _opened(context) as paths:
        _say_paths(context, paths.all())


@app.command()
def show(ctx: typer.Context, path_id: _PathId, json: JsonOption = False) -> None:
    """A path as it is now, step by step."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.web.api import path_answers

    with _opened(context) as paths:
        document = path_answers.document(paths.get(path_id), open_recommender(context.served()))
    _say_path(context, document)


@app.command()
def export(
    ctx: typer.Context,
    path_id: _PathId,
    form: Annotated[str, typer.Option("--format", help="jsonld, iiif, csv, markdown or html.")] = "jsonld",
    out: Annotated[
        Path | None, typer.Option(help="The file for it; stdout without it, or where it is -.")
    ] = None,
    base: Annotated[
        str | None, typer.Option(help="Address of the service, for links; the configured one without it.")
    ] = None,
) -> None:
    """Write a path as a document, as it is now."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import open_recommender
    from service.paths.formats import FORMATS
    from service.paths.views import path_view

    if form not in FORMATS:
        raise UsageError(f"a path is not written as {form!r}; the forms are: {', '.join(FORMATS)}")
    settings = context.served()
    with _opened(context) as paths:
        path = paths.get(path_id)
    address = base or f"http://{settings.service.host}:{settings.service.port}"
    document = FORMATS[form].write(path_view(path, open_recommender(settings), settings.types, address))
    if out is None or str(out) == "-":
        typer.get_binary_stream("stdout").write(document)
        return
    from ingest.storage.files import unwritable_output, write_whole

    write_whole(out, document, unwritable_output)


@app.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(help="A path as JSON-LD or CSV; - reads stdin.", show_default=False)
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", help="jsonld or csv; told by the file's name without it.")
    ] = None,
    sample: Annotated[
        bool, typer.Option("--sample", help="The example paths of the sample collection, published.")
    ] = False,
    curator: Annotated[str, typer.Option(help="Who takes it in.")] = "",
    json: JsonOption = False,
) -> None:
    """Begin a path from a document; an item that is not here is kept as a withdrawn one."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import open_recommender
    from service.paths.editing import fitted, take_examples
    from service.paths.model import Signature
    from service.web.api import path_answers

    if (file is None) != sample:
        raise UsageError("name one file with a path, or --sample")
    content = None if file is None else _read(file, form)
    recommender, by = open_recommender(context.served()), Signature(name=curator)
    with _opened(context) as paths:
        if content is None:
            _say_paths(context, take_examples(paths, recommender, by))
            return
        path = paths.create(fitted(content, recommender), by, "imported")
    _say_path(context, path_answers.document(path, recommender))


def _read(file: Path, form: str | None) -> "Content":
    """The content of a path that a file describes, or stdin."""
    import sys

    from ingest.errors import UnreadableFile, UsageError
    from service.paths.formats import FORMATS, READABLE

    name = form or ("csv" if file.suffix.lower() == ".csv" else "jsonld")
    read = FORMATS[name].read if name in READABLE else None
    if read is None:
        raise UsageError(f"a path is not read as {name!r}; the forms are: {', '.join(READABLE)}")
    try:
        return read(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    except OSError as error:
        raise UnreadableFile(f"{file} cannot be read ({error.strerror}); name a file with a path") from None


@app.command()
def suggest(
    ctx: typer.Context,
    item_id: Annotated[str, typer.Argument(help="The item that the path begins with.")],
    kinds: _Kinds = None,
    length: Annotated[int, typer.Option(help="Most steps, the first one included.")] = 8,
    novelty: Annotated[
        float, typer.Option(help="How much a step should be unlike the earlier ones, 0 to 1.")
    ] = 0.4,
    keep: Annotated[str | None, typer.Option(help="Keep it as a path with this title.")] = None,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """A path by itself: each step near the last and not near the earlier ones, with the reason."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.paths.model import Content, Signature
    from service.paths.walking import walk
    from service.web.api import path_answers

    recommender = open_recommender(context.served(system), system)
    steps = walk(recommender, item_id, kinds or (), length, novelty)
    if keep is None:
        _say_walk(context, path_answers.walk(steps, length, recommender))
        return
    with _opened(context) as paths:
        path = paths.create(Content(title=keep, steps=steps), Signature())
    _say_path(context, path_answers.document(path, recommender))


@app.command()
def between(
    ctx: typer.Context,
    left: Annotated[str, typer.Argument(help="The item that the way begins with.")],
    right: Annotated[str, typer.Argument(help="The item that it leads to.")],
    kinds: _Kinds = None,
    floor: Annotated[float, typer.Option(help="The score of every link at least, 0 to 5.")] = 3.5,
    work: Annotated[int, typer.Option(min=2, help="Of so many items the links are looked up at most.")] = 100,
    system: SystemOption = None,
    json: JsonOption = False,
) -> None:
    """A chain of strong typed links from one item to another, as short as can be; or that there is none."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.paths import chains
    from service.web.api import path_answers

    recommender = open_recommender(context.served(system), system)
    chain = chains.between(recommender, left, right, kinds or (), floor, work)
    _say_walk(context, path_answers.chain(chain, floor, recommender))


def _opened(context: Context) -> "PathsFile":
    from service.paths.store import PathsFile

    return PathsFile(context.state.paths)


def _say_paths(context: Context, paths: "Iterable[ExplorationPath]") -> None:
    from rich.table import Column

    rows = [path.summary() for path in paths]
    columns = (Column("id", overflow="fold"), "title", "steps", "status", Column("changed", no_wrap=True))
    keys = ("id", "title", "length", "status", "changed")
    context.print_rows({"paths": rows}, columns, ([str(row[key]) for key in keys] for row in rows))


def _say_path(context: Context, path: "PathDocument") -> None:
    if context.json:
        context.print_json(path.model_dump(mode="json"))
        return
    _print_steps(context, f"{path.title} ({path.id}), version {path.version}, {path.status}", path.steps)


def _say_walk(context: Context, walk: "Walk") -> None:
    if context.json:
        context.print_json(walk.model_dump(mode="json"))
        return
    if walk.steps:
        _print_steps(context, "", walk.steps)
    for note in walk.notes:
        context.warn(note)


def _print_steps(context: Context, title: str, steps: "list[PathStep]") -> None:
    from rich.markup import escape
    from rich.table import Column, Table

    # an id is there to be copied: it is never cut
    whole = Column("item", overflow="fold")
    table = Table("", "type", whole, "because", title=escape(title), title_justify="left", box=None)
    for place, step in enumerate(steps, 1):
        gone = " (withdrawn)" if step.withdrawn else ""
        item = f"{escape(step.title)}{gone}\n[dim]{escape(step.id)}[/dim]"
        note = f"\n{escape(step.note)}" if step.note else ""
        table.add_row(str(place), step.type or "", item + note, escape(step.reason))
    context.console.print(table)
