from pathlib import Path
from typing import Final, get_args

import numpy as np
import pytest

from features.knowledge.wordnet.reader import WordNet, open_wordnet
from features.research.wordnet_similarity.measures import SIMILARITIES, SynsetMeasure
from features.research.wordnet_similarity.taxonomy import taxonomy
from features.research.wordnet_similarity.words import WordSimilarity
from tests.features.research.test_walk_measure import WORDNET

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
MEASURES: Final[tuple[SynsetMeasure, ...]] = get_args(SynsetMeasure)


def alike(wordnet: WordNet, measure: SynsetMeasure, word: str, other: str) -> float:
    return WordSimilarity(wordnet, measure).of([word], [other]).item()


# woman - female - person - painter: 3 steps; person is the 4th node below entity, object and living_thing;
# the longest way has 6 steps: girl, woman, female, person, living_thing, object, entity.
# The 46 nouns count 88: 46 + 42 tagged. Woman counts 1 + 20, and 1 + 8 for the girl below it: ln(88 / 30) =
# 1.0761. Painter and Turner below it count 2: ln(88 / 2) = 3.7842. Person counts 1 + female 1 + 30 + female
# child 1 + 5 + child 1 + 2 = 41: ln(88 / 41) = .7638. The most is ln 88 = 4.4773
@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("path", 1 / 4),
        ("lch", 1.0986 / 2.4849),  # -ln(4 / 12) of ln 12
        ("wup", 8 / 11),  # 2 x 4 / (2 x 4 + 3)
        ("res", 0.7638 / 4.4773),
        ("lin", 2 * 0.7638 / (1.0761 + 3.7842)),
        ("jcn", 1 / (1 + 1.0761 + 3.7842 - 2 * 0.7638)),
        ("li", 0.5488 * 0.8741),  # exp(-.2 x 3) tanh(.45 x 3)
    ],
)
def test_woman_and_painter_of_the_miniature(mini: WordNet, measure: SynsetMeasure, expected: float) -> None:
    assert alike(mini, measure, "woman", "painter") == pytest.approx(expected, abs=5e-5)


def test_all_verbs_stand_below_one_root(mini: WordNet) -> None:
    # march - walk - root - be - contain: 1 and 4 steps; walk is the second node
    assert alike(mini, "path", "march", "walk") == pytest.approx(1 / 2)
    assert alike(mini, "path", "march", "contain") == pytest.approx(1 / 5)
    assert alike(mini, "wup", "march", "walk") == pytest.approx(4 / 5)
    # of ring and ringlet, each above the other, ringlet is 1 step away and the root 2
    assert alike(mini, "path", "ring", "walk") == pytest.approx(1 / 4)
    # nothing is shared but the root, which says nothing
    assert [alike(mini, measure, "march", "contain") for measure in ("res", "lin")] == [0, 0]


def test_the_nearest_senses_count(mini: WordNet) -> None:
    # girl is a young woman, 1 step from woman, and a female child, 1 step from child
    assert WordSimilarity(mini, "path").of(["girls"], ["woman", "child"]).tolist() == [[0.5, 0.5]]
    # parade is a noun below event and a verb, the same as march
    assert alike(mini, "path", "parade", "march") == 1


def test_a_word_outside_wordnet_is_0_to_all_but_itself(mini: WordNet) -> None:
    for measure in MEASURES:
        values = WordSimilarity(mini, measure).of(["unheard", "woman"], ["woman", "unheard", "unknown"])
        assert values.tolist() == [[0, 1, 0], [1, 0, 0]]
    assert WordSimilarity(mini, "wup").of([], ["woman"]).shape == (0, 1)


def test_a_term_may_be_a_synset(mini: WordNet) -> None:
    woman, painter = (mini.names[mini.senses(word, "n")[0]] for word in ("woman", "painter"))
    assert alike(mini, "path", woman, painter) == 1 / 4
    assert alike(mini, "path", "99999999-n", painter) == 0


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("wordnet", [open_wordnet(MINIATURE), WORDNET], ids=["miniature", "toy"])
def test_values_of_all_words_are_symmetric_and_in_range(measure: SynsetMeasure, wordnet: WordNet) -> None:
    words = sorted({word for node in range(len(wordnet)) for word in wordnet.words(node)})
    values = WordSimilarity(wordnet, measure).of(words, words)
    assert values == pytest.approx(values.T, abs=1e-12)
    assert ((values >= 0) & (values <= 1 + 1e-12)).all()
    assert (values.diagonal() == 1).all()
    # two words of one synset are 1, but by Resnik, who asks how much they say
    # and by Li, who asks how deep they lie
    if measure not in ("res", "li") and wordnet is not WORDNET:
        pair = WordSimilarity(wordnet, measure).of(["person"], ["someone"])
        assert pair == pytest.approx(np.ones((1, 1)))


def test_figures_are_words(real: WordNet) -> None:
    # 20 and twenty are words of one synset
    assert alike(real, "path", "20", "twenty") == 1


def test_dog_and_cat_of_the_real_wordnet(real: WordNet) -> None:
    # the values that WordNet::Similarity and NLTK are known by: path .2, Wu and Palmer .8571, Leacock and
    # Chodorow 2.0281 of ln 38
    assert alike(real, "path", "dog", "cat") == pytest.approx(0.2)
    assert alike(real, "wup", "dog", "cat") == pytest.approx(0.8571, abs=5e-5)
    assert alike(real, "lch", "dog", "cat") * np.log(38) == pytest.approx(2.0281, abs=1e-4)
    assert taxonomy(real).deepest.tolist() == [19, 13]


@pytest.mark.parametrize("measure", MEASURES)
def test_cathedrals_are_more_like_churches_than_trumpets(real: WordNet, measure: SynsetMeasure) -> None:
    assert set(MEASURES) == set(SIMILARITIES)
    cathedral, trumpet = WordSimilarity(real, measure).of(["church"], ["cathedral", "trumpet"])[0]
    assert cathedral > trumpet
