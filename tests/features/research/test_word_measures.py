"""Words compared over all relations of WordNet, by glosses, as numbers and by vectors, worked out by hand."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.knowledge.resources import Resources, ResourceSettings
from features.knowledge.wordnet.reader import WordNet
from features.research.measures.mihalcea import MihalceaSettings
from features.research.numbers import NumberSimilarity, number_of
from features.research.wordnet_similarity.extended_lesk import ExtendedLesk, overlap
from features.research.wordnet_similarity.hirst_st_onge import HirstStOnge
from features.research.wordnet_similarity.relatedness import WordRelatedness
from tests.builders import text_profile
from tests.features.measures.columns import tried

MINIATURE = Path(__file__).parents[2] / "data" / "wordnet"
MINI = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))


def test_hirst_and_st_onge_count_relations_and_turns(mini: WordNet) -> None:
    related = HirstStOnge(mini)
    # girl - woman: one relation up, 8 - 1 = 7 of 16; painter - person - living_thing: two, 8 - 2 = 6
    assert related.of(["girl"], ["woman", "girl", "unheard"]).tolist() == [[7 / 16, 1, 0]]
    assert related.of(["painter"], ["living_thing"]).item() == 6 / 16


def test_antonyms_and_parts_are_related_in_the_real_wordnet(real: WordNet) -> None:
    related = HirstStOnge(real)
    # a relation across is a strong one; a trunk is a part of a tree, one relation
    assert related.of(["wet"], ["dry"]).item() == 1
    assert related.of(["trunk"], ["tree"]).item() == 7 / 16
    # dog - canine - carnivore - feline - cat: four relations and one turn, 8 - 4 - 1 = 3
    assert related.of(["dog"], ["cat"]).item() == 3 / 16
    # nothing above both is within five relations
    assert related.of(["parsley"], ["treaty"]).item() == 0


def test_runs_of_words_count_by_their_squares() -> None:
    one, other = ["paper", "that", "is", "specially", "prepared"], ["specially", "prepared", "paper"]
    # specially prepared: 2 x 2, and paper: 1
    assert overlap(tuple(one), tuple(other)) == 5
    # a run does not begin or end with a word of a closed class, and each word is used once
    assert overlap(("of", "the", "sea"), ("of", "the", "sea")) == 1
    assert overlap(("sea", "sea"), ("sea",)) == 1
    assert overlap((), ("sea",)) == overlap(("of",), ("of",)) == 0


def test_glosses_relate_what_no_ancestor_does(real: WordNet) -> None:
    related = ExtendedLesk(real)
    values = related.of(["knife"], ["blade", "treaty", "knife"])[0]
    assert values[2] == 1
    assert values[0] > 10 * values[1]


@pytest.mark.parametrize("measure", [HirstStOnge, ExtendedLesk])
def test_words_are_related_alike_in_either_order(mini: WordNet, measure: type[WordRelatedness]) -> None:
    words = ["woman", "girl", "painter", "march", "walk", "parade", "unheard"]
    values = measure(mini).of(words, words)
    assert (values == values.T).all()
    assert ((values >= 0) & (values <= 1)).all()
    assert (values.diagonal() == 1).all()
    assert measure(mini).of([], ["woman"]).shape == (0, 1)


def test_numbers_are_near_by_their_share() -> None:
    # 1 - |10 - 8| / 10; commas part thousands; 0 and 0 are one number
    near = NumberSimilarity().of(["10", "1,000", "zero", "boat"], ["eight", "1000", "0", "boat"])
    rows = [[0.8, 0.01, 0, 0], [0.008, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    assert near == pytest.approx(np.array(rows))
    assert [number_of(word) for word in ("2.5", "dozen", "12,34", "")] == [2.5, 12, None, None]


@given(st.lists(st.sampled_from(["0", "7", "twelve", "1,000", "boat", "3.5"]), max_size=5))
def test_numbers_keep_what_a_measure_promises(words: list[str]) -> None:
    values = NumberSimilarity().of(words, words)
    assert values.shape == (len(words), len(words))
    assert (values == values.T).all()
    assert ((values >= 0) & (values <= 1)).all()
    assert np.all(values.diagonal() == 1)


@pytest.mark.parametrize("word", ["li", "hso", "lesk", "numbers"])
def test_each_is_a_measure_of_texts(word: str) -> None:
    settings = MihalceaSettings.model_validate({"measure": "mihalcea", "word": word, "weights": "none"})
    items = [text_profile(text) for text in ("woman 10", "girl eight", "unheard")]
    values = tried(items, settings, MINI).promises(items, items[0])
    assert values[0] == pytest.approx(1)
    assert 0 < values[1] < 1
    assert values[2] == 0
    assert ("wordnet" in settings.needs) == (word != "numbers")
