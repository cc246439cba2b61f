"""Whether memory stays flat: ``python -m bench.soak STATE [MINUTES]``.

For 20 minutes, unless told otherwise, a service over a copy of STATE is asked by two readers (similar items
of all types, pages of items, searches by words, scores of records that nobody sent before), by one writer
(records put, changed and deleted), and the collection is built anew every five minutes. Every minute the
memory of the process is read: what it made itself (anonymous), and what it has of mapped files, which the
system takes back where it needs it. What the first is after the second build is the beginning, for until then
every kind of work has been done once.

How quick answers are is not what this measures: other work may go on beside it. An answer that is neither 2xx
nor 503 with ``Retry-After`` ends the measurement.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bench.served import KINDRED, PORT, configured, name, served
from bench.serving import addresses
from bench.tables import publish
from features.collection.generation import read as current
from service.operations.keys import Keys, Role

MINUTES: Final = 20
BUILD_EVERY: Final = 5
SEED: Final = 20130613
KEY: Final = "soak"
_JSON: Final = {"Content-Type": "application/json"}


class Client:
    """One connection, and the seconds of every answer."""

    def __init__(self, times: list[float], key: str | None = None) -> None:
        self._times, self._headers = times, {**_JSON, **({"Authorization": f"Bearer {key}"} if key else {})}
        self._connection = HTTPConnection("127.0.0.1", PORT, timeout=120)

    def ask(self, method: str, path: str, document: object = None) -> None:
        """Ask, and wait where the service puts it off."""
        body = None if document is None else json.dumps(document)
        started = time.perf_counter()
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        text = answer.read()
        self._times.append(time.perf_counter() - started)
        if answer.status == 503 and (wait := answer.headers["Retry-After"]):
            time.sleep(float(wait))
        elif answer.status >= 300:
            raise SystemExit(f"{answer.status} for {method} {path}: {text[:300]!r}")


def strange(draw: random.Random) -> dict[str, list[str]]:
    """A record of words that nobody sent before."""
    words = ["".join(draw.choices("abcdefgilmnorstuv", k=8)) for _ in range(40)]
    return {
        "title": [" ".join(words[:4]).title()],
        "creator": [f"{words[4].title()} {words[5].title()}"],
        "description": [f"A view of {words[6].title()} with {' and '.join(words[7:])}."],
        "date": [f"about {draw.randrange(1200, 2000)}"],
    }


def read(client: Client, paths: list[str], draw: random.Random) -> None:
    """One question of a reader."""
    path = draw.choice(paths)
    item = path.removeprefix("/items/").partition("/")[0]
    kind = draw.random()
    if kind < 0.5:
        client.ask("GET", path)
    elif kind < 0.7:
        client.ask("GET", f"/view/items/{item}")
    elif kind < 0.85:
        words = draw.sample(("boat", "church", "river", "woman", "vase", "letter", "london", "1890"), 2)
        client.ask("GET", f"/items?q={quote(' '.join(words))}")
    else:
        client.ask("POST", "/score", {"left": strange(draw), "right": strange(draw)})


def write(client: Client, draw: random.Random) -> None:
    """One change: of 300 items of its own, a new or changed one mostly, sometimes one that goes."""
    address = f"/items/soak%3A{draw.randrange(300)}"
    client.ask("PUT", address, strange(draw))
    if draw.random() < 0.3:
        client.ask("DELETE", address)


@contextmanager
def at_work(work: Callable[[random.Random], None], number: int, pause: float) -> Iterator[None]:
    """Do some work again and again until the block ends; what went wrong is raised there."""
    over, draw = threading.Event(), random.Random(SEED + number)

    def again() -> None:
        while not over.wait(pause):
            work(draw)

    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(again)
        try:
            yield
        finally:
            over.set()
        working.result()


def build() -> None:
    """Build the collection anew, beside the service."""
    subprocess.run([*KINDRED, "build"], check=True, capture_output=True)


def cached_mib() -> int:
    """MiB of the service's caches, as its metrics tell."""
    connection = HTTPConnection("127.0.0.1", PORT, timeout=60)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    sizes = [float(line.split()[-1]) for line in lines if line.startswith("kindred_cache_bytes{")]
    return round(sum(sizes) / 2**20)


def memory_of(pid: int) -> dict[str, int]:
    """MiB of a process: what it made itself, and what it has of mapped files, which the system may take."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()[1:]
    kib = {name: int(value.split()[0]) for name, value in (line.split(":", 1) for line in lines)}
    return {"own_mib": kib["Anonymous"] >> 10, "mapped_mib": (kib["Rss"] - kib["Anonymous"]) >> 10}


def minutes_of(pid: int, number: int, times: list[float]) -> Iterator[dict[str, int]]:
    """A row a minute: how many answers there were, and the memory of the process at its end."""
    started, answers = time.monotonic(), 0
    for minute in range(1, number + 1):
        time.sleep(max(0.0, started + 60 * minute - time.monotonic()))
        before, answers = answers, len(times)
        row = {
            "minute": minute,
            "answers": answers - before,
            "caches_mib": cached_mib(),
            **memory_of(pid),
        }
        print(row, flush=True)
        yield row


def main(state: Path, number: int) -> None:
    """Measure, print and publish."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(state, Path(folder) / "state"))
        settings = configured(copy, None)
        os.environ["KINDRED_SERVICE__WRITES"] = "true"
        measured = name("soak", settings, current(settings.state.collection).manifest.items)
        paths, times = addresses(settings.state.collection), list[float]()
        _, key = Keys(settings.state.keys).add(KEY, Role.CURATOR)
        with served() as (pid,):
            clients = [Client(times), Client(times), Client(times, key)]
            with (
                at_work(lambda draw: read(clients[0], paths, draw), 0, 0.05),
                at_work(lambda draw: read(clients[1], paths, draw), 1, 0.05),
                at_work(lambda draw: write(clients[2], draw), 2, 1.0),
                at_work(lambda _: build(), 3, 60.0 * BUILD_EVERY),
            ):
                rows = list(minutes_of(pid, number, times))
    steady = [row["own_mib"] for row in rows[2 * BUILD_EVERY + 1 :]] or [rows[-1]["own_mib"]]
    publish(
        measured,
        rows,
        system=settings.service.system,
        longest_answer_s=round(max(times), 1),
        least_mib_after_two_builds=min(steady),
        most_mib_after_two_builds=max(steady),
        cores=len(os.sched_getaffinity(0)),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MINUTES)
