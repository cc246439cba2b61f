"""A search that leaves out what cannot be among the best finds the same as one that leaves out nothing."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles, Int8s, Rows, Singles
from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built, Collection, Costly, Query, Values
from features.measures import dense, parts
from features.profiles.profile import Profile, SentenceVector, encode
from models.regressors.base import Polyline
from models.regressors.curves import Curve, joined
from models.systems import System
from models.types import OFFICIAL, SimilarityType
from service.search.engines import pruning
from service.search.engines.local.index import LocalIndex, PartResults
from service.search.engines.port import Question
from service.search.engines.pruning import Stage, Wanted
from service.search.engines.scoring import Scorer
from service.search.engines.terms import CurveTerm, Hinges
from service.search.queries import WeightedSeed
from tests.builders import NONE, features, profile, record

FEATURES = features(
    dates={"measure": "intervals", "kind": "expected"},
    dated={"measure": "known", "of": "dates"},
    texts={"measure": "sentences", "text": "content"},
    texted={"measure": "known", "of": "texts"},
    scaled={"measure": "sentences", "text": "content", "scaled": True},
    where_dated={"measure": "gated", "of": "texts", "by": "dated"},
    where_near={"measure": "gated", "of": "texts", "by": "dates"},
    twice={"measure": "gated", "of": "where_dated", "by": "texted"},
    undated={"measure": "gated", "of": "texts", "unless": "dated"},
    lesser={"measure": "weakest", "of": ["texts", "dates"]},
    either={"measure": "strongest", "of": {"texts": 1, "scaled": 0.5}},
)
NAMES = tuple(FEATURES)
ITEMS = 700


def collection_of(noise: float) -> Built:
    """Items in seven groups whose texts are alike; every third has no date, every eleventh no text.

    Every fifth has the very text of its group, so that items of a year have one score.
    """
    numbers = np.random.default_rng(1)
    kinds = numbers.normal(0, 40, (7, 384))

    def item(n: int) -> AnalysedItem:
        one = record(f"v:{n:04}", f"boat {n}", date=f"{1500 + n % 40}" if n % 3 else "")
        numbers_of = kinds[n % 7] + (numbers.normal(0, noise, 384) if n % 5 else 0)
        vector = np.clip(numbers_of, -127, 127).astype(np.int8)
        texts = (SentenceVector("content", vector.tobytes()),) if n % 11 else ()
        return AnalysedItem(one, encode(Profile(profile(one).values, texts)))

    return in_memory([item(n) for n in range(ITEMS)], FEATURES, NONE)


VARIED, GROUPED = collection_of(25), collection_of(0)  # texts of their own, and of seven kinds


@pytest.fixture(autouse=True, scope="module")
def small_parts() -> Iterator[None]:
    """Several parts, of several stretches each."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(parts, "_SIZE", 100)
        patched.setattr(pruning, "_FIRST", 16)
        yield


def system(seed: int) -> System:
    """Random curves, up and down, of all features in all types; people need both dates, time a date."""
    numbers = np.random.default_rng(seed)

    def curve() -> Curve:
        return Curve(np.linspace(0, 1, 5), numbers.normal(0, 1, 5), float(numbers.normal(0, 0.5)))

    shapes = joined([[curve() for _ in NAMES] for _ in OFFICIAL], numbers.uniform(0, 2, len(OFFICIAL)))
    return System("random", NAMES, shapes, {"time": "dated"}, both={"people": "dated"})


def plainly(
    scorer: Scorer,
    collection: Collection,
    query: Query,
    kind: SimilarityType,
    wanted: Wanted,  # noqa: ARG001
    rows: slice | None = None,
) -> Singles:
    """The scores of every row, in the place of ``Scorer.best``."""
    return scorer.every(collection, query, [kind], rows)[kind]


