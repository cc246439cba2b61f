import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.profiles.blocks import Block
from ingest.record import Record
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.explain.phrases import surface
from service.explain.reasons import reason
from tests.builders import (
    BASELINE,
    FEATURES,
    TYPES,
    explained,
    features,
    fitted,
    profiles,
    random_records,
    random_system,
    record,
)

YEARS = System("years", ("years",), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
NEGATIVE = System("negative", ("all",), Weighted(np.full((1, 8), -1.0), np.full(8, 4.0)))


def reason_of(kind: str, left: Record, right: Record, system: System = BASELINE) -> str:
    (one,) = explained(system, left, right, (kind,))
    return reason(one, left, right, FEATURES, TYPES).text


def both(field: str, one: str, two: str) -> tuple[Record, Record]:
    return record("a", **{field: one}), record("b", **{field: two})


@pytest.mark.parametrize(
    ("kind", "field", "one", "two", "sentence"),
    [
        ("author", "creator", "Reed, Ada", "Ada Reed", "Both are by Ada Reed."),
        ("author", "creator", "Reed, Ada", "Tom Reed", "Their creators share “Reed”."),
        ("people", "title", "Portrait of Tom Hall", "Tom Hall at sea", "Both name Tom Hall."),
        ("location", "title", "View of Venice", "Venice by night", "Both concern Venice."),
        ("time", "title", "made in 1840", "in 1840, or so", "Both are dated “1840”."),
        ("event", "title", "man walking", "walking girl", "In both the action is “walking”."),
        ("subject", "subject", "canals|boats", "boats", "Both have “boats” in the subject."),
        (
            "description",
            "description",
            "the old mill",
            "old mills, an old mill",
            "Both have “old mill” in the description.",
        ),
    ],
)
def test_the_sentence_of_each_type(kind: str, field: str, one: str, two: str, sentence: str) -> None:
    assert reason_of(kind, *both(field, one, two)) == sentence


def test_words_that_follow_each_other_on_both_sides_are_one_phrase() -> None:
    together = both("description", "stone wall and tower", "Stone wall on tower")
    apart = both("description", "garden wall", "wall, no garden")
    assert reason_of("description", *together) == "Both have “stone wall” and “tower” in the description."
    assert reason_of("description", *apart) == "Both have “garden” and “wall” in the description."


def test_a_shared_word_is_shown_with_what_both_have_around_it() -> None:
    text = "Letter to the Commissioner of Indian Affairs"
    letters = both("subject", text, "The Commissioner of Indian Affairs, a letter")
    assert reason_of("subject", *letters) == "Both have “Commissioner of Indian Affairs” in the subject."


def test_kinds_of_object_are_named_where_nothing_else_is_shared() -> None:
    mills = both("subject", "Photograph: mill", "Photograph; the mill")
    assert reason_of("subject", *mills) == "Both have “mill” in the subject."
    alone = both("subject", "Photograph: mill", "Photograph; the sea")
    assert reason_of("subject", *alone) == "Both have “Photograph” in the subject."


def test_of_words_that_begin_alike_each_is_named() -> None:
    animals = both("subject", "house|horse", "horse|house")
    assert reason_of("subject", *animals) == "Both have “horse” and “house” in the subject."


def test_at_most_three_are_listed() -> None:
    many = both("subject", "one|two|six|ten|pen", "pen|ten|six|two|one")
    assert reason_of("subject", *many).count("“") == 3


def test_general_evidence_is_mentioned() -> None:
    assert reason_of("general", *both("title", "old mill", "old mill")) == "Both mention “old mill”."


def test_a_year_that_both_name() -> None:
    assert reason_of("time", *both("date", "1840", "1840"), system=YEARS) == "Both are of 1840."
    assert reason_of("time", *both("date", "1840s", "1840s"), system=YEARS) == "Both are of the 1840s."
    late = both("date", "late 19th century", "late 19th century")
    assert reason_of("time", *late, system=YEARS) == "Both are of the late 19th century."
    assert reason_of("time", *both("date", "May 1840", "1840"), system=YEARS) == "Both are of the year 1840."


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("1840", "c. 1842", "Both are of the 1840s: 1840 and 1842."),
        ("1840-45", "1843", "Their dates overlap: 1840-45 and 1843."),
        ("1838", "1841", "They are 3 years apart: 1838 and 1841."),
        ("1839", "1840", "They are 1 year apart: 1839 and 1840."),
        ("1838", "1870", "They are 32 years apart: 1838 and 1870."),
        ("1750", "1915", "They are 165 years apart: 1750 and 1915."),
        ("1725", "1738", "They are 13 years apart: 1725 and 1738."),
        ("17th century", "19th century", "They are about 200 years apart: 17th century and 19th century."),
        ("19th century", "1901-1905", "They are about 50 years apart: 19th century and 1901-1905."),
        ("300 BC", "AD 1500", "They are about 1,800 years apart: 300 BC and AD 1500."),
        ("44 BC", "AD 14", "They are 57 years apart: 44 BC and AD 14."),
    ],
)
def test_times_are_as_far_apart_as_their_years(one: str, two: str, sentence: str) -> None:
    far = System("far", ("far",), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
    rows = features(far={"measure": "intervals", "kind": "gap", "scale": 5000})
    for left, right in (both("date", one, two), both("title", f"made {one}", f"in {two}")):
        (explanation,) = explained(far, left, right, ("time",), rows)
        assert reason(explanation, left, right, rows, TYPES).text == sentence


def test_a_date_is_the_reason_of_another_type_only_where_there_is_no_other() -> None:
    # the years add 5, the subject words 1: the stronger term is not the reason of a shared subject
    weights = np.repeat([[5.0], [1.0]], 8, axis=1)
    system = System("mixed", ("years", "subject"), Weighted(weights, np.zeros(8)))
    left, right = record("a", subject="old mill", date="1840"), record("b", subject="old mill", date="1840")
    assert reason_of("subject", left, right, system) == "Both have “old mill” in the subject."
    assert reason_of("time", left, right, system) == "Both are of 1840."
    assert reason_of("subject", *both("date", "1840", "1840"), system=system) == "Both are of 1840."


def test_places_of_the_museum() -> None:
    left, right = record("a", "boat", places="Bath"), record("b", "View of Bath")
    left, right = record("a", "View of Bath"), record("b", "boat", places="Bath")
    assert reason_of("location", left, right) == reason_of("location", right, left) == "Both concern Bath."


def test_where_nothing_is_shared_the_base_is_named() -> None:
    assert reason_of("general", *both("title", "boat", "tree")).startswith(
        "They share nothing in general; the score"
    )


def test_what_speaks_against_is_not_called_nothing() -> None:
    sentence = reason_of("general", *both("title", "boat", "boat"), system=NEGATIVE)
    assert sentence == "Nothing that they share speaks for a similarity in general."


def test_a_surface_is_the_text_itself() -> None:
    left, right = both("creator", "Photographer: Reed, Ada", "Reed, Ada")
    collection = fitted([left, right])
    evidence = collection.columns["creator"].evidence(Block(profiles([left, right])), 0, 1)
    assert {surface(left, occurrence) for one in evidence for occurrence in one.left} == {"Reed, Ada"}


@given(random_records(least=2, most=2), st.integers(0, 1000))
def test_every_pair_has_a_sentence_for_every_type(records: list[Record], seed: int) -> None:
    for kind in OFFICIAL:
        sentence = reason_of(kind, records[0], records[1], random_system(seed))
        assert sentence.endswith(".")
        assert "“”" not in sentence


@pytest.mark.parametrize(
    ("kind", "field", "one", "two", "sentence"),
    [
        # the van of two names is shared, and is no name
        ("author", "creator", "Gogh, Vincent van", "Reed, Ada van", "No shared maker found."),
        ("author", "creator", "Gogh, Vincent van", "Gogh, Theo van", "Their creators share “Gogh”."),
        ("general", "title", "the mill of the Hague", "the boat of the sea", "Nothing that they share"),
        ("general", "title", "Le Havre III", "Le Mans III", "Nothing that they share speaks"),
        ("general", "title", "Letter to van Gogh", "Theo van Gogh", "Both mention “van Gogh”."),
        ("general", "title", "Fire of London", "The Fire of London", "Both mention “Fire of London”."),
        # of a word and a phrase that it is part of the longer is said
        (
            "general",
            "title",
            "Rialto, Rialto and the Rialto Bridge",
            "Rialto Bridge",
            "Both mention “Rialto Bridge”.",
        ),
        # Reed Darby is not Reed Lincoln, but may be Reed
        (
            "people",
            "title",
            "Portrait of Reed Darby III",
            "Reed Lincoln's boat",
            "No shared person found.",
        ),
        ("people", "title", "Portrait of Reed Darby III", "Reed at sea", "Both name Reed."),
        # nothing is said of what is not known
        ("general", "title", "Unknown boat", "An unknown tree", "Nothing that they share speaks"),
        ("general", "title", "Onbekend", "onbekend", "Nothing that they share speaks"),
    ],
)
def test_small_words_alone_are_not_what_two_items_share(
    kind: str, field: str, one: str, two: str, sentence: str
) -> None:
    assert reason_of(kind, *both(field, one, two)).startswith(sentence)
