"""``kindred paths``: ``list``, ``show``, ``export``, ``import``, ``suggest`` and ``between``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption, SystemOption

if TYPE_CHECKING:
    from service.paths.model import Content
    from service.paths.store import Paths
    from service.web.api.path_schemas import PathDocument, PathStep, PathSummary, Walk

_PathId = Annotated[str, typer.Argument(help="The path's id.")]
_Kinds = Annotated[
    list[str] | None,
    typer.Option("--type", help="Only by this type of similarity; repeatable. By any without it."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    paths = typer.Typer(name="paths", help="Exploration paths.", no_args_is_help=True, rich_markup_mode=None)
    for name, command in (
        ("list", list_paths),
        ("show", show),
        ("export", export),
        ("import", import_path),
        ("suggest", suggest),
        ("between", between),
    ):
        paths.command(name)(command)
    app.add_typer(paths)


def list_paths(ctx: typer.Context, json: JsonOption = False) -> None:  # noqa: ARG001 - see JsonOption
    """Every path as it is now, the last changed first."""
    context: Context = ctx.obj
    from service.web.api import path_answers

    with _opened(context) as paths:
        found = [path_answers.summary(path) for path in paths.all()]
    _say_paths(context, found)


def show(ctx: typer.Context, path_id: _PathId, json: JsonOption = False) -> None:  # noqa: ARG001
    """A path as it is now, step by step."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.web.api import path_answers

    with _opened(context) as paths:
        found = path_answers.document(paths.get(path_id), open_recommender(context.settings))
    _say_path(context, found)


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
    service = context.settings.service
    with _opened(context) as paths:
        path = paths.get(path_id)
    whole = path_view(
        path,
        open_recommender(context.settings),
        context.settings.types,
        base or f"http://{service.host}:{service.port}",
    )
    document = FORMATS[form].write(whole)
    if out is None or str(out) == "-":
        typer.get_binary_stream("stdout").write(document)
        return
    from ingest.storage.files import unwritable_output, write_whole

    write_whole(out, document, unwritable_output)


def import_path(
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
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Begin a path from a document; an item that is not here is kept as a withdrawn one."""
    context: Context = ctx.obj
    from ingest.errors import UsageError
    from service.composition import open_recommender
    from service.paths.editing import fitted, take_examples
    from service.web.api import path_answers

    if (file is None) != sample:
        raise UsageError("name one file with a path, or --sample")
    if file is None:
        with _opened(context) as paths:
            made = take_examples(paths, open_recommender(context.settings), curator)
            found = [path_answers.summary(path) for path in made]
        _say_paths(context, found)
        return
    content = _read(file, form)
    recommender = open_recommender(context.settings)
    with _opened(context) as paths:
        one = paths.create(fitted(content, recommender), curator, "imported")
    _say_path(context, path_answers.document(one, recommender))


def _read(file: Path, form: str | None) -> "Content":
    from ingest.errors import UsageError
    from service.paths.formats import FORMATS, READABLE

    name = form or ("csv" if file.suffix.lower() == ".csv" else "jsonld")
    read = FORMATS[name].read if name in READABLE else None
    if read is None:
        raise UsageError(f"a path is not read as {name!r}; the forms are: {', '.join(READABLE)}")
    return read(_bytes(file))


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
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """A path by itself: each step near the last and not near the earlier ones, with the reason."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.paths.model import Content
    from service.paths.walking import walk
    from service.web.api import path_answers

    recommender = open_recommender(context.settings, system)
    steps = walk(recommender, item_id, kinds or (), length, novelty)
    if keep is not None:
        with _opened(context) as paths:
            made = paths.create(Content(title=keep, steps=steps), "")
        _say_path(context, path_answers.document(made, recommender))
        return
    _say_walk(context, path_answers.walk(steps, length, recommender))


def between(
    ctx: typer.Context,
    left: Annotated[str, typer.Argument(help="The item that the way begins with.")],
    right: Annotated[str, typer.Argument(help="The item that it leads to.")],
    kinds: _Kinds = None,
    floor: Annotated[float, typer.Option(help="The score of every link at least, 0 to 5.")] = 3.5,
    work: Annotated[int, typer.Option(min=2, help="Of so many items the links are looked up at most.")] = 100,
    system: SystemOption = None,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """A chain of strong typed links from one item to another, as short as can be; or that there is none."""
    context: Context = ctx.obj
    from service.composition import open_recommender
    from service.paths import chains
    from service.web.api import path_answers

    recommender = open_recommender(context.settings, system)
    found = chains.between(recommender, left, right, kinds or (), floor, work)
    _say_walk(context, path_answers.chain(found, floor, recommender))


def _opened(context: Context) -> "Paths":
    from service.paths.store import Paths

    return Paths(context.settings.state.paths)


def _bytes(file: Path) -> bytes:
    import sys

    from ingest.errors import UnreadableFile

    try:
        return sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise UnreadableFile(f"{file} cannot be read ({error.strerror}); name a file with a path") from None


def _say_paths(context: Context, found: "list[PathSummary]") -> None:
    if context.json:
        context.print_json({"paths": [one.model_dump(mode="json") for one in found]})
        return
    from rich.markup import escape
    from rich.table import Column, Table

    table = Table(
        Column("id", overflow="fold"), "title", "steps", "status", Column("changed", no_wrap=True), box=None
    )
    for one in found:
        table.add_row(one.id, escape(one.title), str(one.length), one.status, one.changed)
    context.console.print(table)


def _say_path(context: Context, path: "PathDocument") -> None:
    if context.json:
        context.print_json(path.model_dump(mode="json"))
        return
    title = f"{path.title} ({path.id}), version {path.version}, {path.status}"
    _print_steps(context, title, path.steps)


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
