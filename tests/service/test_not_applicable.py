"""Where neither item has anything of a type: no score, no neighbour, and a sentence that says so."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from features.profiles.blocks import Block
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service import cli, composition
from service.api.app import create_app
from service.index.local import LocalIndex
from service.recommender import Recommender
from service.settings import Settings
from tests.builders import FEATURES, TYPES, features, fitted, profiles, record

RECORDS = (
    record("p:1", "Portrait of Tom Hall", subject="boats"),
    record("p:2", "Tom Hall walking", subject="boats"),
    record("n:1", "View of Venice", subject="boats"),
    record("n:2", "View of Harrow", subject="boats"),
    record("n:3", "boats", subject="boats"),
)


DECLARED = {
    **FEATURES,
    **features(
        presence={
            "measure": "presence",
            "combine": "either",
            "signs": [{"scope": {"entities": ["person"]}}],
        }
    ),
}


@pytest.fixture
def asked() -> Recommender:
    collection = fitted(RECORDS, DECLARED)
    line = Weighted(np.array([[1.0] * 8, [2.0] * 8]), np.full(8, 1.5))
    system = System("toy", ("all", "subject", "presence"), line, {"people": "presence"}, TYPES)
    return Recommender(LocalIndex(collection, system), system, profiles)


@pytest.fixture
def client(asked: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(asked, settings)) as opened:
        yield opened


def test_a_pair_has_no_score_and_says_why(client: TestClient) -> None:
    found = client.get("/explain", params={"left": "n:1", "right": "n:2"}).json()
    assert found["scores"]["people"] is None
    assert [kind for kind, score in found["scores"].items() if score is None] == ["people"]
    assert found["reasons"]["people"] == "Neither names or shows a person."
    people = found["explanations"][2]
    said = {name: people[name] for name in ("score", "not_applicable", "raw", "base", "contributions")}
    assert said == {"score": None, "not_applicable": True, "raw": None, "base": None, "contributions": []}
    assert [one["not_applicable"] for one in found["explanations"]].count(True) == 1


def test_one_side_is_enough_for_a_score(client: TestClient) -> None:
    found = client.get("/explain", params={"left": "p:1", "right": "n:2"}).json()
    assert found["scores"]["people"] > 1.5
    assert not any(one["not_applicable"] for one in found["explanations"])


def test_neighbours_have_something_of_the_type(asked: Recommender, client: TestClient) -> None:
    near = client.get("/items/n:1/similar", params={"type": "people"}).json()["neighbours"]
    assert {one["id"] for one in near} == {"p:1", "p:2"}
    assert len(asked.similar("p:1", "people", 10)) == 4
    grouped = asked.grouped("n:1", 10)
    assert {near.record.id for near in grouped["people"]} == {"p:1", "p:2"}
    assert [len(grouped[kind]) for kind in OFFICIAL if kind != "people"] == [4] * 7
    for near in asked.overview("n:1", 10):
        assert near.scores[near.type] is not None
    in_general = client.get("/items/n:1/similar", params={"type": "general"}).json()["neighbours"]
    assert {one["id"]: one["scores"]["people"] is None for one in in_general} == {
        "n:2": True, "n:3": True, "p:1": False, "p:2": False,
    }  # fmt: skip


def test_an_item_page_shows_no_such_neighbour(client: TestClient) -> None:
    page = client.get("/view/items/n:1").text
    people = page.split('id="people-heading"')[1].split("</section>")[0]
    assert "Tom Hall" in people
    assert "Harrow" not in people


def test_the_command_says_it(
    asked: Recommender, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(composition, "open_recommender", lambda *_: asked)
    monkeypatch.setenv("COLUMNS", "200")
    for arguments in (("explain", "n:1", "n:2"), ("explain", "n:1", "n:2", "--json")):
        monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
        with pytest.raises(SystemExit):
            cli.main()
        out = capsys.readouterr().out
        assert "Neither names or shows a person." in out
    assert json.loads(out)["scores"]["people"] is None


def test_the_batch_writes_0(asked: Recommender, tmp_path: Path) -> None:
    from evaluation.typed import write_scores

    collection, system = asked.collection, asked.system
    rows = [("n:1", "n:2"), ("p:1", "n:2")]
    profile = {item: collection.profile(collection.row(item)) for pair in rows for item in pair}
    pairs = [Block([profile[a], profile[b]]) for a, b in rows]
    values = np.array([collection.pair(pair, 0, 1, system.features) for pair in pairs])
    write_scores(tmp_path / "out.txt", system.score(values))
    first, second = (
        line.split("\t") for line in (tmp_path / "out.txt").read_text(encoding="utf-8").splitlines()
    )
    assert float(first[2]) == 0.0
    assert float(first[0]) > 1.0
    assert float(second[2]) > 1.0
