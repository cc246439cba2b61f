"""What names the columns of a table: its first row, the second where a program made up the first, or both.

What museums call their columns stands in ``column_names.tsv``, in English, German, French, Dutch, Italian,
Spanish, Portuguese, Swedish, Danish, Norwegian, Finnish, Polish, Czech, Slovak, Hungarian, Romanian, Croatian
and Russian.
"""

import re
import unicodedata
from importlib import resources
from itertools import pairwise
from typing import Final, NamedTuple

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

_MOST_DATA: Final = 2
"""Filled cells that a row of data may have which all look like names of columns."""

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
    return " ".join(re.findall(r"[a-z0-9а-я]+", letters))


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
    known = [cell for cell in filled if _is_known(cell)]
    sure = bool(known) or any(tag.startswith(_TITLE) for tag in tags)
    names = len(tags) + len(known)
    return names == len(filled) or (sure and names * 2 > len(filled))


def _is_known(cell: str) -> bool:
    # as it is or behind a prefix: ``Titel``, ``dc:title``, ``dcterms.creator``
    return not _KNOWN.isdisjoint({folded(cell), folded(re.split(r"[:.]", cell)[-1])})


class TableHeader(NamedTuple):
    """The names of columns as their rows have them, ``rows`` in number, and how it is made up, in words."""

    names: list[str]
    rows: int
    made: str = ""


def header(first: list[str], second: list[str], rows: int = 0) -> TableHeader:
    """The header that some first rows are: ``rows`` of them, 0 where that is to be found out.

    A second row that names columns is one of the header below a row that counts columns, that groups them, or
    that names them too, as in another language.

    >>> header(["Object", "", "Maker", ""], ["Id", "Title", "Artist", "Born"]).names
    ['Object Id', 'Object Title', 'Maker Artist', 'Maker Born']
    >>> header(["Id", "Title", "Date"], ["Nr.", "Titel", "Datierung"])
    TableHeader(names=['Id', 'Title', 'Date'], rows=2, made=', a second row of names left out')
    >>> header(["No.", "Title"], ["7", "Bridge"])
    TableHeader(names=['No.', 'Title'], rows=1, made='')
    """
    above, below = _bare(first), _bare(second)
    counted = are_made_up(above)
    width = max(len(above), len(below))
    above, below = (row + [""] * (width - len(row)) for row in (above, below))
    named = counted and (rows == 2 or name_columns(below))
    if rows == 1 or not any(below) or (rows == 0 and not named and not _names_too(above, below)):
        return TableHeader(_bare(first), 1)
    if named:
        return TableHeader(_completed(below, above), 2, ", columns named by the second row")
    if not all(above) or not _names_too(above, below):
        return TableHeader(_grouped(above, below), 2, ", columns named by two rows")
    if _number_known(above) < _number_known(below):
        return TableHeader(_completed(below, above), 2, ", a first row of names left out")
    return TableHeader(_completed(above, below), 2, ", a second row of names left out")


def _bare(row: list[str]) -> list[str]:
    """The cells of a row without blanks around them, to the last that holds something."""
    cells = [cell.strip() for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _names_too(above: list[str], below: list[str]) -> bool:
    """Whether a row names columns below one that groups them, or below one that names them."""
    filled = [cell for cell in below if cell]
    if not all(above):
        return name_columns(below)
    return len(filled) > _MOST_DATA and _number_known(below) == len(filled)


def _number_known(cells: list[str]) -> int:
    return sum(_is_known(cell) for cell in cells)


def _completed(names: list[str], others: list[str]) -> list[str]:
    return [name or other for name, other in zip(names, others, strict=True)]


def _grouped(groups: list[str], names: list[str]) -> list[str]:
    """The names of columns, each behind that of its group, which stands above the first of the group."""
    grouped, group = [], ""
    for own, name in zip(groups, names, strict=True):
        group = own or group
        grouped.append(f"{group} {name}".strip() if name else own)
        group = group if name else ""
    return grouped


def row(names: list[str], cells: list[str]) -> CellRow:
    """The cells of a row by the names of their columns; those of one name, as of a MARC tag, are a list."""
    by_name: dict[str, Json] = dict(zip(names, cells, strict=True))
    if len(by_name) < len(names):
        for name in by_name:
            same: list[Json] = [cell for other, cell in zip(names, cells, strict=True) if other == name]
            by_name[name] = same if len(same) > 1 else same[0]
    return by_name
