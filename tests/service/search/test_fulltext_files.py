"""The index of a collection on the disk: made with it, kept, made anew, and refused where it is damaged."""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from features.collection.build import build, refit
from features.collection.collection import Built
from features.fulltext import index_file
from ingest.errors import DamagedArtefact, ResourceMissing, UnwritableState
from ingest.record import Record
from ingest.storage.folders import pointed
from service.search.fulltext.finding import WordQuery, find
from tests.builders import FEATURES, NONE, RECORDS, built, ended, items, record


def index(root: Path) -> Path:
    return root / (pointed(root) or "") / index_file.FILE


def matches(collection: Built, query: str) -> list[str]:
    return [one.id for one in find(collection, WordQuery(query=query, sort="id")).records]


def test_it_is_made_with_the_collection_and_stays_as_it_is(tmp_path: Path) -> None:
    collection = built(tmp_path)
    before = index(tmp_path).read_bytes(), index(tmp_path).stat().st_ino
    assert matches(collection, "venice") == ["t:1", "t:2", "t:5"]
    assert not index_file.ensure(index(tmp_path).parent, len(collection), list)
    assert (index(tmp_path).read_bytes(), index(tmp_path).stat().st_ino) == before
    assert sorted(path.name for path in index(tmp_path).parent.iterdir() if path.suffix != ".npy") == [
        "manifest.json",
        "search.json",
        "search.sqlite",
    ]


def test_a_new_generation_has_its_own(tmp_path: Path) -> None:
    old = built(tmp_path)
    new = built(tmp_path, [*RECORDS, record("t:7", "Venice again")], revision=2)
    assert matches(old, "venice") == ["t:1", "t:2", "t:5"]
    assert matches(new, "venice") == ["t:1", "t:2", "t:5", "t:7"]


def test_other_features_over_the_same_items_take_it_over(tmp_path: Path) -> None:
    built(tmp_path)
    before = index(tmp_path)
    some = {name: settings for name, settings in FEATURES.items() if name != "years"}
    refit(tmp_path, some, NONE, 1)
    assert index(tmp_path) != before
    assert index(tmp_path).stat().st_ino == before.stat().st_ino
    assert matches(Built.open(tmp_path, NONE), "venice") == ["t:1", "t:2", "t:5"]


def ensured(collection: Built) -> bool:
    assert collection.folder is not None
    rows = range(len(collection))
    return index_file.ensure(collection.folder, len(rows), lambda: map(collection.record, rows))


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    path.unlink()
    if how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "overwritten":
        path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    elif how == "other":
        path.write_bytes(b"no database at all, but long enough to be looked at as one" * 100)


@pytest.mark.parametrize("how", ["cut", "overwritten", "other", "missing"])
def test_a_damaged_one_is_refused_and_made_anew(tmp_path: Path, how: str) -> None:
    collection = built(tmp_path)
    assert matches(collection, "boats") == ["t:1", "t:2", "t:5"]
    damage(index(tmp_path), how)
    with pytest.raises((DamagedArtefact, ResourceMissing), match="kindred build"):
        find(collection, WordQuery(query="boats"))
    # what needs no index is answered
    assert find(collection, WordQuery()).total == len(RECORDS)
    assert ensured(collection)
    # who had the damaged one open goes on with the new one
    assert matches(collection, "boats") == ["t:1", "t:2", "t:5"]


def test_one_of_other_items_is_no_index(tmp_path: Path) -> None:
    collection = built(tmp_path / "here")
    built(tmp_path / "there", RECORDS[:2])
    for name in (index_file.FILE, index_file.MARK):
        there, here = index(tmp_path / "there").with_name(name), index(tmp_path / "here").with_name(name)
        there.replace(here)
    with pytest.raises(DamagedArtefact, match="other items"):
        find(collection, WordQuery(query="boats"))
    assert ensured(collection)


def test_a_run_that_is_killed_leaves_the_one_before(tmp_path: Path) -> None:
    collection = built(tmp_path)
    index(tmp_path).unlink()

    def dies() -> None:
        def records() -> Iterable[Record]:
            yield from RECORDS[:3]
            os._exit(7)

        index_file.ensure(index(tmp_path).parent, len(RECORDS), records)

    assert ended(dies) == 7
    assert not index(tmp_path).exists()
    assert ensured(collection)
    assert matches(collection, "venice") == ["t:1", "t:2", "t:5"]


def test_a_failing_build_leaves_nothing(tmp_path: Path) -> None:
    given = items(RECORDS)
    with pytest.raises(ValueError, match="id order"):
        build(tmp_path, [given[1], given[0]], FEATURES, NONE, revision=1, pipeline="toy")
    assert not list(tmp_path.glob("**/*.sqlite*"))


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with (
        pytest.raises(UnwritableState, match="cannot be written"),
        index_file.new(tmp_path / "no" / "folder" / index_file.FILE),
    ):
        pass
