"""Paths that Kindred lays by itself, ways between two items, and the types that it proposes."""

from itertools import combinations, pairwise

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import InvalidRequest, TimedOut, UnknownItem, UnknownType
from models.types import OFFICIAL
from service.paths.chains import between
from service.paths.following import Draft, laid, proposals
from service.paths.model import StoredStep
from service.paths.walking import walk
from service.search.queries import Deadline
from service.search.recommender import Recommender
from service.settings import Settings
from tests.service.builders import recommender, record
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
        assert step.reason == scored.reasons[museum.system.position(str(step.type))].text


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
        new = [item for item in ITEMS if museum.item(item).fields_hash not in texts]
        nearest = max(score(before[-1], item) for item in new)
        worth = {
            item: 0.5 * score(before[-1], item) - 0.5 * max(score(one, item) for one in before[:-1])
            for item in new
            if score(before[-1], item) >= nearest - 0.2
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
    """All links, compared pair by pair; one link less counts more than any strength."""
    graph = networkx.Graph()
    graph.add_nodes_from(ITEMS)
    for one, other in combinations(ITEMS, 2):
        scored = museum.score(one, other).explanations
        best = max(each.score for each in scored if each.type in (kinds or OFFICIAL))
        if best >= strong:
            graph.add_edge(one, other, weight=105 - best)
    return graph


@given(
    ends=st.lists(st.sampled_from(ITEMS), min_size=2, max_size=2, unique=True),
    kinds=KINDS,
    strong=st.sampled_from([1.0, 1.7, 2.3, 3.0]),
)
def test_a_way_is_found_where_there_is_one(
    museum: Recommender, ends: list[str], kinds: list[str], strong: float
) -> None:
    """Against a plain search over all links: of one or two links it is the best of all."""
    start, end = ends
    graph, results = links(museum, kinds, strong), between(museum, start, end, kinds, strong)
    if not networkx.has_path(graph, start, end):
        assert (results.steps, results.exhausted) == ((), False)
        return
    items = [step.item for step in results.steps]
    assert (items[0], items[-1]) == (start, end)
    shortest = networkx.dijkstra_path_length(graph, start, end)
    if shortest < 300:
        assert networkx.path_weight(graph, items, "weight") == pytest.approx(shortest, abs=1e-4)
    for last, step in pairwise(results.steps):
        scored = museum.score(last.item, step.item)
        at = museum.system.position(str(step.type))
        assert scored.explanations[at].score >= strong - 1e-4
        assert step.reason == scored.reasons[at].text


def chained(settings: Settings, *, broken: bool = False) -> Recommender:
    """Six items of which each shares a maker with the one before and a title with the one behind."""
    records = [
        record(f"c:{n}", f"Sheet{(n + 1) // 2}", "" if broken and n > 3 else f"Hand{n // 2}")
        for n in range(6)
    ]
    return recommender(records, settings)


def test_a_long_way_is_found_step_by_step(settings: Settings) -> None:
    now = chained(settings)
    results = between(now, "c:0", "c:5", ["author", "general"], strong=1.0)
    assert [step.item for step in results.steps] == [f"c:{n}" for n in range(6)]
    assert not results.exhausted
    few = between(now, "c:0", "c:5", ["author", "general"], strong=1.0, work=2)
    assert (few.steps, few.looked_up, few.exhausted) == ((), 2, True)


def test_where_there_is_no_way_all_that_an_end_reaches_was_seen(settings: Settings) -> None:
    results = between(chained(settings, broken=True), "c:0", "c:5", ["author"], strong=1.0)
    assert (results.steps, results.exhausted) == ((), False)


def test_what_no_way_can_be_is_refused(museum: Recommender) -> None:
    with pytest.raises(InvalidRequest, match="to itself"):
        between(museum, "m:01", "m:01")
    for strong in (0, 6):
        with pytest.raises(InvalidRequest, match="score of a link"):
            between(museum, "m:01", "m:02", strong=strong)
    with pytest.raises(InvalidRequest, match="allow 2"):
        between(museum, "m:01", "m:02", work=1)
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
    assert step == StoredStep(item="m:01", title="View of Venice", reason="because")
