"""What the sentence of a reason names, and what it leaves out because it is no such thing."""

from functools import partial
from typing import ClassVar

import pytest
from msgspec import structs
from msgspec.structs import replace

from features.measures.archive_places import TAG
from features.measures.base import EvidencePair, Theme
from features.measures.facts import FactsSettings
from features.measures.places import PlacesSettings
from features.measures.registry import FeatureSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from features.measures.years import YearsSettings
from features.profiles.profile import Occurrence
from features.text.names.figures import FIGURE
from features.text.notations import NOTATION
from ingest.record import Record, values
from models.explanation import FeatureContribution, ScoreExplanation
from service.explain.keeping import is_of_keeping
from service.explain.makers import natural
from service.explain.reasons import reason
from service.languages.messages import speaking
from tests.builders import TYPES, record

PLACES = PlacesSettings(measure="places")
TEXT = TfidfSettings(measure="tfidf", scope=Scope())


def stated(
    kind: str, theme: Theme, left: Record, right: Record, *words: str, part: str = "title", tag: str = "NOUN"
) -> str:
    """The reason of a contribution of a theme that rests on words which both records have in a field."""

    evidence = (
        EvidencePair(_at(left, part, word, tag), _at(right, part, word, tag), 1 / len(words))
        for word in words
    )
    return of_evidence(kind, themed(theme), (left, right), *evidence)


def of_evidence(
    kind: str, settings: FeatureSettings, sides: tuple[Record, Record], *evidence: EvidencePair
) -> str:
    """The reason of the one contribution of a feature, which rests on some evidence."""
    contribution = FeatureContribution("f", 0.9, None, 1.0, lambda: evidence)
    explanation = ScoreExplanation(kind, 3.0, 3.0, 0.0, (contribution,))
    return reason(explanation, *sides, {"f": settings}, TYPES).text


def themed(meaning: Theme) -> YearsSettings:
    """A feature that is about a theme."""

    class Themed(YearsSettings):
        theme: ClassVar[Theme] = meaning

    return Themed(measure="years")


def _at(item: Record, part: str, word: str, tag: str) -> tuple[Occurrence, ...]:
    text = item.part(part)[0].text
    start = text.casefold().index(word.casefold())
    return (Occurrence(word.casefold(), part, 0, start, start + len(word), tag),)


def both(one: str, two: str, **fields: str) -> tuple[Record, Record]:
    """Two records of two titles, with the other fields alike."""
    return record("a", one, **fields), record("b", two, **fields)


@pytest.mark.parametrize("theme", ["kinds", "people"])
def test_a_deity_is_named_by_whatever_name(theme: Theme) -> None:
    left, right = both("Herakles at rest", "The young Hercules")
    evidence = EvidencePair(
        (Occurrence("hercules", "title", 0, 0, 8, FIGURE),),
        (Occurrence("hercules", "title", 0, 10, 18, FIGURE),),
        1.0,
    )
    assert of_evidence("people", themed(theme), (left, right), evidence) == "Both name Hercules."
    # where both write the name in one way it stands as they do
    alike = both("Herakles at rest", "The young Herakles")
    assert of_evidence("people", themed(theme), alike, evidence) == "Both name Herakles."


def test_a_notation_is_what_it_shows_in_the_language_of_the_reader() -> None:
    left, right = (record(one, "A plate", concepts="25F711(BUTTERFLY)|31D15") for one in "ab")
    spans = (0, 17, "25F711(BUTTERFLY)"), (0, 17, "25F711"), (1, 5, "31D15"), (1, 5, "31D")
    stands = [(Occurrence(term, "concepts", index, 0, end, NOTATION),) for index, end, term in spans]
    evidence = [EvidencePair(one, one, 0.25) for one in stands]
    # of what lies in one another the narrowest counts
    text = partial(of_evidence, "subject", themed("words"), (left, right), *evidence)
    assert text() == "Both show “insects: butterfly” and “adult woman”."
    with speaking("de"):
        assert text() == "Beide zeigen „Insekten: Schmetterling“ und „erwachsene Frau“."
    with speaking("nl"):  # which Iconclass has no words in
        assert text() == "Beide tonen „insects: butterfly” en „adult woman”."


def test_a_scene_of_a_story_is_an_event_by_its_usual_title() -> None:
    left, right = both("The Flight into Egypt", "A landscape with the flight into Egypt")
    assert stated("event", "events", left, right, "flight") == "Both show “Flight into Egypt”."
    with speaking("sv"):
        assert stated("event", "events", left, right, "flight") == "Båda visar ”Flykten till Egypten”."


