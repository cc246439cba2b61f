"""BM25 of two items: saturated by how often a word stands there, and by the length of the text."""

from math import isnan, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.bm25 import Bm25Settings
from features.profiles.profile import Profile
from tests.builders import bag_profile, text_profile
from tests.features.measures.columns import tried

BM25 = Bm25Settings(measure="bm25")
bags = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "!"]), max_size=6).map(bag_profile)
collections = st.lists(bags, min_size=1, max_size=6)


def test_three_texts_by_hand() -> None:
    # lengths 3, 1, 2, the average 2. boat of the first stands twice: 2 x 2.2 / (2 + 1.2 (.25 + .75 x 1.5)) =
    # 1.205, sea .830; boat alone in the second: 2.2 / (1 + 1.2 (.25 + .75 / 2)) = 1.257. idf: ln 2.5 and ln 4
    items = [text_profile(text) for text in ("boat boat sea", "boat", "sky cloud")]
    boat, sea = log(2.5), log(4)
    expected = 1.205 * 1.257 * boat / (sqrt(1.205**2 * boat + 0.83**2 * sea) * sqrt(1.257**2 * boat))
    column = tried(items, BM25)
    assert column.pair(items[0], items[1]) == pytest.approx(expected, abs=2e-4)
    assert column.compare(items[0]) == pytest.approx([1.0, expected, 0.0], abs=2e-4)


def test_a_word_that_is_repeated_counts_less_and_less() -> None:
    once, twice, often = (text_profile("boat sea" + " boat" * times) for times in (0, 1, 9))
    other = text_profile("boat")
    column = tried([once, twice, often, other], BM25)
    steps = [column.pair(one, other) for one in (once, twice, often)]
    assert steps[0] < steps[1] < steps[2] < 1
    assert (
        steps[1] - steps[0] > (steps[2] - steps[1]) / 8
    )  # the first repetition tells more than any of the next


def test_nothing_to_see_is_nan() -> None:
    column = tried([text_profile("boat"), text_profile("!")], BM25)
    assert isnan(column.pair(text_profile("boat"), text_profile("!")))


def test_the_evidence_is_the_shared_words() -> None:
    left, right = text_profile("boat sea"), text_profile("sea sky")
    (one,) = tried([left, right], BM25).evidence(left, right)
    assert (one.left[0].term, one.right[0].term) == ("sea", "sea")
    assert one.share == pytest.approx(1)


@given(collections, bags, bags)
def test_symmetric_in_range_and_the_same_in_search(
    items: list[Profile], left: Profile, right: Profile
) -> None:
    column = tried(items, BM25)
    one, two = column.pair(left, right), column.pair(right, left)
    assert (isnan(one) and isnan(two)) or one == pytest.approx(two)
    assert isnan(one) or 0 <= one <= 1
    own = column.pair(left, left)
    assert isnan(own) or own == pytest.approx(1)
    for item, value in zip(items, column.compare(left), strict=True):
        alone = column.pair(left, item)
        assert (isnan(alone) and isnan(value)) or value == pytest.approx(alone, abs=1e-5)
