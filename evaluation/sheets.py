"""Tables of figures: as Markdown, or in a terminal."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from evaluation.correlation import Interval
from models.types import OFFICIAL, SimilarityType

_SHORT = dict(zip(OFFICIAL, ("gen", "auth", "peop", "time", "loc", "event", "subj", "desc"), strict=True))

WIDTH = 112
"""Columns that the widest table takes: where the terminal has fewer, lines break."""


class Sheet(NamedTuple):
    """A table of text: what a row is about in the first columns, ``words`` of them, then figures."""

    title: str
    heads: tuple[str, ...]
    rows: Iterable[tuple[str, ...]]
    words: int = 1


def markdown(sheet: Sheet) -> str:
    """A sheet as Markdown.

    >>> print(markdown(Sheet("r", ("system", "mean"), (("T0", ".5"),))))
    r:
    <BLANKLINE>
    | system | mean |
    | --- | ---: |
    | T0 | .5 |
    """
    lines = [f"{sheet.title}:", ""] if sheet.title else []
    marks = ["---" if n < sheet.words else "---:" for n in range(len(sheet.heads))]
    cells = [sheet.heads, marks, *sheet.rows]
    lines += ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in cells]
    return "\n".join(lines)


def heads(types: Iterable[SimilarityType]) -> tuple[str, ...]:
    """Types as heads of columns.

    >>> heads(("general", "material"))
    ('gen', 'material')
    """
    return tuple(_SHORT.get(kind, kind) for kind in types)


def number(value: float, digits: int = 3) -> str:
    """A figure as the papers print it; a dash where it is undefined.

    >>> number(0.6806), number(-0.05), number(1.0), number(float("nan")), number(-0.0001)
    ('.681', '-.050', '1.000', '–', '.000')
    """
    if np.isnan(value):
        return "–"
    shown = f"{value:.{digits}f}"
    if float(shown) == 0:
        shown = shown.removeprefix("-")
    return shown.replace("0.", ".", 1) if abs(float(shown)) < 1 else shown


def signed(value: float, digits: int = 3) -> str:
    """A change, with its sign.

    >>> signed(0.0123), signed(-0.0123), signed(0.0001)
    ('+.012', '-.012', '.000')
    """
    shown = number(value, digits)
    return f"+{shown}" if value > 0 and shown.strip(".0") else shown


def spread(interval: Interval) -> str:
    """An interval in one cell.

    >>> spread(Interval(0.6701, 0.6912))
    '.670-.691'
    """
    return "–" if np.isnan(interval.low) else f"{number(interval.low)}-{number(interval.high)}"


def show_sheets(console: Console, sheets: Iterable[Sheet]) -> None:
    """Sheets as tables, none cut off."""
    console.width = max(console.width, WIDTH)
    for sheet in sheets:
        table = Table(
            title=f"\n{sheet.title}",
            title_justify="left",
            box=box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 0),
        )
        for n, head in enumerate(sheet.heads):
            table.add_column(head, justify="left" if n < sheet.words else "right", no_wrap=n >= sheet.words)
        for row in sheet.rows:
            table.add_row(*row)
        console.print(table)


def show_line(console: Console, text: str) -> None:
    """A sentence, as it is."""
    console.print(text, highlight=False, markup=False)