@pytest.mark.parametrize("word", ["owner", "guide", "ensemble", "Saudi", "DOC"])
def test_what_is_no_kind_of_people_is_not_said_to_be_there(word: str) -> None:
    pair = both(f"The {word} and a child", f"A child with the {word}")
    assert stated("people", "kinds", *pair, word, "child") == "People in both: “child”."
    assert stated("people", "kinds", *pair, word) == "No shared person found."


def test_a_surname_is_no_kind_of_people_and_a_rank_is() -> None:
    left, right = both("Mason before the Emperor", "The Emperor and Mason", subject="Mason, Ada")
    assert stated("people", "kinds", left, right, "Mason", "Emperor") == "People in both: “Emperor”."
    left, right = both("Mason at work", "A Mason")
    assert stated("people", "kinds", left, right, "Mason") == "People in both: “Mason”."


@pytest.mark.parametrize("word", ["entitle", "stand", "dedicate", "left", "seat", "aid", "custom"])
def test_what_happens_to_a_record_and_how_somebody_stands_is_no_event(word: str) -> None:
    pair = both(f"{word} walk", f"walk {word}")
    assert stated("event", "events", *pair, word, "walk", tag="VERB") == "In both the action is “walk”."
    assert stated("event", "events", *pair, word, tag="VERB") == "No shared event found."


def test_what_cannot_be_about_the_type_is_looked_up_only_where_nothing_else_is_said() -> None:
    left, right = both("Padua by night", "Night in Padua")

    def look_up(word: str, sides: tuple[Record, Record]) -> tuple[EvidencePair, ...]:
        looked_up.append(word)
        one, two = (_at(each, "title", word, "PROPN") for each in sides)
        return (EvidencePair(one, two, 1.0),)

    for place, wanted, words_read in (
        (1.0, "Both concern Padua.", ["Padua"]),
        (0.0, "No shared place found; both mention “night”.", ["night"]),
    ):
        looked_up: list[str] = []
        words = FeatureContribution("words", 0.9, None, 9.0, partial(look_up, "night", (left, right)))
        places = FeatureContribution("places", 0.9, None, place, partial(look_up, "Padua", (left, right)))
        explanation = ScoreExplanation("location", 3.0, 3.0, 0.0, (words, places))
        features = {"words": themed("words"), "places": themed("places")}
        assert reason(explanation, left, right, features, TYPES).text == wanted
        assert looked_up == words_read


def test_that_a_model_expects_people_is_no_reason() -> None:
    left, right = both("Photographs of a hand", "A hand, photographs")
    evidence = (EvidencePair(_at(left, "title", "hand", "NOUN"), _at(right, "title", "hand", "NOUN"), 1.0),)
    shown = FactsSettings(measure="facts", of=("people/shown",), compare="both")
    for kind, noun in (("event", "event"), ("people", "person")):
        part = FeatureContribution("f", 0.9, None, 1.0, lambda: evidence)
        explanation = ScoreExplanation(kind, 3.0, 3.0, 0.0, (part,))
        result = reason(explanation, left, right, {"f": shown}, TYPES)
        assert (result.text, result.empty) == (f"No shared {noun} found.", True)


@pytest.mark.parametrize(
    ("one", "two", "word", "sentence"),
    [
        ("Italian. Views", "Views, Italian.", "Italian.", "No shared place found."),
        ("African Americans", "African Americans", "African Americans", "No shared place found."),
        ("On Japan paper", "Print on Japan paper", "Japan", "No shared place found."),
        ("From Japan", "Japan at night", "Japan", "Both concern Japan."),
        # of an Indian dance nobody says where it was painted
        ("Indian dance", "Indian battle", "Indian", "No shared place found."),
    ],
)
def test_a_people_and_a_material_are_no_places(one: str, two: str, word: str, sentence: str) -> None:
    assert stated("location", "places", *both(one, two), word, tag="PROPN") == sentence


def test_a_word_of_a_person_s_name_is_no_place() -> None:
    pair = both("Nickolas Muray fencing", "Portrait of Nickolas Muray", subject="Muray, Nickolas")
    assert stated("location", "places", *pair, "Nickolas", tag="PROPN") == "No shared place found."
    assert stated("location", "places", *both("In Rome", "Rome"), "Rome", tag="PROPN") == "Both concern Rome."


def test_half_a_name_is_not_shared_and_a_whole_one_is() -> None:
    left = record("a", "Job Goodman at work", subject="Goodman, Job")
    right = record("b", "Bertram Goodman at work", subject="Goodman, Bertram")
    assert stated("subject", "words", left, right, "Goodman", tag="PROPN") == (
        "Nothing that they share speaks for a similarity in subject."
    )
    again = record("c", "Job Goodman again", subject="Goodman, Job")
    assert stated("subject", "words", left, again, "Goodman", tag="PROPN") == "Both mention “Job Goodman”."


