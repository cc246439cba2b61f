"""What every measure promises, derived ones included, on random collections."""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.arrays import Doubles
from features.collection import row_groups
from features.collection.collection import Built, Query, pair_values
from features.collection.delta import Delta, PutItem
from features.knowledge.resources import Resources
from features.measures.base import ROUNDING, AnyColumn, Column
from features.profiles.blocks import Block
from features.profiles.profile import Profile
from features.research.measures.walk import SizedWords
from ingest.record import Record
from tests.builders import random_records, record
from tests.environment import tries
from tests.features.measures.columns import mapped, query_of
from tests.measured import DECLARED, KINDS, NAMES, collection_of, rows_of, seen, toy_resources

slow = tries(25)

NOT_1_WITH_ITSELF: Final = {
    "overlap_3": "how much is shared at all",
    "walk_2": "a word outside the graph is 0 to every word",
    "about_2": "1 only where nothing else is near",
    "sentences_2": "1 only where nothing else is near",
    "presence": "presence",
    "known": "presence",
    "known_2": "presence",
    "facts": "presence",
    "facts_2": "0 where nothing is predicted",
    "places": "another item of the same country is as near",
    "places_2": "another item of the same country is as near",
    "gated": "as far as there is anything",
    "gated_2": "as far as there is anything",
    "gated_3": "as far as there is nothing",
    "strongest": "a factor below 1",
}
"""What the docstrings of these measures say of an item with itself."""

DIRECTIONAL: Final = {
    "common_text_3": "over the length of the first text",
    "ngrams_3": "over the grams of the first text",
}
"""Examples whose value changes with the order of two items, as their docstrings say."""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    return toy_resources(tmp_path_factory.mktemp("toy"))


def test_a_measure_without_an_example_is_asked_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KINDS[0], "EXAMPLES", ())
    with pytest.raises(AssertionError, match=f"{KINDS[0].__name__} has no EXAMPLES"):
        rows_of(KINDS[0])


def matrix(values: dict[str, Doubles]) -> Doubles:
    """float64[rows, features]."""
    return np.array([values[name] for name in NAMES]).T


def same(ours: Doubles, theirs: Doubles) -> None:
    """Whether values are equal to 1e-9; tells of which features they are not."""
    close = np.isclose(ours, theirs, rtol=0, atol=1e-9, equal_nan=True).reshape(-1, len(NAMES))
    assert [NAMES[n] for n in np.flatnonzero(~close.all(axis=0))] == []


def of_pairs(built: Built, profiles: Sequence[Profile]) -> Doubles:
    """The values of all pairs of profiles, float64[profiles, profiles, features]."""
    size = range(len(profiles))
    block = Block(profiles)
    values = pair_values(built.columns, DECLARED, block, [(a, b) for a in size for b in size], NAMES)
    return values.reshape(len(size), len(size), len(NAMES))


def columns(built: Built) -> dict[str, AnyColumn]:
    """The columns that are not made of others."""
    return {name: column for name, column in built.columns.items() if isinstance(column, Column)}


@slow
@given(data=st.data(), records=random_records(least=2, most=12))
def test_an_item_has_the_same_values_however_it_is_held(
    toy: Resources, data: st.DataObject, records: list[Record]
) -> None:
    built = collection_of(records, toy)
    profiles = [built.profile(row) for row in range(len(built))]
    row = data.draw(st.integers(0, len(built) - 1))
    expected = of_pairs(built, profiles)[row]
    same(matrix(built.compare(built.query(row), NAMES)), expected)
    same(matrix(built.compare(query_of(profiles[row]), NAMES)), expected)
    others = data.draw(st.permutations(profiles))
    among = Query(Block([seen(record("x", "an unheard Word")), *others, profiles[row]]), len(others) + 1)
    same(matrix(built.compare(among, NAMES)), expected)
    # the same records put anew: the statistics stay, and rows of the block stand among stored ones
    put = data.draw(st.sets(st.sampled_from([one.id for one in records])))
    delta = Delta(built, {one.id: PutItem(one, seen(one)) for one in records if one.id in put}, 2)
    same(matrix(delta.compare(delta.query(row), NAMES)), expected)
    same(delta.pair(Block(profiles), row, 0, NAMES), expected[0])


