"""Cells of tables that a spreadsheet would run as formulas, and how they are written so that it does not.

A spreadsheet runs a cell that begins with one of ``= + - @``, a tab or a carriage return as a formula. An
apostrophe is written before such a cell, and taken off again when it is read. A number stays as it is.
"""

import re
from collections.abc import Iterable
from typing import Final

# how a formula begins, or a cell that only apostrophes keep from being one
_FORMULA: Final = re.compile("'*[=+\\-@\t\r]")
_NUMBER: Final = re.compile(r"-\d+(\.\d+)?")


def as_texts(cells: Iterable[str]) -> list[str]:
    """The cells so that no spreadsheet runs one.

    >>> as_texts(["=1+1", "'=1", "-33.9", "A vase"])
    ["'=1+1", "''=1", '-33.9', 'A vase']
    """
    return [f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell for cell in cells]


def as_they_were(cells: Iterable[str]) -> list[str]:
    """The inverse of :func:`as_texts`."""
    return [cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell for cell in cells]
