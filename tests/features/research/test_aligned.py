"""Words that stand for each other: the aligner, its share, paraphrases and boosted vectors, by hand."""

from math import exp, isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.reader import WordNet
from features.profiles.profile import Profile
from features.research.antonyms import Antonyms
from features.research.boosted_vectors import BoostedVectors
from features.research.measures.aligned import AlignedSettings
from features.research.measures.alignment import AlignedWords, TaggedWord, align
from features.research.measures.penalised import PenalisedSettings
from features.research.paraphrases import Paraphrases
from features.research.word_vectors import VectorSimilarity
from tests.builders import text_profile
from tests.features.measures.columns import bag, tried
from tests.features.research.toy_vectors import TOY

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
MINI = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
SHARE = AlignedSettings(measure="aligned")
WORDS = ["Girl", "woman", "young_woman", "march", "Parade", "the", "unheard", "!"]
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(lambda words: text_profile(" ".join(words) or "!"))


def words(text: str) -> list[TaggedWord]:
    """Words with their tags, as 'small/ADJ boat'; nouns where there is none."""
    pairs = (word.partition("/") for word in text.split())
    return [TaggedWord(term, tag or "NOUN") for term, _, tag in pairs]


def test_words_of_one_synset_and_derived_ones_are_paraphrases(mini: WordNet) -> None:
    alike = Paraphrases(mini).of(["girl", "march", "unheard"], ["young_woman", "parade", "unheards"])
    # girl and young woman are one synset, and march and parade another; a letter more is a spelling
    assert alike.tolist() == [[0.9, 0, 0], [0, 0.9, 0], [0, 0, 1]]


def test_vectors_are_raised_by_what_wordnet_says(mini: WordNet) -> None:
    boosted = BoostedVectors(VectorSimilarity(TOY), mini)
    # of these words no vector is known: a synset, a step up, and nothing
    assert boosted.of(["girl"], ["young_woman", "woman", "storm"])[0] == pytest.approx(
        [0.5, exp(-0.25) / 2, 0.0]
    )
    # sea and ocean have .6 by vectors, and stand in no relation here
    assert boosted.of(["sea"], ["ocean"]).item() == pytest.approx(0.6)


def test_antonyms_hold_both_ways(real: WordNet) -> None:
    antonyms = Antonyms(real)
    assert antonyms.has("wet", "dry")
    assert antonyms.has("dries", "wet")
    assert not antonyms.has("wet", "damp")


def test_a_run_of_equal_words_comes_first(mini: WordNet) -> None:
    # 'the girl' is a run with a content word; the second girl is free for the young woman
    left, right = words("the/DET girl girl"), words("young_woman the/DET girl")
    pairs = align(left, right, Paraphrases(mini))
    assert pairs == [AlignedWords(0, 1, 1), AlignedWords(1, 2, 1), AlignedWords(2, 0, 0.9)]


def test_closed_words_alone_are_no_run(mini: WordNet) -> None:
    assert align(words("the/DET girl"), words("the/DET storm"), Paraphrases(mini)) == []


def test_an_abbreviation_stands_for_names(mini: WordNet) -> None:
    left, right = words("us/PROPN storm"), words("united/PROPN states/PROPN")
    assert align(left, right, Paraphrases(mini)) == [AlignedWords(0, 0, 1)]
    assert align(right, left, Paraphrases(mini)) == [AlignedWords(0, 0, 1)]


def test_neighbours_settle_which_of_two_words_is_meant(mini: WordNet) -> None:
    # either girl may be the young woman; beside the second stands a parade, as on the other side
    left = words("girl a/DET b/DET c/DET d/DET girl march/VERB")
    pairs = align(left, words("young_woman parade/VERB"), Paraphrases(mini))
    assert [(pair.left, pair.right) for pair in pairs] == [(5, 0), (6, 1)]


def test_the_share_of_aligned_content_words() -> None:
    # girl with itself, and young woman with nothing else: 2 of 3 content words
    ours, theirs = text_profile("girl"), text_profile("girl storm")
    assert tried([ours], SHARE, MINI).pair(ours, theirs) == pytest.approx(2 / 3)
    harmonic = SHARE.model_copy(update={"kind": "harmonic"})
    assert tried([ours], harmonic, MINI).pair(ours, theirs) == pytest.approx(2 * 1 * 0.5 / 1.5)


def test_a_negation_on_one_side_makes_it_0() -> None:
    opposed = SHARE.model_copy(update={"opposed": "zero"})
    ours, theirs = text_profile("girl"), text_profile("never girl")
    assert tried([ours], opposed, MINI).pair(ours, theirs) == 0
    assert tried([ours], opposed, MINI).pair(theirs, theirs) == 1


def test_evidence_is_the_aligned_words() -> None:
    ours, theirs = text_profile("girl storm"), text_profile("young_woman storm")
    pieces = tried([ours], SHARE, MINI).evidence(ours, theirs)
    named = [(piece.left[0].term, piece.right[0].term) for piece in pieces]
    assert named == [("storm", "storm"), ("girl", "young_woman")]
    assert [piece.share for piece in pieces] == pytest.approx([1 / 1.9, 0.9 / 1.9])


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_the_aligned_share_is_a_measure(items: list[Profile], query: Profile) -> None:
    column = tried(items, SHARE, MINI)
    column.promises(items, query)
    own = column.pair(query, query)
    assert isnan(own) or own == pytest.approx(1.0)


PENALISED = PenalisedSettings(measure="penalised", word="paraphrases", weights="none")


def test_badly_aligned_words_cost() -> None:
    # girl is a young woman, .9; storm has no match and costs .5: the left side (.9 - .5) / 2, the right .9
    ours, theirs = text_profile("girl storm"), text_profile("young_woman")
    assert tried([ours], PENALISED, MINI).pair(ours, theirs) == pytest.approx((0.2 + 0.9) / 2)


@given(st.lists(texts, min_size=1, max_size=4), texts)
def test_align_and_penalize_is_a_measure(items: list[Profile], query: Profile) -> None:
    column = tried(items, PENALISED, MINI)
    column.promises(items, query)
    own = column.pair(query, query)
    assert own == pytest.approx(1.0) if bag(query, PENALISED.scope) else isnan(own)


def test_nothing_is_aligned_with_an_empty_text(mini: WordNet) -> None:
    assert align([], words("girl"), Paraphrases(mini)) == []
    assert BoostedVectors(VectorSimilarity(TOY), mini).of([], ["girl"]).shape == (0, 1)
    assert np.isfinite(Paraphrases(mini).of(["girl"], [])).all()
