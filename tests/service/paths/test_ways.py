"""The page of a way: both ends are picked by a search, each step has its reason, a curator keeps it."""

import re
from html import unescape
from urllib.parse import urlencode

from fastapi.testclient import TestClient

LEFT, RIGHT = "m:01", "m:02"  # two views of Venice


def address(left: str = "", right: str = "", **query: str) -> str:
    given = {"left": left, "right": right, **query}
    return f"/view/way?{urlencode({name: text for name, text in given.items() if text})}"


def links(client: TestClient, page: str) -> list[str]:
    return [unescape(link) for link in re.findall(r'href="(/view/way[^"]*)"', client.get(page).text)]


def test_both_ends_are_picked_by_a_search(curating: TestClient) -> None:
    assert address(LEFT) in links(curating, "/view/items/m:01")
    assert address(LEFT) in links(curating, address(q="view"))
    assert address(LEFT, RIGHT) in links(curating, address(LEFT, q="stone yard"))
    assert address(LEFT, RIGHT) in links(curating, address(right=RIGHT, q="view"))
    assert "This is the one" in curating.get(address(LEFT, q="view")).text
    same = curating.get(address(LEFT, LEFT))
    assert (same.status_code, "Both ends are the same item" in same.text) == (200, True)
    unknown = curating.get(address(LEFT, "none"))
    assert (unknown.status_code, "the id <code>none</code>" in unknown.text) == (404, True)
    assert 'name="left" value="m:01"' in unknown.text
    assert curating.get(address(LEFT, RIGHT, type="x")).status_code == 422


def test_a_way_is_that_of_the_api_and_kept_as_a_path(curating: TestClient) -> None:
    way = curating.get("/way", params={"left": LEFT, "right": RIGHT}).json()["steps"]
    assert (way[0]["id"], way[-1]["id"]) == (LEFT, RIGHT)
    page = curating.get(address(LEFT, RIGHT)).text
    for step in way:
        assert step["reason"] in unescape(page)
    fields = re.findall(r'<input type="hidden" name="(item|type:[^"]+)" value="([^"]*)">', page)
    assert [text for name, text in fields if name == "item"] == [step["id"] for step in way]
    body = urlencode([*fields, ("title", "Stored"), ("by", "Ada")])
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    answer = curating.post("/edit/paths", content=body, headers=headers, follow_redirects=False)
    steps = curating.get(f"/paths/{answer.headers['location'].rpartition('/')[2]}").json()["steps"]
    assert [(step["id"], step["type"], step["reason"]) for step in steps] == [
        (step["id"], step["type"], step["reason"]) for step in way
    ]


def test_where_there_is_no_way_the_page_says_so(curating: TestClient) -> None:
    # a way by people alone: these two name none
    page = curating.get(address("m:08", "m:09", type="people")).text
    assert "There is no such way." in page or "No such way was found" in page
    assert 'action="/edit/paths"' not in page
