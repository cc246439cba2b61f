import json
import os
import shutil
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.arrays import Bools
from features.collection import build, fitting, generation
from features.collection.build import AnalysedItem, in_memory
from features.collection.collection import Built
from features.collection.generation import GenerationManifest
from features.measures.base import plain
from features.profiles.blocks import Block
from features.profiles.profile import EVERYWHERE
from ingest.errors import CollectionMissing, DamagedArtefact, UnknownItem
from ingest.record import Record
from ingest.storage import folders
from ingest.storage.files import mark
from tests.builders import (
    FEATURES,
    NONE,
    RECORDS,
    built,
    ended,
    features,
    fitted,
    items,
    profile,
    random_records,
    record,
)
from tests.features.measures.columns import query_of

NAMES = tuple(FEATURES)


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("collection")
    built(root)
    return root


@pytest.fixture
def root(built_once: Path, tmp_path: Path) -> Path:
    shutil.copytree(built_once, tmp_path, dirs_exist_ok=True)
    return tmp_path


def folder_of(root: Path) -> Path:
    return root / (root / "current").read_text(encoding="utf-8").strip()


def file_of(root: Path, name: str) -> Path:
    """The file of an array."""
    arrays = manifest(root)["arrays"]
    assert isinstance(arrays, dict)
    return folder_of(root) / str(arrays[name])