def test_words_that_only_a_dictionary_makes_one_are_not_shared() -> None:
    left, right = record("a", "Möbelfabrik och gata"), record("b", "Margarinfabrik vid gatan")
    evidence = (
        EvidencePair(
            _at(left, "title", "Möbelfabrik", "NOUN"), _at(right, "title", "Margarinfabrik", "NOUN"), 0.6
        ),
        EvidencePair(_at(left, "title", "gata", "NOUN"), _at(right, "title", "gatan", "NOUN"), 0.4),
    )
    same = tuple(replace_term(one, term) for one, term in zip(evidence, ("factory", "street"), strict=True))

    class Words(YearsSettings):
        theme: ClassVar[Theme] = "words"

    part = FeatureContribution("f", 0.9, None, 1.0, lambda: same)
    explanation = ScoreExplanation("subject", 3.0, 3.0, 0.0, (part,))
    assert (
        reason(explanation, left, right, {"f": Words(measure="years")}, TYPES).text == "Both mention “gata”."
    )


def replace_term(pair: EvidencePair, term: str) -> EvidencePair:
    """The same words as forms of one term."""
    left, right = (tuple(replace(one, term=term) for one in side) for side in (pair.left, pair.right))
    return EvidencePair(left, right, pair.share)


@pytest.mark.parametrize(
    ("field", "text", "word", "credit"),
    [
        ("title", "'A mill'. Copyright owner of work: Ada Reed", "owner", True),
        ("title", "'A mill'. Copyright owner of work: Ada Reed", "mill", False),
        ("subject", "Ethics--Early works to 1800", "works", True),
        ("subject", "Ethics--Early works to 1800", "Ethics", False),
        ("subject", "Peri, Giovanni, active 16th century", "active", True),
        ("description", "A lantern. Conservé : Fondation Reed (Rouen)", "Rouen", True),
        ("description", "Type-metal engraving. Posada Prints Collection. A dance", "Posada", True),
        ("description", "Engraving. Reed Museum of Art, Bath, England", "Bath", True),
        ("description", "A view of Bath. Reed Museum of Art", "Bath", False),
        ("description", "A deed. Formerly owned by Ada Reed. In Latin", "Ada", True),
        ("description", "A deed. Sold by Mizrahi (Brooklyn, New York) in 2007", "Brooklyn", True),
    ],
)
def test_what_tells_of_the_keeping(field: str, text: str, word: str, credit: bool) -> None:
    item = replace(Record(id="a", source=values("Reed Museum of Art")), **{field: values(text)})
    start = text.index(word)
    assert is_of_keeping(item, Occurrence(word, field, 0, start, start + len(word))) is credit


def test_the_name_of_a_manuscript_that_is_a_shelf_mark_is_not_said() -> None:
    text = "folio from Reed manuscript W.653"
    left, right = record("a", description=text), record("b", description=text)
    start = text.index("Reed")
    side = (Occurrence("reed manuscript w.653", "description", 0, start, len(text), "sets"),)
    part = FeatureContribution("f", 1.0, None, 1.0, lambda: (EvidencePair(side, side, 1.0),))
    explanation = ScoreExplanation("author", 4.0, 4.0, 0.0, (part,))
    result = reason(explanation, left, right, {"f": YearsSettings(measure="years")}, TYPES)
    assert (result.text, result.facts[0].value) == ("Both are part of one manuscript.", "manuscript")


def test_the_years_of_a_maker_are_not_those_of_an_item() -> None:
    creator = "Charles Russell (American, 1864 - 1926)"
    left, right = record("a", creator=creator), record("b", creator=creator)
    start = creator.index("1864")
    side = (Occurrence("1864 - 1926", "creator", 0, start, start + 11),)
    part = FeatureContribution("f", 1.0, None, 1.0, lambda: (EvidencePair(side, side, 1.0),))
    explanation = ScoreExplanation("time", 4.0, 4.0, 0.0, (part,))
    assert reason(explanation, left, right, {"f": YearsSettings(measure="years")}, TYPES).text == (
        "Both are of the working years of Charles Russell."
    )


def test_a_century_of_another_language_is_said_in_english() -> None:
    left, right = record("a", date="18e siècle"), record("b", date="18e siècle")
    side = (Occurrence("18e siècle", "date", 0, 0, 10),)
    part = FeatureContribution("f", 1.0, None, 1.0, lambda: (EvidencePair(side, side, 1.0),))
    explanation = ScoreExplanation("time", 4.0, 4.0, 0.0, (part,))
    assert reason(explanation, left, right, {"f": YearsSettings(measure="years")}, TYPES).text == (
        "Both are of the 18th century."
    )


