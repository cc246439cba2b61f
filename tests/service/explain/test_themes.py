"""What the sentence of a reason says of each theme, and which contribution it is said of."""

from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from features.measures.base import EvidencePair, Theme
from features.measures.years import YearsSettings
from features.profiles.profile import Occurrence
from ingest.record import Record
from models.explanation import FeatureContribution, ScoreExplanation
from models.regressors.linear import OneSettings, Weighted
from models.systems import System, untrained
from models.types import OFFICIAL
from service.explain.reasons import reason, shares
from service.explain.stated import StatedReason
from tests.builders import (
    FEATURES,
    TYPES,
    explained,
    features,
    record,
)


class SharedTheme(NamedTuple):
    """A contribution's evidence, as a measure might give it."""

    theme: Theme
    sides: list[tuple[str, str]]


def themed(about: Theme) -> YearsSettings:
    """A feature in which agreement means that."""

    class Themed(YearsSettings):
        theme: ClassVar[Theme] = about

    return Themed(measure="years")


@pytest.mark.parametrize(
    ("shared", "sentence"),
    [
        (
            SharedTheme("meaning", [("boat", "ship")]),
            "They are distant in meaning: “boat” here, “ship” there.",
        ),
        (
            SharedTheme("places", [("Florence", "Rome")]),
            "They concern places that belong together: Florence here, Rome there.",
        ),
        (
            SharedTheme("kinds", [("man", "boy"), ("sea", "sea")]),
            "People of a like kind: “man” here, “boy” there; “sea” on both sides.",
        ),
        (SharedTheme("names", [("Reed", "Reed")]), "Both name Reed."),
        (
            SharedTheme("events", [("sailing", "rowing")]),
            "What happens in them is alike: “sailing” here, “rowing” there.",
        ),
        (SharedTheme("topics", [("boat", "boat"), ("sea", "ship")]), "Both are of the topic of “boat”."),
    ],
)
def test_each_theme_has_its_sentence(shared: SharedTheme, sentence: str) -> None:
    ours, theirs = (" ".join(words) for words in zip(*shared.sides, strict=True))
    left, right = record("a", ours), record("b", theirs)

    def at(text: str, word: str) -> tuple[Occurrence, ...]:
        return (Occurrence(word.lower(), "title", 0, text.index(word), text.index(word) + len(word)),)

    evidence = tuple(
        EvidencePair(at(ours, one), at(theirs, two), 1 / len(shared.sides)) for one, two in shared.sides
    )
    part = FeatureContribution("f", 0.5, None, 1.0, lambda: evidence)
    explanation = ScoreExplanation(OFFICIAL[0], 1.0, 1.0, 0.0, (part,))
    assert reason(explanation, left, right, {"f": themed(shared.theme)}, TYPES).text == sentence


def _part(
    feature: str, amount: float, one: str, two: str, terms: tuple[str, str] | None = None
) -> FeatureContribution:
    """A contribution that rests on the first words of two titles."""
    ours, theirs = terms or (one.lower(), two.lower())
    evidence = EvidencePair(
        (Occurrence(ours, "title", 0, 0, len(one)),), (Occurrence(theirs, "title", 0, 0, len(two)),), 1.0
    )
    return FeatureContribution(feature, 0.5, None, amount, lambda: (evidence,))


def test_names_that_share_a_particle_alone_are_not_alike() -> None:
    particle = _part("makers", 1.0, "Vincent van Gogh", "Rembrandt van Rijn")
    assert chosen("author", "Vincent van Gogh", "Rembrandt van Rijn", particle) == ("No shared maker found.")


def test_a_surname_makes_names_alike_and_a_forename_does_not() -> None:
    forename = _part("makers", 1.0, "Vincent van Gogh", "Vincent Reed")
    assert chosen("author", "Vincent van Gogh", "Vincent Reed", forename) == "No shared maker found."
    surname = _part("makers", 1.0, "Vincent van Gogh", "Theo van Gogh")
    assert chosen("author", "Vincent van Gogh", "Theo van Gogh", surname) == (
        "Their makers have like names: Vincent van Gogh here, Theo van Gogh there."
    )


