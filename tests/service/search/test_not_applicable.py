"""Where neither item has anything of a type: no score, no neighbour, and a sentence that says so."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from _pytest.capture import CaptureResult
from fastapi.testclient import TestClient
from msgspec.structs import replace

from features.profiles.blocks import Block
from ingest.errors import ConfigError
from ingest.record import values
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service import composition
from service.cli import root as cli
from service.search.engines.local.index import LocalIndex
from service.search.recommender import Recommender
from service.settings import Settings, load
from service.web.api.app import create_app
from tests.builders import FEATURES, TYPES, features, fitted, profiles, record
from tests.documents import defaults

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
def recommender() -> Recommender:
    collection = fitted(RECORDS, DECLARED)
    line = Weighted(np.array([[1.0] * 8, [2.0] * 8]), np.full(8, 1.5))
    system = System("toy", ("all", "subject", "presence"), line, {"people": "presence"}, TYPES)
    return Recommender(LocalIndex(collection, system), system, profiles)


@pytest.fixture
def client(recommender: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(recommender, settings)) as opened:
        yield opened


def test_a_pair_has_no_score_and_says_why(client: TestClient) -> None:
    results = client.get("/explain", params={"left": "n:1", "right": "n:2"}).json()
    assert results["scores"]["people"] is None
    assert [kind for kind, score in results["scores"].items() if score is None] == ["people"]
    assert results["reasons"]["people"] == "Neither names or shows a person."
    people = results["explanations"][2]
    part = {name: people[name] for name in ("score", "not_applicable", "raw", "base", "contributions")}
    assert part == {"score": None, "not_applicable": True, "raw": None, "base": None, "contributions": []}
    assert [one["not_applicable"] for one in results["explanations"]].count(True) == 1


def test_one_side_is_enough_for_a_score(client: TestClient) -> None:
    results = client.get("/explain", params={"left": "p:1", "right": "n:2"}).json()
    assert results["scores"]["people"] > 1.5
    assert not any(one["not_applicable"] for one in results["explanations"])


def test_neighbours_have_something_of_the_type(recommender: Recommender, client: TestClient) -> None:
    assert len(recommender.similar("p:1", "people", 10)) == 4  # what one side says is scored
    in_general = client.get("/items/n:1/similar", params={"type": "general"}).json()["neighbours"]
    assert {one["id"]: one["scores"]["people"] is None for one in in_general} == {
        "n:2": True, "n:3": True, "p:1": False, "p:2": False,
    }  # fmt: skip
    for near in recommender.overview("n:1", 10):
        assert near.type != "people"


def test_an_item_that_says_nothing_of_a_type_has_no_list_of_it(
    recommender: Recommender,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for more in ("", "&diversity=0.5", "&floor=0"):
        results = client.get(f"/items/n:1/similar?type=people{more}").json()
        assert (results["neighbours"], results["next"]) == ([], None)
        assert results["notes"] == ["This item names or shows no person."]
    assert client.get("/items/p:1/similar", params={"type": "people"}).json()["notes"] == []
    assert recommender.inapplicable("n:1") == ("people",)
    assert recommender.inapplicable("p:1") == ()
    assert list(recommender.nearest("n:1", OFFICIAL, 3)["people"]) == []
    grouped = recommender.grouped("n:1", 10)
    assert [len(grouped[kind]) for kind in OFFICIAL] == [4, 4, 0, 4, 4, 4, 4, 4]
    assert output(recommender, monkeypatch, capsys, "similar", "n:1", "--type", "people").err == (
        "This item names or shows no person.\n"
    )


def test_one_seed_that_says_something_is_enough_for_a_list(client: TestClient) -> None:
    def neighbours(*seeds: tuple[str, float]) -> tuple[int, list[str]]:
        body = {"seeds": [{"id": item, "weight": weight} for item, weight in seeds], "type": "people"}
        results = client.post("/similar", json=body).json()
        return len(results["neighbours"]), results["notes"]

    assert neighbours(("n:1", 1), ("p:1", 1)) == (3, [])
    none = "This item names or shows no person."
    assert neighbours(("n:1", 1), ("n:2", 1)) == (0, [f"n:1: {none}", f"n:2: {none}"])
    assert neighbours(("n:1", 1), ("p:1", -1)) == (0, [none])  # nobody is wanted by what is not


def test_an_item_page_says_it_in_place_of_a_list(client: TestClient) -> None:
    page = client.get("/view/items/n:1").text
    assert "people-heading" not in page
    assert '<p class="none">This item names or shows no person.</p>' in page
    assert "This item" not in client.get("/view/items/p:1").text


def test_where_one_weak_sign_is_nothing(settings: Settings) -> None:
    # a person weighs .4: one makes 1 - exp(-.4) = .33, which is nothing, two make 1 - exp(-.8) = .55
    weak = {
        "measure": "presence",
        "combine": "either",
        "signs": [{"scope": {"entities": ["person"]}, "weight": 0.4}],
    }
    records = [
        record("w:1", "Tom Hall"), record("w:2", "Ada Reed in Venice"),
        record("s:1", "Tom Hall, Ada Reed"), record("s:2", "Ada Reed, Tom Hall, boats"),
    ]  # fmt: skip
    declared = {**FEATURES, **features(presence=weak)}
    line = Weighted(np.full((2, 8), 1.0), np.full(8, 1.5))
    names = ("all", "presence")
    system = System("toy", names, line, {"people": "presence"}, TYPES, applies={"people": 0.5})
    recommender = Recommender(LocalIndex(fitted(records, declared), system), system, profiles)
    with TestClient(create_app(recommender, settings)) as client:
        scores = {
            pair: client.get("/explain", params={"left": pair[:3], "right": pair[3:]}).json()["scores"][
                "people"
            ]
            for pair in ("w:1w:2", "w:1s:1", "s:1s:2")
        }
        lists = {
            item: [
                one["id"]
                for one in client.get(f"/items/{item}/similar", params={"type": "people"}).json()[
                    "neighbours"
                ]
            ]
            for item in ("w:1", "s:1")
        }
    assert scores["w:1w:2"] is None
    assert scores["w:1s:1"] > 1.5
    assert scores["s:1s:2"] > 1.5
    assert lists["w:1"] == []
    assert set(lists["s:1"]) == {"s:2", "w:1", "w:2"}


def test_an_item_that_says_it_not_surely_is_noted_where_its_list_is_empty(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # a person weighs .4: one makes 1 - exp(-.4) = .33, which is something, but not above .5, so that no pair
    # scores more than 2; two make 1 - exp(-.8) = .55. The list of people ends at 2.5.
    signs = {"measure": "presence", "signs": [{"scope": {"entities": ["person"]}, "weight": 0.4}]}
    declared = {
        **FEATURES,
        **features(either={**signs, "combine": "either"}, each={**signs, "combine": "both"}),
    }
    records = [
        record("w:1", "Tom Hall"),
        record("s:1", "Tom Hall, Ada Reed"),
        record("s:2", "Ada Reed, Tom Hall"),
    ]
    line = Weighted(np.full((2, 8), 1.0), np.full(8, 1.5))
    system = System(
        "toy", ("all", "either", "each"), line, {"people": "either"}, TYPES,
        both={"people": "each"}, floor={"people": 2.5},
    )  # fmt: skip
    recommender = Recommender(LocalIndex(fitted(records, declared), system), system, profiles)
    assert (recommender.inapplicable("w:1"), recommender.unsure("w:1")) == ((), ("people",))
    note = "This item names or shows no person."
    with TestClient(create_app(recommender, settings)) as client:
        none = client.get("/items/w:1/similar?type=people").json()
        assert (none["neighbours"], none["notes"]) == ([], [note])
        every = client.get("/items/w:1/similar?type=people&floor=0").json()  # what there is comes first
        assert (len(every["neighbours"]), every["notes"]) == (2, [])
        some = client.get("/items/s:1/similar?type=people").json()
        assert ([one["id"] for one in some["neighbours"]], some["notes"]) == (["s:2"], [])
        page = client.get("/view/items/w:1").text
        assert f'<p class="none">{note}</p>' in page
        assert "about the same people" not in page  # it is not called a list without anything close
        assert note not in client.get("/view/items/s:1").text
    printed = output(recommender, monkeypatch, capsys, "similar", "w:1", "--type", "people")
    assert printed.err == f"{note}\n"


def test_it_is_so_in_all_eight_types(settings: Settings) -> None:
    # a sign for each type: a word, a maker, a person, a date, a place, a verb, a subject, a description
    signs = ("all", "creator", "person", "years", "location", "verb", "subject", "description")
    known = features(
        **{f"{name}_known": {"measure": "known", "of": name, "combine": "either"} for name in signs}
    )
    answer = dict(zip(OFFICIAL, known, strict=True))
    system = System(
        "toy", ("all", *known), Weighted(np.full((9, 8), 0.1), np.full(8, 1.5)), answer, TYPES
    )  # fmt: skip
    whole = record(
        "w:1",
        "Tom Hall sailing in Venice",
        creator="Reed, Ada",
        subject="boats",
        date="1840",
        description="A boat",
    )
    records = [
        record("e:1", "!"),
        record("e:2", "?"),
        whole,
        replace(whole, id="w:2", title=values("Ada Reed in Bath")),
    ]
    recommender = Recommender(LocalIndex(fitted(records, {**FEATURES, **known}), system), system, profiles)
    with TestClient(create_app(recommender, settings)) as client:
        results = client.get("/explain", params={"left": "e:1", "right": "e:2"}).json()
        assert results["scores"] == dict.fromkeys(OFFICIAL)
        assert results["reasons"] == {kind: row.phrase for kind, row in TYPES.items()}
        for kind in OFFICIAL:
            none = client.get("/items/e:1/similar", params={"type": kind}).json()
            assert (none["neighbours"], none["notes"]) == ([], [TYPES[kind].absent])
            some = client.get("/items/w:1/similar", params={"type": kind}).json()
            assert ("w:2" in {one["id"] for one in some["neighbours"]}, some["notes"]) == (True, [])
        assert client.get("/items/e:1/similar").json()["neighbours"] == []
        page = client.get("/view/items/e:1").text
        assert " ".join(row.absent for row in TYPES.values()) in page
    # where a number must stand it is 0
    pair = np.array([recommender.collection.pair(Block(profiles(records[:2])), 0, 1, system.features)])
    assert system.score(pair).tolist() == [[0.0] * 8]


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        (
            "applies: {people: 0.5}",
            "line 2: systems.linear: 'applies' needs a feature under 'not_applicable' for people",
        ),
        (
            "not_applicable: {people: years}, applies: {people: 1}",
            "systems.linear.applies.people: input should be less",
        ),
        (
            "not_applicable: {people: years}, applies: {peple: 0.1}",
            "systems.linear: 'applies' needs a feature",
        ),
    ],
)
def test_a_row_that_says_it_wrongly_is_refused(tmp_path: Path, row: str, refusal: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"systems:\n  linear: {{{row}}}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(own)
    assert refusal in refused.value.detail


def test_the_systems_of_a_museum_say_it_of_all_eight_types() -> None:
    declared = defaults()
    for name in ("kindred",):
        assert set(declared.system(name).not_applicable) == set(OFFICIAL)


def output(
    recommender: Recommender,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *arguments: str,
) -> CaptureResult[str]:
    """What a command writes."""
    monkeypatch.setattr(composition, "open_recommender", lambda *_: recommender)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", ["kindred", *arguments])
    with pytest.raises(SystemExit):
        cli.main()
    return capsys.readouterr()


def test_the_command_says_it(
    recommender: Recommender, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in (("explain", "n:1", "n:2"), ("explain", "n:1", "n:2", "--json")):
        out = output(recommender, monkeypatch, capsys, *arguments).out
        assert "Neither names or shows a person." in out
    assert json.loads(out)["scores"]["people"] is None


def test_the_batch_writes_0(recommender: Recommender, tmp_path: Path) -> None:
    from evaluation.typed import write_scores

    collection, system = recommender.collection, recommender.system
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
