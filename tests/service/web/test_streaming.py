"""Answers and bodies of a line for each value."""

import json
from threading import Event

import httpx2
import pytest
from fastapi.testclient import TestClient

from ingest.record import Record
from service.search.queries import Deadline
from service.search.recommender import PairScores, Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.environment import PATIENCE
from tests.service.conftest import BACINO, YARD, Server

LINES = "application/x-ndjson"
PAIRS = [{"left": YARD, "right": BACINO}, {"left": BACINO, "right": BACINO}, {"left": BACINO, "right": YARD}]


class Scoring:
    """Scores pairs, but waits before the second until it may go on."""

    def __init__(self, recommender: Recommender) -> None:
        self.may_go_on, self.fails, self.pairs = Event(), False, 0
        self._score = recommender.score

    def __call__(self, left: Record | str, right: Record | str, until: Deadline) -> PairScores:
        self.pairs += 1
        if self.pairs == 2:
            assert self.may_go_on.wait(PATIENCE)
            if self.fails:
                raise ValueError("a fault of ours")
        return self._score(left, right, until)


@pytest.fixture
def scoring(museum_recommender: Recommender, monkeypatch: pytest.MonkeyPatch) -> Scoring:
    made = Scoring(museum_recommender)
    monkeypatch.setattr(Recommender, "score", lambda _, *given: made(*given))
    return made


def test_a_line_comes_before_the_next_is_made(server: Server, scoring: Scoring) -> None:
    whole = json.loads(server.ask("/scores", "POST", json.dumps({"pairs": PAIRS[:1]}).encode()).body)
    scoring.pairs = 0
    with httpx2.stream(
        "POST",
        f"{server.address}/scores",
        json={"pairs": PAIRS},
        headers={"Accept": LINES},
        timeout=PATIENCE,
    ) as answer:
        assert (answer.status_code, answer.headers["content-type"]) == (200, LINES)
        lines = answer.iter_lines()
        assert json.loads(next(lines)) == whole["pairs"][0]
        scoring.may_go_on.set()
        rest = [json.loads(line) for line in lines]
    assert [{"left": one["left"], "right": one["right"]} for one in rest] == PAIRS[1:]


def test_half_an_answer_is_no_whole_one(server: Server, scoring: Scoring) -> None:
    scoring.fails = True
    scoring.may_go_on.set()
    with (
        httpx2.stream(
            "POST",
            f"{server.address}/scores",
            json={"pairs": PAIRS},
            headers={"Accept": LINES},
            timeout=PATIENCE,
        ) as answer,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        list(answer.iter_lines())


def test_what_ends_it_early_is_the_last_line(museum_recommender: Recommender, settings: Settings) -> None:
    hasty = settings.model_copy(update={"service": settings.service.model_copy(update={"seconds": 1e-9})})
    answer = TestClient(create_app(museum_recommender, hasty)).post(
        "/scores", json={"pairs": PAIRS}, headers={"Accept": LINES}
    )
    *_, last = map(json.loads, answer.text.splitlines())
    assert (answer.status_code, last["type"], last["status"]) == (200, "/problems/timed-out", 503)


def test_an_unknown_item_is_refused_before_the_first_line(client: TestClient) -> None:
    pairs = [*PAIRS, {"left": "none", "right": YARD}]
    answer = client.post("/scores", json={"pairs": pairs}, headers={"Accept": LINES})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")


def test_items_as_lines_are_those_of_the_list(client: TestClient) -> None:
    ids = [BACINO, "none", YARD]
    whole = client.post("/lookup", json={"ids": ids}).json()
    answer = client.post(
        "/lookup",
        content="\n".join(map(json.dumps, ids)),
        headers={"Accept": LINES, "Content-Type": f"{LINES}; charset=utf-8"},
    )
    assert [json.loads(line) for line in answer.text.splitlines()] == whole["items"]


@pytest.mark.parametrize(
    ("body", "status", "detail"),
    [
        ('"x:1"\n\n{"id": \n', 422, "line 2 "),
        ("", 422, "ids: "),
        ('"x:1"\n7\n', 422, "ids.1 "),
        ('"x:1"], "more": ["x:2"\n', 422, "line 1 "),
    ],
)
def test_lines_that_are_none(client: TestClient, body: str, status: int, detail: str) -> None:
    answer = client.post("/v1/lookup", content=body, headers={"Content-Type": LINES})
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["detail"].startswith(detail), answer.json()
