"""``kindred serve`` and ``kindred shard`` as processes of their own, as a museum runs them."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from bench.served import free_port
from tests.environment import PATIENCE
from tests.service.conftest import Server

ROOT = Path(__file__).parents[2]
"""Where ``config.yaml`` lies."""

_SLOWLY = {"SYSTEM": "linear", "SECONDS": str(PATIENCE), "PATIENCE": str(PATIENCE)}
"""Serves ``linear``, however slow the machine."""


class Running(NamedTuple):
    """A service that listens, and the first line that it wrote."""

    server: Server
    first: str


@contextmanager
def serving(state: Path, stop: signal.Signals = signal.SIGTERM, **service: str) -> Iterator[Running]:
    """Serve a state with the system linear; ``service`` are keys of the section service, in capitals.

    In the end ``stop`` is sent to it, on which it has to end in order.
    """
    code = "serve(s.model_copy(update={'service': s.service.model_copy(update={'port': 0})}))"
    with _running(code, state, stop, **service) as running:
        yield running


@contextmanager
def searching(state: Path) -> Iterator[str]:
    """Search parts of a state with the system linear, without a secret; gives the address."""
    with _running("serve_shard(s, '127.0.0.1', 0)", state, signal.SIGTERM) as running:
        yield running.server.address


@contextmanager
def _running(code: str, state: Path, stop: signal.Signals, **service: str) -> Iterator[Running]:
    opening = (
        "from service.web.serving import serve, serve_shard; from service.settings import load; s = load();"
    )
    variables = {f"KINDRED_SERVICE__{key}": value for key, value in {**_SLOWLY, **service}.items()}
    process = subprocess.Popen(
        [sys.executable, "-c", opening + code],
        env={**os.environ, "KINDRED_STATE__DIRECTORY": str(state), **variables},
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert process.stderr is not None
        first, second = process.stderr.readline(), process.stderr.readline()
        listening = re.fullmatch(r"kindred: listening on http://127\.0\.0\.1:(\d+)\n", second)
        assert listening is not None, first + second
        yield Running(Server(int(listening[1])), first)
        process.send_signal(stop)
        assert "Traceback" not in process.communicate(timeout=PATIENCE)[1]
        assert process.returncode == 0, process.returncode
    finally:
        process.kill()
        process.communicate()


@contextmanager
def logged(state: Path, log: Path, key: str = "", **service: str) -> Iterator[Server]:
    """``kindred serve`` of a state with the system linear, its log in a file; ``service`` as above."""
    port = free_port()
    variables = {f"KINDRED_SERVICE__{name}": value for name, value in {**_SLOWLY, **service}.items()}
    command = [
        sys.executable,
        "-c",
        "from service.cli.root import main; main()",
        "serve",
        "--port",
        str(port),
    ]
    environment = {**os.environ, "KINDRED_STATE__DIRECTORY": str(state), **variables}
    with log.open("wb") as log_file:
        process = subprocess.Popen(command, env=environment, stderr=log_file, cwd=ROOT)
    try:
        server = Server(port, key)
        patiently(lambda: _reachable(server))
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)


def _reachable(server: Server) -> bool:
    try:
        return server.ask("/health/ready").status == 200
    except ConnectionError:
        return False


def patiently(done: Callable[[], bool]) -> None:
    """Wait until something is so."""
    deadline = monotonic() + PATIENCE
    while not done():
        assert monotonic() < deadline, "it takes too long"
        sleep(0.05)
