"""The link vectors of the toy Wikipedia's articles; the walk over its links; its document frequencies."""

from math import isnan, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from features.knowledge.resources import Resources
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from features.research.measures.link_vectors import LinkVectors, LinkVectorsSettings
from features.research.measures.walk import WalkSettings
from ingest.errors import DamagedArtefact, ResourceMissing
from tests.builders import NONE, profile, record, text_profile
from tests.features.measures.columns import fitted_arrays, tried
from tests.wikipedia_builders import WithWikipedia, articles, built, dump_texts, packed

SETTINGS = LinkVectorsSettings(measure="link_vectors")
WORDS = ("gondola", "Venice", "Canaletto", "Troy", "Helen of Troy", "Paris", "boat", "nothing")
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" , ".join)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    folder = tmp_path_factory.mktemp("toy")
    wikipedia = built(packed(folder / "dumps", dump_texts()), folder / "wikipedia")
    return WithWikipedia(wikipedia, folder)


@pytest.fixture
def counted(tmp_path: Path) -> Resources:
    texts = {"Coin": "a coin", "Sea": "the sea", "Bay": "sea", "Ship": "sea and coins"}
    files = {"links.tsv": "Coin\tSea\n", "articles.jsonl": articles(texts)}
    lemmas = iter([("coins", "coin")])
    wikipedia = built(packed(tmp_path / "plain", files), tmp_path / "wikipedia", lambda _: lemmas)
    return WithWikipedia(wikipedia, tmp_path)


def numbered(resources: Resources, *titles: str) -> list[int]:
    known = [resources.wikipedia.title(n) for n in range(len(resources.wikipedia))]
    return [known.index(title) for title in titles]