def test_the_makers_of_what_has_no_date_are_named_with_their_years() -> None:
    left, right = record("a", creator="Ada Reed"), record("b", date="1840|1851")
    ours = (Occurrence("ada reed", "creator", 0, 0, 8),)
    theirs = (Occurrence("1840", "date", 0, 0, 4), Occurrence("1851", "date", 1, 0, 4))
    part = FeatureContribution("f", 0.5, None, 1.0, lambda: (EvidencePair(ours, theirs, 1.0),))
    explanation = ScoreExplanation("time", 1.0, 1.0, 0.0, (part,))
    assert reason(explanation, left, right, {"f": YearsSettings(measure="years")}, TYPES).text == (
        "They are close in time: the working years of Ada Reed and 1840 to 1851."
    )


KINDS = features(
    makers={"measure": "names"},
    words={"measure": "tfidf"},
    amount={"measure": "overlap", "kind": "amount"},
    kinds={"measure": "tfidf", "scope": {"expand": "people"}},
    people={"measure": "presence", "signs": [{"scope": {"expand": "people"}}]},
    texts={"measure": "sentences", "text": "all"},
    place={"measure": "tfidf", "scope": {"expand": "places"}},
    meaning={"measure": "about"},
    best={"measure": "strongest", "meaning": "places", "of": {"place": 1, "texts": 1}},
)


def reason_of(kind: str, left: str, right: str, *parts: FeatureContribution) -> StatedReason:
    explanation = ScoreExplanation(kind, 1.0, 1.0, 0.0, parts)
    return reason(explanation, record("a", left), record("b", right), KINDS, TYPES)


def chosen(kind: str, left: str, right: str, *parts: FeatureContribution) -> str:
    return reason_of(kind, left, right, *parts).text


@pytest.mark.parametrize(
    ("kind", "strong", "weak", "sentence"),
    [
        # that both show people says less than a shared word that adds somewhat less
        ("general", "people", "words", "Both mention “Man”."),
        ("general", "amount", "words", "Both mention “Man”."),
        ("location", "best", "words", "Both concern Man."),
        ("general", "texts", "words", "Both mention “Man”."),
        ("people", "words", "kinds", "People in both: “Man”."),
        ("general", "words", "kinds", "Both mention “Man”."),
        ("people", "people", "texts", "People in both: “Man”."),
    ],
)
def test_what_tells_more_is_said_before_what_adds_more(
    kind: str, strong: str, weak: str, sentence: str
) -> None:
    parts = (_part(strong, 0.6, "Man", "Man"), _part(weak, 0.4, "Man", "Man"))
    assert chosen(kind, "Man", "Man", *parts) == sentence


def test_of_a_place_that_both_name_more_is_said_than_of_their_meaning() -> None:
    # a place counts 2 in location: .5 x 2 is more than the 3 x .25 of the meaning; in general 1, and .5
    parts = (_whole("Venice", "Venice, Bath", 3.0), _part("place", 0.5, "Venice", "Venice"))
    assert chosen("location", "Venice", "Venice, Bath", *parts) == "Both concern Venice."
    assert chosen("general", "Venice", "Venice, Bath", *parts) == "Both concern Venice."


def test_what_adds_far_more_is_said_all_the_same() -> None:
    parts = (_part("people", 2.0, "Man", "Man"), _part("words", 0.1, "Man", "Man"))
    assert chosen("general", "Man", "Man", *parts) == "People in both: “Man”."


def test_unlike_words_of_one_kind_are_both_named() -> None:
    part = _part("kinds", 1.0, "Mason", "Soldier", terms=("person", "person"))
    assert chosen("people", "Mason", "Soldier", part) == (
        "People of a like kind: “Mason” here, “Soldier” there."
    )


def _whole(one: str, two: str, amount: float = 1.0) -> FeatureContribution:
    """A contribution of sentence vectors: it rests on two titles as they are."""
    evidence = EvidencePair(
        (Occurrence(one.lower(), "title", 0, 0, len(one)),),
        (Occurrence(two.lower(), "title", 0, 0, len(two)),),
        1.0,
        whole=True,
    )
    return FeatureContribution("texts", 0.5, None, amount, lambda: (evidence,))


def test_words_that_differ_in_number_are_the_same() -> None:
    part = _part("kinds", 1.0, "Engineers", "Engineer", terms=("person", "person"))
    assert chosen("people", "Engineers", "Engineer", part) == "People in both: “Engineers”."


