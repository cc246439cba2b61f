"""One way to show a measurement: a table on stdout, the same numbers in bench/results/.

What was measured on a busy machine is not published: its figures tell of the other work. Beside all of them
stands how long the machine takes for one fixed piece of work, since machines differ by a factor of two.
"""

import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from features.measures.dense import inverse, single_cosines

RESULTS = Path(__file__).parent / "results"


LOAD: Final = "KINDRED_BENCH_LOAD"
"""The variable in which ``make bench`` tells what it starts of the load of the machine."""

_BUSY: Final = 1.0
"""Processes that want to run, on average of the last minute, from which a machine is busy."""

_APART: Final = 0.3
"""How much longer a repeat may take than another on a quiet machine."""


def quiet() -> float:
    """The load of the machine; ends the measurement where it is busy."""
    load = os.getloadavg()[0]
    if load > _BUSY:
        sys.exit(
            f"the machine is busy (load {load:.2f}, above {_BUSY:g}): nothing is measured; try again later"
        )
    return round(load, 2)


def spread(repeats: Sequence[float]) -> float:
    """How much longer the slowest of some repeats took than the fastest; ends the measurement above 30 %.

    >>> spread([10.0, 12.0, 11.0])
    0.2
    """
    apart = max(repeats) / min(repeats) - 1
    if apart > _APART:
        sys.exit(f"repeats differ by {apart:.0%}, more than {_APART:.0%}: the machine is busy; not published")
    return round(apart, 3)


def calibration() -> float:
    """Milliseconds of the cosines of one text's 384 8-bit numbers with those of 160,000, on one thread.

    The median of nine, behind one that compiles.
    """
    rng = np.random.default_rng(7)
    matrix = rng.integers(-127, 128, (160_000, 384), np.int8)
    shares = inverse(np.full(len(matrix), 1.0))
    times = []
    for _ in range(10):
        started = time.perf_counter()
        single_cosines(matrix, shares, matrix[0], 1)
        times.append((time.perf_counter() - started) * 1000)
    return round(float(np.median(times[1:])), 1)


def publish(name: str, rows: Sequence[Mapping[str, object]], **facts: object) -> None:
    """Print rows as a table and write them, with the facts about the run, to results/<name>.json."""
    facts = {**facts, "load_at_start": os.environ.get(LOAD, "not looked at"), "calibration_ms": calibration()}
    columns = list(rows[0])
    widths = [max(len(column), *(len(_shown(row[column])) for row in rows)) for column in columns]
    print("  ".join(column.rjust(width) for column, width in zip(columns, widths, strict=True)))
    for row in rows:
        print("  ".join(_shown(row[c]).rjust(w) for c, w in zip(columns, widths, strict=True)))
    for fact, value in facts.items():
        print(f"{fact.replace('_', ' ')}: {value}")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps({**facts, "rows": list(rows)}, indent=1) + "\n")


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int | float) else str(value)
