"""Precomputed lists: they give what a search gives, are made, stopped, taken over, and take in what came."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.collection import build as collections
from features.collection.collection import Built
from features.collection.delta import PutItem
from ingest.errors import UnwritableState, UsageError
from ingest.record import Record
from ingest.storage.folders import MANIFEST
from models.regressors.base import RetrievalSettings
from models.regressors.linear import Weighted
from models.systems import System
from models.types import OFFICIAL, SimilarityType
from service.search.batch import precompute as making
from service.search.batch.precompute import PrecomputeResult, precompute
from service.search.engines.local import precomputed as lists
from service.search.engines.local.index import LocalIndex
from service.search.engines.local.precomputed import FOLDER, NeighbourList, PrecomputedNeighbours, stored
from service.search.engines.port import ProposedItem, Question
from service.search.overrides import NoOverrides
from service.search.recommender import Recommender
from service.search.variants import Variant
from tests.builders import (
    BASELINE,
    FEATURES,
    NONE,
    RECORDS,
    built,
    fitted,
    items,
    profile,
    profiles,
    random_records,
    record,
)
from tests.service.builders import with_changes
from tests.service.search.test_local_index import Changes, changed, changes, question_of, systems

LENGTH = 3


class NeighboursInMemory(PrecomputedNeighbours):
    """Lists in memory: the first few of every item and type that a search finds."""

    def __init__(self, collection: Built, system: System) -> None:
        index = LocalIndex(collection, system)
        self._rows = {
            (kind, row): stored([(collection.row(one.id), one.bound) for one in near], LENGTH)
            for row, item in enumerate(collection.ids)
            for kind, near in index.propose(question_of(item), LENGTH).items()
        }

    def of(self, kind: SimilarityType, row: int) -> NeighbourList | None:
        return NeighbourList.of(self._rows[kind, row])


def pairs(
    proposed: Mapping[SimilarityType, list[ProposedItem]],
) -> dict[SimilarityType, list[tuple[str, float]]]:
    return {kind: [(one.id, one.bound) for one in near] for kind, near in proposed.items()}


@given(systems, random_records(), changes(), st.data())
def test_read_and_merged_they_are_the_answers_of_a_search(
    system: System, records: list[Record], live: Changes, data: st.DataObject
) -> None:
    collection = fitted(records)
    plain = changed(LocalIndex(collection, system), live)
    listed = changed(LocalIndex(collection, system, NeighboursInMemory(collection, system)), live)
    ids = list(plain.collection.ids)
    if not ids:
        return
    question, number = question_of(data.draw(st.sampled_from(ids))), data.draw(st.integers(1, LENGTH + 1))
    first = plain.propose(question, number)
    assert pairs(listed.propose(question, number)) == pairs(first)
    for kind, near in first.items():
        if near:
            following = replace(question, types=(kind,), after=near[0])
            assert pairs(listed.propose(following, number)) == pairs(plain.propose(following, number))


def recommender(root: Path, system: System = BASELINE) -> Recommender:
    """Over the collection that is built in a folder, with the lists that it has."""
    collection = Built.open(root, NONE)
    return Recommender(
        LocalIndex(collection, system, PrecomputedNeighbours(collection, system)), system, profiles
    )


def made(root: Path, system: System = BASELINE, processes: int = 1) -> PrecomputeResult:
    opening = partial(recommender, root, system)
    return precompute(opening(), opening, processes)


def searching(monkeypatch: pytest.MonkeyPatch) -> list[tuple[SimilarityType, ...]]:
    """The types of every search of the whole collection from now on."""
    passes, among = [], LocalIndex.among

    def noted(self: LocalIndex, part: slice | None, question: Question, number: int) -> object:
        passes.append(question.types)
        return among(self, part, question, number)

    monkeypatch.setattr(LocalIndex, "among", noted)
    return passes


def every_list(served: Recommender) -> dict[str, dict[SimilarityType, list[tuple[str, float]]]]:
    return {item: pairs(served.nearest(item, OFFICIAL, 2)) for item in served.collection.ids}


@pytest.mark.parametrize("processes", [1, 2])
def test_nothing_is_searched_once_they_are_there(
    tmp_path: Path, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "_PART", 2)
    collection = built(tmp_path)
    before = every_list(Recommender(LocalIndex(collection, BASELINE), BASELINE, profiles))
    serving = recommender(tmp_path)  # it was opened before they were made
    assert every_list(serving) == before
    assert made(tmp_path, processes=processes) == PrecomputeResult(OFFICIAL, ())
    passes = searching(monkeypatch)
    assert every_list(serving) == every_list(recommender(tmp_path)) == before
    assert passes == []


def test_what_is_not_asked_plainly_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tmp_path)
    made(tmp_path)
    index, passes = recommender(tmp_path).index, searching(monkeypatch)
    question = question_of("t:1", "time")
    index.propose(question, 2)
    assert not passes
    for other in (
        replace(question, without=frozenset({"t:2"})),
        replace(question, among=frozenset({"t:2", "t:3"})),
        replace(question, seeds=(*question.seeds, *question_of("t:2").seeds)),
    ):
        index.propose(other, 2)
    assert len(passes) == 3


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "_PART", 2)
    collection, rename = built(tmp_path), Path.replace

    def stopped(path: Path, target: Path) -> Path:
        if "part-00001" in path.name:
            raise KeyboardInterrupt
        return rename(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stopped)
        with pytest.raises(KeyboardInterrupt):
            made(tmp_path)
    assert collection.folder is not None
    assert lists.read_manifest(collection.folder / FOLDER) is None
    passes = searching(monkeypatch)
    made(tmp_path)
    assert len(passes) == 4  # six items, two of which were done
    assert [path.name for path in (collection.folder / FOLDER).iterdir() if path.is_dir()] == []


def heavier(kind: SimilarityType) -> System:
    """The baseline, but that one type counts its feature more."""
    weights = np.zeros((len(BASELINE.features), len(OFFICIAL)))
    for at in range(len(OFFICIAL)):
        weights[at, at] = 4.0 if OFFICIAL[at] == kind else 5.0
    return System("T0-parsed", BASELINE.features, Weighted(weights, np.zeros(len(OFFICIAL))))


def test_only_what_may_have_changed_is_made_anew(tmp_path: Path) -> None:
    built(tmp_path)
    assert made(tmp_path, heavier("time")) == PrecomputeResult(OFFICIAL, ())
    others = tuple(kind for kind in OFFICIAL if kind not in ("time", "event"))
    assert made(tmp_path, heavier("event")) == PrecomputeResult(("time", "event"), others)
    assert made(tmp_path, heavier("event")) == PrecomputeResult((), OFFICIAL)
    # a build of the same items and features; one feature is another
    other = {**FEATURES, "verb": FEATURES["subject"]}
    collections.build(tmp_path, items(RECORDS), other, NONE, revision=2, pipeline="toy")
    assert made(tmp_path, heavier("event")).made == ("event",)
    # one item more moves the idf of all
    built(tmp_path, (*RECORDS, record("t:7", "View of Bath")), revision=3)
    assert made(tmp_path, heavier("event")) == PrecomputeResult(OFFICIAL, ())


def test_lists_of_another_system_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built(tmp_path)
    made(tmp_path)
    passes = searching(monkeypatch)
    every_list(recommender(tmp_path, heavier("time")))
    assert len(passes) == 6


def damaged(folder: Path) -> None:
    for path in folder.glob("*.npy"):
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(data)


def without(folder: Path) -> None:
    for path in folder.glob("*.npy"):
        path.unlink()


def unreadable(folder: Path) -> None:
    (folder / MANIFEST).write_text("{", encoding="utf-8")


@pytest.mark.parametrize("harm", [damaged, without, unreadable])
def test_what_is_damaged_is_searched_and_made_anew(
    tmp_path: Path,
    harm: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    collection = built(tmp_path)
    made(tmp_path)
    before = every_list(recommender(tmp_path))
    assert collection.folder is not None
    harm(collection.folder / FOLDER)
    with monkeypatch.context() as patch:
        passes = searching(patch)
        assert every_list(recommender(tmp_path)) == before
        assert len(passes) == 6
    if harm is not unreadable:
        assert "precomputed neighbours are not used" in caplog.text
        assert "run: kindred build --precompute" in caplog.text
    assert made(tmp_path) == PrecomputeResult(OFFICIAL, ())
    assert every_list(recommender(tmp_path)) == before


def test_live_changes_are_merged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = [record(f"v:{n}", "Venice " + "boats " * n) for n in range(8)]
    built(tmp_path, named)
    monkeypatch.setattr(lists, "LENGTH", 4)
    monkeypatch.setattr(making, "LENGTH", 4)
    made(tmp_path)
    served, passes = recommender(tmp_path), searching(monkeypatch)
    (first, *_), new = served.nearest("v:1", ["general"], 3)["general"], record("w", "boats Venice")
    now = with_changes(served, {first.id: None, new.id: PutItem(new, profile(new))}, 2)
    results = [one.id for one in now.nearest("v:1", ["general"], 3)["general"]]
    assert passes == []
    assert results[0] == "w"  # the same words as v:1
    assert first.id not in results
    assert len(results) == 3
    # two more are gone: of the four one is left, and the search fills the list up
    gone: dict[str, PutItem | None] = dict.fromkeys(results[1:])
    fewer = with_changes(now, {first.id: None, new.id: PutItem(new, profile(new)), **gone}, 3)
    assert len(fewer.nearest("v:1", ["general"], 3)["general"]) == 3
    assert passes == [("general",)]


def test_a_system_that_is_not_searched_exactly_is_refused(tmp_path: Path) -> None:
    built(tmp_path)
    served = recommender(tmp_path)
    proposing = Variant("T0-parsed", retrieval=RetrievalSettings(system="T0-parsed", candidates=10))
    other = Recommender(served.index, BASELINE, profiles, proposing)
    with pytest.raises(UsageError, match="not found exactly"):
        precompute(other, lambda: other, 1)


def test_live_changes_are_no_part_of_lists(tmp_path: Path) -> None:
    built(tmp_path)
    now = with_changes(recommender(tmp_path), {"t:1": None}, 2)
    with pytest.raises(TypeError, match="without live changes"):
        precompute(now, lambda: now, 1)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    collection = built(tmp_path)
    assert collection.folder is not None
    (collection.folder / FOLDER).write_text("x", encoding="utf-8")
    with pytest.raises(UnwritableState, match="neighbours cannot be written"):
        made(tmp_path)


def test_the_manifest_says_what_there_is(tmp_path: Path) -> None:
    collection = built(tmp_path)
    made(tmp_path)
    assert collection.folder is not None
    read = json.loads((collection.folder / FOLDER / MANIFEST).read_bytes())
    assert (read["format"], tuple(read["types"])) == (1, OFFICIAL)


class RejectedThere(NoOverrides):
    """Curators who find two items unlike in time."""

    mark = "rejected"

    def rejected(self, items: Iterable[str]) -> Mapping[SimilarityType, frozenset[str]]:
        return {"time": frozenset({"t:1", "t:2"})} if {*items} & {"t:1", "t:2"} else {}


def test_what_curators_reject_is_in_the_lists_all_the_same_so_that_it_can_be_put_back(tmp_path: Path) -> None:
    built(tmp_path)
    before = recommender(tmp_path)
    assert "t:2" in [one.id for one in before.nearest("t:1", ["time"], 2)["time"]]
    judged = Recommender(before.index, before.system, profiles, overrides=RejectedThere())
    precompute(judged, partial(recommender, tmp_path), 1)
    assert "t:2" not in [one.id for one in judged.nearest("t:1", ["time"], 2)["time"]]
    assert every_list(recommender(tmp_path)) == every_list(before)
