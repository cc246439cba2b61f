"""What is kept in memory is bounded, whatever clients send."""

import functools
import gc
from pathlib import Path

import numpy as np
from fastapi.testclient import TestClient

from features.collection.build import in_memory
from features.collection.delta import DeltaBlocks, PutItem
from features.knowledge.resources import Resources, ResourceSettings
from features.measures.registry import FeatureSettings
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.search.engines.local.index import LocalIndex
from service.search.engines.port import Question
from service.search.queries import WeightedSeed
from service.search.recommender import Recommender
from service.settings import Settings
from service.web.api.app import create_app
from tests.builders import RECORDS, features, fitted, items, profile, profiles, random_system, record

WORDNET = Resources(
    ResourceSettings(wordnet=Path(__file__).parents[1] / "data" / "wordnet"), Path("/nowhere")
)
READING = features(
    places={"measure": "places"},
    people={"measure": "overlap", "scope": {"parts": ["title"], "expand": "people"}},
    happening={"measure": "overlap", "scope": {"parts": ["title"], "expand": "events"}},
    kinds={"measure": "overlap", "scope": {"parts": ["title"], "expand": "hypernyms"}},
    located={"measure": "tfidf", "scope": {"parts": ["title"], "expand": "places"}},
    names={"measure": "names"},
    years={"measure": "years", "reading": "covered"},
)
"""Features that look up the words of a record."""


def unbounded() -> dict[str, int]:
    """How many results each cache without a bound keeps, of all caches in the process."""
    gc.collect()  # what earlier tests left may go at any moment
    caches = [one for one in gc.get_objects() if type(one) is type(functools.cache(len))]
    infos = {f"{one.__wrapped__} {id(one)}": one.cache_info() for one in caches}
    return {name: info.currsize for name, info in infos.items() if info.maxsize is None}


def over(declared: dict[str, FeatureSettings]) -> Recommender:
    collection = in_memory(items(RECORDS), declared, WORDNET)
    line = Weighted(np.ones((len(declared), len(OFFICIAL))), np.zeros(len(OFFICIAL)))
    system = System("reading", tuple(declared), line)
    return Recommender(LocalIndex(collection, system), system, profiles)


def test_what_strangers_send_to_be_scored_is_not_kept_without_bound(settings: Settings) -> None:
    with TestClient(create_app(over(READING), settings)) as client:

        def score(n: int) -> None:
            """Ask about words, names and dates that nobody asked about before."""
            titles = [" ".join(f"Q{n}x{word} of Z{n}y{word}" for word in range(100))] * 2
            left, right = (
                {"title": [title], "creator": [f"Ada {side}{n}"], "date": [f"about {n} or {side}"]}
                for side, title in zip("ab", titles, strict=True)
            )
            assert client.post("/score", json={"left": left, "right": right}).status_code == 200

        score(1)  # what is the same for all texts is read
        before = unbounded()
        score(2)
        assert before
        assert unbounded() == before


def test_profiles_that_were_replaced_are_let_go() -> None:
    blocks = DeltaBlocks()
    staying = {f"stays {n}".encode(): profile(record(f"s:{n}", f"Boat {n}")) for n in range(3)}
    for n in range(1000):
        read, places = blocks.read({**staying, b"put %d" % n: profile(record("p:1", f"Version{n}"))})
        assert sum(map(len, read)) == len(places) <= 2 * (len(staying) + 1)
        assert {"stays 0", f"put {n}"} <= {key.decode() for key in places}
        assert len(read[0].words.forms) < 50 > len(read[0].lexicon)


def test_answers_are_the_same_however_often_an_item_was_put() -> None:
    declared = features(all={"measure": "tfidf"}, names={"measure": "names"})
    system = random_system(1, tuple(declared))

    def answers(index: LocalIndex) -> object:
        return [
            index.propose(Question(seeds=(WeightedSeed(item),), types=OFFICIAL), 5) for item in ("t:2", "t:9")
        ]

    often, once = (LocalIndex(fitted(RECORDS, declared), system) for _ in range(2))
    for n in range(1000):
        one = record("t:9", f"Boats in Venice, state {n}", creator="Ada Reed")
        often.put([PutItem(one, profile(one))], n)
        assert len(often.collection) == len(RECORDS) + 1
    once.put([PutItem(one, profile(one))], n)
    assert answers(often) == answers(once)
