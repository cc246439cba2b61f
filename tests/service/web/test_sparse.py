"""Answers with those keys of an item alone that somebody asked for."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.service.conftest import BACINO, YARD

Question = Callable[[TestClient, str | None], Response]


def got(address: str) -> Question:
    join = "&" if "?" in address else "?"
    return lambda client, fields: client.get(address if fields is None else f"{address}{join}fields={fields}")


def posted(address: str, accept: str = "*/*", **body: Any) -> Question:
    return lambda client, fields: client.post(
        address, json=body if fields is None else {**body, "fields": fields}, headers={"Accept": accept}
    )


OPERATIONS: dict[str, Question] = {
    "item": got(f"/items/{YARD}"),
    "items": got("/items?limit=3"),
    "neighbours": got(f"/items/{YARD}/similar?limit=5"),
    "lists": got(f"/similar?item={YARD}&types=time&types=location"),
    "several": posted("/similar", seeds=[{"id": YARD}]),
    "lookup": posted("/lookup", ids=[YARD, BACINO, "none"]),
    "lines": posted("/lookup", "application/x-ndjson", ids=[YARD, BACINO]),
}


def cut(value: Any) -> Any:
    """A whole answer, of whose items all but two keys are taken."""
    if isinstance(value, list):
        return [cut(one) for one in value]
    if isinstance(value, dict):
        if "href" in value:
            return {key: value[key] for key in ("id", "title")}
        return {key: cut(one) for key, one in value.items()}
    return value


@pytest.mark.parametrize("name", OPERATIONS)
def test_what_was_not_asked_for_is_left_out_and_the_rest_is_as_ever(client: TestClient, name: str) -> None:
    whole, few = OPERATIONS[name](client, None), OPERATIONS[name](client, "title")
    assert (whole.status_code, few.status_code) == (200, 200)
    assert few.headers["content-type"] == whole.headers["content-type"]
    shown, chosen = (
        [json.loads(line) for line in answer.text.splitlines()] if name == "lines" else answer.json()
        for answer in (whole, few)
    )
    assert chosen == cut(shown) != shown
    if tag := few.headers.get("etag"):
        again = client.get(str(few.url), headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("fields", ["colour", "", "id,", "id, title", "ID"])
def test_a_key_that_items_lack_is_refused_by_name(client: TestClient, name: str, fields: str) -> None:
    answer = OPERATIONS[name](client, fields)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-request")
    assert "they have: id, title" in answer.json()["detail"]


def test_only_the_id_is_promised_where_keys_can_be_chosen(client: TestClient) -> None:
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    assert {name: schemas[name]["required"] for name in ("Item", "Summary", "Neighbour")} == {
        "Item": ["id"],
        "Summary": ["id"],
        "Neighbour": ["id"],
    }
