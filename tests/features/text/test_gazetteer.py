"""The gazetteer and the adjectives that imply its places hold together."""

from importlib.resources import files

import pytest

from features.knowledge.resources import Resources
from features.knowledge.wordnet.places import places
from features.text.places.gazetteer import gazetteer
from tests.features.knowledge.test_places import real

__all__ = ["real"]


def rows(name: str) -> list[list[str]]:
    table = files("features.text.places").joinpath(name)
    return [line.split("\t") for line in table.read_text("utf-8").splitlines()]


ADJECTIVES = rows("adjectives.tsv")


def test_every_place_lies_in_a_continent() -> None:
    for row in rows("gazetteer.tsv")[1:]:
        assert "continent" in {gazetteer()[place].kind for place in gazetteer().line(row[0])}, row[0]


def test_adjectives_are_sorted_and_each_stands_once() -> None:
    adjectives = [row[0] for row in ADJECTIVES]
    assert adjectives == sorted(set(adjectives))
    assert all(len(row) == 2 and row == [cell.strip().lower() for cell in row] for row in ADJECTIVES)


def test_every_adjective_implies_a_place_that_is_known(real: Resources) -> None:
    known = places(real.wordnet)
    assert [row for row in ADJECTIVES if not known.called(row[1])] == []


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Nihon", "japan"),
        ("Al-Miṣrī", "egypt"),
        ("Zhonghua", "china"),
        ("TÜRKİYE", "turkey"),
        ("Īrān", "iran"),
        ("Köln", "cologne"),
        ("Atlantis", None),
    ],
)
def test_names_meet_whatever_their_marks(name: str, place: str | None) -> None:
    assert gazetteer().named(name) == place
