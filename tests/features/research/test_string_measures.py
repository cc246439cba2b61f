"""The string measures of research on texts whose numbers can be worked out by hand."""

from difflib import SequenceMatcher
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.base import EvidencePair
from features.measures.registry import FeatureSettings
from features.profiles.profile import AnalysedValue, Occurrence, Profile
from features.research.measures.common_text import subsequence, substring
from features.research.measures.tiling import tiles
from features.text.annotation import Word
from tests.builders import features, profile, record, text_profile
from tests.documents import defaults
from tests.features.measures.columns import tried

SMALL = {"the": "DET", "of": "ADP", "at": "ADP"}
FEATURES = defaults().features
"""As research.yaml declares them."""

DIRECTIONAL = ("lc_subsequence_norm", "word_containment_1_sw", "word_containment_2_sw", "lcs_norm")
BY_HAND = {
    # 'the boats of venice' has 19 characters, 'boats at venice' 15. Of 18 and 13 different pairs of
    # characters they share 11 (bo oa at ts s_ _v ve en ni ic ce), of 17 and 13 threes 9, of 16 and 12 fours 7
    "char_2": 11 / (18 + 13 - 11),
    "char_3": 9 / (17 + 13 - 9),
    "char_4": 7 / (16 + 12 - 7),
    # the tiles are ' venice' and 'boats '
    "gst_3": 2 * (7 + 6) / (19 + 15),
    "gst_6": 2 * (7 + 6) / (19 + 15),
    # ' venice' in one piece; 'boats  venice' with gaps
    "lc_substring": 2 * 7 / (19 + 15),
    "lcs_norm": 7 / 19,
    "lc_subsequence": 2 * 13 / (19 + 15),
    "lc_subsequence_norm": 13 / 19,
    # without the, of, at both are 'boats venice'
    "word_containment_1_sw": 1.0,
    "word_containment_2_sw": 1.0,
    "word_jaccard_2_sw": 1.0,
    # boats and venice of the, boats, of, at, venice; no three words; the second has no four
    "word_jaccard_1": 2 / 5,
    "word_jaccard_3": 0.0,
    "word_jaccard_4": nan,
    "word_jaccard_4_sw": nan,
}


def tagged(text: str) -> Profile:
    """A title whose small words are tagged as such."""
    (value,) = text_profile(text).values
    words = [
        Word(word.start, word.end, word.form, word.lemma, SMALL.get(word.lemma, "NOUN"))
        for word in value.words
    ]
    return Profile((AnalysedValue("title", 0, tuple(words), ()),))


def row(**keys: object) -> FeatureSettings:
    return features(it=keys)["it"]


def value(settings: FeatureSettings, left: Profile, right: Profile) -> float:
    return tried([left, right], settings).pair(left, right)


def evidence(settings: FeatureSettings, left: Profile, right: Profile) -> tuple[EvidencePair, ...]:
    return tried([left, right], settings).evidence(left, right)


@pytest.mark.parametrize("name", BY_HAND)
def test_the_measures_of_the_papers_by_hand(name: str) -> None:
    left, right = tagged("The boats of Venice"), tagged("Boats, at Venice!")
    assert value(FEATURES[name], left, right) == pytest.approx(BY_HAND[name], nan_ok=True)


def test_what_looks_from_the_first_text_changes_with_the_order() -> None:
    left, right = tagged("Boats of Venice"), tagged("Boats")
    # 'boats' is 5 of 15 characters, or all 5; one of two words, or the only one
    for name, there, back in (
        ("lcs_norm", 1 / 3, 1.0),
        ("lc_subsequence_norm", 1 / 3, 1.0),
        ("word_containment_1_sw", 1 / 2, 1.0),
    ):
        assert value(FEATURES[name], left, right) == pytest.approx(there)
        assert value(FEATURES[name], right, left) == pytest.approx(back)
        # searched in all rows, the item that is asked about is the first
        assert tried([left, right], FEATURES[name]).compare(left) == pytest.approx([1.0, there])


def test_tiles_do_not_overlap_and_the_longest_goes_first() -> None:
    # 'abcdef' is a tile; what is left of 'efgh' beside it is 'gh', too short for 3
    assert tiles("abcdefgh", "abcdef-efgh", 3) == [(0, 0, 6)]
    assert tiles("abcdefgh", "abcdef-efgh", 2) == [(0, 0, 6), (6, 9, 2)]
    # only one of two places of 'abc' in the second text can be covered by the one of the first
    assert tiles("abc", "abcabc", 3) == [(0, 0, 3)]
    assert tiles("abcabc", "abc", 3) == [(0, 0, 3)]
    assert tiles("", "abc", 1) == []


def test_a_text_that_is_too_short_gives_no_information() -> None:
    left, right = tagged("Sea"), tagged("Sea at night")
    assert np.isnan(value(row(measure="tiling", least=6), left, right))
    assert np.isnan(value(row(measure="ngrams", of="characters", size=4), left, right))
    assert np.isnan(value(row(measure="ngrams", of="words", size=1, stop_words="drop"), tagged("The"), right))
    assert np.isnan(value(row(measure="common_text", kind="substring"), Profile(()), right))


def test_grams_lie_in_one_value_and_texts_go_on_from_value_to_value() -> None:
    parted = profile(record("a", "Grand", subject="Canal"))
    whole = profile(record("b", "Grand Canal"))
    assert np.isnan(value(row(measure="ngrams", of="words", size=2), parted, whole))
    # of 'grand canal' 9 pairs of characters, without 'd ' and ' c' of 10
    assert value(row(measure="ngrams", of="characters", size=2), parted, whole) == pytest.approx(
        len({"gr", "ra", "an", "nd", "ca", "na", "al"}) / 9
    )
    assert value(row(measure="common_text", kind="substring"), parted, whole) == 1


