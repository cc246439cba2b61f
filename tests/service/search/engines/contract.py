"""What every engine promises, as tests: a class for each engine inherits them.

What is expected is worked out by comparing and sorting all items, without an index.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from msgspec.structs import replace as altered

from ingest.errors import UnknownItem
from ingest.record import Record
from models.types import SimilarityType
from service.composition import open_provider, open_writer
from service.search.engines.engine import chosen
from service.search.engines.local.provider import LocalProvider
from service.search.engines.port import ProposedItem, Question, Results
from service.search.facets import Filters
from service.search.fulltext.finding import WordQuery
from service.search.queries import Search, WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings
from tests.service.builders import profiles, record
from tests.service.museum import RECORDS, fits

CROWD = tuple(
    record(f"x:{n:03}", f"View {n} of Venice", "Hand", "A boat sails.", str(1800 + n % 9), provider="Kew")
    for n in range(300)
)
"""Items that are much alike, many of them tied."""

ITEMS = (*RECORDS, *CROWD)
TWINS = ("m:03", "m:04")
TYPES: tuple[SimilarityType, ...] = ("general", "author", "time", "location")

FILTERS = (
    Filters(provider=("Tate",)),
    Filters(image=True),
    Filters(first=1700, last=1799),
    Filters(place=("venice",), provider=("Tate", "National Gallery")),
    Filters(provider=("Nobody",)),
)


def brute(recommender: Recommender, question: Question, kind: SimilarityType) -> list[ProposedItem]:
    """All that an answer may hold, best first, as the port promises it."""
    collection = recommender.collection
    records = {item: collection.record(collection.row(item)) for item in collection.ids}
    shunned = {records[item].fields_hash for item in (*question.without, *(s.id for s in question.seeds))}
    every, scores = brute_scores(recommender, question, kind), dict[str, float]()
    for item, one in records.items():
        among = question.among is None or item in question.among
        if one.fields_hash in shunned or not among or not passes(one, question.filters):
            continue
        shunned.add(one.fields_hash)
        if item in every:
            scores[item] = every[item]
    order = sorted(scores, key=lambda item: (-scores[item], item))
    return [
        ProposedItem(item, scores[item], sum(s >= scores[item] for s in scores.values())) for item in order
    ]


def passes(of: Record, filters: Filters) -> bool:
    """Whether an item passes filters; those of the crowd are of their year and of Venice."""
    if not of.id.startswith("x:"):
        return fits(of, filters)
    year = int(of.date[0].text)
    return (
        (not filters.provider or of.provider in filters.provider)
        and filters.image is not True
        and (not filters.place or "venice" in filters.place)
        and (filters.first is None or year >= filters.first)
        and (filters.last is None or year <= filters.last)
    )


def brute_scores(recommender: Recommender, question: Question, kind: SimilarityType) -> dict[str, float]:
    """The joined scores of all items, but those where the type applies to no seed that is wanted."""
    collection, system = recommender.collection, recommender.system
    total, applies = np.zeros(len(collection)), np.zeros(len(collection), dtype=bool)
    for seed in question.seeds:
        query = collection.query(collection.row(seed.id))
        values = collection.pairs(query, np.arange(len(collection)), system.features)
        own = ~system.inapplicable(values)[:, system.position(kind)]
        limited = system.limited(system.raw(values), values)
        total[own] += seed.weight * limited[own, system.position(kind)]
        applies |= own & (seed.weight > 0)
    total /= sum(abs(seed.weight) for seed in question.seeds)
    return {collection.ids[row]: round(float(total[row]), 6) for row in np.flatnonzero(applies).tolist()}


def ids(results: Sequence[ProposedItem]) -> list[str]:
    return [one.id for one in results]


def about(item: str, *types: SimilarityType) -> Question:
    return Question(seeds=(WeightedSeed(item),), types=types or TYPES)


class EngineContract:
    """The promises; ``state`` gives settings whose engine answers over ``ITEMS``."""

    KIND: ClassVar[str]
    """The name of the engine."""

    FEW: ClassVar[Mapping[str, object]] = {}
    """Keys of the engine with which it scores few of the items, where it need not score all."""

    @pytest.fixture
    def index(self, state: Settings) -> Recommender:
        """What answers, looking at as many items as it likes."""
        return open_provider(state)()

    @pytest.fixture
    def few(self, state: Settings) -> Recommender:
        """What answers by few candidates."""
        keys = {**state.index.model_dump(), **self.FEW}
        index = type(state.index).model_validate(keys)
        return open_provider(state.model_copy(update={"index": index}))()

    @pytest.fixture
    def expected(self, state: Settings) -> Recommender:
        """The items there are, for pairs to be compared."""
        return LocalProvider(state, profiles)()

    def test_it_is_chosen_by_its_name(self, state: Settings) -> None:
        assert state.index.kind == self.KIND
        assert chosen(state).about

    def test_the_best_by_their_scores_ties_by_id(self, index: Recommender, expected: Recommender) -> None:
        for item in ("m:01", "m:08", "m:09", "x:005"):
            results = index.index.propose(about(item), 12)
            assert list(results) == list(TYPES)
            for kind, own in results.items():
                same(own, brute(expected, about(item), kind)[:12])

    def test_pages_are_one_list(self, index: Recommender, expected: Recommender) -> None:
        question = about("x:007", "author")
        pages = list[ProposedItem]()
        while page := index.index.propose(replace(question, after=pages[-1] if pages else None), 5)["author"]:
            assert len(page) <= 5
            pages += page
        assert ids(pages) == ids(brute(expected, question, "author"))
        # a place in the order needs no item: what stood there may be gone
        whole = index.index.propose(question, 5)["author"]
        before = ProposedItem("", whole[0].bound)
        assert ids(index.index.propose(replace(question, after=before), 5)["author"]) == ids(whole)

    @pytest.mark.parametrize("filters", FILTERS)
    def test_filters(self, index: Recommender, expected: Recommender, filters: Filters) -> None:
        question = replace(about("m:02", "general", "time"), filters=filters)
        for kind, own in index.index.propose(question, 8).items():
            same(own, brute(expected, question, kind)[:8])

    @pytest.mark.parametrize("weights", [(1.0, 1.0), (2.0, -1.0), (1.0, -0.5, -3.0)])
    def test_several_seeds(
        self, index: Recommender, expected: Recommender, weights: tuple[float, ...]
    ) -> None:
        seeds = tuple(map(WeightedSeed, ("m:01", "m:07", "x:011"), weights))
        question = Question(seeds=seeds, types=TYPES)
        for kind, own in index.index.propose(question, 10).items():
            same(own, brute(expected, question, kind)[:10])

    def test_items_are_left_out_with_their_duplicates(
        self, index: Recommender, expected: Recommender
    ) -> None:
        question = replace(about("m:05", "general"), without=frozenset({"m:04", "m:01"}))
        own = index.index.propose(question, 100)["general"]
        same(own, brute(expected, question, "general")[:100])
        assert not {*TWINS, "m:01", "m:05"} & {*ids(own)}

    def test_of_exact_duplicates_the_first_that_is_allowed(self, index: Recommender) -> None:
        question = about("m:01", "general")

        def twins(question: Question) -> set[str]:
            return {*TWINS} & {*ids(index.index.propose(question, 100)["general"])}

        assert twins(question) == {"m:03"}
        assert twins(replace(question, among=frozenset({"m:04", "m:05"}))) == {"m:04"}
        assert twins(replace(question, filters=Filters(provider=("Example Museum",)))) == {"m:04"}
        # nor is a duplicate of a seed its neighbour
        assert not {*TWINS} & {*ids(index.index.propose(about("m:03", "general"), 100)["general"])}

    def test_an_unknown_item_is_told(self, index: Recommender) -> None:
        with pytest.raises(UnknownItem, match="nothing"):
            index.index.propose(about("nothing"), 3)
        with pytest.raises(UnknownItem, match="nothing"):
            index.index.propose(replace(about("m:01"), without=frozenset({"nothing"})), 3)

    def test_every_tie_is_counted_or_it_is_said(
        self, index: Recommender, few: Recommender, expected: Recommender
    ) -> None:
        for recommender in (index, few):
            for item in ("m:01", "x:005"):
                for kind, own in recommender.index.propose(about(item), 10).items():
                    ranks = {one.id: one.tied_rank for one in brute(expected, about(item), kind)}
                    for at, one in enumerate(own):
                        assert at < one.tied_rank <= ranks[one.id]
                        assert one.tied_rank == ranks[one.id] or not own.counted

    def test_an_answer_without_a_type_is_that_of_all_items_or_is_not_proven(
        self, index: Recommender, few: Recommender, expected: Recommender
    ) -> None:
        whole = Search(seeds=(WeightedSeed("x:005"),), limit=25)
        want = [(one.record.id, one.type) for one in expected.search(whole).neighbours]
        for recommender in (index, few):
            answer = recommender.search(whole)
            assert [(one.record.id, one.type) for one in answer.neighbours] == want or not answer.exact
            assert len(answer.neighbours) == len(want)
        assert index.search(whole).exact

    def test_what_is_not_proven_is_bounded(self, few: Recommender, expected: Recommender) -> None:
        unproven = 0
        for item in ("m:01", "m:08", "x:005"):
            for kind, own in few.index.propose(about(item), 5).items():
                every = brute(expected, about(item), kind)
                scores = {one.id: one.bound for one in every}
                assert [one.bound for one in own] == pytest.approx([scores[one.id] for one in own], abs=1e-6)
                if own.exact:
                    same(own, every[:5], counted=own.counted)
                    continue
                unproven += 1
                assert own.bound is not None
                assert max(scores[one] for one in scores.keys() - {*ids(own)}) <= own.bound + 1e-6
        assert bool(unproven) == bool(self.FEW)

    def test_items_by_their_ids(self, index: Recommender) -> None:
        around = index.index.around("m:03", 4)
        assert [one.id for one in around.records] == ["m:04", "m:05", "m:06", "m:07"]
        assert (around.before, around.previous) == (3, None)
        assert index.index.around("m:09", 4).previous == "m:05"
        assert index.index.around(None, 2).records == [*RECORDS[:2]]
        assert index.index.any_item() in {one.id for one in ITEMS}
        assert len(index.collection) == len(ITEMS)
        assert 0 < index.index.scored() <= len(ITEMS)
        results = index.index.find(WordQuery(query="regatta", sort="id"))
        assert [one.id for one in results.records] == [*TWINS]
        some = WordQuery(query="regatta", sort="id", among=frozenset({TWINS[1], "m:01", "none"}))
        assert [one.id for one in index.index.find(some).records] == [TWINS[1]]

    def test_all_items_at_once_where_all_are_here(self, index: Recommender, expected: Recommender) -> None:
        every = index.index.every_item
        if every is None:
            pytest.skip("the items are not all in this process")
        scores = every.scores(index.collection.row("m:01"), ("general",))["general"]
        for one in brute(expected, about("m:01", "general"), "general"):
            assert scores[index.collection.row(one.id)] == pytest.approx(one.bound, abs=1e-5)

    def test_live_changes_are_in_the_next_answer(self, state: Settings) -> None:
        provider = open_provider(state)
        before, new = provider(), record("n:1", "Approach to Venice", "J. M. W. Turner", date="1844")
        assert not before.holds("n:1")
        with open_writer(state, profiles) as writer:
            writer.put([new, altered(RECORDS[7], title=new.title)])
            writer.delete(["m:06"])
            now, there = provider(), LocalProvider(state, profiles)()
            assert now.item("n:1") == new
            assert not now.holds("m:06")
            assert len(now.collection) == len(ITEMS)
            assert now.mark != before.mark
            for item in ("m:05", "m:08", "n:1"):
                for kind, own in now.index.propose(about(item), 10).items():
                    same(own, brute(there, about(item), kind)[:10])
            with pytest.raises(UnknownItem):
                now.index.propose(about("m:06"), 1)
            writer.put([RECORDS[5], RECORDS[7]])
            writer.delete(["n:1"])
        assert not provider().holds("n:1")
        restored = LocalProvider(state, profiles)()
        own = provider().index.propose(about("m:01", "time"), 5)["time"]
        same(own, brute(restored, about("m:01"), "time")[:5])


def same(own: Results, expected: Sequence[ProposedItem], *, counted: bool = True) -> None:
    """The same items in the same order, with the same scores and, where all are counted, ranks."""
    assert own.exact
    assert ids(own) == ids(expected)
    assert [one.bound for one in own] == pytest.approx([one.bound for one in expected], abs=1e-6)
    if counted:
        assert [one.tied_rank for one in own] == [one.tied_rank for one in expected]
