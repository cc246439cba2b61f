"""Of which languages the neighbours of items are."""

import pytest

from ingest.record import Record, Value
from service.operations.language_report import LanguageShare, own_language
from service.settings import Settings
from tests.service.builders import recommender


def records(language: str, texts: tuple[str, ...], number: int) -> list[Record]:
    """Records with a tag, each with a word of its own beside the text, which they take in turn.

    Ties go by id, so that the ids of two languages alternate.
    """
    own = (language.join(chr(97 + int(digit)) for digit in f"{at:02}") for at in range(number))
    titles = (f"{texts[at % len(texts)]} {word}" for at, word in enumerate(own))
    return [
        Record(id=f"{at:02}:{language}", title=(Value(title, language),)) for at, title in enumerate(titles)
    ]


def test_languages_that_share_no_word_keep_to_themselves(settings: Settings) -> None:
    mixed = [*records("nl", ("Vrouw", "Brug"), 40), *records("en", ("Woman", "Bridge"), 60)]
    shares = own_language(recommender(mixed, settings))
    assert shares == {"en": LanguageShare(0.6, 1.0), "nl": LanguageShare(0.4, 1.0)}
    assert list(shares) == ["en", "nl"]  # the commonest first


def test_languages_that_share_all_words_have_neighbours_in_both(settings: Settings) -> None:
    same = tuple(f"Canaletto {word}" for word in ("Venezia", "Murano", "Torcello"))
    shares = own_language(recommender([*records("nl", same, 40), *records("it", same, 40)], settings))
    assert shares["nl"].items == 0.5
    assert shares["nl"].neighbours == pytest.approx(0.5, abs=0.1)


def test_nothing_is_said_of_one_language_or_of_a_few_items(settings: Settings) -> None:
    assert own_language(recommender(records("nl", ("Vrouw",), 50), settings)) == {}
    few = [*records("nl", ("Vrouw",), 5), *records("en", ("Woman",), 60)]
    assert own_language(recommender(few, settings)) == {}
