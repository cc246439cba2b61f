from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.files import Pointer, Synset, WordNetTables
from features.knowledge.wordnet.reader import WordNet
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.profiles.profile import Profile
from features.research.measures.walk import WalkSettings
from features.research.walks.graph import Graph
from features.research.walks.growth import Start
from features.research.walks.walks import Walks, wordnet_walks
from features.research.walks.writer import WalkWriter
from features.research.wikipedia.linking import Link
from ingest.errors import DamagedArtefact, ResourceMissing
from tests.builders import text_profile
from tests.features.measures.columns import Tried, fitted_arrays, occurrences, tried

# a chain of nouns, boat - ship - vessel - thing - church - tower, a verb that derives from the first
# (sailing is what the toy language tags as a verb), and a noun that no relation reaches
NAMES = ("boat", "ship", "vessel", "thing", "church", "tower", "sailing", "lonely")
LINKS = {0: (1, 6), 1: (2,), 2: (3,), 3: (4,), 4: (5,)}
NOUNS = {name: (node,) for node, name in enumerate(NAMES) if name != "sailing"} | {"craft": (0, 1)}


def synset(node: int) -> Synset:
    pointers = tuple(Pointer("@", target, 0, 0) for target in LINKS.get(node, ()))
    return Synset((NAMES[node],), "noun.Tops", pointers, "")


WORDNET = WordNet(
    WordNetTables(
        tuple(f"{node:08}-n" for node in range(len(NAMES))),
        {"n": NOUNS, "v": {"sailing": (6,)}, "a": {}, "r": {}},
        {},
        {"n": {}, "v": {}, "a": {}, "r": {}},
        synset,
        "toy",
    )
)
WORDS = ("boat", "ship", "craft", "vessel", "church", "tower", "sailing", "lonely", "unheard")


class Toy(Resources):
    """A small WordNet, and tables of its walks."""

    def __init__(self, state: Path) -> None:
        super().__init__(ResourceSettings(), state)
        self.__dict__["wordnet"] = WORDNET
        self.__dict__["wordnet_walks"] = wordnet_walks(WORDNET, state)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    return Toy(tmp_path_factory.mktemp("walks"))


DOCUMENT = WalkSettings(measure="walk", graph="wordnet", scope=Scope(form="lemma"))
PAIRWISE = DOCUMENT.model_copy(update={"similarity": "pairwise"})
both = pytest.mark.parametrize("settings", [DOCUMENT, PAIRWISE], ids=["document", "pairwise"])
texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)


