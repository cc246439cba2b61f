"""Paths over HTTP: making, changing, publishing, two curators, withdrawn items, suggestions."""

import json
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import pages
from tests.service.museum import RECORDS
from tests.service.paths.conftest import GONE, writable
from tests.service.paths.test_walking import chained

VENICE = {"title": "Venice", "steps": [{"id": "m:01"}, {"id": "m:02"}, {"id": "m:05"}]}


def made(client: TestClient, **given: Any) -> dict[str, Any]:
    response = client.post("/paths", json={**VENICE, **given})
    assert response.status_code == 201, response.text
    document: dict[str, Any] = response.json()
    assert response.headers["location"] == document["href"]
    assert document["version"] == 1
    assert response.headers["etag"].startswith('"1.')
    return document


def matching(version: int) -> dict[str, str]:
    return {"If-Match": f'"{version}"'}


def test_a_path_is_made_with_the_types_and_reasons_that_kindred_proposes(curating: TestClient) -> None:
    path = made(curating, curator="Ada", text="By water.")
    first, second, third = path["steps"]
    assert (first["type"], first["reason"]) == (None, "")
    assert (second["type"], second["reason"]) == ("author", "Both are by Canaletto.")
    assert third["type"] is not None
    assert third["reason"]
    assert third["title"] == "Approach to Venice"
    assert (path["curator"], path["text"], path["status"]) == ("Ada", "By water.", "draft")
    assert curating.get(path["href"]).json() == path


def test_what_a_curator_says_of_type_and_reason_stands(curating: TestClient) -> None:
    steps = [
        {"id": "m:01"},
        {"id": "m:02", "type": None, "reason": "I like both."},
        {"id": "m:05", "type": "location", "reason": "Seen from the water."},
        {"id": "m:06", "type": "location"},
    ]
    reasons = [(one["type"], one["reason"]) for one in made(curating, steps=steps)["steps"][1:]]
    assert reasons[:2] == [(None, "I like both."), ("location", "Seen from the water.")]
    assert reasons[2][0] == "location"
    assert "Venice" in reasons[2][1]


def test_a_change_needs_the_version_that_was_read(curating: TestClient) -> None:
    path = made(curating)
    changing = [
        curating.put(path["href"], json=VENICE),
        curating.delete(path["href"]),
        curating.post(f"{path['href']}/publish"),
        curating.post(f"{path['href']}/steps", json={"id": "m:06"}),
    ]
    for response in changing:
        assert response.status_code == 428
        assert response.json()["type"] == "/problems/version-required"
    assert curating.get(path["href"]).json() == path


def test_of_two_curators_the_second_is_told(curating: TestClient) -> None:
    path = made(curating)
    ada = {**VENICE, "title": "Of Ada", "curator": "Ada"}
    bo = {**VENICE, "title": "Of Bo", "curator": "Bo"}
    answer = curating.put(path["href"], json=ada, headers=matching(1))
    assert (answer.status_code, answer.headers["etag"][:3], answer.json()["version"]) == (200, '"2.', 2)
    refused = curating.put(path["href"], json=bo, headers=matching(1))
    assert (refused.status_code, refused.headers["content-type"]) == (412, "application/problem+json")
    assert "version 2 now, by Ada" in refused.json()["detail"]
    assert curating.get(path["href"]).json()["title"] == "Of Ada"
    weak = {"If-Match": 'W/"2"'}  # as a proxy that compresses makes it
    assert curating.put(path["href"], json=bo, headers=weak).status_code == 200


@pytest.mark.parametrize("tag", ["3", "*", '"0"', '"x"', '"1", "2"', "", '"99999999999999999999"'])
def test_what_is_no_version_is_refused(curating: TestClient, tag: str) -> None:
    path = made(curating)
    response = curating.put(path["href"], json=VENICE, headers={"If-Match": tag})
    assert response.status_code == 422, tag


def test_visitors_see_what_is_published(curating: TestClient, visiting: TestClient) -> None:
    path = made(curating)
    assert visiting.get(path["href"]).status_code == 404
    assert visiting.get("/paths").json() == {"paths": [], "next": None}
    assert visiting.get("/paths?drafts=true").json() == {"paths": [], "next": None}
    assert [one["id"] for one in curating.get("/paths?drafts=true").json()["paths"]] == [path["id"]]
    shown = curating.post(f"{path['href']}/publish", headers=matching(1), json={"curator": "Ada"}).json()
    assert (shown["status"], shown["published"], shown["version"]) == ("published", 2, 2)
    curating.put(path["href"], json={**VENICE, "title": "Not yet"}, headers=matching(2))
    assert curating.get(path["href"]).json()["status"] == "changed"
    assert visiting.get(path["href"]).json()["title"] == "Venice"
    assert visiting.get(path["href"]).headers["etag"].startswith('"2.')
    assert (shown["changed_by"], shown["signed"]) == ("Some curator", "Ada")
    seen = visiting.get(path["href"]).json()
    assert (seen["changed_by"], seen["signed"]) == ("", "")  # who holds a key is nothing for visitors
    assert visiting.get(f"{path['href']}?version=3").status_code == 404
    assert visiting.get(f"{path['href']}?version=2").status_code == 200
    (listed,) = visiting.get("/paths").json()["paths"]
    assert (listed["title"], listed["length"]) == ("Venice", 3)
    assert curating.post(f"{path['href']}/unpublish", headers=matching(3)).json()["published"] is None
    assert visiting.get(path["href"]).status_code == 404


