"""Records in German, French, Dutch, Italian, Spanish and Swedish: told apart, and read without English."""

from pathlib import Path

import numpy as np
import pytest

from features.measures.bags import CollectedBags, bags_of
from features.profiles.analysis import analyse
from features.profiles.blocks import Block
from features.profiles.other_languages import analyse as analyse_text
from features.profiles.profile import Profile
from features.profiles.record_language import language_of, language_of_value
from features.text.glosses import english_parts, glossed, reading
from features.text.language import Language
from features.text.language_codes import LANGUAGES, base, stop_words
from features.text.spoken import spoken
from ingest.record import Record, Value, values
from tests.features.measures.columns import tried

ROWS = [line.split("\t") for line in Path("tests/data/languages.tsv").read_text("utf-8").splitlines()[1:]]


@pytest.mark.parametrize(("language", "text"), ROWS, ids=[text[:30] for _, text in ROWS])
def test_the_language_of_a_text_is_told(language: str, text: str) -> None:
    assert spoken([text]) == language


def test_what_a_source_says_stands_over_what_the_text_shows() -> None:
    record = Record(id="a", title=(Value("Nude", "nl"),), description=values("Bronze"))
    assert language_of(record) == "nl"
    assert language_of(Record(id="a", title=values("Nude"))) == "en"
    assert [base(tag) for tag in ("nl-BE", "DE", "fre", "mul", "12")] == ["nl", "de", "fr", None, None]


def test_every_language_has_small_words() -> None:
    assert all(len(stop_words(language)) > 40 for language in LANGUAGES)
    assert stop_words("pl") == {}


# a record of each language that is kin of ENGLISH: its person, its place, its years
ENGLISH = Record(
    id="en",
    title=values("Portrait of Jan van Goyen in Venice"),
    creator=values("Rembrandt van Rijn"),
    description=values("Painted in the 17th century, restored in 1850."),
    date=values("1640"),
)
KIN = [
    ("de", "Bildnis des Jan van Goyen in Venedig", "Gemalt im 17. Jahrhundert und um 1850 restauriert."),
    ("fr", "Portrait de Jan van Goyen à Venise", "Peint au XVIIe siècle et restauré vers 1850."),
    ("nl", "Portret van Jan van Goyen te Venetië", "Geschilderd in de 17e eeuw en in 1850 gerestaureerd."),
    ("it", "Ritratto di Jan van Goyen a Venezia", "Dipinto nel Seicento e restaurato verso il 1850."),
    ("es", "Retrato de Jan van Goyen en Venecia", "Pintado en el siglo XVII y restaurado hacia 1850."),
    ("sv", "Porträtt av Jan van Goyen i Venedig", "Målat på 1600-talet och restaurerat omkring 1850."),
]


def kin(language: str, title: str, description: str) -> Record:
    return Record(
        id=language,
        title=(Value(title, language),),
        creator=values("Rijn, Rembrandt van"),
        description=(Value(description, language),),
        date=values("um 1640" if language == "de" else "1640"),
    )


@pytest.fixture(scope="module")
def pipeline() -> Language:
    return Language()


@pytest.fixture(scope="module")
def read(pipeline: Language) -> dict[str, Profile]:
    records = [ENGLISH, *(kin(*row) for row in KIN)]
    return {record.id: results for record, results in zip(records, analyse(records, pipeline), strict=True)}


@pytest.mark.parametrize("language", [language for language, _, _ in KIN])
def test_names_places_and_years_are_read(read: dict[str, Profile], language: str) -> None:
    title, creator, description, date = read[language].values
    kinds = {mention.kind: mention.text for mention in title.mentions}
    assert kinds["person"] == "Jan van Goyen"
    assert kinds["location"].startswith("Ven")
    assert [name.key for name in creator.names] == ["rembrandt van rijn"]
    assert [(one.first, one.last) for one in description.periods] == [(1600, 1699), (1850, 1850)]
    assert [(one.first, one.last) for one in date.periods] == [(1640, 1640)]


