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
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.proxied import NGINX, connection, proxied
from bench.served import PORT, configured, name, rates, request, served, size
from bench.serving import addresses
from bench.tables import publish

SECONDS: Final = 20.0


def main(state: Path, system: str | None) -> None:
    """Measure and publish."""
    if NGINX is None:
        sys.exit("nginx is missing: apt-get install nginx-light")
    settings = configured(state, system)
    items = size(settings)
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
        name("proxy-cache", settings, items),
        rows,
        system=settings.service.system,
        items=items,
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
            milliseconds, answer = request(client, paths[number % len(paths)])
            own.append((milliseconds, answer.headers["X-Cache-Status"]))
        return own

    with ThreadPoolExecutor(clients) as pool:
        answers = [one for some in pool.map(ask, range(clients)) for one in some]
    own = rates([one for one, _ in answers], time.monotonic() - started)
    states = Counter(state for _, state in answers)
    shares = {state: round(100 * states[state] / len(answers), 1) for state in ("HIT", "REVALIDATED")}
    return {**own, "cached": round(sum(shares.values()), 1), "revalidated": shares["REVALIDATED"]}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
