"""A service says that it is ready once what its first answers need is loaded."""

from collections.abc import Sequence
from threading import Event

import pytest
from fastapi.testclient import TestClient

from features.profiles.profile import Profile
from ingest.errors import CollectionMissing, ResourceMissing
from ingest.record import Record
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from service.web.api.dependencies import RecommenderSource
from service.web.warming import WarmUp
from tests.service.conftest import BACINO
from tests.service.processes import patiently


def client(source: RecommenderSource, settings: Settings) -> TestClient:
    app = create_app(source, settings)
    app.state.warm_up = WarmUp(source)
    return TestClient(app)


def ready(client: TestClient) -> bool:
    return client.get("/health/ready").status_code == 200


def analysing(recommender: Recommender, analyse: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recommender, "_analyse", analyse)


def test_until_the_models_are_loaded_a_service_answers_but_is_not_ready(
    museum_recommender: Recommender, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, own = Event(), museum_recommender.profiles

    def slowly(records: Sequence[Record]) -> list[Profile]:
        assert loaded.wait(60)
        return own(records)

    with client(lambda: museum_recommender, settings) as visitor:
        analysing(museum_recommender, slowly, monkeypatch)
        refused = visitor.get("/health/ready")
        assert (refused.status_code, refused.json()["type"]) == (503, "/problems/warming-up")
        assert int(refused.headers["retry-after"]) > 0
        assert visitor.get(f"/items/{BACINO}/similar?type=time").status_code == 200
        assert visitor.get("/health/live").status_code == 200
        monkeypatch.undo()
        loaded.set()
        patiently(lambda: ready(visitor))


def test_where_no_collection_is_open_yet_it_is_tried_again(
    museum_recommender: Recommender, settings: Settings
) -> None:
    built = Event()

    def source() -> Recommender:
        if not built.is_set():
            raise CollectionMissing("no collection is built; run: kindred build")
        return museum_recommender

    with client(source, settings) as visitor:
        assert visitor.get("/health/ready").json()["type"] == "/problems/collection-missing"
        built.set()
        patiently(lambda: ready(visitor))


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (RuntimeError("broken"), "internal: the first search or score failed"),
        (
            ResourceMissing("the language models are not installed; run: pip install kindred"),
            "cannot be analysed: the language models are not installed",
        ),
    ],
)
def test_what_fails_is_in_the_log_and_the_rest_is_answered(
    museum_recommender: Recommender,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    line: str,
) -> None:
    def failing(_: Sequence[Record]) -> list[Profile]:
        raise error

    analysing(museum_recommender, failing, monkeypatch)
    with client(lambda: museum_recommender, settings) as visitor:
        patiently(lambda: ready(visitor))
    assert line in caplog.text
