"""The feed of changes: whoever follows it has what the catalogue has."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from service.sections import StateSettings
from service.settings import Settings
from tests.service.conftest import Server
from tests.service.operations.live_machine import Machine, writable


@pytest.fixture
def machine(settings: Settings, tmp_path: Path) -> Machine:
    return Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 3)


@pytest.fixture
def server(machine: Machine) -> Iterator[Server]:
    with writable(machine) as started:
        yield started


def read(server: Server, since: int = 0, limit: int = 100) -> tuple[list[dict[str, object]], int]:
    """All changes after a revision, page by page, and the revision to ask for the next time."""
    changes, cursor = list[dict[str, object]](), ""
    while True:
        page = json.loads(server.ask(f"/changes?since={since}&limit={limit}{cursor}").body)
        assert len(page["changes"]) <= limit
        changes += page["changes"]
        if page["next"] is None:
            return changes, page["revision"]
        cursor = f"&cursor={page['next']}"


def test_a_copy_that_follows_has_what_the_catalogue_has(server: Server, machine: Machine) -> None:
    copy, since, draw = set[str](), 0, Random(5)
    for turn in range(8):
        for _ in range(draw.randrange(4)):
            item = f"x:{draw.randrange(20)}"
            if item in copy and draw.random() < 0.5:
                server.ask(f"/items/{item}", "DELETE")
            else:
                machine.put(machine.made(item))
        changes, since = read(server, since, limit=1 + turn)
        for change in changes:
            assert (change["href"] is None) == change["deleted"]
            (copy.discard if change["deleted"] else copy.add)(str(change["id"]))
        listed = json.loads(server.ask("/items?limit=100").body)["items"]
        assert copy == {one["id"] for one in listed}
    assert read(server, since) == ([], since)


def test_each_item_comes_once_with_its_last_change(server: Server, machine: Machine) -> None:
    before = read(server)[1]
    machine.put(machine.made("x:one"), machine.made("x:two"))
    server.ask("/items/x:one", "DELETE")
    changes, _ = read(server, before, limit=1)
    assert [(one["id"], one["deleted"]) for one in changes] == [("x:two", False), ("x:one", True)]
    assert [one["revision"] for one in changes] == [before + 1, before + 2]


@pytest.mark.parametrize(
    "query", ["cursor=5", "cursor=x:a", "cursor=-1:a", "since=-1", "limit=0", "limit=1001"]
)
def test_what_is_no_place_in_the_feed_is_refused(server: Server, query: str) -> None:
    reply = server.ask(f"/changes?{query}")
    assert (reply.status, json.loads(reply.body)["type"]) == (422, "/problems/invalid-request")
