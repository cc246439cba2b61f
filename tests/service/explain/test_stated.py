"""The facts of a reason: what the sentence names, and where it stands in both records."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.measures.base import EvidencePair
from features.profiles.profile import Occurrence
from ingest.record import Record
from models.explanation import FeatureContribution, ScoreExplanation
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL
from service.explain.reasons import reason
from service.explain.stated import FactPlace, StatedFact, StatedReason
from tests.builders import FEATURES, TYPES, explained, features, random_records, random_system, record

DECLARED = features(
    makers={"measure": "names"},
    words={"measure": "overlap", "kind": "jaccard", "scope": {"parts": ["title", "subject", "description"]}},
    dates={"measure": "intervals", "kind": "gap", "first": ["date"], "scale": 5000},
    places={"measure": "tfidf", "scope": {"parts": ["title", "places"], "entities": ["location"]}},
    people={"measure": "tfidf", "scope": {"parts": ["title", "subject"], "entities": ["person"]}},
    creators={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
    kinds={"measure": "tfidf", "scope": {"expand": "people"}},
    sets={"measure": "overlap", "scope": {"parts": ["title", "description", "part_of"], "facts": ["sets"]}},
)


def reason_of(left: Record, right: Record, *names: str, kind: str = "general") -> StatedReason:
    system = System("all", names, Weighted(np.ones((len(names), 8)), np.zeros(8)))
    (one,) = explained(system, left, right, (kind,), DECLARED)
    return reason(one, left, right, DECLARED, TYPES)


def words(record: Record, place: FactPlace) -> str:
    """What stands at a place of a record."""
    return record.part(place.field)[place.index].text[place.start : place.end]


def shown(reason: StatedReason, left: Record, right: Record) -> list[tuple[str, ...]]:
    """The facts of a reason, with the words of both records in place of their offsets."""
    return [
        (one.kind, one.value, one.role, words(left, one.left), words(right, one.right))
        for one in reason.facts
    ]


def test_the_facts_of_general_are_those_of_the_sentence_in_its_order() -> None:
    left = record("a", "Boats, Venice", creator="Reed, Ada", date="about 1841", places="Venice")
    right = record("b", "Venice at night", creator="Ada Reed", date="1846")
    given = reason_of(left, right, "makers", "words", "dates", "places")
    assert given.text == "Both are by Ada Reed, date from the 1840s, and concern Venice."
    assert given.facts == (
        StatedFact(
            "maker", "Ada Reed", "maker", FactPlace("creator", 0, 0, 9), FactPlace("creator", 0, 0, 8)
        ),
        StatedFact("date", "the 1840s", "made", FactPlace("date", 0, 6, 10), FactPlace("date", 0, 0, 4)),
        # the title of the left one says "Boats, Venice"
        StatedFact("place", "Venice", "", FactPlace("title", 0, 7, 13), FactPlace("title", 0, 0, 6)),
    )


def test_no_fact_is_of_what_the_sentence_leaves_out() -> None:
    # a maker, a place and a word leave no room for the date
    left = record("a", "Boats, Venice", creator="Ada Reed", date="1841", subject="harbour")
    right = record("b", "Venice at night", creator="Ada Reed", date="1846", subject="old harbour")
    given = reason_of(left, right, "makers", "words", "dates", "places")
    assert given.text == "Both are by Ada Reed, concern Venice, and mention “harbour”."
    assert [(one.kind, one.value) for one in given.facts] == [
        ("maker", "Ada Reed"),
        ("place", "Venice"),
        ("words", "harbour"),
    ]


@pytest.mark.parametrize(
    ("names", "kind", "one", "two", "facts"),
    [
        (
            ("makers",),
            "author",
            {"creator": "Hall, Tom|Turner, J. M. W."},
            {"creator": "Joseph Mallord William Turner"},
            [
                (
                    "maker",
                    "Joseph Mallord William Turner",
                    "maker",
                    "Turner, J. M. W.",
                    "Joseph Mallord William Turner",
                )
            ],
        ),
        (
            ("creators",),
            "author",
            {"creator": "Reed, Ada"},
            {"creator": "Tom Reed"},
            [("maker", "Reed", "maker", "Reed", "Reed")],
        ),
        (
            ("words",),
            "general",
            {"subject": "boats|an Old  Mill"},
            {"title": "Sea", "subject": "an old mill"},
            # two blanks between two words count as one
            [("words", "Old Mill", "", "Old  Mill", "old mill")],
        ),
        (
            ("words",),
            "general",
            {"subject": "boats|an Old Mill"},
            {"title": "Mill", "subject": "sea|an old mill"},
            [("words", "Old Mill", "", "Old Mill", "old mill")],
        ),
        (
            ("people",),
            "people",
            {"subject": "Reed, Ada"},
            {"title": "Portrait of Ada Reed"},
            [("person", "Reed", "shown", "Reed", "Reed")],
        ),
        (
            ("dates",),
            "time",
            {"date": "made in 1840"},
            {"date": "1840"},
            [("date", "1840", "made", "1840", "1840")],
        ),
        (
            ("places",),
            "location",
            {"places": "Harrow|Bath"},
            {"title": "View of Bath"},
            [("place", "Bath", "", "Bath", "Bath")],
        ),
    ],
)
def test_a_fact_covers_what_the_records_say(
    names: tuple[str, ...],
    kind: str,
    one: dict[str, str],
    two: dict[str, str],
    facts: list[tuple[str, ...]],
) -> None:
    left, right = record("a", **one), record("b", **two)
    assert shown(reason_of(left, right, *names, kind=kind), left, right) == facts


def test_a_shared_set_is_a_fact_with_its_whole_name_as_either_record_writes_it() -> None:
    left = record("a", "Boat", description="From the series Views of Harrow. Ink")
    right = record("b", "Sea", part_of="Prints|VIEWS OF HARROW (1840)")
    given = reason_of(left, right, "sets", kind="author")
    assert given.text == "Both are part of “Views of Harrow”."
    # "From the series " has 16 characters, and the name has 15
    ours, theirs = FactPlace("description", 0, 16, 31), FactPlace("part_of", 1, 0, 15)
    assert given.facts == (StatedFact("set", "Views of Harrow", "", ours, theirs),)


def test_what_differs_is_named_of_both_sides() -> None:
    left, right = record("a", date="1725"), record("b", date="about 1738")
    given = reason_of(left, right, "dates", kind="time")
    assert given.text == "They are 13 years apart: 1725 and 1738."
    assert given.facts == (
        StatedFact("date", "1725", "made", FactPlace("date", 0, 0, 4), FactPlace("date", 0, 6, 10), "1738"),
    )


def test_a_stretch_of_time_is_covered_from_its_first_date_to_its_last() -> None:
    left, right = record("a", "from 1840 until 1851"), record("b", date="1700")
    ours = (Occurrence("1840", "title", 0, 5, 9), Occurrence("1851", "title", 0, 16, 20))
    pair = EvidencePair(ours, (Occurrence("1700", "date", 0, 0, 4),), 1.0)
    part = FeatureContribution("dates", 0.5, None, 1.0, lambda: (pair,))
    explanation = ScoreExplanation("time", 1.0, 1.0, 0.0, (part,))
    (fact,) = reason(explanation, left, right, DECLARED, TYPES).facts
    assert (fact.value, fact.other, fact.role) == ("1840 to 1851", "1700", "")
    assert words(left, fact.left) == "1840 until 1851"


def test_a_name_in_another_order_is_covered_as_the_records_write_it() -> None:
    left, right = record("a", subject="Reed, Ada"), record("b", "Mill, by Reed, Ada and Tom")
    pairs = (
        EvidencePair((Occurrence("ada", "subject", 0, 6, 9),), (Occurrence("ada", "title", 0, 15, 18),), 0.5),
        EvidencePair(
            (Occurrence("reed", "subject", 0, 0, 4),), (Occurrence("reed", "title", 0, 9, 13),), 0.5
        ),
    )
    part = FeatureContribution("people", 0.5, None, 1.0, lambda: pairs)
    given = reason(ScoreExplanation("people", 1.0, 1.0, 0.0, (part,)), left, right, DECLARED, TYPES)
    assert given.text == "Both name Ada Reed."
    assert shown(given, left, right) == [("person", "Ada Reed", "shown", "Reed, Ada", "Reed, Ada")]


def test_people_of_a_like_kind_are_a_concept_with_both_words() -> None:
    left, right = record("a", "A mason"), record("b", "Two soldiers")
    pair = EvidencePair(
        (Occurrence("person", "title", 0, 2, 7),), (Occurrence("person", "title", 0, 4, 12),), 1.0
    )
    part = FeatureContribution("kinds", 0.5, None, 1.0, lambda: (pair,))
    explanation = ScoreExplanation("people", 1.0, 1.0, 0.0, (part,))
    assert reason(explanation, left, right, DECLARED, TYPES).facts == (
        StatedFact(
            "concept", "mason", "", FactPlace("title", 0, 2, 7), FactPlace("title", 0, 4, 12), "soldiers"
        ),
    )


def test_a_reason_that_names_nothing_has_no_facts() -> None:
    left, right = record("a", "boat"), record("b", "tree")
    assert reason_of(left, right, "words").facts == ()
    empty = ScoreExplanation("time", 0.0, None, None, (), not_applicable=True)
    assert reason(empty, left, right, DECLARED, TYPES).facts == ()


@given(random_records(least=2, most=2), st.integers(0, 1000))
def test_facts_stand_in_the_sentence_in_its_order_and_in_both_records(
    records: list[Record], seed: int
) -> None:
    left, right = records
    for kind in OFFICIAL:
        (one,) = explained(random_system(seed), left, right, (kind,))
        given = reason(one, left, right, FEATURES, TYPES)
        at = 0
        for fact in given.facts:
            at = given.text.index(fact.value, at)
            assert fact.other in given.text
            for side, place in ((left, fact.left), (right, fact.right)):
                assert 0 <= place.start < place.end <= len(side.part(place.field)[place.index].text)
                # of the toy language a word may differ in its case and a final s; a name is turned
                if fact.kind == "words":
                    stands, named = (
                        sorted(text.casefold().rstrip("s").replace(",", "").split())
                        for text in (words(side, place), fact.value)
                    )
                    assert stands == named
