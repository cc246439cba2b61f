from collections.abc import Sequence
from math import isnan, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.overlap import OverlapSettings
from features.profiles.profile import Profile
from tests.builders import bag_profile, text_profile
from tests.features.measures.columns import Tried, bag, tried

bags = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "!"]), max_size=6).map(bag_profile)
collections = st.lists(bags, min_size=1, max_size=6)
rows = st.builds(
    lambda kind, weights: OverlapSettings(measure="overlap", kind=kind, weights=weights),
    st.sampled_from(["jaccard", "dice", "containment"]),
    st.sampled_from(["none", "idf"]),
)
JACCARD = OverlapSettings(measure="overlap")


def column(profiles: Sequence[Profile], settings: OverlapSettings = JACCARD) -> Tried:
    return tried(profiles, settings)


@pytest.mark.parametrize(
    ("kind", "expected", "own"),
    [("jaccard", 1 / 4, 1), ("dice", 2 / 5, 1), ("containment", 1 / 2, 1), ("amount", 1 / 11, 3 / 13)],
)
def test_the_shared_terms_are_divided_by_the_union_the_mean_or_the_smaller_side(
    kind: str, expected: float, own: float
) -> None:
    # {boat, sea, sky}, {boat, tree}: one of four shared; 2 x 1 / (3 + 2); 1 of the smaller two; 1 / (1 + 10)
    items = [text_profile("boat sea sky boat"), text_profile("boat tree")]
    settings = OverlapSettings.model_validate({"measure": "overlap", "kind": kind})
    overlaps = column(items, settings)
    assert overlaps.pair(*items) == pytest.approx(expected)
    assert overlaps.compare(items[0]) == pytest.approx([own, expected])


def test_with_idf_a_rare_word_counts_more() -> None:
    # N = 3; boat in 2 items: ln 2.5; sea in 1: ln 4; "boat sea" with "boat": ln 2.5 / (ln 2.5 + ln 4)
    items = [text_profile(text) for text in ("boat sea", "boat", "sky")]
    overlaps = column(items, OverlapSettings(measure="overlap", weights="idf"))
    assert overlaps.pair(items[0], items[1]) == pytest.approx(log(2.5) / (log(2.5) + log(4)))
    # a term that the collection lacks counts as in one item
    new = text_profile("sea cloud")
    assert overlaps.pair(items[0], new) == pytest.approx(log(4) / (log(2.5) + 2 * log(4)))


def test_nothing_to_see_is_nan_and_nothing_in_common_is_zero() -> None:
    overlaps = column([text_profile("boat"), text_profile("!"), text_profile("sea")])
    scores = overlaps.compare(text_profile("boat"))
    assert scores[0] == 1.0
    assert isnan(scores[1])
    assert scores[2] == 0.0
    assert np.isnan(overlaps.compare(text_profile("!"))).all()
    assert isnan(overlaps.pair(text_profile("boat"), text_profile("!")))


@given(collections, bags, rows)
def test_it_keeps_the_promises_of_a_measure(
    items: list[Profile], query: Profile, settings: OverlapSettings
) -> None:
    overlaps = column(items, settings)
    overlaps.promises(items, query)
    own = overlaps.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query, settings.scope) else isnan(own)


@given(collections, bags, bags, rows)
def test_shares_of_evidence_add_up_to_1(
    items: list[Profile], left: Profile, right: Profile, settings: OverlapSettings
) -> None:
    pieces = column(items, settings).evidence(left, right)
    shared = bag(left, settings.scope).keys() & bag(right, settings.scope).keys()
    assert {evidence.left[0].term for evidence in pieces} == shared
    assert not pieces or sum(evidence.share for evidence in pieces) == pytest.approx(1.0)


def test_surface_lexical_similarity_by_hand() -> None:
    # eq. 3.1: items have boat 2, sea 1, sky 1 of 4 terms: -ln P is ln 2, ln 4, ln 4; both items
    # share boat: 2 ln 2 / (2 ln 2 + 2 ln 4)
    items = [text_profile("boat sea"), text_profile("boat sky")]
    settings = OverlapSettings(measure="overlap", kind="dice", weights="information")
    overlaps = column(items, settings)
    expected = 2 * log(2) / (2 * log(2) + 2 * log(4))
    assert overlaps.pair(*items) == pytest.approx(expected)
    assert overlaps.compare(items[0]) == pytest.approx([1, expected])
    # a term that the collection lacks counts as one of one item
    assert overlaps.pair(items[0], text_profile("boat cloud")) == pytest.approx(expected)
