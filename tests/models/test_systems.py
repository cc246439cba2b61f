import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from pydantic import TypeAdapter, ValidationError

from features.arrays import Doubles
from ingest.errors import DamagedArtefact, UnknownType
from models.regressors.linear import LinearSettings, OneSettings, Weighted
from models.regressors.registry import DeclaredSystem
from models.systems import LIKELY, NOT_BOTH, System, fit, untrained
from models.types import OFFICIAL
from tests.builders import random_system

ONE = {kind: f"f{n}" for n, kind in enumerate(OFFICIAL)}
matrices = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 5), st.just(9)), elements=st.floats(0, 1) | st.just(float("nan"))
)


def test_the_eight_types_in_the_official_order() -> None:
    official = "general author people time location event subject description"
    assert list(OFFICIAL) == official.split()


def test_an_unknown_type_lists_those_that_there_are() -> None:
    settings = OneSettings(title="t", regressor="one", one=dict.fromkeys(OFFICIAL, "f"))
    system = untrained("s", settings)
    assert [system.position(kind) for kind in OFFICIAL] == list(range(8))
    with pytest.raises(
        UnknownType, match="'s' has no similarity type 'places'; it has: general, author"
    ) as refused:
        system.position("places")
    assert all(kind in refused.value.detail for kind in OFFICIAL)


def test_the_baseline_is_each_feature_times_5() -> None:
    system = untrained("T0", OneSettings(title="t", regressor="one", one=ONE))
    assert system.features == tuple(ONE.values())
    values = np.linspace(0, 1, 8)[np.newaxis, :]
    assert system.score(values)[0] == pytest.approx(values[0] * 5)


def test_types_may_share_a_feature() -> None:
    settings = OneSettings(title="t", regressor="one", one=dict.fromkeys(OFFICIAL, "f"))
    assert settings.needs == ("f",)
    assert untrained("t", settings).score(np.array([[0.5]])).tolist() == [[2.5] * 8]


def test_the_baseline_takes_its_features_in_the_order_of_the_types() -> None:
    backwards = dict(reversed(ONE.items()))
    assert OneSettings(title="t", regressor="one", one=backwards).needs == tuple(ONE.values())


@pytest.mark.parametrize(
    "wrong",
    [
        {"regressor": "one"},
        {"regressor": "one", "one": {"general": "f"}},
        {"regressor": "one", "one": ONE, "features": ["f"]},
        {"regressor": "linear"},
        {"regressor": "linear", "features": []},
        {"regressor": "linear", "features": ["f"], "one": ONE},
        {"regressor": "linear", "features": ["f", "g", "f"]},
        {"regressor": "forest", "features": ["f"]},
        {"regressor": "linear", "features": ["f"], "missing": 2},
        {"regressor": "linear", "features": ["f"], "bias": 1},
    ],
)
def test_a_system_that_is_none_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(DeclaredSystem).validate_python({"title": "t", **wrong})


def test_no_information_counts_as_the_system_says() -> None:
    weights, base = np.full((1, 8), 4.0), np.zeros(8)
    nothing = np.array([[np.nan]])
    assert System("s", ("f",), Weighted(weights, base, missing=0.0)).score(nothing)[0, 0] == 0.0
    assert System("s", ("f",), Weighted(weights, base, missing=0.5)).score(nothing)[0, 0] == 2.0


@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.3]), matrices)
def test_terms_and_base_are_the_score(seed: int, missing: float, values: Doubles) -> None:
    system = random_system(seed, missing=missing)
    raw = system.raw(values)
    assert system.additive
    assert system.additive.terms(values).sum(axis=1) + system.additive.base == pytest.approx(raw, abs=1e-9)
    assert system.score(values) == pytest.approx(np.clip(raw, 0, 5))
    assert not np.isnan(raw).any()


@pytest.mark.parametrize(("weights", "base"), [((2, 8), (8,)), ((1, 7), (8,)), ((1, 8), (7,)), ((8,), (8,))])
def test_weights_of_another_shape_are_refused(weights: tuple[int, ...], base: tuple[int, ...]) -> None:
    row = LinearSettings(title="t", regressor="linear", features=("f",))
    with pytest.raises(DamagedArtefact, match="do not fit"):
        row.restore({"weights": np.zeros(weights), "base": np.zeros(base)}, OFFICIAL)


def test_a_feature_that_is_not_above_a_value_says_that_there_is_nothing() -> None:
    system = System("s", (), Weighted(np.zeros((0, 8)), np.zeros(8)), applies={"people": 0.5})
    values = np.array([0.0, 0.5, 0.5000001, 0.6, np.nan])
    assert system.lacks("people", values).tolist() == [True, True, True, False, True]


def test_a_feature_says_that_one_item_alone_has_anything() -> None:
    # the sum is 5 times the first feature; the second says how surely both have people
    line = Weighted(np.full((1, 8), 5.0), np.zeros(8))
    system = System("s", ("f", "p"), line, both={"people": "p"})
    values = np.array([[0.9, 0.51], [0.9, LIKELY], [0.9, 0.5000001], [0.9, np.nan], [0.3, 0.0], [-0.2, 0.0]])
    assert system.not_both(values)[:, 2].tolist() == [False, True, True, True, True, True]
    assert not np.delete(system.not_both(values), 2, axis=1).any()
    people = system.score(values)[:, 2].tolist()
    assert people == pytest.approx([4.5, NOT_BOTH, NOT_BOTH, NOT_BOTH, 1.5, 0.0])
    assert system.score(values)[:, 0].tolist() == pytest.approx([4.5, 4.5, 4.5, 4.5, 1.5, 0.0])
    # an item that has nothing has 5 with itself where it has any information
    assert system.identical(np.array([[1.0, 0.0]]))[0, 2] == 5.0


def test_weights_are_learnt_as_without_the_limit() -> None:
    numbers = np.random.default_rng(0)
    values, gold = numbers.random((30, 3)), numbers.random((30, 8)) * 5
    rows = [
        LinearSettings.model_validate({"title": "t", "regressor": "linear", "features": ["f"], **more})
        for more in ({}, {"both": {"people": "q", "time": "p"}})
    ]
    assert [row.needs for row in rows] == [("f",), ("f", "q", "p")]
    assert (rows[1].key("q"), rows[1].learns_from) == ("both", ("f",))
    free, limited = (fit("s", row, values[:, : len(row.needs)], gold) for row in rows)
    assert np.array_equal(free.raw(values[:, :1]), limited.raw(values))
    cut = np.where(values[:, 1] > LIKELY, 5.0, NOT_BOTH)
    assert np.array_equal(limited.score(values)[:, 2], np.minimum(free.score(values[:, :1])[:, 2], cut))
