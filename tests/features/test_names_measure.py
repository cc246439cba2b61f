from collections.abc import Sequence
from math import isnan, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.names import NamesSettings
from features.profiles.creators import creators, stated_names
from features.profiles.profile import Profile
from models.regressors.linear import Weighted
from models.systems import System
from service.reasons import reason
from tests.builders import TYPES, explained, features, profile, record
from tests.features.columns import Tried, tried

PLAIN = NamesSettings(measure="names")
STATED = NamesSettings(measure="names", stated=True)

texts = st.lists(
    st.sampled_from(
        [
            "Turner",
            "Turner, Ada",
            "Ada Reed",
            "Reed, Tom",
            "school of Turner",
            "after Ada Reed",
            "unknown",
            "Hall & Co",
        ]
    ),
    max_size=3,
).map("; ".join)
made = texts.map(lambda text: profile(record("a", "A boat", creator=text)))


def column(profiles: Sequence[Profile], settings: NamesSettings = PLAIN) -> Tried:
    return tried(profiles, settings)


def by(creator: str) -> Profile:
    return profile(record("a", "A boat", creator=creator))


def test_names_share_the_words_of_the_shorter_one() -> None:
    rows = [by("Turner, Joseph Mallord William"), by("Ada Turner"), by("Ada Reed"), by("unknown")]
    scores = column(rows).compare(by("Turner"))
    # 'Turner' is all of the shorter name, whatever else the longer has
    assert scores[:2].tolist() == [1, 1]
    assert scores[2] == 0
    assert isnan(scores[3])


def test_rare_words_count_more() -> None:
    # of 3 items ada has 2, reed 1, turner 1: idf ln(1 + 3/2) and ln(1 + 3/1)
    held = column([by("Ada Turner"), by("Ada Reed"), by("staff")])
    expected = log(2.5) / (log(2.5) + log(4))
    assert held.compare(by("Reed, Ada"))[:2] == pytest.approx([expected, 1])
    # hall is not in the collection: as rare as a word of one item
    assert held.pair(by("Ada Hall"), by("Ada Turner")) == pytest.approx(expected)


def test_a_pupil_or_a_copy_is_less_than_the_name_itself() -> None:
    held = column([by("Rubens"), by("school of Rubens"), by("after Rubens"), by("attributed to Rubens")])
    assert held.compare(by("Rubens")) == pytest.approx([1, 0.7, 0.7, 1])
    assert held.compare(by("circle of Rubens")) == pytest.approx([0.7, 1, 1, 0.7])


def test_items_compare_by_the_average_of_the_best_matches() -> None:
    held = column([by("Rubens; Pye"), by("Pye"), by("Hall")])
    # from one side pye 1 and rubens 0, from the other pye 1: (1/2 + 1) / 2
    assert held.compare(by("Rubens; Pye")) == pytest.approx([1, 0.75, 0])


def test_no_maker_at_all() -> None:
    held = column([by("unknown"), by("")])
    assert np.isnan(held.compare(by("Ada Reed"))).all()
    assert np.isnan(held.compare(by("staff"))).all()
    assert column([]).pair(by("Ada Reed"), by("Reed")) == 1
    assert column([]).compare(by("Ada Reed")).tolist() == []


@given(st.sampled_from([PLAIN, STATED]), st.lists(made, min_size=1, max_size=6), made)
def test_it_keeps_the_promises_of_a_measure(
    settings: NamesSettings, items: list[Profile], query: Profile
) -> None:
    held = column(items, settings)
    held.promises(items, query)
    own = held.pair(query, query)
    assert own == pytest.approx(1) or (isnan(own) and not creators(query, stated=settings.stated))


# -- makers that texts state ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Copyright author of work: John Frith, 12 High Street, London. Form completed", ["john frith"]),
        ("Copyright owner and author of work: H. P. Robinson. Registration stamp", ["h p robinson"]),
        ("Copyright owner of work: John Frith", []),
        ("Author of photograph: John R.G. Griffith, Smyrna", ["john r g griffith"]),
        ("Photographer: Henry W Taunt Address/Location: Hook Norton", ["henry w taunt"]),
        ("Photographer: Max Hall Administrative history: a son", ["max hall"]),
        ("Artist: Unknown", []),
        (
            "Death, engraved by Thomas Rowlandson and John Ogbourne after T00790",
            ["thomas rowlandson", "john ogbourne"],
        ),
        ("Photograph of an oil painting by E de Schampheleer entitled 'Un canal'", ["e de schampheleer"]),
        ("Etching by the artist. Presented by Ada Reed. Seen by Night", []),
        ("Photographers: Smith & Co, London", ["smith co"]),
    ],
)
def test_makers_that_a_text_states(text: str, found: list[str]) -> None:
    names = list(stated_names(text))
    assert [name.key for name in names if name.kind != "unknown"] == found
    assert all(text[name.start : name.end] == name.text for name in names)


def test_stated_makers_count_where_they_are_asked_for() -> None:
    field = by("Frith, John")
    form = profile(
        record("b", "A boat", description="Sepia. Copyright author of work: John Frith, 2 High St")
    )
    assert isnan(column([field]).pair(field, form))
    held = column([field, form], STATED)
    assert held.pair(field, form) == 1
    (evidence,) = held.evidence(field, form)
    assert [(one.term, one.part, one.start, one.end) for one in (*evidence.left, *evidence.right)] == [
        ("john frith", "creator", 0, 11),
        ("john frith", "description", 33, 43),
    ]


def test_evidence_pairs_the_names_that_are_alike() -> None:
    held = column([by("Rubens; Pye")])
    found = held.evidence(by("Rubens; Pye"), by("Pye; after Rubens"))
    # pye 1 and rubens .7 are all that there is
    assert [one.share for one in found] == pytest.approx([1 / 1.7, 0.7 / 1.7])
    assert [(one.left[0].term, one.right[0].term) for one in found] == [
        ("pye", "pye"),
        ("rubens", "after rubens"),
    ]
    assert held.evidence(by("Pye"), by("Hall")) == ()
    assert held.evidence(by("Pye"), by("unknown")) == ()


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("Reed, Ada", "Ada Reed", "Both are by “Reed, Ada”."),
        ("Joseph Turner", "Turner", "Their makers have like names: “Joseph Turner” here, “Turner” there."),
        # the copy is not by Turner
        ("Turner", "after Turner", "Their makers have like names: “Turner” on both sides."),
    ],
)
def test_the_reason_names_the_makers(one: str, two: str, sentence: str) -> None:
    left, right = record("a", creator=one), record("b", creator=two)
    declared = features(makers={"measure": "names"})
    system = System("makers", ("makers",), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    (told,) = explained(system, left, right, ("author",), declared)
    assert reason(told, left, right, declared, TYPES) == sentence