@pytest.mark.parametrize("language", [language for language, _, _ in KIN])
def test_a_lemma_is_english_where_the_glosses_have_the_word(read: dict[str, Profile], language: str) -> None:
    words = [word for value in read[language].values if value.part == "description" for word in value.words]
    assert {word.tag for word in words} <= {"X", "PART", "PUNCT", "NUM", "PROPN", "NOUN", "ADJ", "VERB"}
    for word in words:
        (part,) = english_parts(word.form, language)
        known = part.english and word.tag not in {"PROPN", "PART"}
        small = stop_words(language)
        own = small[word.form.lower().rstrip("'’")] if word.tag == "PART" else word.form.lower()
        assert (word.lemma, word.tag) == (reading(part.english) if known else (own, word.tag))
    assert any(word.tag == "PART" for word in words)


@pytest.mark.parametrize("language", [language for language, _, _ in KIN])
def test_a_record_finds_its_english_kin(read: dict[str, Profile], language: str) -> None:
    from features.measures.intervals import IntervalsSettings
    from features.measures.names import NamesSettings
    from features.measures.places import PlacesSettings
    from features.measures.scope import Scope
    from features.measures.tfidf import TfidfSettings

    english, other = read["en"], read[language]
    profiles = list(read.values())
    same = [
        NamesSettings(measure="names", stated=True),
        PlacesSettings(measure="places", which="shown"),
        IntervalsSettings(measure="intervals", kind="expected", first=("date",)),
        TfidfSettings(measure="tfidf", scope=Scope(parts=("title",), entities=("person",))),
    ]
    results = [tried(profiles, settings).pair(english, other) for settings in same]
    assert results == pytest.approx([1.0, 0.8, 1.0, 1.0], abs=0.01)  # one city is .8


def test_elided_words_are_apart_and_initials_together() -> None:
    assert [word.form for word in analyse_text("l'église d’Autun", "fr").words] == [
        "l'",
        "église",
        "d’",
        "Autun",
    ]
    (name,) = analyse_text("getekend door J. van der Meer", "nl").mentions
    assert (name.kind, name.text) == ("person", "J. van der Meer")
    # every noun of German has a capital
    assert analyse_text("Stillleben mit Blumen und Obst auf einem Tisch", "de").mentions == ()


def test_german_nouns_in_a_row_name_nobody() -> None:
    names = {
        "Die Kreuztragung Christi, aus der Folge der Kupferstiche der Passion": [],
        "Vor dem Schloss Haus und Hof, dahinter eine Landschaft Berge": [],
        "Das Blatt zeigt einen Kupferstich Albrecht Dürers": ["Albrecht Dürers"],
        "Man sieht hier Kaiser Wilhelm und Otto von Bismarck": ["Kaiser Wilhelm", "Otto von Bismarck"],
        "Der Maler ist Hans Fischer": ["Hans Fischer"],
    }
    for text, people in names.items():
        mentions = analyse_text(text, "de").mentions
        assert [one.text for one in mentions if one.kind == "person"] == people, text


def test_of_two_languages_in_one_record_each_is_read_as_its_own(pipeline: Language) -> None:
    record = Record(
        id="a",
        title=(Value("Stilleven met bloemen", "nl"), Value("Still life with flowers", "en")),
    )
    (results,) = analyse([record], pipeline)
    dutch, english = results.values
    assert [word.lemma for word in dutch.words] == ["life", "with", "flower"]
    assert english.words[-1].lemma == "flower"


def test_places_and_small_words_have_english_lemmas_and_persons_none() -> None:
    words = analyse_text("Gezicht op Londen met een brug", "nl").words
    assert [word.lemma for word in words] == ["view", "on", "london", "with", "a", "bridge"]
    assert words[2].tag == "PROPN"
    # a name of several words, of which the English one has fewer
    assert [word.lemma for word in analyse_text("vista de Países Bajos", "es").words] == [
        "view",
        "of",
        "netherlands",
        "the",
    ]
    assert [word.lemma for word in analyse_text("Hans Londen", "nl").words] == ["hans", "londen"]


