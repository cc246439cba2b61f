import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from models.regressors.base import SystemSettings
from models.regressors.linear import LinearSettings, OneSettings, Weighted
from models.systems import fit as fit_system
from models.types import OFFICIAL

LINEAR = LinearSettings(title="t", regressor="linear", features=("f", "g"))


def fit(name: str, settings: SystemSettings, values: Doubles, gold: Doubles) -> Weighted:
    system = fit_system(name, settings, values, gold)
    assert isinstance(system.regressor, Weighted)
    return system.regressor


@given(st.integers(0, 10_000))
def test_the_plane_that_made_the_gold_is_found(seed: int) -> None:
    numbers = np.random.default_rng(seed)
    values = numbers.random((12, 2))
    weights, base = numbers.normal(size=(2, 8)), numbers.normal(size=8)
    system = fit("t", LINEAR, values, values @ weights + base)
    assert system.weights == pytest.approx(weights, abs=1e-7)
    assert system.base == pytest.approx(base, abs=1e-7)


def test_the_least_squares_line_by_hand() -> None:
    # points (0, 1), (1, 2), (2, 6): slope = 5/2, mean 3 at 1, so intercept 1/2
    gold = np.repeat([[1.0], [2.0], [6.0]], 8, axis=1)
    one = LinearSettings(title="t", regressor="linear", features=("f",))
    system = fit("t", one, np.array([[0.0], [1.0], [2.0]]), gold)
    assert system.weights == pytest.approx(np.full((1, 8), 2.5))
    assert system.base == pytest.approx(np.full(8, 0.5))


def test_every_type_has_a_line_of_its_own() -> None:
    values = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    gold = np.outer(values[:, 0], np.arange(8.0))
    system = fit("t", LINEAR, values, gold)
    assert system.weights[0] == pytest.approx(np.arange(8.0), abs=1e-12)
    assert system.weights[1] == pytest.approx(np.zeros(8), abs=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.5])
def test_no_information_is_learnt_as_it_will_be_scored(missing: float) -> None:
    settings = LinearSettings(title="t", regressor="linear", features=("f",), missing=missing)
    gold = np.repeat([[1.0], [2.0], [3.0]], 8, axis=1)
    learnt = fit("t", settings, np.array([[np.nan], [0.2], [1.0]]), gold)
    same = fit("t", settings, np.array([[missing], [0.2], [1.0]]), gold)
    assert learnt.missing == missing
    assert np.array_equal(learnt.weights, same.weights)
    assert np.array_equal(learnt.base, same.base)


def test_a_system_with_nothing_to_learn_comes_back_as_declared() -> None:
    settings = OneSettings(title="t", regressor="one", one=dict.fromkeys(OFFICIAL, "f"))
    system = fit("t", settings, np.array([[0.1]]), np.zeros((1, 8)))
    assert system.weights.tolist() == [[5.0] * 8]
    assert system.base.tolist() == [0.0] * 8


def test_a_feature_that_never_varies_does_no_harm() -> None:
    values = np.array([[0.0, 0.5], [1.0, 0.5], [0.5, 0.5]])
    gold = np.repeat(values[:, :1] * 4, 8, axis=1)
    assert fit("t", LINEAR, values, gold).raw(values) == pytest.approx(gold)
