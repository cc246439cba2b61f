"""The feed of changes, and the feed of what is new of a search."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest
from lxml import etree

from service.sections import StateSettings
from service.settings import Settings
from service.web.portal import feeds
from tests.builders import record
from tests.service.conftest import Server
from tests.service.operations.live_machine import Machine, writable

ATOM = "{http://www.w3.org/2005/Atom}"


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


def entries(server: Server, query: str) -> list[str]:
    answer = server.ask(f"/search.atom?{query}")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = etree.fromstring(answer.body)
    times = [str(one.findtext(f"{ATOM}updated")) for one in feed.findall(f"{ATOM}entry")]
    assert times == sorted(times, reverse=True)
    return [
        unquote(str(one.findtext(f"{ATOM}id"))).rpartition("/")[2] for one in feed.findall(f"{ATOM}entry")
    ]


@pytest.mark.parametrize("page", [100, 2])
def test_a_search_is_a_feed_of_what_changed_last(
    server: Server, machine: Machine, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(feeds, "MOST", page)  # so few are looked through at a time
    for n in range(7):
        machine.put(record(f"x:{n}", "A lantern" if n % 2 else "A church", creator="Ada & Bob"))
    assert entries(server, "q=lantern") == ["x:5", "x:3", "x:1"]
    assert entries(server, "")[:7] == [f"x:{n}" for n in range(6, -1, -1)]
    machine.put(record("x:2", "A lantern"))
    assert entries(server, "q=lantern&sort=title") == ["x:2", "x:5", "x:3", "x:1"]
    server.ask("/items/x:3", "DELETE")
    assert entries(server, "q=lantern") == ["x:2", "x:5", "x:1"]
    assert entries(server, "q=nowhere") == []
    assert entries(server, "q=lantern&provider=Nobody") == []


def test_the_page_of_a_search_names_its_feed(server: Server, machine: Machine) -> None:
    machine.put(record("x:1", "A lantern"))
    page = server.ask("/search?q=lantern&sort=title&offset=0").body
    assert b'href="/search.atom?q=lantern" type="application/atom+xml"' in page
    assert b"<title>Kindred: a lantern</title>" in server.ask("/search.atom?q=a%00+lantern%0B").body
    assert b"<title>Kindred: lantern</title>" in server.ask("/search.atom?q=lantern").body
    assert server.ask("/search.atom?from=x").status == 422
