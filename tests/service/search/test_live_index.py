"""An overlay answers all that a collection answers, of the items there are now."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from features.collection.collection import Built, Collection
from features.collection.delta import Delta, PutItem
from features.measures.base import ROUNDING
from features.measures.tfidf import TfidfColumn, Vectors
from features.profiles.blocks import Block
from ingest.errors import UnknownItem
from ingest.record import Record, encode
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import Question
from service.search.facets import Filters, mask, notes
from service.search.queries import WeightedSeed
from tests.builders import RECORDS, features, fitted, profile, random_records, record
from tests.features.measures.columns import mapped
from tests.service.search.test_local_index import Changes, changed, changes

PLAIN = features(years={"measure": "years", "reading": "covered"}, names={"measure": "names"})
"""Features without statistics of a collection: fitted anew they are the same."""


def over(base: Built, changes: Changes) -> Delta:
    put = {item: None if new is None else PutItem(new, profile(new)) for item, new in changes.items()}
    return Delta(base, put, 7)


overlays = st.builds(lambda records, changes: over(fitted(records), changes), random_records(), changes())


def anew(now: Collection) -> Built:
    """A collection of the items there are now, fitted to them."""
    return fitted(now.record(row) for row in range(len(now)))


@given(overlays)
def test_rows_are_those_of_a_collection_of_the_items_there_are_now(now: Delta) -> None:
    other = anew(now)
    assert list(now.ids) == list(other.ids) == sorted(now.ids)
    assert (len(now), now.manifest.items, now.manifest.revision) == (len(other), len(other), 7)
    for row, item in enumerate(now.ids):
        assert now.row(item) == row
        assert now.record(row) == other.record(row)
        assert now.record_bytes(row) == other.record_bytes(row) == encode(now.record(row))
        assert now.profile(row) == other.profile(row)
        assert now.profile_bytes(row) == other.profile_bytes(row)
    for one in range(len(now)):
        same = now.duplicates == now.duplicates[one]
        assert same.tolist() == (other.duplicates == other.duplicates[one]).tolist()


@given(overlays, st.data())
def test_features_are_those_of_the_pairs(now: Delta, data: st.DataObject) -> None:
    if not len(now):
        return
    names = list(now.manifest.features)
    rows = st.integers(0, len(now) - 1)
    row, some = data.draw(rows), np.array(data.draw(st.lists(rows)), np.intp)
    every, query = Block([now.profile(each) for each in range(len(now))]), now.query(row)
    pairs = np.array([now.pair(every, row, other, names) for other in range(len(now))])
    whole = now.compare(query, names)
    assert list(whole) == names
    assert np.column_stack(list(whole.values())) == pytest.approx(pairs, abs=1e-9, nan_ok=True)
    assert now.pairs(query, some, names) == pytest.approx(pairs[some], abs=1e-9, nan_ok=True)
    for name, values in zip(names, mapped(now, query, names), strict=True):
        assert values == pytest.approx(whole[name], abs=ROUNDING, nan_ok=True)


@given(random_records(), changes(), st.data())
def test_without_statistics_answers_are_those_of_a_build(
    records: list[Record], changes: Changes, data: st.DataObject
) -> None:
    system = System("plain", tuple(PLAIN), Weighted(np.array([[2.0] * 8, [3.0] * 8]), np.zeros(8)))
    live = changed(LocalIndex(fitted(records, PLAIN), system), changes)
    if not live.collection.ids:
        return
    now = live.collection
    built = LocalIndex(fitted((now.record(row) for row in range(len(now))), PLAIN), system)
    question = Question(seeds=(WeightedSeed(data.draw(st.sampled_from(list(now.ids)))),), types=OFFICIAL)
    assert live.propose(question, 5) == built.propose(question, 5)


@given(overlays, st.sampled_from(["Venice", "canals", "Harrow"]), st.integers(1800, 1900))
def test_filters_are_those_of_the_items_there_are_now(now: Delta, place: str, year: int) -> None:
    over, other = now.facets, anew(now).facets
    for filters in (Filters(place=(place,)), Filters(first=year), Filters(last=year), Filters(image=False)):
        mine, theirs = mask(over, filters), mask(other, filters)
        assert mine is not None
        assert theirs is not None
        assert mine.tolist() == theirs.tolist()
        assert notes(over, filters) == notes(other, filters)


def test_what_is_gone_is_unknown_and_what_is_new_is_found() -> None:
    now = over(
        fitted(), {"t:1": None, "t:3": record("t:3", "A boat"), "t:7": record("t:7", "Bath"), "t:8": None}
    )
    with pytest.raises(UnknownItem, match="6 items"):
        now.row("t:1")
    assert now.record(now.row("t:3")).label == "A boat"
    assert now.record(now.row("t:7")).label == "Bath"
    assert (now.manifest.items, now.manifest.revision) == (6, 7)


def test_items_that_were_put_are_read_once_and_compared_together(monkeypatch: pytest.MonkeyPatch) -> None:
    read, compared = list[int](), list[int]()
    reading, comparing = TfidfColumn.read, TfidfColumn.compare

    def counted_read(column: TfidfColumn, block: Block) -> Vectors:
        read.append(len(block))
        return reading(column, block)

    def counted_compare(column: TfidfColumn, query: Vectors, table: Vectors) -> Doubles:
        compared.append(len(table))
        return comparing(column, query, table)

    monkeypatch.setattr(TfidfColumn, "read", counted_read)
    monkeypatch.setattr(TfidfColumn, "compare", counted_compare)
    now = over(fitted(), {f"u:{n}": record(f"u:{n}", f"Boat {n}") for n in range(600)})
    for item in ("t:1", "u:7", "t:2"):
        assert len(now.compare(now.query(now.row(item)), ["all"])["all"]) == len(RECORDS) + 600
    assert read == [600]
    assert sorted(compared) == 3 * [len(RECORDS)] + 3 * [600]
