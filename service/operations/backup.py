"""Backup and restore of what cannot be made again: the catalogue, paths, keys, judgements, trained weights.

A backup is a zip file with ``manifest.json``, which names every file with its size and sha256. Databases are
copied while others read and write them (SQLite's online backup). What a build makes of the catalogue is not
in it. A restore checks everything before it replaces anything; each database is then replaced in one
transaction, so that a service that runs sees the old one or the new one. Keys are in it: a backup is its
owner's alone to read. A restore makes no key count again that is revoked by then.
"""

import errno
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from ingest.catalogue import Catalogue
from ingest.errors import CollectionMissing, KeysError, KindredError, UnreadableFile, UsageError
from ingest.storage.files import (
    BAD_ZIP,
    FileMark,
    make_folder,
    mark,
    unwritable_output,
    whole_file,
    write_whole,
    writing,
)
from service.operations.keys import Key, Keys
from service.state import StateFolder

_MANIFEST: Final = "manifest.json"
_FORMAT: Final = 1
_DATABASES: Final = (
    *("catalogue.sqlite", "paths.sqlite", "keys.sqlite"),
    *("feedback.sqlite", "annotations.sqlite"),
)
_PRIVATE: Final = ("keys.sqlite",)  # databases that nobody but who serves may read

_WEIGHTS: Final = "weights"
_SUFFIXES: Final = (".npz", ".json")  # of weights the numbers, and then the manifest that names them


