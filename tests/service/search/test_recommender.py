from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from msgspec import structs

from features.profiles.profile import Profile
from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from models.types import OFFICIAL
from service.search.engines.local.index import LocalIndex
from service.search.queries import Search, WeightedSeed
from service.search.recommender import MOST, Recommender
from tests.builders import BASELINE, RECORDS, fitted, profiles, random_records, random_system, record


class Counted:
    """Analyses with the toy language and remembers what it was asked for."""

    def __init__(self) -> None:
        self.analysed: list[str] = []

    def __call__(self, records: Sequence[Record]) -> list[Profile]:
        self.analysed += [one.id for one in records]
        return profiles(records)


@pytest.fixture
def analyse() -> Counted:
    return Counted()


@pytest.fixture
def recommender(analyse: Counted) -> Recommender:
    return Recommender(LocalIndex(fitted(), BASELINE), BASELINE, analyse)


def test_items(recommender: Recommender) -> None:
    assert recommender.item("t:2") == RECORDS[1]
    assert recommender.holds("t:2")
    assert not recommender.holds("t:9")
    with pytest.raises(UnknownItem):
        recommender.item("t:9")


def test_similar_in_one_way(recommender: Recommender, analyse: Counted) -> None:
    first, *_ = recommender.similar("t:1", "location", 3)
    assert first.record == RECORDS[1]
    assert first.type == "location"
    assert first.score == first.scores["location"] == pytest.approx(5.0)
    assert first.explanation.type == "location"
    assert first.reason.text == "Both concern Venice."
    assert analyse.analysed == []


def test_neighbours_carry_all_eight_scores(recommender: Recommender) -> None:
    neighbours = recommender.similar("t:1", "general", 10)
    assert len(neighbours) == 4
    for near in neighbours:
        pair = recommender.score("t:1", near.record.id)
        assert near.scores == pytest.approx({one.type: one.score for one in pair.explanations})
        assert near.explanation.score == pytest.approx(near.score)


def test_neither_itself_nor_its_duplicate(recommender: Recommender) -> None:
    for kind in OFFICIAL:
        results = [near.record.id for near in recommender.similar("t:1", kind, MOST)]
        assert sorted(results) == ["t:2", "t:3", "t:4", "t:6"]


def test_grouped_is_similar_for_each_type(recommender: Recommender) -> None:
    grouped = recommender.grouped("t:1", 2)
    assert list(grouped) == list(OFFICIAL)
    for kind, neighbours in grouped.items():
        assert neighbours == recommender.similar("t:1", kind, 2)


def test_what_fewer_of_many_items_reach_motivates_more() -> None:
    # beside the first item 140 have its maker, 110 of them its date as well: more than a list ever names
    records = [record("a", "x", creator="Ada Reed", date="1840")]
    records += [
        record(f"b:{n:03}", f"y{n}", creator="Ada Reed", date="1840" if n < 110 else "") for n in range(140)
    ]
    records += [record(f"c:{n:02}", f"z{n}") for n in range(50)]
    recommender = Recommender(LocalIndex(fitted(records), BASELINE), BASELINE, profiles)
    first, *_ = recommender.overview("a", 25)
    assert (first.record.id, first.type) == ("b:000", "time")
    author, time = "author", "time"
    nearest = recommender.nearest("a", (author, time), 100)
    assert {one.tied_rank for one in nearest[author]} == {140}
    assert {one.tied_rank for one in nearest[time]} == {110}


def test_an_overview_names_the_type_that_motivates(recommender: Recommender) -> None:
    overview = recommender.overview("t:4", 3)
    assert overview[0].record == RECORDS[2]
    assert overview[0].type == "people"
    # the other four share no word with it in any scope, or are further off than the limit
    assert len({near.record.id for near in overview}) == len(overview) <= 3
    assert all(near.shares for near in overview)


def test_an_overview_leaves_out_what_shares_nothing(recommender: Recommender) -> None:
    assert "t:6" not in {near.record.id for near in recommender.overview("t:4", MOST)}


@pytest.mark.parametrize("limit", [0, -1, MOST + 1])
def test_limits_have_bounds(recommender: Recommender, limit: int) -> None:
    with pytest.raises(InvalidRequest, match=f"between 1 and 100, not {limit}"):
        recommender.similar("t:1", "time", limit)
    with pytest.raises(InvalidRequest):
        recommender.grouped("t:1", limit)
    with pytest.raises(InvalidRequest):
        recommender.overview("t:1", limit)


