from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import isnan, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.bags import idf
from features.measures.scope import Scope
from features.measures.tfidf import TfidfColumn, TfidfSettings
from features.profiles.profile import Profile
from tests.builders import bag_profile, profile, record, text_profile
from tests.features.measures.columns import Tried, bag, tried

SETTINGS = TfidfSettings(measure="tfidf")
bags = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "!"]), max_size=6).map(bag_profile)
collections = st.lists(bags, min_size=1, max_size=6)


def column(profiles: Sequence[Profile], settings: TfidfSettings = SETTINGS) -> Tried:
    return tried(profiles, settings)


def test_the_cosine_of_equation_6_1() -> None:
    # N = 3 items: "boat boat sea", "boat sky", "sky". df: boat 2, sea 1, sky 2.
    # idf = ln(1 + N/df): boat and sky ln 2.5 = 0.9163, sea ln 4 = 1.3863.
    # item 1 = (boat 2 * 0.9163 = 1.8326, sea 1.3863), length sqrt(3.3584 + 1.9218) = 2.2979
    # item 2 = (boat 0.9163, sky 0.9163), length 0.9163 * sqrt 2 = 1.2958
    # 1 with 2: 1.8326 * 0.9163 / (2.2979 * 1.2958) = 1.6792 / 2.9777 = 0.5639
    # 2 with 3: 0.9163 * 0.9163 / (1.2958 * 0.9163) = 1 / sqrt 2 = 0.7071; 1 with 3: nothing shared
    items = [text_profile("boat boat sea"), text_profile("boat sky"), text_profile("sky")]
    cosines = column(items)
    assert cosines.pair(items[0], items[1]) == pytest.approx(0.5639, abs=5e-5)
    assert cosines.pair(items[1], items[2]) == pytest.approx(1 / sqrt(2))
    assert cosines.compare(items[0]) == pytest.approx([1.0, 0.5639, 0.0], abs=5e-5)


def test_a_term_that_the_collection_lacks_counts_as_in_one_item() -> None:
    # N = 2, both items "boat": idf boat ln 2, idf of the unseen "sea" ln 3; "boat" with "boat sea":
    # ln 2 / sqrt(ln 2 ^ 2 + ln 3 ^ 2)
    cosines = column([text_profile("boat"), text_profile("boat")])
    expected = log(2) / sqrt(log(2) ** 2 + log(3) ** 2)
    assert cosines.pair(text_profile("boat"), text_profile("boat sea")) == pytest.approx(expected)
    assert cosines.compare(text_profile("boat sea")) == pytest.approx([expected, expected])
    assert cosines.pair(text_profile("sea"), text_profile("sea")) == pytest.approx(1.0)
    assert cosines.compare(text_profile("sea")).tolist() == [0.0, 0.0]


def test_idf_stays_above_nothing_for_a_term_of_every_item() -> None:
    assert idf(5, np.array([5]))[0] == pytest.approx(log(2))
    same = [text_profile("boat"), text_profile("boat")]
    assert column(same).compare(same[0]) == pytest.approx([1.0, 1.0])


@given(collections)
def test_weights_of_the_known_terms_multiply_to_the_cosines(items: list[Profile]) -> None:
    fitted = column(items).column
    assert isinstance(fitted, TfidfColumn)
    starts, terms, weights = fitted.searchable().weights(fitted.table)
    bounds = list(pairwise(starts.tolist()))
    rows = [dict(zip(terms[a:b].tolist(), weights[a:b].tolist(), strict=True)) for a, b in bounds]
    for query, one in zip(items, rows, strict=True):
        pieces = [sum(weight * other.get(term, 0.0) for term, weight in one.items()) for other in rows]
        informed = [bool(bag(query) and bag(each)) for each in items]
        expected = np.where(informed, pieces, np.nan)
        assert Tried(fitted).compare(query) == pytest.approx(expected, nan_ok=True, abs=1e-9)


def test_nothing_to_see_is_nan_and_nothing_in_common_is_zero() -> None:
    cosines = column([text_profile("boat"), text_profile("!"), text_profile("sea")])
    scores = cosines.compare(text_profile("boat"))
    assert scores[0] == pytest.approx(1.0)
    assert isnan(scores[1])
    assert scores[2] == 0.0
    assert np.isnan(cosines.compare(text_profile("!"))).all()
    assert isnan(cosines.pair(text_profile("boat"), text_profile("!")))


@pytest.mark.parametrize("texts", [["!", "?"], ["!"]])
def test_a_scope_that_no_item_has_a_term_in(texts: list[str]) -> None:
    cosines = column([text_profile(text) for text in texts])
    assert np.isnan(cosines.compare(text_profile("boat"))).all()
    assert cosines.pair(text_profile("boat"), text_profile("boat")) == pytest.approx(1.0)


@given(collections, bags)
def test_it_keeps_the_promises_of_a_measure(items: list[Profile], query: Profile) -> None:
    cosines = column(items)
    unknown = [not (bag(query) and bag(item)) for item in items]
    assert [isnan(value) for value in cosines.promises(items, query)] == unknown
    own = cosines.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query) else isnan(own)


@given(collections, bags, bags)
def test_shares_of_evidence_add_up_to_1(items: list[Profile], left: Profile, right: Profile) -> None:
    cosines = column(items)
    pieces = cosines.evidence(left, right)
    shared = bag(left).keys() & bag(right).keys()
    assert {evidence.left[0].term for evidence in pieces} == shared
    if pieces:
        assert sum(evidence.share for evidence in pieces) == pytest.approx(1.0)
    assert [e.share for e in pieces] == sorted((e.share for e in pieces), reverse=True)
    assert all(evidence.share > 0 for evidence in pieces)


def test_evidence_points_to_every_place_on_both_sides() -> None:
    texts = "boat by boat", "sea, boat"
    left, right = (text_profile(text) for text in texts)
    (piece,) = column([left, right]).evidence(left, right)
    assert [texts[0][o.start : o.end] for o in piece.left] == ["boat", "boat"]
    assert [o.start for o in piece.left] == [0, 8]
    assert [(texts[1][o.start : o.end], o.start) for o in piece.right] == [("boat", 5)]
    assert piece.share == pytest.approx(1.0)


def test_the_scope_decides_what_is_compared() -> None:
    settings = TfidfSettings(measure="tfidf", scope=Scope(parts=("creator",), names=True))
    one, two = (profile(record("a", "boats", creator=name)) for name in ("Reed, Ada", "Ada Reed"))
    cosines = column([one, two], settings)
    assert cosines.pair(one, two) == pytest.approx(1.0)
    assert Counter(evidence.left[0].term for evidence in cosines.evidence(one, two)) == {"ada": 1, "reed": 1}
