from itertools import pairwise
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.collection.collection import Collection
from ingest.record import Record
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL, SimilarityType
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Query, Seed
from tests.builders import BASELINE, RECORDS, fitted, random_records, random_system, record

systems = st.just(BASELINE) | st.builds(
    random_system, st.integers(0, 1000), missing=st.sampled_from([0.0, 0.4])
)
limits = st.integers(1, 10)


def one(row: int, kind: SimilarityType) -> Query:
    return Query((Seed(row),), type=kind)


def rows(found: list[Found]) -> list[int]:
    return [near.row for near in found]


def brute(collection: Collection, system: System, query: Query) -> list[Found]:
    """The same answer pair by pair, whole: what the port promises, word by word."""
    given, groups = [], collection.duplicates.tolist()
    shunned = {groups[row] for row in (*query.without, *(seed.row for seed in query.seeds))}
    for other in range(len(collection)):
        if groups[other] in shunned or not (query.allowed is None or query.allowed[other]):
            continue
        shunned.add(groups[other])
        score = brute_score(collection, system, query, other)
        if score is not None:
            given.append((-round(score, 9), collection.ids[other], other))
    return [Found(other, -score) for score, _, other in sorted(given)]


def brute_score(collection: Collection, system: System, query: Query, other: int) -> float | None:
    total, something = 0.0, False
    for seed in query.seeds:
        ours, theirs = collection.profile(seed.row), collection.profile(other)
        values = collection.pair(ours, theirs, system.features)
        silent = system.silent(values)[system.position(query.type)]
        total += seed.weight * (0.0 if silent else float(system.raw(values)[system.position(query.type)]))
        something |= seed.weight > 0 and not silent
    return total / sum(abs(seed.weight) for seed in query.seeds) if something else None


def near(found: list[Found], expected: list[Found]) -> None:
    """The same rows; the same scores, but for the order in which the terms of a sum are added."""
    assert rows(found) == rows(expected)
    assert [one.score for one in found] == pytest.approx([one.score for one in expected], abs=2e-9)


@given(random_records(), systems, limits, st.data())
def test_nearest_is_what_brute_force_finds(
    records: list[Record], system: System, limit: int, data: st.DataObject
) -> None:
    collection = fitted(records)
    row = data.draw(st.integers(0, len(records) - 1))
    index = LocalIndex(collection, system)
    each = index.nearest_of_each(Asked((Seed(row),)), limit)
    assert list(each) == list(OFFICIAL)
    for kind in OFFICIAL:
        expected = brute(collection, system, one(row, kind))[:limit]
        near(index.nearest(one(row, kind), limit), expected)
        near(each[kind], expected)


@st.composite
def queries(draw: st.DrawFn, items: int) -> Query:
    """Seeds of either sign, at least one of them wanted; a mask; rows that are left out."""
    chosen = draw(st.lists(st.integers(0, items - 1), min_size=1, max_size=3, unique=True))
    weights = draw(
        st.lists(st.sampled_from([1.0, 2.0, 0.5, -1.0, -0.5]), min_size=len(chosen), max_size=len(chosen))
    )
    seeds = (Seed(chosen[0]), *map(Seed, chosen[1:], weights[1:]))
    mask = draw(st.none() | st.lists(st.booleans(), min_size=items, max_size=items).map(np.array))
    without = draw(st.frozensets(st.integers(0, items - 1), max_size=2))
    return Query(seeds, mask, without, type=draw(st.sampled_from(OFFICIAL)))


@given(random_records(least=2), st.integers(0, 1000), limits, st.data())
def test_seeds_masks_and_pages_are_what_brute_force_finds(
    records: list[Record], seed: int, limit: int, data: st.DataObject
) -> None:
    collection, system = fitted(records), with_nothing(seed)
    query = data.draw(queries(len(records)))
    index, expected = LocalIndex(collection, system), brute(collection, system, query)
    near(index.nearest(query, len(records)), expected)
    near(index.nearest_of_each(query, limit)[query.type], expected[:limit])
    allowed = {one.row for one in expected}
    assert {found.row for found, kind in index.motivated(query, limit) if kind == query.type} <= allowed
    pages: list[Found] = []
    while page := index.nearest(query, limit, pages[-1] if pages else None):
        pages += page
    assert pages == index.nearest(query, len(records))


def with_nothing(seed: int) -> System:
    """A random system for which there may be nothing of location to compare."""
    system = random_system(seed)
    return System(system.name, system.features, system.regressor, {"location": "location"})


def test_one_seed_counts_whole_whatever_its_weight() -> None:
    index = LocalIndex(fitted(), BASELINE)
    for weight in (0.1, 3.0):
        query = Query((Seed(0, weight),), type="location")
        assert index.nearest(query, 3) == index.nearest(one(0, "location"), 3)


def test_a_negative_seed_takes_away() -> None:
    collection = fitted(
        [
            record("a", "x", creator="Ada Reed", date="1840"),
            record("b", "y", creator="Tom Hall", date="1840"),
            record("c", "z", creator="Ada Reed", date="1840"),
            record("d", "q", creator="Tom Hall", date="1840"),
        ]
    )
    index, kind = LocalIndex(collection, BASELINE), "author"
    assert index.nearest(Query((Seed(0), Seed(1)), type=kind), 2) == [Found(2, 2.5), Found(3, 2.5)]
    assert index.nearest(Query((Seed(0), Seed(1, -1.0)), type=kind), 2) == [Found(2, 2.5), Found(3, -2.5)]


