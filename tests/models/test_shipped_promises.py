"""What is promised of types with facts, held by the weights that are shipped, whatever the features are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from models import artefact
from models.systems import LIKELY, NOT_BOTH, System
from tests.documents import defaults

VALUES = st.lists(st.floats(0, 1) | st.just(float("nan")), min_size=100, max_size=100)


def shipped(name: str) -> System:
    declared = defaults()
    row = declared.system(name)
    return artefact.load(name, row, declared.features, (artefact.SHIPPED,), declared.types)


KINDRED = shipped("kindred")
TYPES = sorted(KINDRED.both)


def features(values: list[float], certain: dict[str, float]) -> Doubles:
    """Any values, with what is certain of a pair."""
    row = np.resize(values, len(KINDRED.features))
    for name, value in certain.items():
        row[KINDRED.features.index(name)] = value
    return row[np.newaxis]


def test_who_where_when_what_and_whose_work_need_a_fact_on_both_sides() -> None:
    assert TYPES == ["author", "event", "location", "people", "time"]


@pytest.mark.parametrize("kind", TYPES)
@given(values=VALUES, both=st.floats(0, LIKELY) | st.just(float("nan")))
def test_what_one_side_alone_has_is_below_every_list(kind: str, values: list[float], both: float) -> None:
    certain = {KINDRED.not_applicable[kind]: 1.0, KINDRED.both[kind]: both}
    score = KINDRED.score(features(values, certain))[0, KINDRED.position(kind)]
    assert score <= NOT_BOTH < KINDRED.floor[kind]


@pytest.mark.parametrize("kind", TYPES)
@given(values=VALUES)
def test_where_nothing_is_known_on_either_side_nothing_is_said(kind: str, values: list[float]) -> None:
    row = features(values, {KINDRED.not_applicable[kind]: KINDRED.applies.get(kind, 0.0)})
    assert KINDRED.inapplicable(row)[0, KINDRED.position(kind)]
    assert KINDRED.score(row)[0, KINDRED.position(kind)] == 0.0