def test_a_word_stands_in_one_pair_only() -> None:
    left, right = record("a", "baker"), record("b", "merchant artist")
    ours = (Occurrence("person", "title", 0, 0, 5),)
    evidence = tuple(
        EvidencePair(ours, (Occurrence("person", "title", 0, start, end),), 0.5)
        for start, end in ((0, 8), (9, 15))
    )
    part = FeatureContribution("kinds", 0.5, None, 1.0, lambda: evidence)
    explanation = ScoreExplanation("people", 1.0, 1.0, 0.0, (part,))
    assert reason(explanation, left, right, KINDS, TYPES).text == (
        "People of a like kind: “baker” here, “merchant” there."
    )


def test_texts_that_are_alike_as_wholes_are_said_to_be_so_with_their_words_where_they_share_any() -> None:
    assert (
        chosen("general", "Old mill", "A boat", _whole("Old mill", "A boat"))
        == "Their descriptions read alike."
    )
    parts = (_whole("Mill, old", "Mill, new", 3.0), _part("words", 0.1, "Mill", "Mill"))
    assert chosen("subject", "Mill, old", "Mill, new", *parts) == "Their descriptions read alike: “Mill”."


@pytest.mark.parametrize(
    ("kind", "noun"),
    [("author", "maker"), ("people", "person"), ("time", "date"), ("location", "place"), ("event", "event")],
)
def test_that_texts_are_alike_is_no_reason_of_a_type_that_asks_who_or_where(kind: str, noun: str) -> None:
    whole = _whole("Old mill", "Old mill, again", 3.0)
    assert chosen(kind, "Old mill", "Old mill, again", whole) == f"No shared {noun} found."
    parts = (whole, _part("words", 0.1, "Old", "Old"))
    assert chosen(kind, "Old mill", "Old mill, again", *parts) == (
        f"No shared {noun} found; both mention “Old mill”."
    )


def test_an_event_is_known_by_its_name() -> None:
    name = _part("words", 0.1, "Allegheny", "Allegheny")
    assert chosen("event", "Allegheny County Fair: bull", "Allegheny County Fair, trophy", name) == (
        "Both tell of Allegheny County Fair."
    )
    # a word alone names none, nor does a street
    word = _part("words", 0.1, "Fair", "Fair")
    assert chosen("event", "Fair, a sketch", "Fair in May", word) == (
        "No shared event found; both mention “Fair”."
    )
    street = _part("words", 0.1, "Battle", "Battle")
    assert chosen("event", "Battle Street: view", "Battle Street", street) == (
        "No shared event found; both mention “Battle Street”."
    )


@pytest.mark.parametrize("kind", ["author", "people", "time", "location", "event", "subject"])
@pytest.mark.parametrize("feature", ["makers", "people", "best", "words", "kinds", "texts"])
@pytest.mark.parametrize("word", ["Fair", "Ada Reed", "Allegheny"])
def test_whether_a_reason_is_empty_is_known_without_it(kind: str, feature: str, word: str) -> None:
    explanation = ScoreExplanation(kind, 1.0, 1.0, 0.0, (_part(feature, 0.5, word, word),))
    pair = record("a", f"{word} County Fair"), record("b", f"{word} County Fair: bull")
    known = shares(explanation, *pair, KINDS, TYPES)
    assert known == (not reason(explanation, *pair, KINDS, TYPES).empty)


@pytest.mark.parametrize("feature", ["people", "best", "texts"])
def test_a_hand_that_stands_for_a_time_is_not_hidden_by_what_adds_more(feature: str) -> None:
    # 0.9 of it is less than 0.4 of a hand, as far as a time goes
    parts = _part(feature, 0.9, "Ada Reed", "Ada Reed"), _part("makers", 0.4, "Ada Reed", "Ada Reed")
    explanation = ScoreExplanation("time", 1.0, 1.0, 0.0, parts)
    pair = record("a", "Ada Reed: mill"), record("b", "Ada Reed: boat")
    assert reason(explanation, *pair, KINDS, TYPES).text == "No shared date found; both are by Ada Reed."
    assert shares(explanation, *pair, KINDS, TYPES)


