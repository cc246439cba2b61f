from collections.abc import Mapping
from math import exp, isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from features.knowledge.resources import Resources
from features.measures.presence import PresenceSettings
from features.profiles.profile import Profile
from ingest.errors import ResourceMissing
from tests.builders import NONE, PEOPLE, profile, record, text_profile
from tests.features.knowledge.test_wordnet_words import ABSENT, MINI
from tests.features.measures.columns import Tried, bag, tried

NAMED = {"scope": {"parts": ["title"], "entities": ["person"]}, "weight": 0.5}
LISTED = {"scope": {"lemmas": ["boat", "crew"]}}


def settings(*signs: Mapping[str, object], combine: str = "both") -> PresenceSettings:
    return PresenceSettings.model_validate({"measure": "presence", "signs": signs, "combine": combine})


def column(profiles: list[Profile], of: PresenceSettings, resources: Resources = NONE) -> Tried:
    return tried(profiles, of, resources)


def sure(total: float) -> float:
    return 1 - exp(-total)


def test_signs_add_up_by_their_weights() -> None:
    # an entity counts once, whatever the number of its words: .5; two listed words: 2
    of = settings(NAMED, LISTED)
    rows = [text_profile("the boats and a crew"), profile(record("a", "Ada Reed")), text_profile("sea")]
    measured = column(rows, of)
    assert measured.compare(profile(record("a", "boat of Ada Reed"))) == pytest.approx(
        [sure(1.5), sure(0.5), 0]
    )
    assert measured.pair(rows[0], rows[0]) == pytest.approx(sure(2))
    either = column(rows, settings(NAMED, LISTED, combine="either"))
    assert either.compare(rows[2]) == pytest.approx([sure(2), sure(0.5), 0])


def test_wordnet_makes_several_terms_of_one_word_which_counts_once() -> None:
    people = settings({"scope": {"expand": "people"}})
    # girl is also woman, female, child and person: one sign; woman and girl are two
    rows = [text_profile("girl"), text_profile("woman and girl"), text_profile("zebra")]
    measured = column(rows, people, MINI)
    assert measured.compare(rows[1]) == pytest.approx([sure(1), sure(2), 0])
    assert people.needs == ("wordnet",)
    with pytest.raises(ResourceMissing):
        people.builder(ABSENT)


def test_no_sign_is_0_and_no_text_is_nan() -> None:
    measured = column([text_profile("sea"), Profile(())], settings(LISTED))
    scores = measured.compare(text_profile("boat"))
    assert scores[0] == 0
    assert isnan(scores[1])
    assert np.isnan(measured.compare(Profile(()))).all()
    assert isnan(column([], settings(LISTED, combine="either")).pair(text_profile("boat"), Profile(())))


texts = st.lists(st.sampled_from(["boat", "crew", "boats", "sea", *PEOPLE]), max_size=6).map(" ".join)
shown = texts.map(lambda text: profile(record("a", text)))
chosen = st.builds(
    lambda signs, combine: settings(*signs, combine=combine),
    st.sampled_from([(NAMED,), (LISTED,), (NAMED, LISTED)]),
    st.sampled_from(["both", "either"]),
)


@given(chosen, st.lists(shown, max_size=5), shown)
def test_it_keeps_the_promises_of_a_measure(
    of: PresenceSettings, rows: list[Profile], query: Profile
) -> None:
    column(rows, of).promises(rows, query)


@given(shown, shown)
def test_both_is_the_less_sure_and_either_the_surer_of_two(left: Profile, right: Profile) -> None:
    both, either = (column([], settings(NAMED, LISTED, combine=of)) for of in ("both", "either"))
    values = [of.pair(left, right) for of in (both, either)]
    if bag(left) and bag(right):  # else nothing is known of one
        own = [both.pair(one, one) for one in (left, right)]
        assert own == [either.pair(one, one) for one in (left, right)]
        assert values == [min(own), max(own)]
    else:
        assert np.isnan(values).all()


def test_evidence_pairs_the_same_words_first() -> None:
    left, right = text_profile("crew boat crew"), text_profile("boat and sea")
    (piece,) = column([], settings(LISTED)).evidence(left, right)
    assert [one.start for one in (*piece.left, *piece.right)] == [5, 0]
    assert piece.share == 1
    # crew twice is the strongest of what differs
    (piece,) = column([], settings({"scope": {"lemmas": ["crew", "sea"]}})).evidence(left, right)
    assert [one.term for one in (*piece.left, *piece.right)] == ["crew", "crew", "sea"]
    assert column([], settings(LISTED)).evidence(left, text_profile("sea")) == ()


def test_evidence_names_whole_entities() -> None:
    left, right = profile(record("a", "Ada Reed")), profile(record("b", "Tom Hall at sea"))
    (piece,) = column([], settings(NAMED)).evidence(left, right)
    assert [(one.term, one.start, one.end) for one in (*piece.left, *piece.right)] == [
        ("ada reed", 0, 8),
        ("tom hall", 0, 8),
    ]


@pytest.mark.parametrize(
    ("scope", "theme"),
    [
        ({"expand": "people"}, "presence of people"),
        ({"entities": ["person"]}, "presence of people"),
        ({"expand": "events"}, "presence of events"),
        ({"parts": ["title"]}, "presence"),
    ],
)
def test_what_it_is_the_presence_of(scope: dict[str, object], theme: str) -> None:
    assert settings({"scope": scope}).theme == theme


@pytest.mark.parametrize("signs", [[], [{"scope": {}, "weight": 0}], [{"weight": 1}], [{"parts": ["title"]}]])
def test_signs_that_make_no_sense_are_refused(signs: list[Mapping[str, object]]) -> None:
    with pytest.raises(ValidationError):
        settings(*signs)
