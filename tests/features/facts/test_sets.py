"""What an item is part of: phrases of several languages, made up in the forms that museums use."""

import pytest

from features.facts.sets import normalised, set_names


@pytest.mark.parametrize(
    ("text", "name"),
    [
        # named as a series, set, album, portfolio or book
        (
            "Ink on paper. From the series Northern Harbours Sketchbook. Bought 1988",
            "Northern Harbours Sketchbook",
        ),
        ('Relief prints. Series: from the portfolio "Stage People". Edition: 12', "Stage People"),
        ("A print from the series Views of Harrow shows a temple", "Views of Harrow"),
        ("Untitled, plate VI from the suite 'Tokens'", "Tokens"),
        ("From the album ‘A Winter's Tale’", "A Winter's Tale"),
        ("No. 5 in a set of Twelve Months", "set of Twelve Months"),
        ("From the series Prints after J.M.W. Reed. A boat", "Prints after J.M.W. Reed"),
        ("This sketch comes from the family album of Ada Reed", "family album of Ada Reed"),
        ("small drawing from the Harrow album", "Harrow album"),
        ("sugar bowl (part of the Medal tea and coffee service)", "Medal tea and coffee service"),
        # pieces of a whole
        ("Leaf from the Beaupré Antiphonary", "Beaupré Antiphonary"),
        ("In-text plate (folio 5) from TETRASCROLL", "TETRASCROLL"),
        ("Plate 3 of Views of Rome", "Views of Rome"),
        ("This folio from Reed manuscript W.613 was copied late", "Reed manuscript W.613"),
        ("Scene illustrating the story 'Left Alone' with a child", "Left Alone"),
        # other languages
        ("Blatt 3 aus der Folge „Die vier Jahreszeiten“", "Die vier Jahreszeiten"),
        ("Aus der Serie Ansichten von Bath. Papier", "Ansichten von Bath"),
        ("Planche 4 de la série « Les Mois de Venise »", "Les Mois de Venise"),
        (
            "Onderdeel van het fotoalbum Souvenir de Bath (deel 1), over het leven",
            "Souvenir de Bath (deel 1)",
        ),
        ("kaart. Onderdeel van: Atlas der Harrowsche rivieren. Gedrukt", "Atlas der Harrowsche rivieren"),
        ("Prent. Uit de serie 'Oost en West'", "Oost en West"),
        ("Tavola dalla serie Vedute di Venezia. Rame", "Vedute di Venezia"),
        ("Grabado de la serie Los Caprichos. Papel", "Los Caprichos"),
        ("Ur serien Svenska Vyer. Litografi", "Svenska Vyer"),
    ],
)
def test_a_phrase_names_what_it_is_part_of(text: str, name: str) -> None:
    names = set_names(text)
    assert name in [text[one.start : one.end] for one in names]
    assert normalised(name) in [one.name for one in names]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Album met tekeningen van Bath, p. 4 (50)", "album met tekeningen van bath"),
        ("Harbour Series, Evening", "harbour series"),
        ('The Bridge, from "Ten Etchings from Bath"', "ten etchings from bath"),
    ],
)
def test_what_only_a_title_says_so(text: str, name: str) -> None:
    assert [one.name for one in set_names(text, title=True)] == [name]
    assert set_names(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "From a series",
        "One of a set of three prints, from the collection",
        "This is part of a mounted set",
        # there are many of these, each by another hand
        "Leaf from a Qur'an",
        "Leaf from Book of Hours",
        "Leaf from an English psalter",
        # no wholes
        "View of Venice from the Lido",
        "Translated from 'Les Capitales'",
        "The Wrestling Scene from ‘As You Like It’",
        "Purchased as part of the Reed Bequest 1856",
        "Plate from Delft",
        "Letter from Tom Hall",
        # what an item is called is no set
        "The Chinchillas, Plate 50",
    ],
)
def test_no_set_is_named(text: str) -> None:
    assert set_names(text, title=True) == []


def test_names_are_one_whatever_their_dress() -> None:
    # without case, articles, quotes, and dates after a comma or in brackets
    forms = ("The Twelve Months", "“Twelve months”", "twelve Months, 1780-1790", "'The Twelve Months' (1788)")
    assert {normalised(form) for form in forms} == {"twelve months"}
    # a year that is not set off belongs to the name
    assert normalised("Journey 1907") != normalised("Journey 1908")


def test_what_was_gathered_is_no_set() -> None:
    (papers,) = set_names("Letter. From: Ada Reed papers, 1876-1990, bulk 1938-1989")
    assert (papers.name, papers.fact) == ("ada reed papers", "collections")
    (album,) = set_names("Letter. In: Album of watercolours of Harrow flowers.")
    assert album.fact == "sets"


def test_a_name_counts_wherever_it_stands() -> None:
    text = "From the series Views of Harrow. From the series Views of Harrow."
    assert [one.start for one in set_names(text)] == [16, 49]
