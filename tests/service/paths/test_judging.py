"""Feedback over HTTP: kept with the scores of the moment, by who has a key, and by a form on a page."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from models.types import OFFICIAL
from service.operations.feedback import Feedback
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.service.conftest import new_key
from tests.service.paths.conftest import writable

PAIR = {"left": "m:02", "right": "m:01", "type": "location", "fits": True}


@pytest.fixture
def writing(settings: Settings, tmp_path: Path) -> Settings:
    return writable(settings, tmp_path)


@pytest.fixture
def curator(museum: Recommender, writing: Settings) -> Iterator[TestClient]:
    key = {"Authorization": f"Bearer {new_key(writing)}"}
    with TestClient(create_app(museum, writing), headers=key) as client:
        yield client


def test_a_judgement_is_kept_with_the_scores_of_the_pair(
    curator: TestClient, museum: Recommender, writing: Settings
) -> None:
    answer = curator.post("/feedback", json={**PAIR, "score": 4.5})
    assert answer.status_code == 201
    judgement = answer.json()
    assert judgement.items() >= {"left": "m:01", "right": "m:02", "score": 4.5, "by": "Some curator"}.items()
    (stored,) = Feedback(writing.state.feedback).every()
    scored = museum.score("m:01", "m:02").explanations
    assert stored.scores == pytest.approx(
        {one.type: None if one.not_applicable else one.score for one in scored}
    )
    assert tuple(stored.scores) == OFFICIAL


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"left": "none"}, 404),
        ({"right": "m:02"}, 422),
        ({"type": "place"}, 422),
        ({"score": 6}, 422),
        ({"fits": "yes"}, 422),
    ],
)
def test_what_does_not_fit_is_refused(curator: TestClient, change: dict[str, object], status: int) -> None:
    assert curator.post("/feedback", json={**PAIR, **change}).status_code == status


def test_an_unknown_key_is_refused_with_those_that_are_allowed(curator: TestClient) -> None:
    answer = curator.post("/feedback", json={**PAIR, "why": "canals"})
    assert answer.json()["detail"] == (
        "why is not known here; allowed are: fits, left, pinned, right, score, type"
    )


def test_who_has_no_key_is_refused(museum: Recommender, writing: Settings) -> None:
    with TestClient(create_app(museum, writing)) as visitor:
        assert visitor.post("/feedback", json=PAIR).status_code == 401
        assert "Your judgement" not in visitor.get("/view/compare?left=m:01&right=m:02").text


def test_a_form_keeps_what_a_curator_says(curator: TestClient, writing: Settings) -> None:
    address = "/view/compare?left=m:01&right=m:02&type=location"
    assert "They are alike in this way" in curator.get(address).text
    sent = {"left": "m:01", "right": "m:02", "type": "location", "fits": "no"}
    answer = curator.post("/edit/feedback", data=sent, follow_redirects=False)
    assert answer.status_code == 303
    assert ": not alike in this way, says " in curator.get(answer.headers["location"]).text
    (stored,) = Feedback(writing.state.feedback).every()
    assert (stored.fits, stored.gold) == (False, 0.0)


@pytest.mark.parametrize(
    ("page", "item"),
    [
        ("/view/items/m:01", "m:01"),
        ("/view/items/m:01", "m:02"),
        ("/view/items/m:01/similar?type=location", "m:02"),
        ("/search?q=yard", "m:02"),
    ],
)
def test_an_item_can_be_added_to_a_path_wherever_it_is_listed(
    curator: TestClient, museum: Recommender, writing: Settings, page: str, item: str
) -> None:
    address = f'href="/edit/add?item={quote(item, safe="")}"'
    assert address in curator.get(page).text
    with TestClient(create_app(museum, writing)) as visitor:
        assert "/edit/add" not in visitor.get(page).text
