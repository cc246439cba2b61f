"""The examples of ``deploy``: the service behind a real nginx, and the unit of systemd."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bench.proxied import NGINX, connection, proxied
from service.sections import StateSettings
from service.settings import Settings
from tests.documents import ROOT
from tests.environment import PATIENCE
from tests.service.conftest import Reply, new_key
from tests.service.operations.live_machine import Machine
from tests.service.processes import logged, patiently

ANALYZE = shutil.which("systemd-analyze")
ID = "x:a/b é"
IDLE = 1000
"""Connections that are open at once and ask nothing."""

pytestmark = pytest.mark.slow


class Proxied:
    """nginx by the example, with ports and a certificate of its own, before a running service."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Reply:
        with closing(connection(self.port, PATIENCE)) as client:
            client.request(
                method, path, body, {name.replace("_", "-"): each for name, each in headers.items()}
            )
            answer = client.getresponse()
            return Reply(
                answer.status, {name.lower(): each for name, each in answer.getheaders()}, answer.read()
            )


CHANGES = {
    "limit_conn clients 100;": f"limit_conn clients {2 * IDLE};",  # the test is one client
    "client_header_timeout 10s;": "client_header_timeout 1s;",
}


@pytest.fixture
def service(settings: Settings, tmp_path: Path) -> Iterator[Proxied]:
    """The service of a machine behind the proxy, which keeps its answers."""
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "s")}), 6)
    machine.put(machine.made(ID))
    options = {"PROXIES": '["127.0.0.1"]', "WRITES": "true", "LOG": "json", "MAX_AGE": "1"}
    with (
        logged(tmp_path / "s", tmp_path / "serve.log", **options) as server,
        proxied(tmp_path, server.port, CHANGES) as port,
    ):
        yield Proxied(port)


@pytest.mark.skipif(NGINX is None, reason="nginx is missing: apt-get install nginx-light")
def test_the_service_behind_the_proxy_of_the_example(
    service: Proxied, settings: Settings, tmp_path: Path
) -> None:
    item = json.loads(service.ask("/items/x:a%2Fb%20%C3%A9").body)
    assert (item["id"], item["href"]) == (ID, "/items/x%3Aa%2Fb%20%C3%A9")
    # the scheme is that of the browser, so that the cookie of a session is for HTTPS alone
    key = new_key(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "s")}))
    origin = f"https://127.0.0.1:{service.port}"
    form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": origin}
    entered = service.ask("/login", "POST", f"key={key}".encode(), **form)
    assert entered.status == 303
    assert "; Secure" in entered.headers["set-cookie"]
    for counters in ("/metrics", "/v1/metrics"):  # for this machine, which the example allows
        assert service.ask(counters).status == 200
    # one id in both logs, which the client cannot choose
    reply = service.ask("/items", X_Request_ID="chosen")
    # the line is written once the answer has gone
    patiently(lambda: reply.headers["x-request-id"] in (tmp_path / "serve.log").read_text())
    assert reply.headers["x-request-id"] != "chosen"
    assert service.ask("/items", "POST", b"x" * 2_000_000).status == 413


@pytest.mark.skipif(NGINX is None, reason="nginx is missing: apt-get install nginx-light")
def test_a_thousand_clients_that_send_nothing_keep_nobody_waiting(service: Proxied) -> None:
    with ExitStack() as idle:
        for _ in range(IDLE):
            connection = idle.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            connection.sendall(b"\x16")  # the first byte of a handshake, and no second
        assert service.ask("/health/live").status == 200
        assert service.ask("/items").status == 200


@pytest.mark.skipif(NGINX is None, reason="nginx is missing: apt-get install nginx-light")
def test_the_proxy_keeps_answers_and_asks_whether_they_still_hold(
    service: Proxied, settings: Settings, tmp_path: Path
) -> None:
    address = "/items/x:a%2Fb%20%C3%A9/similar?type=general"

    def answer(path: str = address, **headers: str) -> tuple[str, Reply]:
        reply = service.ask(path, "GET", None, **headers)
        assert reply.status == 200
        return reply.headers.get("x-cache-status", ""), reply

    state, first = answer()
    assert state == "MISS"
    patiently(lambda: answer()[0] == "REVALIDATED")  # once it is older than max_age
    assert answer()[1].body == first.body
    # each language has answers of its own, and each request its own id
    german = answer(Accept_Language="de")
    assert german[0] == "MISS"
    assert german[1].body != first.body
    again = answer(Accept_Language="de")[1]
    assert again.body == german[1].body
    assert again.headers["x-request-id"] != german[1].headers["x-request-id"]
    # so has the language that a page was set to
    assert answer(Cookie="lang=de")[0] == "MISS"
    assert answer()[1].body == first.body
    # what changes is told at once, but for a second
    key = new_key(settings.model_copy(update={"state": StateSettings(directory=tmp_path / "s")}))
    other = json.dumps({"title": ["Another title"]}).encode()
    changing = {"Authorization": f"Bearer {key}", "Content_Type": "application/json"}
    assert service.ask("/items/x:new", "PUT", other, **changing).status == 201
    patiently(lambda: answer()[0] == "EXPIRED")
    # no page of somebody who is logged in is first
    origin = f"https://127.0.0.1:{service.port}"
    form = {"Content_Type": "application/x-www-form-urlencoded", "Origin": origin}
    entered = service.ask("/login", "POST", f"key={key}".encode(), **form)
    cookie = entered.headers["set-cookie"].partition(";")[0]
    page = "/view/items/x:a%2Fb%20%C3%A9"
    state, own = answer(page, Cookie=cookie)
    assert state == ""
    assert own.headers["cache-control"].startswith("private")
    # the browser has it: nothing is made anew
    assert service.ask(page, Cookie=cookie, If_None_Match=own.headers["etag"]).status == 304
    assert answer(address, Authorization=f"Bearer {key}")[0] == ""


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
