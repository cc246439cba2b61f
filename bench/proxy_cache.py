"""How fast answers are that the proxy keeps: ``python -m bench.proxy_cache STATE [SYSTEM]``.

Starts ``kindred serve`` with two processes over the collection built in STATE, with ``max_age: 1``, and nginx
before it by the example of ``deploy``. The addresses are those of ``bench.serving``. First each is asked for
once, by two clients; then they are asked for again, by one client and by four, over HTTPS on loopback. An
answer that is kept for more than a second is given when the service has said that it still holds (304). The
table has the answers a second and the milliseconds of an answer; and of a hundred, how many were kept, and of
how many of these the service was asked.
"""

import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from bench.proxied import NGINX, connection, proxied
from bench.served import PORT, configured, name, served
from bench.serving import addresses
from bench.tables import publish

SECONDS: Final = 20.0


def main(state: Path, system: str | None) -> None:
    """Measure and publish."""
    from features.collection.generation import unchecked_manifest

    if NGINX is None:
        sys.exit("nginx is missing: apt-get install nginx-light")
    settings = configured(state, system)
    manifest = unchecked_manifest(settings.state.collection)
    if manifest is None:
        sys.exit(f"no collection is built in {state}")
    paths = addresses(settings.state.collection)
    os.environ["KINDRED_SERVICE__MAX_AGE"] = "1"
    rows: list[dict[str, float | str]] = []
    with TemporaryDirectory() as folder, served(2), proxied(Path(folder), PORT, {}) as port:
        rows.append({"question": "first, 2 at once", **_rates(port, paths, 2, None)})
        rows += [
            {"question": f"again, {clients} at once", **_rates(port, paths, clients, SECONDS)}
            for clients in (1, 4)
        ]
    publish(
        name("proxy-cache", settings, manifest.items),
        rows,
        system=settings.service.system,
        items=manifest.items,
        cores=len(os.sched_getaffinity(0)),
        addresses=len(paths),
    )


def _rates(port: int, paths: Sequence[str], clients: int, seconds: float | None) -> dict[str, float]:
    """Answers a second and milliseconds an answer, of each path once, or of all again for some seconds."""
    last = len(paths) if seconds is None else sys.maxsize
    place, lock, started = iter(range(last)), threading.Lock(), time.monotonic()
    end = float("inf") if seconds is None else started + seconds

    def ask(_: int) -> list[tuple[float, str]]:
        client, own = connection(port, 60), list[tuple[float, str]]()
        while time.monotonic() < end:
            with lock:
                number = next(place, None)
            if number is None:
                break
            own.append(_request(client, paths[number % len(paths)]))
        return own

    with ThreadPoolExecutor(clients) as pool:
        answers = [one for some in pool.map(ask, range(clients)) for one in some]
    rate = len(answers) / (time.monotonic() - started)
    p50, p99 = np.percentile([one for one, _ in answers], [50, 99])
    states = Counter(state for _, state in answers)
    shares = {state: round(100 * states[state] / len(answers), 1) for state in ("HIT", "REVALIDATED")}
    return {
        "answers_s": round(rate, 1),
        "p50_ms": round(p50, 1),
        "p99_ms": round(p99, 1),
        "cached": round(sum(shares.values()), 1),
        "revalidated": shares["REVALIDATED"],
    }


def _request(client: HTTPConnection, path: str) -> tuple[float, str]:
    """The milliseconds of an answer, and whether it had been kept, in nginx's words."""
    started = time.perf_counter()
    client.request("GET", path)
    answer = client.getresponse()
    answer.read()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} for {path}")
    return (time.perf_counter() - started) * 1000, answer.headers["X-Cache-Status"]


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
