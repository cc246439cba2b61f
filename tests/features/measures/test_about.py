"""What two items are about, by a model made by hand: the mean of the vectors of the words of each."""

from math import e, isnan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from features.arrays import Singles
from features.facts.about import FOLDER, save
from features.knowledge.resources import Resources, ResourceSettings
from features.measures.about import AboutSettings
from features.measures.base import EvidencePair, plain
from features.measures.searchable import Vector
from features.profiles.profile import Profile
from features.text.piece_sums import open_model
from ingest.errors import DamagedArtefact, ResourceMissing
from ingest.record import Record
from tests.builders import profile, random_records, record
from tests.features.facts.models import about_model
from tests.features.knowledge.test_wordnet_words import MINIATURE
from tests.features.measures.columns import tried

KING, SEA, SHIP = (
    profile(record("k", "king")),
    profile(record("s", "sea")),
    profile(record("m", "sea ship")),
)
NOTHING = Profile(())


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Resources:
    """The miniature WordNet, and a model that finds a verb e times as salient as any other word."""
    folder = tmp_path_factory.mktemp("facts")
    save(folder / FOLDER, about_model(VERB=1))
    return Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"), facts=folder)


def settings(*, scaled: bool = False) -> AboutSettings:
    return AboutSettings.model_validate({"measure": "about", "scaled": scaled})


def cosine(one: Singles, other: Singles) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_the_cosine_of_what_two_items_are_about(toy: Resources) -> None:
    king, sea, ship = open_model().encode(["king", "sea", "ship"])
    items = [KING, SEA, SHIP, NOTHING]
    values = tried(items, settings(), toy).promises(items, SHIP)
    # 8 bits change a cosine by .0023 at most
    expected = [cosine(king, sea + ship), cosine(sea, sea + ship), 1]
    assert values[:3] == pytest.approx(expected, abs=0.003)
    assert isnan(values[3])


def test_a_salient_word_counts_for_more(toy: Resources) -> None:
    # what ends in -ing is a verb here
    queen, sailing = open_model().encode(["queen", "sailing"])
    verb, both = profile(record("v", "sailing")), profile(record("b", "queen sailing"))
    value = tried([verb], settings(), toy).pair(verb, both)
    assert value == pytest.approx(cosine(sailing, queen + np.float32(e) * sailing), abs=0.003)
    one = profile(record("q", "queen"))
    assert value > tried([one], settings(), toy).pair(one, both)


def test_a_scaled_one_is_relative_to_what_is_usual(toy: Resources) -> None:
    items = [KING, SEA, SHIP]
    plainly, scaled = (tried(items, settings(scaled=one), toy) for one in (False, True))
    # of three items each is its own nearest: r = .05 x 1 + .95 x .55 = .5725
    assert scaled.pair(KING, KING) == pytest.approx(1 + 0.5 - 0.5725)
    assert scaled.pair(SEA, SHIP) == pytest.approx(plainly.pair(SEA, SHIP) + 0.5 - 0.5725)


@given(records=random_records(least=1, most=5))
def test_it_keeps_the_promises_of_a_measure(toy: Resources, records: list[Record]) -> None:
    profiles = [profile(one) for one in records]
    measured = tried(profiles, settings(), toy)
    for one in profiles:
        measured.promises(profiles, one)
        value = measured.pair(one, one)
        assert isnan(value) or value == 1


def terms(evidence: tuple[EvidencePair, ...]) -> list[tuple[str, str]]:
    return [(one.left[0].term, one.right[0].term) for one in evidence]


def test_the_evidence_are_the_salient_words_of_both_sides_and_those_near_in_meaning(toy: Resources) -> None:
    one, other = profile(record("a", "sea sailing")), profile(record("b", "ship sailing"))
    evidence = tried([one, other], settings(), toy).evidence(one, other)
    assert terms(evidence) == [("sailing", "sailing"), ("sea", "ship")]
    assert evidence[0].share > 0.9
    assert tried([one], settings(), toy).evidence(one, NOTHING) == ()
    # e / (e + 1) of the verb squared, 1 / (e + 1) of the noun squared: e^2 to 1
    alike = profile(record("c", "sea sailing"))
    both = tried([one, alike], settings(), toy).evidence(one, alike)
    assert terms(both) == [("sailing", "sailing"), ("sea", "sea")]
    assert both[0].share == pytest.approx(e**2 / (e**2 + 1), abs=1e-4)


def test_where_no_word_is_shared_those_near_in_meaning_are_the_evidence(toy: Resources) -> None:
    boat, ship, chair = (profile(record(word, word)) for word in ("boat", "ship", "chair"))
    measured = tried([boat, ship, chair], settings(), toy)
    assert terms(measured.evidence(boat, ship)) == [("boat", "ship")]
    assert measured.evidence(boat, chair) == ()


def test_an_engine_is_told_the_vectors(toy: Resources) -> None:
    column = plain(tried([KING, NOTHING], settings(), toy).column)
    vector = column.searchable()
    assert isinstance(vector, Vector)
    assert vector.text == "about"
    units = vector.unit(column.table)
    assert np.linalg.norm(units, axis=1) == pytest.approx([1, 0], abs=1e-6)


def test_what_it_needs_is_said(toy: Resources) -> None:
    missing = Resources(ResourceSettings(wordnet=Path("/nowhere")), Path("/nowhere"), facts=toy.facts)
    with pytest.raises(ResourceMissing, match="WordNet"):
        settings().builder(missing)
    shipped = Resources(ResourceSettings(wordnet=MINIATURE), Path("/nowhere"))
    other = settings().model_copy(update={"model": "0" * 16})
    with pytest.raises(DamagedArtefact, match="not '0000000000000000'; run: kindred build"):
        other.column({}, shipped, {})