def test_articles_are_alike_that_link_alike(toy: Resources) -> None:
    # t = 11 articles. Gondola links to Venice (2 articles do) and Paris (3), Canaletto to Venice:
    # weights ln(11/2) = 1.7047 and ln(11/3) = 1.2993; cosine 1.7047 / sqrt(1.7047^2 + 1.2993^2) = .7953
    vectors = LinkVectors(toy.wikipedia)
    articles = np.array(numbered(toy, "Gondola", "Canaletto", "Troy", "Back\\slash),('x"), np.int32)
    near = log(11 / 2) / sqrt(log(11 / 2) ** 2 + log(11 / 3) ** 2)
    assert near == pytest.approx(0.7953, abs=5e-5)
    # an article that links to nothing is still like itself
    expected = [[1, near, 0, 0], [near, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert vectors.cosines(articles, articles) == pytest.approx(np.array(expected))


def test_the_best_matches_of_equation_6_7(toy: Resources) -> None:
    # {Gondola, Canaletto} with {Canaletto}: ((.7953 + 1) / 2 + 1) / 2 = .9488
    one, two = text_profile("gondola by Canaletto, Canaletto"), text_profile("Canaletto")
    vectors = tried([one, two], SETTINGS, toy)
    assert vectors.pair(one, two) == pytest.approx(0.9488, abs=5e-5)
    assert vectors.compare(two) == pytest.approx([0.9488, 1.0], abs=5e-5)


def test_evidence_points_at_the_words_of_both_sides(toy: Resources) -> None:
    # Gondola with Canaletto .7953, Helen with Troy: both link to Paris (mythology), one each to the other.
    # Matches are named by the words, the strongest first
    left, right = text_profile("gondola , Troy"), text_profile("Canaletto , Helen of Troy")
    first, second = tried([left, right], SETTINGS, toy).evidence(left, right)
    assert [(e.left[0].term, e.right[0].term) for e in (first, second)] == [
        ("gondola", "Canaletto"),
        ("Troy", "Helen of Troy"),
    ]
    assert first.share > second.share > 0
    assert first.share + second.share == pytest.approx(1.0)
    nothing = text_profile("boat")
    assert tried([left], SETTINGS, toy).evidence(left, nothing) == ()


@given(st.lists(texts, min_size=1, max_size=5), texts)
def test_it_keeps_the_promises_of_a_measure(toy: Resources, items: list[str], query: str) -> None:
    profiles, questions = [text_profile(item) for item in items], text_profile(query)
    vectors = tried(profiles, SETTINGS, toy)
    *named, query_named = map(bool, toy.linker.links([*profiles, questions]))
    unknown = [not (one and query_named) for one in named]
    assert [isnan(value) for value in vectors.promises(profiles, questions)] == unknown
    own = vectors.pair(questions, questions)
    assert own == pytest.approx(1.0) if query_named else isnan(own)


def test_a_collection_that_names_nothing(toy: Resources) -> None:
    vectors = tried([text_profile("boat")], SETTINGS, toy)
    assert np.isnan(vectors.compare(text_profile("gondola"))).all()
    assert isnan(vectors.pair(text_profile("boat"), text_profile("gondola")))


def test_another_wikipedia_is_refused(counted: Resources, tmp_path: Path) -> None:
    files = {"links.tsv": "Sea\tCoin\n", "articles.jsonl": articles({"Sea": "sea"})}
    other = built(packed(tmp_path / "other", files), tmp_path / "other-wikipedia")
    for settings in (SETTINGS, TfidfSettings(measure="tfidf", idf="wikipedia")):
        arrays = fitted_arrays(settings.builder(counted), [text_profile("sea")])
        settings.column(arrays, counted, {})
        with pytest.raises(DamagedArtefact, match="run: kindred build"):
            settings.column(arrays, WithWikipedia(other, tmp_path), {})


def test_without_wikipedia_it_is_missing() -> None:
    assert NONE.missing(SETTINGS.needs) == {"wikipedia": NONE.missing(["wikipedia"])["wikipedia"]}
    with pytest.raises(ResourceMissing, match="run: kindred wikipedia build DIR"):
        SETTINGS.builder(NONE)


# -- the walk over articles ------------------------------------------------------------------------


def test_the_walk_over_links_from_the_persons_of_the_creator(toy: Resources) -> None:
    scope = Scope(parts=("creator",), entities=("person",))
    settings = WalkSettings(measure="walk", graph="wikipedia", scope=scope)
    assert settings.needs == ("wikipedia",)
    one, two = (profile(record("a", "Venice", creator=name)) for name in ("Canaletto", "Paris"))
    walks = tried([one, two], settings, toy)
    assert walks.pair(one, one) == pytest.approx(1.0)
    # both are within two links of Venice, through Gondola
    assert 0.0 < walks.pair(one, two) < 1.0
    assert walks.compare(one) == pytest.approx([1.0, walks.pair(one, two)])
    assert isnan(walks.pair(one, profile(record("b", "Venice"))))
    (evidence,) = walks.evidence(one, two)
    assert (evidence.left[0].term, evidence.right[0].term) == ("Canaletto", "Paris")


def test_the_walk_is_that_of_the_undirected_links(toy: Resources) -> None:
    import networkx

    graph = networkx.Graph(
        (n, int(m)) for n in range(len(toy.wikipedia)) for m in toy.wikipedia.links(n)
    )  # every article of the toy has a link
    canaletto, troy, gondola = numbered(toy, "Canaletto", "Troy", "Gondola")
    exact = []
    for start in (canaletto, gondola):
        rank = networkx.pagerank(graph, alpha=0.85, personalization={start: 1}, max_iter=500, tol=1e-14)
        exact.append(np.array([rank.get(n, 0.0) for n in range(len(toy.wikipedia))]))
    cosine = exact[0] @ exact[1] / np.linalg.norm(exact[0]) / np.linalg.norm(exact[1])
    walks = toy.wikipedia_walks
    ids = walks.ids([str(canaletto), str(gondola), str(troy)])
    assert walks.cosines(ids[:1], ids[1:2])[0, 0] == pytest.approx(cosine, abs=0.004)


# -- Wikipedia's document frequencies --------------------------------------------------------------


def test_idf_of_wikipedia(counted: Resources) -> None:
    # 4 articles: sea in 3, coin as a form in 1, as a lemma in 2, 'zebra' in none, which counts as 1.
    # idf ln(1 + 4/3) = .8473, ln 5 = 1.6094, ln 3 = 1.0986, ln 5
    # forms: 'coin sea' with 'coin': 1.6094 / sqrt(1.6094^2 + .8473^2) = .8849; lemmas 1.0986 / 1.3874 = .7919
    one, two, new = text_profile("coin sea"), text_profile("coin"), text_profile("coin zebra")
    for form, expected in (("form", 0.8849), ("lemma", 0.7919)):
        settings = TypeAdapter(FeatureSettings).validate_python(
            {"measure": "tfidf", "idf": "wikipedia", "scope": {"form": form}}
        )
        cosines = tried([one, two, two], settings, counted)
        assert cosines.pair(one, two) == pytest.approx(expected, abs=5e-5)
        assert cosines.compare(two) == pytest.approx([expected, 1.0, 1.0], abs=5e-5)
        assert cosines.compare(new)[1] == pytest.approx(cosines.pair(new, two))
    assert cosines.pair(new, two) == pytest.approx(log(3) / sqrt(log(3) ** 2 + log(5) ** 2))


def test_idf_of_wikipedia_needs_texts(toy: Resources) -> None:
    settings = TfidfSettings(measure="tfidf", idf="wikipedia")
    assert settings.needs == ("wikipedia_texts",)
    assert toy.missing(["wikipedia", *settings.needs]).keys() == {"wikipedia_texts"}
    with pytest.raises(ResourceMissing, match="without the texts"):
        settings.builder(toy)
    with pytest.raises(ValidationError, match="cannot be combined with expand"):
        TfidfSettings(measure="tfidf", idf="wikipedia", scope=Scope(expand="events"))
