"""What a reason of general names, and what no reason names."""

import numpy as np
import pytest
from msgspec.structs import replace

from ingest.record import Record, values
from models.explanation import ScoreExplanation
from models.regressors.linear import Weighted
from models.systems import System
from service.explain.reasons import reason, sentences
from service.languages.messages import speaking
from tests.builders import TYPES, explained, features, record

DECLARED = features(
    makers={"measure": "names"},
    words={"measure": "overlap", "kind": "jaccard", "scope": {"parts": ["title", "subject", "description"]}},
    dates={"measure": "intervals", "kind": "gap", "first": ["date"], "scale": 5000},
    places={"measure": "tfidf", "scope": {"parts": ["title", "places"], "entities": ["location"]}},
    people={"measure": "tfidf", "scope": {"parts": ["title", "subject"], "entities": ["person"]}},
    source={"measure": "tfidf", "scope": {"parts": ["title", "source"]}},
)


def reason_of(left: Record, right: Record, *names: str, kind: str = "general") -> str:
    system = System("all", names, Weighted(np.ones((len(names), 8)), np.zeros(8)))
    (one,) = explained(system, left, right, (kind,), DECLARED)
    return reason(one, left, right, DECLARED, TYPES).text


def both(one: str, two: str, **fields: str) -> tuple[Record, Record]:
    """Two records with titles of their own and the other fields alike."""
    return record("a", one, **fields), record("b", two, **fields)


def test_a_reason_of_general_names_maker_date_place_and_kind_in_the_order_of_a_caption() -> None:
    left = record("a", "Boats, Venice", creator="Reed, Ada", date="1841", places="Venice")
    right = record("b", "Venice at night", creator="Ada Reed", date="1846")
    names = ("makers", "words", "dates", "places")
    assert reason_of(left, right, *names) == "Both are by Ada Reed, date from the 1840s, and concern Venice."


def test_the_kind_of_object_is_named_beside_a_fact_where_it_is_one() -> None:
    left, right = (replace(one, type="etching") for one in both("Mill", "Boat", creator="Ada Reed"))
    assert reason_of(left, right, "makers") == "Both are by Ada Reed, and are of the kind “etching”."
    other = replace(right, type="poster")
    assert reason_of(left, other, "makers") == "Both are by Ada Reed."
    left, right = replace(left, type="StillImage"), replace(right, type="StillImage")
    assert reason_of(left, right, "makers") == "Both are by Ada Reed."


def test_a_word_of_the_subjects_says_more_than_one_of_the_descriptions() -> None:
    pair = both("One", "Two", subject="harbour", description="oil on canvas")
    assert reason_of(*pair, "words") == "Both mention “harbour”."


def test_words_that_descriptions_alone_share_are_no_fact_but_are_named_where_there_is_no_other() -> None:
    pair = both("One", "Two", description="oil on canvas")
    assert reason_of(*pair, "words") == "Both mention “oil on canvas”."
    assert reason_of(*both("One", "Two", description="oil on canvas", date="1840"), "words", "dates") == (
        "Both date from 1840."
    )


def test_a_scene_of_a_story_is_called_by_its_usual_title_whatever_its_title_here() -> None:
    left = record("a", "Die Flucht nach Ägypten", creator="Reed, Ada")
    right = record("b", "Landscape with the flight into Egypt", creator="Ada Reed")
    assert reason_of(left, right, "makers") == "Both are by Ada Reed, and show “Flight into Egypt”."
    with speaking("de"):
        assert reason_of(left, right, "makers") == "Beide sind von Ada Reed und zeigen „Flucht nach Ägypten“."
    # what the title names is no place of theirs
    here, there = (replace(one, places=values("Egypt")) for one in (left, right))
    assert reason_of(here, there, "places") == "Both show “Flight into Egypt”."
    other = record("c", "The Adoration of the Magi", creator="Ada Reed")
    assert reason_of(left, other, "makers") == "Both are by Ada Reed."


def test_a_scene_that_adds_nothing_to_a_score_is_no_reason() -> None:
    explanation = ScoreExplanation("general", 0.5, None, None, ())
    sides = both("The Flight into Egypt", "Die Flucht nach Ägypten")
    assert "Egypt" not in reason(explanation, *sides, {}, TYPES).text


def test_what_the_first_sentence_names_is_not_said_again() -> None:
    left, right = both("Mill", "Boat", creator="Ada Reed", subject="harbour")
    system = System("all", ("makers", "words"), Weighted(np.ones((2, 8)), np.zeros(8)))
    (one,) = explained(system, left, right, ("general",), DECLARED)
    assert [each.text for each in sentences(one, left, right, DECLARED, TYPES)] == [
        "Both are by Ada Reed, and mention “harbour”."
    ]


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("Gogh, Vincent van", "Gogh, Vincent van (1853-1890)", "Both are by Vincent van Gogh."),
        ("Turner, J. M. W.", "Joseph Mallord William Turner", "Both are by Joseph Mallord William Turner."),
        ("Rijn, Rembrandt van (1606-1669)", "Rembrandt van Rijn", "Both are by Rembrandt van Rijn."),
        ("after Peter Paul Rubens", "after Rubens, Peter Paul", "Both are after Peter Paul Rubens."),
        ("Reed & Hall Ltd.", "Reed & Hall Ltd.", "Both are by Reed & Hall Ltd."),
    ],
)
def test_a_maker_has_one_name_in_natural_order_and_the_fuller_form(one: str, two: str, sentence: str) -> None:
    left, right = record("a", "Mill", creator=one), record("b", "Boat", creator=two)
    assert reason_of(left, right, "makers", kind="author") == sentence


def test_a_person_of_an_index_is_named_in_natural_order() -> None:
    pair = both("Mill", "Boat", subject="Reed, Ada")
    left, right = (record(one.id, subject="Ada Reed") for one in pair)
    assert reason_of(left, right, "people", kind="people") == "Both name Ada Reed."


@pytest.mark.parametrize(
    "title",
    [
        "[title not known]",
        "Blank",
        "Untitled",
        "verso",
        "Inscription",
        "D12345",
        "1997.0.14",
        "sheet 17",
        "Title page",
    ],
)
def test_placeholders_and_shelf_marks_are_no_reason(title: str) -> None:
    assert (
        reason_of(*both(title, title), "words")
        == "Nothing that they share speaks for a similarity in general."
    )
    assert reason_of(*both(title, title, subject="harbour"), "words") == "Both mention “harbour”."


def test_a_phrase_does_not_end_in_a_shelf_mark() -> None:
    assert reason_of(*both("Mill D12345", "Mill D12345"), "words") == "Both mention “Mill”."


@pytest.mark.parametrize(
    "credit",
    ["Gift of Tom Hall.", "Bequest of Tom Hall.", "Purchased by the museum with funds from Tom Hall."],
)
def test_a_credit_line_is_no_reason(credit: str) -> None:
    assert reason_of(*both("One", "Two", description=f"A grey mill. {credit}"), "words") == (
        "Both mention “grey mill”."
    )


def test_the_holder_is_no_reason() -> None:
    owned = both("Harrow Museum", "Harrow Museum, again", source="Harrow Museum")
    assert reason_of(*owned, "source") == "Nothing that they share speaks for a similarity in general."
    apart = both("A boat", "Two mills", source="Harrow Museum")
    assert reason_of(*apart, "source") == "Nothing that they share speaks for a similarity in general."
    assert reason_of(*both("Harrow", "Harrow by night", source="Harrow Museum"), "places") == (
        "Both concern Harrow."
    )
