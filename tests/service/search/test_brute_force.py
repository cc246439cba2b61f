"""Search finds what comparing every pair, one after the other, and sorting would find."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace as altered
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built, pair_values
from features.collection.delta import PutItem
from features.knowledge.resources import Resources
from features.profiles.blocks import Block
from features.profiles.dated import dated
from features.profiles.profile import EVERYWHERE, Profile, encode
from ingest.record import Record, values
from models.regressors.curves import Curve, joined
from models.systems import System
from models.types import OFFICIAL, SimilarityType
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import ProposedItem, Question
from service.search.facets import Filters
from service.search.queries import WeightedSeed
from tests.builders import FEATURES, NONE, profile, random_system, record
from tests.environment import tries
from tests.measured import NAMES, collection_of, collections, seen, toy_resources


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    return toy_resources(tmp_path_factory.mktemp("toy"))


def curved(seed: int, names: Sequence[str], gate: str | None, both: str | None) -> System:
    """An additive system of random curves, up and down; ``gate`` is 0 where people do not apply.

    ``both`` says of people and of time how surely both items have anything.
    """
    numbers = np.random.default_rng(seed)

    def curve() -> Curve:
        grid = np.unique(numbers.random(4).round(1))
        grid = grid if len(grid) > 1 else np.array([0.0, 1.0])
        return Curve(grid, numbers.normal(0, 1, len(grid)), float(numbers.normal(0, 0.5)))

    shapes = joined([[curve() for _ in names] for _ in OFFICIAL], numbers.uniform(0, 2, len(OFFICIAL)))
    own = {"people": both, "time": both} if both else {}
    return System("curved", tuple(names), shapes, {"people": gate} if gate else {}, both=own)


SYSTEMS = st.builds(
    curved,
    st.integers(0, 1000),
    st.just(NAMES),
    st.sampled_from([None, "names", "presence"]),
    st.sampled_from([None, "presence", "known"]),
)
SYSTEMS |= st.builds(random_system, st.integers(0, 1000), st.just(NAMES), st.sampled_from([0.0, 0.4]))


class Items:
    """The items there are, by their ids in order, and what a system makes of their pairs."""

    def __init__(self, built: Built, items: dict[str, tuple[Record, Profile]], system: System) -> None:
        self.system, self.ids = system, sorted(items)
        self.records = [items[item][0] for item in self.ids]
        self.profiles = [items[item][1] for item in self.ids]
        block, size = Block(self.profiles), range(len(items))
        values = pair_values(
            built.columns, built.manifest.features, block, product(size, size), system.features
        )
        limited = system.limited(system.raw(values), values)
        self.raw = np.where(system.inapplicable(values), -np.inf, limited)
        self.raw = self.raw.reshape(len(size), len(size), len(OFFICIAL))

    def best(self, question: Question, kind: SimilarityType, number: int) -> list[ProposedItem]:
        """The answer to a question, by scoring every item and sorting."""
        rows = [self.ids.index(seed.id) for seed in question.seeds]
        gone = {self.records[row].fields_hash for row in rows}
        gone |= {self.records[self.ids.index(item)].fields_hash for item in question.without}
        proposed = []
        for row, (item, of, seen_) in enumerate(zip(self.ids, self.records, self.profiles, strict=True)):
            if question.among is not None and item not in question.among:
                continue
            if of.fields_hash in gone or not fits(question.filters, of, seen_):
                continue
            gone.add(of.fields_hash)
            scores = [self.raw[seed, row, self.system.position(kind)] for seed in rows]
            score = weighed(question.shares, scores)
            if score is not None:
                proposed.append(ProposedItem(item, round(score, 6)))
        proposed.sort(key=order)
        return [one for one in proposed if question.after is None or order(one) > order(question.after)][
            :number
        ]


def weighed(shares: Sequence[float], scores: Sequence[float]) -> float | None:
    """The score for several seeds, None where the type applies to none that is wanted."""
    answer = [(share, score) for share, score in zip(shares, scores, strict=True) if score > -np.inf]
    if not any(share > 0 for share, _ in answer):
        return None
    return float(sum(share * score for share, score in answer))


def order(one: ProposedItem) -> tuple[float, str]:
    return -one.bound, one.id


def fits(filters: Filters, of: Record, seen_: Profile) -> bool:
    """Whether an item is one of those that filters let through."""
    names = {value.text.lower() for value in of.places}
    names |= {one.text.lower() for value in seen_.values for one in value.mentions if one.kind == "location"}
    spans = [(one.first, one.last) for one, _ in dated(seen_, ("date",), EVERYWHERE)]
    first, last = filters.first or -9999, filters.last or 9999
    return (
        (not filters.provider or of.provider in filters.provider)
        and (filters.image is None or filters.image == (of.image is not None))
        and (not filters.place or any(name.lower() in names for name in filters.place))
        and (
            (filters.first, filters.last) == (None, None)
            or any(span[0] <= last and span[1] >= first for span in spans)
        )
    )


def close(ours: list[ProposedItem], theirs: list[ProposedItem]) -> None:
    assert [one.id for one in ours] == [one.id for one in theirs]
    assert [one.bound for one in ours] == pytest.approx([one.bound for one in theirs], abs=2e-6)


FILTERS = st.builds(
    Filters,
    provider=st.sampled_from([(), (), ("Tate",), ("Tate", "Kew")]),
    image=st.sampled_from([None, None, True, False]),
    place=st.sampled_from([(), (), ("venice",)]),
    first=st.sampled_from([None, 1841]),
    last=st.sampled_from([None, 1845]),
)
WEIGHTS = st.sampled_from([1.0, 1.0, 0.3, 2.0, -0.5, -2.0])


@st.composite
def questions(draw: st.DrawFn, ids: Sequence[str]) -> Question:
    """Seeds of which the first is wanted, and what to leave out."""
    some = st.frozensets(st.sampled_from(ids))
    chosen = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True))
    return Question(
        seeds=(WeightedSeed(chosen[0]), *(WeightedSeed(item, draw(WEIGHTS)) for item in chosen[1:])),
        types=OFFICIAL,
        filters=draw(st.just(Filters()) | FILTERS),
        without=draw(st.just(frozenset[str]()) | some),
        among=draw(st.none() | some),
    )


@tries(40)
@given(data=st.data(), records=collections(), system=SYSTEMS, number=st.integers(1, 5))
def test_search_finds_what_scoring_every_pair_finds(
    toy: Resources, data: st.DataObject, records: list[Record], system: System, number: int
) -> None:
    built = collection_of(records, toy)
    index, there = LocalIndex(built, system), {one.id: (one, seen(one)) for one in records}
    ask(data, index, Items(built, there, system), number)
    # some items go, some change and some come; the statistics stay
    for item in data.draw(st.sets(st.sampled_from([*there]), max_size=len(there) - 1)):
        index.delete([item], 2)
        del there[item]
    for new in data.draw(collections(least=1, most=4)):
        item = data.draw(st.sampled_from([new.id, f"x{new.id}"]))
        there[item] = (replace(new, id=item), seen(new))
        index.put([PutItem(*there[item])], 3)
    assert len(index.collection) == len(there)
    ask(data, index, Items(built, there, system), number)


def ask(data: st.DataObject, index: LocalIndex, items: Items, number: int) -> None:
    """Ask for all types at once, then for one page by page."""
    question = data.draw(questions(items.ids))
    results = index.propose(question, number)
    for kind in OFFICIAL:
        close(results[kind], items.best(question, kind, number))
    kind = data.draw(st.sampled_from(OFFICIAL))
    pages, after = list[ProposedItem](), None
    while page := index.propose(altered(question, types=(kind,), after=after), number)[kind]:
        pages, after = pages + page, page[-1]
    close(pages, items.best(question, kind, len(items.ids)))


MARKS = 525
"""Copies of each of forty records; a source of signs, which are no words, makes no two of them duplicates."""


def test_many_items_are_searched_by_threads_while_they_change() -> None:
    draw = np.random.default_rng(3)
    fields = product(
        ("boats in Venice", "Ada Reed sailing", "!", "a view of Bath"),
        ("", "Reed, Ada", "Hall, Tom"),
        ("", "1840", "1843", "19th century"),
        ("", "boats", "canals|boats"),
    )
    every = [
        record(f"t:{n:03}", title, creator=creator, date=date, subject=subject)
        for n, (title, creator, date, subject) in enumerate(fields)
    ]
    some: list[Record] = [every[n] for n in np.sort(draw.choice(len(every), 40, replace=False)).tolist()]
    profiles = [profile(one) for one in some]
    encoded, ids = [encode(one) for one in profiles], [f"m:{n:05}" for n in range(len(some) * MARKS)]

    def copied(n: int) -> Record:
        source = values("".join("!?"[int(bit)] for bit in f"{n // len(some):010b}"))
        return replace(some[n % len(some)], id=ids[n], source=source, provider="Tate" if n % 7 else "Kew")

    items = [AnalysedItem(copied(n), encoded[n % len(some)]) for n in range(len(ids))]
    built = in_memory(items, FEATURES, NONE)
    system = random_system(5)
    index, changing = LocalIndex(built, system), ids[len(some) + 7]
    known = Items(built, {one.id: (one, seen_) for one, seen_ in zip(some, profiles, strict=True)}, system)

    def expected(question: Question, kind: SimilarityType) -> list[ProposedItem]:
        seeds = [ids.index(seed.id) for seed in question.seeds]
        raw = [known.raw[seed % len(some), :, system.position(kind)] for seed in seeds]
        scores = [weighed(question.shares, [one[n] for one in raw]) for n in range(len(some))]
        return sorted(
            (
                ProposedItem(item, round(score, 6))
                for n, item in enumerate(ids)
                if n not in seeds and (score := scores[n % len(some)]) is not None
                if not question.filters.given or n % 7 == 0
            ),
            key=order,
        )

    def right(n: int) -> None:
        kind, first = OFFICIAL[n % len(OFFICIAL)], int(draws[n])
        question = Question(
            seeds=(WeightedSeed(ids[first]), WeightedSeed(ids[first // 2], -0.4))[: 1 + n % 2],
            types=(kind,),
            filters=Filters(provider=("Kew",)) if n % 3 == 0 else Filters(),
        )
        every = expected(question, kind)
        question = altered(question, after=every[900] if n % 4 == 0 else None)
        results = index.propose(question, 700)[kind]
        behind = [one for one in every if question.after is None or order(one) > order(question.after)]
        # the item that comes and goes may be there or not
        wanted = [one for one in behind if one.id != changing or one.id in {each.id for each in results}]
        close(results, wanted[:700])

    draws = draw.integers(0, len(ids), 24)
    assert ids.index(changing) not in {*draws, *(draws // 2)}
    with ThreadPoolExecutor(6) as threads:
        searches = [threads.submit(right, n) for n in range(len(draws))]
        for n in range(10):
            if n % 2:
                at = ids.index(changing)
                index.put([PutItem(copied(at), profiles[at % len(some)])], n)
            else:
                index.delete([changing], n)
        for one in searches:
            one.result()