@given(
    st.sampled_from([VARIED, GROUPED]),
    st.integers(0, 10_000),
    st.sampled_from(["general", "people", "time"]),
    st.integers(1, 30),
    st.sampled_from([{}, {"general": 2.5, "people": 2.5, "time": 1.0}]),
    st.sampled_from([None, slice(50, 420)]),
    st.sampled_from([None, 3, 60]),
    st.booleans(),
)
def test_the_best_are_those_of_a_pass_over_all(
    built: Built,
    seed: int,
    kind: SimilarityType,
    number: int,
    floors: dict[SimilarityType, float],
    part: slice | None,
    few: int | None,
    changed: bool,
) -> None:
    numbers = np.random.default_rng(seed)
    index = LocalIndex(built, system(seed))
    if changed:
        index.delete([built.ids[int(row)] for row in numbers.integers(0, ITEMS, 20)], 2)
    ids = list(index.collection.ids)
    some = frozenset(numbers.choice(ids, few).tolist()) if few else None
    seeds = (WeightedSeed(str(numbers.choice(ids))),)
    question = Question(seeds=seeds, types=(kind,), floors=floors, among=some)
    pruned = index.among(part, question, number)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Scorer, "best", plainly)
        every = index.among(part, question, number)
    assert down_to(pruned[kind], floors.get(kind)) == down_to(every[kind], floors.get(kind))


def down_to(results: PartResults, floor: float | None) -> list[tuple[str, float, int]]:
    best = [(one.id, one.bound, one.tied_rank) for one in results.best]
    return [one for one in best if floor is None or one[1] >= floor]


def test_features_of_vectors_are_costly() -> None:
    own, free = {name: Costly(name) for name in ("texts", "scaled")}, Costly("texts")
    gated = {"where_dated": Costly("texts", "dated"), "where_near": Costly("texts", "dates")}
    # a gate says nothing of what is gated twice, nor what closes a feature
    made = {"twice": free, "undated": free, "lesser": free, "either": Costly("scaled")}
    assert VARIED.costly == own | gated | made


def test_few_rows_are_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    # texts add .5 at most, so that what is not of about the same year can't come near
    line = Curve(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.1, 0.5]), 0.0)
    flat = Curve(np.array([0.0, 1.0]), np.array([0.0, 0.0]), 0.0)
    dates = Curve(np.array([0.0, 1.0]), np.array([0.0, 4.5]), 0.0)
    own = [{"texts": line, "dates": dates}.get(name, flat) for name in NAMES]
    only = System("texts", NAMES, joined([own for _ in OFFICIAL], np.zeros(len(OFFICIAL))), {})
    read: list[int] = []
    whole, some = dense.single_cosines, dense.picked_cosines

    def of_whole(matrix: Int8s, shares: Singles, vector: Int8s, square: int) -> Singles:
        read.append(len(matrix))
        return whole(matrix, shares, vector, square)

    def of_some(matrix: Int8s, shares: Singles, vector: Int8s, square: int, picked: Rows) -> Singles:
        read.append(len(picked))
        return some(matrix, shares, vector, square, picked)

    monkeypatch.setattr(dense, "single_cosines", of_whole)
    monkeypatch.setattr(dense, "picked_cosines", of_some)
    scorer, query = Scorer(only), VARIED.query(1)
    eligible = np.arange(ITEMS) != 1
    scorer.best(VARIED, query, "general", Wanted(eligible, 5, -np.inf))
    assert 0 < sum(read) < ITEMS / 2
    # fewer than are wanted: these alone
    read.clear()
    scorer.best(VARIED, query, "general", Wanted(eligible & (np.arange(ITEMS) < 5), 10, -np.inf))
    assert sum(read) <= 2 * 4


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
    source, gate = np.array([*given, (np.nan, 0.3), (0.6, np.nan), (0.9, 1 + 1e-6)]).T

    def values_of(line: Polyline, values: Doubles) -> Doubles:
        return np.where(np.isnan(values), line.missing, np.interp(values, line.knots, line.heights))

    product = np.nan_to_num(source) * gate
    sums = values_of(plain, source) + values_of(gated, product) + values_of(other, product / 2)
    bounds = Stage(terms, costly).bounds(Values(FEATURES, len(source), lambda _: gate))
    assert (sums <= bounds + 1e-5).all()
