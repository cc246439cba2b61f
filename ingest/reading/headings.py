"""What names the columns of a table: its first row, or the second where a program made up the first.

What museums call their columns stands in ``column_names.tsv``, in English, German, French, Dutch, Italian,
Spanish, Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian and
Croatian.
"""

import re
import unicodedata
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise
from typing import Final

from ingest.reading.row import CellRow, Json

_FILE: Final = resources.files("ingest.reading") / "column_names.tsv"
_TABLE: Final = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:]]

NAMES: Final = {part: tuple(names.split(", ")) for part, _, names in _TABLE}
"""Part of a record -> what museums call its columns, as :func:`folded` gives it, the likeliest first."""

MARC: Final = {part: tuple(tags.split(",")) for part, tags, _ in _TABLE if tags}
"""Part of a record -> the MARC fields for it, where columns are named by their tags."""

_WORDS: Final = dict(
    line.split("\t")
    for line in (resources.files("ingest.reading") / "column_words.tsv").read_text("utf-8").splitlines()[1:]
)

FILLERS: Final = frozenset(_WORDS["filler"].split(", "))
"""Words of columns' names that say nothing of what they are for: display, text, value."""

LANGUAGES: Final = frozenset(_WORDS["language"].split(", "))
"""Codes of languages that columns' names end in: titel_nl."""

MEASURES: Final = frozenset(_WORDS["measure"].split(", "))
"""Words of columns that no part of a record is for: heights, coordinates, technical things."""

DATE_ENDS: Final = frozenset(_WORDS["date ends"].split(", "))
"""Words of columns that have only the first or the last year."""

OTHERWISE: Final = {
    kind[4:]: frozenset(_WORDS[kind].split(", ")) for kind in _WORDS if kind.startswith("not ")
}
"""Part of a record -> words of columns that are about something else: the date of an acquisition."""

SECOND_ROW: Final = "columns named by the second row"
"""How a table is made whose first row names nothing, in words."""

_NUMBERED: Final = re.compile(
    r"(unnamed:|columna?|colonn[ea]|coluna|spalte|kolumna?|kolonne?|kolom|sloupec|oszlop|field|_c|[fvx])?"
    r"\s?(\d{1,4})",
    re.IGNORECASE,
)
_TAG: Final = re.compile(r"\d{3}(?:[ _][\d #_]{1,2})?\s?(?:[$‡ǂ|][a-z0-9]|[a-z])?")
_TITLE: Final = "245"
_LONGEST: Final = 60
_KNOWN: Final = frozenset(name for names in NAMES.values() for name in names)


def folded(name: str) -> str:
    """The name of a column without case, accents and punctuation, words apart, as names are compared."""
    divided = re.sub(r"(?<=[a-zà-ÿ])(?=[A-Z])", " ", name)
    latin = divided.casefold().replace("ł", "l").replace("ø", "o").replace("æ", "ae")
    plain = unicodedata.normalize("NFKD", latin)
    letters = "".join(mark for mark in plain if not unicodedata.combining(mark))
    return " ".join(re.findall(r"[a-z0-9]+", letters))


def are_made_up(names: list[str]) -> bool:
    """Whether a program made the names of columns up: it counted them, by numbers or by letters."""
    if [name.upper() for name in names] == [_letters(place) for place in range(len(names))]:
        return True
    matches = [match for match in map(_NUMBERED.fullmatch, names) if match]
    numbers = [int(match[2]) for match in matches]
    if len(matches) < len(names) or numbers[0] > 1 or len({match[1] for match in matches}) > 1:
        return False
    steps = {after - before for before, after in pairwise(numbers)}
    return min(steps, default=1) > 0 and (matches[0][1] is not None or steps <= {1})


def _letters(place: int) -> str:
    """What spreadsheets call a column, from 0: A to Z, then AA."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def name_columns(cells: list[str]) -> bool:
    """Whether the cells of a row say what columns hold: MARC tags, or names that museums give to columns."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) < 2 or any(len(cell) > _LONGEST or "\ufffd" in cell for cell in filled):
        return False
    tags = [cell for cell in filled if _TAG.fullmatch(cell)]
    # as they are or behind a prefix: ``Titel``, ``dc:title``, ``dcterms.creator``
    known = [cell for cell in filled if _KNOWN & {folded(cell), folded(re.split(r"[:.]", cell)[-1])}]
    sure = bool(known) or any(tag.startswith(_TITLE) for tag in tags)
    names = len(tags) + len(known)
    return names == len(filled) or (sure and names * 2 > len(filled))


def in_second_row(rows: Iterator[list[str]]) -> bool:
    """Whether the first of some rows is made up, and the second names the columns."""
    filled = ([cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row))
    first, second = next(filled, []), next(filled, [])
    while first and not first[-1]:
        first.pop()
    return bool(first) and are_made_up(first) and name_columns(second)


def of_both(first: list[str], second: list[str]) -> list[str]:
    """The names in the second row, and for a column without one that in the first."""
    names = [cell.strip() for cell in second]
    while not names[-1]:
        names.pop()
    names += [""] * (len(first) - len(names))
    others = first + [f"column {place}" for place in range(len(first) + 1, len(names) + 1)]
    return [name or other for name, other in zip(names, others, strict=True)]


def row(names: list[str], cells: list[str]) -> CellRow:
    """The cells of a row by the names of their columns; those of one name, as of a MARC tag, are a list."""
    by_name: dict[str, Json] = dict(zip(names, cells, strict=True))
    if len(by_name) < len(names):
        for name in by_name:
            same: list[Json] = [cell for other, cell in zip(names, cells, strict=True) if other == name]
            by_name[name] = same if len(same) > 1 else same[0]
    return by_name
