"""ROUGE by hand: F-scores of n-grams, subsequences and pairs of words."""

from math import isnan
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.profiles.profile import Profile
from features.research.measures.rouge import RougeKind, RougeSettings, rouge
from tests.builders import text_profile
from tests.features.measures.columns import tried

ONE, OTHER = ["the", "old", "boat"], ["boat", "the", "old", "mill"]
texts = st.lists(st.sampled_from(["sea", "boat", "old", "!"]), max_size=6).map(
    lambda words: text_profile(" ".join(words) or "sea")
)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("1", 2 * 3 / 7),  # the, old, boat of 3 and 4
        ("2", 2 * 1 / 5),  # 'the old' of 2 and 3
        ("3", 0.0),
        ("l", 2 * 2 / 7),  # the ... old
        ("s", 2 * 1 / (3 + 6)),  # of 3 and 6 pairs in order: the ... old
        ("su", 2 * 4 / (6 + 10)),  # with the single words 4 of 6 and 10
    ],
)
def test_values_by_hand(kind: RougeKind, value: float) -> None:
    assert rouge(kind, ONE, OTHER) == pytest.approx(value)


def test_words_in_a_row_count_more() -> None:
    assert rouge("w", ["a", "b", "c", "d"], ["a", "b", "x", "y"]) > rouge(
        "w", ["a", "b", "c", "d"], ["a", "x", "b", "y"]
    )


def test_a_text_needs_as_many_words_as_are_counted_together() -> None:
    column = tried([text_profile("sea")], RougeSettings(measure="rouge", kind="2"))
    assert isnan(column.pair(text_profile("sea"), text_profile("old sea")))
    assert column.pair(text_profile("old sea"), text_profile("the old sea")) == pytest.approx(2 / 3)


def test_evidence_is_the_runs_that_both_have() -> None:
    ours, theirs = text_profile("old boat"), text_profile("an old boat")
    (piece,) = tried([ours], RougeSettings(measure="rouge", kind="l")).evidence(ours, theirs)
    assert [one.term for one in (*piece.left, *piece.right)] == ["old boat", "old boat"]


@pytest.mark.parametrize("kind", get_args(RougeKind))
@given(st.lists(texts, min_size=1, max_size=3), texts)
def test_it_is_a_measure(kind: RougeKind, items: list[Profile], query: Profile) -> None:
    column = tried(items, RougeSettings(measure="rouge", kind=kind))
    column.promises(items, query)
    own = column.pair(query, query)
    assert isnan(own) or own == pytest.approx(1.0)
