"""Nearness of places, on the miniature WordNet: each pair's narrowest place in common, by hand."""

from math import isnan

import pytest
from msgspec.structs import replace

from features.measures.places import PlacesSettings
from features.profiles.profile import Profile
from features.text.annotation import Mention
from features.text.names.names import names
from tests.builders import value
from tests.features.knowledge.test_places import MINI
from tests.features.measures.columns import Tried, tried


def item(title: str = "Comb", creator: str = "", date: str = "", description: str = "") -> Profile:
    """An item of some fields; the words in capital letters of its title are no persons."""
    values = [value("title", title)]
    if creator:
        values.append(replace(value("creator", creator), names=names(creator)))
    values += [value(part, text) for part, text in (("description", description), ("date", date)) if text]
    return Profile(tuple(values))


def column(*items: Profile, which: str = "either") -> Tried:
    settings = PlacesSettings.model_validate({"measure": "places", "which": which})
    assert (settings.needs, settings.theme) == (("wordnet",), "places")
    return tried(items, settings, MINI)


@pytest.mark.parametrize(
    ("left", "right", "nearness"),
    [
        ("View of Venice", "Venezia", 0.8),  # one city
        ("Etruria", "Etruscan mirror", 0.6),  # one region
        ("Venice", "Florence", 0.6),  # Italy
        ("Nihon", "Japanese sword", 0.6),  # one country
        ("Japanese sword", "Qing vase", 0.4),  # East Asia
        ("French clock", "Russian icon", 0.2),  # Europe
        ("Egyptian comb", "Venetian comb", 0.0),
        ("Viking ring", "Mesopotamian ring", 0.0),
        ("Viking ring", "Viking brooch", 0.6),  # one culture is more than one part of the world
        ("Viking ring", "Swedish ring", 0.4),
        ("Venice and Japan", "Florence, or China", 0.6),  # the nearest two: Italy
    ],
)
def test_the_narrowest_place_in_common(left: str, right: str, nearness: float) -> None:
    ours, theirs = item(left), item(right)
    assert column(ours, theirs).promises([ours, theirs], ours)[1] == pytest.approx(nearness)


def test_a_site_that_no_list_knows_is_one_with_itself() -> None:
    title = value("title", "Near Glen Glass", mentions=(Mention(5, 15, "location", "Glen Glass"),))
    assert column(Profile((title,))).pair(Profile((title,)), Profile((title,))) == 1


def test_what_lies_in_another_place_of_the_item_is_what_counts() -> None:
    # Italy of the one is no place of its own: it is what Venice lies in
    assert column(item("Venice, Italy")).evidence(item("Venice, Italy"), item("Venice, Italy"))[0].left == (
        column(item("Venice")).evidence(item("Venice"), item("Venice"))[0].left
    )


def test_on_average_every_place_counts() -> None:
    ours, theirs = item("Venice and Japan"), item("Florence, or China, or Egypt")
    settings = PlacesSettings.model_validate({"measure": "places", "compare": "average"})
    values = tried([ours, theirs], settings, MINI).promises([ours, theirs], ours)
    # with itself Venice has .8 and Japan .6: (.8 + .6) / 2
    # Venice and Florence lie in Italy (.6), Japan and China in East Asia (.4), Egypt is near none:
    # ((.6 + .4) / 2 + (.6 + .4 + 0) / 3) / 2
    assert values == pytest.approx([0.7, 5 / 12])


def test_shown_and_made() -> None:
    view, comb = item("View of Venice", creator="Utagawa Kuniyoshi (Japanese)"), item(creator="Venetian")
    edo = item(date="late Edo period")
    assert column(view, comb).pair(view, comb) == pytest.approx(0.8)
    assert column(view, edo, which="made").pair(view, edo) == pytest.approx(0.6)
    assert column(view, comb, which="made").pair(view, comb) == 0
    # the comb names no place
    assert isnan(column(view, comb, which="shown").pair(view, comb))


def test_what_is_said_of_the_record_never_counts() -> None:
    sold = replace(value("description", "Sold in Venice"), boilerplate=((0, 14),))
    comb, pot, view = item("Egyptian comb"), item("Pot"), item("View of Venice")
    placed, unplaced = Profile((*comb.values, sold)), Profile((*pot.values, sold))
    measured = column(placed, unplaced, view)
    assert measured.pair(placed, view) == 0
    # that nothing is known of where it is from is no likeness
    assert isnan(measured.pair(unplaced, view))
    archived = Profile((*pot.values, value("source", "Archive of Venice")))
    assert isnan(measured.pair(archived, view))
    assert isnan(column(archived, view, which="shown").pair(archived, view))


