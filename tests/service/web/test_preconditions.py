"""Who changes an item names the one that he has read: nobody writes over what was changed unseen."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from service.sections import StateSettings
from service.settings import Settings
from tests.service.conftest import Reply, Server
from tests.service.operations.live_machine import Machine, writable

ADDRESS = "/items/x:1"


@pytest.fixture
def server(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    """A service that may write, of one item."""
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 1)
    machine.put(machine.made("x:1"))
    with writable(machine) as started:
        yield started


def put(server: Server, title: str, address: str = ADDRESS, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return server.ask(address, "PUT", json.dumps({"title": title}).encode(), named)


def test_of_two_who_read_the_same_item_the_second_is_refused(server: Server) -> None:
    tag = server.ask(ADDRESS).headers["etag"]
    first = put(server, "Boat", If_Match=tag)
    assert first.status == 200
    assert first.headers["etag"] == server.ask(ADDRESS).headers["etag"] != tag
    second = put(server, "Ship", If_Match=tag)
    assert (second.status, json.loads(second.body)["type"]) == (412, "/problems/item-conflict")
    assert json.loads(server.ask(ADDRESS).body)["title"] == ["Boat"]
    weak = f"W/{first.headers['etag']}"  # as a proxy that compresses makes it
    assert put(server, "Ship", If_Match=f'"other", {weak}').status == 200
    assert put(server, "Raft").status == 200  # who names nothing writes over anything, as before


def test_who_only_adds_replaces_nothing(server: Server) -> None:
    assert put(server, "Boat", If_None_Match="*").status == 412
    assert put(server, "Boat", "/items/x:2", If_None_Match="*").status == 201
    assert put(server, "Ship", "/items/x:2", If_None_Match="*").status == 412
    assert json.loads(server.ask("/items/x:2").body)["title"] == ["Boat"]


def test_what_is_not_there_has_no_etag_to_match(server: Server) -> None:
    for given in ("*", server.ask(ADDRESS).headers["etag"]):
        assert put(server, "Boat", "/items/x:2", If_Match=given).status == 412
        assert server.ask("/items/x:2", "DELETE", headers={"If-Match": given}).status == 412
    assert server.ask("/items/x:2").status == 404


def test_what_was_changed_is_not_deleted(server: Server) -> None:
    tag = server.ask(ADDRESS).headers["etag"]
    now = put(server, "Boat").headers["etag"]
    assert server.ask(ADDRESS, "DELETE", headers={"If-Match": tag}).status == 412
    assert server.ask(ADDRESS).status == 200
    assert server.ask(ADDRESS, "DELETE", headers={"If-Match": now}).status == 204
    assert server.ask(ADDRESS).status == 404


def test_of_many_at_once_one_wins(server: Server) -> None:
    tag = server.ask(ADDRESS).headers["etag"]
    with ThreadPoolExecutor(8) as threads:
        replies = list(threads.map(lambda n: put(server, f"Boat {n}", If_Match=tag).status, range(8)))
    assert sorted(replies) == [200, *[412] * 7]
