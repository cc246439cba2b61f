"""A guess of the mapping for a file without one: by the names of its columns and by what they hold."""

import json
import re
from collections.abc import Callable, Set
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from ingest.columns import texts_of
from ingest.entries import Notes, entries
from ingest.errors import UnreadableFile
from ingest.identifiers import Choose
from ingest.mapping import Mapping
from ingest.reading.headings import MARC, NAMES, folded
from ingest.reading.settings import Limits
from ingest.record import INDEXED
from ingest.values import delimiter, has_html, has_subfields, subfields

_ROWS: Final = 500
_LONG: Final = 2000
_ANY: Final = Mapping.model_validate({"id": {"value": "-"}, "title": {"value": "-"}})
_PARTED: Final = ("subject", "creator", *INDEXED)
_ALSO: Final = dict.fromkeys(("people", "events", "concepts", "periods"), "subject") | {
    "materials": "description"
}
"""What is indexed, and the field that its columns are for as well, since scores read the six fields."""
_SEPARATORS: Final = ("|", ";", "^^", "$", ",")
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-2][0-9]|[0-9]{1,2}(?:th|st|nd|rd|e|\.)? ?(?:c\.|cent|Jh|s\.|eeuw))")
_PICTURE: Final = re.compile(r"https?://\S+\.(?:jpe?g|png|gif|webp|tiff?)(?:[?#]\S*)?$", re.IGNORECASE)
_GENERAL: Final = frozenset(
    [
        *("name", "text", "value", "label", "title", "content", "term", "display", "preflabel", "code"),
        *("naam", "nom", "nome", "nombre", "namn"),
    ]
)
_AROUND: Final = frozenset({"fields", "metadata", "data", "attributes"})
_OF_OTHERS: Final = frozenset({"id", "uri", "url", "ref", "lang", "type", "source"})
_TAG: Final = re.compile(r"(\d{3})(?!\d)")
_ISBD: Final = re.compile(r"\s*[/:;,=]+$")  # what cataloguers write at the end of a subfield, before the next
_PLAIN_NAME: Final = re.compile(r"[^\W\d_]*[^\W_]")


class FileColumn(NamedTuple):
    """A column of a file: its path, the texts that it holds in some rows, and the number of these rows."""

    path: str
    texts: tuple[str, ...]
    rows: int

    @property
    def name(self) -> str:
        """The last step of its path that says something, as names are compared."""
        plain = re.sub(r"\[[^\]]*\]", "", self.path)
        steps = [folded(step.rpartition(":")[2]) for step in re.split(r"[./]@?", plain)]
        steps = [step for step in steps if step not in _AROUND] or steps
        if len(steps) > 1 and steps[-1] in _OF_OTHERS:
            return ""
        return steps[-2] if len(steps) > 1 and steps[-1] in _GENERAL else steps[-1]


class Guess(NamedTuple):
    """The columns for each part of a record, and those that are for none."""

    parts: dict[str, list[FileColumn]]
    left: list[FileColumn]


def guessed(columns: list[FileColumn]) -> Guess:
    """Which columns are for which part of a record, the best first."""
    parts: dict[str, list[FileColumn]] = {}
    left = list(columns)
    for part, names in NAMES.items():
        ranked = sorted(
            (rank, at) for at, column in enumerate(left) if (rank := _rank(column, part, names)) is not None
        )
        if best := [left[at] for _, at in ranked][: 1 if part in _SINGLE else 3]:
            parts[part] = best
            left = [column for column in left if column not in best]
    for part, field in _ALSO.items():
        if part in parts:
            parts[field] = [*parts.get(field, ()), *parts[part]]
    for part, fits in _BY_CONTENT.items():
        fitting = next((column for column in left if fits(column)), None)
        if part not in parts and fitting is not None:
            parts[part] = [fitting]
            left.remove(fitting)
    if "id" not in parts and "title" in parts and _is_id(parts["title"][0]):
        parts["id"] = parts["title"]
    order = [part for part in NAMES if part in parts]
    return Guess({part: parts[part] for part in order}, left)


def _rank(column: FileColumn, part: str, names: tuple[str, ...]) -> tuple[int, int] | None:
    """How well the name of a column fits a part; None where it does not, or where what it holds does not."""
    if part in ("image", "landing_page") and not all(text.startswith("http") for text in column.texts[:20]):
        return None
    if part == "id" and (len(set(column.texts)) < len(column.texts) or len(column.texts) < column.rows):
        return None
    if part == "periods" and _is_of_dates(column):
        return None
    tag = _TAG.match(column.name)
    if tag and tag[1] in MARC.get(part, ()):
        return 0, MARC[part].index(tag[1])
    if column.name in names:
        return 0, names.index(column.name)
    words = column.name.split()
    for at, name in enumerate(names):
        if len(name) > 4 and (words[:1] == [name] or words[-1:] == [name] or name in column.name):
            return (1 if name in words else 2), at
    return None


def _is_dated(text: str) -> bool:
    return len(text) < 40 and _YEAR.search(text) is not None


def _is_of_dates(column: FileColumn) -> bool:
    return sum(map(_is_dated, column.texts)) > 0.6 * len(column.texts)


def _is_id(column: FileColumn) -> bool:
    whole = len(column.texts) == column.rows and len(set(column.texts)) == column.rows
    return whole and all(len(text) < 60 and "\n" not in text for text in column.texts)


_SINGLE: Final = ("id", "title", "type", "source", "image")
# which part a column that is called by no known name is for
_BY_CONTENT: Final[dict[str, Callable[[FileColumn], bool]]] = {
    "id": _is_id,
    "image": lambda column: all(_PICTURE.match(text) for text in column.texts),
    "description": lambda column: sum(map(len, column.texts)) > 80 * len(column.texts),
    "date": _is_of_dates,
    "title": lambda column: column.rows < 2 * len(column.texts) < 4 * len(set(column.texts)),
}


def written(name: str, guess: Guess) -> str:
    """A guess as a file of settings, to be looked at and changed."""
    lines = ["mappings:", f"  {name}:"]
    for part, columns in guess.parts.items():
        indexed = {column: name for name in _ALSO for column in guess.parts.get(name, ())}
        sources = [_source(indexed.get(column, part), column) for column in columns]
        lines.append(f"    {part}: " + (sources[0] if len(sources) == 1 else f"[{', '.join(sources)}]"))
    if "id" not in guess.parts:
        lines.append("    id: {column: ???}  # no column has another text in every row; name one")
    for column in guess.left:
        example = json.dumps(" ".join(column.texts[0].split())[:60], ensure_ascii=False)
        lines.append(f"    # not used: {_quoted(column.path)}, for instance {example}")
    return "\n".join(lines) + "\n"


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


def guess_of(path: Path, limits: Limits, mapping: Mapping | Choose = _ANY) -> Guess:
    """The guess for a file, by its first rows; raises ``UnreadableFile`` where there are none."""
    notes, texts, rows = Notes(), dict[str, list[str]](), 0
    for entry in islice(entries([path], mapping, limits, notes, lambda _: None), _ROWS):
        if entry.row is not None:
            rows += 1
            for column, text in texts_of(entry.row):
                texts.setdefault(column, []).append(text[:_LONG])
    if not texts:
        raise UnreadableFile("; ".join(notes.damaged) or f"{path} holds no row to guess a mapping from")
    return guessed([FileColumn(column, tuple(values), rows) for column, values in texts.items()])


def mapping_name(path: Path) -> str:
    """What to call the mapping for a file."""
    return "-".join(folded(path.name.partition(".")[0]).split()) or "mine"
