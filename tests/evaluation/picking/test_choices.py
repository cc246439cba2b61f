"""Choices of one among twenty: fair, the same for the same seed, and what is picked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.picking.choices import OTHERS, Relations, accuracy, choices, difference, picked, reached
from ingest.errors import PairsError, UsageError

ITEMS = [f"i{number:02}" for number in range(60)]


def of_sets(size: int) -> Relations:
    """Every so many items are a set."""
    groups = [ITEMS[first : first + size] for first in range(0, len(ITEMS), size)]
    return {item: frozenset(group) - {item} for group in groups for item in group if size > 1}


@given(st.integers(0, 2**32 - 1), st.integers(2, 20))
def test_one_belongs_to_the_query_and_no_other_does(seed: int, size: int) -> None:
    relations = of_sets(size)
    drawn = choices(relations, ITEMS, 7, seed)
    assert len(drawn) == len({one.query for one in drawn}) == 7
    for one in drawn:
        right, *wrong = one.candidates
        assert right in relations[one.query]
        assert len({one.query, *one.candidates}) == OTHERS + 2
        assert not reached(relations, one.query) & {*wrong}
        assert one.pairs == [(one.query, candidate) for candidate in one.candidates]
    assert choices({item: relations[item] for item in reversed(ITEMS)}, {*ITEMS}, 7, seed) == drawn
    assert choices(relations, ITEMS, 7, seed + 1) != drawn


def test_a_chain_of_relations_is_no_better_than_a_relation() -> None:
    chain: dict[str, frozenset[str]] = {
        item: frozenset(ITEMS[max(0, at - 1) : at + 2]) - {item} for at, item in enumerate(ITEMS[:30])
    }
    (one,) = choices(chain, ITEMS, 1, 3, queries=["i10"])
    assert min(one.candidates[1:]) >= "i30"
    (near,) = choices(chain, ITEMS[:30], 1, 3, queries=["i10"], steps=2)
    # all but i08 to i12 remain: 25 of 30
    assert not {"i08", "i09", "i11", "i12"} & {*near.candidates[1:]}
    with pytest.raises(PairsError, match="19 that do not"):
        choices(chain, ITEMS[:30], 1, 3, queries=["i10"])


def test_others_of_the_same_category_come_first() -> None:
    # i00 to i11 are of one maker: 10 of them are not of the query's set, and 9 others fill up
    makers = {item: "Turner" if item < "i12" else "Blake" for item in ITEMS}
    (one,) = choices(of_sets(2), ITEMS, 1, 3, queries=["i00"], categories=makers)
    assert sorted(one.candidates[1:])[:10] == ITEMS[2:12]
    (other,) = choices(of_sets(2), ITEMS, 1, 3, queries=["i20"], categories=makers)
    assert {makers[item] for item in other.candidates} == {"Blake"}
    (nobody,) = choices(of_sets(2), ITEMS, 1, 3, queries=["i20"], categories={"i30": "Blake"})
    assert len({*nobody.candidates}) == OTHERS + 1


def test_as_many_choices_as_there_can_be() -> None:
    assert len(choices(of_sets(2), ITEMS, 1000, 3)) == 60
    assert len(choices(of_sets(2), ITEMS, 1000, 3, queries=ITEMS[:4])) == 4
    with pytest.raises(UsageError, match="1 or more"):
        choices(of_sets(2), ITEMS, 0, 3)


def test_what_scores_highest_is_picked() -> None:
    scores = np.zeros((4, 20))
    scores[0, 0], scores[1, 5], scores[2, :4] = 1, 1, 1
    scores[3] = np.nan
    # right, wrong, one of four, one of twenty
    assert picked(scores).tolist() == [1, 0, 0.25, 0.05]
    result = accuracy(picked(scores), 3)
    assert result.accuracy == pytest.approx(1.3 / 4)
    assert 0 <= result.interval.low < result.accuracy < result.interval.high <= 1


def test_by_chance_one_of_twenty_is_right() -> None:
    scores = np.random.default_rng(3).random((4000, 20))
    result = accuracy(picked(scores), 3)
    assert result.accuracy == pytest.approx(0.05, abs=0.011)  # 3 standard deviations
    assert result.interval.low < 0.05 < result.interval.high


def test_two_systems_in_the_same_choices() -> None:
    draw = np.random.default_rng(5)
    one, two = (draw.random(200) < 0.7).astype(float), (draw.random(200) < 0.4).astype(float)
    result = difference(one, two, 7)
    assert result.accuracy == pytest.approx(one.mean() - two.mean())
    assert result.interval.low > 0
    assert difference(one, one, 7).interval == (0, 0)


def test_what_is_no_choice_is_refused() -> None:
    with pytest.raises(UsageError, match="two candidates"):
        picked(np.zeros((3, 1)))
    with pytest.raises(UsageError, match="no choice"):
        accuracy(np.zeros(0), 3)
    with pytest.raises(UsageError, match="same choices"):
        difference(np.zeros(2), np.zeros(3), 3)
