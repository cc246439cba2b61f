"""Addresses as clients and portals use them: with a version, behind a public name, or written wrongly."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.environment import PATIENCE
from tests.service.conftest import BACINO, Server
from tests.service.operations.live_machine import Machine
from tests.service.processes import serving

ITEM = BACINO.replace(" ", "%20")


@pytest.mark.parametrize("path", ["/items?limit=2", f"/items/{ITEM}", f"/items/{ITEM}/similar?type=time"])
def test_below_v1_everything_is_as_without_it(server: Server, path: str) -> None:
    plain, versioned = server.ask(path), server.ask(f"/v1{path}")
    assert (versioned.status, versioned.body) == (200, plain.body)
    assert versioned.headers["etag"] == plain.headers["etag"]


def test_there_is_no_other_version(server: Server) -> None:
    assert server.ask("/v2/items").status == server.ask("/v1items").status == 404
    assert server.ask("/v1/v1/items").status == 404


def test_documents_that_leave_the_service_have_its_public_address(
    museum_recommender: Recommender, settings: Settings, tmp_path: Path
) -> None:
    service = settings.service.model_copy(update={"address": "https://museum.example"})
    state = StateSettings(directory=tmp_path)
    there = settings.model_copy(update={"service": service, "state": state})
    with TestClient(create_app(museum_recommender, there)) as client:
        servers = client.get("/openapi.json").json()["servers"]
        assert [one["url"] for one in servers] == ["https://museum.example", "https://museum.example/v1"]


@pytest.fixture
def running(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 6)
    with serving(tmp_path) as (server, _):
        yield server


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /items/a b HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /items\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET /items HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET /items HTTP/1.1\r\nContent-Length: x\r\n\r\n",
    ],
)
def test_what_is_no_request_is_answered_by_a_problem(running: Server, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE) as connection:
        connection.sendall(sent)
        answer = b"".join(iter(lambda: connection.recv(65_536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in head
    problem = json.loads(body)
    assert (problem["type"], problem["status"]) == ("/problems/malformed-request", 400)
    assert running.ask("/problems/malformed-request").status == 200
