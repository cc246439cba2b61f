"""The catalogues hold every message, with all that is filled in, in the manner of their language."""

import re
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from scripts.catalogues import messages, renewed
from service.languages.messages import FOLDER, LANGUAGES, SOURCE

OTHERS = tuple(code for code in LANGUAGES if code != SOURCE)
PERCENT = re.compile(r"%\((\w+)\)s")
ENDINGS = (".", "?", ":", "…")

in_each = pytest.mark.parametrize("code", OTHERS)


@pytest.fixture(scope="module")
def template() -> Catalog:
    return messages()


def catalogue(code: str) -> list[tuple[str, str]]:
    """The messages with their translations, each plural form by itself."""
    with (FOLDER / f"{code}.po").open("rb") as file:
        read = read_po(file, locale=code)
    pairs = list[tuple[str, str]]()
    for message in read:
        if not message.id:
            continue
        if isinstance(message.id, str):
            assert isinstance(message.string, str)
            pairs.append((message.id, message.string))
        else:
            forms = tuple(message.string or ())
            assert len(forms) == read.num_plurals
            pairs += [(message.id[-1], form) for form in forms]
    return pairs


def filled_in(message: str) -> set[str]:
    """The names of what is filled into a message, in either manner."""
    if names := PERCENT.findall(message):
        return set(names)
    return {name for _, name, _, _ in Formatter().parse(message) if name is not None}


def test_there_are_the_seven_languages() -> None:
    assert set(LANGUAGES) >= {"en", "nl", "de", "fr", "it", "es", "sv"}


@in_each
def test_a_catalogue_is_as_the_code_asks(code: str, template: Catalog) -> None:
    fresh = renewed(code, template) == (FOLDER / f"{code}.po").read_bytes()
    assert fresh, "renew the catalogues: python -m scripts.catalogues"


@in_each
def test_every_message_is_translated(code: str) -> None:
    assert [message for message, text in catalogue(code) if not text.strip()] == []


@in_each
def test_a_translation_fills_in_what_the_message_does(code: str) -> None:
    # a language may count centuries otherwise, and need not lower the first letter of a second sentence
    choices = {"ordinal": {"ordinal", "number", "roman", "hundreds"}, "continued": {"continued", "sentence"}}
    for message, text in catalogue(code):
        wanted, given = filled_in(message), filled_in(text)
        of_choice = [name for name in wanted if name in choices]
        if of_choice:
            (name,) = of_choice
            assert len(given & choices[name]) == 1, message
            wanted, given = wanted - choices[name], given - choices[name]
        assert given == wanted, message
        # what the old manner fills in, the new one must not see
        assert not PERCENT.search(message) or "{" not in text, message


@in_each
def test_a_translation_ends_as_the_message_does(code: str) -> None:
    for message, text in catalogue(code):
        # an era is abbreviated with a full stop in some
        if "{" not in message[-2:] and not message.endswith("BC"):
            ending = message[-1] if message.endswith(ENDINGS) else ""
            assert (text[-1] if text.endswith(ENDINGS) else "") == ending, (message, text)


@in_each
def test_a_message_begins_with_a_capital_letter_where_the_translation_does(code: str) -> None:
    for message, text in catalogue(code):
        first, other = message[0], text.lstrip("¿«„”")[0]
        # German nouns have a capital letter wherever they stand
        if first.isalpha() and other.isalpha() and not (code == "de" and other.isupper()):
            assert first.isupper() == other.isupper(), (message, text)


@in_each
def test_quotes_and_blanks_are_those_of_the_language(code: str) -> None:
    for _, text in catalogue(code):
        assert '"' not in text
        assert "'" not in text, text
        assert "  " not in text
        if code == "fr":
            # a blank that does not break stands before these
            assert not re.search(r"[^\u00a0\d][:;?!»](?:\s|$)|«(?!\u00a0)", text), text
        else:
            assert not re.search(r"\s[:;?!]", text), text
        if code == "es":
            assert text.count("?") == text.count("¿")