def test_the_town_of_the_holder_is_no_place_of_the_item() -> None:
    def pot(description: str) -> Profile:
        values = item("Pot", description=description).values
        return Profile((*values, value("source", "Gallery of Art")))

    in_town, shown = pot("Clay. Gallery of Art, Venice, Italy"), pot("The Church of Art, Venice; a pot")
    view = item("View of Venice")
    measured = column(in_town, shown, view)
    assert isnan(measured.pair(in_town, view))
    assert measured.pair(shown, view) == pytest.approx(0.8)


def test_evidence_is_the_nearest_two() -> None:
    left, right = item("Japan, Venice"), item("Mirror", creator="Etruscan", description="French")
    (piece,) = column(left, right).evidence(left, right)
    assert [(one.term, one.part, one.start, one.end) for one in piece.left] == [("venice", "title", 7, 13)]
    assert [(one.part, one.start, one.end) for one in piece.right] == [("creator", 0, 8)]
    assert piece.share == 1
    assert column(left).evidence(left, item("Qing vase"))[0].left[0].term == "japan"
    assert column(left).evidence(left, item("Peruvian pot")) == column(left).evidence(left, item("Pot")) == ()


def in_archive(title: str, archive: str = "Studio", creator: str = "") -> Profile:
    return Profile((*item(title, creator=creator).values, value("source", archive)))


def test_an_item_that_names_no_place_has_that_of_its_archive() -> None:
    # 30 of 40 items name a place, 27 of these Venice, which is more than three in four
    views = [in_archive("View of Venice")] * 27 + [in_archive("View of Japan")] * 3
    things = [in_archive("Comb")] * 10
    measured = column(*views, *things)
    comb, view, japan = in_archive("Comb"), in_archive("View of Venice"), in_archive("View of Japan")
    values = measured.promises([*views, *things], comb)
    assert (values[0], values[-1]) == pytest.approx((0.8, 0.8))
    # elsewhere is elsewhere, and another archive has no place
    assert measured.pair(japan, comb) == 0
    assert isnan(measured.pair(in_archive("Comb", "Museum"), view))
    # what an item says of a wider place lies in that of the archive
    assert measured.pair(in_archive("Italian comb"), comb) == pytest.approx(0.8)
    # the archive is the evidence
    (piece,) = measured.evidence(comb, view)
    assert [(one.term, one.part, one.start, one.end) for one in piece.left] == [("venice", "source", 0, 6)]
    assert [(one.part, one.start, one.end) for one in piece.right] == [("title", 8, 14)]


def test_an_archive_of_many_places_or_of_few_items_has_none() -> None:
    many = [in_archive("View of Venice")] * 20 + [in_archive("View of Japan")] * 10
    few = [in_archive("View of Venice", "Drawer")] * 29
    measured = column(*many, *few, in_archive("Comb"))
    for archive in ("Studio", "Drawer"):
        assert isnan(measured.pair(in_archive("Comb", archive), in_archive("View of Venice")))


def test_where_things_were_made_no_archive_says() -> None:
    views = [in_archive("View of Venice")] * 30
    measured = column(*views, which="made")
    assert isnan(measured.pair(in_archive("Comb"), in_archive("Venetian comb")))


def test_the_nation_of_a_known_maker_is_where_a_thing_was_made() -> None:
    # Hiroshige is Japanese, though neither record says so
    print_, sword = item("Rain", creator="Utagawa Hiroshige (1797-1858)"), item("Japanese sword")
    assert column(print_, sword).pair(print_, sword) == pytest.approx(0.6)
    (piece,) = column(print_).evidence(print_, sword)
    assert [(one.part, one.start, one.end) for one in piece.left] == [("creator", 0, 17)]
    # a photograph was made where it shows
    photograph = item("Photograph of Venice", creator="Ogawa Kazumasa")
    assert column(photograph).pair(photograph, sword) == 0
    # what the record states goes before what is known
    stated = item("Rain", creator="Utagawa Hiroshige (French)")
    assert column(stated).pair(stated, sword) == 0
    # somebody of the same family is somebody else
    other = item("Rain", creator="Hiroshige Utagawa Smith")
    assert isnan(column(other).pair(other, sword))