def test_that_a_model_expects_an_event_is_a_reason_by_the_verbs_that_both_have() -> None:
    happening = FactsSettings(measure="facts", of=("event",), compare="either")

    def text(left: Record, right: Record, word: str, tag: str) -> str:
        evidence = (EvidencePair(_at(left, "title", word, tag), _at(right, "title", word, tag), 1.0),)
        part = FeatureContribution("f", 0.9, None, 1.0, lambda: evidence)
        explanation = ScoreExplanation("event", 3.0, 3.0, 0.0, (part,))
        return reason(explanation, left, right, {"f": happening}, TYPES).text

    assert text(*both("Men swearing an oath", "A man swearing"), "swearing", "VERB") == (
        "In both the action is “swearing”."
    )
    assert text(*both("A child seated", "Seated men"), "seated", "VERB") == "No shared event found."
    assert text(*both("Views of Suriname", "Suriname"), "Suriname", "PROPN") == "No shared event found."


def test_a_word_in_the_name_of_a_set_is_no_place_unless_it_is_known() -> None:
    def of_set(name: str, word: str) -> str:
        item = record("a", description=f"Print. From the series {name}.")
        return stated(
            "location", "places", item, replace(item, id="b"), word, part="description", tag="PROPN"
        )

    assert of_set("Up in the Sky", "Sky") == "No shared place found."
    assert of_set("Views of Venice", "Venice") == "Both concern Venice."
    # a sheet of them shows one of these places, and nobody knows which
    assert of_set("Venice, Padua and Verona", "Venice") == "No shared place found."
    assert of_set("Views of Venice, 1890", "Venice") == "Both concern Venice."


def test_a_catalogue_that_is_cited_is_no_place() -> None:
    def cited(text: str, word: str) -> str:
        item = record("a", "Coin", description=text)
        pair = item, replace(item, id="b")
        return stated("location", "places", *pair, word, part="description", tag="PROPN")

    assert cited("Bust of a king. Schl. 123", "Schl") == "No shared place found."
    assert cited("Bust of a king, found at Camden.", "Camden") == "Both concern Camden."
    assert cited("Reed, no. 12, a coin", "Reed") == "No shared place found."
    assert cited("Found at Camden, 1850.", "Camden") == "Both concern Camden."
    assert cited("A view of Venice 1850.", "Venice") == "Both concern Venice."


def test_a_noun_that_a_title_writes_with_a_capital_is_no_name_of_an_event() -> None:
    left, right = both("Figure of Death", "A scene of death")
    sides = (_at(left, "title", "Death", "PROPN"), _at(right, "title", "death", "NOUN"))

    class Events(YearsSettings):
        theme: ClassVar[Theme] = "events"

    part = FeatureContribution("f", 0.9, None, 1.0, lambda: (EvidencePair(*sides, 1.0),))
    explanation = ScoreExplanation("event", 3.0, 3.0, 0.0, (part,))
    assert (
        reason(explanation, left, right, {"f": Events(measure="years")}, TYPES).text
        == "Both tell of “Death”."
    )


def test_within_a_sentence_a_capital_letter_makes_a_name() -> None:
    left, right = record("a", description="It tells of Jacob"), record("b", description="This is of Jacob")
    assert stated("people", "kinds", left, right, "Jacob", part="description", tag="PROPN") == (
        "No shared person found."
    )
    left, right = record("a", description="Child with a hat"), record("b", description="Child at sea")
    assert stated("people", "kinds", left, right, "Child", part="description", tag="PROPN") == (
        "People in both: “Child”."
    )


def test_the_code_of_a_country_is_not_named_beside_its_name() -> None:
    pair = both("Danmark DK", "DK, Danmark")
    assert stated("location", "places", *pair, "Danmark", "DK", tag="PROPN") == "Both concern Danmark."
    assert stated("location", "places", *both("In PA", "PA"), "PA", tag="PROPN") == "Both concern PA."


def test_a_word_and_its_inflected_form_are_named_once() -> None:
    pair = both("Stadsmur stadsmuren torn", "Torn i stadsmuren, stadsmur")
    assert stated("subject", "words", *pair, "stadsmur", "stadsmuren", "torn").count("“") == 2


