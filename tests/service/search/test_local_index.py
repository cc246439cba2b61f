"""The embedded index, with live changes and without, against scoring every pair."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed_to

from features.collection.collection import Collection
from features.collection.delta import PutItem
from features.profiles.blocks import Block
from ingest.errors import UnknownItem
from ingest.record import Record
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL, SimilarityType
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import ProposedItem, Question
from service.search.engines.ranking import motivated
from service.search.facets import Filters
from service.search.queries import WeightedSeed
from tests.builders import BASELINE, RECORDS, fitted, profile, random_records, random_system, record


def with_nothing(seed: int, missing: float = 0.0) -> System:
    """A random system for which there may be nothing of location to compare."""
    system = random_system(seed, missing=missing)
    return System(system.name, system.features, system.regressor, {"location": "location"})


systems = st.just(BASELINE) | st.builds(
    with_nothing, st.integers(0, 1000), missing=st.sampled_from([0.0, 0.4])
)
limits = st.integers(1, 10)
Changes = Mapping[str, Record | None]


def changed(index: LocalIndex, changes: Changes) -> LocalIndex:
    """The index with changes on top; None is an item that is deleted."""
    index.put([PutItem(new, profile(new)) for new in changes.values() if new is not None], 7)
    index.delete([item for item, new in changes.items() if new is None], 7)
    return index


@st.composite
def changes(draw: st.DrawFn) -> Changes:
    """Items that are put, replaced and deleted, of random records and of none."""
    names = draw(st.lists(st.sampled_from([f"r:{n}" for n in range(12)] + ["a", "r:", "z"]), unique=True))
    new = draw(random_records(least=len(names), most=len(names)))
    return {
        name: changed_to(one, id=name) if draw(st.booleans()) else None
        for name, one in zip(names, new, strict=True)
    }


def question_of(item: str, *types: SimilarityType) -> Question:
    return Question(seeds=(WeightedSeed(item),), types=types or OFFICIAL)


@st.composite
def questions(draw: st.DrawFn, ids: Iterable[str]) -> Question:
    """Seeds of either sign, at least one of them wanted; filters, and items that are left out."""
    items = st.sampled_from(list(ids))
    chosen = draw(st.lists(items, min_size=1, max_size=3, unique=True))
    weights = [draw(st.sampled_from([1.0, 2.0, 0.5, -1.0, -0.5])) for _ in chosen[1:]]
    return Question(
        seeds=tuple(map(WeightedSeed, chosen, [1.0, *weights])),
        types=OFFICIAL,
        filters=draw(st.sampled_from([Filters(), Filters(), Filters(place=("Venice",)), Filters(last=1845)])),
        without=draw(st.frozensets(items, max_size=2)),
        among=draw(st.none() | st.frozensets(items)),
    )


def fits(of: Record, filters: Filters) -> bool:
    dating = [value for value in profile(of).values if value.periods and value.part != "places"]
    answer = [value for value in dating if value.part == "date"] or dating
    years = [period.first for value in answer for period in value.periods]
    named = [one.text for value in profile(of).values for one in value.mentions if one.kind == "location"]
    places = {*named, *(value.text for value in of.places)}
    return (filters.last is None or any(year <= filters.last for year in years)) and (
        not filters.place or bool(places & set(filters.place))
    )


def brute(
    collection: Collection, system: System, question: Question, kind: SimilarityType
) -> list[ProposedItem]:
    """The same answer pair by pair, whole: what the port promises, word by word."""
    records = {item: collection.record(collection.row(item)) for item in collection.ids}
    shunned = {records[item].fields_hash for item in (*question.without, *(s.id for s in question.seeds))}
    scores: dict[str, float] = {}
    for item, one in records.items():
        allowed = question.among is None or item in question.among
        if one.fields_hash in shunned or not allowed or not fits(one, question.filters):
            continue
        shunned.add(one.fields_hash)
        score = brute_score(collection, system, question, kind, item)
        if score is not None:
            scores[item] = round(score, 6)
    order = sorted(scores, key=lambda item: (-scores[item], item))
    return [
        ProposedItem(item, scores[item], sum(s >= scores[item] for s in scores.values())) for item in order
    ]


def brute_score(
    collection: Collection, system: System, question: Question, kind: SimilarityType, item: str
) -> float | None:
    total, something = 0.0, False
    for seed in question.seeds:
        block = Block([collection.profile(collection.row(one)) for one in (seed.id, item)])
        values = collection.pair(block, 0, 1, system.features)
        inapplicable = system.inapplicable(values)[system.position(kind)]
        raw = system.limited(system.raw(values), values)[system.position(kind)]
        total += seed.weight * (0.0 if inapplicable else float(raw))
        something |= seed.weight > 0 and not inapplicable
    return total / sum(abs(seed.weight) for seed in question.seeds) if something else None


def near(results: list[ProposedItem], expected: list[ProposedItem]) -> None:
    """The same, but for the order in which the terms of a sum are added."""
    assert [(one.id, one.tied_rank) for one in results] == [(one.id, one.tied_rank) for one in expected]
    assert [one.bound for one in results] == pytest.approx([one.bound for one in expected], abs=1e-6)


@given(random_records(), st.just({}) | changes(), systems, limits, st.data())
def test_it_proposes_what_brute_force_finds(
    records: list[Record], changes: Changes, system: System, limit: int, data: st.DataObject
) -> None:
    index = changed(LocalIndex(fitted(records), system), changes)
    if not index.collection.ids:
        return
    question = data.draw(questions(index.collection.ids))
    results = index.propose(question, limit)
    assert list(results) == list(OFFICIAL)
    for kind in OFFICIAL:
        near(results[kind], brute(index.collection, system, question, kind)[:limit])
    kind = data.draw(st.sampled_from(OFFICIAL))
    alone = replace(question, types=(kind,))
    assert index.propose(alone, limit) == {kind: results[kind]}
    pages: list[ProposedItem] = []
    while page := index.propose(replace(alone, after=pages[-1] if pages else None), limit)[kind]:
        pages += page
    assert {kind: pages} == index.propose(alone, len(index.collection))
    # what scores less than a floor may be left out, and nothing else
    floor = data.draw(st.sampled_from([0.0, 2.0, *(one.bound for one in results[kind])]))
    high = index.propose(replace(alone, floors={kind: floor}), limit)[kind]
    assert high.down_to(floor) == results[kind].down_to(floor)
    assert all(one.bound > floor - 0.001 for one in high)


@given(random_records(), systems, limits)
def test_never_itself_nor_an_exact_duplicate(records: list[Record], system: System, limit: int) -> None:
    index, hashes = LocalIndex(fitted(records), system), {one.id: one.fields_hash for one in records}
    for item, own in hashes.items():
        others = {*hashes.values()} - {own}
        nearest = index.propose(question_of(item), limit)
        once = [hashes[one] for one, _ in motivated(nearest, len(hashes), limit)]
        assert set(once) <= others
        assert len(once) == len(set(once)) == min(limit, len(others))
        for kind, results in nearest.items():
            near = [hashes[one.id] for one in results]
            assert own not in near
            assert len(set(near)) == len(near)
            if kind not in system.not_applicable:
                assert len(near) == min(limit, len(others))


def test_one_seed_counts_whole_whatever_its_weight() -> None:
    index, question = LocalIndex(fitted(), BASELINE), question_of("t:1")
    for weight in (0.1, 3.0):
        assert index.propose(replace(question, seeds=(WeightedSeed("t:1", weight),)), 3) == index.propose(
            question, 3
        )


def test_a_negative_seed_takes_away() -> None:
    made = {"a": "Ada Reed", "b": "Tom Hall", "c": "Ada Reed", "d": "Tom Hall"}
    collection = fitted([record(item, f"x{item}", creator=name) for item, name in made.items()])
    index, kind = LocalIndex(collection, BASELINE), "author"

    def proposed(weight: float) -> list[ProposedItem]:
        question = Question(seeds=(WeightedSeed("a"), WeightedSeed("b", weight)), types=(kind,))
        return index.propose(question, 2)[kind]

    # 5 for a same maker, 0 for another, halved: of the two seeds each counts half
    assert proposed(1.0) == [ProposedItem("c", 2.5, 2), ProposedItem("d", 2.5, 2)]
    assert proposed(-1.0) == [ProposedItem("c", 2.5, 1), ProposedItem("d", -2.5, 2)]


def test_a_place_in_the_order_needs_no_item() -> None:
    # an item that was there when the cursor was made, and is there no more
    index, kind = LocalIndex(fitted(), BASELINE), "location"
    question = question_of("t:1", kind)
    whole = index.propose(question, 9)[kind]
    between = ProposedItem("t:4.5", (whole[0].bound + whole[1].bound) / 2)
    assert index.propose(replace(question, after=between), 9)[kind] == whole[1:]
    assert index.propose(replace(question, after=ProposedItem("", whole[0].bound)), 9)[kind] == whole


def test_of_duplicates_the_first_that_is_allowed_is_given() -> None:
    # t:1 and t:5 are duplicates of each other
    index, question = LocalIndex(fitted(), BASELINE), question_of("t:2", "location")

    def twins(question: Question) -> set[str]:
        (results,) = index.propose(question, 9).values()
        return {"t:1", "t:5"} & {one.id for one in results}

    assert twins(question) == {"t:1"}
    assert twins(replace(question, among=frozenset({"t:3", "t:5"}))) == {"t:5"}
    assert twins(replace(question, without=frozenset({"t:5"}))) == set()


def test_more_than_fit_the_scale_still_have_an_order() -> None:
    # years 0, 1, 2 and 3 apart: 1, .9, .8 and .7, all beyond 5 when weighed with 20
    collection = fitted([record(f"r:{n}", f"title {n}", date=str(1840 + n)) for n in range(4)])
    system = System("big", ("years",), Weighted(np.full((1, 8), 20.0), np.zeros(8)))
    results = LocalIndex(collection, system).propose(question_of("r:0", "time"), 3)
    assert [one.id for one in results["time"]] == ["r:1", "r:2", "r:3"]


def test_ties_at_6_decimals_go_by_id() -> None:
    # b is 1 year from c, a and d are 2: .9 and .8, which weighed with 1e-6 round to the same 6 decimals
    dates = {"a": "1842", "b": "1841", "c": "1840", "d": "1842"}
    collection = fitted([record(item, f"title {item}", date=year) for item, year in dates.items()])
    for weight, order in ((1.0, ["b", "a", "d"]), (1e-6, ["a", "b", "d"])):
        system = System("s", ("years",), Weighted(np.full((1, 8), weight), np.zeros(8)))
        results = LocalIndex(collection, system).propose(question_of("c", "time"), 3)
        assert [one.id for one in results["time"]] == order


def test_an_item_alone_has_no_neighbours() -> None:
    index = LocalIndex(fitted([record("a", "x")]), BASELINE)
    assert index.propose(question_of("a"), 5) == {kind: [] for kind in OFFICIAL}


def test_a_type_without_weights_ranks_by_id() -> None:
    system = System("none", ("all",), Weighted(np.zeros((1, 8)), np.zeros(8)))
    results = LocalIndex(fitted(), system).propose(question_of("t:1", "event"), 3)
    assert [one.id for one in results["event"]] == ["t:2", "t:3", "t:4"]


def test_what_is_not_there_is_unknown() -> None:
    index = LocalIndex(fitted(), BASELINE)
    for question in (question_of("t:9"), replace(question_of("t:1"), without=frozenset({"t:9"}))):
        with pytest.raises(UnknownItem, match="t:9"):
            index.propose(question, 1)


def test_changes_are_seen_by_the_next_question() -> None:
    index, question = LocalIndex(fitted(), BASELINE), question_of("t:1", "location")

    def state() -> tuple[int, int, list[str]]:
        nearest = [one.id for one in index.propose(question, 1)["location"]]
        return len(index.collection), index.collection.manifest.revision, nearest

    assert state() == (len(RECORDS), 0, ["t:2"])
    new = record("s", "Sailing to Venice")
    index.put([PutItem(new, profile(new))], 1)
    assert state() == (len(RECORDS) + 1, 1, ["s"])
    index.delete(["s"], 2)
    assert state() == (len(RECORDS), 2, ["t:2"])
