"""Tables of walks on disk: damage, a full disk, kills, and several processes at once."""

import errno
import json
import os
import resource
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from features.research.walks.growth import Start
from features.research.walks.walks import Walks
from ingest.errors import DamagedArtefact, UnwritableState
from tests.builders import ended
from tests.features.research.toy_walks import WORDS, exact, graph, start, stored, tables


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.name != ".lock")


@pytest.mark.parametrize("name", ["cosines", "lengths", "keys", "manifest.json"])
@pytest.mark.parametrize("harm", ["cut", "altered", "gone"])
def test_damaged_tables_are_refused(tmp_path: Path, name: str, harm: str) -> None:
    stored(tables(tmp_path), WORDS)
    path = next(tmp_path.glob(f"*/{name}"))
    data = bytearray(path.read_bytes())
    if harm == "altered":
        data[len(data) // 2] ^= 1
    if harm == "gone":
        path.unlink()
    else:
        path.write_bytes(data[:-3] if harm == "cut" else data)
    if (name, harm) == ("manifest.json", "gone"):
        # nothing says that there were tables: they are begun anew
        assert len(tables(tmp_path)) == 0
        return
    with pytest.raises(DamagedArtefact, match="remove"):
        tables(tmp_path)


def test_damage_is_noticed_before_more_is_added(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    stored(walks, WORDS[:50])
    path = next(tmp_path.glob("*/cosines"))
    data = bytearray(path.read_bytes())
    data[7] ^= 1
    path.write_bytes(data)
    with pytest.raises(DamagedArtefact):
        stored(walks, WORDS)


def test_tables_of_another_format_are_refused(tmp_path: Path) -> None:
    stored(tables(tmp_path), ["w1"])
    path = next(tmp_path.glob("*/manifest.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {"format": 99}))
    with pytest.raises(DamagedArtefact):
        tables(tmp_path)


def test_tables_made_anew_under_a_reader_are_refused(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    stored(walks, ["w1", "w2"])
    for path in files(tmp_path):
        path.unlink()
    stored(tables(tmp_path), ["w2", "w1"])
    with pytest.raises(DamagedArtefact, match="start this process again"):
        stored(walks, ["w3"])


def test_tables_that_went_away_are_not_written_to(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    stored(walks, ["w1"])
    shutil.rmtree(next(tmp_path.iterdir()))
    with pytest.raises(DamagedArtefact, match="start this process again"):
        stored(walks, ["w2"])


def test_words_are_taken_in_again_after_a_failure(tmp_path: Path) -> None:
    walks = tables(tmp_path)
    stored(walks, ["w1"])
    full = OSError(errno.ENOSPC, "No space left on device")
    with patch("os.fsync", side_effect=full), pytest.raises(UnwritableState, match="free some space"):
        stored(walks, ["w2"])
    ids = stored(walks, ["w1", "w3", "w4"])
    assert np.abs(walks.cosines(ids, ids) - exact(["w1", "w3", "w4"])).max() <= 0.003


def _adding_under_a_limit(folder: Path) -> None:
    """Add words where no file may be longer than 2,000 bytes, as on a disk that runs full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    try:
        stored(tables(folder), WORDS)
    except UnwritableState as error:
        os._exit(5 if f"{folder}" in error.detail and "free some space" in error.detail else 6)


def test_a_file_that_cannot_grow_leaves_what_was_there(tmp_path: Path) -> None:
    # 30 words take 30 x 29 / 2 = 435 bytes of codes, 100 words 4,950
    stored(tables(tmp_path), WORDS[:30])
    assert ended(partial(_adding_under_a_limit, tmp_path)) == 5
    walks = tables(tmp_path)
    assert len(walks) == 30
    ids = stored(walks, WORDS)
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS)).max() <= 0.003


def _killed_while_adding(folder: Path, at: int) -> None:
    """Add words, and die when something is written through for the at-th time."""
    walks, calls = tables(folder), iter(range(100))

    def fsync(_: object) -> None:
        if next(calls) == at:
            os._exit(7)

    with patch("os.fsync", fsync):
        stored(walks, WORDS)


@pytest.mark.parametrize("at", range(6))
def test_a_kill_leaves_what_was_there(tmp_path: Path, at: int) -> None:
    first = tables(tmp_path)
    ids = stored(first, WORDS[:30])
    before = first.cosines(ids, ids)
    assert ended(partial(_killed_while_adding, tmp_path, at)) == 7
    after = tables(tmp_path)
    # three files and the manifest aside are synced; then the manifest counts, and its error is measured
    assert len(after) == (30 if at < 4 else 100)
    assert (after.cosines(ids, ids) == before).all()
    every = stored(after, WORDS)
    assert np.abs(after.cosines(every, every) - exact(WORDS)).max() <= 0.003
    assert len(tables(tmp_path)) == 100


def test_processes_that_add_at_once_lose_nothing(tmp_path: Path) -> None:
    def add(words: Sequence[str]) -> None:
        for word in words:
            stored(tables(tmp_path), [word])

    children = []
    for part in (WORDS[:30], WORDS[20:50], WORDS[40:60]):
        if not (child := os.fork()):
            try:
                add(part)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    walks = tables(tmp_path)
    assert len(walks) == 60
    ids = stored(walks, WORDS[:60])
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS[:60])).max() <= 0.003


# portions of 50, 25, 12, 6, 3 and 1 words come second; the seventh time one word is walked under the lock
@pytest.mark.parametrize("times", [1, 4, 7])
def test_others_add_while_words_are_walked(tmp_path: Path, times: int) -> None:
    other, theirs = tables(tmp_path), iter(WORDS[40 : 40 + times])

    def slow(key: str) -> Start:
        # would wait for ever if the lock were held now; the first word is added before the tables are read
        if key == "w0" and (word := next(theirs, None)):
            stored(other, [word])
        return start(key)

    walks = Walks(tmp_path, "toy", graph, slow)
    ids = stored(walks, WORDS[:50])
    assert sorted(ids.tolist()) == sorted(stored(other, WORDS[:50]).tolist())
    assert len(walks) == len(tables(tmp_path)) == 50
    assert np.abs(walks.cosines(ids, ids) - exact(WORDS[:50])).max() <= 0.003
