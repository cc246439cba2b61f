"""A guess of the mapping for a file that none is for: by the names of its columns and by what they hold."""

import json
import re
from collections.abc import Iterable, Set
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ingest.columns import texts_of
from ingest.errors import UnreadableFile
from ingest.identifiers import Choose
from ingest.ingestion import Entry, Notes, entries
from ingest.mapping import Mapping
from ingest.reading.headings import MARC, NAMES, folded
from ingest.reading.settings import Limits
from ingest.values import delimiter, has_html, has_subfields, subfields

_ROWS = 500
_LONG = 2000
_ANY = Mapping.model_validate({"id": {"value": "-"}, "title": {"value": "-"}})
_PARTED = ("subject", "creator", "places")
_SEPARATORS = ("|", ";", "^^", ",")
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-2][0-9]|[0-9]{1,2}(?:th|st|nd|rd|e|\.)? ?(?:c\.|cent|Jh|s\.|eeuw))")
_PICTURE = re.compile(r"https?://\S+\.(?:jpe?g|png|gif|webp|tiff?)(?:[?#]\S*)?$", re.IGNORECASE)
_GENERAL = frozenset({"name", "text", "value", "label", "title", "content", "term", "display", "preflabel"})
_AROUND = frozenset({"fields", "metadata", "data", "attributes"})
_OF_OTHERS = frozenset({"id", "uri", "url", "ref", "lang", "type", "source"})
_TAG = re.compile(r"(\d{3})(?!\d)")
_ISBD = re.compile(r"\s*[/:;,=]+$")
"""What cataloguers write at the end of a subfield, before the next."""
_PLAIN_NAME = re.compile(r"[^\W\d_]*[^\W_]")


class Column(NamedTuple):
    """A column of a file: its path, and what it holds in some rows."""

    path: str
    texts: tuple[str, ...]
    rows: int

    @property
    def name(self) -> str:
        """The last step of its path that says something, as names are compared.

        >>> Column("makers[].name", (), 0).name, Column("lido:title/lido:text", (), 0).name
        ('makers', 'title')
        """
        plain = re.sub(r"\[[^\]]*\]", "", self.path)
        steps = [folded(step.rpartition(":")[2]) for step in re.split(r"[./]@?", plain)]
        steps = [step for step in steps if step not in _AROUND] or steps
        if len(steps) > 1 and steps[-1] in _OF_OTHERS:
            return ""
        return steps[-2] if len(steps) > 1 and steps[-1] in _GENERAL else steps[-1]


class Guess(NamedTuple):
    """The columns that were taken for the parts of a record, and those that were not taken."""

    parts: dict[str, list[Column]]
    left: list[Column]


def columns_of(rows: Iterable[Entry]) -> list[Column]:
    """The columns of some rows with what they hold."""
    held: dict[str, list[str]] = {}
    number = 0
    for entry in rows:
        if entry.row is not None:
            number += 1
            for path, text in texts_of(entry.row):
                held.setdefault(path, []).append(text[:_LONG])
    return [Column(path, tuple(texts), number) for path, texts in held.items()]


def guessed(columns: list[Column]) -> Guess:
    """Which column is what, the best first.

    >>> table = [Column("Inv. Nr.", ("A1", "A2"), 2), Column("Künstler", ("Dürer", "Cranach"), 2),
    ...          Column("Titel", ("Hase", "Venus"), 2)]
    >>> {part: [one.path for one in found] for part, found in guessed(table).parts.items()}
    {'id': ['Inv. Nr.'], 'title': ['Titel'], 'creator': ['Künstler']}
    """
    parts: dict[str, list[Column]] = {}
    left = list(columns)
    for part, names in NAMES.items():
        fitting = sorted(
            (rank, at) for at, one in enumerate(left) if (rank := _rank(one, part, names)) is not None
        )
        taken = [left[at] for _, at in fitting][
            : 1 if part in ("id", "title", "type", "source", "image") else 3
        ]
        if taken:
            parts[part] = taken
            left = [one for one in left if one not in taken]
    for part, fits in (
        ("id", _is_id),
        ("image", _is_picture),
        ("description", _is_prose),
        ("date", _is_date),
    ):
        found = next((one for one in left if fits(one)), None)
        if part not in parts and found is not None:
            parts[part] = [found]
            left.remove(found)
    if "title" not in parts and (found := next((one for one in left if _is_short(one)), None)):
        parts["title"] = [found]
        left.remove(found)
    if "id" not in parts and "title" in parts and _is_id(parts["title"][0]):
        parts["id"] = parts["title"]
    order = [part for part in NAMES if part in parts]
    return Guess({part: parts[part] for part in order}, left)


