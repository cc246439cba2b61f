"""Where not both items have anything of a type: at most 2, in every list, and a sentence for it."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st

from features.collection.build import build
from features.collection.collection import Built
from features.measures.base import needed
from features.profiles.blocks import Block
from ingest.errors import ConfigError
from ingest.record import Record
from models.explanation import explain
from models.regressors.linear import Weighted
from models.systems import LIKELY, NOT_BOTH, System
from models.types import OFFICIAL, SimilarityType
from service import composition
from service.cli import root as cli
from service.paths.following import proposals
from service.search.batch.precompute import precompute
from service.search.engines.local import precomputed
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import Question
from service.search.neighbours import NeighbourBuilder
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings, load
from service.web.api.app import create_app
from tests.builders import (
    FEATURES,
    NONE,
    TYPES,
    features,
    fitted,
    items,
    profile,
    profiles,
    random_records,
    record,
)
from tests.service.search.engines.memory.estimates import Estimates
from tests.service.search.engines.memory.index import MemoryIndex
from tests.service.search.test_candidates_index import Wave
from tests.service.search.test_local_index import Changes, brute, changed, changes, near, questions

ONE_SIDED = "They do not both name or show a person."

RECORDS = (
    record("p:1", "Portrait of Tom Hall", subject="boats"),
    record("p:2", "Tom Hall walking", subject="boats"),
    record("n:1", "View of Venice", subject="boats"),
    record("n:2", "View of Harrow", subject="boats"),
    record("o:1", "canals", subject="flowers"),
)

PERSON = {"measure": "presence", "signs": [{"scope": {"entities": ["person"]}}]}
DECLARED = {
    **FEATURES,
    # a person weighs 1: one makes 1 - exp(-1) = .63, more than .5
    **features(people=PERSON, any_people={**PERSON, "combine": "either"}),
}

# 1 for like texts, 2 for a like subject, 0 for a name, and .5: of one subject two items have 2.5 at least
LINE = Weighted(np.array([[1.0] * 8, [2.0] * 8, [0.0] * 8]), np.full(8, 0.5))
NAMED = Weighted(np.array([[1.0] * 8, [2.0] * 8, [0.1] * 8]), np.full(8, 0.5))
SYSTEM = System(
    "toy",
    ("all", "subject", "person", "people", "any_people"),
    LINE,
    {"people": "any_people"},
    TYPES,
    floor={"people": 2.45},
    both={"people": "people"},
)


def over(collection: Built, system: System = SYSTEM) -> Recommender:
    return Recommender(LocalIndex(collection, system), system, profiles)


@pytest.fixture
def recommender() -> Recommender:
    return over(fitted(RECORDS, DECLARED))


@pytest.fixture
def client(recommender: Recommender, settings: Settings) -> Iterator[TestClient]:
    with TestClient(create_app(recommender, settings)) as opened:
        yield opened


def test_the_score_is_at_most_2_and_the_sum_is_as_it_was(client: TestClient) -> None:
    results = client.get("/explain", params={"left": "p:1", "right": "n:1"}).json()
    assert results["scores"]["people"] == NOT_BOTH
    assert results["scores"]["general"] >= 2.5
    assert results["reasons"]["people"] == ONE_SIDED
    people = results["explanations"][2]
    assert people["not_both"] is True
    assert people["raw"] == results["explanations"][0]["raw"] >= 2.5
    amounts = sum(one["amount"] for one in people["contributions"])
    assert people["base"] + amounts == pytest.approx(people["raw"], abs=1e-12)
    assert [one["not_both"] for one in results["explanations"]].count(True) == 1


def test_a_lower_score_stays_and_says_it_too(client: TestClient) -> None:
    # nothing is like: .5 in all types
    results = client.get("/explain", params={"left": "p:1", "right": "o:1"}).json()
    assert set(results["scores"].values()) == {0.5}
    assert results["reasons"]["people"] == ONE_SIDED
    assert results["explanations"][2]["not_both"] is True


@pytest.mark.parametrize(("left", "right", "score"), [("p:1", "p:2", 2.5), ("n:1", "n:2", None)])
def test_where_both_have_something_or_neither_it_says_nothing(
    client: TestClient, left: str, right: str, score: float | None
) -> None:
    results = client.get("/explain", params={"left": left, "right": right}).json()
    assert not any(one["not_both"] for one in results["explanations"])
    people = results["scores"]["people"]
    assert people is None if score is None else people >= score


def test_an_item_with_itself_is_the_same(recommender: Recommender, client: TestClient) -> None:
    people = client.get("/explain", params={"left": "p:1", "right": "p:1"}).json()["explanations"][2]
    assert (people["score"], people["same"], people["not_both"]) == (5.0, True, False)
    # of n:1, which names nobody, where nothing says that the type does not apply
    loose = over(recommender.index.collection, replace(SYSTEM, not_applicable={}))  # type: ignore[arg-type]
    one = loose.score("n:1", "n:1").explanations[2]
    assert (one.score, one.same, one.not_both) == (5.0, True, False)
    assert loose.score("n:1", "n:2").explanations[2].score == NOT_BOTH


def test_a_list_that_ends_above_them_is_not_searched_for_who_has_nothing(
    recommender: Recommender, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched, among = [], LocalIndex.among

    def noted(self: LocalIndex, part: slice | None, question: Question, number: int) -> object:
        searched.append(question.types)
        return among(self, part, question, number)

    monkeypatch.setattr(LocalIndex, "among", noted)
    loose = over(recommender.index.collection, replace(SYSTEM, not_applicable={}))  # type: ignore[arg-type]
    types, floor = ("general", "people"), SYSTEM.floor
    results = loose.nearest("n:1", types, 10, floors=floor)
    assert results["general"]
    assert not results["people"]
    assert loose.nearest("n:1", types, 10)["people"]  # down to the lowest score
    loose.nearest("p:1", types, 10, floors=floor)
    assert searched == [("general",), types, types]


def test_a_list_ends_above_them_unless_its_floor_is_off(client: TestClient) -> None:
    def neighbours(**more: object) -> list[tuple[str, float, str]]:
        params = {"type": "people", "explain": True, **more}
        answer = client.get("/items/p:1/similar", params=params).json()  # type: ignore[arg-type]
        return [(one["id"], one["score"], one["reason"]) for one in answer["neighbours"]]

    recommender = over(fitted(RECORDS, DECLARED))
    (near,) = recommender.nearest("p:1", ("people",), 10, floors=SYSTEM.floor)["people"]
    assert near.id == "p:2"
    every = neighbours(floor=0)
    assert [item for item, *_ in every] == ["p:2", "n:1", "n:2", "o:1"]
    assert every[1:] == [("n:1", 2.0, ONE_SIDED), ("n:2", 2.0, ONE_SIDED), ("o:1", 0.5, ONE_SIDED)]


def test_a_list_has_what_shares_something_of_its_type(settings: Settings) -> None:
    params: dict[str, str | bool] = {"type": "people", "explain": True}
    with TestClient(create_app(over(fitted(RECORDS, DECLARED)), settings)) as client:
        answer = client.get("/items/p:1/similar", params=params).json()
        # both are about people, and what both name is no feature of the system
        assert (answer["neighbours"], answer["next"]) == ([], None)
        (note,) = answer["notes"]
        assert note.startswith("no item that fits shares anything of people that can be named")
    named = replace(SYSTEM, regressor=NAMED)
    with TestClient(create_app(over(fitted(RECORDS, DECLARED), named), settings)) as client:
        (near,) = client.get("/items/p:1/similar", params=params).json()["neighbours"]
        assert (near["id"], near["reason"]) == ("p:2", "Both name Tom Hall.")


@pytest.mark.parametrize("diversity", [0.0, 0.3])
def test_a_page_is_filled_from_behind_what_shares_nothing(settings: Settings, diversity: float) -> None:
    # the first two have a longer text in common with the item, and show somebody else; the third shows him
    records = (
        record("p:1", "Portrait of Tom Hall", subject="boats", description="canals and bridges"),
        record("q:1", "Portrait of Ada Reed", subject="boats", description="canals and bridges"),
        record("q:2", "Portrait of Ada Hall", subject="boats", description="canals and bridges"),
        record("p:2", "Tom Hall walking", subject="boats"),
        record("n:1", "View of Venice"),
    )
    recommender = over(fitted(records, DECLARED), replace(SYSTEM, regressor=NAMED))
    # so are the lists of a page of all types
    assert [near.record.id for near in recommender.grouped("p:1", 1)["people"]] == ["p:2"]
    with TestClient(create_app(recommender, settings)) as client:
        params: dict[str, str | float] = {"type": "people", "limit": 1, "diversity": diversity}
        answer = client.get("/items/p:1/similar", params=params).json()
        assert [one["id"] for one in answer["neighbours"]] == ["p:2"]
        assert answer["notes"] == []


def test_so_has_a_list_of_several_items_unless_one_is_not_liked() -> None:
    records = (
        record("p:1", "Portrait of Tom Hall", subject="boats", description="canals and bridges"),
        record("p:2", "Tom Hall walking", subject="boats"),
        record("q:1", "Portrait of Ada Reed", subject="boats", description="canals and bridges"),
        record("q:2", "Portrait of Kit Low", subject="boats", description="canals and bridges"),
        record("n:1", "View of Venice"),
    )
    recommender = over(fitted(records, DECLARED), replace(SYSTEM, regressor=NAMED))

    def listed(**weights: float) -> dict[str, bool]:
        seeds = tuple(WeightedSeed(f"{item}:1", weight) for item, weight in weights.items())
        near = recommender.search(Search(seeds=seeds, type="people", limit=5)).neighbours
        return {one.record.id: one.shares for one in near}

    # the portrait of somebody else is as close to both, by its text
    assert listed(p=1, q=1) == {"p:2": True}
    assert listed(p=1, q=-0.1)["q:2"] is False


def test_it_motivates_no_neighbour_and_no_step(recommender: Recommender) -> None:
    search = Search(seeds=(WeightedSeed("p:1"),), limit=10, floor=0)
    for one in recommender.search(search).neighbours:
        assert one.type != "people" or one.record.id == "p:2"
    (neighbour,) = NeighbourBuilder(
        recommender.collection, recommender.system, Question(seeds=search.seeds, types=("people",))
    ).each([("n:1", "people")])
    assert (neighbour.score, neighbour.reason.text, neighbour.shares) == (NOT_BOTH, ONE_SIDED, False)
    assert neighbour.explanation.score == neighbour.scores["people"] == NOT_BOTH
    assert "people" in {one.type for one in proposals(recommender, "p:1", "p:2")}
    assert "people" not in {one.type for one in proposals(recommender, "p:1", "n:1")}


def test_pages_and_commands_say_it(
    recommender: Recommender,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = client.get("/view/compare", params={"left": "p:1", "right": "n:1", "type": "people"}).text
    assert f"<li>{ONE_SIDED}</li>" in page
    assert "shown as 2.0" in page
    monkeypatch.setattr(composition, "open_recommender", lambda *_: recommender)
    monkeypatch.setattr(sys, "argv", ["kindred", "explain", "p:1", "n:1", "--json"])
    with pytest.raises(SystemExit):
        cli.main()
    printed = json.loads(capsys.readouterr().out)
    assert printed["reasons"]["people"] == ONE_SIDED


WHERE: tuple[SimilarityType, ...] = ("general", "people", "location")
KNOWN = features(place_known={"measure": "known", "of": "location", "combine": "both"})


def random_limited(seed: int, gated: bool) -> System:
    """Weights that bring many scores above 2; people, location and general are limited."""
    numbers = np.random.default_rng(seed)
    names = ("all", "creator", "subject", "years", "location")
    line = Weighted(numbers.uniform(-1, 4, (len(names), 8)), numbers.uniform(0, 3, 8))
    both: dict[SimilarityType, str] = {"people": "people", "location": "place_known", "general": "boats"}
    not_applicable: dict[SimilarityType, str] = {"people": "any_people"} if gated else {}
    needed = (*names, "any_people", "people", "place_known", "boats")
    return System("limited", needed, line, not_applicable, both=both)


BOATS = features(boats={"measure": "presence", "signs": [{"scope": {"lemmas": ["boat"]}, "weight": 0.7}]})
ALL = {**DECLARED, **KNOWN, **BOATS}
SYSTEMS = st.builds(random_limited, st.integers(0, 1000), st.booleans())


@given(random_records(), st.just({}) | changes(), SYSTEMS, st.integers(1, 6), st.data())
def test_every_index_proposes_what_brute_force_finds(
    records: list[Record], live: Changes, system: System, limit: int, data: st.DataObject
) -> None:
    collection = fitted(records, ALL)
    waves = System("wave", system.features, Wave(system.regressor), system.not_applicable, both=system.both)
    for each in (system, waves):
        index = changed(LocalIndex(collection, each), live)
        if not index.collection.ids:
            return
        question = replace(data.draw(questions(index.collection.ids)), types=WHERE)
        results = index.propose(question, limit)
        for kind in WHERE:
            near(results[kind], brute(index.collection, each, question, kind)[:limit])
    memory = MemoryIndex(collection, Estimates(collection, system), system, candidates=1)
    question = replace(data.draw(questions(collection.ids)), types=WHERE)
    for kind, own in memory.propose(question, limit).items():
        expected = brute(collection, system, question, kind)[:limit]
        if own.exact:
            assert [one.id for one in own] == [one.id for one in expected]
            assert [one.bound for one in own] == pytest.approx([one.bound for one in expected], abs=1e-6)


@given(random_records(least=2), SYSTEMS)
def test_every_way_to_a_score_gives_the_same_digits(records: list[Record], system: System) -> None:
    collection = fitted(records, ALL)
    left, right = collection.profile(0), collection.profile(1)
    block = Block([left, right])
    values = collection.pair(block, 0, 1, system.features)
    scores = system.score(values)
    explanations = explain(system, collection.columns, block, (0, 1), OFFICIAL, values)
    question = Question(seeds=(WeightedSeed(collection.ids[0]),), types=OFFICIAL)
    builder = NeighbourBuilder(collection, system, question)
    for at, one in enumerate(explanations):
        (neighbour,) = builder.each([(collection.ids[1], one.type)])
        assert neighbour.scores[one.type] == (None if one.not_applicable else one.score)
        assert neighbour.explanation.not_both == one.not_both
        assert one.score == pytest.approx(scores[at], abs=1e-12)
        if one.not_both:
            assert one.score <= NOT_BOTH
            assert one.raw is not None
            assert one.score == min(max(one.raw, 0.0), NOT_BOTH)
        if not one.not_applicable:
            assert one.base is not None
            assert one.contributions is not None
            total = one.base + sum(part.amount for part in one.contributions)
            assert total == pytest.approx(one.raw, abs=1e-9)


def test_precomputed_neighbours_are_limited_and_know_what_limits(tmp_path: Path) -> None:
    collection = build(tmp_path, items(RECORDS), DECLARED, NONE, revision=1, pipeline="toy")
    opening = lambda: over(collection)  # noqa: E731 - a process would open it
    assert precompute(over(collection), opening, 1).made == OFFICIAL
    known = precomputed.PrecomputedNeighbours(collection, SYSTEM)
    listed = known.of("people", collection.row("p:1"))
    assert listed is not None
    assert [collection.ids[row] for row in listed.rows] == ["p:2", "n:1", "n:2", "o:1"]
    assert listed.scores[1:].tolist() == [2.0, 2.0, 0.5]
    searched = over(collection).nearest("p:1", ("people",), 4)["people"]
    assert listed.scores.tolist() == [one.bound for one in searched]
    free = replace(SYSTEM, both={})
    assert precompute(over(collection, free), opening, 1).made == ("people",)


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        ("both: {people: nope}", "line 2: systems.linear.both: no feature 'nope'"),
        ("both: {peple: years}", "line 2: systems.linear.both.peple"),
        (
            "select: {both: [{people: years}]}",
            "'select' needs candidates, for settings of the regressor only",
        ),
    ],
)
def test_a_row_that_says_it_wrongly_is_refused(tmp_path: Path, row: str, refusal: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"systems:\n  linear: {{{row}}}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load(own)
    assert refusal in refused.value.detail


def test_a_time_is_shared_by_two_dates_or_by_one_hand() -> None:
    declared = load().features
    used = {name: declared[name] for name in needed(("time_both",), declared)}
    reed, french = record("a", "Boat", creator="Ada Reed"), record("b", "Sea", creator="French")
    pairs = [
        (record("c", "Boat", date="1890"), record("d", "Mill", date="1700")),
        (reed, record("e", "Mill", creator="Ada Reed", date="1890")),
        (reed, record("f", "Mill", creator="Tom Hall")),
        (french, record("g", "Mill", creator="French")),
        (reed, record("h", "Mill", date="1890")),
    ]
    both = []
    for left, right in pairs:
        block = Block([profile(left), profile(right)])
        both.append(bool(fitted((left, right), used).pair(block, 0, 1, ["time_both"])[0] > LIKELY))
    # two dates; one hand; two hands; one nation; a maker here, a date there
    assert both == [True, True, False, False, False]