def test_any_scope_can_be_read() -> None:
    left = profile(record("a", "Night", creator="Reed, Ada"))
    right = profile(record("b", "Day", creator="Ada Reed"))
    names = {"parts": ["creator"], "names": True}
    for keys in (
        {"measure": "ngrams", "of": "words", "size": 1},
        {"measure": "tiling"},
        {"measure": "common_text", "kind": "substring"},
    ):
        assert value(row(**keys, scope=names), left, right) > 0
        assert np.isnan(value(row(**keys, scope={"parts": ["date"]}), left, right))


def test_evidence_of_grams_stands_where_they_stand() -> None:
    pairs = evidence(
        row(measure="ngrams", of="words", size=2), tagged("A Grand  Canal"), tagged("Grand Canal")
    )
    assert pairs == (
        EvidencePair(
            (Occurrence("grand canal", "title", 0, 2, 14),),
            (Occurrence("grand canal", "title", 0, 0, 11),),
            1.0,
        ),
    )
    pairs = evidence(row(measure="ngrams", of="characters", size=3), tagged("on sea"), tagged("The seal"))
    # ' se' stands behind 'on' and behind 'The', 'sea' behind the blank
    assert [(pair.left[0].term, pair.left[0].start, pair.left[0].end) for pair in pairs] == [
        (" se", 2, 5),
        ("sea", 3, 6),
    ]
    assert [(pair.right[0].start, pair.right[0].end) for pair in pairs] == [(3, 6), (4, 7)]
    assert [pair.share for pair in pairs] == [0.5, 0.5]


def test_evidence_of_texts_names_the_longest_passages_by_value() -> None:
    left = profile(record("a", "Grand", subject="Canal of Venice"))
    right = profile(record("b", "Venice, Grand Canal"))
    longest, second = evidence(row(measure="tiling"), left, right)
    # 'grand canal' goes over two values on the left: one occurrence in each
    assert longest.left == (Occurrence("grand", "title", 0, 0, 5), Occurrence("canal", "subject", 0, 0, 5))
    assert longest.right == (Occurrence("grand canal", "title", 0, 8, 19),)
    assert second.left == (Occurrence("venice", "subject", 0, 9, 15),)
    assert [longest.share, second.share] == pytest.approx([11 / 17, 6 / 17])
    (only,) = evidence(row(measure="common_text", kind="substring"), left, right)
    assert (only.right, only.share) == (longest.right, 1.0)
    # with gaps: 'grand canal' again
    pairs = evidence(row(measure="common_text", kind="subsequence"), left, right)
    assert pairs[0].right == longest.right


TEXTS = st.lists(st.sampled_from(["sea", "seal", "of", "boats", "boat", "a", "night", "ß"]), max_size=7)
PROFILES = TEXTS.map(lambda words: tagged(" ".join(words)))
SYMMETRIC = st.sampled_from([name for name in BY_HAND if name not in DIRECTIONAL])


@given(st.lists(PROFILES, min_size=1, max_size=5), PROFILES, SYMMETRIC)
def test_symmetric_ones_keep_the_promises(items: list[Profile], query: Profile, name: str) -> None:
    tried(items, FEATURES[name]).promises(items, query)


@given(PROFILES, PROFILES, st.sampled_from(list(BY_HAND)))
def test_range_identity_and_shares_of_all(left: Profile, right: Profile, name: str) -> None:
    column = tried([left, right], FEATURES[name])
    both = column.pair(left, right)
    assert np.isnan(both) or 0 <= both <= 1
    assert column.pair(left, left) == pytest.approx(1) or np.isnan(column.pair(left, left))
    pairs = column.evidence(left, right)
    assert not pairs or sum(pair.share for pair in pairs) == pytest.approx(1)
    text = {"left": left.values[0], "right": right.values[0]}
    for pair in pairs:
        for side, places in (("left", pair.left), ("right", pair.right)):
            for place in places:
                words = [w for w in text[side].words if w.start < place.end and w.end > place.start]
                assert words
                assert any(place.term.strip().split()[0] in word.form.lower() for word in words)


@given(st.text("abc", max_size=14), st.text("abc", max_size=14), st.integers(1, 4))
def test_tiles_are_shared_disjoint_and_led_by_the_longest_common_substring(
    one: str, other: str, least: int
) -> None:
    covered = tiles(one, other, least)
    for left, right, size in covered:
        assert size >= least
        assert one[left : left + size] == other[right : right + size]
    for place in (0, 1):
        every = [at for tile in covered for at in range(tile[place], tile[place] + tile.size)]
        assert len(every) == len(set(every))
    assert [tile.size for tile in covered] == sorted((tile.size for tile in covered), reverse=True)
    longest = SequenceMatcher(None, one, other, autojunk=False).find_longest_match().size
    assert substring(one, other).size == longest
    assert (covered[0].size if covered else 0) == (longest if longest >= least else 0)
    assert covered == [(left, right, size) for right, left, size in tiles(other, one, least)]


@given(st.text("abc", max_size=10), st.text("abc", max_size=10))
def test_a_common_subsequence_is_as_long_as_the_recurrence_says(one: str, other: str) -> None:
    lengths = np.zeros((len(one) + 1, len(other) + 1), int)
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            lengths[i + 1, j + 1] = (
                lengths[i, j] + 1 if left == right else max(lengths[i, j + 1], lengths[i + 1, j])
            )
    spans = subsequence(one, other)
    assert sum(span.size for span in spans) == lengths[-1, -1]
    for span in spans:
        assert one[span.left : span.left + span.size] == other[span.right : span.right + span.size]