def test_what_begins_with_an_institution_is_no_person() -> None:
    def persons(text: str, language: str) -> list[str]:
        return [one.text for one in analyse_text(text, language).mentions if one.kind == "person"]

    assert persons("un ritratto della Collezione Gilbert", "it") == []
    assert persons("un ritratto di Giovanni Gilbert", "it") == ["Giovanni Gilbert"]


def test_initials_and_abbreviations_are_one_word_with_their_full_stop() -> None:
    forms = [word.form for word in analyse_text("J.M. Boer, ca. 1650, nr. 4, S. Petri. Eind.", "nl").words]
    assert forms == [
        "J.M.",
        "Boer",
        ",",
        "ca.",
        "1650",
        ",",
        "nr.",
        "4",
        ",",
        "S.",
        "Petri",
        ".",
        "Eind",
        ".",
    ]


def test_names_in_english_are_read_in_english(pipeline: Language) -> None:
    record = Record(
        id="a",
        title=values("Een vrouw met een hond in een tuin"),
        source=values("Museum of Modern Art"),
        creator=values("Werkplaats van Rembrandt"),
    )
    (profile,) = analyse([record], pipeline)
    lemmas = {value.part: [word.lemma.lower() for word in value.words] for value in profile.values}
    assert profile.language == "nl"
    assert lemmas["source"] == ["museum", "of", "modern", "art"]
    assert "of" in lemmas["creator"]  # van


def test_a_word_of_one_language_is_as_rare_as_it_is_there() -> None:
    """Ten of 200 records are Dutch, and five of these have *sloep*, which has no English word here.

    Among ten records and the fifty that may be in any language it is in five: 5 * 200 / 60 = 16.67 of 200.
    """
    languages = ["nl"] * 10 + ["en"] * 190
    block = Block([Profile((), language=language) for language in languages])
    sloep, view = block.lexicon.number("sloep"), block.lexicon.number("view")
    items = np.array([0, 1, 2, 3, 4, 5, 50])
    collected = CollectedBags()
    collected.add(block, bags_of(200, items, np.array([sloep] * 5 + [view] * 2)))
    assert collected.names == ["sloep", "view"]
    assert collected.frequencies().tolist() == [5.0, 2.0]
    assert collected.frequencies(of_words=True).tolist() == pytest.approx([5 * 200 / 60, 2.0])


def test_single_letters_and_abbreviations_are_no_small_words() -> None:
    assert [word.lemma for word in analyse_text("c. 1650, s.d., t. 3", "fr").words][:3] == ["c.", "1650", ","]
    assert [word.lemma for word in analyse_text("Hus på en ö.", "sv").words] == ["house", "on", "a", "ö", "."]
    assert glossed("S. Maria d. 1650, Pas-de-Calais", "it") == "S. Mary d. 1650, Pas-de-Calais"


@pytest.mark.parametrize("text", ["", "...", "J.", "'s", "¿?", "de", "Londen"])
def test_whatever_is_written_is_read(text: str) -> None:
    for language in (*LANGUAGES, "pl"):
        words = analyse_text(text, language).words
        assert "".join(text[word.start : word.end] for word in words) == text.replace(" ", "")


def test_a_tag_stands_over_what_a_name_looks_like() -> None:
    assert language_of_value(Value("Museum of Modern Art", "nl"), "source", "nl") == "nl"
    assert language_of_value(Value("Museum of Modern Art"), "source", "nl") == "en"
    assert language_of_value(Value("Museum of Modern Art"), "title", "nl") == "nl"
    assert language_of_value(Value("Muzeum Narodowe"), "source", "pl") == "pl"
