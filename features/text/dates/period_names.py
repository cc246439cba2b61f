"""Periods, dynasties and reigns that catalogues name, with the years that they are taken to span.

``period_names.tsv`` lists them, and the handbooks and museums that print these years. Where scholars differ,
the wider reading is taken. Names that mean different times in different countries and that no word beside
them tells apart (Colonial, Imperial, Jin, Formative) are left out.

A line holds the first year, the last year, and names with commas between them; a number is that of a dynasty
of Egypt. A name behind an asterisk stands for a time wherever it is written; any other only in a date field
or beside a word such as period or dynasty, since Edo is a town too and Victorian a style. Marks on
letters do not matter.
"""

from importlib import resources
from typing import Final

from features.text.dates.years import Interval


def _read() -> dict[str, Interval]:
    table = resources.files("features.text.dates").joinpath("period_names.tsv").read_text("utf-8")
    lines = [line.split("\t") for line in table.splitlines()[1:] if not line.startswith("#")]
    return {name: (int(first), int(last)) for first, last, names in lines for name in names.split(", ")}


_MARKED = _read()

NAMES: Final = {name.removeprefix("*"): years for name, years in _MARKED.items() if not name.isdigit()}
"""The years of every period, by its name."""
ALONE: Final = frozenset(name.removeprefix("*") for name in _MARKED if name.startswith("*"))
"""The names that stand for a time wherever they are written."""
DYNASTIES: Final = {int(name): years for name, years in _MARKED.items() if name.isdigit()}
"""The years of Egypt's dynasties, by number."""
