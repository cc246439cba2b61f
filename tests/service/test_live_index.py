"""A collection with changes on top, against scoring every pair."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.overlay import Living, Put
from features.measures.tfidf import TfidfColumn
from features.profiles.profile import Profile
from ingest.errors import UnknownItem
from ingest.record import Record
from models.systems import System
from models.types import TYPES
from service.facets import Filters, mask, notes
from service.index.exact import ExactIndex, Pace
from service.index.live import LiveIndex
from service.index.local import LocalIndex
from service.index.port import Asked, Found, Index, Query, Seed
from tests.builders import BASELINE, RECORDS, fitted, profile, random_records, random_system, record
from tests.service.test_local_index import brute, near, systems


def put(of: Record) -> Put:
    return Put(of, profile(of))


def living(before: list[Record], after: Mapping[str, Record | None]) -> Living:
    changes = {item: None if new is None else put(new) for item, new in after.items()}
    return Living(fitted(before), changes, 7)


@st.composite
def changed(draw: st.DrawFn) -> Living:
    before = draw(random_records(least=1, most=8))
    drawn = draw(random_records(least=1, most=5))
    names = draw(st.lists(st.sampled_from([f"r:{n}" for n in range(12)] + ["a", "r:", "z"]), unique=True))
    after: dict[str, Record | None] = dict.fromkeys(names)
    for name, new in zip(names, drawn, strict=False):
        if draw(st.booleans()):
            after[name] = replace(new, id=name)
    return living(before, after)


def index(collection: Living, system: System, head: float) -> Index:
    if system.additive is None or not head:
        return LiveIndex(LocalIndex(collection.base, system), collection, system)
    exact = ExactIndex(collection.base, system, system.additive, Pace(head, 1, 1, 1))
    return LiveIndex(exact, collection, system, exact.terms)


@st.composite
def queries(draw: st.DrawFn, items: int) -> Query:
    rows = st.integers(0, items - 1)
    found = draw(st.lists(rows, min_size=1, max_size=3, unique=True))
    weights = [1.0, *(draw(st.sampled_from([1.0, -0.5])) for _ in found[1:])]
    allowed = draw(st.none() | st.lists(st.booleans(), min_size=items, max_size=items))
    return Query(
        tuple(Seed(row, weight) for row, weight in zip(found, weights, strict=True)),
        None if allowed is None else np.array(allowed),
        frozenset(draw(st.lists(rows, max_size=2))),
        type=draw(st.sampled_from(TYPES)),
    )


@given(changed(), systems, st.sampled_from([0.0, 0.3]), st.integers(1, 6), st.data())
def test_nearest_is_what_brute_force_finds(
    collection: Living, system: System, head: float, limit: int, data: st.DataObject
) -> None:
    if not len(collection):
        return
    query = data.draw(queries(len(collection)))
    asked, expected = index(collection, system, head), brute(collection, system, query)
    near(asked.nearest(query, limit), expected[:limit])
    near(asked.nearest_of_each(query, limit)[query.type], expected[:limit])
    page, after = list[Found](), None
    while found := asked.nearest(query, limit, after):
        page, after = page + found, found[-1]
    near(page, expected)


@given(changed(), systems, st.data())
def test_it_answers_as_an_index_over_the_living_items_does(
    collection: Living, system: System, data: st.DataObject
) -> None:
    if not len(collection):
        return
    asked = Asked((Seed(data.draw(st.integers(0, len(collection) - 1))),))
    every, merged = LocalIndex(collection, system), index(collection, system, 0.3)
    near([f for f, _ in merged.motivated(asked, 4)], [f for f, _ in every.motivated(asked, 4)])


@given(changed(), st.data())
def test_rows_are_items_in_the_order_of_their_ids(collection: Living, data: st.DataObject) -> None:
    ids = list(collection.ids)
    assert ids == sorted(ids)
    assert [collection.record(row).id for row in range(len(collection))] == ids
    assert [collection.row(item) for item in ids] == list(range(len(ids)))
    hashes = [collection.record(row).fields_hash for row in range(len(collection))]
    groups = collection.duplicates.tolist()
    assert len(set(zip(hashes, groups, strict=True))) == len(set(hashes)) == len(set(groups))
    if not ids:
        return
    names = list(collection.manifest.features)
    row = data.draw(st.integers(0, len(ids) - 1))
    some = np.array(data.draw(st.lists(st.integers(0, len(ids) - 1), min_size=1)), dtype=np.intp)
    values = collection.pairs(row, some, names)
    for other, found in zip(some.tolist(), values, strict=True):
        pair = collection.pair(collection.profile(row), collection.profile(other), names)
        assert found == pytest.approx(pair, abs=1e-12, nan_ok=True)
    for name, every in collection.compare_row(row, names).items():
        assert np.array_equal(every[some], values[:, names.index(name)], equal_nan=True)


@given(changed(), st.sampled_from(["Venice", "canals", "Harrow"]), st.integers(1800, 1900))
def test_filters_are_those_of_the_living_items(collection: Living, place: str, year: int) -> None:
    over, anew = collection.facets, fitted_again(collection).facets
    for filters in (Filters(place=(place,)), Filters(first=year), Filters(last=year), Filters(image=False)):
        mine, theirs = mask(over, filters), mask(anew, filters)
        assert mine is not None
        assert theirs is not None
        assert mine.tolist() == theirs.tolist()
        assert notes(over, filters) == notes(anew, filters)


def fitted_again(collection: Living) -> Living:
    records = [collection.record(row) for row in range(len(collection))]
    return living(records, {})


def test_what_is_gone_is_unknown_and_what_is_new_is_found() -> None:
    found = living(list(RECORDS), {"t:1": None, "t:3": record("t:3", "A boat"), "t:7": record("t:7", "Bath")})
    with pytest.raises(UnknownItem, match="6 items"):
        found.row("t:1")
    assert found.record(found.row("t:3")).label == "A boat"
    assert found.record(found.row("t:7")).label == "Bath"
    assert (found.manifest.items, found.manifest.revision) == (6, 7)


def test_a_random_system_with_a_replaced_seed() -> None:
    found = living(list(RECORDS), {"t:2": record("t:2", "Boats sailing in Venice", date="1845")})
    system = random_system(3)
    for base in (BASELINE, system):
        for kind in TYPES:
            query = Query((Seed(1),), type=kind)
            near(index(found, base, 0.3).nearest(query, 3), brute(found, base, query)[:3])


def test_each_of_many_items_that_were_put_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Profile] = []

    def see(column: TfidfColumn, of: Profile) -> object:
        looked.append(of)
        return original(column, of)

    original = TfidfColumn._see
    monkeypatch.setattr(TfidfColumn, "_see", see)
    new = {f"t:{n}": record(f"t:{n}", f"Boat {n}") for n in range(7, 607)}
    collection = living(list(RECORDS), new)
    for row in (0, 1, 2):
        collection.compare_row(row, ["all"])
    assert len(looked) == len(new)
