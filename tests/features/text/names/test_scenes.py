"""Scenes of stories are one scene by whatever title, and no church or college that is named after one."""

from functools import partial

import pytest

from features.text.names.scenes import scene_title, scenes_in
from features.text.names.tables import table
from features.text.notations import broader
from service.explain.concepts import wording
from tests.features.text.names.reading import named

LANGUAGES = ("en", "de", "fr", "it", "nl", "es", "sv")


scenes = partial(named, scenes_in)


@pytest.mark.parametrize(
    ("titles", "notation"),
    [
        (
            (
                "Flight into Egypt", "the flight into Egypt", "Die Flucht nach Ägypten", "La fuite en Égypte",
                "Fuga in Egitto", "De vlucht naar Egypte", "La huida a Egipto", "Flykten till Egypten",
            ),
            "73B641",
        ),
        (("The Judgement of Paris", "Judgment of Paris", "Das Urteil des Paris"), "94C113"),
        (("The Adoration of the Magi", "L'Adoration des mages", "Adorazione dei Magi"), "73B57"),
    ],
)  # fmt: skip
def test_one_scene_by_any_of_its_titles(titles: tuple[str, ...], notation: str) -> None:
    for title in titles:
        assert scenes(f"{title}, a print") == [notation]


def test_of_titles_that_begin_alike_the_longest_and_several_in_their_order() -> None:
    assert scenes("The Rest on the Flight into Egypt") != scenes("The Flight into Egypt")
    assert scenes("The Annunciation and the Flight into Egypt") == [*scenes("The Annunciation"), "73B641"]


def test_one_word_is_a_title_with_a_capital_letter_only() -> None:
    assert scenes("The Annunciation")
    assert not scenes("the annunciation of a sale")


def test_no_church_street_or_institution() -> None:
    assert not scenes("The Church of the Annunciation, seen from the square")
    assert not scenes("Annunciation Cathedral")
    assert not scenes("Sisters of the Visitation, Baltimore")
    assert not scenes("Santa Maria della Pietà")
    # what another part of the text says is not the title's
    assert scenes("Christ in the House, Last Supper")


def test_a_saint_and_everyday_words_are_told_from_the_scene() -> None:
    assert scenes("The Temptation of Saint Anthony")
    assert not scenes("Temptation of Saint Anthony of Padua")
    assert scenes("Jacob's Ladder, a print")
    assert not scenes("a jacob's ladder of rope")


def test_no_institution_that_the_entities_tell() -> None:
    assert not scenes("Order of the Annunciation", ("organisation", "Order of the Annunciation"))


def test_every_scene_is_a_notation_with_titles_that_no_other_has() -> None:
    rows, seen = list(table("scenes.tsv")), dict[str, str]()
    assert len({notation for notation, *_ in rows}) == len(rows)
    for notation, *cells in rows:
        assert broader(notation), notation
        assert len(cells) == len(LANGUAGES)
        assert cells[0]
        for title in {title for cell in cells if cell for title in cell.split("|")}:
            assert title == " ".join(title.split()) != ""
            # a title finds its own scene
            assert scenes(title) == [notation], title
            assert seen.setdefault(title, notation) == notation


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notation_of_a_scene_is_worded_by_its_title(language: str) -> None:
    assert scenes(str(wording("73B641", language))) == ["73B641"]
    assert wording("73B641", language) == scene_title("73B641", language)


def test_other_notations_have_no_title() -> None:
    assert scene_title("25F711(MOTH)", "en") is None
