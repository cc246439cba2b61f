"""Cells of tables that a spreadsheet would run as formulas, and how they are written so that it does not.

A spreadsheet runs a cell that begins with one of ``= + - @``, a tab or a carriage return as a formula. An
apostrophe is written before such a cell, and taken off again when it is read.
"""

import re
from typing import Final

# how a formula begins, or a cell that only apostrophes keep from being one
_FORMULA: Final = re.compile("'*[=+\\-@\t\r]")


def as_text(cell: str) -> str:
    """A cell so that no spreadsheet runs it.

    >>> as_text("=1+1"), as_text("'=1"), as_text("A vase")
    ("'=1+1", "''=1", 'A vase')
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def as_it_was(cell: str) -> str:
    """The inverse of :func:`as_text`."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell
