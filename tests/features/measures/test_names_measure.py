from collections.abc import Sequence
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.name_forms import forms_of
from features.measures.names import NamesSettings
from features.profiles.blocks import Block
from features.profiles.creators import creators, stated_names
from features.profiles.profile import Profile
from features.text.names.names import names
from models.regressors.linear import Weighted
from models.systems import System
from service.explain.reasons import reason
from tests.builders import TYPES, explained, features, profile, record
from tests.features.measures.columns import Tried, tried

PLAIN = NamesSettings(measure="names")
STATED = NamesSettings(measure="names", stated=True)
CULTURES = NamesSettings(measure="names", of="cultures")

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
            "Reed (French)",
            "Ada Reed II (French)",
            "Tom Reed (T. Hall) (Italian)",
            "J. A. Reed",
        ]
    ),
    max_size=3,
).map("; ".join)
made = texts.map(lambda text: profile(record("a", "A boat", creator=text)))


def column(profiles: Sequence[Profile], settings: NamesSettings = PLAIN) -> Tried:
    return tried(profiles, settings)


def by(creator: str) -> Profile:
    return profile(record("a", "A boat", creator=creator))


SAME = [
    ("Turner, Joseph Mallord William", "Joseph Mallord William Turner"),
    ("J. M. W. Turner", "Joseph Mallord William Turner"),
    ("Ando Hiroshige (Japanese, 1797-1858)", "Hiroshige Andō"),
    ("Pieter Bruegel I", "Pieter Bruegel the Elder"),
    ("Kunisada (Toyokuni III)", "Utagawa Toyokuni III"),
    ("Susanna Duncombe (née Susanna Highmore)", "Susanna Highmore"),
    ("Sèvres Porcelain Manufactory (French, active 1756-present)", "Sèvres Porcelain Factory"),
    ("Josiah Wedgwood and Sons", "Josiah Wedgwood"),
    ("Sa'di (died 691 AH/AD 1292)", "Sa'di"),
    ("Titian", "Vecellio, Tiziano"),
    ("Jean Gossart", "Mabuse"),
    ("Teniers, David (II)", "David Teniers the Younger"),
    ("Lucas Cranach l'Ancien", "Lucas Cranach der Ältere"),
]
DOUBTFUL = [
    # one initial for a forename; a generation that one side does not say; both, .9 x .8
    ("J. Taylor", "John Taylor", 0.9),
    ("Funada Ikkin", "Funada Ikkin II", 0.8),
    ("J. Taylor the Younger", "John Taylor", 0.72),
    # two generations; a school that bears the master's family name
    ("Pieter Brueghel the Elder", "Pieter Brueghel the Younger", 0.65),
    ("Utagawa Toyokuni I", "Utagawa Toyokuni III", 0.65),
    ("Utagawa Kuniyoshi (Japanese, 1798-1861)", "Toyokuni Utagawa", 0.65),
    # the first word of an East Asian name is one, though the other side does not say where it is from
    ("Utagawa Kuniyoshi (Japanese, 1798-1861)", "Utagawa Toyokuni", 0.65),
    # known makers of one nation, of lands that belong together; a maker whom nobody knows
    ("Utagawa Kuniyoshi", "Utagawa Toyokuni", 0.65),
    ("Spencer Gore", "Stanley Spencer", 0.45),
    ("Meissen Porcelain Manufactory", "Chelsea Porcelain Factory", 0.2),
    ("Claude Monet", "Jane Nobody of Nowhere", 0),
    # a surname, whose forenames differ
    ("John Taylor", "William Taylor", 0.35),
    ("J. Taylor", "W. Taylor", 0.35),
    ("Spencer Nobody", "Jane Spencer", 0),
    ("John Taylor", "John Reed", 0),
    # words that many firms have
    ("Nobody Porcelain Manufactory", "Nowhere Porcelain Factory", 0),
    ("Master of the Mars and Venus Plaque", "Master of the Aeneid Legend", 0),
]


def test_a_generation_is_its_number() -> None:
    marks = ("", "I", "II", "III", "IV", "V", "VI", "VII")
    forms = [forms_of(names(f"Ichikawa Danjuro {mark}".strip())[0]) for mark in marks]
    assert [form.mark for (form,) in forms] == list(range(8))


@pytest.mark.parametrize(("one", "two"), SAME)
def test_one_maker_under_two_names(one: str, two: str) -> None:
    assert column([by(one), by(two)]).pair(by(one), by(two)) == 1


@pytest.mark.parametrize(("one", "two", "value"), DOUBTFUL)
def test_makers_that_may_be_others(one: str, two: str, value: float) -> None:
    assert column([by(one), by(two)]).pair(by(one), by(two)) == pytest.approx(value)


def test_a_surname_alone_is_worth_the_less_the_more_bear_it() -> None:
    known = [by("Turner"), by("Ada Turner"), by("Reed")]
    measured = column(known)
    # one name of the collection has turner: .9 for it, 1 for the same word; none has reed
    assert measured.compare(by("Turner"))[:2] == pytest.approx([1, 0.9])
    assert measured.pair(by("Reed"), by("Reed")) == 1
    # with Turners whose forenames begin with three letters: .25 + .65 / 3, for the same word too
    crowded = column([*known, by("Joseph Turner"), by("William Turner"), by("Wilma Turner")])
    assert crowded.compare(by("Turner"))[:2] == pytest.approx([0.25 + 0.65 / 3] * 2)
    # a nation behind both makes an entry of it that stands for somebody
    assert crowded.pair(by("Turner (British)"), by("Turner (British)")) == 1


def test_makers_that_are_cultures_are_schools() -> None:
    measured = column(
        [by("French"), by("unknown French"), by("Ada Reed (French)"), by("Tom Hall (French, 1790-1850)")]
    )
    # a school .6, a person of it or two people of it .45
    assert measured.compare(by("French (?)")) == pytest.approx([0.6, 0.6, 0.45, 0.45])
    assert measured.pair(by("Ada Reed (French)"), by("Tom Hall (French)")) == pytest.approx(0.45)
    # a part of Italy: Italian is 3 deep and a step away, (6 / 7)^2; Europe is 1 deep, 3 and 2 away, (2 / 7)^2
    assert measured.pair(by("Italian"), by("Venetian")) == pytest.approx(0.6 * (6 / 7) ** 2)
    assert measured.pair(by("Russian"), by("French")) == pytest.approx(0.6 * (2 / 7) ** 2)
    assert measured.pair(by("Egyptian"), by("French")) == 0
    # whoever is named is the maker: the culture beside it has no say in the average
    both = by("Ada Reed (French); French")
    assert measured.pair(both, both) == 1


def test_cultures_alone() -> None:
    measured = column([by("French"), by("Ada Reed (French)"), by("Ada Reed"), by("German")], CULTURES)
    values = measured.compare(by("Tom Hall (French)"))
    # western European is 2 deep, a step away from either: (4 / 6)^2
    assert values == pytest.approx([1, 1, np.nan, (2 / 3) ** 2], nan_ok=True)


def test_a_pupil_or_a_copy_is_less_than_the_name_itself() -> None:
    measured = column([by("Rubens"), by("school of Rubens"), by("after Rubens"), by("attributed to Rubens")])
    assert measured.compare(by("Rubens")) == pytest.approx([1, 0.7, 0.7, 1])
    assert measured.compare(by("circle of Rubens")) == pytest.approx([0.7, 1, 1, 0.7])


def test_items_compare_by_the_best_match_and_the_average() -> None:
    measured = column([by("Rubens; Pye"), by("Pye"), by("Hall")])
    # the best is 1; on average from one side pye 1 and rubens 0, from the other pye 1: (1/2 + 1) / 2
    assert measured.compare(by("Rubens; Pye")) == pytest.approx([1, 0.75 + 0.25 * 0.75, 0])


def test_no_maker_at_all() -> None:
    measured = column([by("unknown"), by("")])
    assert np.isnan(measured.compare(by("Ada Reed"))).all()
    assert np.isnan(measured.compare(by("staff"))).all()
    assert column([]).pair(by("Ada Reed"), by("Reed, A.")) == pytest.approx(0.9)
    assert column([]).compare(by("Ada Reed")).tolist() == []


@given(st.sampled_from([PLAIN, STATED, CULTURES]), st.lists(made, min_size=1, max_size=6), made)
def test_it_keeps_the_promises_of_a_measure(
    settings: NamesSettings, items: list[Profile], query: Profile
) -> None:
    measured = column(items, settings)
    measured.promises(items, query)
    own = measured.pair(query, query)
    made = [one.name for one in creators(query, stated=settings.stated)]
    if settings.of == "cultures":
        assert own == pytest.approx(1) if any(name.cultures for name in made) else isnan(own)
    elif {"turner", "reed"} & {name.key for name in made}:
        assert 0 < own <= 1  # a surname that others bear tells nobody
    else:
        assert own == pytest.approx(1) if made else isnan(own)


# -- makers that texts state ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "keys"),
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
def test_makers_that_a_text_states(text: str, keys: list[str]) -> None:
    names = list(stated_names(text))
    assert [name.key for name in names if name.kind != "unknown"] == keys
    assert all(text[name.start : name.end] == name.text for name in names)


def test_stated_makers_count_where_they_are_asked_for() -> None:
    field = by("Frith, John")
    form = profile(
        record("b", "A boat", description="Sepia. Copyright author of work: John Frith, 2 High St")
    )
    assert isnan(column([field]).pair(field, form))
    measured = column([field, form], STATED)
    assert measured.pair(field, form) == 1
    (evidence,) = measured.evidence(field, form)
    assert [(one.term, one.part, one.start, one.end) for one in (*evidence.left, *evidence.right)] == [
        ("john frith", "creator", 0, 11),
        ("john frith", "description", 33, 43),
    ]


def test_evidence_pairs_the_names_that_are_alike() -> None:
    measured = column([by("Rubens; Pye")])
    pieces = measured.evidence(by("Rubens; Pye"), by("Pye; after Rubens"))
    # pye 1 and rubens .7 are all that there is
    assert [one.share for one in pieces] == pytest.approx([1 / 1.7, 0.7 / 1.7])
    assert [(one.left[0].term, one.right[0].term) for one in pieces] == [
        ("pye", "pye"),
        ("rubens", "after rubens"),
    ]
    assert measured.evidence(by("Pye"), by("Hall")) == ()
    assert measured.column.evidence(Block([by("Pye"), by("")]), 0, 1) == ()
    assert measured.evidence(by("Pye"), by("unknown")) == ()


def test_evidence_of_a_culture_is_its_word() -> None:
    measured = column([by("French")])
    (piece,) = measured.evidence(by("Ada Reed (French, 1790-1850)"), by("unknown French"))
    assert [(one.term, one.start, one.end) for one in (*piece.left, *piece.right)] == [
        ("french", 10, 16),
        ("french", 8, 14),
    ]


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("Reed, Ada", "Ada Reed", "Both are by Ada Reed."),
        ("Joseph Turner", "Turner", "Their makers have like names: Joseph Turner here, Turner there."),
        # cultures
        ("French", "unknown French", "Their makers are of one culture: French."),
        ("Venetian", "Italian", "Their makers are of kindred cultures: Venetian here, Italian there."),
        ("Ada Reed (French)", "Tom Hall (French)", "Their makers are of one culture: French."),
        # the copy is not by Turner
        ("Turner", "after Turner", "Their makers have like names: Turner here, after Turner there."),
    ],
)
def test_the_reason_names_the_makers(one: str, two: str, sentence: str) -> None:
    left, right = record("a", creator=one), record("b", creator=two)
    declared = features(makers={"measure": "names"})
    system = System("makers", ("makers",), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    (explanation,) = explained(system, left, right, ("author",), declared)
    assert reason(explanation, left, right, declared, TYPES).text == sentence
