"""English words in the place of museum words of six languages."""

from pathlib import Path

import pytest

from features.profiles.sentence_texts import sentence_texts
from features.text.glosses import glossed
from features.text.spoken import LANGUAGES, stop_words
from ingest.record import Record, Value, values

HEAD, *ROWS = (line.split("\t") for line in Path("features/text/glosses.tsv").read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("nl", "Gezicht op de kerk, met twee bruggen", "view op de church, met two bridge"),
        ("de", "Bildnis einer jungen Frau", "portrait einer young woman"),
        ("fr", "Le roi à cheval, sur le marché", "Le king à horse, sur le market"),
        ("it", "Ritratto di donna con cane", "portrait di woman con dog"),
        ("es", "Boda de la reina", "wedding de la queen"),
        ("sv", "Två kvinnor på kyrkogården", "two woman på cemetery"),
    ],
)
def test_known_words_are_put_in_english_and_the_rest_stays(language: str, text: str, expected: str) -> None:
    assert glossed(text, language) == expected


def test_case_and_accents_do_not_matter_and_marks_stay() -> None:
    assert glossed("[VUE DE L'EGLISE]; château?", "fr") == "[view DE L'church]; castle?"
    # the accent as a character of its own
    assert glossed("Cafe\u0301 de la re\u0301volution", "fr") == "Café de la revolution"


def test_letters_of_their_own_are_no_accents() -> None:
    assert glossed("får", "sv") == "sheep"
    assert glossed("far", "sv") == "far"


def test_a_form_may_have_several_words() -> None:
    assert glossed("Nature morte; bas-relief en terre cuite; chemin de fer", "fr") == (
        "still life; relief en terracotta; railway"
    )
    # a full stop stands between: two things
    assert glossed("Nature. Morte", "fr") == "Nature. Morte"


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Reiterbildnis", "horseman portrait"),
        ("de", "Kriegsschiff", "war ship"),
        ("nl", "groepsportret", "group portrait"),
        ("nl", "stadsgezicht", "townscape"),
        ("sv", "järnvägsbro", "railway bridge"),
        # one part known: the last one, else the first one
        ("de", "Alpenlandschaft", "Alpen landscape"),
        ("nl", "spotprent", "spot print"),
        ("de", "Kunstkammer", "art kammer"),
        # ß counts as ss
        ("de", "Großstadt", "large town"),
    ],
)
def test_compounds_are_cut(language: str, text: str, expected: str) -> None:
    assert glossed(text, language).casefold() == expected.casefold()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Statistisch"),
        ("de", "Versammlung"),
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
    assert glossed("Jan de Visser en J. Boer", "nl") == "Jan de Visser en J. Boer"
    assert glossed("De Visser", "nl") == "De fisherman"


def test_english_and_languages_without_a_column_stay() -> None:
    text = "The man with a hand on the hut; die Frau"
    assert glossed(text, "en") == text
    assert glossed(text, "pl") == text


def test_unknown_words_stay() -> None:
    assert glossed("Xylofoon-achtig 1912, d'Abc", "nl") == "Xylofoon-achtig 1912, d'Abc"


def test_the_table_has_a_column_for_each_other_language_and_a_row_for_each_english_word() -> None:
    assert HEAD[0] == "english"
    assert sorted(HEAD[1:]) == sorted(set(LANGUAGES) - {"en"})
    assert all(len(row) == len(HEAD) and any(row[1:]) for row in ROWS)
    assert len({row[0] for row in ROWS}) == len(ROWS) > 300


@pytest.mark.parametrize("column", range(1, len(HEAD)), ids=HEAD[1:])
def test_no_form_has_two_meanings_or_is_a_small_word(column: int) -> None:
    language = HEAD[column]
    forms = [(form, row[0]) for row in ROWS for form in filter(None, row[column].split("|"))]
    # a form that comes again, in other letters or accents, would have the other row's word
    assert [form for form, english in forms if glossed(form, language) != english] == []
    assert len({form for form, _ in forms}) == len(forms)
    assert stop_words(language).isdisjoint(form for form, _ in forms)


def test_the_texts_that_are_encoded_are_glossed_value_by_value() -> None:
    record = Record(
        id="a",
        title=(Value("Vrouw met hond", "nl"), Value("Woman in a hut", "en")),
        creator=values("Pieter Visser"),
        subject=(Value("Frau", "de"),),
        description=(Value("Vrouw met hond, op straat", "nl"),),
    )
    assert sentence_texts(record) == {
        "content": "woman met dog. Woman in a hut. woman. woman met dog, op street",
        "all": "woman met dog. Woman in a hut. Pieter Visser. woman. woman met dog, op street",
    }


def test_a_title_that_begins_the_description_stands_once_in_other_languages_too() -> None:
    record = Record(
        id="a",
        title=(Value("Vrouw met hond", "nl"),),
        description=(Value("Vrouw met hond, op straat", "nl"),),
    )
    assert sentence_texts(record)["content"] == "woman met dog, op street"


def test_values_without_a_tag_have_the_language_of_the_record() -> None:
    text = "Een vaas met bloemen en vruchten op een stenen tafel"
    assert sentence_texts(Record(id="a", title=values("Stilleven"), description=values(text)))["content"] == (
        "still life. Een vase met flower en fruit op een stone table"
    )