def test_who_may_not_write_is_refused(curating: TestClient, visiting: TestClient) -> None:
    path = made(curating)
    refused = [
        visiting.post("/paths", json=VENICE),
        visiting.post("/import/paths?format=csv", content="item\r\na\r\n"),
        visiting.put(path["href"], json=VENICE, headers=matching(1)),
        visiting.delete(path["href"], headers=matching(1)),
        visiting.post(f"{path['href']}/fork"),
        visiting.get(f"{path['href']}/versions"),
        *(
            visiting.post(f"{path['href']}/{what}", headers=matching(1))
            for what in ("publish", "unpublish", "undo", "versions/1/restore")
        ),
    ]
    assert {response.status_code for response in refused} == {401}


def test_undo_versions_and_restore(curating: TestClient) -> None:
    path = made(curating)
    curating.put(path["href"], json={**VENICE, "title": "Two"}, headers=matching(1))
    curating.put(path["href"], json={**VENICE, "title": "Three"}, headers=matching(2))
    assert curating.post(f"{path['href']}/undo", headers=matching(3)).json()["title"] == "Two"
    assert curating.post(f"{path['href']}/undo", headers=matching(4)).json()["title"] == "Venice"
    refused = curating.post(f"{path['href']}/undo", headers=matching(5))
    assert (refused.status_code, "nothing to undo" in refused.json()["detail"]) == (422, True)
    restored = curating.post(f"{path['href']}/versions/3/restore", headers=matching(5)).json()
    assert (restored["title"], restored["version"]) == ("Three", 6)
    versions = curating.get(f"{path['href']}/versions").json()["versions"]
    assert [one["action"] for one in versions] == [
        "restored from version 3",
        "undone",
        "undone",
        "changed",
        "changed",
        "created",
    ]
    assert curating.get(versions[-2]["href"]).json()["title"] == "Two"
    assert curating.get(f"{path['href']}?version=7").status_code == 404


def test_many_paths_and_versions_come_in_parts(curating: TestClient) -> None:
    for number in range(5):
        path = made(curating, title=f"Path {number}")
    for version in range(1, 5):
        curating.put(path["href"], json={**VENICE, "title": f"Title {version}"}, headers=matching(version))
    for address, part in ((f"{path['href']}/versions?", "versions"), ("/paths?drafts=true&", "paths")):
        whole = curating.get(address).json()
        assert (len(whole[part]), whole["next"]) == (5, None)
        given = [page[part] for page in pages(curating, f"{address}limit=2")]
        assert [len(rows) for rows in given] == [2, 2, 1]
        assert [row for rows in given for row in rows] == whole[part]
        refused = curating.get(f"{address}cursor=Wzdd0")
        assert (refused.status_code, refused.json()["type"]) == (422, "/problems/invalid-request")


def test_a_fork_begins_another_path(curating: TestClient) -> None:
    path = made(curating)
    response = curating.post(f"{path['href']}/fork", json={"title": "Mine", "curator": "Bo"})
    fork = response.json()
    assert (response.status_code, fork["title"], fork["curator"]) == (201, "Mine", "Bo")
    assert fork["fork_of"] == {"path": path["id"], "version": 1}
    assert fork["steps"] == path["steps"]
    assert curating.post("/paths/none/fork").status_code == 404


def test_a_step_is_added_anywhere_and_what_follows_is_explained_anew(curating: TestClient) -> None:
    path = made(curating)
    steps = f"{path['href']}/steps"
    ended = curating.post(steps, json={"id": "m:06", "note": "Last."}, headers=matching(1)).json()
    assert [one["id"] for one in ended["steps"]] == ["m:01", "m:02", "m:05", "m:06"]
    assert ended["steps"][3]["note"] == "Last."
    assert ended["steps"][3]["reason"]
    between = curating.post(steps, json={"id": "m:08", "place": 2}, headers=matching(2)).json()
    assert [one["id"] for one in between["steps"]] == ["m:01", "m:08", "m:02", "m:05", "m:06"]
    assert between["steps"][2]["reason"] != ended["steps"][1]["reason"]
    assert between["steps"][3:] == ended["steps"][2:]
    twice = curating.post(steps, json={"id": "m:08"}, headers=matching(3))
    assert (twice.status_code, "stands 2 times" in twice.json()["detail"]) == (422, True)
    unknown = curating.post(steps, json={"id": "m:99"}, headers=matching(3))
    assert (unknown.status_code, unknown.json()["type"]) == (404, "/problems/unknown-item")


