"""English words in the place of museum words of six languages."""

import re
from pathlib import Path

import pytest

from features.profiles.other_languages import analyse
from features.profiles.sentence_texts import sentence_texts
from features.text.glosses import MOST_WORDS, glossed
from features.text.language_codes import LANGUAGES, stop_words
from ingest.record import Record, Value, values

HEAD, *ROWS = (line.split("\t") for line in Path("features/text/glosses.tsv").read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("nl", "Gezicht op de kerk, met twee bruggen", "view on the church, with two bridge"),
        ("de", "Bildnis einer jungen Frau", "portrait a young woman"),
        ("fr", "Le roi à cheval, sur le marché", "the king at horse, on the market"),
        ("it", "Ritratto di donna con cane", "portrait of woman with dog"),
        ("es", "Boda de la reina", "wedding of the queen"),
        ("sv", "Två kvinnor på kyrkogården", "two woman on cemetery"),
    ],
)
def test_known_words_are_put_in_english_and_the_rest_stays(language: str, text: str, expected: str) -> None:
    assert glossed(text, language) == expected


def test_case_and_accents_do_not_matter_and_marks_stay() -> None:
    assert glossed("[VUE DE L'EGLISE]; château?", "fr") == "[view DE L'church]; castle?"
    # the accent as a character of its own
    assert glossed("Cafe\u0301 de la re\u0301volution", "fr") == "coffee of the revolution"


def test_letters_of_their_own_are_no_accents() -> None:
    assert glossed("får", "sv") == "sheep"
    assert glossed("far", "sv") == "far"


def test_a_form_may_have_several_words() -> None:
    assert glossed("Nature morte; bas-relief en terre cuite; chemin de fer", "fr") == (
        "still life; relief in terracotta; railway"
    )
    # a full stop stands between: two things
    assert glossed("Nature. Morte", "fr") == "nature. death"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Reiterbildnis", "horseman portrait"),
        ("de", "Kriegslager", "war camp"),
        ("nl", "groepsportret", "group portrait"),
        ("nl", "stadsgezicht", "townscape"),
        ("sv", "järnvägsbro", "railway bridge"),
        # one part known: the last one, else the first one
        ("de", "Alpenlandschaft", "Alpen landscape"),
        ("nl", "wandtegel", "wand tile"),
        ("de", "Grundherr", "ground man"),
        # ß counts as ss
        ("de", "Großhändler", "large merchant"),
    ],
)
def test_compounds_are_cut(language: str, text: str, expected: str) -> None:
    assert glossed(text, language).casefold() == expected.casefold()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Statistisch"),
        ("de", "Wolframit"),
        ("nl", "Middelburg"),
        ("nl", "Nederland"),
        ("nl", "aandacht"),
        ("sv", "transport"),
        # languages that write compounds as several words
        ("fr", "portecrayon"),
    ],
)
def test_what_only_looks_like_a_compound_stays(language: str, text: str) -> None:
    assert glossed(text, language) == text


def test_surnames_stay() -> None:
    assert glossed("Jan de Visser en J. Boer", "nl") == "Jan de Visser and J. Boer"
    assert glossed("De Visser", "nl") == "the fisherman"


def test_english_and_languages_without_a_column_stay() -> None:
    text = "The man with a hand on the hut; die Frau"
    assert glossed(text, "en") == text
    assert glossed(text, "pl") == text


def test_unknown_words_stay() -> None:
    assert glossed("Xylofoon-achtig 1912, d'Abc", "nl") == "Xylofoon-achtig 1912, d'Abc"


def test_the_table_has_a_column_for_each_other_language_and_a_row_for_each_english_word() -> None:
    assert HEAD[:3] == ["english", "lemma", "tag"]
    assert sorted(HEAD[3:]) == sorted(set(LANGUAGES) - {"en"})
    assert all(len(row) == len(HEAD) and any(row[3:]) for row in ROWS)
    assert len({row[0] for row in ROWS}) == len(ROWS) > 1700
    assert all(len(row[at].split(" ")) == len(row[0].split(" ")) for row in ROWS for at in (1, 2))


