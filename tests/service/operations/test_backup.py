"""Backup and restore: while others write, and checked whole before anything is replaced."""

import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ingest.catalogue import Catalogue
from ingest.errors import CollectionMissing, UnreadableFile, UsageError
from service.operations.backup import BackupSummary, backup, restore
from service.operations.keys import Keys, Role
from service.sections import StateSettings
from tests.builders import RECORDS, record


@pytest.fixture
def state(tmp_path: Path) -> StateSettings:
    """A state directory with a catalogue, another database and weights."""
    folder = StateSettings(directory=tmp_path / "state")
    with Catalogue(folder.catalogue) as catalogue:
        catalogue.put_many(RECORDS)
    with closing(sqlite3.connect(folder.directory / "paths.sqlite")) as paths:
        paths.executescript("CREATE TABLE walks (title TEXT); INSERT INTO walks VALUES ('Harbours')")
    folder.weights.mkdir()
    (folder.weights / "linear.json").write_text("{}", encoding="utf-8")
    (folder.weights / "linear-0123456789abcdef.npz").write_bytes(b"numbers")
    return folder


@pytest.fixture
def archive(state: StateSettings, tmp_path: Path) -> Path:
    target = tmp_path / "kept.zip"
    assert backup(state, target) == BackupSummary(items=6, revision=1, files=4)
    return target


def ids(state: StateSettings) -> list[str]:
    with Catalogue(state.catalogue) as catalogue:
        return list(catalogue.ids())


def test_all_is_back_in_an_empty_place(archive: Path, tmp_path: Path) -> None:
    other = StateSettings(directory=tmp_path / "other")
    assert restore(other, archive, replace=False) == BackupSummary(items=6, revision=1, files=4)
    assert ids(other) == [one.id for one in RECORDS]
    with closing(sqlite3.connect(other.directory / "paths.sqlite")) as paths:
        assert paths.execute("SELECT title FROM walks").fetchall() == [("Harbours",)]
    assert (other.weights / "linear-0123456789abcdef.npz").read_bytes() == b"numbers"
    assert sorted(path.name for path in other.directory.iterdir()) == [
        "catalogue.sqlite",
        "paths.sqlite",
        "weights",
    ]


def test_keys_are_for_who_serves_alone(state: StateSettings, tmp_path: Path) -> None:
    made, secret = Keys(state.keys).add("Portal", Role.CURATOR)
    backup(state, tmp_path / "keys.zip")
    other = StateSettings(directory=tmp_path / "other")
    restore(other, tmp_path / "keys.zip", replace=False)
    client = Keys(other.keys).client(secret)
    assert client is not None
    assert (client.id, other.keys.stat().st_mode & 0o777) == (made.id, 0o600)


