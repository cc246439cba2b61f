"""Searches by the recommender are what a brute-force reading of the promise gives."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.errors import InvalidRequest, UnknownItem
from ingest.record import Record
from models.types import OFFICIAL, SimilarityType
from service.search.facets import Filters
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from tests.documents import defaults
from tests.service import museum
from tests.service.builders import recommender, record

MUSEUM = recommender(museum.RECORDS, defaults())
IDS = [one.id for one in museum.RECORDS]

_FILTERS = st.sampled_from(
    [
        Filters(),
        Filters(provider=("tate", "Example Museum")),
        Filters(first=1700, last=1799),
        Filters(place=("Venice",), image=False),
    ]
)


@st.composite
def searches(draw: st.DrawFn) -> Search:
    chosen = draw(st.lists(st.sampled_from(IDS), min_size=1, max_size=3, unique=True))
    weights = [1.0, *(draw(st.sampled_from([1.0, 2.5, -1.0, -0.5])) for _ in chosen[1:])]
    without = tuple(draw(st.lists(st.sampled_from(IDS), max_size=2, unique=True)))
    return Search(
        seeds=tuple(map(WeightedSeed, chosen, weights)),
        type=draw(st.sampled_from(OFFICIAL)),
        limit=draw(st.integers(1, 5)),
        filters=draw(_FILTERS),
        without=without,
    )


def ids(recommender: Recommender, search: Search) -> list[str]:
    return [near.record.id for near in recommender.search(search).neighbours]


def pages(recommender: Recommender, search: Search) -> list[list[str]]:
    given = []
    while True:
        answer = recommender.search(search)
        given.append([near.record.id for near in answer.neighbours])
        if answer.next is None:
            return given
        search = replace(search, cursor=answer.next)


@given(searches())
def test_seeds_filters_and_what_is_left_out(search: Search) -> None:
    expected = museum.promised(MUSEUM, search)
    assert ids(MUSEUM, search) == expected[: search.limit]
    for near in MUSEUM.search(search).neighbours:
        whole = museum.score(MUSEUM, search, near.record.id)
        assert near.score == pytest.approx(min(max(whole, 0), 5))
        assert near.scores[near.type] == pytest.approx(near.score)
        # the reason speaks of a seed that is wanted
        assert near.seed.id in {seed.id for seed in search.seeds if seed.weight > 0}


@given(searches())
def test_pages_are_the_whole_answer(search: Search) -> None:
    given = pages(MUSEUM, search)
    assert list(chain(*given)) == museum.promised(MUSEUM, search)
    assert all(len(page) == search.limit for page in given[:-1])


def test_the_reason_is_that_of_the_closest_seed() -> None:
    seeds = (WeightedSeed("m:01"), WeightedSeed("m:06"))
    near = {one.record.id: one for one in MUSEUM.search(Search(seeds=seeds, type=OFFICIAL[1])).neighbours}
    assert near["m:02"].seed.id == "m:01"
    assert "Canaletto" in near["m:02"].reason.text
    assert near["m:07"].seed.id == "m:06"
    assert "Ruskin" in near["m:07"].reason.text


def test_what_is_unlike_moves_down() -> None:
    author = Search(seeds=(WeightedSeed("m:01"), WeightedSeed("m:05")), type="author", limit=3)
    assert {"m:02", "m:08"} <= set(ids(MUSEUM, author))
    unlike = replace(author, seeds=(WeightedSeed("m:01"), WeightedSeed("m:05", -1.0)), limit=100)
    assert ids(MUSEUM, unlike)[0] == "m:02"
    assert ids(MUSEUM, unlike)[-1] == "m:08"


def test_duplicates_are_given_once_and_left_out_together() -> None:
    search = Search(seeds=(WeightedSeed("m:01"),), type="event", limit=100)
    assert {"m:03", "m:04"} & set(ids(MUSEUM, search)) == {"m:03"}
    prints = replace(search, filters=Filters(object=("print",)))
    assert {"m:03", "m:04"} & set(ids(MUSEUM, prints)) == {"m:04"}
    for gone in ("m:03", "m:04"):
        assert not {"m:03", "m:04"} & set(ids(MUSEUM, replace(search, without=(gone,))))


def test_searches_without_a_type_take_filters_and_seeds() -> None:
    search = Search(
        seeds=(WeightedSeed("m:01"), WeightedSeed("m:06")),
        filters=Filters(provider=("Tate",)),
        without=("m:02",),
    )
    results = MUSEUM.search(search)
    assert results.next is None
    assert {near.record.id for near in results.neighbours} <= {"m:03", "m:07", "m:12"}
    assert "m:07" in {near.record.id for near in results.neighbours}


def test_notes_say_why_nothing_fits() -> None:
    search = Search(seeds=(WeightedSeed("m:01"),), type="time", filters=Filters(provider=("x",)))
    answer = MUSEUM.search(search)
    assert (answer.neighbours, answer.next) == ([], None)
    assert answer.notes[0].startswith("no item has the provider 'x'; there are: Tate")


# -- cursors -------------------------------------------------------------------------------------


def after_first_page(search: Search) -> tuple[Search, list[str]]:
    answer = MUSEUM.search(search)
    return replace(search, cursor=answer.next), [near.record.id for near in answer.neighbours]


@pytest.mark.parametrize("kind", OFFICIAL)
@pytest.mark.parametrize("first", [1, 3, 6])
def test_pages_hold_when_the_collection_changes(kind: SimilarityType, first: int) -> None:
    search, shown = after_first_page(Search(seeds=(WeightedSeed("m:01"),), type=kind, limit=first))
    gone = {shown[0], "m:11"}
    stayed = [one for one in museum.RECORDS if one.id not in gone]
    # common words become rarer and rare ones commoner: every score moves
    new = [record(f"a:{n}", "View of Venice", "Hand", "A boat sails.", "1738") for n in range(3)]
    new += [record("z:1", "Spoon of London", "Canaletto", "A spoon stands.", "1725")]
    changed = recommender([*stayed, *new], defaults())
    rest = list(chain(*pages(changed, search)))
    assert len(rest) == len(set(rest))
    assert not set(shown) & set(rest)
    twins = {"m:04"} if "m:03" not in gone else set[str]()
    assert {one.id for one in stayed} - {"m:01"} - set(shown) - twins <= set(rest)


def test_a_cursor_that_has_forgotten_the_first_items_knows_where_they_stood() -> None:
    many = [record(f"n:{n:03}", "", description="boat" + " stone" * n) for n in range(560)]
    # the more items have no boat, the more the word weighs
    before, after = (
        recommender(many, defaults()),
        recommender([*many[:550], record("x", "Sheet")], defaults()),
    )
    search = Search(seeds=(WeightedSeed("n:000"),), type="description", limit=90)
    shown: list[str] = []
    for _ in range(6):
        answer = before.search(search)
        shown += [near.record.id for near in answer.neighbours]
        search = replace(search, cursor=answer.next)
    assert shown == [f"n:{n:03}" for n in range(1, 541)]
    assert list(chain(*pages(after, search))) == [f"n:{n:03}" for n in range(541, 550)] + ["x"]


def test_a_cursor_belongs_to_its_question() -> None:
    search, _ = after_first_page(Search(seeds=(WeightedSeed("m:01"),), type="time", limit=2))
    assert ids(MUSEUM, replace(search, limit=4)) == museum.promised(MUSEUM, search)[2:6]
    others: Sequence[Search] = (
        replace(search, type="event"),
        replace(search, seeds=(WeightedSeed("m:02"),)),
        replace(search, seeds=(WeightedSeed("m:01", 2.0),)),
        replace(search, filters=Filters(image=True)),
        replace(search, without=("m:12",)),
    )
    for other in others:
        with pytest.raises(InvalidRequest, match="the cursor belongs to another question; repeat"):
            MUSEUM.search(other)


@pytest.mark.parametrize("cursor", ["", "x", "é", "eyJ9", "e30", "W10", "a" * 1001, "==", "bnVsbA"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidRequest, match="none that Kindred gave; leave it out"):
        MUSEUM.search(Search(seeds=(WeightedSeed("m:01"),), type="time", cursor=cursor))


# -- diversity -----------------------------------------------------------------------------------


def likeness(one: str, two: str, kind: SimilarityType) -> float:
    return MUSEUM.score(one, two).explanations[OFFICIAL.index(kind)].score / 5


@pytest.mark.parametrize("kind", OFFICIAL)
@pytest.mark.parametrize("diversity", [0.2, 0.5, 1.0])
def test_diversity_is_maximal_marginal_relevance(kind: SimilarityType, diversity: float) -> None:
    search = Search(
        seeds=(WeightedSeed("m:01"), WeightedSeed("m:08")), type=kind, limit=4, diversity=diversity
    )
    waiting, chosen = museum.promised(MUSEUM, search)[:20], list[str]()
    relevance = {item: min(max(museum.score(MUSEUM, search, item), 0), 5) / 5 for item in waiting}

    def worth(item: str) -> float:
        nearest = max((likeness(item, other, kind) for other in chosen), default=0.0)
        return round((1 - diversity) * relevance[item] - diversity * nearest, 9)

    while len(chosen) < search.limit:
        best = max(waiting, key=lambda item: (worth(item), -waiting.index(item)))
        waiting.remove(best)
        chosen.append(best)
    answer = MUSEUM.search(search)
    assert [near.record.id for near in answer.neighbours] == chosen
    assert answer.next is None


def test_diversity_brings_other_hands() -> None:
    records: list[Record] = [record(f"c:{n}", f"Sheet {n}", "Canaletto") for n in range(5)]
    records += [record("d:1", "Sheet 1", "Canaletto and Marieschi")]
    hands = recommender(records, defaults())
    plain = Search(seeds=(WeightedSeed("c:0"),), type="author", limit=2)
    assert ids(hands, plain) == ["c:1", "c:2"]
    assert ids(hands, replace(plain, diversity=0.6)) == ["c:1", "d:1"]


# -- what cannot be asked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"seeds": ()}, "seeds must be 1 to 20 items, not 0"),
        ({"seeds": tuple(WeightedSeed(str(n)) for n in range(21))}, "seeds must be 1 to 20 items, not 21"),
        ({"seeds": (WeightedSeed("a"), WeightedSeed("a", -1.0))}, "the seed 'a' is named twice"),
        ({"seeds": (WeightedSeed("a", -1.0),)}, "no seed has a positive weight"),
        ({"seeds": (WeightedSeed("a", 0.0),)}, "must be a number from -1000 to 1000 and not 0; it is 0"),
        ({"seeds": (WeightedSeed("a", float("nan")),)}, "it is nan"),
        ({"seeds": (WeightedSeed("a", 1001.0),)}, "it is 1001"),
        ({"limit": 0}, "limit must be between 1 and 100, not 0"),
        ({"diversity": 1.5}, "diversity must be between 0 and 1, not 1.5"),
        ({"diversity": float("nan")}, "diversity must be between 0 and 1, not nan"),
        ({"diversity": 0.5}, "diversity needs a type"),
        ({"cursor": "x"}, "a cursor needs the type that it was given for"),
        ({"cursor": "x", "type": "time", "diversity": 0.5}, "cannot be combined with diversity"),
    ],
)
def test_what_does_not_fit_together_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        replace(Search(seeds=(WeightedSeed("a"),)), **given)


def test_unknown_seeds_and_items_to_leave_out_are_named() -> None:
    for search in (
        Search(seeds=(WeightedSeed("m:01"), WeightedSeed("m:99"))),
        Search(seeds=(WeightedSeed("m:01"),), without=("m:99",)),
    ):
        with pytest.raises(UnknownItem, match="'m:99'"):
            MUSEUM.search(search)
