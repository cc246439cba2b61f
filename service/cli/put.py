"""Changes that show at once: ``kindred put`` and ``delete``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.cli.context import Context, JsonOption

if TYPE_CHECKING:
    from ingest.record import Record


def put(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="JSON: a record, or a list or lines of them; - reads stdin.")],
    json: JsonOption = False,
) -> None:
    """Add or replace items; answers hold them at once, without a build. All of them or none."""
    context: Context = ctx.obj
    from service.composition import Analyser, open_writer
    from service.operations.date_report import StrangeDates

    settings = context.served()
    records, strange = _records(file), StrangeDates()
    for record in records:
        strange.note(record)
    with open_writer(settings, Analyser(settings)) as writer:
        done = writer.put(records)
    counts = {"added": len(done.added), "replaced": len(done.replaced)}
    unchanged = len({record.id for record in records}) - sum(counts.values())
    answer = {"revision": done.revision, **counts, "unchanged": unchanged}
    context.say("put", answer | {"dates_not_understood": len(strange)})
    if strange:
        context.warn(strange.sentence())


def delete(
    ctx: typer.Context,
    item_ids: Annotated[list[str], typer.Argument(help="Ids of items.")],
    json: JsonOption = False,
) -> None:
    """Delete items; no answer holds them from now on. All of them, or none where one is unknown."""
    context: Context = ctx.obj
    from ingest.errors import CollectionMissing
    from service.composition import Analyser, open_writer

    settings = context.served()
    if not settings.state.catalogue.exists():
        raise CollectionMissing(f"nothing is ingested in {settings.state.directory}")
    with open_writer(settings, Analyser(settings)) as writer:
        done = writer.delete(item_ids)
    context.say("deleted", {"revision": done.revision, "deleted": len(done.deleted)})


def _records(file: Path) -> "list[Record]":
    """The records of a JSON file; raises ``UnreadableFile``."""
    from pydantic import ValidationError

    from ingest.errors import UnreadableFile
    from service.web.api.problems import sentence
    from service.web.api.requests import GivenRecord

    records = []
    for number, document in enumerate(_documents(file), 1):
        try:
            given = GivenRecord.model_validate(document)
        except ValidationError as error:
            first = error.errors()[0]
            reason = sentence({**first, "loc": ("body", "record", *first["loc"])}, GivenRecord)
            raise UnreadableFile(f"{file}: record {number}: {reason}; nothing was put") from None
        records.append(given.record(given.id or ""))
    return records


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
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            raise UnreadableFile(f"{file} is no JSON ({error}); nothing was put") from None
    return whole if isinstance(whole, list) else [whole]