def test_one_hand_stands_for_a_time_and_for_no_place() -> None:
    def listed(kind: str) -> bool:
        hand = _part("makers", 0.5, "Ada Reed", "Ada Reed")
        return not reason_of(kind, "View by Ada Reed", "Ada Reed: mill", hand).empty

    assert listed("time")
    assert not listed("location")


def happening(tag: str, one: str, two: str, word: str) -> str:
    """What is said where both titles hold a word, as a part of speech, that WordNet files with events."""
    left, right = record("a", one), record("b", two)
    sides = [
        (Occurrence(word.lower(), "title", 0, text.index(word), text.index(word) + len(word), tag),)
        for text in (one, two)
    ]
    part = FeatureContribution("f", 0.5, None, 1.0, lambda: (EvidencePair(sides[0], sides[1], 1.0),))
    explanation = ScoreExplanation("event", 1.0, 1.0, 0.0, (part,))
    return reason(explanation, left, right, {"f": themed("events")}, TYPES).text


def test_what_both_have_is_said_before_what_is_alike_and_what_tells_little_last() -> None:
    sides = ("An American book of a boat", "American book: ship, boat")

    def part(feature: str, amount: float, one: str, two: str) -> FeatureContribution:
        ours, theirs = (
            (Occurrence(word.lower(), "title", 0, text.index(word), text.index(word) + len(word)),)
            for text, word in zip(sides, (one, two), strict=True)
        )
        return FeatureContribution(feature, 0.5, None, amount, lambda: (EvidencePair(ours, theirs, 1.0),))

    alike, little = part("meaning", 0.6, "boat", "ship"), part("words", 0.9, "book", "book")
    shared, nation = part("words", 0.1, "boat", "boat"), part("words", 0.9, "American", "American")
    near = "They have like words: “boat” here, “ship” there."
    assert chosen("subject", *sides, alike, little) == near
    assert chosen("subject", *sides, nation, alike) == near
    assert chosen("subject", *sides, alike, little, shared) == "Both mention “boat”."
    assert chosen("subject", *sides, little) == "Both mention “American book”."


def test_whoever_has_nothing_but_being_a_person_in_common_is_of_no_like_kind() -> None:
    left, right = record("a", "a sculptor"), record("b", "his parents")

    def sentence_of(synset: str) -> str:
        sides = (Occurrence(synset, "title", 0, 2, 10),), (Occurrence(synset, "title", 0, 4, 11),)
        part = FeatureContribution("f", 0.5, None, 1.0, lambda: (EvidencePair(*sides, 1.0),))
        explanation = ScoreExplanation("people", 1.0, 1.0, 0.0, (part,))
        return reason(explanation, left, right, {"f": KINDS["kinds"]}, TYPES).text

    assert sentence_of("10084295-n") == "People of a like kind: “sculptor” here, “parents” there."
    assert sentence_of("00007846-n") == "No shared person found."


def test_only_a_verb_is_an_action() -> None:
    assert happening("VERB", "a man walking", "walking home", "walking") == "In both the action is “walking”."
    assert happening("NOUN", "a battle at sea", "the battle", "battle") == "Both tell of “battle”."


def test_a_name_is_a_name_even_where_a_dictionary_has_it_as_an_event() -> None:
    column = happening("PROPN", "Column, Trafalgar Square", "Battle of Trafalgar", "Trafalgar")
    assert column == "Both name Trafalgar."
    assert happening("PROPN", "in the Crimean War", "Crimean War, 1855", "War") == "Both name Crimean War."
    # a title begins with a capital letter
    assert happening("PROPN", "Capture of Dunkirk", "Capture", "Capture") == "Both tell of “Capture”."


def test_makers_who_are_the_same_under_unlike_names_are_said_to_be_so() -> None:
    left, right = record("a", "Lady Vane"), record("b", "Agnes Wolf")
    evidence = EvidencePair(
        (Occurrence("lady vane", "title", 0, 0, 9),), (Occurrence("wolf", "title", 0, 0, 10),), 1.0
    )
    part = FeatureContribution("makers", 1.0, None, 1.0, lambda: (evidence,))
    assert reason(ScoreExplanation("author", 5.0, 5.0, 0.0, (part,)), left, right, KINDS, TYPES).text == (
        "Their makers seem to be the same: Lady Vane here, Agnes Wolf there."
    )