@slow
@given(records=random_records(least=2, most=8), new=random_records(least=1, most=4))
def test_a_new_item_has_the_same_values_however_it_is_held(
    toy: Resources, records: list[Record], new: list[Record]
) -> None:
    built = collection_of(records, toy)
    others = [seen(one) for one in new]
    values = of_pairs(built, [built.profile(row) for row in range(len(built))] + others)
    named = [replace(one, id=f"x:{n}") for n, one in enumerate(new)]
    delta = Delta(built, {one.id: PutItem(one, seen(one)) for one in named}, 2)
    for n, profile in enumerate(others):
        expected = values[len(built) + n]
        same(matrix(built.compare(query_of(profile), NAMES)), expected[: len(built)])
        # ids "x:..." come after "r:...": the rows of the overlay are in the order of the values
        same(matrix(delta.compare(delta.query(len(built) + n), NAMES)), expected)


@slow
@given(records=random_records(least=2, most=8), new=random_records(least=1, most=3))
def test_values_are_symmetric_in_range_and_nan_where_a_side_is_not_informed(
    toy: Resources, records: list[Record], new: list[Record]
) -> None:
    built = collection_of(records, toy)
    profiles = [*(built.profile(row) for row in range(len(built))), *map(seen, new), Profile(())]
    values = of_pairs(built, profiles)
    symmetric = [name not in DIRECTIONAL for name in NAMES]
    same(np.where(symmetric, values, 0.0), np.where(symmetric, values.swapaxes(0, 1), 0.0))
    assert ((values >= 0) & (values <= 1) | np.isnan(values)).all()
    block = Block(profiles)
    for name, column in columns(built).items():
        informed = column.informed(column.of(block))
        unknown = np.isnan(values[..., NAMES.index(name)])
        assert np.array_equal(unknown, ~np.logical_and.outer(informed, informed)), name
    # of an item without text nothing is known, but that nothing is
    known = {name: own for name, own in zip(NAMES, values[-1, -1], strict=True) if not np.isnan(own)}
    assert known == {"known": 0, "known_2": 0}


@slow
@given(records=random_records(least=1, most=8))
def test_an_item_is_1_with_itself(toy: Resources, records: list[Record]) -> None:
    built = collection_of(records, toy)
    own = of_pairs(built, [built.profile(row) for row in range(len(built))]).diagonal().T
    for name, values in zip(NAMES, own.T, strict=True):
        if name not in NOT_1_WITH_ITSELF:
            assert values == pytest.approx(np.where(np.isnan(values), np.nan, 1), nan_ok=True), name


@slow
@given(data=st.data(), records=random_records(least=2, most=12))
def test_some_rows_have_the_values_of_all(toy: Resources, data: st.DataObject, records: list[Record]) -> None:
    built = collection_of(records, toy)
    put = data.draw(st.sets(st.sampled_from([one.id for one in records])))
    unheard = record("x", "Venice boating by Ada Reed")
    changes = {one.id: PutItem(one, seen(one)) for one in (*records, unheard) if one.id in {*put, "x"}}
    row = data.draw(st.integers(0, len(built) - 1))
    some = st.lists(st.integers(0, len(built) - 1), max_size=6)
    for collection in (built, Delta(built, changes, 2)):
        rows = np.array(data.draw(some), np.intp)
        for query in (collection.query(row), query_of(seen(record("y", "boats of Troy", date="1850")))):
            every = matrix(collection.compare(query, NAMES))
            same(collection.pairs(query, rows, NAMES), every[rows])
            searched = mapped(collection, query, NAMES).T
            assert searched == pytest.approx(every, abs=ROUNDING, nan_ok=True)


@slow
@given(records=random_records(least=2, most=8))
def test_rows_have_the_same_key_where_they_are_the_same(toy: Resources, records: list[Record]) -> None:
    built = collection_of(records, toy)
    for name, column in columns(built).items():
        table, keys = column.table, column.table.keys()
        rows = [
            tuple(
                array.tobytes()
                for part, array in table.row(row).arrays().items()
                if part not in (*table.SHARED, "starts")
            )
            for row in range(len(table))
        ]
        for one in range(len(table)):
            for two in range(one):
                assert (rows[one] == rows[two]) == np.array_equal(keys[one], keys[two]), name


