from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.selections import ScopeReader
from features.profiles.profile import Profile
from features.research.measures.cardinality import CardinalityBuilder, CardinalityColumn, CardinalitySettings
from tests.builders import NONE, bag_profile, text_profile
from tests.features.measures.columns import Tried, bag, fitted_arrays, tried
from tests.features.research.toy_vectors import TOY

SETTINGS = CardinalitySettings(measure="cardinality")
WORDS = ["sea", "ocean", "horse", "against", "unheard", "unknown", "!"]
bags = st.lists(st.sampled_from(WORDS), max_size=6).map(bag_profile)
collections = st.lists(bags, min_size=1, max_size=6)
rows = st.builds(lambda p: CardinalitySettings(measure="cardinality", p=p), st.sampled_from([1.0, 2.0, 3.0]))


def column(profiles: list[Profile], settings: CardinalitySettings = SETTINGS) -> Tried:
    reader = ScopeReader(settings.scope, NONE)
    arrays = fitted_arrays(CardinalityBuilder(settings, reader, TOY), profiles)
    return Tried(CardinalityColumn(settings, reader, arrays, TOY))


def test_equations_5_2_and_5_3() -> None:
    # sim: sea-ocean .6, ocean-horse .8, sea-horse 0; p = 2: .36, .64, 0
    # |{sea, ocean}| = 2 / 1.36 = 1.4706; |{horse}| = 1
    # union: sea 1 / 1.36 + ocean 1 / (1 + .36 + .64) + horse 1 / 1.64 = .7353 + .5 + .6098 = 1.8451
    # SSC = 2 (1.4706 + 1 - 1.8451) / 2.4706 = .5064
    # {sea} with {sea, ocean}: union = 1.4706, SSC = 2 x 1 / 2.4706 = .8095
    items = [text_profile(text) for text in ("sea ocean", "horse", "sea sea", "unheard")]
    soft = column(items)
    expected = [1.0, 0.5064, 0.8095, 0.0]
    assert soft.compare(items[0]) == pytest.approx(expected, abs=5e-5)
    assert [soft.pair(items[0], item) for item in items] == pytest.approx(expected, abs=5e-5)


def test_without_likeness_it_is_the_dice_coefficient_of_the_words() -> None:
    # {unheard, unknown} and {unheard, sea}: 2 x 1 / (2 + 2)
    left, right = text_profile("unheard unknown"), text_profile("unheard sea")
    assert column([left, right]).pair(left, right) == pytest.approx(0.5)


def test_evidence_names_the_words_that_are_alike() -> None:
    left, right = text_profile("unheard ocean"), text_profile("horse unheard")
    results = column([left, right]).evidence(left, right)
    # the same word 1, ocean and horse .64
    assert [(one.left[0].term, one.right[0].term) for one in results] == [
        ("unheard", "unheard"),
        ("ocean", "horse"),
    ]
    assert [one.share for one in results] == pytest.approx([1 / 1.64, 0.64 / 1.64])


def by_the_formula(words: set[str], p: float) -> float:
    """Equation 5.2 as it stands."""
    terms = sorted(words)
    units = TOY.units(TOY.rows(terms)).astype(np.float64)
    similar = np.maximum(units @ units.T, 0.0) ** p
    np.fill_diagonal(similar, 1.0)
    return float((1.0 / similar.sum(axis=1)).sum())


@given(collections, bags, rows)
def test_the_values_of_all_rows_are_the_formula_s(
    items: list[Profile], query: Profile, settings: CardinalitySettings
) -> None:
    soft = column(items, settings)
    expected = []
    for item in items:
        a, b = set(bag(query, settings.scope)), set(bag(item, settings.scope))
        if a and b:
            one, two, union = (by_the_formula(words, settings.p) for words in (a, b, a | b))
            expected.append(min(1.0, max(0.0, 2 * (one + two - union) / (one + two))))
        else:
            expected.append(float("nan"))
    assert soft.promises(items, query) == pytest.approx(expected, nan_ok=True, abs=1e-5)
    own = soft.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query, settings.scope) else isnan(own)


def test_with_the_vectors_that_come_with_kindred() -> None:
    items = [text_profile(text) for text in ("church tower", "cathedral steeple", "trumpet player")]
    scores = tried(items, SETTINGS).compare(items[0])
    assert scores[0] == pytest.approx(1.0)
    assert scores[1] > scores[2] > 0.0
