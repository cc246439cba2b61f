"""A service under measurement: the settings of a state directory, and ``kindred serve`` over it."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from service.settings import Settings

PORT = 8765
KINDRED: Final = (sys.executable, "-c", "from service.cli.root import main; main()")
"""The command `kindred` of this checkout."""


def configured(state: Path, system: str | None) -> "Settings":
    """The settings by which a service answers from a state directory, by a system or the configured one."""
    os.environ["KINDRED_STATE__DIRECTORY"] = str(state)
    os.environ["KINDRED_SERVICE__RATE"] = "0"  # one client asks all there is to ask
    if system is not None:
        os.environ["KINDRED_SERVICE__SYSTEM"] = system
    from service.settings import load

    return load()


def name(measured: str, settings: "Settings", items: int) -> str:
    """What the results of a measurement are called; answers that are read from precomputed lists say so."""
    from features.collection import generation
    from service.search.engines.local.precomputed import FOLDER, read_manifest

    folder = generation.read(settings.state.collection).folder / FOLDER
    read = "" if read_manifest(folder) is None else "-precomputed"
    return f"{measured}-{settings.service.system}{read}-{items}"


@contextmanager
def served(processes: int = 1) -> Iterator[list[int]]:
    """A service that is ready; the numbers of the processes that answer."""
    environment = {**os.environ, "KINDRED_SERVICE__WORKERS": str(processes)}
    service = subprocess.Popen([*KINDRED, "serve", "--port", str(PORT)], env=environment)
    try:
        while not answers(PORT, "/health/ready"):
            time.sleep(0.5)
        # the first one that answers is not the last that opens the collection
        time.sleep(5.0 * (processes - 1))
        yield _answering(service.pid) if processes > 1 else [service.pid]
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()


def _answering(parent: int) -> list[int]:
    children = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def size(settings: "Settings") -> int:
    """How many items the collection of some settings has; ends where none is built."""
    from features.collection.generation import unchecked_manifest

    manifest = unchecked_manifest(settings.state.collection)
    if manifest is None:
        sys.exit(f"no collection is built in {settings.state.directory}")
    return manifest.items


def request(connection: HTTPConnection, path: str) -> tuple[float, HTTPResponse]:
    """The milliseconds of an answer, read whole, and the answer; ends where it is not 200."""
    started = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} for {path}")
    return (time.perf_counter() - started) * 1000, answer


def rates(times: Sequence[float], seconds: float) -> dict[str, float]:
    """Answers a second and milliseconds an answer, of the milliseconds of all that came in some seconds."""
    p50, p99 = np.percentile(times, [50, 99])
    rate = len(times) / seconds
    return {"answers_s": round(rate, 1), "p50_ms": round(p50, 1), "p99_ms": round(p99, 1)}


def free_port() -> int:
    """A port of loopback that nobody listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def answers(port: int, path: str) -> bool:
    """Whether a service of this machine answers a path with 200."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()
