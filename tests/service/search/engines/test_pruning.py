"""A pass that leaves out what cannot be among the best finds the same as one that leaves out nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built, Costly, Values
from features.profiles.profile import Profile, SentenceVector, encode
from models.regressors.base import Polyline
from models.regressors.curves import Curve, joined
from models.systems import System
from models.types import OFFICIAL
from service.search.engines.pruning import Stage, Wanted
from service.search.engines.scoring import Scorer
from service.search.engines.terms import CurveTerm, Hinges
from tests.builders import NONE, features, profile, record

FEATURES = features(
    dates={"measure": "intervals", "kind": "expected"},
    dated={"measure": "known", "of": "dates"},
    texts={"measure": "sentences", "text": "content"},
    scaled={"measure": "sentences", "text": "content", "scaled": True},
    where_dated={"measure": "gated", "of": "texts", "by": "dated"},
    where_near={"measure": "gated", "of": "texts", "by": "dates"},
    undated={"measure": "gated", "of": "texts", "unless": "dated"},
    lesser={"measure": "weakest", "of": ["texts", "dates"]},
)
NAMES = tuple(FEATURES)
ITEMS = 700


@pytest.fixture(scope="module")
def collection() -> Built:
    """Items in seven groups whose texts are alike; every third has no date, every eleventh no text."""
    numbers = np.random.default_rng(1)
    kinds = numbers.normal(0, 40, (7, 384))

    def item(n: int) -> AnalysedItem:
        date = f"{1500 + n % 400}" if n % 3 else ""
        one = record(f"v:{n:04}", f"boat {n}", date=date)
        vector = np.clip(kinds[n % 7] + numbers.normal(0, 25, 384), -127, 127).astype(np.int8)
        texts = (SentenceVector("content", vector.tobytes()),) if n % 11 else ()
        return AnalysedItem(one, encode(Profile(profile(one).values, texts)))

    return in_memory([item(n) for n in range(ITEMS)], FEATURES, NONE)


def system(seed: int) -> System:
    """Random curves, up and down, of all features in all types; people need both dates."""
    numbers = np.random.default_rng(seed)
    curves = [
        [
            Curve(np.linspace(0, 1, 5), numbers.normal(0, 1, 5), float(numbers.normal(0, 0.5)))
            for _ in OFFICIAL
        ]
        for _ in NAMES
    ]
    shapes = joined([list(own) for own in zip(*curves, strict=True)], numbers.uniform(0, 2, len(OFFICIAL)))
    return System("random", NAMES, shapes, {}, both={"people": "dated"})


@given(
    st.integers(0, 1000),
    st.integers(0, ITEMS - 1),
    st.integers(1, 20),
    st.sampled_from([-np.inf, 1.0, 2.5]),
    st.sampled_from(["general", "people"]),
)
def test_the_best_are_those_of_a_pass_over_all(
    collection: Built, seed: int, row: int, number: int, floor: float, kind: str
) -> None:
    scorer, query = Scorer(system(seed)), collection.query(row)
    eligible = np.random.default_rng(seed).random(ITEMS) < 0.9
    eligible[row] = False
    every = scorer.every(collection, query, [kind])[kind]
    pruned = scorer.best(collection, query, kind, Wanted(eligible, number, floor))
    known = pruned > -np.inf
    margin = 2 * scorer.rounding(kind)
    assert not (known & ~eligible).any()
    assert pruned[known] == pytest.approx(every[known], abs=margin)
    among = np.sort(every[eligible])[::-1][:number]
    least = max(float(among[-1]), floor)
    assert (known | ~eligible | (every < least + margin) | (every == -np.inf)).all()
    assert np.count_nonzero(known & (every >= least - margin)) >= np.count_nonzero(among >= floor + margin)


def test_few_rows_are_finished(collection: Built) -> None:
    # texts add .5 at most, so that what is not of about the same year can't come near
    line = Curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.1, 0.5]), 0.0)
    flat = Curve(np.array([0.0, 1.0]), np.array([0.0, 0.0]), 0.0)
    dates = Curve(np.array([0.0, 1.0]), np.array([0.0, 4.5]), 0.0)
    own = [{"texts": line, "dates": dates}.get(name, flat) for name in NAMES]
    only = System("texts", NAMES, joined([own for _ in OFFICIAL], np.zeros(len(OFFICIAL))), {})
    wanted = Wanted(np.arange(ITEMS) != 1, 5, -np.inf)
    scores = Scorer(only).best(collection, collection.query(1), "general", wanted)
    assert 5 <= np.count_nonzero(scores > -np.inf) < ITEMS / 4


def lines() -> st.SearchStrategy[Polyline]:
    height = st.floats(-2, 2)
    return st.builds(
        lambda heights, missing: Polyline(np.linspace(0, 1, 5), np.array(heights), missing),
        st.lists(height, min_size=5, max_size=5),
        height,
    )


@given(lines(), lines(), lines(), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1))
def test_no_row_gets_more_than_its_bound(
    plain: Polyline, gated: Polyline, other: Polyline, given: list[tuple[float, float]]
) -> None:
    costly = {"texts": Costly("texts"), "gated": Costly("texts", "dates"), "lesser": Costly("texts")}
    own = zip(costly, (plain, gated, other), strict=True)
    terms = [CurveTerm(name, line, Hinges.of(line)) for name, line in own]
    source, gate = np.array([*given, (np.nan, 0.3), (0.6, np.nan)]).T

    def values_of(line: Polyline, values: Doubles) -> Doubles:
        return np.where(np.isnan(values), line.missing, np.interp(values, line.knots, line.heights))

    product = np.nan_to_num(source) * gate
    sums = values_of(plain, source) + values_of(gated, product) + values_of(other, product / 2)
    bounds = Stage(terms, costly).bounds(Values(FEATURES, len(source), lambda _: gate))
    assert (sums <= bounds + 1e-5).all()