class Manifest(BaseModel):
    """What a backup holds: the catalogue's revision, and every file by its path in the state directory."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = _FORMAT
    revision: int
    items: int
    files: dict[str, FileMark]


class BackupSummary(NamedTuple):
    """What a backup holds, in numbers."""

    items: int
    revision: int
    files: int


def backup(state: StateFolder, target: Path) -> BackupSummary:
    """Write a backup of a state directory; a file of that name is replaced once the new one is whole.

    Raises ``CollectionMissing`` where there is no catalogue, ``CatalogueError`` for one that is damaged, and
    ``UsageError`` where the file cannot be written.
    """
    if not state.catalogue.exists():
        raise CollectionMissing(f"nothing is ingested in {state.directory}; there is nothing to back up")
    make_folder(target.parent, unwritable_output)
    with writing(target, unwritable_output), TemporaryDirectory(dir=target.parent) as work:
        for name in _DATABASES:
            if (state.directory / name).exists():
                _copied(state.directory / name, Path(work, name))
        copies = {path.name: path for path in Path(work).iterdir()}
        copies |= {f"{_WEIGHTS}/{path.name}": path for path in _weights(state.weights)}
        with Catalogue(copies["catalogue.sqlite"]) as catalogue:
            revision, items = catalogue.revision, catalogue.count()
        # an older catalogue was brought up to date as it was opened, and is so in its file once it is closed
        files = {name: mark(path) for name, path in copies.items()}
        manifest = Manifest(revision=revision, items=items, files=files)
        with (
            whole_file(target, unwritable_output, private=True) as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed,
        ):
            for name, path in copies.items():
                packed.write(path, name)
            packed.writestr(_MANIFEST, manifest.model_dump_json(indent=1))
    return BackupSummary(manifest.items, manifest.revision, len(manifest.files))


def restore(state: StateFolder, source: Path, *, replace: bool) -> BackupSummary:
    """Put back what a backup holds, after all of it was checked.

    Raises ``UnreadableFile`` for a file that is no whole backup, and ``UsageError`` where the state directory
    has a catalogue and ``replace`` does not say that it may go. What the backup lacks stays as it is.
    """
    if state.catalogue.exists() and not replace:
        raise UsageError(
            f"{state.directory} has a catalogue; to replace what is there with the backup add --replace"
        )
    make_folder(state.directory)
    with writing(state.directory), TemporaryDirectory(dir=state.directory) as work, _opened(source) as packed:
        manifest = _manifest(source, packed)
        for name, known in manifest.files.items():
            _checked(source, packed, name, known, Path(work))
        if "keys.sqlite" in manifest.files:
            _revoke_again(Path(work, "keys.sqlite"), state.directory / "keys.sqlite")
        for name in _DATABASES:
            if name in manifest.files:
                _replace(Path(work, name), state.directory / name)
        for suffix in _SUFFIXES:
            for name in manifest.files:
                if name.endswith(suffix):
                    make_folder(state.weights)
                    write_whole(state.directory / name, Path(work, name).read_bytes())
    return BackupSummary(manifest.items, manifest.revision, len(manifest.files))


def _weights(folder: Path) -> Iterator[Path]:
    return (path for suffix in _SUFFIXES for path in sorted(folder.glob(f"*{suffix}")))


def _copied(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, without a write-ahead log."""
    with _disk(), closing(sqlite3.connect(source)) as original, closing(sqlite3.connect(target)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def _revoke_again(restored: Path, present: Path) -> None:
    """Revoke of restored keys those that are revoked at present, and end every session.

    A key is often revoked because it got into other hands: an older backup must not make it count again.
    """
    gone: list[Key] = []
    with suppress(KeysError), Keys(present) as now:
        gone = [key for key in now.all() if key.revoked is not None]
    with Keys(restored) as keys:
        keys.begin_anew(gone)


def _replace(source: Path, target: Path) -> None:
    """Make a database what another is, in one transaction; a private one becomes its owner's alone."""
    there = target.exists()
    file = target if there else source
    if target.name in _PRIVATE and file.stat().st_mode & 0o077:
        file.chmod(0o600)
    if not there:
        source.replace(target)
        return
    with (
        _disk(),
        closing(sqlite3.connect(source)) as new,
        closing(sqlite3.connect(target, timeout=30)) as old,
    ):
        new.backup(old)


@contextmanager
def _disk() -> Iterator[None]:
    """Raise what SQLite says of a disk that is full or fails like what the other writes raise."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise OSError(errno.EIO, str(error)) from error


@contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(source) as packed:
            yield packed
    except FileNotFoundError:
        raise UnreadableFile(f"no file {source}") from None
    except (*BAD_ZIP, EOFError, IsADirectoryError) as error:
        raise UnreadableFile(f"{source} is no whole backup ({error}); nothing was changed") from error


def _manifest(source: Path, packed: zipfile.ZipFile) -> Manifest:
    try:
        manifest = Manifest.model_validate_json(packed.read(_MANIFEST))
    except (KeyError, ValidationError):
        raise UnreadableFile(f"{source} is no backup of Kindred; nothing was changed") from None
    if manifest.format != _FORMAT:
        raise UnreadableFile(f"{source} is of format {manifest.format}, not {_FORMAT}; take a newer Kindred")
    if strange := [name for name in manifest.files if not _is_ours(name)]:
        raise UnreadableFile(f"{source} holds {strange[0]!r}, which no backup has; nothing was changed")
    return manifest


def _is_ours(name: str) -> bool:
    """Whether a file is one that a backup may hold: no name leads out of the state directory.

    >>> _is_ours("catalogue.sqlite"), _is_ours("weights/kindred.json"), _is_ours("weights/../x.json")
    (True, True, False)
    """
    folder, _, file = name.rpartition("/")
    plain = bool(file) and "\\" not in file and not file.startswith(".")
    return name in _DATABASES or (folder == _WEIGHTS and plain and file.endswith(_SUFFIXES))


def _checked(source: Path, packed: zipfile.ZipFile, name: str, known: FileMark, folder: Path) -> None:
    """Unpack a file, and check that it is what was packed, and a database that can be read."""
    if name not in packed.namelist() or packed.getinfo(name).file_size != known.bytes:
        raise UnreadableFile(f"{source} lacks {name}, or has another; nothing was changed")
    path = Path(packed.extract(name, folder))
    if mark(path) != known:
        raise UnreadableFile(f"{name} in {source} does not fit its checksum; nothing was changed")
    if name == "catalogue.sqlite":
        try:
            with Catalogue(path) as catalogue:
                catalogue.count()
        except KindredError as error:
            raise UnreadableFile(f"{name} in {source} cannot be used: {error.detail}") from error
    elif name in _DATABASES:
        sound = False
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path)) as database:
            sound = database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not sound:
            raise UnreadableFile(f"{name} in {source} is damaged; nothing was changed")
