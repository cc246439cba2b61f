"""What is promised of author and time, held by the weights that are shipped, whatever the features are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from models import artefact
from models.regressors.additive import AdditiveSettings
from models.systems import System
from tests.documents import defaults

VALUES = st.lists(st.floats(0, 1) | st.just(float("nan")), min_size=100, max_size=100)


def shipped(name: str) -> tuple[System, AdditiveSettings]:
    declared = defaults()
    row = declared.system(name)
    assert isinstance(row, AdditiveSettings)
    return artefact.load(name, row, declared.features, (artefact.SHIPPED,), declared.types), row


SYSTEMS = {name: shipped(name) for name in ("kindred",)}


def features(system: System, values: list[float], known: bool, makers: float) -> Doubles:
    """Any values, with what is certain of a pair whose makers are known, or are not on one side."""
    row = np.resize(values, len(system.features))
    for name, value in (("makers", makers), ("makers_known", 1.0)):
        row[system.features.index(name)] = value
    if not known:
        # what is gated by both makers
        for name in system.features:
            if name.endswith("_of_makers"):
                row[system.features.index(name)] = 0.0
    return row[np.newaxis]


@pytest.mark.parametrize("name", SYSTEMS)
@given(one=VALUES, two=VALUES, likeness=st.floats(0, 0.95))
def test_the_same_maker_is_never_below_another(
    name: str, one: list[float], two: list[float], likeness: float
) -> None:
    system, _ = SYSTEMS[name]
    same = system.raw_of(features(system, one, True, 1.0), "author")
    other = system.raw_of(features(system, two, True, likeness), "author")
    assert same[0] >= other[0] - 1e-9


@pytest.mark.parametrize("name", SYSTEMS)
@given(one=VALUES, two=VALUES)
def test_a_maker_on_one_side_only_is_below_the_same_maker_and_the_floor(
    name: str, one: list[float], two: list[float]
) -> None:
    system, row = SYSTEMS[name]
    half = system.raw_of(features(system, one, False, np.nan), "author")[0]
    assert half <= row.unknown + 1e-9 < system.floor["author"]
    assert half < system.raw_of(features(system, two, True, 1.0), "author")[0]


@pytest.mark.parametrize("name", SYSTEMS)
@given(values=VALUES)
def test_a_date_on_one_side_only_is_below_the_floor_and_the_same_year(name: str, values: list[float]) -> None:
    system, row = SYSTEMS[name]
    half, same = (np.resize(values, len(system.features))[np.newaxis].copy() for _ in range(2))
    for feature in row.own["time"]:
        # what is gated by both dates is 0, the rest is not known
        half[0, system.features.index(feature)] = 0.0 if feature.endswith("_of_dates") else np.nan
        same[0, system.features.index(feature)] = 1.0
    below = system.raw_of(half, "time")[0]
    assert below <= row.unknown + 1e-9 < system.floor["time"]
    assert below < 4 < system.raw_of(same, "time")[0]


@pytest.mark.parametrize("name", SYSTEMS)
def test_where_nothing_is_known_on_either_side_nothing_is_said(name: str) -> None:
    system, _ = SYSTEMS[name]
    values = np.full((1, len(system.features)), 1.0)
    for feature in ("makers_known", "dates_known"):
        values[0, system.features.index(feature)] = 0.0
    inapplicable = dict(zip(system.types, system.inapplicable(values)[0].tolist(), strict=True))
    assert [kind for kind, nothing in inapplicable.items() if nothing] == ["author", "time"]
    assert system.score(values)[0, [1, 3]].tolist() == [0.0, 0.0]
