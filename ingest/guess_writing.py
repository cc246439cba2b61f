"""A guess of a mapping, written as a file of settings."""

import json
import re
from collections.abc import Set
from pathlib import Path
from typing import Final

from ingest.guessing import ALSO, Certainty, FileColumn, Guess
from ingest.reading.headings import folded
from ingest.record import INDEXED
from ingest.values import delimiter, has_html, has_subfields, subfields

_PARTED: Final = ("subject", "creator", *INDEXED)
_SEPARATORS: Final = ("|", ";", "^^", "$", ",")
_ISBD: Final = re.compile(r"\s*[/:;,=]+$")  # what cataloguers write at the end of a subfield, before the next
_PLAIN_NAME: Final = re.compile(r"[^\W\d_]*[^\W_]")


def written(name: str, guess: Guess) -> str:
    """A guess as a file of settings, to be looked at and changed; it says how sure each line is."""
    lines = ["mappings:", f"  {name}:"]
    indexed = {column.path: part for part in ALSO for column in guess.parts.get(part, ())}
    for part, columns in guess.parts.items():
        sources = [_source(indexed.get(column.path, part), column) for column in columns]
        line = f"    {part}: " + (sources[0] if len(sources) == 1 else f"[{', '.join(sources)}]")
        if part == "date" and len(sources) > 1:  # the first and the last year
            line = f"    date: {{parts: [{', '.join(sources)}], join: /}}"
        lines.append(f"{line}  # {_sureness(part, columns[0], guess)}")
    if "id" not in guess.parts:
        lines.append("    id: {value: none}  # no column names the rows apart; name one that does")
    for column in guess.left:
        example = json.dumps(" ".join(column.texts[0].split())[:60], ensure_ascii=False)
        lines.append(f"    # not used: {_quoted(column.path)}, for instance {example}")
    return "\n".join(lines) + "\n"


def _sureness(part: str, column: FileColumn, guess: Guess) -> str:
    if part == "id" and column.repeated:
        return (
            f"unsure: {column.repeated:,} of the first {column.rows:,} rows lack it or share it with another"
        )
    return str(guess.certainty.get(part, Certainty.NAME))


def _source(part: str, column: FileColumn) -> str:
    keys = [f"column: {_quoted(column.path)}"]
    fields = [text for text in column.texts if has_subfields(text)]
    in_marc = len(fields) * 2 > len(column.texts)
    marks = {delimiter(text) for text in fields} | {","} if in_marc else set()
    if part in _PARTED and "[]" not in column.path and (mark := _separator(part, column, marks)):
        keys.append(f"split: {_quoted(mark)}")
    if in_marc:
        keys += _marc(part, fields)
    if any(has_html(text) for text in column.texts):
        keys.append("strip_html: true")
    dated = sum(bool(re.search(r"\w, \w|\(\D*\d{4}", text)) for text in column.texts)
    if part == "creator" and dated * 3 > len(column.texts):
        keys.append("name: true")
    return "{" + ", ".join(keys) + "}"


def _marc(part: str, fields: list[str]) -> list[str]:
    """The settings for a column that holds MARC fields."""
    codes = "c" if part == "date" else "a"
    if part == "title" and any(subfields(text, "b") for text in fields):
        codes = "ab"
    ends = any(_ISBD.search(content) for text in fields for content in subfields(text, codes))
    joined = ['join: " "'] if len(codes) > 1 else []
    replaced = [f"replace: {{'{_ISBD.pattern}': \"\"}}"] if ends else []
    return [f"marc: {codes}", *joined, *replaced]


def _separator(part: str, column: FileColumn, others: Set[str | None]) -> str | None:
    """What stands between the texts of a cell, and is none of ``others``."""
    marks = (mark for mark in _SEPARATORS if mark not in others and (mark != "," or part == "subject"))
    often = (mark for mark in marks if _is_often(mark, column.texts))
    return next(often, None)


def _is_often(mark: str, texts: tuple[str, ...]) -> bool:
    # a bar stands in no name; a semicolon or a comma may, unless it does in many
    return sum(mark in text for text in texts) * (4 if mark in ";," else 50) >= len(texts)


def _quoted(text: str) -> str:
    return text if _PLAIN_NAME.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def source_text(part: str, column: FileColumn) -> str:
    """The line of a mapping that reads a column for a part of a record."""
    return f"{part}: {_source(part, column)}"


def mapping_name(path: Path) -> str:
    """What to call the mapping for a file."""
    return "-".join(folded(path.name.partition(".")[0]).split()) or "mine"