def test_an_unknown_item_is_named(recommender: Recommender) -> None:
    with pytest.raises(UnknownItem, match="'t:9'"):
        recommender.similar("t:9", "time", 1)
    with pytest.raises(UnknownItem, match="'t:9'"):
        recommender.grouped("t:9", 1)
    with pytest.raises(UnknownItem, match="'t:9'"):
        recommender.overview("t:9", 1)
    with pytest.raises(UnknownItem, match="'t:9'"):
        recommender.score("t:1", "t:9")


def test_known_items_are_not_analysed_again(recommender: Recommender, analyse: Counted) -> None:
    by_id = recommender.score("t:1", "t:2")
    by_record = recommender.score(RECORDS[0], RECORDS[1])
    assert by_id == by_record
    assert analyse.analysed == []


def test_what_the_collection_lacks_is_analysed(recommender: Recommender, analyse: Counted) -> None:
    changed = record("t:2", "View of Venice", creator="Ada Reed")
    new = record("n:1", "View of Venice", creator="Ada Reed")
    one, two = recommender.score("t:1", changed), recommender.score("t:1", new)
    assert analyse.analysed == ["t:2", "n:1"]
    assert one.right == changed
    assert one.explanations == two.explanations


def test_a_record_without_text_is_refused(recommender: Recommender) -> None:
    for empty in (record("n:1"), record("n:1", " "), record("n:1", places="Bath")):
        with pytest.raises(InvalidRequest, match="six fields"):
            recommender.score("t:1", empty)


def test_a_pair_has_eight_scores_and_reasons(recommender: Recommender) -> None:
    pair = recommender.score("t:1", "t:5")
    assert (pair.left, pair.right) == (RECORDS[0], RECORDS[4])
    assert [one.type for one in pair.explanations] == list(OFFICIAL)
    assert len(pair.reasons) == 8
    scores = dict(zip(OFFICIAL, (one.score for one in pair.explanations), strict=True))
    assert scores["general"] == pytest.approx(5.0)
    # neither has a verb
    assert scores["event"] == 0.0


@given(random_records(least=2))
def test_scores_are_symmetric(records: list[Record]) -> None:
    system = random_system(5)
    recommender = Recommender(LocalIndex(fitted(records), system), system, profiles)
    there, back = recommender.score("r:0", "r:1"), recommender.score("r:1", "r:0")
    assert [one.score for one in there.explanations] == pytest.approx(
        [one.score for one in back.explanations]
    )


def test_a_record_with_itself_is_five_in_every_type_that_it_tells_anything_of(
    recommender: Recommender,
) -> None:
    for other in ("t:1", structs.replace(RECORDS[0], id="elsewhere")):
        pair = recommender.score("t:1", other)
        scores = {one.type: None if one.not_applicable else one.score for one in pair.explanations}
        # t:1 has neither a verb nor a description
        answer = set(OFFICIAL) - {"event", "description"}
        assert {kind for kind, score in scores.items() if score is not None} == answer
        assert {score for score in scores.values() if score is not None} == {5.0}
        for one, why in zip(pair.explanations, pair.reasons, strict=True):
            assert one.contributions == ()
            assert (why.text == "The two records are the same.") == one.same == (one.type in answer)


def test_lists_end_at_the_floor(recommender: Recommender) -> None:
    system = replace(recommender.system, floor={"general": 2.0})
    floored = Recommender(recommender.index, system, recommender.profiles)
    every = recommender.similar("t:1", "general", 10)
    assert 0 < len([one for one in every if one.score >= 2]) < len(every)

    def ids(floor: float | None, kind: str = "general") -> list[str]:
        search = Search(seeds=(WeightedSeed("t:1"),), type=kind, floor=floor)
        return [one.record.id for one in floored.search(search).neighbours]

    assert ids(None) == [one.record.id for one in every if one.score >= 2]
    assert ids(0.0) == [one.record.id for one in every]
    assert ids(5.0) == [one.record.id for one in every if one.score >= 5]
    assert ids(None, "time") == [one.record.id for one in recommender.similar("t:1", "time", 10)]
    assert [one.record.id for one in floored.grouped("t:1", 10)["general"]] == ids(None)