def test_an_origin_is_one_that_both_sides_tell_of() -> None:
    left = record("a", "French flags", creator="George Mejat")
    right = record("b", "A dancer", creator="Maurice Tabard (French, 1897-1984)")
    here, there = _at(left, "title", "French", "ADJ"), _at(right, "creator", "French", "ADJ")

    class Places(YearsSettings):
        theme: ClassVar[Theme] = "places"

    def text(side: tuple[Occurrence, ...], item: Record) -> str:
        part = FeatureContribution("f", 0.9, None, 1.0, lambda: (EvidencePair(side, there, 1.0),))
        explanation = ScoreExplanation("location", 3.0, 3.0, 0.0, (part,))
        return reason(explanation, item, right, {"f": Places(measure="years")}, TYPES).text

    assert text(here, left) == "No shared place found."
    # a garden may be French whoever painted it
    garden = record("d", "French garden", creator="Claude Reed (French)")
    both_places = (*_at(garden, "title", "French", "ADJ"), *_at(garden, "creator", "French", "ADJ"))
    assert text(both_places, garden) == "As for places, they share the origin of their makers: French."
    assert (
        text(there, replace(right, id="c")) == "As for places, they share the origin of their makers: French."
    )


def test_makers_whose_surnames_stand_in_capitals_are_written_as_they_are_read() -> None:
    assert natural("VICUÑA MACKENNA, Benjamín.") == "Benjamín Vicuña Mackenna"
    assert natural("LERDO DE TEJADA, Miguel M.") == "Miguel M. Lerdo de Tejada"
    assert natural("JOHNSTONE, James de Chevalier") == "James de Chevalier Johnstone"


def test_who_printed_a_copy_is_not_whom_it_is_after() -> None:
    names = ("after Ada Reed", "Tom Hall, printed by")
    left, right = record("a", creator="|".join(names)), record("b", creator="|".join(names))
    evidence = tuple(
        EvidencePair((one,), (one,), 0.5)
        for one in (
            Occurrence("after ada reed", "creator", 0, 6, 14),
            Occurrence("tom hall", "creator", 1, 0, 8),
        )
    )

    class Makers(YearsSettings):
        theme: ClassVar[Theme] = "makers"

    part = FeatureContribution("f", 0.9, None, 1.0, lambda: evidence)
    explanation = ScoreExplanation("author", 4.0, 4.0, 0.0, (part,))
    result = reason(explanation, left, right, {"f": Makers(measure="years")}, TYPES)
    assert result.text == "Both are after Ada Reed."


def test_a_maker_of_both_is_no_subject_of_both() -> None:
    left = record("a", "Crystal Harris", creator='Charles "Teenie" Harris')
    right = record("b", "Scott Harris", creator='Charles "Teenie" Harris')
    assert stated("subject", "words", left, right, "Harris", tag="PROPN").startswith(
        "Nothing that they share"
    )


@pytest.mark.parametrize(
    ("value", "words", "sentence"),
    [
        (1.0, ("Joe", "Louis"), "Both name Joe Louis."),
        (0.5, ("Joe", "Louis"), "People in both: “boxer”."),  # as many other names stand there
        (1.0, ("Louis",), "People in both: “boxer”."),  # whoever that is
    ],
)
def test_who_it_is_comes_before_kinds_of_people_however_little_it_adds(
    value: float, words: tuple[str, ...], sentence: str
) -> None:
    class Named(YearsSettings):
        theme: ClassVar[Theme] = "people"

    class Kinds(YearsSettings):
        theme: ClassVar[Theme] = "kinds"

    left, right = both("The boxer Joe Louis", "Joe Louis, a boxer")

    def part(name: str, value: float, amount: float, *words: str) -> FeatureContribution:
        tag = "NOUN" if name == "kinds" else "PROPN"
        pairs = [(_at(left, "title", word, tag), _at(right, "title", word, tag)) for word in words]
        evidence = tuple(EvidencePair(*sides, 1 / len(words)) for sides in pairs)
        return FeatureContribution(name, value, None, amount, lambda: evidence)

    parts = part("kinds", 0.5, 0.7, "boxer"), part("named", value, 0.3, *words)
    features = {"kinds": Kinds(measure="years"), "named": Named(measure="years")}
    explanation = ScoreExplanation("people", 3.0, 3.0, 0.0, parts)
    assert reason(explanation, left, right, features, TYPES).text == sentence


