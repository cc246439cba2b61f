"""Curators reject neighbours for a type or pin them: lists change at once, and can be put back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from service.operations.feedback import Feedback, FeedbackOverrides, Verdict
from service.paths.walking import walk
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.builders import recommender
from tests.service.conftest import new_key
from tests.service.museum import RECORDS
from tests.service.paths.conftest import writable
from tests.service.paths.test_pages import send


def heeding(settings: Settings) -> Recommender:
    """A recommender over the museum, as it is opened anew after each build."""
    built = recommender(RECORDS, settings)
    overrides = FeedbackOverrides(settings.state.feedback)
    return Recommender(built.index, built.system, built.profiles, built.variant, overrides)


@pytest.fixture
def configured(settings: Settings, tmp_path: Path) -> Settings:
    return writable(settings, tmp_path)


@pytest.fixture
def curator(configured: Settings) -> Iterator[TestClient]:
    key = {"Authorization": f"Bearer {new_key(configured)}"}
    with TestClient(create_app(heeding(configured), configured), headers=key) as client:
        yield client


def near(client: TestClient, item: str, kind: str, **query: Any) -> list[str]:
    answer = client.get(f"/items/{item}/similar", params={"type": kind, **query}).json()
    return [one["id"] for one in answer["neighbours"]]


def judge(client: TestClient, fits: bool, left: str = "m:01", right: str = "m:02") -> None:
    document = {"left": left, "right": right, "type": "location", "fits": fits}
    assert client.post("/feedback", json=document).status_code == 201


def test_what_is_rejected_is_gone_from_both_lists_of_the_type_and_no_other(curator: TestClient) -> None:
    before, others = near(curator, "m:01", "location"), near(curator, "m:01", "author")
    assert "m:02" in before
    assert "m:02" in others
    judge(curator, fits=False)
    # the rest keeps its order, and another takes the place that is free
    assert near(curator, "m:01", "location") == [one for one in before if one != "m:02"]
    assert "m:01" not in near(curator, "m:02", "location")
    assert near(curator, "m:01", "author") == others
    first = near(curator, "m:01", "location", limit=3)
    assert (len(first), first) == (3, [one for one in before if one != "m:02"][:3])
    assert "m:02" not in str(curator.get("/view/items/m:01/similar?type=location").text.split("judged")[0])


def test_the_last_judgement_of_a_pair_counts_and_can_be_taken_back(curator: TestClient) -> None:
    before = near(curator, "m:01", "location")
    judge(curator, fits=False)
    judge(curator, fits=True, left="m:02", right="m:01")
    assert near(curator, "m:01", "location") == before
    judge(curator, fits=False)
    pair = {"left": "m:02", "right": "m:01", "type": "location"}
    assert curator.delete("/feedback", params=pair).status_code == 204
    assert near(curator, "m:01", "location") == before
    again = curator.delete("/feedback", params=pair)
    assert (again.status_code, again.json()["type"]) == (422, "/problems/invalid-request")


def test_a_client_that_has_the_list_learns_of_a_rejection(curator: TestClient) -> None:
    address = "/items/m:01/similar?type=location"
    had = {"If-None-Match": curator.get(address).headers["etag"]}
    assert curator.get(address, headers=had).status_code == 304
    judge(curator, fits=False)
    assert curator.get(address, headers=had).status_code == 200
    judge(curator, fits=True)
    assert curator.get(address, headers=had).status_code == 304


def test_pages_go_on_where_a_pair_was_rejected_between_them(curator: TestClient) -> None:
    before = near(curator, "m:01", "location")
    first = curator.get("/items/m:01/similar?type=location&limit=2").json()
    rejected = before[3]
    judge(curator, fits=False, right=rejected)
    rest, cursor = [one["id"] for one in first["neighbours"]], first["next"]
    while cursor:
        page = curator.get(f"/items/m:01/similar?type=location&limit=2&cursor={cursor}").json()
        rest += [one["id"] for one in page["neighbours"]]
        cursor = page["next"]
    assert rest == [one for one in before if one != rejected]


def test_a_rejection_is_kept_over_a_build_and_no_walk_takes_it(
    curator: TestClient, configured: Settings
) -> None:
    judge(curator, fits=False)
    anew = heeding(configured)
    assert "m:02" not in [one.record.id for one in anew.similar("m:01", "location", 5)]
    assert walk(anew, "m:01", ["location"], 2)[1].item != "m:02"


def test_no_way_leads_over_a_link_that_was_rejected(curator: TestClient) -> None:
    address = "/way?left=m:01&right=m:02&type=location&floor=1"
    assert [one["id"] for one in curator.get(address).json()["steps"]] == ["m:01", "m:02"]
    judge(curator, fits=False)
    steps = [one["id"] for one in curator.get(address).json()["steps"]]
    assert (len(steps), steps[0], steps[-1]) == (3, "m:01", "m:02")
    # in another way of being alike the two are linked as before
    other = curator.get("/way?left=m:01&right=m:02&type=author&floor=0.1").json()
    assert [one["id"] for one in other["steps"]] == ["m:01", "m:02"]


def test_a_curator_rejects_on_the_pages_sees_it_and_takes_it_back(curator: TestClient) -> None:
    before = near(curator, "m:01", "location")
    pair = {"left": "m:01", "right": "m:02", "type": "location", "from": "list"}
    done = send(curator, "/edit/feedback", **pair, fits="no")
    assert done.headers["location"] == "/view/items/m%3A01/similar?type=location#judged"
    assert "m:02" not in near(curator, "m:01", "location")
    for address in ("/view/items/m:01/similar?type=location", "/view/compare?left=m:01&right=m:02", "/edit"):
        assert 'name="fits" value="withdraw"' in curator.get(address).text, address
    assert send(curator, "/edit/feedback", **pair, fits="withdraw").status_code == 303
    assert near(curator, "m:01", "location") == before
    assert send(curator, "/edit/feedback", **pair, fits="maybe").status_code == 422


def test_visitors_do_not_read_who_said_what(curator: TestClient) -> None:
    judge(curator, fits=True)
    del curator.headers["Authorization"]
    for address in ("/view/items/m:01/similar?type=location", "/view/compare?left=m:01&right=m:02"):
        assert "Some curator" not in curator.get(address).text
    assert curator.delete("/feedback?left=m:01&right=m:02&type=location").status_code == 401


def pin(client: TestClient, right: str, left: str = "m:01") -> None:
    document = {"left": left, "right": right, "type": "location", "fits": True, "pinned": True}
    assert client.post("/feedback", json=document).json()["pinned"]


def test_what_is_pinned_comes_first_in_both_lists_with_its_own_score(curator: TestClient) -> None:
    before, others = near(curator, "m:01", "location"), near(curator, "m:01", "author")
    last = before[-1]
    pin(curator, last)
    assert near(curator, "m:01", "location") == [last, *before[:-1]]
    assert near(curator, last, "location")[0] == "m:01"
    assert near(curator, "m:01", "author") == others
    first, second = curator.get("/items/m:01/similar?type=location&limit=2").json()["neighbours"]
    assert (first["pinned"], second["pinned"]) == (True, False)
    assert first["score"] < second["score"]
    # without a type it is first too, for what it is pinned in
    first = curator.get("/items/m:01/similar").json()["neighbours"][0]
    assert (first["id"], first["type"], first["pinned"]) == (last, "location", True)
    judge(curator, fits=True, right=last)  # it fits and is pinned no more
    assert near(curator, "m:01", "location") == before


def test_what_scores_below_the_floor_is_pinned_all_the_same(curator: TestClient) -> None:
    before = near(curator, "m:01", "location", limit=100)
    far = next(one.id for one in RECORDS if one.id not in (*before, "m:01"))
    pin(curator, far)
    assert near(curator, "m:01", "location", limit=100) == [far, *before]
    neighbour = curator.get("/items/m:01/similar?type=location&limit=1").json()["neighbours"][0]
    assert neighbour["id"] == far
    assert neighbour["score"] < 1


def test_pages_and_filters_and_diversity_keep_what_is_pinned_in_front(curator: TestClient) -> None:
    before = near(curator, "m:01", "location")
    some = near(curator, "m:01", "location", to=1850)
    pins = sorted([*before[-2:], some[-1]])
    assert len(some) < len(before)
    for item in pins:
        pin(curator, item)
    wanted = [*pins, *(one for one in before if one not in pins)]
    for limit in (1, 2, 4):
        pages, query = list[str](), f"/items/m:01/similar?type=location&limit={limit}"
        cursor = ""
        while cursor is not None:
            page = curator.get(f"{query}&cursor={cursor}" if cursor else query).json()
            pages += [one["id"] for one in page["neighbours"]]
            cursor = page["next"]
        assert pages == wanted, limit
    assert near(curator, "m:01", "location", limit=4, diversity=0.5)[:3] == pins
    assert near(curator, "m:01", "location", to=1850) == [one for one in wanted if one in some]
    assert near(curator, "m:01", "location", to=-9000) == []


def test_pages_go_on_where_a_pair_was_pinned_between_them(curator: TestClient) -> None:
    before = near(curator, "m:01", "location")
    pin(curator, before[-1])
    first = curator.get("/items/m:01/similar?type=location&limit=2").json()
    pin(curator, before[-2])
    given, cursor = [one["id"] for one in first["neighbours"]], first["next"]
    while cursor:
        page = curator.get(f"/items/m:01/similar?type=location&limit=2&cursor={cursor}").json()
        given += [one["id"] for one in page["neighbours"]]
        cursor = page["next"]
    assert sorted(given) == sorted(before)
    assert given[:3] == [before[-1], before[0], before[-2]]


def test_what_does_not_fit_is_not_pinned(curator: TestClient) -> None:
    document = {"left": "m:01", "right": "m:02", "type": "location", "fits": False, "pinned": True}
    answer = curator.post("/feedback", json=document)
    assert (answer.status_code, "leave pinned out" in answer.json()["detail"]) == (422, True)


def test_a_curator_pins_on_the_pages_and_visitors_see_whose_choice_it_is(curator: TestClient) -> None:
    last = near(curator, "m:01", "location")[-1]
    pair = {"left": "m:01", "right": last, "type": "location", "from": "list"}
    assert send(curator, "/edit/feedback", **pair, fits="first").status_code == 303
    assert near(curator, "m:01", "location")[0] == last
    page = curator.get("/view/items/m:01/similar?type=location").text
    assert "No longer first" in page
    assert "first in the list, says Some curator" in page
    del curator.headers["Authorization"]
    for address in ("/view/items/m:01/similar?type=location", "/view/items/m:01"):
        text = curator.get(address).text
        assert text.count("Chosen by a curator.") == 1, address
        assert "No longer first" not in text


def test_what_another_process_stores_counts(configured: Settings) -> None:
    overrides = FeedbackOverrides(configured.state.feedback)
    assert (overrides.rejected(["a"]), overrides.mark) == ({}, "")
    with Feedback(configured.state.feedback) as feedback:
        feedback.say(("b", "a"), "time", Verdict(fits=False), by="Ada", system="s", scores={})
        feedback.say(("a", "c"), "time", Verdict(fits=False), by="Ada", system="s", scores={})
    assert overrides.rejected(["a"]) == {"time": frozenset({"b", "c"})}
    assert overrides.rejected(["c", "x"]) == {"time": frozenset({"a"})}
    mark = overrides.mark
    with Feedback(configured.state.feedback) as feedback:
        feedback.withdraw(("a", "c"), "time", "Ada")
    assert overrides.rejected(["a"]) == {"time": frozenset({"b"})}
    assert overrides.mark not in ("", mark)
