"""Changes that show at once: ``kindred put``, ``delete`` and ``rebuild``."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.collecting import built
from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from ingest.record import Record


def register(app: typer.Typer) -> None:
    """Add the commands to the app."""
    for command in (put, delete, rebuild):
        app.command()(command)


def put(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="JSON: a record, or a list or lines of them; - reads stdin.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Add or replace items; answers hold them at once, without a build. All of them or none."""
    context: Context = ctx.obj
    from service.composition import Analyser, open_writer
    from service.operations.date_report import StrangeDates

    records, strange = list(_records(file)), StrangeDates()
    for record in records:
        strange.note(record)
    with open_writer(context.settings, Analyser(context.settings)) as writer:
        done = writer.put(records)
    counts = {"added": len(done.added), "replaced": len(done.replaced)}
    unchanged = len({record.id for record in records}) - sum(counts.values())
    context.say(
        "put",
        {
            "revision": done.revision,
            **counts,
            "unchanged": unchanged,
            "dates_not_understood": len(strange),
        },
    )
    if strange:
        context.warn(strange.sentence())


def delete(
    ctx: typer.Context,
    item_ids: Annotated[list[str], typer.Argument(help="Ids of items.")],
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Delete items; no answer holds them from now on. All of them, or none where one is unknown."""
    context: Context = ctx.obj
    from ingest.errors import CollectionMissing
    from service.composition import Analyser, open_writer

    if not context.settings.state.catalogue.exists():
        raise CollectionMissing(f"nothing is ingested in {context.settings.state.directory}")
    with open_writer(context.settings, Analyser(context.settings)) as writer:
        done = writer.delete(item_ids)
    context.say("deleted", {"revision": done.revision, "deleted": len(done.deleted)})


def rebuild(
    ctx: typer.Context,
    background: Annotated[
        bool, typer.Option("--background", help="Begin it at low priority and return at once.")
    ] = False,
    json: JsonOption = False,  # noqa: ARG001 - see JsonOption
) -> None:
    """Build the collection anew from the catalogue, with what was put and deleted since.

    As kindred build, but it does not wait for another build. Whoever reads keeps the collection before
    until the new one is whole.
    """
    context: Context = ctx.obj
    from service.operations.compaction import alone, log_file, start

    settings = context.settings
    if not background:
        built(context, wait=False)
        return
    with alone(settings):  # say at once that another is under way
        pass
    process = start(settings, context.config)
    context.say("rebuilding", {"process": process.pid, "log": str(log_file(settings))})


def _records(file: Path) -> Iterator["Record"]:
    """The records of a JSON file; raises ``UnreadableFile``."""
    from pydantic import ValidationError

    from ingest.errors import UnreadableFile
    from service.web.api.problems import sentence
    from service.web.api.requests import GivenRecord

    for number, document in enumerate(_documents(file), 1):
        try:
            given = GivenRecord.model_validate(document)
        except ValidationError as error:
            first = error.errors()[0]
            said = sentence({**first, "loc": ("body", "record", *first["loc"])}, GivenRecord)
            raise UnreadableFile(f"{file}: record {number}: {said}; nothing was put") from None
        yield given.record(given.id or "")


def _documents(file: Path) -> list[object]:
    import json
    import sys

    from ingest.errors import UnreadableFile

    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file} cannot be read ({error}); name a JSON file in UTF-8") from None
    try:
        whole: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.splitlines() if line.strip()]
        try:
            return [json.loads(line) for line in lines]
        except (ValueError, RecursionError):
            raise UnreadableFile(f"{file} is no JSON ({error}); nothing was put") from None
    return whole if isinstance(whole, list) else [whole]
