"""Merged cells of a sheet: the text of one that reaches over several rows stands in each of them."""

import re
from collections.abc import Iterator, Sequence
from typing import IO, Final, NamedTuple

from ingest.errors import UnreadableFile

# no text of XML holds a raw "<", so that no cell is taken for one of these
_MERGED: Final = re.compile(rb'<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"')
_CHUNK: Final = 1 << 16
_LONGEST: Final = 300  # bytes of one such element
_MOST: Final = 200_000


_MOST_REACHING: Final = 1000  # each costs something in every row


class Merge(NamedTuple):
    """A cell that reaches over several rows: its place in the row, from 0, and the last row, from 1."""

    place: int
    last: int


class SheetLine(NamedTuple):
    """A row of a sheet by its number, from 1, with the merges that begin in it."""

    number: int
    cells: list[str]
    merges: Sequence[Merge] = ()


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


def of_xlsx(stream: IO[bytes]) -> dict[int, list[Merge]]:
    """The merges of a sheet, which stand behind its rows, by the row that they begin in.

    Of very many the first are taken.
    """
    merges: dict[int, list[Merge]] = {}
    rest, number = b"", 0
    while (data := stream.read(_CHUNK)) and number < _MOST:
        data = rest + data
        end = 0
        for match in _MERGED.finditer(data):
            end = match.end()
            first, last = int(match[2]), int(match[3])
            if last > first:
                number += 1
                merges.setdefault(first, []).append(Merge(column(match[1].decode()), last))
        rest = data[max(end, len(data) - _LONGEST) :]
    return merges


def filled_down(lines: Iterator[SheetLine]) -> Iterator[SheetLine]:
    """The rows, with the text of merged cells in each row that they reach over; raises ``UnreadableFile``.

    >>> rows = [SheetLine(2, ["Goya", "A"], [Merge(0, 3)]), SheetLine(3, ["", "B"]), SheetLine(4, ["", "C"])]
    >>> [row.cells for row in filled_down(iter(rows))]
    [['Goya', 'A'], ['Goya', 'B'], ['', 'C']]
    """
    reaching: dict[int, tuple[int, str]] = {}
    for number, cells, merges in lines:
        reaching = {place: (last, text) for place, (last, text) in reaching.items() if last >= number}
        for place, (_, text) in reaching.items():
            cells += [""] * (place + 1 - len(cells))
            cells[place] = cells[place] or text
        for place, last in merges:
            reaching[place] = last, cells[place] if 0 <= place < len(cells) else ""
        if len(reaching) > _MOST_REACHING:
            raise UnreadableFile(
                f"row {number:,}: more than {_MOST_REACHING:,} of its cells are merged with those below;"
                " undo the merges and save it again"
            )
        yield SheetLine(number, cells)
