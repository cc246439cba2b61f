"""CSV: a row a step, out and in; what is said of the path as a whole stands in every row."""

import csv
import io
from typing import Final

from ingest.errors import UnreadableFile
from ingest.formulas import as_it_was, as_text
from service.paths.model import Content, StoredStep
from service.paths.views import PathView

COLUMNS: Final = ("path", "text", "curator", "item", "title", "note", "type", "reason")


def write(view: PathView) -> bytes:
    """A header line and a row a step; of a path without a step one row without an item."""
    path = view.path
    whole = (path.content.title, path.content.text, path.content.curator)
    rows = [
        (*whole, stop.step.item, stop.title, stop.step.note, stop.step.type or "", stop.step.reason)
        for stop in view.stops
    ]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(map(as_text, row) for row in rows or [(*whole, "", "", "", "", "")])
    return text.getvalue().encode()


def read(data: bytes) -> Content:
    """The path of a table that has at least a column ``item``; unknown columns are left out.

    Raises ``UnreadableFile``.
    """
    rows = _rows(data)
    first = next(iter(rows), {})
    steps = tuple(
        StoredStep(
            item=row["item"],
            title=row.get("title", ""),
            note=row.get("note", ""),
            type=row.get("type") or None,
            reason=row.get("reason", ""),
        )
        for row in rows
        if row["item"]
    )
    return Content(
        title=first.get("path", ""), text=first.get("text", ""), curator=first.get("curator", ""), steps=steps
    )


def _rows(data: bytes) -> list[dict[str, str]]:
    try:
        text = data.decode("utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise UnreadableFile(f"this is no CSV in UTF-8: {error}") from None
    header = lines[0] if lines else []
    if "item" not in header:
        raise UnreadableFile(f"the table needs a column item; columns are: {', '.join(COLUMNS)}")
    for number, line in enumerate(lines[1:], 2):
        if line and len(line) != len(header):
            raise UnreadableFile(f"row {number} has {len(line)} cells where the header names {len(header)}")
    return [dict(zip(header, map(as_it_was, line), strict=True)) for line in lines[1:] if line]
