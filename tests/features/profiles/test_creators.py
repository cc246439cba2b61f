"""Who made an item: names of the creator field and those that texts state, placeholders left out."""

import pytest

from features.measures.intervals import makers
from features.profiles.creators import creators
from ingest.record import Record, values
from tests.service.builders import profiles

NOBODIES = ("Unbekannt", "auteur inconnu", "staff", "John Smith (patron)", "-", "unbekannter Künstler")


@pytest.mark.parametrize("nobody", NOBODIES)
def test_a_placeholder_is_no_maker(nobody: str) -> None:
    (profile,) = profiles([Record(id="a", creator=values(nobody))])
    assert creators(profile, stated=True) == ()
    assert makers(profile) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Photograph by Unknown",
        "Photographer: Not known",
        "Painting by An unknown artist of Paris",
        "Engraved by Anon.",
        "Photographer: Unbekannt",
        "Author of work: Inconnu",
    ],
)
def test_a_stated_placeholder_is_no_maker(text: str) -> None:
    (profile,) = profiles([Record(id="a", description=values(text))])
    assert creators(profile, stated=True) == ()


def test_a_culture_is_a_maker_without_working_years() -> None:
    (profile,) = profiles([Record(id="a", creator=values("Anonymous (French)"))])
    assert [(results.name.kind, results.name.key) for results in creators(profile, stated=True)] == [
        ("culture", "french")
    ]
    assert makers(profile) == ()


def test_makers_beside_placeholders_count() -> None:
    record = Record(
        id="a",
        creator=values("unknown", "Turner"),
        description=values("Painting by Turner of an unknown man"),
    )
    (profile,) = profiles([record])
    assert [results.name.key for results in creators(profile, stated=False)] == ["turner"]
    assert [results.name.key for results in creators(profile, stated=True)] == ["turner", "turner"]
