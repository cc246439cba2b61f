"""Divisions: no record in two folds, no provider of a pair in what its model was trained on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.fitting import fitting, folds, labels, predict, provider, unseen
from evaluation.pooled import carry_over
from ingest.errors import PairsError
from ingest.record import Record, values
from models.regressors.linear import LinearSettings
from service.sections import ProviderRule

IDS = st.lists(
    st.tuples(st.integers(0, 40).map(str), st.integers(0, 40).map(str)), min_size=2, max_size=60
).filter(lambda ids: len(set(labels(ids))) >= 2)


@given(IDS, st.integers(2, 10), st.integers(0, 5))
def test_folds_never_split_a_record(ids: list[tuple[str, str]], number: int, seed: int) -> None:
    number = min(number, len(set(labels(ids))))
    divisions = folds(labels(ids), number, seed)
    assert len(divisions) == number
    assert sorted(row for division in divisions for row in division.test) == list(range(len(ids)))
    for _, train, test in divisions:
        assert len(test) > 0
        assert sorted([*train, *test]) == list(range(len(ids)))
        assert not {r for row in train for r in ids[row]} & {r for row in test for r in ids[row]}


@given(IDS)
def test_groups_are_connected_and_whole(ids: list[tuple[str, str]]) -> None:
    group = labels(ids)
    for rows in [np.flatnonzero(group == number) for number in set(group)]:
        reached, before = set(ids[rows[0]]), 0
        while len(reached) != before:
            before = len(reached)
            reached |= {r for pair in ids if reached & set(pair) for r in pair}
        assert {r for row in rows for r in ids[row]} == reached


def test_folds_are_balanced_and_fixed_by_the_seed() -> None:
    ids = [(f"a{n}", f"b{n}") for n in range(95)] + [("x", f"y{n}") for n in range(5)]
    sizes = [len(division.test) for division in folds(labels(ids), 10, 7)]
    assert sizes == [10] * 10
    assert _tests(ids, 7) == _tests(ids, 7)
    assert _tests(ids, 7) != _tests(ids, 8)


def _tests(ids: list[tuple[str, str]], seed: int) -> list[list[int]]:
    return [division.test.tolist() for division in folds(labels(ids), 10, seed)]


def test_too_few_groups_are_refused() -> None:
    with pytest.raises(PairsError, match="3 pairs make only 1 groups"):
        folds(labels([("a", "b"), ("b", "c"), ("c", "d")]), 2, 0)


@given(st.lists(st.tuples(*[st.sampled_from("abcde")] * 2), min_size=1, max_size=60))
def test_unseen_never_trains_on_a_touched_provider(providers: list[tuple[str, str]]) -> None:
    try:
        divisions = unseen(providers)
    except PairsError as refused:
        assert "no pair is left" in refused.detail  # noqa: PT017 - either is right, by the pairs drawn
        assert any(all(set(a) & set(b) for b in providers) for a in providers)
        return
    assert sorted(row for division in divisions for row in division.test) == list(range(len(providers)))
    for _, train, test in divisions:
        touched = {name for row in test for name in providers[row]}
        assert len(touched) <= 2
        assert not touched & {name for row in train for name in providers[row]}
        assert len(train) == sum(not set(pair) & touched for pair in providers)


def test_the_first_rule_that_fits_names_the_provider() -> None:
    rules = (
        ProviderRule(name="docks", prefix="port:", source="Saltmouth Docks"),
        ProviderRule(name="port", prefix="port:"),
        ProviderRule(name="any docks", prefix="", source="Docks"),
    )
    docks = values("Shelf 3", "Port Archive — Saltmouth Docks")
    assert provider(Record(id="port:8", source=docks), rules) == "docks"
    assert provider(Record(id="port:7", source=values("Port Archive")), rules) == "port"
    assert provider(Record(id="port:6"), rules) == "port"
    assert provider(Record(id="mus:1", source=docks), rules) == "any docks"
    assert provider(Record(id="mus:1:2"), rules) == "mus"


def test_a_model_sees_no_gold_of_what_it_scores() -> None:
    rng = np.random.default_rng(5)
    ids = [(f"a{n}", f"b{n}") for n in range(30)]
    features, gold = rng.uniform(0, 1, (30, 3)), rng.uniform(0, 5, (30, 8))
    settings = LinearSettings(title="demo", regressor="linear", features=("a", "b", "c"))
    group = labels(ids)
    divisions = folds(group, 5, 0)
    before = predict(
        fitting("demo", settings), features, gold, group, divisions, 0, np.zeros(len(gold), bool)
    ).scores
    other = gold.copy()
    other[divisions[0].test] = 5 - other[divisions[0].test]
    after = predict(
        fitting("demo", settings), features, other, group, divisions, 0, np.zeros(len(gold), bool)
    ).scores
    assert np.array_equal(before[divisions[0].test], after[divisions[0].test])
    assert not np.array_equal(before[divisions[1].test], after[divisions[1].test])
    assert not np.isnan(before).any()


def test_what_carries_over_is_taken_within_providers() -> None:
    # a: scores fall as gold rises (r = -1), 1 too high on average; b: r = 1, .5 too low;
    # the mixed pair counts nowhere
    gold = np.repeat([[1.0], [2.0], [3.0], [1.0], [2.0], [4.0], [0.0]], 8, axis=1)
    scores = np.repeat([[4.0], [3.0], [2.0], [0.5], [1.5], [3.5], [5.0]], 8, axis=1)
    providers = [("a", "a")] * 3 + [("b", "b")] * 3 + [("a", "b")]
    carried = carry_over(gold, scores, providers)
    assert carried.providers == pytest.approx({"a": -1, "b": 1})
    assert carried.within == pytest.approx(0)
    assert carried.bias == pytest.approx((1 + 0.5) / 2)
    gold[:3, 2:] = 2.0  # no spread in six types of a: they are left out
    assert carry_over(gold, scores, providers).providers["a"] == pytest.approx(-1)


def test_nothing_within_any_provider_is_no_figure() -> None:
    carried = carry_over(np.ones((1, 8)), np.ones((1, 8)), [("a", "b")])
    assert np.isnan(carried.within)
    assert np.isnan(carried.bias)
