"""What two records give one address is one thing, however they write it."""

import numpy as np
import pytest

from features.arrays import Rows
from features.collection.build import AnalysedItem, in_memory
from features.measures.names import NamesSettings
from features.measures.places import PlacesSettings
from features.measures.scope import Scope
from features.measures.tfidf import TfidfSettings
from features.profiles.profile import encode
from ingest.record import Entity, Record, values
from tests.features.knowledge.test_places import MINI
from tests.service.builders import profiles

VIAF = "http://viaf.org/viaf/96032319"
AAT = "http://vocab.getty.edu/aat/300006075"
GEONAMES = "http://sws.geonames.org/3164603"
FEATURES = {
    "makers": NamesSettings(measure="names"),
    "near": PlacesSettings(measure="places"),
    "subject": TfidfSettings(measure="tfidf", scope=Scope(parts=("subject",))),
}


def _rows(*rows: int) -> Rows:
    return np.array(rows, np.intp)


def record(item: str, creator: str, subject: str, place: str, *, addressed: bool) -> Record:
    entities = (
        Entity("creator", VIAF, creator),
        Entity("subject", AAT, subject),
        Entity("places", GEONAMES, place),
    )
    return Record(
        id=item,
        creator=values(creator),
        subject=values(subject),
        places=values(place),
        entities=entities if addressed else (),
    )


def alike(*, addressed: bool) -> dict[str, float]:
    """The features of a Dutch record with an Italian one."""
    records = [
        record("a", "Todeschini", "kanaal", "Torcelo", addressed=addressed),
        record("b", "Giacomo Francesco Cipper", "canale", "Laguna", addressed=addressed),
        record("c", "Claude Monet", "ponte", "Parigi", addressed=False),
    ]
    items = [
        AnalysedItem(one, encode(profile)) for one, profile in zip(records, profiles(records), strict=True)
    ]
    collection = in_memory(items, FEATURES, MINI)
    alike_by = collection.pairs(collection.query(0), _rows(1), list(FEATURES))[0]
    for name in FEATURES:
        if alike_by[list(FEATURES).index(name)] > 0:
            block = collection.block(_rows(0, 1))
            assert collection.columns[name].evidence(block, 0, 1)
    return dict(zip(FEATURES, alike_by.tolist(), strict=True))


def test_strings_that_differ_are_not_alike() -> None:
    assert alike(addressed=False) == {"makers": 0.0, "near": 0.0, "subject": 0.0}


def test_one_address_makes_them_so() -> None:
    alike_by = alike(addressed=True)
    assert alike_by["makers"] == 1.0
    assert alike_by["near"] == 0.8  # as one city
    # of three items two have the address, idf ln(1 + 3/2) = .916; each has a word of its own, ln 4 = 1.386:
    # the cosine is .916^2 / (.916^2 + 1.386^2) = .304
    assert alike_by["subject"] == pytest.approx(0.304, abs=5e-4)


def test_of_a_value_with_several_makers_nobody_can_say_whose_address_it_is() -> None:
    both = "Todeschini; Claude Monet"
    one = Record(id="a", creator=values(both), entities=(Entity("creator", VIAF, both),))
    (profile,) = profiles([one])
    assert profile.values[0].address == VIAF
    other = Record(
        id="b", creator=values("Giacomo Cipper"), entities=(Entity("creator", VIAF, "Giacomo Cipper"),)
    )
    items = [
        AnalysedItem(each, encode(own))
        for each, own in zip((one, other), profiles([one, other]), strict=True)
    ]
    collection = in_memory(items, {"makers": FEATURES["makers"]}, MINI)
    assert collection.pairs(collection.query(0), _rows(1), ["makers"]).item() < 0.5


def test_a_record_without_addresses_is_analysed_as_before() -> None:
    plain, named = (record("a", "Todeschini", "canal", "Venice", addressed=one) for one in (False, True))
    assert plain.analysis_hash != named.analysis_hash
    (profile,) = profiles([plain])
    assert {value.address for value in profile.values} == {None}