@pytest.mark.parametrize("column", range(3, len(HEAD)), ids=HEAD[3:])
def test_no_form_has_two_meanings_or_is_a_small_word(column: int) -> None:
    language = HEAD[column]
    forms = [(form.strip("-"), row[0]) for row in ROWS for form in filter(None, row[column].split("|"))]
    # a form that comes again, in other letters or accents, would have the other row's word
    assert [form for form, english in forms if glossed(form, language) != english] == []
    assert len({form for form, _ in forms}) == len(forms)
    assert set(stop_words(language)).isdisjoint(form for form, _ in forms)
    assert max(len(re.findall(r"\w+", form)) for form, _ in forms) <= MOST_WORDS


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("gravures sur bois", "fr", "woodcut"),
        ("Häuser", "de", "house"),
        ("målningarna", "sv", "painting"),
        ("sentadas", "es", "seated"),
        ("Giona", "it", "Jonah"),
    ],
)
def test_all_forms_of_a_word_are_known(text: str, language: str, expected: str) -> None:
    assert glossed(text, language) == expected


def test_a_capital_tells_german_nouns() -> None:
    assert glossed("Junge mit Hund", "de") == "boy with dog"
    assert glossed("der junge Hund", "de") == "the young dog"
    assert glossed("Junge Frau", "de") == "young woman"


def test_small_words_stay_within_names_alone() -> None:
    assert glossed("Portret van Vincent van Gogh", "nl") == "portrait of Vincent van Gogh"
    assert glossed("Le château d'Azay", "fr") == "the castle of Azay"


def test_a_forename_is_no_saint() -> None:
    assert glossed("Jonas et la baleine", "fr") == "Jonah and the whale"
    assert glossed("Jonas Grieg", "fr") == "Jonas Grieg"


def test_compounds_and_phrases_are_read_word_by_word() -> None:
    words = analyse("Kriegsschiff. Nature morte", "de").words
    assert [(word.start, word.end, word.form, word.lemma) for word in words[:2]] == [
        (0, 12, "Kriegsschiff", "warship"),
        (12, 13, ".", "."),
    ]
    words = analyse("Holzbrücke", "de").words
    assert [(word.start, word.end, word.form, word.lemma, word.tag) for word in words] == [
        (0, 4, "Holz", "wood", "NOUN"),
        (4, 10, "brücke", "bridge", "NOUN"),
    ]
    words = analyse("Nature morte", "fr").words
    assert [(word.form, word.lemma) for word in words] == [("Nature", "still"), ("morte", "life")]


def test_words_are_read_as_their_english_is() -> None:
    (word,) = analyse("zittend", "nl").words
    assert (word.lemma, word.tag) == ("seat", "VERB")  # as in: seated


def test_the_texts_that_are_encoded_are_glossed_value_by_value() -> None:
    record = Record(
        id="a",
        title=(Value("Vrouw met hond", "nl"), Value("Woman in a hut", "en")),
        creator=values("Pieter Visser"),
        subject=(Value("Frau", "de"),),
        description=(Value("Vrouw met hond, op straat", "nl"),),
    )
    assert sentence_texts(record) == {
        "content": "woman with dog. Woman in a hut. woman. woman with dog, on street",
        "all": "woman with dog. Woman in a hut. Pieter Visser. woman. woman with dog, on street",
    }


def test_a_title_that_begins_the_description_stands_once_in_other_languages_too() -> None:
    record = Record(
        id="a",
        title=(Value("Vrouw met hond", "nl"),),
        description=(Value("Vrouw met hond, op straat", "nl"),),
    )
    assert sentence_texts(record)["content"] == "woman with dog, on street"


def test_values_without_a_tag_have_the_language_of_the_record() -> None:
    text = "Een vaas met bloemen en vruchten op een stenen tafel"
    assert sentence_texts(Record(id="a", title=values("Stilleven"), description=values(text)))["content"] == (
        "still life. a vase with flower and fruit on a stone table"
    )