def _rank(column: Column, part: str, names: tuple[str, ...]) -> tuple[int, int] | None:
    """How well the name of a column fits a part; None where it does not, or where what it holds does not."""
    if part in ("image", "landing_page") and not all(text.startswith("http") for text in column.texts[:20]):
        return None
    if part == "id" and (len(set(column.texts)) < len(column.texts) or len(column.texts) < column.rows):
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


def _is_id(column: Column) -> bool:
    whole = len(column.texts) == column.rows and len(set(column.texts)) == column.rows
    return whole and all(len(text) < 60 and "\n" not in text for text in column.texts)


def _is_picture(column: Column) -> bool:
    return all(_PICTURE.match(text) for text in column.texts)


def _is_prose(column: Column) -> bool:
    return sum(map(len, column.texts)) > 80 * len(column.texts)


def _is_date(column: Column) -> bool:
    dated = sum(len(text) < 40 and _YEAR.search(text) is not None for text in column.texts)
    return dated > 0.6 * len(column.texts)


def _is_short(column: Column) -> bool:
    return len(column.texts) * 2 > column.rows and len(set(column.texts)) * 2 > len(column.texts)


def written(name: str, guess: Guess) -> str:
    """A guess as a file of settings, to be looked at and changed."""
    lines = ["mappings:", f"  {name}:"]
    for part, columns in guess.parts.items():
        sources = [_source(part, column) for column in columns]
        lines.append(f"    {part}: " + (sources[0] if len(sources) == 1 else f"[{', '.join(sources)}]"))
    if "id" not in guess.parts:
        lines.append("    id: {column: ???}  # no column has another text in every row; name one")
    lines += [f"    # not used: {_quoted(one.path)}, for instance {_example(one)}" for one in guess.left]
    return "\n".join(lines) + "\n"


def _source(part: str, column: Column) -> str:
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
    if part == "creator" and sum(
        bool(re.search(r"\w, \w|\(\D*\d{4}", text)) for text in column.texts
    ) * 3 > len(column.texts):
        keys.append("name: true")
    return "{" + ", ".join(keys) + "}"


def _marc(part: str, fields: list[str]) -> list[str]:
    """What to say of a column that holds MARC fields."""
    codes = "c" if part == "date" else "a"
    if part == "title" and any(subfields(text, "b") for text in fields):
        codes = "ab"
    ends = any(_ISBD.search(held) for text in fields for held in subfields(text, codes))
    joined = ['join: " "'] if len(codes) > 1 else []
    replaced = [f"replace: {{'{_ISBD.pattern}': \"\"}}"] if ends else []
    return [f"marc: {codes}", *joined, *replaced]


def _separator(part: str, column: Column, others: Set[str | None]) -> str | None:
    """What stands between the texts of a cell, and is none of ``others``."""
    for mark in _SEPARATORS:
        if mark in others or (mark == "," and part != "subject"):
            continue
        if sum(mark in text for text in column.texts) * 4 >= len(column.texts):
            return mark
    return None


def _quoted(text: str) -> str:
    return text if _PLAIN_NAME.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _example(column: Column) -> str:
    return json.dumps(" ".join(column.texts[0].split())[:60], ensure_ascii=False)


def guess_of(path: Path, limits: Limits, mapping: Mapping | Choose = _ANY) -> Guess:
    """The guess for a file, by its first rows; raises ``UnreadableFile`` where there are none."""
    notes = Notes()
    columns = columns_of(islice(entries([path], mapping, limits, notes, lambda _: None), _ROWS))
    if not columns:
        raise UnreadableFile("; ".join(notes.damaged) or f"{path} holds no row to guess a mapping from")
    return guessed(columns)


def mapping_name(path: Path) -> str:
    """What to call the mapping for a file.

    >>> mapping_name(Path("Meine Objekte (2).csv.gz"))
    'meine-objekte-2'
    """
    return "-".join(folded(path.name.partition(".")[0]).split()) or "mine"