@pytest.mark.parametrize(
    ("left", "right", "words", "sentence"),
    [
        ("Album van de familie Doijer", "van de familie Doijer", "van de familie Doijer", "“familie Doijer”"),
        ("Portrait by van de Velde", "A van de Velde", "van de Velde", "“van de Velde”"),
        ("Fusil du 19e siècle", "Un fusil, 19e siècle", "fusil e siècle", "“Fusil”"),
        ("Cat, ink, 1901-1966", "A cat, 1901-1966", "cat 1901-1966", "“Cat”"),
        ("Kaart waarop een molen", "Een molen waarop", "molen waarop", "“molen”"),
        ("American cat", "A cat, American", "american cat", "“cat”"),
        ("Hugo Wolf, born 1860", "Hugo Wolf (born 1860)", "hugo wolf born 1860", "“Hugo Wolf”"),
        ("Exhibition, 1886", "1886, exhibition", "exhibition 1886", "“Exhibition”"),
    ],
)
def test_words_that_tell_nothing_are_not_named(left: str, right: str, words: str, sentence: str) -> None:
    assert stated("subject", "words", *both(left, right), *words.split()) == f"Both mention {sentence}."


def test_a_place_is_named_without_the_word_before_it_unless_that_is_part_of_it() -> None:
    pair = both("gezicht op van Delft", "kaart van Delft")
    assert stated("subject", "words", *pair, "van", "Delft", tag="PROPN") == "Both mention “Delft”."
    named = both("Portrait by Philippe de Champagne", "Philippe de Champagne at work")
    assert stated("people", "people", *named, "Philippe", "de", "Champagne", tag="PROPN") == (
        "Both name Philippe de Champagne."
    )


def test_a_lone_adjective_is_named_only_where_there_is_nothing_else() -> None:
    pair = both("Old cat", "A cat, old")
    adjective, noun = (
        EvidencePair(_at(pair[0], "title", word, tag), _at(pair[1], "title", word, tag), 0.5)
        for word, tag in (("old", "ADJ"), ("cat", "NOUN"))
    )
    assert of_evidence("subject", themed("words"), pair, adjective, noun) == "Both mention “cat”."
    assert of_evidence("subject", themed("words"), pair, adjective) == "Both mention “Old”."


def test_a_culture_is_called_by_its_name_where_a_name_implies_it() -> None:
    maker = (Occurrence("british", "creator", 0, 0, 15, ""),)
    pair = both("A cat", "A dog", creator="Joseph Highmore")
    sentence = of_evidence("author", themed("makers"), pair, EvidencePair(maker, maker, 1.0))
    assert sentence == "Their makers are of one culture: British."


@pytest.mark.parametrize(
    ("one", "two", "sentence"),
    [
        ("-42 to -40", "-42 to -40", "Both are of 42 BC to 40 BC."),
        ("1900-1910", "1900 - 1910", "Both are of 1900-1910."),
        ("1912", "1881-", "They are 31 years apart: 1912 and 1881."),
        ("194-?", "194-", "Both are of the 1940s."),
        ("1849-08-20-1849-09", "1849", "Both are of 1849."),
    ],
)
def test_dates_are_written_as_people_write_them(one: str, two: str, sentence: str) -> None:
    pair = record("a", "A cat", date=one), record("b", "A dog", date=two)
    passages = (date if "194" in date else date.rstrip("-") for date in (one, two))
    left, right = ((Occurrence(passage, "date", 0, 0, len(passage), ""),) for passage in passages)
    assert of_evidence("time", themed("times"), pair, EvidencePair(left, right, 1.0)) == sentence


@pytest.mark.parametrize(
    ("date", "start", "sentence"),
    [
        ("between 1899 and 1909", 8, "Both are of 1899-1909."),
        ("1899 and 1909", 0, "Both are of 1899 and 1909."),  # two dates
        ("1500-500 BC", 0, "Both are of 1500-500 BC."),
        ("1208 to 1208", 0, "Both are of 1208."),
        ("before 1842", 7, "Both are dated before 1842."),
    ],
)
def test_what_stands_between_two_years_is_a_stretch_of_them(date: str, start: int, sentence: str) -> None:
    pair = record("a", "A cat", date=date), record("b", "A dog", date=date)
    where = (Occurrence(date[start:], "date", 0, start, len(date), ""),)
    assert of_evidence("time", themed("times"), pair, EvidencePair(where, where, 1.0)) == sentence


def test_what_is_before_a_year_is_not_of_it() -> None:
    left, right = record("a", "A cat", date="before 1842"), record("b", "A dog", date="1842")
    ours, theirs = (Occurrence("1842", "date", 0, start, start + 4, "") for start in (7, 0))
    evidence = EvidencePair((ours,), (theirs,), 1.0)
    assert of_evidence("time", themed("times"), (left, right), evidence) == (
        "They are close in time: before 1842 and 1842."
    )


