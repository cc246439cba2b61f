"""Whether the work behind answers has become slower: ``python -m bench.gate [--write]``.

Four kinds of work on the sample collection are timed in turn with two loops that never change, one of plain
Python and one of numpy. The *ratio* of a kind of work is its shortest processor time over that of the loop
that is most like it: a machine that is slow, or busy with other work, makes both slower. The command fails
where a ratio is more than 20 % above the one that was written down, after several attempts.

``--write`` writes the ratios of this processor to ``bench/results/gate.json``: do so where a change is slower
on purpose. On a processor of another model than those in the file nothing is compared, and the command says
so: the ratio of the same code differs between processors.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count, pairwise
from pathlib import Path
from typing import Final

import numpy as np

from bench.served import KINDRED
from bench.tables import RESULTS
from features.text.dates.fields import is_understood
from ingest.catalogue import Catalogue
from ingest.record import Record
from models.types import OFFICIAL
from service.composition import open_recommender
from service.settings import Settings, load
from service.state import StateFolder

Work = Callable[[], object]

FILE: Final = RESULTS / "gate.json"
SLOWER: Final = 1.2
ATTEMPTS: Final = 6
PAUSE: Final = 30
ROUNDS: Final = 10


@dataclass(frozen=True)
class Timed:
    """A kind of work, and the loop that it is measured against."""

    work: Work
    against: Work


def plain() -> int:
    """A loop of what plain Python does: words are made, and found in a dictionary that no cache holds."""
    words = ("The", "Grand", "Canal", "in", "Venice", "seen", "from", "the", "church", "of", "Carità")
    counts: dict[str, int] = {}
    for number in range(0, len(_KEYS), 3):
        key = f"{words[number % len(words)].casefold()}{_NUMBERS[_KEYS[number]] % 997}"
        counts[key] = counts.get(key, 0) + 1
    return len(counts)


_NUMBERS: Final = {f"word {number}": number for number in range(200_000)}
_KEYS: Final = random.Random(7).sample(list(_NUMBERS), len(_NUMBERS))


def arrays() -> float:
    """A loop of what arrays are asked for: gathered, sorted, summed."""
    generator = np.random.default_rng(7)
    values, places = generator.random(100_000), generator.integers(0, 100_000, 400_000)
    sums = np.bincount(places % 5000, weights=values[places])
    return float(np.sort(values)[::100].sum() + sums.max())


def kinds(settings: Settings) -> dict[str, Timed]:
    """The kinds of work, on the sample collection of a state."""
    recommender = open_recommender(settings)
    with Catalogue(StateFolder(settings.state.directory).catalogue, read_only=True) as catalogue:
        records: list[Record] = sorted(catalogue.records(), key=lambda record: record.id)[::24]
    ids = [record.id for record in records]
    dates = [value.text for record in records for value in record.date]
    numbers = count()
    return {
        "nearest items of eight types": Timed(
            lambda: [recommender.nearest(one, OFFICIAL, 10) for one in ids], arrays
        ),
        "neighbours with reasons": Timed(
            lambda: [recommender.similar(one, "general", 10) for one in ids], plain
        ),
        "scores of pairs": Timed(lambda: [recommender.score(one, two) for one, two in pairwise(ids)], plain),
        "dates, read afresh": Timed(
            lambda: [is_understood(f"{text} or {next(numbers)}") for _ in range(40) for text in dates], plain
        ),
    }


def time_all(kinds: Mapping[str, Timed], shortest: dict[Work, float]) -> dict[str, float]:
    """The ratio of each kind of work after some more rounds, the loops in turn with the work.

    ``shortest`` has the shortest time of each so far, and is brought up to date.
    """
    for _ in range(ROUNDS):
        for one in kinds.values():
            for work in (one.work, one.against):
                began = time.process_time()
                work()
                shortest[work] = min(shortest.get(work, np.inf), time.process_time() - began)
    return {name: round(shortest[one.work] / shortest[one.against], 3) for name, one in kinds.items()}


def processor() -> str:
    """The model of this machine's processor."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    return next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown"
    )


def slower(now: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    """The kinds of work that take more than they may, with how many times as long as before.

    >>> slower({"a": 1.3, "b": 1.1}, {"a": 1.0, "b": 1.0})
    {'a': 1.3}
    """
    times = {name: round(ratio / before[name], 2) for name, ratio in now.items() if name in before}
    return {name: ratio for name, ratio in times.items() if ratio > SLOWER}


def best(kinds: Mapping[str, Timed], before: Mapping[str, float]) -> dict[str, float]:
    """The ratios after several attempts, fewer where all are within the limit."""
    shortest: dict[Work, float] = {}
    for attempt in range(ATTEMPTS):
        time.sleep(PAUSE if attempt and before else 0)  # other work on the machine may be over then
        now = time_all(kinds, shortest)
        if before and not slower(now, before):
            break
    return now


def main(write: bool) -> None:
    """Measure, and compare or write down."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KINDRED_STATE__DIRECTORY"] = folder
        for command in (["ingest", "--sample"], ["build"]):
            subprocess.run([*KINDRED, *command], check=True, capture_output=True)
        written = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
        before = written.get(processor(), {})
        now = best(kinds(load()), {} if write else before)
    for name, ratio in now.items():
        print(f"{name:<32} {ratio:8.3f} {before.get(name, float('nan')):8.3f}")
    if write:
        FILE.write_text(json.dumps({**written, processor(): now}, indent=1) + "\n", "utf-8")
    elif not before:
        print(f"nothing was compared: {FILE.name} has no ratios of {processor()}")
    elif late := slower(now, before):
        sys.exit(f"slower than before, times as long: {late}")


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
