"""The dearest questions, many at once: ``python -m bench.load STATE [SYSTEM]``.

Starts ``kindred serve`` with one process over the collection built in STATE, and asks it at the same moment
for 100 explained neighbours of 20 random items (seeded), three times, each time of other items. Prints how
many were answered and how many were put off (503), the seconds until the last answer, and the memory
that the process has beside the files it maps, before, at most, and after each round.
"""

import os
import random
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

from bench.neighbours import SEED
from bench.served import PORT, configured, served
from bench.tables import publish

QUESTIONS = 20
ROUNDS = 3
REST = 5.0
"""Seconds after a round until its memory is read again."""


def main(state: Path, system: str | None) -> None:
    """Measure and publish."""
    from features.collection.blobs import Blobs, Ids
    from features.collection.generation import read

    settings = configured(state, system)
    opened = read(settings.state.collection)
    ids = list(Ids(Blobs(opened.arrays, "ids")))
    draw = random.Random(SEED)
    with served() as (pid,):
        _ask(draw.choice(ids))  # what is loaded with the first answer is no matter of the load
        rounds = range(1, ROUNDS + 1)
        rows = [{"round": number, **_round(pid, draw.sample(ids, QUESTIONS))} for number in rounds]
    publish(
        f"load-{settings.service.system}-{opened.manifest.items}",
        rows,
        system=settings.service.system,
        items=opened.manifest.items,
        questions=QUESTIONS,
        requests=settings.service.requests,
        limit_seconds=settings.service.seconds,
        cores=len(os.sched_getaffinity(0)),
    )


def _round(pid: int, items: list[str]) -> dict[str, float]:
    before, most, over = _own(pid), [0], threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            most[0] = max(most[0], _own(pid))

    watcher = threading.Thread(target=watch)
    watcher.start()
    started = time.perf_counter()
    with ThreadPoolExecutor(len(items)) as pool:
        statuses = Counter(pool.map(_ask, items))
    seconds = time.perf_counter() - started
    over.set()
    watcher.join()
    time.sleep(REST)
    return {
        "answered": statuses[200],
        "put_off": statuses[503],
        "seconds": round(seconds, 1),
        "before_mib": before,
        "most_mib": most[0],
        "after_mib": _own(pid),
    }


def _ask(item: str) -> int:
    """The status of an answer that was read to its end."""
    connection = HTTPConnection("127.0.0.1", PORT, timeout=1200)
    connection.request("GET", f"/items/{quote(item, safe='')}/similar?limit=100&explain=true")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def _own(pid: int) -> int:
    """MiB that a process has beside the files that it maps."""
    facts = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    )
    return round(int(facts["Anonymous"].split()[0]) / 1024)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