def test_a_whole_text_of_small_words_alone_is_no_reason() -> None:
    assert chosen("general", "This and that", "That", _whole("This and that", "That")) == (
        "Nothing that they share speaks for a similarity in general."
    )


def test_a_feature_of_others_speaks_of_its_first_part() -> None:
    declared = features(
        place={"measure": "tfidf", "scope": {"entities": ["location"]}},
        all={"measure": "tfidf"},
        both={"measure": "product", "walk": "place", "cosine": "all"},
    )
    left, right = record("a", "View of Venice"), record("b", "Boat, Venice")
    system = System("s", ("both",), Weighted(np.ones((1, 8)), np.zeros(8)))
    (one,) = explained(system, left, right, OFFICIAL[:1], declared)
    assert reason(one, left, right, declared, TYPES).text == "Both concern Venice."


def test_what_is_not_additive_gives_no_reason() -> None:
    one = ScoreExplanation(OFFICIAL[0], 1.0, 1.0, None, None)
    assert "not additive" in reason(one, record("a", "x"), record("b", "x"), FEATURES, TYPES).text


def test_nothing_of_a_type_has_a_sentence_for_each() -> None:
    empty = [ScoreExplanation(kind, 0.0, None, None, (), not_applicable=True) for kind in OFFICIAL]
    sentences = [reason(one, record("a", "x"), record("b", "y"), FEATURES, TYPES).text for one in empty]
    assert len(set(sentences)) == 8
    assert all(sentence.startswith("Neither ") for sentence in sentences)


WHOLES = features(
    makers={"measure": "names"},
    sets={"measure": "overlap", "scope": {"parts": ["title", "description", "part_of"], "facts": ["sets"]}},
    makers_or_set={"measure": "strongest", "meaning": "makers", "of": {"makers": 1, "sets": 0.9}},
)


@pytest.mark.parametrize("feature", ["sets", "makers_or_set"])
def test_parts_of_one_set_are_said_to_be_so(feature: str) -> None:
    system = untrained("one", OneSettings(title="one", regressor="one", one=dict.fromkeys(OFFICIAL, feature)))
    left = record("a", "Boat", creator="Ada Reed", description="From the series Views of Harrow. Ink")
    right = record("b", "Sea, from 'Views of Harrow'", creator="Tom Hall")
    (author,) = explained(system, left, right, ("author",), WHOLES)
    assert reason(author, left, right, WHOLES, TYPES).text == "Both are part of “Views of Harrow”."


def test_one_hand_is_the_reason_of_a_time_that_nothing_dates() -> None:
    declared = WHOLES | features(
        dates={"measure": "intervals", "kind": "gap"},
        dated={"measure": "known", "of": "dates"},
        gated={"measure": "gated", "of": "makers_or_set", "unless": "dated"},
        undated={"measure": "gated", "of": "gated", "unless": "dated"},
    )
    system = System("one", ("undated",), Weighted(np.full((1, 8), 5.0), np.zeros(8)))

    def sentence(left: Record, right: Record) -> str:
        (time,) = explained(system, left, right, ("time",), declared)
        return reason(time, left, right, declared, TYPES).text

    boat = record("a", "Boat", creator="Ada Reed", date="1890")
    mill, sea = record("b", "Mill", creator="Ada Reed"), record("c", "Sea", creator="Ada Reed", date="1700")
    assert sentence(boat, mill) == "No shared date found; both are by Ada Reed."
    assert "Ada Reed" not in sentence(boat, sea)


def test_a_gated_feature_is_worded_as_the_one_that_it_lets_through() -> None:
    declared = features(
        creators={"measure": "tfidf", "scope": {"parts": ["creator"], "names": True}},
        titled={"measure": "known", "of": "titles"},
        titles={"measure": "tfidf", "scope": {"parts": ["title"]}},
        gated={"measure": "gated", "of": "creators", "by": "titled"},
    )
    left, right = record("a", "Boat", creator="Reed, Ada"), record("b", "Mill", creator="Ada Reed")

    def sentence(feature: str) -> str:
        system = System("one", (feature,), Weighted(np.full((1, 8), 5.0), np.zeros(8)))
        (author,) = explained(system, left, right, ("author",), declared)
        return reason(author, left, right, declared, TYPES).text

    assert sentence("gated") == sentence("creators") == "Both are by Ada Reed."
