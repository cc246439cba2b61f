"""The Cube: the best of several measures of words, with a threshold and levels."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.selections import ScopeReader
from features.profiles.profile import Profile
from features.research.measures.cube import (
    VARIANTS,
    CubeColumn,
    CubeLayer,
    CubeSettings,
    Layers,
    Variant,
    parted,
)
from features.research.measures.mihalcea import MihalceaBuilder
from features.research.numbers import NumberSimilarity
from features.research.word_layers import ClusterSimilarity
from features.research.word_measures import WordMeasure
from features.research.word_vectors import VectorSimilarity
from tests.builders import NONE, bag_profile, text_profile
from tests.features.measures.columns import Tried, fitted_arrays
from tests.features.research.toy_vectors import TOY

WORDS = ["sea", "ocean", "horse", "against", "unheard", "10", "8", "!"]
bags = st.lists(st.sampled_from(WORDS), max_size=5).map(bag_profile)


def column(profiles: list[Profile], layers: list[CubeLayer], **settings: object) -> Tried:
    """The Cube over toy vectors, numbers and clusters."""
    row = CubeSettings.model_validate({"measure": "cube", "layers": layers, "weights": "none", **settings})
    reader = ScopeReader(row.scope, NONE)
    measures: dict[str, WordMeasure] = {
        "vectors": VectorSimilarity(TOY),
        "numbers": NumberSimilarity(),
        "clusters": ClusterSimilarity({"sea": 1, "ocean": 1, "horse": 2}),
    }
    own = Layers(row.layers, [measures[layer.word] for layer in row.layers])
    return Tried(CubeColumn(row, reader, fitted_arrays(MihalceaBuilder(reader), profiles), own))


VECTORS = CubeLayer(word="vectors", weight=0.5, power=2.0)
NUMBERS = CubeLayer(word="numbers", weight=0.9)


def test_the_best_layer_counts_bent_and_weighted() -> None:
    # sea and ocean .6 by vectors: .5 x .36 = .18; 10 and 8 as numbers .8: .9 x .8 = .72; nothing across
    left, right = text_profile("sea 10"), text_profile("ocean 8")
    assert column([left, right], [VECTORS, NUMBERS]).pair(left, right) == pytest.approx((0.18 + 0.72) / 2)


def test_a_lower_layer_counts_where_no_other_says_anything() -> None:
    # between 10 and 8 the numbers speak, weighted to .1; the lower layer speaks of sea and ocean alone
    numbers = CubeLayer(word="numbers", weight=0.1)
    lower = CubeLayer(word="vectors", lower=True)
    left, right = text_profile("sea 10"), text_profile("ocean 8")
    assert column([left, right], [numbers, lower]).pair(left, right) == pytest.approx((0.6 + 0.08) / 2)


def test_a_threshold_takes_from_the_score_what_is_far_below_it() -> None:
    # best of sea .6 and of horse 0, at .5, and of ocean .6: positives .6 of 1; horse lies .5 below
    left, right = text_profile("sea unheard"), text_profile("ocean")
    layers = [CubeLayer(word="vectors")]
    expected = {"convert": 1.2 / 3, "positives": 0.6, "negatives": 0.0, "proportional": 0.6 - 0.5}
    for variant, score in expected.items():
        cube = column([left, right], layers, threshold=0.5, variant=variant)
        assert cube.pair(left, right) == pytest.approx(score), variant


def test_words_of_one_cluster_are_one() -> None:
    left, right = text_profile("sea"), text_profile("ocean")
    clusters = column([left, right], [CubeLayer(word="clusters", weight=0.4)])
    assert clusters.pair(left, right) in (pytest.approx(0.4), pytest.approx(0.0))
    assert clusters.pair(left, left) == 1


def test_a_layer_stands_once() -> None:
    with pytest.raises(ValueError, match="name each once"):
        CubeSettings.model_validate({"measure": "cube", "layers": [{"word": "wup"}, {"word": "wup"}]})


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(0.1, 5)), min_size=1, max_size=6),
    st.floats(0, 1),
    st.sampled_from(VARIANTS),
)
def test_every_variant_stays_in_range(
    words: list[tuple[float, float]], threshold: float, variant: Variant
) -> None:
    best, weights = np.array(words).T
    assert 0 <= parted(best, weights, threshold, variant) <= 1


@given(bags, bags, st.sampled_from(["none", "convert", "proportional"]))
def test_symmetric_and_1_with_itself(left: Profile, right: Profile, variant: str) -> None:
    cube = column([left, right], [VECTORS, NUMBERS], threshold=0.3, variant=variant)
    one, two = cube.pair(left, right), cube.pair(right, left)
    assert (isnan(one) and isnan(two)) or one == pytest.approx(two)
    assert isnan(one) or 0 <= one <= 1
    own = cube.pair(left, left)
    assert isnan(own) or own == pytest.approx(1)