def test_a_place_in_the_order_needs_no_item() -> None:
    # an item that was there when the cursor was made, and is there no more
    index, query = LocalIndex(fitted(), BASELINE), one(0, "location")
    whole = index.nearest(query, 9)
    between = Found(whole[0].row, (whole[0].score + whole[1].score) / 2)
    assert index.nearest(query, 9, between) == whole[1:]
    assert index.nearest(query, 9, Found(-1, whole[0].score)) == whole


@given(random_records(), systems, limits)
def test_never_itself_nor_an_exact_duplicate(records: list[Record], system: System, limit: int) -> None:
    collection = fitted(records)
    index = LocalIndex(collection, system)
    for row in range(len(records)):
        own = collection.record(row).fields_hash
        others = {record.fields_hash for record in records} - {own}
        for kind in OFFICIAL:
            found = rows(index.nearest(one(row, kind), limit))
            assert len(found) == len(set(found)) == min(limit, len(others))
            assert {collection.record(other).fields_hash for other in found} <= others
            assert len({collection.record(other).fields_hash for other in found}) == len(found)
        motivated = [other.row for other, _ in index.motivated(Asked((Seed(row),)), limit)]
        assert len(motivated) == len(set(motivated)) == min(limit, len(others))
        assert {collection.record(other).fields_hash for other in motivated} <= others


def test_of_duplicates_the_first_that_is_allowed_is_given() -> None:
    # t:1 and t:5 are duplicates of each other
    index, query = LocalIndex(fitted(), BASELINE), one(1, "location")
    assert [row for row in rows(index.nearest(query, 9)) if row in (0, 4)] == [0]
    mask = np.array([False, True, True, True, True, True])
    allowed = Query(query.seeds, mask, type=query.type)
    assert [row for row in rows(index.nearest(allowed, 9)) if row in (0, 4)] == [4]
    without = Query(query.seeds, None, frozenset({4}), type=query.type)
    assert not {0, 4} & set(rows(index.nearest(without, 9)))


def test_more_than_fit_the_scale_still_have_an_order() -> None:
    # years 0, 1, 2 and 3 apart: 1, .9, .8 and .7, all beyond 5 when weighed with 20
    collection = fitted([record(f"r:{n}", f"title {n}", date=str(1840 + n)) for n in range(4)])
    system = System("big", ("years",), Weighted(np.full((1, 8), 20.0), np.zeros(8)))
    found = LocalIndex(collection, system).nearest(one(0, "time"), 3)
    assert rows(found) == [1, 2, 3]


def test_ties_go_by_id() -> None:
    collection = fitted([record(id_, f"title {id_}", date="1840") for id_ in ("b", "a", "d", "c")])
    index = LocalIndex(collection, random_system(1, ("years",)))
    found = index.nearest(one(2, "time"), 2)
    assert [collection.ids[near.row] for near in found] == ["a", "b"]


def test_an_item_alone_has_no_neighbours() -> None:
    index = LocalIndex(fitted([record("a", "x")]), BASELINE)
    assert index.nearest(one(0, "general"), 5) == []
    assert index.motivated(Asked((Seed(0),)), 5) == []
    assert set(map(tuple, index.nearest_of_each(Asked((Seed(0),)), 5).values())) == {()}


def test_a_type_without_weights_ranks_by_id() -> None:
    collection = fitted()
    system = System("none", ("all",), Weighted(np.zeros((1, 8)), np.zeros(8)))
    assert rows(LocalIndex(collection, system).nearest(one(0, "event"), 3)) == [1, 2, 3]


def test_what_few_items_reach_motivates_more() -> None:
    # ten views share the place with the first; only one of them shares its year
    views = [
        record(f"v:{n:02}", f"Venice {n}", date="1700" if n in (0, 7) else f"19{n:02}") for n in range(10)
    ]
    collection = fitted([*views, *(record(f"w:{n}", f"word{n}") for n in range(5))])
    first, kind = LocalIndex(collection, BASELINE).motivated(Asked((Seed(0),)), 3)[0]
    assert (collection.ids[first.row], kind) == ("v:07", "time")


@pytest.mark.parametrize("system", [BASELINE, random_system(4)], ids=["T0", "linear"])
def test_the_score_it_ranks_by_is_the_pair_score(system: System) -> None:
    collection = fitted()
    for kind in OFFICIAL:
        found = LocalIndex(collection, system).nearest(one(0, kind), len(RECORDS))
        ours = collection.profile(0)
        raw = [
            system.raw(collection.pair(ours, collection.profile(one.row), system.features))[
                OFFICIAL.index(kind)
            ]
            for one in found
        ]
        assert [one.score for one in found] == pytest.approx(raw, abs=2e-9)
        assert all(a > b or isclose(a, b, abs_tol=2e-9) for a, b in pairwise(raw))
