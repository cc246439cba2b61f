"""The tables of the papers as they are printed, and how far the rounding of what is printed reaches.

A printed number stands for all that print alike: .6821 for what lies between .68205 and .68215. So what is
worked out of printed numbers is right where it differs from the printed result by no more than both
roundings reach.
"""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluation.metrics.correlation import mean_by_size
from evaluation.metrics.errors import places
from features.arrays import Doubles

FOLDER = Path(__file__).parents[2] / "data" / "published"

Row = Mapping[str, str]

# the pairs of every set: SemEval-2012 (3108 in all), *SEM 2013, SemEval-2014 in English and in Spanish
SIZES_2012 = {"MSRpar": 750, "MSRvid": 750, "SMTeuroparl": 459, "OnWN": 750, "SMTnews": 399}
SIZES_2013 = {"HDL": 750, "OnWN": 561, "FNWN": 189, "SMT": 750}
SIZES_2014 = {
    "deft-forum": 450,
    "deft-news": 300,
    "headlines": 750,
    "images": 750,
    "OnWN": 750,
    "tweet-news": 750,
}
SIZES_2014_SPANISH = {"Wikipedia": 324, "News": 480}
TYPES = ("general", "author", "people", "time", "location", "event", "subject", "description")


def table(name: str) -> list[Row]:
    """The rows of a table, in the printed order: column -> what is printed, empty where nothing is."""
    with (FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def row(name: str, first: str) -> Row:
    """The row of a table whose first column has this value."""
    (one,) = [one for one in table(name) if next(iter(one.values())) == first]
    return one


def number(printed: str) -> float:
    """The number that is printed; NaN where none is."""
    return float(printed) if printed else float("nan")


def column(rows: Sequence[Row], name: str) -> Doubles:
    """The numbers of a column."""
    return np.array([number(one[name]) for one in rows])


def reach(printed: str) -> float:
    """How far the number may lie from what is printed: half of its last digit; 0 where nothing is printed."""
    return 0.5 * 10.0 ** -len(printed.partition(".")[2]) if printed else 0.0


def prints_as(value: float, printed: str) -> bool:
    """Whether a value, rounded to as many digits, is what is printed."""
    return float(f"{value:.{len(printed.partition('.')[2])}f}") == float(printed)


def onwn_of_takelab() -> list[str]:
    """Every cell that sets right the means of both rows of *SEM 2013 that share a misprinted one."""
    runs = [row("sem2013_core", run) for run in ("TakeLab-best", "TakeLab-sts12")]
    fitting = []
    for cell in (f".{digits:04}" for digits in range(10000)):
        means = [(mean({**one, "OnWN": cell}, SIZES_2013), one["mean"]) for one in runs]
        if all(agrees(*derived, printed) for derived, printed in means):
            fitting.append(cell)
    return fitting


def agrees(value: float, off: float, printed: str) -> bool:
    """Whether a value that may be ``off`` by that much can be the one that is printed."""
    return abs(value - float(printed)) <= off + reach(printed) + 1e-9


def mean(one: Row, sizes: Mapping[str, int]) -> tuple[float, float]:
    """The mean by size over the sets of a row, and how far their rounding reaches."""
    numbers = list(sizes.values())
    return (
        mean_by_size([number(one[name]) for name in sizes], numbers),
        mean_by_size([reach(one[name]) for name in sizes], numbers),
    )


def misplaced(rows: Sequence[Row], figures: Doubles, place: str) -> list[str]:
    """The rows whose printed place is none of those that rows with the same figure share."""
    first, last = places(figures), len(figures) + 1 - places(-figures)
    printed = column(rows, place)
    wrong = np.flatnonzero((printed < first) | (printed > last))
    return [next(iter(rows[number].values())) for number in wrong.tolist()]
