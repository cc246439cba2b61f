"""How fast and how much a service answers: ``python -m bench.serving STATE [SYSTEM]``.

Starts ``kindred serve`` over the collection built in STATE with one process, asked by one client, one
question after the other, and with two, asked by four clients without rest. Over HTTP on loopback they ask
for ten neighbours of random items (seeded), a random type each time, told as a portal gets them, with all
eight scores and a reason. Prints answers a second, how long one takes, and the memory of each process: what
is its own, and what it shares with the others (the columns, which lie mapped from disk). Where STATE has
precomputed lists they are what is read, and the results are called so.
"""

import os
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote

from bench.neighbours import SEED
from bench.served import PORT, configured, name, rates, request, served, size
from bench.tables import publish

SECONDS = 20.0
RUNS = ((1, 1), (2, 4))
"""Processes that answer, and clients that ask."""


def main(state: Path, system: str | None) -> None:
    """Measure and publish."""
    settings = configured(state, system)
    items = size(settings)
    paths = addresses(settings.state.collection)
    rows: list[dict[str, float]] = []
    for processes, clients in RUNS:
        with served(processes) as pids:
            own = answer_rates(paths, clients)
            rows.append({"processes": processes, "clients": clients, **own, **memory(pids)})
    publish(
        name("serving", settings, items),
        rows,
        system=settings.service.system,
        items=items,
        cores=len(os.sched_getaffinity(0)),
        seconds=SECONDS,
    )


def addresses(root: Path) -> list[str]:
    """What is asked for, in a random order."""
    from features.collection.blobs import Blobs, Ids
    from features.collection.generation import read
    from models.types import OFFICIAL

    ids, draw = Ids(Blobs(read(root).arrays, "ids")), random.Random(SEED)
    rows = draw.sample(range(len(ids)), min(2000, len(ids)))
    return [
        f"/items/{quote(ids[row], safe='')}/similar?limit=10&type={draw.choice(OFFICIAL)}" for row in rows
    ]


def answer_rates(paths: list[str], threads: int) -> dict[str, float]:
    """Answers a second and milliseconds an answer, once everybody has answered something."""
    ends = [time.monotonic() + SECONDS / 4]
    place = iter(range(10**9))
    lock = threading.Lock()

    def ask(_: int) -> list[float]:
        connection, own = HTTPConnection("127.0.0.1", PORT, timeout=60), []
        while time.monotonic() < ends[0]:
            with lock:
                path = paths[next(place) % len(paths)]
            own.append(request(connection, path)[0])
        return own

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(ask, range(threads)))
        started = time.monotonic()
        ends[0] = started + SECONDS
        times = [one for some in pool.map(ask, range(threads)) for one in some]
    return rates(times, time.monotonic() - started)


def memory(pids: list[int]) -> dict[str, int]:
    """MiB: the most that one process has for itself, what all have together, the shared counted once."""
    own, together = [], 0.0
    for pid in pids:
        facts = dict(
            line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
        )
        amounts = {name: int(value.split()[0]) / 1024 for name, value in facts.items()}
        own.append(amounts["Private_Clean"] + amounts["Private_Dirty"])
        together += amounts["Pss"]
    return {"own_mib": round(max(own)), "together_mib": round(together)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