def test_a_withdrawn_item_is_shown_as_such_and_the_path_stays_whole(
    curating: TestClient, later: TestClient
) -> None:
    path = made(curating)
    now = later.get(path["href"]).json()
    (gone,) = [one for one in now["steps"] if one["withdrawn"]]
    assert (gone["id"], gone["title"], gone["href"]) == (GONE, "Approach to Venice", None)
    steps = [{"id": one["id"], "type": one["type"], "reason": one["reason"]} for one in now["steps"]]
    changed = later.put(
        path["href"], json={"title": "Venice", "steps": [*steps, {"id": "m:06"}]}, headers=matching(1)
    )
    assert changed.status_code == 200
    assert [one["title"] for one in changed.json()["steps"]][2:] == ["Approach to Venice", "Palace in Venice"]
    assert changed.json()["steps"][3]["type"] is None  # nothing can be said of what follows a withdrawn item
    assert later.get(f"{path['href']}/suggestions?type=location").status_code == 200
    assert later.get(f"{path['href']}/proposal?item=m:07&after={GONE}").json()["proposals"] == []
    assert later.post("/paths", json=VENICE).status_code == 404


def test_suggestions_are_like_the_whole_path_and_never_in_it(curating: TestClient) -> None:
    path = made(curating)
    answer = curating.get(f"{path['href']}/suggestions?type=location&floor=0&limit=100").json()
    results = [one["id"] for one in answer["neighbours"]]
    assert len(results) == len(set(results)) > 3
    assert not {"m:01", "m:02", "m:05"} & set(results)
    weights = {one["id"]: one["weight"] for one in answer["seeds"]}
    assert weights == {"m:01": 0.5, "m:02": 0.5, "m:05": 1.0}
    less = curating.get(f"{path['href']}/suggestions?type=location&floor=0&unlike={results[0]}").json()
    assert results[0] not in [one["id"] for one in less["neighbours"]]
    assert {"id": results[0], "weight": -1.0} in less["seeds"]
    two = curating.get(f"{path['href']}/suggestions?type=location&unlike={results[0]}&unlike={results[1]}")
    assert len(two.json()["seeds"]) == 5
    without_type = curating.get(f"{path['href']}/suggestions").json()
    assert all(one["type"] for one in without_type["neighbours"])


def test_an_empty_path_has_no_suggestions(curating: TestClient) -> None:
    path = made(curating, steps=[])
    response = curating.get(f"{path['href']}/suggestions?type=time")
    assert (response.status_code, "add one first" in response.json()["detail"]) == (422, True)
    assert curating.get(f"{path['href']}/proposal?item=m:01").json() == {
        "item": "m:01",
        "after": None,
        "proposals": [],
    }


def test_a_proposal_names_the_strongest_type_first(curating: TestClient, museum: Recommender) -> None:
    path = made(curating)
    answer = curating.get(f"{path['href']}/proposal?item=m:02&after=m:01").json()
    assert (answer["item"], answer["after"]) == ("m:02", "m:01")
    scores = [one["score"] for one in answer["proposals"]]
    assert answer["proposals"][0]["type"] == "author"
    assert [(one["kind"], one["value"]) for one in answer["proposals"][0]["facts"]] == [
        ("maker", "Canaletto")
    ]
    assert scores == sorted(scores, reverse=True)
    by_type = {one.type: one.score for one in museum.score("m:01", "m:02").explanations}
    assert all(one["score"] == by_type[one["type"]] for one in answer["proposals"])
    assert curating.get(f"{path['href']}/proposal?item=m:02&after=m:09").status_code == 422
    assert curating.get(f"{path['href']}/proposal?item=none").status_code == 404


def test_a_path_by_itself(curating: TestClient) -> None:
    answer = curating.get("/walk?item=m:01&length=5&type=location").json()
    ids = [one["id"] for one in answer["steps"]]
    assert ids[0] == "m:01"
    assert len(set(ids)) == len(ids) == 5
    assert all(one["type"] == "location" and one["reason"] for one in answer["steps"][1:])
    assert curating.get("/paths?drafts=true").json() == {"paths": [], "next": None}
    alone = curating.get("/walk?item=m:09&length=5").json()
    assert len(alone["steps"]) < 5
    assert alone["notes"]


