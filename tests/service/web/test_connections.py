"""Clients that let the service wait, over real sockets, and an address that cannot be listened on."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.errors import UnusableAddress
from service.settings import Settings
from service.web.connections import bound
from tests.environment import PATIENCE
from tests.service.conftest import Server
from tests.service.processes import ROOT, serving
from tests.service.web.test_serving import fill, there  # noqa: F401 - a fixture


@pytest.fixture
def service(there: Settings) -> Iterator[Server]:  # noqa: F811
    """``kindred serve`` with a patience of one second."""
    fill(there, 12, 3)
    with serving(there.state.directory, PATIENCE="1") as (server, _):
        yield server


def connected(service: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)


def closed(connection: socket.socket) -> bool:
    """Whether the other side ends the connection; raises ``TimeoutError`` where it waits a minute."""
    try:
        while connection.recv(65536):
            pass
    except ConnectionError:
        pass
    return True


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET /items HTTP/1.1\r\nHost: x\r\n",
        b"POST /similar HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    ],
    ids=["nothing", "half a head", "half a body"],
)
def test_a_request_that_does_not_come_whole_is_cut_off(service: Server, begun: bytes) -> None:
    with connected(service) as connection:
        connection.sendall(begun)
        assert closed(connection)
    assert service.ask("/health/live").status == 200


def test_a_second_request_that_does_not_come_whole_is_cut_off(service: Server) -> None:
    with connected(service) as connection:
        connection.sendall(b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        connection.sendall(b"GET /health/live HTTP/1.1\r\n")
        assert closed(connection)


def test_a_client_that_takes_no_answer_is_cut_off(service: Server) -> None:
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(PATIENCE)
        connection.connect(("127.0.0.1", service.port))
        # the answers are longer than the buffers of both sides: it cannot send on, and waits
        asked = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
        with pytest.raises(ConnectionError):
            send_without_end(connection, asked)
    assert service.ask("/health/live").status == 200


def send_without_end(connection: socket.socket, data: bytes) -> None:
    while True:
        connection.sendall(data)


def test_an_address_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        for workers in ("1", "2"):
            told = {"KINDRED_STATE__DIRECTORY": str(tmp_path), "KINDRED_SERVICE__WORKERS": workers}
            done = subprocess.run(
                [
                    sys.executable,
                    "-c",
                    "from service.cli.root import main; main()",
                    "serve",
                    "--port",
                    str(port),
                ],
                env={**os.environ, **told},
                capture_output=True,
                text=True,
                cwd=ROOT,
                check=False,
            )
            assert done.returncode == 1
            (line,) = done.stderr.splitlines()
            assert line.startswith(f"kindred: unusable-address: 127.0.0.1, port {port} cannot be listened on")
            assert "--port" in line


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(UnusableAddress, match=r"no\.such\.host\.invalid, port 80 cannot be listened on"):
        bound("no.such.host.invalid", 80)