def manifest(root: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((folder_of(root) / "manifest.json").read_bytes())
    return read


def whole(root: Path) -> GenerationManifest | None:
    """The manifest of the current generation, None where there is no whole one."""
    try:
        opened = generation.read(root)
    except (CollectionMissing, DamagedArtefact):
        return None
    return None if opened.notice else opened.manifest


def test_what_was_built_can_be_opened(root: Path) -> None:
    opened = Built.open(root, NONE)
    assert len(opened) == len(RECORDS)
    assert opened.ids == ("t:1", "t:2", "t:3", "t:4", "t:5", "t:6")
    assert [opened.record(opened.row(one.id)) for one in RECORDS] == list(RECORDS)
    assert [opened.profile(row) for row in range(6)] == [profile(one) for one in RECORDS]
    assert (opened.manifest.revision, opened.manifest.pipeline, opened.manifest.items) == (1, "toy", 6)
    assert opened.manifest.features == FEATURES


def test_an_id_that_is_not_there(root: Path) -> None:
    with pytest.raises(UnknownItem, match="'t:9'"):
        Built.open(root, NONE).row("t:9")


def test_the_arrays_stay_on_disk(root: Path) -> None:
    opened = Built.open(root, NONE)
    for array in (opened.duplicates, *plain(opened.columns["all"]).table.arrays().values()):
        assert isinstance(array if isinstance(array, np.memmap) else array.base, np.memmap)


def test_disk_and_memory_give_the_same_numbers(root: Path) -> None:
    opened, in_memory_only = Built.open(root, NONE), fitted()
    for one in RECORDS:
        ours, theirs = (each.compare(query_of(profile(one)), NAMES) for each in (opened, in_memory_only))
        for name in FEATURES:
            assert np.array_equal(ours[name], theirs[name], equal_nan=True)


@given(random_records(least=2))
def test_compare_gives_what_pair_gives(records: list[Record]) -> None:
    collection = fitted(records)
    query = profile(records[0])
    compared = collection.compare(query_of(query), NAMES)
    for row in range(len(collection)):
        pair = collection.pair(Block([query, collection.profile(row)]), 0, 1, NAMES)
        assert [compared[name][row] for name in FEATURES] == pytest.approx(pair, nan_ok=True, abs=1e-12)


def test_exact_duplicates_share_a_group() -> None:
    records = [record("a", "x"), record("b", "y"), record("c", "x"), record("d", "x", places="Bath")]
    # places are not one of the six fields
    assert fitted(records).duplicates.tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("records", [[], [record("a", "!")]])
def test_little_or_nothing_to_hold(tmp_path: Path, records: list[Record]) -> None:
    collection = built(tmp_path, records)
    assert len(collection) == len(records)
    values = collection.compare(query_of(profile(RECORDS[0])), NAMES)
    assert all(np.isnan(scores).all() for scores in values.values())


def test_a_feature_whose_name_begins_like_another() -> None:
    declared = features(a={"measure": "tfidf"}, **{"a-b": {"measure": "years"}})
    collection = fitted(RECORDS, declared)
    query = query_of(profile(RECORDS[0]))
    assert collection.compare(query, ["a", "a-b"])["a"] == pytest.approx(
        fitted(RECORDS, {"a": declared["a"]}).compare(query, ["a"])["a"], nan_ok=True
    )


def test_nothing_built(tmp_path: Path) -> None:
    with pytest.raises(CollectionMissing, match="kindred build"):
        Built.open(tmp_path, NONE)
    with pytest.raises(CollectionMissing):
        Built.open(tmp_path / "nowhere", NONE)
    assert whole(tmp_path) is None


@pytest.mark.parametrize("name", ["ids.npy", "records.npy", "all-terms.npy", "years-starts.npy"])
@pytest.mark.parametrize("damage", ["cut", "altered", "longer", "gone"])
def test_a_damaged_file_is_refused(root: Path, name: str, damage: str) -> None:
    path = file_of(root, name)
    data = path.read_bytes()
    damaged = {"cut": data[:-1], "altered": data[:-1] + bytes([data[-1] ^ 1]), "longer": data + b"x"}
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(damaged[damage])
    with pytest.raises(DamagedArtefact, match=path.name):
        Built.open(root, NONE)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"format": 1, "items": 0}', '{"format": 2, "items": 0}']
)
def test_a_manifest_that_is_none_is_refused(root: Path, text: str) -> None:
    (folder_of(root) / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(DamagedArtefact, match="kindred build"):
        Built.open(root, NONE)


@pytest.mark.parametrize(
    "change", [{"items": 5}, {"files": {}}, {"revision": 2}, {"features": {}}, {"pipeline": "other"}]
)
def test_an_altered_manifest_is_refused(root: Path, change: dict[str, object]) -> None:
    path = folder_of(root) / "manifest.json"
    path.write_text(json.dumps(manifest(root) | change), encoding="utf-8")
    with pytest.raises(DamagedArtefact, match=r"manifest\.json"):
        Built.open(root, NONE)


def test_a_foreign_format_is_named(root: Path) -> None:
    path = folder_of(root) / "manifest.json"
    path.write_text(json.dumps({"format": 99}), encoding="utf-8")
    with pytest.raises(DamagedArtefact, match=f"of format 99, not {generation.FORMAT}"):
        Built.open(root, NONE)


@pytest.mark.parametrize("pointer", [b"", b"generation-0", b"\xff\xfe", b"\0", b"x" * 5000])
def test_a_pointer_to_nothing(root: Path, pointer: bytes) -> None:
    (root / "current").write_bytes(pointer)
    opened = Built.open(root, NONE)
    assert "kindred build" in opened.notice
    shutil.rmtree(next(root.glob("generation-*")))
    with pytest.raises(DamagedArtefact, match="kindred build"):
        Built.open(root, NONE)


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "gone":
        path.unlink()
    elif how == "cut":
        path.write_bytes(data[: len(data) // 2])
    else:
        place = len(data) * 3 // 4
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


@pytest.mark.parametrize("how", ["gone", "cut", "altered"])
@pytest.mark.parametrize("name", ["ids.npy", "all-terms.npy", "years-bounds.npy", "manifest"])
def test_the_last_whole_generation_answers_for_a_damaged_one(
    root: Path, name: str, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert Built.open(root, NONE).notice == ""
    built(root, RECORDS[:3], revision=2)
    path = folder_of(root) / "manifest.json" if name == "manifest" else file_of(root, name)
    damage(path, how)
    opened = Built.open(root, NONE)
    assert (opened.manifest.revision, len(opened)) == (1, len(RECORDS))
    assert len(opened.compare(opened.query(0), ["all"])["all"]) == len(RECORDS)
    assert opened.notice.endswith("kindred build. Until then the collection of revision 1 answers")
    assert str(root) not in opened.notice
    assert opened.notice in caplog.text
    assert path.name in caplog.text
    # a build does not take it for the current one, and mends it
    assert whole(root) is None
    assert built(root, RECORDS[:3], revision=2).notice == ""
    assert Built.open(root, NONE).manifest.revision == 2


def test_where_none_is_whole_the_current_one_is_named(root: Path) -> None:
    before = folder_of(root)
    built(root, RECORDS[:3], revision=2)
    path = file_of(root, "records.npy")
    damage(path, "cut")
    damage(before / "manifest.json", "altered")
    with pytest.raises(DamagedArtefact, match=path.name):
        Built.open(root, NONE)


def test_equal_arrays_lie_there_once(root: Path) -> None:
    opened = Built.open(root, NONE)
    arrays, files = opened.manifest.arrays, opened.manifest.files
    # no record has a term twice: the counts are ones, and as many in either order
    assert arrays["verb-counts.npy"] == arrays["verb-posting_counts.npy"]
    assert set(arrays.values()) == set(files)
    assert {path.name for path in folder_of(root).iterdir()} == {
        *files,
        "manifest.json",
        "search.json",
        "search.sqlite",
    }
    assert all(name == f"{known.sha256[:32]}.npy" for name, known in files.items())


def test_features_over_one_scope_read_each_item_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = {"parts": ["title"], "form": "lemma"}
    declared = features(
        one={"measure": "tfidf", "scope": scope},
        two={"measure": "overlap", "scope": scope},
        other={"measure": "tfidf"},
    )
    picked: list[tuple[str, ...]] = []
    within = Block.within

    def counted(block: Block, parts: Iterable[str]) -> Bools:
        picked.append(tuple(parts))
        return within(block, parts)

    monkeypatch.setattr(Block, "within", counted)
    collection = fitted(RECORDS, declared)
    assert picked == [("title",), EVERYWHERE]
    alone = fitted(RECORDS, {"two": declared["two"]})
    ours, theirs = (each.compare(each.query(0), ["two"])["two"] for each in (collection, alone))
    assert np.array_equal(ours, theirs, equal_nan=True)


def test_ids_are_found_where_they_lie(root: Path) -> None:
    opened = Built.open(root, NONE)
    assert [opened.row(item) for item in opened.ids] == list(range(6))
    assert (opened.ids[-1], opened.ids[2:4]) == ("t:6", ("t:3", "t:4"))
    assert "t:3" in opened.ids
    assert "t:7" not in opened.ids
    for unknown in ("", "t", "t:0", "t:10", "u", "\ud800"):
        with pytest.raises(UnknownItem):
            opened.row(unknown)


@given(st.sets(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=20))
def test_every_id_is_found_and_no_other(ids: set[str]) -> None:
    collection = fitted([record(one, "boat") for one in ids])
    assert [collection.row(one) for one in sorted(ids)] == list(range(len(ids)))
    for one in ids:
        assert ((one + "a") in collection.ids) == (one + "a" in ids)


def test_items_come_in_id_order() -> None:
    one, two = items([record("a", "x"), record("b", "y")])
    for wrong in ([two, one], [one, one]):
        with pytest.raises(ValueError, match="id order"):
            in_memory(wrong, FEATURES, NONE)


@pytest.mark.parametrize("what", ["array", "manifest", "pointer"])
def test_a_damaged_generation_counts_as_none_and_is_built_anew(root: Path, what: str) -> None:
    damaged = {"array": file_of(root, "ids.npy"), "manifest": folder_of(root) / "manifest.json"}
    damaged.get(what, root / "current").write_bytes(b"damaged")
    assert whole(root) is None
    assert len(built(root)) == len(RECORDS)
    assert len(Built.open(root, NONE)) == len(RECORDS)


def test_a_pickle_is_never_read(root: Path) -> None:
    class Boom:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return pytest.fail, ("a pickle was read",)

    folder, path = folder_of(root), file_of(root, "ids.npy")
    np.save(path, np.array([Boom()], dtype=object), allow_pickle=True)
    # even where the manifest vouches for it
    forged = manifest(root)
    files = forged["files"]
    assert isinstance(files, dict)
    files[path.name] = mark(path).model_dump()
    text = json.dumps(forged).encode()
    (folder / "manifest.json").write_bytes(text)
    target = folder.with_name(folders.generation_name(text))
    folder.rename(target)
    (root / "current").write_text(target.name, encoding="utf-8")
    with pytest.raises(DamagedArtefact):
        Built.open(root, NONE)


def test_a_reader_keeps_its_generation_while_two_more_are_built(root: Path) -> None:
    reader = Built.open(root, NONE)
    built(root, RECORDS[:3], revision=2)
    built(root, RECORDS[:2], revision=3)
    assert len(reader) == 6
    assert reader.record(5) == RECORDS[5]
    assert len(reader.compare(query_of(profile(RECORDS[0])), ["all"])["all"]) == 6
    assert len(Built.open(root, NONE)) == 2
    assert len(list(root.glob("generation-*"))) == 2


def test_the_same_build_again_changes_nothing(root: Path) -> None:
    before = folder_of(root)
    built(root)
    assert folder_of(root) == before
    assert [path.name for path in root.iterdir() if path.name.startswith(".aside")] == []


def test_a_failing_build_leaves_the_generation_before(root: Path) -> None:
    def failing() -> Iterator[AnalysedItem]:
        yield items(RECORDS)[0]
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError, match="power cut"):
        build.build(root, failing(), FEATURES, NONE, revision=2, pipeline="toy")
    assert Built.open(root, NONE).manifest.revision == 1
    assert not list(root.glob(".aside-*"))


def test_others_may_read_what_was_built(root: Path) -> None:
    built(root, RECORDS[:3], revision=2)
    probe = root / "probe"
    probe.mkdir()
    assert folder_of(root).stat().st_mode == probe.stat().st_mode


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_build(root: Path, moment: str) -> None:
    """A build that is killed; runs in a process of its own."""
    patch = pytest.MonkeyPatch()
    if moment == "reading":
        patch.setattr(fitting, "decode", die)
    elif moment == "writing":
        fsync, calls = os.fsync, iter(range(9))
        patch.setattr(os, "fsync", lambda file: die() if next(calls, None) is None else fsync(file))
    elif moment == "before the rename":
        rename = Path.rename
        patch.setattr(
            Path, "rename", lambda path, to: die() if path.name.startswith(".aside") else rename(path, to)
        )
    elif moment == "before the pointer":
        patch.setattr(Path, "replace", die)
    elif moment == "before cleaning":
        patch.setattr(shutil, "rmtree", die)
    built(root, RECORDS[:3], revision=2)


@pytest.mark.parametrize(
    ("moment", "revision"),
    [
        ("reading", 1),
        ("writing", 1),
        ("before the rename", 1),
        ("before the pointer", 1),
        ("before cleaning", 2),
    ],
)
def test_a_kill_leaves_a_whole_generation(root: Path, moment: str, revision: int) -> None:
    assert ended(killed_build, root, moment) == -signal.SIGKILL
    assert Built.open(root, NONE).manifest.revision == revision
    # and the next build works, leaving nothing behind of the one that was killed
    assert built(root, RECORDS[:2], revision=3).manifest.revision == 3
    assert not list(root.glob(".aside-*"))