def test_a_way_between_two_items(curating: TestClient) -> None:
    answer = curating.get("/way?left=m:01&right=m:07&floor=2").json()
    assert [answer["steps"][0]["id"], answer["steps"][-1]["id"]] == ["m:01", "m:07"]
    assert all(one["type"] and one["reason"] for one in answer["steps"][1:])
    assert answer["notes"] == []
    none = curating.get("/way?left=m:01&right=m:09&floor=4.9").json()
    assert none == {"steps": [], "notes": ["there is no way over links of 4.9 and more; take weaker links"]}
    assert curating.get("/way?left=m:01&right=m:01").status_code == 422


def test_a_long_way_that_few_looks_do_not_find(settings: Settings, tmp_path: Path) -> None:
    address = "/way?left=c:0&right=c:5&type=author&type=general&floor=1"
    with TestClient(create_app(chained(settings), writable(settings, tmp_path, writes=False))) as client:
        few, enough = client.get(f"{address}&work=2").json(), client.get(address).json()
    assert few == {
        "steps": [],
        "notes": [
            (
                "no way over links of 1 and more was found by looking at 2 items;"
                " look at more, or take weaker links"
            )
        ],
    }
    assert [one["id"] for one in enough["steps"]] == [f"c:{n}" for n in range(6)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"title": ""}, "title"),
        ({"steps": []}, "title is missing"),
        (
            {"title": "x", "steps": [{"id": "m:01", "label": "x"}]},
            "steps.0.label is not known here; allowed are: id",
        ),
        ({"title": "x", "step": []}, "step is not known here; allowed are: curator, steps, text, title"),
        ({"title": "x", "steps": [{"id": "m:01"}, {"id": "m:02", "type": "colour"}]}, "no similarity type"),
        ({"title": "x", "steps": [{"id": "m:01"}, {"id": "m:01"}]}, "stands 2 times"),
    ],
)
def test_a_body_that_does_not_fit_is_refused(
    curating: TestClient, body: dict[str, Any], message: str
) -> None:
    response = curating.post("/paths", json=body)
    assert response.status_code == 422
    assert message in response.json()["detail"]


def test_unknown_parameters_are_refused(curating: TestClient) -> None:
    path = made(curating)
    for address in (
        "/paths?x=1",
        f"{path['href']}?x=1",
        f"{path['href']}/suggestions?x=1",
        "/walk?x=1",
    ):
        response = curating.get(address)
        assert response.status_code == 422, address
    assert "allowed are: version" in curating.get(f"{path['href']}?x=1").json()["detail"]


def test_a_deleted_path_is_gone(curating: TestClient) -> None:
    path = made(curating)
    assert curating.delete(path["href"], headers=matching(2)).status_code == 412
    assert curating.delete(path["href"], headers=matching(1)).status_code == 204
    for address in ("", "/versions", "/suggestions", "/export?format=csv"):
        response = curating.get(path["href"] + address)
        assert (response.status_code, response.json()["type"]) == (404, "/problems/unknown-path")


ITEMS = sorted(one.id for one in RECORDS)


@given(
    steps=st.lists(st.sampled_from(ITEMS), min_size=1, max_size=8, unique=True),
    unlike=st.lists(st.sampled_from(ITEMS), max_size=2, unique=True),
    kind=st.sampled_from([None, "general", "time", "location", "author"]),
)
def test_a_suggestion_is_never_in_the_path(
    museum: Recommender, steps: list[str], unlike: list[str], kind: str | None
) -> None:
    """Nor an exact duplicate of a step, nor what is not liked."""
    from service.paths.walking import suggestion_search
    from service.search.queries import Search, WeightedSeed

    if set(steps) <= set(unlike):
        return
    question = Search(seeds=(WeightedSeed(steps[0]),), type=kind, limit=100, floor=0)
    search = suggestion_search(museum, steps, question, unlike, work=10_000_000)
    suggested = [one.record for one in museum.search(search).neighbours]
    shunned = {museum.item(item).fields_hash for item in (*steps, *unlike)}
    assert not shunned & {record.fields_hash for record in suggested}
    assert not {*steps, *unlike} & {record.id for record in suggested}


def test_so_much_of_a_long_path_is_asked_with_as_the_service_works_on(museum: Recommender) -> None:
    from service.paths.walking import suggestion_search
    from service.search.queries import Search, WeightedSeed

    question = Search(seeds=(WeightedSeed("m:01"),), type="time")
    search = suggestion_search(museum, ITEMS[:8], question, work=3 * len(ITEMS))
    assert [seed.id for seed in search.seeds] == ITEMS[5:8]
    assert set(search.without) == set(ITEMS[:8])


def test_the_openapi_document_names_every_problem(curating: TestClient) -> None:
    operation = curating.get("/openapi.json").json()["paths"]["/paths/{id}"]["put"]
    assert {"412", "428", "403", "404"} <= set(operation["responses"])
    assert "path-conflict" in json.dumps(operation["responses"]["412"])
