from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.selections import ScopeReader
from features.profiles.profile import Profile
from features.research.measures.vectors import VectorsBuilder, VectorsColumn, VectorsSettings
from features.research.word_vectors import word_vectors
from features.text.language import ENGLISH
from ingest.errors import DamagedArtefact, LanguageModelError
from tests.builders import NONE, bag_profile, text_profile
from tests.features.measures.columns import Tried, bag, fitted_arrays, tried
from tests.features.research.toy_vectors import TOY

PLAIN = VectorsSettings(measure="vectors")
RARE = VectorsSettings(measure="vectors", weights="idf")
bags = st.lists(st.sampled_from(["sea", "ocean", "horse", "unheard", "!"]), max_size=6).map(bag_profile)
collections = st.lists(bags, min_size=1, max_size=6)
rows = st.sampled_from([PLAIN, RARE])


def column(profiles: list[Profile], settings: VectorsSettings = PLAIN) -> Tried:
    reader = ScopeReader(settings.scope, NONE)
    arrays = fitted_arrays(VectorsBuilder(settings, reader, TOY), profiles)
    return Tried(VectorsColumn(settings, reader, arrays, TOY))


def test_the_cosine_of_summed_vectors() -> None:
    # "sea ocean" = (2, 0) + (3, 4) = (5, 4), length sqrt 41; "horse" = (0, 1): 4 / sqrt 41 = .6247
    # "sea sea" = (4, 0): 5 / sqrt 41 = .7809; "against" = (-1, 0): -.7809, cut to 0
    items = [text_profile(text) for text in ("sea ocean", "horse", "sea sea", "against", "unheard")]
    cosines = column(items)
    expected = [1.0, 0.6247, 0.7809, 0.0, float("nan")]
    assert cosines.compare(items[0]) == pytest.approx(expected, abs=5e-4, nan_ok=True)
    assert [cosines.pair(items[0], item) for item in items] == pytest.approx(expected, abs=5e-4, nan_ok=True)


def test_with_idf_a_rare_word_weighs_more() -> None:
    # N = 3: sea in 3 items, ln 2 = .6931; horse in 1, ln 4 = 1.3863
    # "sea horse" = (2 x .6931, 1.3863) = (1.3863, 1.3863): with "sea" 1 / sqrt 2; without idf 2 / sqrt 5
    items = [text_profile(text) for text in ("sea horse", "sea", "sea")]
    assert column(items, RARE).pair(items[0], items[1]) == pytest.approx(0.7071, abs=5e-4)
    assert column(items).pair(items[0], items[1]) == pytest.approx(0.8944, abs=5e-4)


def test_evidence_names_the_words_that_are_alike() -> None:
    left, right = text_profile("horse by sea"), text_profile("ocean")
    (results,) = column([left, right]).evidence(left, right)
    # ocean (3, 4) with sea (2, 0): 6, with horse (0, 1): 4
    assert [(one.term, one.start) for one in results.left] == [("sea", 9)]
    assert [one.term for one in results.right] == ["ocean"]
    assert results.share == 1.0
    assert column([left]).evidence(text_profile("sea"), text_profile("against")) == ()


@given(collections, bags, rows)
def test_it_keeps_the_promises_of_a_measure(
    items: list[Profile], query: Profile, settings: VectorsSettings
) -> None:
    cosines = column(items, settings)
    cosines.promises(items, query)
    known, own = bag(query, settings.scope).keys() & TOY.row.keys(), cosines.pair(query, query)
    assert own == pytest.approx(1.0) if known else isnan(own)


def test_a_collection_built_with_other_vectors_is_refused() -> None:
    reader = ScopeReader(PLAIN.scope, NONE)
    arrays = VectorsBuilder(PLAIN, reader, TOY).arrays()
    with pytest.raises(DamagedArtefact, match="kindred build"):
        VectorsColumn(PLAIN, reader, arrays, replace(TOY, digest=b"other"))


def test_the_vectors_that_come_with_kindred_know_what_words_are_about() -> None:
    items = [text_profile(text) for text in ("church", "cathedral", "trumpet")]
    scores = tried(items, PLAIN).compare(items[0])
    assert scores[0] == pytest.approx(1.0)
    assert scores[1] > scores[2]


def test_vectors_that_were_altered_are_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("models")
    (folder / "manifest.json").write_bytes((ENGLISH / "manifest.json").read_bytes())
    with pytest.raises(LanguageModelError, match="cannot be read"):
        word_vectors(folder)
    (folder / "vectors.pt").write_bytes(b"something else")
    with pytest.raises(LanguageModelError, match="checksum"):
        word_vectors(folder)


def test_every_word_has_its_own_vector() -> None:
    vectors = word_vectors()
    assert len(vectors.row) == len(vectors.vectors)
    assert np.linalg.norm(vectors.of(vectors.rows(["sea"]))) > 0
