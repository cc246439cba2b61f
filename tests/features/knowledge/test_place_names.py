"""Which names in a text are places, and which of the places of one name is meant."""

import pytest
from msgspec.structs import replace

from features.knowledge.resources import Resources
from features.knowledge.wordnet.places import places
from features.measures.scope import Scope
from features.profiles.profile import AnalysedValue, Profile
from features.text.annotation import Mention
from features.text.names.names import names
from tests.builders import value
from tests.features.knowledge.test_places import MINI, read, real, text
from tests.features.measures.columns import occurrences

__all__ = ["real"]


def abroad(title: str, part: str = "title", **mentions: str) -> AnalysedValue:
    """A value in another language than English: of no kind is what is neither a name nor a small word."""
    of = value(part, title)
    small = {"de", "di", "i", "van", "der", "le", "la", "och"}
    words = tuple(replace(word, tag="PART" if word.form in small else "X") for word in of.words)
    stated = (
        Mention(title.index(name), title.index(name) + len(name), kind, name)
        for kind, name in mentions.items()
    )
    return replace(of, words=words, mentions=tuple(stated))


def made(creator: str) -> list[str]:
    """The places of a creator."""
    of = Profile((replace(value("creator", creator), names=names(creator)),))
    return [one.term for one in occurrences(of, Scope(parts=("creator",), expand="places"), MINI)]


def described(description: str, **mentions: str) -> list[str]:
    """The places of a description."""
    of = value("description", description)
    stated = tuple(
        Mention(description.index(name), description.index(name) + len(name), kind, name)
        for kind, name in mentions.items()
    )
    return read(Profile((replace(of, mentions=stated),)))


def meant(title: str, source: str, resources: Resources, **mentions: str) -> list[str]:
    """The nearest place of each name in a title, given the source of the record."""
    values = text(title, **mentions).values
    known, wordnet = places(resources.wordnet), resources.wordnet
    terms = [place.terms[0] for _, place in known.places_in(values, (value("source", source),))]
    return [wordnet.label(wordnet.node(one)) if one[:8].isdigit() else one for one in terms]


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Vue de Londres", "london"),
        ("Nederlandsch-Indië", "indonesia"),
        ("Historia Poloniae et Suecia", "sweden"),
        ("Россія", "russia"),
        ("Galiziens Kirchen", "galizien"),  # a genitive
        ("Kaart van Ameland", "ameland"),
        ("Kaart van Nergens", "nergens"),  # as it stands, where a place must follow
        ("hus i Nergens", "nergens"),
        ("hus av Nergens", None),
        ("Masque vénitien", "venice"),
        ("nederlandse prent", "netherlands"),
        ("objet d'art oriental", "asia"),
    ],
)
def test_places_in_other_languages(title: str, first: str | None) -> None:
    results = read(Profile((abroad(title),)))
    assert results[:1] == ([] if first is None else [first])


def test_words_of_other_languages_are_none_in_english() -> None:
    assert read(text("a masque vénitien")) == []


def test_a_land_is_read_in_what_may_be_a_person_abroad() -> None:
    assert read(Profile((abroad("Les Fleuves de France", person="Fleuves de France"),)))[:1] == ["france"]
    assert read(Profile((abroad("La Dama di Venezia", person="Dama di Venezia"),))) == []
    assert read(text("The Venice Jones of old", person="Venice Jones")) == []
    # no English word, and the name of a land
    assert read(text("Brasil Historico", person="Brasil Historico"))[:1] == ["brazil"]


def test_a_lone_word_of_another_language_is_no_place_within_a_text() -> None:
    # there is a small town of that name in Serbia
    assert read(Profile((abroad("Titel och kirker"),))) == []
    assert read(Profile((abroad("Titel"),)))[:2] == ["titel, serbia", "serbia"]


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("Coin, Venice", "venice"),
        ("Albany, Me", None),  # neither a state nor a place
        ("Rye, N.Y", "New York"),
        ("(MN) intertwined", None),
    ],
)
def test_what_stands_behind_a_comma(title: str, first: str | None) -> None:
    results = read(text(title))
    assert first in results if first else results == []


def test_a_language_and_a_material_are_no_places() -> None:
    assert read(text("a letter in French")) == read(text("a letter in Italian, on paper")) == []
    assert read(text("a letter in French hands"))[:1] == ["france"]
    assert read(text("drawn in India ink")) == read(text("on Japanese paper")) == []
    assert read(text("Russian language books")) == []


def test_indians_are_of_india_unless_america_is_named() -> None:
    assert read(text("Indian camp at a river"))[:1] == ["india"]
    assert read(text("Indian camp at a river in Mexico")) == ["mexico", "north america", "mesoamerica"]


def test_a_persons_name_is_no_place() -> None:
    # one word of what is a whole name elsewhere in the record
    assert read(text("The answer of Venice to Ada Venice", person="Ada Venice")) == []
    dated = value("subject", "Woolf, Venice, 1882-1941", mentions=(Mention(7, 13, "location", "Venice"),))
    scope = Scope(parts=("subject",), expand="places")
    assert occurrences(Profile((dated,)), scope, MINI) == []
    plain = value("subject", "Bridges, Venice")
    assert [one.term for one in occurrences(Profile((plain,)), scope, MINI)][:1] == ["venice"]


def test_where_a_thing_is_kept_is_no_place_of_it() -> None:
    assert described("A pot. Museum of Art, Venice") == []
    assert described("Conservé : Musée du Louvre (Paris)") == []
    assert described("References: A book on Venice. From Egypt") == ["egypt", "north africa", "africa"]
    assert described("A museum is shown in Venice")[:1] == ["venice"]
    assert read(text("Museum of Art, Venice"))[:1] == ["venice"]


@pytest.mark.parametrize(
    ("creator", "first"),
    [
        ("Karl Sims (American, born Germany)", "united states"),
        ("Wedgwood, England", "england"),
        ("Northern Venice Tribes", "venice"),
        ("Georgia, Anna", None),
    ],
)
def test_where_makers_are_of(creator: str, first: str | None) -> None:
    results = made(creator)
    assert results[:1] == ([] if first is None else [first])
    assert "germany" not in results


def test_a_site_lies_in_the_place_behind_it() -> None:
    site = text("Canal Row, Venice", location="Canal Row")
    assert read(site)[:2] == ["canal row", "venice"]


def test_a_lone_word_of_english_is_no_place_that_no_list_knows(real: Resources) -> None:
    assert read(text("The Lake", location="Lake"), real) == []
    assert read(text("By Lake Nothing", location="Lake Nothing"), real) == ["lake nothing"]


def test_the_largest_town_is_meant_unless_the_text_or_the_holder_says_otherwise(real: Resources) -> None:
    assert meant("Melbourne", "", real, location="Melbourne") == ["Melbourne"]
    assert read(text("Melbourne", location="Melbourne"), real)[2] == "australia"
    assert read(text("Melbourne, Florida"), real)[:2] == ["Melbourne", "Florida"]
    # the three towns called Chatham are of like size
    assert meant("Chatham", "Tate", real, location="Chatham") == ["chatham"]
    assert meant("Chatham", "Library, Toronto, Canada", real, location="Chatham") == ["chatham, canada"]
