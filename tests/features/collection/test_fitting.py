"""Fitting in one process and in several: the same files, errors that are ours, nothing left behind."""

import os
import signal
from pathlib import Path
from typing import NoReturn

import pytest

from features.collection import build as building
from features.collection import fitting
from features.collection.collection import Built
from features.knowledge.resources import Resources
from features.measures.registry import FeatureSettings
from features.measures.tfidf import TfidfSettings
from ingest.errors import ResourceMissing, WorkerLost
from tests.builders import FEATURES, NONE, RECORDS, built, ended, features, items, record

DECLARED = FEATURES | features(
    topics={"measure": "lda", "topics": 3, "documents": 10, "scope": {"form": "lemma"}},
    amount={"measure": "overlap", "kind": "amount", "scope": {"parts": ["title"]}},
    makers={"measure": "names", "stated": True},
    near={"measure": "intervals", "kind": "gap", "makers": True},
    anyone={"measure": "presence", "signs": [{"scope": {"entities": ["person"]}}]},
    either={"measure": "presence", "signs": [{"scope": {"entities": ["person"]}}], "combine": "either"},
    product={"measure": "product", "walk": "person", "cosine": "all"},
)
"""A feature of every measure that needs no resource."""


@pytest.fixture(autouse=True)
def _no_collection_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "FEW", 0)


def build(root: Path, declared: dict[str, FeatureSettings], processes: int, *, revision: int = 1) -> None:
    records = [*RECORDS, *(record(f"u:{n:04}", f"Boat {n} of Venice", date="1840") for n in range(30))]
    building.build(
        root, items(records), declared, NONE, revision=revision, pipeline="toy", processes=processes
    )


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_files_are_the_same_whatever_the_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = []
    for processes in (1, 2, 3):
        build(tmp_path / str(processes), DECLARED, processes)
        trees.append(files(tmp_path / str(processes)))
    # and however many items are read at a time
    monkeypatch.setattr(fitting, "SIZE", 7)
    build(tmp_path / "blocks", DECLARED, 1)
    assert trees == [files(tmp_path / "blocks")] * 3


def test_every_feature_is_of_one_share() -> None:
    for number in (1, 2, 5, 99):
        shares = fitting.shares(DECLARED, number)
        assert len(shares) <= number
        assert sorted(name for share in shares for name in share) == sorted({*DECLARED} - {"product"})


def test_features_that_collect_the_same_are_of_one_share() -> None:
    declared = features(
        one={"measure": "walk", "graph": "wordnet"},
        two={"measure": "walk", "graph": "wordnet", "similarity": "pairwise"},
        three={"measure": "walk", "graph": "wikipedia"},
        four={"measure": "link_vectors"},
        five={"measure": "tfidf"},
        six={"measure": "overlap"},
    )
    assert {frozenset(share) for share in fitting.shares(declared, 9)} == {
        frozenset({"one", "two"}),
        frozenset({"three", "four"}),
        frozenset({"five", "six"}),
    }


def test_an_error_in_a_process_leaves_the_collection_before(tmp_path: Path) -> None:
    built(tmp_path)
    before = files(tmp_path)
    with pytest.raises(ResourceMissing, match="no Wikipedia is built"):
        build(tmp_path, DECLARED | features(links={"measure": "link_vectors"}), 2, revision=2)
    assert files(tmp_path) == before
    assert Built.open(tmp_path, NONE).manifest.revision == 1


class Deadly(TfidfSettings):
    """A feature whose process is ended from outside."""

    def builder(self, resources: Resources) -> NoReturn:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError(resources)


@pytest.mark.kills
def test_a_process_that_is_killed_leaves_the_collection_before(tmp_path: Path) -> None:
    built(tmp_path)
    before = files(tmp_path)
    with pytest.raises(WorkerLost, match=r"lower analysis\.processes"):
        build(tmp_path, DECLARED | {"deadly": Deadly(measure="tfidf", idf="collection")}, 2, revision=2)
    assert files(tmp_path) == before


class Orphaned(TfidfSettings):
    """A feature whose process loses the build that started it."""

    def builder(self, resources: Resources) -> NoReturn:
        os.kill(os.getppid(), signal.SIGKILL)
        raise AssertionError(resources)


def orphaned(root: Path) -> None:
    build(root, DECLARED | {"orphaned": Orphaned(measure="tfidf", idf="collection")}, 2, revision=2)


@pytest.mark.kills
def test_a_build_that_is_killed_leaves_the_collection_before(tmp_path: Path) -> None:
    built(tmp_path)
    assert ended(orphaned, tmp_path) == -signal.SIGKILL
    assert Built.open(tmp_path, NONE).manifest.revision == 1
    # and the next build sweeps what lies aside
    build(tmp_path, DECLARED, 2, revision=3)
    assert Built.open(tmp_path, NONE).manifest.revision == 3
    assert not list(tmp_path.glob(".aside-*"))


def test_all_items_are_told_of(tmp_path: Path) -> None:
    for processes in (1, 2):
        advances: list[float] = []
        building.build(
            tmp_path,
            items(RECORDS),
            DECLARED,
            NONE,
            revision=1,
            pipeline="toy",
            processes=processes,
            advance=advances.append,
        )
        assert sum(advances) == len(RECORDS)
        assert min(advances) >= 0
