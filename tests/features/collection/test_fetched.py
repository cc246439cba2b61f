"""Items that lie elsewhere are compared to the same numbers as those of a collection that is here."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from features.collection import generation
from features.collection.collection import Built
from features.collection.fetched import FetchedCollection, FetchedItem, StoredItem
from features.collection.packed import FittedColumns, fitted
from features.profiles.profile import encode as encode_profile
from ingest.errors import DamagedArtefact, UnknownItem
from ingest.record import Record
from ingest.record import encode as encode_record
from tests.builders import FEATURES, NONE, built, profile, record


class Elsewhere:
    """A source that holds packed items of a collection, and items that were put live."""

    def __init__(self, collection: Built, packed: Sequence[bytes], live: Sequence[Record] = ()) -> None:
        self._collection = collection
        self._packed = packed
        self._live = {one.id: StoredItem(encode_record(one), encode_profile(profile(one))) for one in live}

    def documents(self, ids: Sequence[str]) -> Sequence[FetchedItem]:
        results = []
        for item in ids:
            row = self._collection.ids.find(item)
            if item in self._live:
                results.append(FetchedItem(item, f"live {item}", b"", None))
            elif row is not None:
                alike = str(self._collection.duplicates[row])
                results.append(FetchedItem(item, alike, self._packed[row], None))
        return results

    def stored_items(self, ids: Sequence[str]) -> Mapping[str, StoredItem]:
        own = self._collection
        rows = {item: row for item in ids if (row := own.ids.find(item)) is not None}
        stored = {
            item: StoredItem(own.record_bytes(row), own.profile_bytes(row)) for item, row in rows.items()
        }
        return stored | {item: self._live[item] for item in ids if item in self._live}


def elsewhere(root: Path, live: Sequence[Record] = ()) -> tuple[Built, FetchedCollection]:
    """A collection, and the same as it is fetched item by item."""
    built(root)
    opened = generation.read(root)
    collection = Built(opened.manifest, opened.arrays, NONE)
    whole = FittedColumns(opened.manifest, opened.arrays, NONE)
    files = {file: opened.arrays[name] for name, file in opened.manifest.arrays.items()}
    packed = list(whole.layout.pack(files, slice(0, len(collection))))
    # what is kept without the items is all that is needed
    alone = fitted(whole.without_items(), NONE)
    source = Elsewhere(collection, packed, live)
    facets = collection.facets
    return collection, FetchedCollection(
        alone, source, facets, lambda _: collection.digests, len(collection), 1
    )


def test_every_feature_is_the_same_number(tmp_path: Path) -> None:
    here, there = elsewhere(tmp_path)
    there.fetch(reversed(here.ids))
    rows = np.array([there.row(item) for item in here.ids])
    for item in here.ids:
        want = here.pairs(here.query(here.row(item)), np.arange(len(here)), tuple(FEATURES))
        results = there.pairs(there.query(there.row(item)), rows, tuple(FEATURES))
        np.testing.assert_array_equal(results, want)


def test_what_was_put_live_is_compared_by_its_profile(tmp_path: Path) -> None:
    first = built(tmp_path / "other")
    again = first.record(0)
    copied = Record(**{name: getattr(again, name) for name in again.__struct_fields__} | {"id": "live:1"})
    here, there = elsewhere(tmp_path, [copied, record("live:2", "Ships in Venice")])
    values = there.pairs(
        there.query(there.row("live:1")), np.array([there.row(here.ids[0])]), tuple(FEATURES)
    )
    own = here.pairs(here.query(0), np.array([0]), tuple(FEATURES))
    np.testing.assert_allclose(values, own, atol=1e-12)
    assert there.record(there.row("live:2")).label == "Ships in Venice"


def test_evidence_is_that_of_the_collection(tmp_path: Path) -> None:
    here, there = elsewhere(tmp_path)
    left, right = here.ids[0], here.ids[1]
    ours = here.block(np.array([0, 1]))
    theirs = there.block(np.array([there.row(left), there.row(right)]))
    results = {name: there.columns[name].evidence(theirs, 0, 1) for name in FEATURES}
    assert any(results.values())
    assert results == {name: here.columns[name].evidence(ours, 0, 1) for name in FEATURES}


def test_an_item_that_is_nowhere_is_unknown(tmp_path: Path) -> None:
    _, there = elsewhere(tmp_path)
    with pytest.raises(UnknownItem, match="no item 'nowhere'"):
        there.row("nowhere")


def test_bytes_of_another_kind_are_refused_with_the_command() -> None:
    with pytest.raises(DamagedArtefact, match="kindred index build"):
        fitted(b"\x93none", NONE)