def test_a_word_and_a_count_that_are_one_number_do_not_cancel_out() -> None:
    # Two lists with one word each, whose number is the number of all words. The keys of two arrays, each
    # hashed from the same seed and joined by XOR, are equal for all such rows: h(3) ^ h(3) = h(5) ^ h(5) = 0;
    # search would then give the values of one to all. Sizes are stirred into the key of the words instead.
    starts, numbers = np.array([0, 1, 2, 3]), np.array([3, 5, 3], np.int32)
    keys = SizedWords(starts, numbers, numbers).keys()
    assert (keys[0] != keys[1]).all()
    assert (keys[0] == keys[2]).all()
    # nor is it the same how often an equal word counts
    assert (SizedWords(starts, numbers, np.array([3, 5, 4], np.int32)).keys()[2] != keys[0]).all()


def test_row_groups_give_the_values_of_the_whole(toy: Resources) -> None:
    # long enough that products are taken in blocks, and that vocabularies, makers and years differ
    draw = np.random.default_rng(7)
    words = ["boat", "ship", "vessel", "church", "Venice", "Gondola", "Troy", "of", *map(str, range(40))]
    records = [
        record(
            f"m:{number:05}",
            " ".join(draw.choice(words, draw.integers(0, 12))),
            creator=f"Hall, {'ABCDEFGH'[number % 8]}da|Workshop of Tom Reed" if number % 3 else "",
            date=str(1700 + number % 240) if number % 5 else "",
        )
        for number in range(2100)
    ]
    many = collection_of(records, toy)
    keys = {name: column.table.keys() for name, column in columns(many).items()}
    groups = {name: row_groups.groups_of(keys[name]) for name in ("names", "intervals", "tfidf")}
    # eight makers and none; of 240 years the four fifths that are given, and none; texts are seldom the same
    sizes = {name: len(own.first) if own else None for name, own in groups.items()}
    assert sizes == {"names": 9, "intervals": 193, "tfidf": None}
    away = query_of(seen(record("x", "Venice boating by Ada Reed", creator="Hall, Tom", date="1850")))
    for query in (*map(many.query, (0, 1, 1024, 2099)), away):
        every = matrix(many.compare(query, NAMES))
        searched = mapped(many, query, NAMES).T
        assert searched == pytest.approx(every, abs=ROUNDING, nan_ok=True)
        for size in (1, 3, 37, 1500):
            rows = np.sort(draw.choice(len(many), size, replace=False))
            same(many.pairs(query, rows, NAMES), every[rows])


def test_a_row_is_compared_without_its_profile(toy: Resources, monkeypatch: pytest.MonkeyPatch) -> None:
    built = collection_of([record("a", "boat of Venice", date="1840"), record("b", "ship")], toy)
    monkeypatch.setattr(Built, "profile_bytes", lambda *_: pytest.fail("a profile was read"))
    assert built.compare(built.query(0), NAMES).keys() == DECLARED.keys()


@slow
@given(records=random_records(least=2, most=8))
def test_evidence_is_the_same_from_columns_and_from_profiles(toy: Resources, records: list[Record]) -> None:
    built = collection_of(records, toy)
    rows = np.arange(len(built))
    stored, read = built.block(rows), Block([built.profile(row) for row in rows.tolist()])
    for column in built.columns.values():
        for left, right in product(rows.tolist(), rows.tolist()):
            if column.value(read, left, right) > 0:
                ours, theirs = (column.evidence(block, left, right) for block in (stored, read))
                # of equally strong pieces either may come first
                assert [one.share for one in ours] == pytest.approx([one.share for one in theirs])


def test_pairs_of_no_features_or_no_rows(toy: Resources) -> None:
    built = collection_of([record("a", "boat"), record("b", "ship")], toy)
    assert built.pairs(built.query(0), np.array([0, 1]), []).shape == (2, 0)
    assert built.pairs(built.query(0), np.array([], np.intp), ["tfidf", "cardinality"]).shape == (0, 2)
    with pytest.raises(KeyError):
        built.pairs(built.query(0), np.array([0]), ["unheard"])
