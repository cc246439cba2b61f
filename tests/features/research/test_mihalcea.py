from math import isnan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.resources import Resources, ResourceSettings
from features.profiles.profile import Profile
from features.research.measures.mihalcea import MihalceaSettings
from features.research.wordnet_similarity.measures import SIMILARITIES
from ingest.errors import ResourceMissing
from tests.builders import bag_profile, text_profile
from tests.features.measures.columns import bag, tried

MINI = Resources(ResourceSettings(wordnet=Path(__file__).parents[2] / "data" / "wordnet"), Path("/nowhere"))
EVEN = MihalceaSettings(measure="mihalcea", word="path", weights="none")
RARE = MihalceaSettings(measure="mihalcea", word="path")
WORDS = ["woman", "painter", "girl", "march", "walk", "unheard", "unknown", "!"]
bags = st.lists(st.sampled_from(WORDS), max_size=6).map(bag_profile)
rows = st.builds(
    lambda word, weights: MihalceaSettings(measure="mihalcea", word=word, weights=weights),
    st.sampled_from(sorted(SIMILARITIES)),
    st.sampled_from(["none", "idf"]),
)


def test_equation_2_7() -> None:
    # path of woman and painter 1 / 4, woman and girl 1 / 2, girl and painter 1 / 4 (child - person)
    # {woman, unheard} with {painter}: ((1/4 + 0) / 2 + 1/4) / 2 = .1875
    # with {girl, painter}: ((1/2 + 0) / 2 + (1/2 + 1/4) / 2) / 2 = .3125
    # with {unheard}: ((0 + 1) / 2 + 1) / 2 = .75; with {unknown}: 0
    items = [
        text_profile(text) for text in ("unheard woman", "painter", "painter girl", "unheard", "unknown", "!")
    ]
    values = tried(items, EVEN, MINI).promises(items, items[0])
    assert values == pytest.approx([1, 0.1875, 0.3125, 0.75, 0, float("nan")], nan_ok=True)


def test_with_idf_a_rare_word_weighs_more() -> None:
    # N = 3: woman in 2 items, ln(1 + 3 / 2) = .9163; unheard in 1, ln 4 = 1.3863; painter in 1
    # {woman, unheard} with {painter}: (.9163 x 1/4 / 2.3026 + 1/4) / 2 = .1747
    items = [text_profile(text) for text in ("woman unheard", "painter", "woman")]
    assert tried(items, RARE, MINI).pair(items[0], items[1]) == pytest.approx(0.1747, abs=5e-5)


def test_evidence_names_the_words_that_are_alike() -> None:
    left, right = text_profile("unheard woman"), text_profile("girl unheard")
    results = tried([left, right], EVEN, MINI).evidence(left, right)
    # unheard with itself brings 1/4 + 1/4, woman with girl half of that
    assert [(one.left[0].term, one.right[0].term) for one in results] == [
        ("unheard", "unheard"),
        ("woman", "girl"),
    ]
    assert [one.share for one in results] == pytest.approx([2 / 3, 1 / 3])


@given(st.lists(bags, min_size=1, max_size=6), bags, rows)
def test_it_keeps_the_promises_of_a_measure(
    items: list[Profile], query: Profile, settings: MihalceaSettings
) -> None:
    column = tried(items, settings, MINI)
    column.promises(items, query)
    own = column.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query, settings.scope) else isnan(own)


def test_it_needs_wordnet(tmp_path: Path) -> None:
    assert EVEN.needs == ("wordnet",)
    with pytest.raises(ResourceMissing, match="apt-get install wordnet-base"):
        tried([], EVEN, Resources(ResourceSettings(wordnet=tmp_path), tmp_path))
