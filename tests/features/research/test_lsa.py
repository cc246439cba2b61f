"""Latent vectors: words that stand with the same words are alike."""

from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.profiles.profile import Profile
from features.research.measures.lsa import LsaSettings
from tests.builders import bag_profile, text_profile
from tests.features.measures.columns import Tried, tried

SEA = ("boat sail wave", "sail harbour boat", "wave harbour sail", "boat harbour wave sail")
WOOD = ("tree leaf oak", "oak moss tree", "leaf moss oak", "tree moss leaf oak")
TEXTS = SEA + WOOD
ITEMS = LsaSettings(measure="lsa", of="items", size=2, least=1, most=1.0)
WORDS = LsaSettings(measure="lsa", of="words", size=2, least=1, most=1.0)
bags = st.lists(st.sampled_from(["boat", "sail", "tree", "oak", "unheard", "!"]), max_size=6).map(bag_profile)


@pytest.fixture(params=[ITEMS, WORDS], ids=["items", "words"], scope="module")
def latent(request: pytest.FixtureRequest) -> Tried:
    return tried([text_profile(text) for text in TEXTS], request.param)


def test_the_sea_is_parted_from_the_wood(latent: Tried) -> None:
    scores = latent.compare(text_profile(SEA[0]))
    assert scores[: len(SEA)].min() > 0.9
    assert scores[len(SEA) :].max() < 0.1


def test_a_new_item_is_folded_in(latent: Tried) -> None:
    # it shares no word with "boat sail wave", only what such words stand together with
    new = text_profile("harbour harbour")
    scores = latent.compare(new)
    assert scores[0] > 0.9
    assert latent.pair(new, text_profile("boat sail wave")) == pytest.approx(scores[0], abs=1e-6)


def test_the_evidence_is_words_of_both_sides(latent: Tried) -> None:
    left, right = text_profile("boat sail"), text_profile("boat tree")
    (one,) = latent.evidence(left, right)
    assert (one.left[0].term, one.right[0].term) == ("boat", "boat")
    apart = latent.evidence(text_profile("boat"), text_profile("harbour"))
    assert [(each.left[0].term, each.right[0].term) for each in apart] == [("boat", "harbour")]


def test_an_item_without_a_known_word_has_no_vector(latent: Tried) -> None:
    assert isnan(latent.pair(text_profile("unheard"), text_profile("boat")))


@pytest.mark.parametrize("settings", [ITEMS, WORDS])
@given(left=bags, right=bags)
def test_symmetric_and_in_range(settings: LsaSettings, left: Profile, right: Profile) -> None:
    column = tried([text_profile(text) for text in TEXTS], settings)
    one, two = column.pair(left, right), column.pair(right, left)
    assert (isnan(one) and isnan(two)) or one == pytest.approx(two, abs=1e-6)
    assert isnan(one) or 0 <= one <= 1
    own = column.pair(left, left)
    assert isnan(own) or own == pytest.approx(1, abs=1e-6)


def test_nothing_at_all_has_vectors() -> None:
    column = tried([text_profile("!"), text_profile("!")], ITEMS)
    assert isnan(column.pair(text_profile("!"), text_profile("boat")))


def test_words_that_never_stand_together_have_no_vectors() -> None:
    # no two words of an item: nothing tells which words are alike
    column = tried([text_profile(word) for word in ("boat", "sail", "tree", "oak", "moss")], WORDS)
    assert isnan(column.pair(text_profile("boat"), text_profile("boat")))
