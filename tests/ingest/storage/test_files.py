"""Files that are whole or not there, and locks between processes."""

import errno
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ingest.errors import UnwritableState, UsageError
from ingest.storage.files import locked, make_folder, unwritable_output, whole_file, write_whole
from tests.builders import ended


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "state" / "weights.json"
    make_folder(path.parent)
    write_whole(path, b"one")
    with whole_file(path) as file:
        file.write(b"two")
        file.flush()
        assert path.read_bytes() == b"one"
    assert path.read_bytes() == b"two"
    assert names(path.parent) == ["weights.json"]


def test_two_threads_write_the_same_file_each_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    both_write = threading.Barrier(2)

    def write(data: bytes) -> None:
        with whole_file(path) as file:
            file.write(data[:1000])
            both_write.wait(60)
            file.write(data[1000:])

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(write, b"a" * 5000), pool.submit(write, b"b" * 5000)]:
            done.result()
    assert path.read_bytes() in (b"a" * 5000, b"b" * 5000)
    assert names(tmp_path) == ["weights.json"]


def test_a_block_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_whole(path, b"one")
    # what goes wrong with other files is not said of this one
    with pytest.raises(FileNotFoundError), whole_file(path):
        (tmp_path / "nowhere").read_bytes()
    assert path.read_bytes() == b"one"
    assert names(tmp_path) == ["weights.json"]


def _killed(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"two")
        file.flush()
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_kill_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    write_whole(path, b"one")
    assert ended(_killed, path) == -signal.SIGKILL
    assert path.read_bytes() == b"one"


def test_a_full_disk_names_the_file_and_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "weights.json"
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UnwritableState, match=f"{path} cannot be written .*free some space"):
        write_whole(path, b"one")
    assert names(tmp_path) == []


def test_a_folder_that_is_a_file_is_said_to_be_one(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_text("a file", encoding="utf-8")
    with pytest.raises(UnwritableState, match="the file that stands where a folder should be"):
        make_folder(state / "collection")
    with (
        pytest.raises(UnwritableState, match="the file that stands where a folder should be"),
        locked(state / "rebuild.lock"),
    ):
        pass
    with pytest.raises(UsageError, match="name another file"):
        write_whole(state / "scores.txt", b"one", unwritable_output)


def test_a_lock_is_held_by_one_process_and_freed_when_it_is_killed(tmp_path: Path) -> None:
    path, busy = tmp_path / "rebuild.lock", "another is under way"
    ready, locked_by_child = os.pipe()
    child = os.fork()
    if not child:
        with locked(path):
            os.write(locked_by_child, b"1")
            signal.pause()
    os.read(ready, 1)
    with pytest.raises(UsageError, match="another is under way"), locked(path, busy):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with locked(path, busy):
        pass
