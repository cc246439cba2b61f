"""Merged cells of a sheet: the text of one that reaches over several rows stands in each of them."""

import re
from collections.abc import Iterator, Mapping
from typing import IO, Final, NamedTuple, TypeAlias

# no text of XML holds a raw "<", so that no cell is taken for one of these
_MERGED: Final = re.compile(rb'<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"')
_CHUNK: Final = 1 << 16
_LONGEST: Final = 300  # bytes of one such element
_MOST: Final = 200_000


class SheetLine(NamedTuple):
    """A row of a sheet by its number, from 1."""

    number: int
    cells: list[str]


Merges: TypeAlias = Mapping[int, list[tuple[int, int]]]
"""First row -> column, from 0, and last row of each merge that begins there."""


def column(reference: str) -> int:
    """The place of a cell in its row, from 0, by its reference; -1 for none.

    >>> column("AB12"), column("C"), column("12")
    (27, 2, -1)
    """
    place = 0
    for letter in reference[:8]:
        if not "A" <= letter <= "Z":
            break
        place = place * 26 + ord(letter) - 64
    return place - 1


def of_xlsx(stream: IO[bytes]) -> Merges:
    """The merges over several rows of a sheet, which stand behind its rows; of very many the first."""
    merges: dict[int, list[tuple[int, int]]] = {}
    rest, number = b"", 0
    while (data := stream.read(_CHUNK)) and number < _MOST:
        data = rest + data
        end = 0
        for match in _MERGED.finditer(data):
            end = match.end()
            first, last = int(match[2]), int(match[3])
            if last > first:
                number += 1
                merges.setdefault(first, []).append((column(match[1].decode()), last))
        rest = data[max(end, len(data) - _LONGEST) :]
    return merges


def filled_down(lines: Iterator[SheetLine], merges: Merges) -> Iterator[SheetLine]:
    """The rows, with the text of merged cells in each row that they reach over.

    >>> rows = [SheetLine(2, ["Goya", "A"]), SheetLine(3, ["", "B"]), SheetLine(4, ["", "C"])]
    >>> [row.cells for row in filled_down(iter(rows), {2: [(0, 3)]})]
    [['Goya', 'A'], ['Goya', 'B'], ['', 'C']]
    """
    reaching: dict[int, tuple[int, str]] = {}
    for number, cells in lines:
        reaching = {place: (last, text) for place, (last, text) in reaching.items() if last >= number}
        for place, (_, text) in reaching.items():
            cells += [""] * (place + 1 - len(cells))
            cells[place] = cells[place] or text
        for place, last in merges.get(number, ()):
            reaching[place] = last, cells[place] if 0 <= place < len(cells) else ""
        yield SheetLine(number, cells)
