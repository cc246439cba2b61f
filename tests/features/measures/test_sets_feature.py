"""Items that are parts of one set, on hand-made profiles."""

from math import isnan

import pytest
from msgspec.structs import replace

from features.profiles.profile import Profile
from features.text.annotation import Mention
from tests.builders import features, profile, record, value
from tests.features.measures.columns import Tried, tried

SETS = features(
    sets={
        "measure": "overlap",
        "kind": "containment",
        "scope": {
            "parts": ["title", "subject", "description", "part_of"],
            "facts": ["sets"],
            "boilerplate": "drop",
        },
    }
)["sets"]
"""As research.yaml declares it."""


def column(*items: Profile) -> Tried:
    return tried(items, SETS)


def text(description: str) -> Profile:
    return profile(record("a", "Boat", description=description))


def test_parts_of_one_set_are_alike_whatever_says_it() -> None:
    stated = text("Ink. From the series Views of Harrow. Large")
    titled = profile(record("b", "Boat, from 'Views of Harrow'"))
    indexed = profile(record("c", "A boat", part_of="Views of Harrow (1788)"))
    other = text("From the series Views of Bath. Large")
    none = text("From a series. Ink")
    items = [stated, titled, indexed, other, none]
    assert column(*items).promises(items, stated) == pytest.approx([1, 1, 1, 0, float("nan")], nan_ok=True)


def test_one_of_several_sets_is_enough() -> None:
    # {harrow, twelve months} and {harrow}: 1 / min(2, 1)
    both = profile(record("a", part_of="Views of Harrow|Twelve Months"))
    one = profile(record("b", part_of="Views of Harrow"))
    assert column(both, one).pair(both, one) == 1


def test_what_the_museum_indexes_goes_before_what_the_text_says() -> None:
    indexed = profile(record("a", description="From the series Views of Bath.", part_of="Views of Harrow"))
    stated = text("From the series Views of Bath.")
    assert column(indexed, stated).pair(indexed, stated) == 0
    # a heading that names no one set is none
    generic = profile(record("a", description="From the series Views of Bath.", part_of="album"))
    assert column(generic, stated).pair(generic, stated) == 1


def test_a_set_of_one_address_is_one_set() -> None:
    named = replace(value("part_of", "Vedute di Roma"), address="http://example.org/7")
    translated = replace(value("part_of", "Views of Rome"), address="http://example.org/7")
    left, right = Profile((named,)), Profile((translated,))
    # {vedute di roma, address} and {views of rome, address}: 1 / 2
    assert column(left, right).pair(left, right) == 0.5


def test_where_things_are_held_makes_them_no_set() -> None:
    papers = text("Letter. From: Ada Reed papers, 1876-1990")
    archived = profile(record("b", source="Entry Forms of Harrow", part_of="Entry Forms of Harrow"))
    project = text("Ship. In: Harrow Digitising Project.")
    credit = Profile((replace(value("description", "Part of Cox Suite"), boilerplate=((0, 17),)),))
    measured = column(papers, archived, project, credit)
    for one in (papers, archived, project, credit):
        assert isnan(measured.pair(one, one))


def test_the_evidence_is_the_name_on_both_sides() -> None:
    left = text("Ink. From the series Views of Harrow. Large")
    right = profile(record("b", "Boat, from 'Views of Harrow'"))
    (piece,) = column(left, right).evidence(left, right)
    (ours,), (theirs,) = piece.left, piece.right
    assert (ours.term, ours.part, ours.start, ours.end) == ("views of harrow", "description", 21, 36)
    assert (theirs.part, theirs.start, theirs.end) == ("title", 12, 27)
    assert piece.share == 1


def test_mentions_do_not_matter() -> None:
    named = replace(
        value("title", "Boat, from 'Views of Harrow'"), mentions=(Mention(21, 27, "location", "Harrow"),)
    )
    plain = value("title", "Boat, from 'Views of Harrow'")
    assert column(Profile((named,))).pair(Profile((named,)), Profile((plain,))) == 1
