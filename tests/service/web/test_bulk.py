"""Several questions in one call: what each gives is what many calls give."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from service.sections import StateSettings
from service.settings import Settings
from tests.service.conftest import BACINO, YARD, Server
from tests.service.operations.live_machine import Machine, writable


def test_lists_of_several_types_are_those_of_each(client: TestClient) -> None:
    several = client.get(
        "/similar", params={"item": YARD, "types": ["location", "time", "location"], "limit": 3, "to": 1760}
    ).json()
    assert several["item"] == YARD
    assert [one["type"] for one in several["lists"]] == ["location", "time"]
    for one in several["lists"]:
        alone = client.get(
            f"/items/{YARD}/similar", params={"type": one["type"], "limit": 3, "to": 1760}
        ).json()
        assert one == alone
    again = client.get("/similar", params={"item": YARD, "types": "time"})
    tag = {"If-None-Match": again.headers["etag"]}
    assert client.get("/similar", params={"item": YARD, "types": "time"}, headers=tag).status_code == 304


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"item": "none", "types": "time"}, 404),
        ({"item": YARD}, 422),
        ({"item": YARD, "types": "colour"}, 422),
        ({"item": YARD, "types": "time", "limit": 0}, 422),
        ({"item": YARD, "types": "time", "type": "time"}, 422),
    ],
)
def test_what_cannot_be_asked_of_several(client: TestClient, query: dict[str, str], status: int) -> None:
    answer = client.get("/similar", params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_many_items_come_in_the_order_of_their_ids_and_the_missing_are_named(client: TestClient) -> None:
    answer = client.post("/lookup", json={"ids": [BACINO, "none", YARD, BACINO]}).json()
    assert answer["missing"] == ["none"]
    assert answer["items"] == [client.get(f"/items/{one}").json() for one in (BACINO, YARD)]
    assert client.post("/lookup", json={"ids": []}).status_code == 422
    assert client.post("/lookup", json={"ids": ["x"] * 1001}).status_code == 422


def test_many_pairs_have_the_scores_of_each(client: TestClient) -> None:
    pairs = [{"left": YARD, "right": BACINO}, {"left": YARD, "right": YARD}]
    scored = client.post("/scores", json={"pairs": pairs}).json()
    assert [(one["left"], one["right"]) for one in scored["pairs"]] == [(YARD, BACINO), (YARD, YARD)]
    for pair, one in zip(pairs, scored["pairs"], strict=True):
        assert one["scores"] == client.get("/explain", params=pair).json()["scores"]
    assert client.post("/scores", json={"pairs": [{"left": YARD, "right": "none"}]}).status_code == 404


@pytest.fixture
def writing(settings: Settings, tmp_path: Path) -> Iterator[Server]:
    machine = Machine(settings.model_copy(update={"state": StateSettings(directory=tmp_path)}), 1)
    machine.put(machine.made("x:1"))
    with writable(machine) as started:
        yield started


def put(server: Server, *records: Mapping[str, object]) -> tuple[int, dict[str, object]]:
    reply = server.ask("/items", "PUT", json.dumps({"records": records}).encode())
    return reply.status, json.loads(reply.body)


def test_many_records_are_put_all_or_none(writing: Server) -> None:
    boat, ship = {"id": "x:1", "title": "Boat", "date": "the other day"}, {"id": "x:9", "title": "Ship"}
    status, done = put(writing, boat, ship)
    assert (status, done["added"], done["replaced"]) == (200, ["x:9"], ["x:1"])
    assert done["dates_not_understood"] == {"x:1": ["the other day"]}
    assert json.loads(writing.ask("/items/x:9").body)["title"] == ["Ship"]
    status, again = put(writing, boat, ship)
    assert (status, again["added"], again["replaced"], again["revision"]) == (200, [], [], done["revision"])
    for wrong in ({"title": "Without an id"}, {"id": "x:8"}):
        status, problem = put(writing, {"id": "x:7", "title": "Raft"}, wrong)
        assert (status, problem["type"]) == (422, "/problems/invalid-request")
        assert writing.ask("/items/x:7").status == 404
    assert writing._replace(key="").ask("/items", "PUT", b"{}").status in (401, 422)
