"""What names the columns of a table: its first row, or the second where a program made up the first."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from ingest.column_names import NAMES, folded
from ingest.reading.row import CellRow, Json

SECOND_ROW: Final = "columns named by the second row"
"""How a table is made whose first row names nothing, in words."""

_NUMBERED = re.compile(
    r"(unnamed:|columna?|colonn[ea]|coluna|spalte|kolumna?|kolonne?|kolom|sloupec|oszlop|field|_c|[fvx])?"
    r"\s?(\d{1,4})",
    re.IGNORECASE,
)
_TAG = re.compile(r"\d{3}(?:[ _][\d #_]{1,2})?\s?(?:[$‡ǂ|][a-z0-9]|[a-z])?")
_TITLE = "245"
_LONGEST = 60
_KNOWN = frozenset(name for names in NAMES.values() for name in names)


def are_made_up(names: list[str]) -> bool:
    """Whether a program made the names of columns up: it counted them, by numbers or by letters.

    >>> are_made_up(["Column1", "Column2"]), are_made_up(["Unnamed: 0", "Unnamed: 3"])
    (True, True)
    >>> are_made_up(["A", "B"]), are_made_up(["0", "1"]), are_made_up(["100", "245"])
    (True, True, False)
    """
    if [name.upper() for name in names] == [_letters(place) for place in range(len(names))]:
        return True
    found = [each for each in map(_NUMBERED.fullmatch, names) if each]
    numbers = [int(each[2]) for each in found]
    if len(found) < len(names) or numbers[0] > 1 or len({each[1] for each in found}) > 1:
        return False
    steps = {after - before for before, after in pairwise(numbers)}
    return min(steps, default=1) > 0 and (found[0][1] is not None or steps <= {1})


def _letters(place: int) -> str:
    """What spreadsheets call a column, from 0: A to Z, then AA."""
    return (_letters(place // 26 - 1) if place >= 26 else "") + chr(ord("A") + place % 26)


def name_columns(cells: list[str]) -> bool:
    """Whether the cells of a row say what columns hold: MARC tags, or names that museums give to columns.

    >>> name_columns(["100", "245", "260"]), name_columns(["Inv. Nr.", "Titel", "Regal"])
    (True, True)
    >>> name_columns(["245", "View of Venice"]), name_columns(["A 1", "View of Venice", "Canaletto"])
    (False, False)
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) < 2 or any(len(cell) > _LONGEST or "\ufffd" in cell for cell in filled):
        return False
    tags = [cell for cell in filled if _TAG.fullmatch(cell)]
    known = [cell for cell in filled if _is_known(cell)]
    sure = bool(known) or any(tag.startswith(_TITLE) for tag in tags)
    said = len(tags) + len(known)
    return said == len(filled) or (sure and said * 2 > len(filled))


def _is_known(cell: str) -> bool:
    """Whether museums call a column so: ``Titel``, ``dc:title``, ``dcterms.creator``."""
    return folded(cell) in _KNOWN or folded(re.split(r"[:.]", cell)[-1]) in _KNOWN


def in_second_row(rows: Iterator[list[str]]) -> bool:
    """Whether the first of some rows is made up, and the second names the columns."""
    filled = ([cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row))
    first, second = next(filled, []), next(filled, [])
    while first and not first[-1]:
        first.pop()
    return bool(first) and are_made_up(first) and name_columns(second)


def of_both(first: list[str], second: list[str]) -> list[str]:
    """The names in the second row, and for a column without one that in the first.

    >>> of_both(["Column1", "Column2", "Column3"], ["245", " "])
    ['245', 'Column2', 'Column3']
    """
    named = [cell.strip() for cell in second]
    while not named[-1]:
        named.pop()
    named += [""] * (len(first) - len(named))
    others = first + [f"column {place}" for place in range(len(first) + 1, len(named) + 1)]
    return [name or other for name, other in zip(named, others, strict=True)]


def row(names: list[str], cells: list[str]) -> CellRow:
    """The cells of a row by the names of their columns; those of one name, as of a MARC tag, are a list.

    >>> row(["245", "650", "650"], ["Venice", "Canals", "Boats"])
    {'245': 'Venice', '650': ['Canals', 'Boats']}
    """
    found: dict[str, Json] = dict(zip(names, cells, strict=True))
    if len(found) < len(names):
        for name in found:
            same: list[Json] = [cell for other, cell in zip(names, cells, strict=True) if other == name]
            found[name] = same if len(same) > 1 else same[0]
    return found
