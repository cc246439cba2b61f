from typing import Literal

import pytest
from pydantic import ValidationError

from features.measures.scope import Scope
from features.profiles.profile import Occurrence, Part, Profile
from features.text.annotation import Mention
from ingest.record import INDEXED
from tests.builders import profile, record, text_profile, value
from tests.features.measures.columns import bag, occurrences

TITLE = "Ada Reed walking in Venice, 1840"
MENTIONS = (
    Mention(0, 8, "person", "Ada Reed"),
    Mention(20, 26, "location", "Venice"),
    Mention(28, 32, "date", "1840"),
)
PROFILE = Profile(
    (value("title", TITLE, mentions=MENTIONS), value("subject", "Boats"), value("subject", "boat", 1))
)


def terms(scope: Scope, of: Profile = PROFILE) -> list[str]:
    return [occurrence.term for occurrence in occurrences(of, scope)]


def test_every_word_of_the_six_fields_counts_where_nothing_is_said() -> None:
    assert terms(Scope()) == ["ada", "reed", "walking", "in", "venice", "1840", "boats", "boat"]


def test_signs_are_no_terms() -> None:
    assert terms(Scope(), text_profile("— , . ! ?")) == []


def test_parts_pick_fields() -> None:
    assert terms(Scope(parts=("subject",))) == ["boats", "boat"]
    assert terms(Scope(parts=("creator",))) == []


def test_places_count_only_where_they_are_named() -> None:
    where = profile(record("a", places="Venice"))
    assert terms(Scope(), where) == []
    assert terms(Scope(parts=("title", "places"), entities=("location",)), where) == ["venice"]


@pytest.mark.parametrize("part", [part for part in INDEXED if part != "places"])
def test_what_is_indexed_counts_only_where_it_is_named(part: Part) -> None:
    indexed = profile(record("a", "View", **{part: "Boats"}))
    assert terms(Scope(), indexed) == ["view"]
    assert terms(Scope(parts=(part, "title")), indexed) == ["view", "boats"]


def test_figures_are_read_by_their_first_names() -> None:
    shown = profile(record("a", "Herakles and a boat", subject="Zeus"))
    assert terms(Scope(parts=("title", "subject"), figures=True), shown) == ["hercules", "jupiter"]
    assert terms(Scope(figures=True)) == []


def test_tags_and_lemmas() -> None:
    assert terms(Scope(tags=("VERB",))) == ["walking"]
    assert terms(Scope(parts=("subject",), form="lemma")) == ["boat", "boat"]
    assert bag(PROFILE, Scope(parts=("subject",), form="lemma")) == {"boat": 2}


@pytest.mark.parametrize(
    ("kind", "words"),
    [("person", ["ada", "reed"]), ("location", ["venice"]), ("date", ["1840"]), ("organisation", [])],
)
def test_entities_pick_the_words_inside(
    kind: Literal["person", "location", "organisation", "date"], words: list[str]
) -> None:
    assert terms(Scope(entities=(kind,))) == words


def test_several_kinds_and_tags_narrow_together() -> None:
    assert terms(Scope(entities=("person", "location"))) == ["ada", "reed", "venice"]
    assert terms(Scope(entities=("person",), tags=("VERB",))) == []


def test_a_word_that_reaches_out_of_a_mention_is_not_inside() -> None:
    half = Profile((value("title", "Venice", mentions=(Mention(0, 3, "location", "Ven"),)),))
    assert terms(Scope(entities=("location",)), half) == []


def test_a_word_in_two_mentions_counts_once() -> None:
    twice = (Mention(0, 8, "person", "Ada Reed"), Mention(4, 8, "person", "Reed"))
    assert terms(Scope(entities=("person",)), Profile((value("title", "Ada Reed", mentions=twice),))) == [
        "ada",
        "reed",
    ]


def test_names_read_the_persons_of_a_creator() -> None:
    of = profile(record("a", creator="Photographer: Reed, Ada|unknown"))
    scope = Scope(parts=("creator",), names=True)
    assert sorted(terms(scope, of)) == ["ada", "reed"]
    assert {(o.part, o.index, o.start, o.end) for o in occurrences(of, scope)} == {("creator", 0, 14, 23)}


def test_an_occurrence_says_where_it_stands() -> None:
    assert list(occurrences(PROFILE, Scope(parts=("subject",)))) == [
        Occurrence("boats", "subject", 0, 0, 5, "NOUN"),
        Occurrence("boat", "subject", 1, 0, 4, "NOUN"),
    ]
    for occurrence in occurrences(PROFILE, Scope(parts=("title",))):
        assert TITLE[occurrence.start : occurrence.end].lower() == occurrence.term


@pytest.mark.parametrize(
    "wrong",
    [
        {"names": True, "tags": ["NOUN"]},
        {"names": True, "entities": ["person"]},
        {"names": True, "form": "lemma"},
        {"names": True, "parts": ["creator"], "lemmas": ["boat"]},
        {"names": True, "parts": ["creator"], "expand": "people"},
        {"facts": ["sets"], "tags": ["NOUN"]},
        {"facts": ["sets"], "form": "lemma"},
        {"facts": ["sets"], "expand": "places"},
        {"facts": ["sets"], "names": True, "parts": ["creator"]},
        {"facts": ["makers"]},
        {"figures": True, "form": "lemma"},
        {"figures": True, "facts": ["sets"]},
        {"expand": "synonyms"},
        {"parts": ["titel"]},
        {"entities": ["people"]},
        {"form": "stem"},
        {"part": ["title"]},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Scope.model_validate(wrong)


@pytest.mark.parametrize(
    ("parts", "text"), [(("title",), "words in title"), (("date", "places"), "words in date, places")]
)
def test_a_scope_prints_itself(parts: tuple[Part, ...], text: str) -> None:
    assert str(Scope(parts=parts)) == text


def test_only_words_of_some_lemmas() -> None:
    of = profile(record("a", "Boats and a boat in Bath", description="boats"))
    scope = Scope(parts=("title",), lemmas=("boat", "Bath"))
    assert [occurrence.term for occurrence in occurrences(of, scope)] == ["boats", "boat", "bath"]
    assert str(scope) == "words from a list of 2 in title"


def test_selections_are_joined_and_a_word_that_two_pick_counts_once() -> None:
    of = profile(record("a", "Tom Hall walking in Bath", creator="Reed, Ada", date="1840"))
    scope = Scope(
        parts=("title",), tags=("VERB",), also=(Scope(parts=("title",)), Scope(parts=("date", "creator")))
    )
    words = [occurrence.term for occurrence in occurrences(of, scope)]
    assert words == ["tom", "hall", "walking", "in", "bath", "reed", "ada", "1840"]
