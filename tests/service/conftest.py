"""A small collection over HTTP: in the process, and behind a real server on loopback."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from ingest.record import Record
from service.operations.keys import Keys, Role
from service.search.recommender import Recommender
from service.sections import StateSettings
from service.settings import Settings
from service.web.api.app import create_app
from tests.documents import defaults
from tests.environment import PATIENCE
from tests.service.builders import linear, recommender, record

BACINO = "sample:painting/canaletto bacino"
YARD = "sample:painting/canaletto-yard"
PHOTO = "tna:Photo 447/1(27)"
MAP = "sample:Maps/World [1570]"

HARD_IDS = (
    PHOTO,
    MAP,
    "cmoa:things/0004-aé",
    "a/similar",
    "b/similar/similar",
    "similar",
    "/",
    "//x",
    "/leading",
    "trailing/",
    "up/../down",
    "./here",
    "what?type=x&limit=1",
    "note#1",
    "100%",
    "%2F",
    "%252F",
    "a+b c",
    "Ünï/日本 ①",
    "semi;colon=1,2",
    "quote\"'<b>&amp;",
    "back\\slash|pipe^`{}",
    "tab\tline\n",
)


def _records() -> list[Record]:
    known = [
        record(
            BACINO,
            "Bacino di San Marco, Venice",
            "Canaletto",
            "A gondola crosses the basin of Venice before the palace of the Doge.",
            "1738",
            subject="Venice; gondolas; harbours",
            place="Venice",
            source="Museum of Fine Arts, Boston",
            type="painting",
            provider="Example Museum",
            image="https://museum.invalid/bacino.jpg",
            landing_page="https://museum.invalid/bacino?a=1&b=2",
            rights="https://creativecommons.org/publicdomain/zero/1.0/",
        ),
        record(
            YARD,
            "The Stonemason's Yard",
            "Canaletto",
            "Stone is cut; a church stands across the Grand Canal in Venice.",
            "c. 1725",
            subject="Venice; churches",
            place="Venice",
        ),
        record(
            "sample:twin/one",
            "Regatta on the Grand Canal",
            "Michele Marieschi",
            "A boat sails.",
            "1740",
            subject="Venice; gondolas",
        ),
        record(
            "sample:twin/two",
            "Regatta on the Grand Canal",
            "Michele Marieschi",
            "A boat sails.",
            "1740",
            subject="Venice; gondolas",
        ),
        record(
            "sample:drawing/ruskin",
            "Study of a palace <b>in Venice</b> &#34;bold&#34;",
            "John Ruskin",
            "A man rows a gondola.",
            "1850",
            landing_page="javascript:alert(1)",
            image="javascript:alert(2)",
        ),
        record("sample:bare", "Spoon", ""),
    ]
    hard = [
        record(item, f"Sheet {n}", "Hand", "A boat in London.", "1850") for n, item in enumerate(HARD_IDS)
    ]
    return known + hard


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    usual = defaults()
    # not what `make run` leaves in the checkout
    state = StateSettings(directory=tmp_path_factory.mktemp("state"))
    # tests of one process are one client, which may ask any number of times
    service = usual.service.model_copy(update={"rate": 0.0})
    return linear(usual.model_copy(update={"state": state, "service": service}))


@pytest.fixture(scope="session")
def museum_recommender(settings: Settings) -> Recommender:
    return recommender(_records(), settings)


@pytest.fixture(scope="session")
def app(museum_recommender: Recommender, settings: Settings) -> FastAPI:
    return create_app(museum_recommender, settings)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as opened:
        yield opened


def pages(client: TestClient, address: str) -> Iterator[dict[str, Any]]:
    """A long list, part by part: every list goes on by its ``next``."""
    page = client.get(address).json()
    yield page
    while page["next"] is not None:
        page = client.get(f"{address}&cursor={page['next']}").json()
        yield page


def new_key(settings: Settings, role: Role = Role.CURATOR) -> str:
    """A new key of the service with these settings."""
    return Keys(settings.state.keys).add(f"Some {role.value}", role)[1]


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Server(NamedTuple):
    """A server on loopback, asked with paths exactly as they are written."""

    port: int
    key: str = ""
    """Sent with every request, where there is one."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        method: str = "GET",
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_accept_encoding=True)
            if self.key:
                connection.putheader("Authorization", f"Bearer {self.key}")
            for name, value in (headers or {}).items():
                connection.putheader(name, value)
            if body is not None:
                if "Content-Type" not in (headers or {}):
                    connection.putheader("Content-Type", "application/json")
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, headers, response.read())
        finally:
            connection.close()


@contextmanager
def running(app: FastAPI, key: str = "", port: int = 0) -> Iterator[Server]:
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="critical"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    deadline = monotonic() + PATIENCE
    while not server.started:
        assert monotonic() < deadline, "the server does not start"
        assert thread.is_alive(), "the server stopped at once"
        sleep(0.01)
    try:
        yield Server(server.servers[0].sockets[0].getsockname()[1], key)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@pytest.fixture(scope="session")
def server(app: FastAPI) -> Iterator[Server]:
    with running(app) as started:
        yield started
