"""Answers with those keys of an item alone that somebody asked for."""

import pytest
from fastapi.testclient import TestClient

from tests.service.conftest import YARD

ADDRESSES = {"": f"/items/{YARD}", "items": "/items", "neighbours": f"/items/{YARD}/similar"}


@pytest.mark.parametrize(("part", "address"), ADDRESSES.items())
def test_what_was_not_asked_for_is_left_out_and_the_rest_is_as_ever(
    client: TestClient, part: str, address: str
) -> None:
    whole, few = client.get(address), client.get(address, params={"fields": "title,id"})
    shown, chosen = ((answer.json()[part] if part else [answer.json()]) for answer in (whole, few))
    assert shown
    assert chosen == [{key: one[key] for key in ("id", "title")} for one in shown]
    if part:
        assert {**whole.json(), part: []} == {**few.json(), part: []}
    again = client.get(address, params={"fields": "title,id"}, headers={"If-None-Match": few.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert few.headers["cache-control"] == whole.headers["cache-control"]


@pytest.mark.parametrize("address", ADDRESSES.values())
@pytest.mark.parametrize("fields", ["colour", "", "id,", "id, title", "ID"])
def test_a_key_that_items_lack_is_refused_by_name(client: TestClient, address: str, fields: str) -> None:
    answer = client.get(address, params={"fields": fields})
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-request")
    assert "they have: id, title" in answer.json()["detail"]
