"""The examples of ``deploy``: the service behind a real nginx, and the unit of systemd."""

import json
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from service.sections import StateSettings
from service.settings import Settings
from tests.documents import ROOT
from tests.environment import PATIENCE
from tests.service.conftest import Reply, new_key
from tests.service.operations.live_machine import Machine
from tests.service.processes import logged, patiently

NGINX = shutil.which("nginx")
ANALYZE = shutil.which("systemd-analyze")
ID = "x:a/b é"
IDLE = 1000
"""Connections that are open at once and ask nothing."""

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


class Proxied:
    """nginx by the example, with ports and a certificate of its own, before a running service."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        connection = HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=trusting)
        try:
            connection.request(
                method, path, body, {name.replace("_", "-"): each for name, each in headers.items()}
            )
            answer = connection.getresponse()
            return Reply(
                answer.status, {name.lower(): each for name, each in answer.getheaders()}, answer.read()
            )
        finally:
            connection.close()


def started(folder: Path, service: int) -> tuple[subprocess.Popen[bytes], int]:
    """nginx with the example configuration, before the service at a port of loopback."""
    certificate, key, port = folder / "certificate.pem", folder / "key.pem", free_port()
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "1",
        "-subj",
        "/CN=localhost",
    ]
    subprocess.run([*made, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    example = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "/etc/kindred/certificate.pem": str(certificate),
        "/etc/kindred/key.pem": str(key),
        "limit_conn kindred 100;": f"limit_conn kindred {2 * IDLE};",  # the test is one client
        "client_header_timeout 10s;": "client_header_timeout 1s;",
    }
    for text, other in changes.items():
        assert text in example
        example = example.replace(text, other)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 8192;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off;\n{paths}{example}\n}}\n"
    )
    return subprocess.Popen([str(NGINX), "-c", str(folder / "nginx.conf"), "-p", str(folder)]), port


@pytest.fixture
def proxied(settings: Settings, tmp_path: Path) -> Iterator[Proxied]:
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "s")}), 6)
    machine.put(machine.made(ID))
    with logged(
        tmp_path / "s", tmp_path / "serve.log", PROXIES='["127.0.0.1"]', WRITES="true", LOG="json"
    ) as server:
        nginx, port = started(tmp_path, server.port)
        try:
            patiently(lambda: _listens(port))
            yield Proxied(port)
        finally:
            nginx.terminate()
            nginx.wait(PATIENCE)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.skipif(NGINX is None, reason="nginx is missing: apt-get install nginx-light")
def test_the_service_behind_the_proxy_of_the_example(
    proxied: Proxied, settings: Settings, tmp_path: Path
) -> None:
    item = json.loads(proxied.ask("/items/x:a%2Fb%20%C3%A9").body)
    assert (item["id"], item["href"]) == (ID, "/items/x%3Aa%2Fb%20%C3%A9")
    # the scheme is that of the browser, so that the cookie of a session is for HTTPS alone
    key = new_key(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "s")}))
    origin = f"https://127.0.0.1:{proxied.port}"
    form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": origin}
    entered = proxied.ask("/login", "POST", f"key={key}".encode(), **form)
    assert entered.status == 303
    assert "; Secure" in entered.headers["set-cookie"]
    assert proxied.ask("/metrics").status == 200  # for this machine, which the example allows
    # one id in both logs, which the client cannot choose
    reply = proxied.ask("/items", X_Request_ID="chosen")
    # the line is written once the answer has gone
    patiently(lambda: reply.headers["x-request-id"] in (tmp_path / "serve.log").read_text())
    assert reply.headers["x-request-id"] != "chosen"
    assert proxied.ask("/items", "POST", b"x" * 2_000_000).status == 413


@pytest.mark.skipif(NGINX is None, reason="nginx is missing: apt-get install nginx-light")
def test_a_thousand_clients_that_send_nothing_keep_nobody_waiting(proxied: Proxied) -> None:
    with ExitStack() as idle:
        for _ in range(IDLE):
            connection = idle.enter_context(socket.create_connection(("127.0.0.1", proxied.port)))
            connection.sendall(b"\x16")  # the first byte of a handshake, and no second
        assert proxied.ask("/health/live").status == 200
        assert proxied.ask("/items").status == 200


@pytest.mark.skipif(ANALYZE is None, reason="systemd is missing")
def test_the_unit_of_systemd_is_sound_and_shut_in(tmp_path: Path) -> None:
    unit = tmp_path / "kindred.service"
    text = (ROOT / "deploy" / "kindred.service").read_text("utf-8")
    assert "/opt/kindred/bin/kindred" in text
    unit.write_text(text.replace("ExecStart=/opt/kindred/bin/kindred", f"ExecStart={sys.executable}"))
    verified = subprocess.run(
        [str(ANALYZE), "verify", str(unit)], capture_output=True, text=True, check=False
    )
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    # of 100 points of exposure at most 25
    judged = [str(ANALYZE), "security", "--offline=true", "--threshold=25", str(unit)]
    assert subprocess.run(judged, capture_output=True, check=False).returncode == 0
