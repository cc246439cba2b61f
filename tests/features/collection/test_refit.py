"""A build over the same items fits what a new version of a measure, or a setting, has changed."""

from pathlib import Path

import pytest

from features.collection import generation
from features.collection.build import build, refit
from features.collection.collection import Built
from features.measures.names import NamesSettings
from ingest.errors import CollectionMissing
from tests.builders import NONE, RECORDS, features, items

DECLARED = features(
    words={"measure": "tfidf"},
    makers={"measure": "names"},
    known={"measure": "known", "of": "makers", "combine": "either"},
)


def files(root: Path) -> dict[str, int]:
    """The arrays of the current generation with the inodes of their files: a kept file is the same."""
    read = generation.read(root)
    return {name: (read.folder / file).stat().st_ino for name, file in read.manifest.arrays.items()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    build(tmp_path, items(RECORDS), DECLARED, NONE, revision=3, pipeline="p")
    return tmp_path


def test_nothing_is_stale_after_a_build(root: Path) -> None:
    assert generation.read(root).manifest.stale(DECLARED) == ()


def test_a_new_version_of_a_measure_is_fitted_alone(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = files(root)
    monkeypatch.setattr(NamesSettings, "VERSION", NamesSettings.VERSION + 1)
    opened = Built.open(root, NONE)
    # columns of another version are not read, nor what is made of them
    assert opened.columns.keys() == {"words"}
    assert opened.manifest.stale(DECLARED) == ("makers",)
    assert refit(root, DECLARED, NONE, 1) == ("makers",)
    after, read = files(root), generation.read(root).manifest
    unchanged = {name: inode for name, inode in before.items() if not name.startswith("makers-")}
    assert {name: after[name] for name in unchanged} == unchanged
    assert (read.revision, read.pipeline, read.items) == (3, "p", len(RECORDS))
    assert read.stale(DECLARED) == ()
    assert Built.open(root, NONE).columns.keys() == DECLARED.keys()


def test_other_settings_are_fitted_alone_and_what_is_not_wanted_goes(root: Path) -> None:
    other = features(words={"measure": "tfidf", "scope": {"parts": ["title"]}}, makers={"measure": "names"})
    assert refit(root, other, NONE, 1) == ("words",)
    opened = Built.open(root, NONE)
    assert opened.columns.keys() == {"words", "makers"}
    anew = build(root / "anew", items(RECORDS), other, NONE, revision=3, pipeline="p")
    for name in other:
        ours = opened.compare(opened.query(0), [name])[name]
        theirs = anew.compare(anew.query(0), [name])[name]
        assert ours.tolist() == pytest.approx(theirs.tolist(), nan_ok=True)


def test_there_has_to_be_a_collection(tmp_path: Path) -> None:
    with pytest.raises(CollectionMissing):
        refit(tmp_path, DECLARED, NONE, 1)