@pytest.fixture
def no_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_a_backup_is_its_owners_alone_from_the_first_byte(
    state: StateSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    write = zipfile.ZipFile.write

    def watched(packed: zipfile.ZipFile, name: Path, within: str) -> None:
        modes.extend(path.stat().st_mode & 0o777 for path in tmp_path.glob(".kept.zip.*"))
        write(packed, name, within)

    monkeypatch.setattr(zipfile.ZipFile, "write", watched)
    backup(state, tmp_path / "kept.zip")
    assert set(modes) == {0o600}
    assert (tmp_path / "kept.zip").stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("no_umask")
def test_a_restore_makes_no_revoked_key_count_again(state: StateSettings, tmp_path: Path) -> None:
    keys = Keys(state.keys)
    (lost, stolen), (_, good) = keys.add("Portal", Role.CURATOR), keys.add("Ada", Role.CURATOR)
    client = keys.client(good)
    assert client is not None
    session = keys.log_in(client)
    backup(state, tmp_path / "keys.zip")
    keys.revoke(lost.id)
    keys.close()
    restore(state, tmp_path / "keys.zip", replace=True)
    assert keys.client(stolen) is None
    assert keys.client(good) == client
    assert keys.in_session(session) is None  # whoever was logged in does so again


@pytest.mark.parametrize("there", [False, True])
def test_restored_keys_are_their_owners_alone(state: StateSettings, there: bool, tmp_path: Path) -> None:
    Keys(state.keys).add("Portal", Role.CURATOR)
    backup(state, tmp_path / "keys.zip")
    if there:
        state.keys.chmod(0o644)
    else:
        state.keys.unlink()
    restore(state, tmp_path / "keys.zip", replace=True)
    assert state.keys.stat().st_mode & 0o777 == 0o600


def test_what_was_written_since_is_replaced_while_others_read(state: StateSettings, archive: Path) -> None:
    with Catalogue(state.catalogue) as open_meanwhile:
        open_meanwhile.put_many([record("t:7", "View of Bath")])
        with pytest.raises(UsageError, match="add --replace"):
            restore(state, archive, replace=False)
        assert len(ids(state)) == 7
        restore(state, archive, replace=True)
        assert list(open_meanwhile.ids()) == ids(state) == [one.id for one in RECORDS]


def test_a_backup_is_of_one_moment_while_others_write(state: StateSettings, tmp_path: Path) -> None:
    with Catalogue(state.catalogue) as open_meanwhile:
        open_meanwhile.put_many([record("t:7", "View of Bath")])  # still in the write-ahead log
        assert backup(state, tmp_path / "now.zip").items == 7


def test_a_backup_is_replaced_only_by_a_whole_one(
    state: StateSettings, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = archive.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "write", full)
    with pytest.raises(UsageError, match="No space left"):
        backup(state, archive)
    assert archive.read_bytes() == before
    assert [path.name for path in archive.parent.iterdir() if path.name.startswith(".")] == []


def repacked(change: Callable[[dict[str, bytes]], None]) -> Callable[[Path], None]:
    """What rewrites a backup with other contents."""

    def harm(path: Path) -> None:
        with zipfile.ZipFile(path) as packed:
            files = {name: packed.read(name) for name in packed.namelist()}
        change(files)
        with zipfile.ZipFile(path, "w") as packed:
            for name, data in files.items():
                packed.writestr(name, data)

    return harm


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def no_zip(path: Path) -> None:
    path.write_bytes(b"id,title\na,b\n")


def no_text_as_a_name(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("ä", b"")  # the name is marked as UTF-8
    path.write_bytes(path.read_bytes().replace("ä".encode(), b"\xff\xff"))


def gone(path: Path) -> None:
    path.unlink()


def altered(files: dict[str, bytes]) -> None:
    data = bytearray(files["catalogue.sqlite"])
    data[-1] ^= 1
    files["catalogue.sqlite"] = bytes(data)


def without_catalogue(files: dict[str, bytes]) -> None:
    del files["catalogue.sqlite"]


def without_manifest(files: dict[str, bytes]) -> None:
    del files["manifest.json"]


def of_another_format(files: dict[str, bytes]) -> None:
    files["manifest.json"] = json.dumps({**json.loads(files["manifest.json"]), "format": 9}).encode()


def leading_out(files: dict[str, bytes]) -> None:
    about = json.loads(files["manifest.json"])
    about["files"]["../evil.json"] = about["files"]["weights/linear.json"]
    files["manifest.json"] = json.dumps(about).encode()
    files["../evil.json"] = files["weights/linear.json"]


def harms() -> Iterator[Callable[[Path], None]]:
    yield from (cut, no_zip, no_text_as_a_name, gone)
    for change in (altered, without_catalogue, without_manifest, of_another_format, leading_out):
        yield repacked(change)


@pytest.mark.parametrize("harm", list(harms()))
def test_what_is_no_whole_backup_changes_nothing(
    state: StateSettings, archive: Path, harm: Callable[[Path], None]
) -> None:
    with Catalogue(state.catalogue) as catalogue:
        catalogue.put_many([record("t:7", "View of Bath")])
    harm(archive)
    with pytest.raises(UnreadableFile):
        restore(state, archive, replace=True)
    assert len(ids(state)) == 7
    assert not (state.directory.parent / "evil.json").exists()


def test_a_database_that_is_damaged_is_not_restored(state: StateSettings, tmp_path: Path) -> None:
    with closing(sqlite3.connect(state.directory / "paths.sqlite")) as paths:
        paths.executemany("INSERT INTO walks VALUES (?)", [("x" * 900,)] * 40)
        paths.commit()
    target = tmp_path / "kept.zip"
    backup(state, target)

    def harmed(files: dict[str, bytes]) -> None:
        data = bytearray(files["paths.sqlite"])
        data[4096:8192] = bytes(4096)
        files["paths.sqlite"] = bytes(data)
        about = json.loads(files["manifest.json"])
        import hashlib

        about["files"]["paths.sqlite"]["sha256"] = hashlib.sha256(bytes(data)).hexdigest()
        files["manifest.json"] = json.dumps(about).encode()

    repacked(harmed)(target)
    with pytest.raises(UnreadableFile, match=r"paths\.sqlite .* is damaged"):
        restore(state, target, replace=True)


def test_without_a_catalogue_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(CollectionMissing):
        backup(StateSettings(directory=tmp_path), tmp_path / "kept.zip")
