"""Facets and digests of ids: columns of a generation, and of a collection with changes on top."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from features.collection.blobs import Ids
from features.collection.build import AnalysedItem, build
from features.collection.collection import Built, Collection
from features.collection.delta import Delta, PutItem
from features.collection.digests import BYTES, digest
from features.collection.facets import NAMED, FacetsBuilder, StoredFacets
from features.profiles.profile import AnalysedValue, Profile, encode
from features.text.annotation import Mention
from features.text.names.names import names
from ingest.record import INDEXED, Record
from ingest.record import encode as encode_record
from tests.builders import FEATURES, NONE, RECORDS, fitted, profile, record

_NAMES = ("Tate", "TATE", " the  Tate ", "Straße", "STRASSE", "Museum of Bath", "", " ")


@st.composite
def records(draw: st.DrawFn, items: tuple[str, ...]) -> list[Record]:
    """Records of some ids, with one of a few providers, kinds of object, places and years each."""
    return [
        replace(
            record(
                item,
                draw(st.sampled_from(["View of Venice", "Bath", "Boat"])),
                date=draw(st.sampled_from(["", "1740", "1740-45", "c. 1900"])),
                places=draw(st.sampled_from(["", "Venice", "Bath|venice"])),
            ),
            provider=draw(st.sampled_from([None, *_NAMES])),
            type=draw(st.sampled_from([None, *_NAMES])),
            image=draw(st.sampled_from([None, " ", "https://m.invalid/1.jpg"])),
        )
        for item in items
    ]


@st.composite
def overlays(draw: st.DrawFn) -> Delta:
    base = draw(records(("r:1", "r:2", "r:3", "r:4", "r:5")))
    new = draw(records(tuple(draw(st.sets(st.sampled_from(["a", "r:2", "r:35", "z"]))))))
    gone = draw(st.sets(st.sampled_from(["r:1", "r:5"])))
    changes: Mapping[str, PutItem | None] = dict.fromkeys(gone) | {
        one.id: PutItem(one, profile(one)) for one in new
    }
    return Delta(fitted(base), changes, 7)


@given(overlays(), st.sampled_from([None, 1700, 1742]), st.sampled_from([None, 1743, 1950]))
def test_an_overlay_has_the_facets_of_its_items(over: Delta, first: int | None, last: int | None) -> None:
    alone = fitted([over.record(row) for row in range(len(over))])
    mine, theirs = over.facets, alone.facets
    assert mine.image().tolist() == theirs.image().tolist()
    assert mine.meeting(first, last).tolist() == theirs.meeting(first, last).tolist()
    for facet in NAMED:
        for name in ("tate", "The Tate", "strasse", "venice", "museum of bath", "", "nobody"):
            assert mine.having(facet, [name]).tolist() == theirs.having(facet, [name]).tolist()
            assert mine.number(facet, name) == theirs.number(facet, name)
        for most in (1, 2, 10):
            (few, kinds), (same, number) = mine.commonest(facet, most), theirs.commonest(facet, most)
            # a name may have been spelled otherwise where it was written first
            assert [(n.spelled.casefold(), n.items) for n in few] == [
                (n.spelled.casefold(), n.items) for n in same
            ]
            assert kinds == number


def test_the_commonest_names_are_counted_by_item() -> None:
    """Three items of Tate, spelled in two ways, and one of Bath; a blank provider is none."""
    providers = ["Tate", "TATE", "Bath", " tate", ""]
    facets = fitted(
        [replace(RECORDS[0], id=f"p:{n}", provider=one) for n, one in enumerate(providers)]
    ).facets
    names, kinds = facets.commonest("provider", 10)
    assert [(name.spelled, name.items) for name in names] == [("Tate", 3), ("Bath", 1)]
    assert kinds == 2
    assert facets.having("provider", ["BATH"]).tolist() == [False, False, True, False, False]


def test_a_place_with_a_path_is_found_by_its_name() -> None:
    facets = fitted([record("p:1", "Boat", places="Europe > Italia > Venezia|Bath")]).facets
    assert [name.spelled for name in facets.commonest("place", 5)[0]] == ["Bath", "Venice"]


@pytest.mark.parametrize(("part", "facet"), INDEXED.items())
def test_what_is_indexed_is_counted_by_name(part: str, facet: str) -> None:
    items = [record("p:1", "Boat", **{part: "Wide > Canals|Bath"}), record("p:2", "Sea", **{part: "CANALS"})]
    facets = fitted(items).facets
    names, kinds = facets.commonest(facet, 5)
    assert ([(name.spelled, name.items) for name in names], kinds) == ([("Canals", 2), ("Bath", 1)], 2)
    assert facets.having(facet, ["canals"]).tolist() == [True, True]
    others = [other for other in NAMED if other != facet]
    assert not any(facets.number(other, "canals") for other in others)


def test_a_collection_of_an_earlier_release_has_no_names_of_later_facets() -> None:
    builder = FacetsBuilder()
    builder.add(encode_record(record("p:1", "Boat", places="Bath", concepts="boats")), encode(Profile(())))
    arrays = {name: array for name, array in builder.arrays().items() if "concept" not in name}
    facets = StoredFacets(arrays)
    assert facets.commonest("concept", 5) == ([], 0)
    assert facets.having("concept", ["boats"]).tolist() == [False]
    assert facets.having("place", ["bath"]).tolist() == [True]


@pytest.fixture
def stored(tmp_path: Path) -> Built:
    items = [AnalysedItem(one, encode(profile(one))) for one in RECORDS]
    return build(tmp_path, items, FEATURES, NONE, revision=1, pipeline="p")


def test_filters_of_a_stored_collection_decode_nothing(
    stored: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def decoded(_: Collection, row: int) -> bytes:
        raise AssertionError(f"row {row} is decoded for a filter")

    monkeypatch.setattr(Collection, "record_bytes", decoded)
    monkeypatch.setattr(Collection, "profile_bytes", decoded)
    fresh = fitted(list(RECORDS)).facets
    for facet, name in (("provider", "x"), ("object", "x"), ("place", "venice")):
        assert stored.facets.having(facet, [name]).tolist() == fresh.having(facet, [name]).tolist()
        assert stored.facets.commonest(facet, 5) == fresh.commonest(facet, 5)
    assert stored.facets.meeting(1800, 1900).tolist() == fresh.meeting(1800, 1900).tolist()
    assert stored.facets.image().tolist() == fresh.image().tolist()


@given(overlays(), st.sets(st.sampled_from(["a", "r:1", "r:2", "r:3", "r:35", "z", "unknown"])))
def test_digests_lead_back_to_the_rows(over: Delta, wanted: set[str]) -> None:
    rows = over.digests.rows(b"".join(map(digest, sorted(wanted))))
    assert [over.ids[row] for row in rows.tolist()] == sorted(wanted & set(over.ids))


def test_digests_are_looked_up_without_reading_the_ids(
    stored: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Ids, at: int) -> str:
        raise AssertionError(f"id {at} is read")

    monkeypatch.setattr(Ids, "__getitem__", read)
    monkeypatch.setattr(Ids, "__iter__", read)
    digests = digest(RECORDS[2].id) + b"\0" * BYTES + digest(RECORDS[0].id)
    assert np.array_equal(stored.digests.rows(digests), [0, 2])
    assert stored.digests.rows(b"").tolist() == []


def test_places_have_one_name_and_what_is_none_is_not_listed() -> None:
    mentions = (Mention(0, 5, "location", "Japan"), Mention(6, 9, "location", "Jr."))
    builder = FacetsBuilder()
    builder.add(encode_record(record("p:1", "Bowl", places="Nihon|PA")), encode(Profile(())))
    builder.add(
        encode_record(record("p:2", "Japan Jr.")),
        encode(Profile((AnalysedValue("title", 0, (), mentions, ()),))),
    )
    facets = StoredFacets(builder.arrays())
    names = [(name.spelled, name.items) for name in facets.commonest("place", 5)[0]]
    assert names == [("Japan", 2), ("Pennsylvania", 1)]
    for name in ("Nihon", "japan", "JAPAN"):
        assert facets.number("place", name) == 2


def test_makers_have_one_name_however_it_is_written() -> None:
    builder = FacetsBuilder()
    texts = {"p:1": "Turner, J. M. W.", "p:2": "J.M.W. Turner; Circle of Rubens", "p:3": "Greek"}
    for item, text in texts.items():
        value = AnalysedValue("creator", 0, (), (), (), names(text))
        builder.add(encode_record(record(item, "Sea")), encode(Profile((value,))))
    facets = StoredFacets(builder.arrays())
    assert [(name.spelled, name.items) for name in facets.commonest("maker", 5)[0]] == [
        ("J. M. W. Turner", 2)
    ]
    assert facets.having("maker", ["turner, j m w", "Rubens"]).tolist() == [True, True, False]