def exact(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    """The cosine of the walks from words with weights, in full."""
    starts = np.zeros((len(NAMES), 2))
    for side, words in enumerate((left, right)):
        for word, weight in words.items():
            nodes = NOUNS.get(word, (6,))
            starts[list(nodes), side] += weight / len(nodes) / sum(words.values())
    one, two = Graph(len(WORDNET), WORDNET.arcs()).walk(starts).T
    return float(one @ two / np.sqrt((one @ one) * (two @ two)))


def test_document_is_the_cosine_of_two_walks(toy: Toy) -> None:
    walk = tried([], DOCUMENT, toy)
    # every occurrence is an equal share, and a word shares evenly over its synsets
    results = walk.pair(text_profile("boat boat craft"), text_profile("church vessel"))
    assert results == pytest.approx(exact({"boat": 2, "craft": 1}, {"church": 1, "vessel": 1}), abs=0.003)
    # as UKB does, words outside the graph are left out
    assert walk.pair(text_profile("boat boat craft unheard"), text_profile("church vessel")) == results


def test_pairwise_is_the_average_of_best_matches(toy: Toy) -> None:
    # boat and church have their best matches in ship and tower, those in boat and church;
    # the word that WordNet lacks is 0 to all: (b-s + c-t + 0) / 3 / 2 + (b-s + c-t) / 2 / 2
    ship, tower = exact({"boat": 1}, {"ship": 1}), exact({"church": 1}, {"tower": 1})
    results = tried([], PAIRWISE, toy).pair(text_profile("boat church unheard"), text_profile("ship tower"))
    assert results == pytest.approx((ship + tower) / 6 + (ship + tower) / 4, abs=0.003)


def test_pairwise_counts_a_word_once(toy: Toy) -> None:
    walk = tried([], PAIRWISE, toy)
    one, two = text_profile("boat boat boat church"), text_profile("boat church")
    assert walk.pair(one, text_profile("vessel")) == walk.pair(two, text_profile("vessel"))


def test_a_word_reaches_only_synsets_of_its_part_of_speech(toy: Toy) -> None:
    # the toy language tags what ends in -ing as a verb
    walk = tried([], DOCUMENT, toy)
    assert walk.pair(text_profile("sailing"), text_profile("boat")) == pytest.approx(
        exact({"sailing": 1}, {"boat": 1}), abs=0.003
    )
    nouns = DOCUMENT.model_copy(update={"scope": Scope(form="lemma", tags=("NOUN",))})
    assert isnan(tried([], nouns, toy).pair(text_profile("sailing"), text_profile("boat")))


def test_nothing_to_walk_from_is_nan(toy: Toy) -> None:
    document, pairwise = tried([], DOCUMENT, toy), tried([], PAIRWISE, toy)
    boat = text_profile("boat")
    for text in ("", "unheard", "lonely"):
        assert isnan(document.pair(text_profile(text), boat))
    # pairwise there is a word, which is 0 to every word
    assert pairwise.pair(text_profile("unheard"), boat) == 0
    assert pairwise.pair(text_profile("lonely"), text_profile("lonely")) == 0
    assert isnan(pairwise.pair(text_profile(""), boat))


@both
@given(items=st.lists(texts, max_size=6), query=texts)
def test_it_keeps_the_promises_of_a_measure(
    toy: Toy, settings: WalkSettings, items: list[str], query: str
) -> None:
    profiles = [text_profile(text) for text in items]
    tried(profiles, settings, toy).promises(profiles, text_profile(query))


@both
@given(words=st.lists(st.sampled_from(WORDS[:7]), min_size=1, max_size=6))
def test_an_item_of_known_words_is_1_with_itself(toy: Toy, settings: WalkSettings, words: list[str]) -> None:
    item = text_profile(" ".join(words))
    walk = tried([item], settings, toy)
    assert walk.pair(item, item) == pytest.approx(1)
    assert walk.compare(item) == pytest.approx([1])


@both
@given(left=texts, right=texts)
def test_there_is_evidence_where_the_value_is_above_0(
    toy: Toy, settings: WalkSettings, left: str, right: str
) -> None:
    walk, one, two = tried([], settings, toy), text_profile(left), text_profile(right)
    results = walk.evidence(one, two)
    assert bool(results) == (walk.pair(one, two) > 0)
    assert not results or sum(evidence.share for evidence in results) == pytest.approx(1)


@both
def test_evidence_names_the_partners(toy: Toy, settings: WalkSettings) -> None:
    one, two = text_profile("a church beside a boat"), text_profile("boats of a tower")
    first, second = tried([], settings, toy).evidence(one, two)
    assert [(o.term, o.start, o.end) for o in (*first.left, *first.right)] == [
        ("boat", 18, 22),
        ("boat", 0, 5),
    ]
    assert [o.term for o in (*second.left, *second.right)] == ["church", "tower"]
    assert first.share > second.share


@both
def test_a_question_stores_no_word(tmp_path: Path, settings: WalkSettings) -> None:
    resources = Toy(tmp_path)
    items = [text_profile("boat ship"), text_profile("church")]
    walk = tried(items, settings, resources)
    assert len(resources.wordnet_walks) == 3
    query = text_profile("tower vessel")
    expected = [walk.pair(query, one) for one in items]
    assert len(resources.wordnet_walks) == 3
    assert walk.compare(query) == pytest.approx(expected, abs=1e-6)


@both
def test_a_collection_stays_with_its_tables(tmp_path: Path, settings: WalkSettings) -> None:
    items = [text_profile("boat ship"), text_profile("church")]
    arrays = fitted_arrays(settings.builder(Toy(tmp_path / "one")), items)
    again = Tried(settings.column(arrays, Toy(tmp_path / "one"), {}))
    assert again.compare(items[0])[0] == pytest.approx(1)
    other = Toy(tmp_path / "two")
    WalkWriter(other.wordnet_walks).extend(["church#n"])
    with pytest.raises(DamagedArtefact, match="kindred build"):
        settings.column(arrays, other, {})


def test_articles_are_compared_over_wikipedia(tmp_path: Path) -> None:
    # articles 0 - 1 - 2 - 3 in a chain; every word of digits links to the article of that number
    def start(key: str) -> Start:
        return (int(key),), (1.0,)

    class Digits:
        def links(self, profiles: Sequence[Profile]) -> list[tuple[Link, ...]]:
            every = [occurrences(profile, Scope()) for profile in profiles]
            return [
                tuple(Link(int(each.term), each) for each in results if each.term.isdigit())
                for results in every
            ]

    resources = Resources(ResourceSettings(), tmp_path)
    graph = Graph(4, np.array([[0, 1], [1, 2], [2, 3]]))
    resources.__dict__["linker"] = Digits()
    resources.__dict__["wikipedia_walks"] = Walks(tmp_path, "articles", lambda: graph, start)
    for similarity in ("document", "pairwise"):
        settings = WalkSettings(measure="walk", graph="wikipedia", similarity=similarity)
        walk = tried([], settings, resources)
        near, far = (walk.pair(text_profile("by 0"), text_profile(other)) for other in ("of 1", "of 3"))
        assert 0 < far < near < 1
        # words that link to no article are not counted at all
        assert walk.pair(text_profile("by 0"), text_profile("0")) == pytest.approx(1)
        assert isnan(walk.pair(text_profile("unlinked"), text_profile("0")))


@pytest.mark.parametrize(
    ("graph", "expand"), [("wordnet", "people"), ("wordnet", "hypernyms"), ("wikipedia", "events")]
)
def test_scopes_that_name_no_words_of_the_graph_are_refused(
    graph: Literal["wordnet", "wikipedia"], expand: Literal["people", "hypernyms", "events"]
) -> None:
    with pytest.raises(ValueError, match=f"expand: {expand}"):
        WalkSettings(measure="walk", graph=graph, scope=Scope(also=(Scope(expand=expand),)))


@pytest.mark.parametrize("graph", ["wordnet", "wikipedia"])
def test_it_names_what_it_needs(graph: Literal["wordnet", "wikipedia"]) -> None:
    adapter: TypeAdapter[FeatureSettings] = TypeAdapter(FeatureSettings)
    settings = adapter.validate_python({"measure": "walk", "graph": graph})
    assert settings.needs == (graph,)
    nowhere = Resources(ResourceSettings(wordnet=Path("/nowhere")), Path("/nowhere"))
    with pytest.raises(ResourceMissing):
        settings.builder(nowhere)
    assert nowhere.missing(settings.needs)