@pytest.mark.parametrize("named", ["Harris Studio", ""])
def test_an_archive_stands_for_a_place_and_its_name_for_none(named: str) -> None:
    pair = both(named or "A cat", "A dog", source="Teenie Harris Archive")

    def sentence(kind: str, place: str) -> str:
        archive = Occurrence(place, "source", 0, 0, 21, TAG)
        one = Occurrence("harris studio", "title", 0, 0, len(named), "PROPN") if named else archive
        return of_evidence(kind, PLACES, pair, EvidencePair((one,), (archive,), 1.0))

    assert sentence("location", "texas") == "What their archives hold is of Texas, unless it says otherwise."
    # most of what two archives of one country hold has no place in common
    assert sentence("location", "united states") == "No shared place found."
    assert sentence("location", "netherlands") == "No shared place found."
    assert "Archive" not in sentence("general", "texas")


def test_who_made_or_holds_an_item_is_not_named_in_its_description() -> None:
    def name(left: Record, right: Record, word: str) -> str:
        here, there = (_at(one, "description", word, "PROPN") for one in (left, right))
        return of_evidence("people", themed("people"), (left, right), EvidencePair(here, there, 1.0))

    signed = {"creator": "Utagawa Kuniyoshi", "source": "The Walters Museum"}
    text = "Ichiyusai Kuniyoshi; Utagawa Reed; Walters; The Virgin Mary"
    pair = both("A print", "A sheet", description=text, **signed)
    assert name(*pair, "Ichiyusai") == name(*pair, "Walters") == "No shared person found."
    # a forename alone makes nobody the maker, nor an article a holder
    assert name(*pair, "Reed") == "Both name Reed."
    assert name(*pair, "Mary") == "Both name Mary."


def test_words_that_begin_alike_are_not_the_same() -> None:
    pair = both("A lady with a horse in Iran", "A lad, a house, a horse in Iraq")
    lady, lad = (_at(one, "title", word, "NOUN") for one, word in zip(pair, ("lady", "lad"), strict=True))
    kinds = TfidfSettings.model_validate({"measure": "tfidf", "scope": {"expand": "people"}})
    sentence = of_evidence("people", kinds, pair, EvidencePair(lady, lad, 1.0))
    assert sentence == "People of a like kind: “lady” here, “lad” there."


def test_a_part_of_a_word_is_shown_as_the_word() -> None:
    def shared(one: str, two: str) -> str:
        pair = both(one, two)
        left, right = (
            Occurrence("leben", "title", 0, text.index("leben"), text.index("leben") + 5, "NOUN")
            for text in (one, two)
        )
        return of_evidence(
            "subject", TfidfSettings(measure="tfidf"), pair, EvidencePair((left,), (right,), 1.0)
        )

    assert shared("Ein Volksleben", "Das Volksleben") == "Both mention “Volksleben”."
    assert "leben" not in shared("Ein Volksleben", "Das Menschenleben")


def test_people_are_no_places_that_belong_together() -> None:
    left, right = both("American bowl", "Pueblo bowl")
    peoples = _at(left, "title", "American", "ADJ"), _at(right, "title", "Pueblo", "PROPN")
    evidence = EvidencePair(*peoples, 1.0)
    assert of_evidence("location", PLACES, (left, right), evidence) == "No shared place found."


def test_one_place_under_two_names_is_one_place_and_what_nothing_is_known_of_belongs_to_none() -> None:
    def text(one: str, other: str) -> str:
        left, right = both(one, other)
        evidence = EvidencePair(_at(left, "title", one, "PROPN"), _at(right, "title", other, "PROPN"), 1.0)
        return of_evidence("location", PLACES, (left, right), evidence)

    assert text("Venezia", "Venice") == "Both concern Venezia."
    assert text("Venice", "Rome") == "They concern places that belong together: Venice here, Rome there."
    assert text("Moss and Log", "Rome") == "No shared place found."


def test_a_verb_in_two_forms_is_one_action_and_a_noun_is_no_form_of_it() -> None:
    def text(one: str, other: str, here: str, there: str, tag: str, theme: Theme) -> str:
        sides = both(one, other)
        ours, theirs = (
            structs.replace(_at(side, "title", word, tag)[0], term="walk")
            for side, word in zip(sides, (here, there), strict=True)
        )
        kind = "event" if theme == "events" else "subject"
        return of_evidence(kind, themed(theme), sides, EvidencePair((ours,), (theirs,), 1.0))

    walks = text("A man walking", "She walks home", "walking", "walks", "VERB", "events")
    assert walks == "In both the action is “walking”."
    way = text("Walking class", "Two walks", "Walking", "walks", "NOUN", "words")
    assert way == "Nothing that they share speaks for a similarity in subject."


