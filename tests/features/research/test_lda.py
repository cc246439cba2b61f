from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles, Singles
from features.profiles.profile import Profile
from features.research.measures.lda import LdaSettings, inferred, mixtures
from tests.builders import NONE, bag_profile, text_profile
from tests.features.measures.columns import Tried, bag, fitted_arrays, tried

SETTINGS = LdaSettings(measure="lda", topics=2, documents=2000, least=1, most=1.0, seed=7)
SEA = ("boat sail wave", "sail harbour boat", "wave harbour sail", "boat harbour wave sail")
WOOD = ("tree leaf oak", "oak moss tree", "leaf moss oak", "tree moss leaf oak")
TEXTS = SEA + WOOD
bags = st.lists(st.sampled_from(["boat", "sail", "tree", "oak", "unheard", "!"]), max_size=6).map(bag_profile)


def gamma(topics: Singles, terms: list[int], counts: list[int], iterations: int) -> Doubles:
    """The topic counts of one bag."""
    numbers, often = np.array(terms, np.int32), np.array(counts, np.int32)
    rows = np.zeros(1, np.int64)
    (results,) = inferred(topics, np.array([0, len(terms)]), rows, numbers, often, iterations)
    return np.asarray(results, np.float64)


def column(profiles: list[Profile], settings: LdaSettings = SETTINGS) -> Tried:
    return tried(profiles, settings)


@pytest.fixture(scope="module")
def items() -> list[Profile]:
    return [text_profile(text) for text in TEXTS]


@pytest.fixture(scope="module")
def topics(items: list[Profile]) -> Tried:
    return column(items)


def test_topics_part_the_sea_from_the_wood(topics: Tried, items: list[Profile]) -> None:
    scores = topics.compare(items[0])
    assert scores[: len(SEA)].min() > 0.9
    assert scores[len(SEA) :].max() < 0.5


def test_a_new_item_is_inferred_from_the_topics(topics: Tried) -> None:
    # it shares no word with "boat sail wave", only what such words stand together with
    new = text_profile("harbour harbour")
    scores = topics.compare(new)
    assert scores[0] > 0.9
    assert scores[len(SEA)] < 0.5
    assert topics.pair(new, text_profile("boat sail wave")) == pytest.approx(scores[0])


def test_an_item_without_a_word_of_the_topics_has_no_mixture(topics: Tried, items: list[Profile]) -> None:
    assert np.isnan(topics.compare(text_profile("unheard"))).all()
    assert isnan(topics.pair(items[0], text_profile("!")))
    assert topics.evidence(items[0], text_profile("unheard")) == ()


def test_the_same_items_give_the_same_topics(items: list[Profile]) -> None:
    first, second = (fitted_arrays(SETTINGS.builder(NONE), items) for _ in range(2))
    assert {name: array.tobytes() for name, array in first.items()} == {
        name: array.tobytes() for name, array in second.items()
    }


def test_one_step_of_inference_by_hand() -> None:
    # two topics, alpha = .5; a bag of two words a and one b; both topics weigh the same at the start
    # a is of topic 1 to .8 and b to .25: gamma = .5 + 2 x .8 + .25, .5 + 2 x .2 + .75
    topics = np.array([[0.8, 0.2], [0.1, 0.3]], np.float32)
    assert gamma(topics, [0, 1], [2, 1], 1) == pytest.approx([2.35, 1.65])


@given(st.lists(st.lists(st.integers(1, 5), min_size=0, max_size=6), max_size=9), st.integers(0, 2**32 - 1))
def test_a_bag_has_the_same_mixture_among_others_as_alone(counts: list[list[int]], seed: int) -> None:
    numbers = np.random.default_rng(seed)
    topics = numbers.uniform(0.001, 1, (20, 100)).astype(np.float32)
    terms = [numbers.choice(20, len(bag), replace=False).astype(np.int32) for bag in counts]
    starts = np.cumsum([0, *map(len, counts)])
    every = np.concatenate([np.empty(0, np.int32), *terms])
    often = np.array([count for many in counts for count in many], np.int32)
    together = mixtures(topics, starts, every, often, 20)
    for row, (many, own) in enumerate(zip(counts, terms, strict=True)):
        alone = mixtures(topics, np.array([0, len(many)]), own, np.array(many, np.int32), 20)
        assert np.array_equal(alone[0], together[row], equal_nan=True)
        assert np.isnan(together[row]).all() == np.isnan(together[row]).any() == (not many)


def test_inference_finds_what_gensim_finds(items: list[Profile]) -> None:
    # the same model, asked by gensim itself with a start of its own
    from gensim.models import LdaModel

    arrays = fitted_arrays(SETTINGS.builder(NONE), items)
    topics = np.asarray(arrays["topics"], np.float32)
    model = LdaModel(id2word={n: str(n) for n in range(len(topics))}, num_topics=2, random_state=0)
    model.expElogbeta = np.ascontiguousarray(topics.T)
    bag = [(0, 2), (3, 1), (5, 1)]
    (theirs,), _ = model.inference([bag])
    ours = gamma(topics, [0, 3, 5], [2, 1, 1], 200)
    assert ours == pytest.approx(theirs, abs=0.02)


def test_rare_and_common_terms_are_left_out() -> None:
    # "boat" stands in all four items, "oak" in one: neither tells items apart
    texts = ("boat sail oak", "boat sail", "boat tree", "boat tree")
    only = column([text_profile(text) for text in texts], LdaSettings(measure="lda", topics=2, documents=50))
    assert isnan(only.pair(text_profile("boat"), text_profile("boat")))
    assert isnan(only.pair(text_profile("oak"), text_profile("oak")))
    assert only.pair(text_profile("sail"), text_profile("sail")) == pytest.approx(1.0)


@pytest.mark.parametrize("texts", [["!"], ["boat"], ["boat", "!"]])
def test_hardly_anything_to_fit_on(texts: list[str]) -> None:
    results = column([text_profile(text) for text in texts])
    assert len(results.compare(text_profile("boat"))) == len(texts)
    same = results.pair(text_profile("boat"), text_profile("boat"))
    assert same == pytest.approx(1.0) if "boat" in texts else isnan(same)


def test_a_large_collection_is_read_in_part() -> None:
    # two of eight items are read: terms that were not seen have no topic, and the rest still has
    results = column(
        [text_profile(text) for text in TEXTS], LdaSettings(measure="lda", topics=2, documents=2, least=1)
    )
    own = [results.pair(text_profile(text), text_profile(text)) for text in TEXTS]
    assert own == pytest.approx([1.0] * len(TEXTS))


def test_evidence_is_the_shared_words_or_words_of_a_shared_topic(topics: Tried) -> None:
    results = topics.evidence(text_profile("boat sail oak"), text_profile("wave sail"))
    assert [(one.left[0].term, one.right[0].term) for one in results] == [("sail", "sail")]
    results = topics.evidence(text_profile("oak boat"), text_profile("wave"))
    assert [(one.left[0].term, one.right[0].term) for one in results] == [("boat", "wave")]
    assert results[0].share == 1.0


@given(bags)
def test_it_keeps_the_promises_of_a_measure(topics: Tried, items: list[Profile], query: Profile) -> None:
    topics.promises(items, query)
    own = topics.pair(query, query)
    known = bag(query).keys() & {"boat", "sail", "tree", "oak"}
    assert own == pytest.approx(1.0) if known else isnan(own)
