"""Paths that Kindred lays by itself, ways between two items, and the types that it proposes."""

from itertools import pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import InvalidRequest, TimedOut, UnknownItem, UnknownType
from models.types import OFFICIAL
from service.deadline import Deadline
from service.paths.chains import NEIGHBOURS, between
from service.paths.following import Draft, laid, proposals
from service.paths.model import Step
from service.paths.walking import walk
from service.recommender import Recommender
from tests.service.museum import RECORDS

ITEMS = sorted(one.id for one in RECORDS)
KINDS = st.lists(st.sampled_from(OFFICIAL), max_size=2, unique=True)


@given(
    start=st.sampled_from(ITEMS),
    kinds=KINDS,
    length=st.integers(1, 9),
    novelty=st.sampled_from([0.0, 0.3, 1.0]),
)
def test_a_path_by_itself_never_comes_back(
    museum: Recommender, start: str, kinds: list[str], length: int, novelty: float
) -> None:
    steps = walk(museum, start, kinds, length, novelty)
    assert steps[0].item == start
    assert 1 <= len(steps) <= length
    texts = [museum.item(step.item).fields_hash for step in steps]
    assert len(set(texts)) == len(texts), "nor to an exact duplicate"
    for last, step in pairwise(steps):
        assert step.type in (kinds or OFFICIAL)
        scored = museum.score(last.item, step.item)
        assert step.reason == scored.reasons[museum.system.position(str(step.type))]


def test_the_next_step_is_the_nearest_where_novelty_is_none(museum: Recommender) -> None:
    steps = walk(museum, "m:01", ["location"], 3, 0.0)
    first = museum.similar("m:01", "location", 1)[0].record.id
    assert steps[1].item == first
    following = [near.record.id for near in museum.similar(first, "location", 5)]
    assert steps[2].item == next(item for item in following if item not in ("m:01", first))


def test_a_step_is_not_near_the_earlier_ones(museum: Recommender) -> None:
    """Against the definition, over all items."""
    steps = walk(museum, "m:01", ["general"], 5, 0.5)
    at = museum.system.position("general")

    def score(one: str, other: str) -> float:
        return museum.score(one, other).explanations[at].score / 5

    for place in range(2, len(steps)):
        before = [step.item for step in steps[:place]]
        texts = {museum.item(item).fields_hash for item in before}
        worth = {
            item: 0.5 * score(before[-1], item) - 0.5 * max(score(one, item) for one in before[:-1])
            for item in ITEMS
            if museum.item(item).fields_hash not in texts
        }
        assert worth[steps[place].item] == pytest.approx(max(worth.values()), abs=1e-6)


def test_what_no_walk_can_be_is_refused(museum: Recommender) -> None:
    with pytest.raises(InvalidRequest, match="length"):
        walk(museum, "m:01", (), 0)
    with pytest.raises(InvalidRequest, match="novelty"):
        walk(museum, "m:01", (), 3, 1.5)
    with pytest.raises(UnknownType):
        walk(museum, "m:01", ["colour"])
    with pytest.raises(UnknownItem):
        walk(museum, "none")
    with pytest.raises(TimedOut):
        walk(museum, "m:01", check=Deadline(0))


def links(museum: Recommender, kinds: list[str], strong: float) -> networkx.Graph:
    """All links, looked up one by one."""
    graph = networkx.Graph()
    graph.add_nodes_from(ITEMS)
    for item in ITEMS:
        for kind in kinds or OFFICIAL:
            for one in museum.nearest(item, (kind,), NEIGHBOURS)[kind]:
                score = min(one.bound, 5.0)
                if score >= strong:
                    known = graph.get_edge_data(item, one.id, {"weight": 9.0})["weight"]
                    graph.add_edge(item, one.id, weight=min(6 - score, known))
    return graph


@given(
    ends=st.lists(
        st.sampled_from([one for one in ITEMS if one != "m:04"]), min_size=2, max_size=2, unique=True
    ),
    kinds=KINDS,
    strong=st.sampled_from([1.0, 2.5, 4.0]),
)
def test_a_way_is_as_short_as_any(
    museum: Recommender, ends: list[str], kinds: list[str], strong: float
) -> None:
    """Against a plain search over all links; m:04 is a duplicate, and stands in no list."""
    start, end = ends
    graph, found = links(museum, kinds, strong), between(museum, start, end, kinds, strong)
    if not networkx.has_path(graph, start, end):
        assert (found.steps, found.exhausted) == ((), False)
        return
    items = [step.item for step in found.steps]
    assert (items[0], items[-1]) == (start, end)
    cost = networkx.path_weight(graph, items, "weight")
    assert cost == pytest.approx(networkx.dijkstra_path_length(graph, start, end))
    for last, step in pairwise(found.steps):
        scored = museum.score(last.item, step.item)
        at = museum.system.position(str(step.type))
        assert scored.explanations[at].score >= strong - 1e-6
        assert step.reason == scored.reasons[at]


def test_a_way_that_would_take_too_much_work_says_so(museum: Recommender) -> None:
    found = between(museum, "m:01", "m:02", ["time"], strong=1.0, work=1)
    assert (found.steps, found.looked_up, found.exhausted) == ((), 1, True)
    assert between(museum, "m:01", "m:02", ["time"], strong=1.0, work=2).steps


def test_what_no_way_can_be_is_refused(museum: Recommender) -> None:
    with pytest.raises(InvalidRequest, match="to itself"):
        between(museum, "m:01", "m:01")
    with pytest.raises(InvalidRequest, match="score of a link"):
        between(museum, "m:01", "m:02", strong=6)
    with pytest.raises(UnknownType):
        between(museum, "m:01", "m:02", ["colour"])
    with pytest.raises(UnknownItem):
        between(museum, "m:01", "none")


def test_what_is_not_close_is_not_proposed(museum: Recommender) -> None:
    assert proposals(museum, "m:01", "m:09") == []
    kinds = [one.type for one in proposals(museum, "m:01", "m:02")]
    assert kinds[0] == "author"
    assert len(set(kinds)) == len(kinds)


def test_a_first_step_follows_nothing(museum: Recommender) -> None:
    (step,) = laid(museum, [Draft("m:01", type="time", reason="because")], {})
    assert step == Step(item="m:01", title="View of Venice", reason="because")
