from itertools import pairwise
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.collection import Collection
from ingest.record import Record
from models.regressors.linear import Weighted
from models.systems import System
from models.types import TYPES, SimilarityType
from service.index.local import LocalIndex
from tests.builders import BASELINE, RECORDS, fitted, random_records, random_system, record

systems = st.just(BASELINE) | st.builds(
    random_system, st.integers(0, 1000), missing=st.sampled_from([0.0, 0.4])
)
limits = st.integers(1, 10)


def brute(collection: Collection, system: System, row: int, kind: SimilarityType, limit: int) -> list[int]:
    """The same answer pair by pair: score down, ties by id."""
    mine, own = collection.profile(row), collection.record(row).fields_hash
    scored = []
    for other in range(len(collection)):
        if collection.record(other).fields_hash != own:
            values = collection.pair(mine, collection.profile(other), system.features)
            raw = system.raw(values)[kind.position]
            scored.append((-round(float(raw), 9), collection.ids[other], other))
    return [other for *_, other in sorted(scored)[:limit]]


@given(random_records(), systems, limits, st.data())
def test_nearest_is_what_brute_force_finds(
    records: list[Record], system: System, limit: int, data: st.DataObject
) -> None:
    collection = fitted(records)
    row = data.draw(st.integers(0, len(records) - 1))
    index = LocalIndex(collection, system)
    each = index.nearest_of_each(row, limit)
    assert list(each) == list(TYPES)
    for kind in TYPES:
        expected = brute(collection, system, row, kind, limit)
        assert index.nearest(row, kind, limit) == expected
        assert each[kind] == expected


@given(random_records(), systems, limits)
def test_never_itself_nor_an_exact_duplicate(records: list[Record], system: System, limit: int) -> None:
    collection = fitted(records)
    index = LocalIndex(collection, system)
    for row in range(len(records)):
        own = collection.record(row).fields_hash
        others = sum(record.fields_hash != own for record in records)
        for kind in TYPES:
            found = index.nearest(row, kind, limit)
            assert len(found) == len(set(found)) == min(limit, others)
            assert all(collection.record(other).fields_hash != own for other in found)
        motivated = [other for other, _ in index.motivated(row, limit)]
        assert len(motivated) == len(set(motivated)) == min(limit, others)
        assert all(collection.record(other).fields_hash != own for other in motivated)


def test_more_than_fit_the_scale_still_have_an_order() -> None:
    # years 0, 1, 2 and 3 apart: 1, .9, .8 and .7, all beyond 5 when weighed with 20
    collection = fitted([record(f"r:{n}", f"title {n}", date=str(1840 + n)) for n in range(4)])
    system = System("big", ("years",), Weighted(np.full((1, 8), 20.0), np.zeros(8)))
    assert LocalIndex(collection, system).nearest(0, SimilarityType.TIME, 3) == [1, 2, 3]


def test_ties_go_by_id() -> None:
    collection = fitted([record(id_, f"title {id_}", date="1840") for id_ in ("b", "a", "d", "c")])
    found = LocalIndex(collection, random_system(1, ("years",))).nearest(2, SimilarityType.TIME, 2)
    assert [collection.ids[row] for row in found] == ["a", "b"]


def test_an_item_alone_has_no_neighbours() -> None:
    index = LocalIndex(fitted([record("a", "x")]), BASELINE)
    assert index.nearest(0, SimilarityType.GENERAL, 5) == []
    assert index.motivated(0, 5) == []
    assert set(map(tuple, index.nearest_of_each(0, 5).values())) == {()}


def test_a_type_without_weights_ranks_by_id() -> None:
    collection = fitted()
    system = System("none", ("all",), Weighted(np.zeros((1, 8)), np.zeros(8)))
    assert LocalIndex(collection, system).nearest(0, SimilarityType.EVENT, 3) == [1, 2, 3]


def test_what_few_items_reach_motivates_more() -> None:
    # ten views share the place with the first; only one of them shares its year
    views = [
        record(f"v:{n:02}", f"Venice {n}", date="1700" if n in (0, 7) else f"19{n:02}") for n in range(10)
    ]
    collection = fitted([*views, *(record(f"w:{n}", f"word{n}") for n in range(5))])
    first, kind = LocalIndex(collection, BASELINE).motivated(0, 3)[0]
    assert (collection.ids[first], kind) == ("v:07", SimilarityType.TIME)


@pytest.mark.parametrize("system", [BASELINE, random_system(4)], ids=["T0", "linear"])
def test_the_score_it_ranks_by_is_the_pair_score(system: System) -> None:
    collection = fitted()
    for kind in TYPES:
        found = LocalIndex(collection, system).nearest(0, kind, len(RECORDS))
        ours = collection.profile(0)
        raw = [
            system.raw(collection.pair(ours, collection.profile(row), system.features))[kind.position]
            for row in found
        ]
        assert all(a > b or isclose(a, b, abs_tol=2e-9) for a, b in pairwise(raw))
