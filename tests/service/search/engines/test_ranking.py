"""Which rows are candidates, and which of them are the best: against sorting all of them."""

from math import log10

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Doubles
from models.types import SimilarityType
from service.search.engines.port import ProposedItem
from service.search.engines.ranking import Eligible, candidates, motivated, nearest

NONE = -np.inf
# few different ones, so that many are ties; more than are looked at at once
scores = st.tuples(st.integers(1, 1_500), st.integers(1, 60), st.integers(0, 2**32 - 1)).map(
    lambda drawn: drawn_scores(*drawn)
)


def drawn_scores(number: int, different: int, seed: int) -> Doubles:
    chance = np.random.default_rng(seed)
    levels = np.append(np.round(chance.uniform(-1, 6, different), 3), NONE)
    return np.asarray(chance.choice(levels, number), np.float64)


@given(scores, st.integers(1, 400), st.sampled_from([0.0, 0.25, 2.0]))
def test_candidates_are_all_that_come_near_the_last_of_the_best(
    scores: Doubles, number: int, margin: float
) -> None:
    known = sorted(scores[scores > NONE], reverse=True)
    last = known[number - 1] if len(known) >= number else NONE
    expected = [row for row, score in enumerate(scores) if score > NONE and score >= last - margin]
    assert candidates(scores.astype(np.float64), number, margin).tolist() == expected


@given(scores, st.integers(1, 30), st.integers(0, 5), st.data())
def test_the_nearest_are_those_of_all_sorted(
    scores: Doubles, limit: int, above: int, data: st.DataObject
) -> None:
    ids = [f"i:{row:05}" for row in range(len(scores))]
    order = sorted((-score, ids[row]) for row, score in enumerate(scores.tolist()) if score > NONE)
    at = data.draw(st.integers(0, len(order)))
    after = ProposedItem(order[at - 1][1], -order[at - 1][0]) if at else None
    best = nearest(ids, np.arange(len(scores)), scores, limit, after, above)
    assert [(-one.bound, one.id) for one in best] == order[at : at + limit]
    # as high as an item is every one of no lower score, before it or behind
    assert [one.tied_rank for one in best] == [
        above + sum(score >= one.bound for score in scores.tolist()) for one in best
    ]


def test_scores_that_differ_behind_the_sixth_decimal_are_ties() -> None:
    ids, rows = ["a", "b", "c"], np.arange(3)
    best = nearest(ids, rows, np.array([1.0, 1.0 + 2e-7, 1.0 + 2e-6]), 3)
    assert [tuple(one) for one in best] == [("c", 1.000002, 1), ("a", 1.0, 3), ("b", 1.0, 3)]


def test_of_duplicates_one_is_eligible() -> None:
    eligible = Eligible(np.array([0, 1, 0, 2, 1]))
    assert eligible([], None).tolist() == [True, True, False, True, False]
    assert eligible([2], None).tolist() == [False, True, False, True, False]
    assert eligible([], np.array([False, False, True, True, True])).tolist() == [
        *(False, False, True, True, True)
    ]
    assert Eligible(np.zeros(0, np.int32))([], None).tolist() == []


def test_an_item_stands_in_the_type_in_which_it_stands_out() -> None:
    # of 99 items: the score as a part of 5, times the digits of 100 / tied_rank
    near: dict[SimilarityType, list[ProposedItem]] = {
        "location": [
            ProposedItem("a", 4.0, 2),
            ProposedItem("b", 3.0, 50),
            ProposedItem("c", 0.0, 1),
            ProposedItem("d", 7.0, 9),
        ],
        "time": [ProposedItem("b", 2.5, 10), ProposedItem("a", 5.0, 10), ProposedItem("e", -1.0, 1)],
    }
    strengths = {
        "a": ("location", 0.8 * log10(100 / 2)),
        "b": ("time", 0.5 * log10(100 / 10)),
        "c": ("location", 0.0),
        "d": ("location", 1.0 * log10(100 / 9)),  # no score counts beyond 5, and none below 0
        "e": ("time", 0.0),
    }
    expected = sorted(strengths, key=lambda item: (-strengths[item][1], item))
    assert expected == ["a", "d", "b", "c", "e"]
    assert motivated(near, 99, 9) == [(item, strengths[item][0]) for item in expected]
    assert motivated(near, 99, 2) == [("a", "location"), ("d", "location")]