def test_a_plural_that_changes_within_is_the_same_kind_of_people() -> None:
    left, right = both("Man at work", "Men at work")
    evidence = EvidencePair(_at(left, "title", "Man", "NOUN"), _at(right, "title", "Men", "NOUN"), 1.0)
    kinds = TfidfSettings.model_validate({"measure": "tfidf", "scope": {"expand": "people"}})
    assert of_evidence("people", kinds, (left, right), evidence) == "People in both: “Man”."


def test_a_code_of_a_state_is_not_named_beside_it_however_it_is_written() -> None:
    pair = both("New York, N.Y.", "N.Y. New York", places="New York (N.Y.)")
    assert stated("location", "places", *pair, "New York", "N.Y.") == "Both concern New York."


def test_what_stands_in_the_index_of_places_alone_is_filed_there() -> None:
    pair = both("A chronicle", "The Work", places="London")
    place = (Occurrence("london", "places", 0, 0, 6, ""),)
    for kind in ("location", "general"):
        sentence = of_evidence(kind, PLACES, pair, EvidencePair(place, place, 1.0))
        assert sentence == "Both are filed under London."


def test_who_published_both_is_said_to_have_published_them() -> None:
    publisher = "Reed, Ada (born Bath), published by"
    left, right = both("One", "Two", creator=publisher)
    evidence = [EvidencePair(one, one, 1.0) for one in [(Occurrence("ada reed", "creator", 0, 0, 9, ""),)]]
    assert of_evidence("author", themed("makers"), (left, right), *evidence) == (
        "Both were published by Ada Reed."
    )
    # for whom she made one she is a maker
    maker = replace(right, creator=values("Reed, Ada"))
    assert of_evidence("author", themed("makers"), (left, maker), *evidence) == "Both are by Ada Reed."


def test_words_beside_the_makers_alone_tell_nothing_of_the_items() -> None:
    left, right = both("Boat", "Mill", creator="Ada Reed (born Bath)")
    bath = (Occurrence("bath", "creator", 0, 15, 19, "PROPN"),)
    alike = of_evidence("subject", TEXT, (left, right), EvidencePair(bath, bath, 1.0))
    assert "Bath" not in alike
    named = (Occurrence("bath", "title", 0, 0, 4, "PROPN"),)
    left = replace(left, title=values("Bath"))
    assert (
        of_evidence("subject", TEXT, (left, right), EvidencePair(named, bath, 1.0)) == "Both mention “Bath”."
    )


@pytest.mark.parametrize(
    ("theme", "kind", "title", "word", "reason"),
    [
        ("people", "people", "Francesco at home", "Francesco", "No shared person found."),
        ("people", "people", "De plantage Ma Retraite", "Retraite", "No shared person found."),
        ("people", "people", "Ma Retraite at home", "Retraite", "Both name Retraite."),
        ("places", "location", "New York (State)", "State", "No shared place found."),
        ("places", "location", "John Barran, Esq. M.P.", "Esq. M.P.", "No shared place found."),
    ],
)
def test_what_names_nobody_and_no_place(theme: Theme, kind: str, title: str, word: str, reason: str) -> None:
    assert stated(kind, theme, *both(title, f"{title}, a print"), word, tag="PROPN") == reason


def test_a_surname_or_forename_alone_does_not_make_two_persons_one() -> None:
    left, right = record("a", "Milton Avery at work"), record("b", "A chair of Samuel Avery")
    assert stated("people", "people", left, right, "Avery", tag="PROPN") == (
        "They name people of like names: Milton Avery here, Samuel Avery there."
    )
    same = record("b", "A chair of Milton Avery")
    assert stated("people", "people", left, same, "Milton", "Avery", tag="PROPN") == "Both name Milton Avery."
    assert stated("people", "people", record("a", "Avery"), same, "Avery", tag="PROPN") == "Both name Avery."


def test_a_passage_does_not_end_in_the_forename_of_a_longer_name() -> None:
    left, right = record("a", "A voyage by James Cook"), record("b", "A voyage by James Reed")
    assert stated("subject", "words", left, right, "voyage") == "Both mention “voyage”."
    same = record("b", "A voyage by James Cook, 1780")
    assert stated("subject", "words", left, same, "voyage") == "Both mention “voyage by James Cook”."


def test_a_sign_is_no_word_and_a_subdivision_of_a_heading_no_subject() -> None:
    left, right = both("¾ length, a glove", "¾ face, a glove", subject="France--History--Economic aspects")
    assert stated("subject", "words", left, right, "¾", "glove") == "Both mention “glove”."
    assert stated("subject", "words", left, right, "Economic", "France", part="subject") == (
        "Both mention “France”."
    )
