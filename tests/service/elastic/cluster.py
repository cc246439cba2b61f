"""A real Elasticsearch cluster of three nodes on loopback, which tests may kill, stop and start again."""

import json
import os
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple
from urllib.request import Request, urlopen

import pytest

from tests.environment import PATIENCE, SHARED

TOOL = SHARED / "tools" / "elasticsearch" / "cluster"
"""Starts, kills and wipes nodes; see the README beside it."""

VARIABLE = "KINDRED_TEST_ELASTICSEARCH"
"""A folder with the same tool, where it lies elsewhere."""

_HEAP = "320m"


def tool() -> Path:
    """Where the tool is; the test is skipped where there is none."""
    path = Path(os.environ[VARIABLE]) / "cluster" if VARIABLE in os.environ else TOOL
    if not path.is_file():
        pytest.skip(f"there is no Elasticsearch to test against: neither {TOOL.parent} nor {VARIABLE}")
    return path


class Cluster(NamedTuple):
    """The nodes of a cluster by their ports, and the folder in which they lie."""

    folder: Path
    port: int
    nodes: int

    @property
    def urls(self) -> tuple[str, ...]:
        """The addresses of all nodes."""
        return tuple(f"http://127.0.0.1:{self.port + node}" for node in range(self.nodes))

    def kill(self, node: int) -> None:
        """End a node as a power cut does."""
        _run("kill", str(node), "--dir", str(self.folder))

    def freeze(self, node: int) -> None:
        """Let a node hang: it neither answers nor refuses."""
        os.kill(self._process(node), signal.SIGSTOP)

    def thaw(self, node: int) -> None:
        """Let it go on."""
        os.kill(self._process(node), signal.SIGCONT)

    def _process(self, node: int) -> int:
        return int((self.folder / f"node-{node}" / "pid").read_text())

    def ask(self, path: str, method: str = "GET", body: object = None, node: int = 0) -> object:
        """What a node answers, as JSON."""
        data = None if body is None else json.dumps(body).encode()
        about = {"Content-Type": "application/json"}
        request = Request(f"{self.urls[node]}{path}", data, about, method=method)
        with urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def mend(self) -> None:
        """Start the nodes that were killed on what they have, and wait until all are there."""
        dead = [node for node in range(self.nodes) if not self._answers(node)]
        # all at once: the tool waits until every node of the cluster is there
        with ThreadPoolExecutor(self.nodes) as together:
            list(together.map(lambda node: _run("revive", str(node), "--dir", str(self.folder)), dead))

    def empty(self) -> None:
        """Delete all indices."""
        aliases = self.ask("/_aliases")
        assert isinstance(aliases, dict)
        for name in aliases:
            self.ask(f"/{name}", "DELETE")

    def green(self, name: str) -> None:
        """Wait until every copy of an index is there."""
        self.ask(f"/_cluster/health/{name}?wait_for_status=green&timeout={PATIENCE}s")

    def _answers(self, node: int) -> bool:
        with socket.socket() as trial:
            trial.settimeout(2)
            return trial.connect_ex(("127.0.0.1", self.port + node)) == 0


@contextmanager
def shared() -> Iterator[Cluster]:
    """The one cluster of all processes of a run of tests: the first starts it, the last wipes it."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    folder = Path(tempfile.gettempdir()) / f"kindred-elasticsearch-{run}"
    users = folder.with_suffix(".users")
    with _alone(users):
        before = int(users.read_text() or 0)
        if not before:
            _started(folder)
        users.write_text(str(before + 1))
    try:
        yield Cluster(folder, int((folder / "port").read_text()), 3)
    finally:
        with _alone(users):
            left = int(users.read_text()) - 1
            users.write_text(str(left))
            if not left:
                _run("wipe", "--dir", str(folder))
                users.unlink()


@contextmanager
def turn(cluster: Cluster) -> Iterator[None]:
    """Nobody else uses the cluster meanwhile."""
    with _alone(cluster.folder / "turn"):
        yield


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    path.touch()
    with path.open() as file:
        flock(file, LOCK_EX)
        yield


def _started(folder: Path) -> None:
    port = _free()
    _run("start", "--nodes", "3", "--port", str(port), "--heap", _HEAP, "--dir", str(folder))
    (folder / "port").write_text(str(port))


def _free() -> int:
    """A port of which the next two, and three a hundred on, are free as well."""
    for port in range(9400, 20000, 200):
        if all(_unused(port + more + node) for more in (0, 100) for node in range(3)):
            return port
    raise AssertionError("no ports are free")


def _unused(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) != 0


def _run(*command: str) -> None:
    done = subprocess.run([str(tool()), *command], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr


def patiently() -> Iterator[None]:
    """Once and again until patience is over."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        yield
        sleep(0.2)
    raise AssertionError("it never comes")
