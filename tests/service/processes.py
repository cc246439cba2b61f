"""``kindred serve`` as a process of its own, as a museum runs it."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.service.conftest import Server

ROOT = Path(__file__).parents[2]
"""Where ``config.yaml`` lies."""


class Running(NamedTuple):
    """A service that listens, and the first line that it wrote."""

    server: Server
    said: str


@contextmanager
def serving(state: Path, stop: signal.Signals = signal.SIGTERM, **service: str) -> Iterator[Running]:
    """Serve a state with the system linear; ``service`` are keys of the section service, in capitals.

    In the end ``stop`` is sent to it, on which it has to end in order within half a minute.
    """
    code = (
        "from service.serving import serve; from service.settings import load; s = load();"
        "serve(s.model_copy(update={'service': s.service.model_copy(update={'port': 0})}))"
    )
    told = {f"KINDRED_SERVICE__{key}": value for key, value in {"SYSTEM": "linear", **service}.items()}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        env={**os.environ, "KINDRED_STATE__DIRECTORY": str(state), **told},
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
        assert "Traceback" not in process.communicate(timeout=30)[1]
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()
