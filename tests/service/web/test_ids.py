"""Ids of museums hold everything: every address takes them, encoded and with their slashes as they are."""

import json
from html.parser import HTMLParser
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from service.web.api.addresses import item_path, item_paths, similar_path, view_path
from tests.service.conftest import BACINO, HARD_IDS, MAP, PHOTO, Server

ENCODED = [quote(item, safe="") for item in HARD_IDS]
# what a client leaves as it is: slashes, brackets, everything that a path may hold
RAW = [quote(item, safe="/()[]:@!$&'*+,;=~") for item in HARD_IDS]


class Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [
            value for name, value in attrs if tag in ("a", "link") and name == "href" and value
        ]


@pytest.mark.parametrize(
    ("item", "path"), [*zip(HARD_IDS, ENCODED, strict=True), *zip(HARD_IDS, RAW, strict=True)]
)
def test_every_id_on_a_real_server(server: Server, item: str, path: str) -> None:
    reply = server.ask(f"/items/{path}")
    if path.endswith("/similar"):
        # it might ask for neighbours; the answer says where the item is
        assert reply.status == 307
        reply = server.ask(reply.headers["location"])
    assert reply.status == 200, reply.body
    assert json.loads(reply.body)["id"] == item
    near = server.ask(f"/items/{path}/similar?type=time&limit=2")
    assert near.status == 200, near.body
    assert json.loads(near.body)["item"] == item
    page = server.ask(f"/view/items/{path}")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize("item", HARD_IDS)
def test_every_id_in_the_process_and_its_links(client: TestClient, item: str) -> None:
    reply = client.get(item_path(item)).json()
    assert reply["id"] == item
    assert client.get(reply["similar"]).json()["item"] == item
    page = client.get(reply["view"])
    assert page.status_code == 200
    assert reply["href"] in Links(page.text).addresses
    pair = client.get("/explain", params={"left": item, "right": BACINO}).json()
    assert pair["left"]["id"] == item
    pair = client.post("/score", json={"left": {"id": item}, "right": {"id": BACINO}}).json()
    assert pair["left"]["href"] == reply["href"]


def test_the_ids_of_the_real_collections_as_people_type_them(server: Server) -> None:
    assert json.loads(server.ask("/items/tna:Photo%20447/1(27)").body)["id"] == PHOTO
    assert json.loads(server.ask("/items/tna:Photo%20447%2F1%2827%29/similar").body)["item"] == PHOTO
    assert json.loads(server.ask("/items/sample:Maps/World%20%5B1570%5D/similar").body)["item"] == MAP


def test_an_id_that_ends_like_the_operation(server: Server) -> None:
    """``a/similar`` is an item and ``a`` is none; ``b/similar/similar`` likewise."""
    assert json.loads(server.ask("/items/a%2Fsimilar").body)["id"] == "a/similar"
    assert json.loads(server.ask("/items/a/similar/similar").body)["item"] == "a/similar"
    assert json.loads(server.ask("/items/a%2Fsimilar/similar").body)["item"] == "a/similar"
    assert json.loads(server.ask("/items/b/similar/similar/similar").body)["item"] == "b/similar/similar"
    assert json.loads(server.ask("/items/similar").body)["id"] == "similar"
    assert json.loads(server.ask("/items/similar/similar").body)["item"] == "similar"
    assert server.ask("/items/b/similar").status == 404


@pytest.mark.parametrize("query", ["", "?type=time&limit=2"])
def test_the_address_of_neighbours_leads_on_to_an_item_that_ends_so(server: Server, query: str) -> None:
    reply = server.ask(f"/items/a/similar{query}")
    assert (reply.status, reply.body) == (307, b"")
    assert reply.headers["location"] == item_path("a/similar") == "/items/a%2Fsimilar"
    assert json.loads(server.ask(reply.headers["location"]).body)["id"] == "a/similar"


def test_every_link_of_a_walk_leads_on(server: Server) -> None:
    page = server.ask("/view/items/" + quote(PHOTO)).body.decode()
    links = [link for link in Links(page).addresses if link.startswith(("/view/", "/items"))]
    assert len(links) > 10
    for link in set(links):
        assert server.ask(link.partition("#")[0]).status == 200, link


def test_nothing_but_an_id_is_unquoted_twice(server: Server) -> None:
    assert json.loads(server.ask("/items/%252F").body)["id"] == "%2F"
    assert json.loads(server.ask("/items/%25252F").body)["id"] == "%252F"


def test_bytes_that_are_no_text_are_no_item(server: Server) -> None:
    for path in ("/items/%FF%FE", "/items/%ED%A0%80", "/items/%00"):
        reply = server.ask(path)
        assert reply.status == 404
        assert json.loads(reply.body)["instance"] == path


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_id_survives_its_address(item: str) -> None:
    assert _routed(item_path(item)) == item_path(item)
    assert _routed(similar_path(item)) == similar_path(item)
    assert _routed(view_path(item)) == view_path(item)
    if not item.endswith("/similar"):  # which asks for neighbours
        raw = f"/view/items/{quote(item, safe='/')}"
        assert _routed(raw) == view_path(item)


def _routed(path: str) -> str:
    """The path that the routes get to see."""
    seen: list[str] = []

    async def app(scope: dict[str, str], *_: object) -> None:
        seen.append(scope["path"])

    coroutine = item_paths(app, {"type": "http", "path": "", "raw_path": path.encode()}, None, None)  # type: ignore[arg-type]
    with pytest.raises(StopIteration):
        coroutine.send(None)
    return seen[0]
