"""The SQLite file beneath the catalogue: opening it safely, transactions, errors in plain words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote

from ingest.errors import CatalogueError, CollectionMissing

Parameter: TypeAlias = str | bytes | int | None
"""What a query takes."""

Found: TypeAlias = tuple[Any, ...]
"""What a query gives; the schema below knows the types."""

_APPLICATION_ID = 0x4B494E44  # "KIND"
_VERSION = 4
_PATIENCE_S = 30
_CACHE_KIB = 64 * 1024  # holds the indexes of some 400,000 records, whose keys come in no order

# Records are looked up and walked through by id alone: they are stored in that order, without the
# detour of a row number. Profiles are too large to be stored within an index.
_SCHEMA = (
    """CREATE TABLE records (
        id TEXT PRIMARY KEY CHECK (id <> ''), body BLOB NOT NULL, analysis_hash BLOB NOT NULL,
        fields_hash BLOB NOT NULL, revision INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX records_by_analysis ON records(analysis_hash)",
    "CREATE INDEX records_by_fields ON records(fields_hash)",
    "CREATE TABLE tombstones (id TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE profiles (
        fingerprint TEXT NOT NULL, analysis_hash BLOB NOT NULL, profile BLOB NOT NULL,
        PRIMARY KEY (analysis_hash, fingerprint)
    ) STRICT""",
    "CREATE TABLE state (revision INTEGER NOT NULL) STRICT",
    "INSERT INTO state VALUES (0)",
    f"PRAGMA application_id = {_APPLICATION_ID}",
)
# format 2: which items were changed live, and with which revision last
_LIVE = (
    "CREATE TABLE live (id TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX live_by_revision ON live(revision)",
)
# format 3: what a live change had said where an ingest wrote over it since; empty: that the item is gone
_SAID = (
    "ALTER TABLE live ADD COLUMN said BLOB",
    "ALTER TABLE live ADD COLUMN said_hash BLOB",
    "CREATE INDEX live_by_said_hash ON live(said_hash) WHERE said_hash IS NOT NULL",
)
# format 4: the runs that took records in, what they changed, and which source a record is of
_IMPORTS = (
    """CREATE TABLE imports (
        number INTEGER PRIMARY KEY, began TEXT NOT NULL, ended TEXT, files TEXT NOT NULL, source TEXT,
        undone TEXT
    ) STRICT""",
    """CREATE TABLE import_changes (
        number INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, before BLOB,
        removed INTEGER NOT NULL,
        PRIMARY KEY (number, id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE origins (
        id TEXT PRIMARY KEY, source TEXT NOT NULL, number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    f"PRAGMA user_version = {_VERSION}",
)


class Still(NamedTuple):
    """How a catalogue looks: whether there is a write-ahead log, the file's size and its last change."""

    log: bool
    size: int
    changed: int


def still(path: Path) -> Still | None:
    """How the catalogue looks where this process may only read it; None where it may write.

    Even to read, a write-ahead log needs a file beside the database. Where none can be made and none is
    there, nobody is writing, and the file is read as it lies: what is written later does not show. Who looks
    again and finds it changed has to open it again.
    """
    if os.access(path.parent, os.W_OK) or not path.exists():
        return None
    status = path.stat()
    return Still(path.with_name(path.name + "-wal").exists(), status.st_size, status.st_mtime_ns)


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the catalogue file, make it where there is none, and look whether it is one.

    Raises:
        CatalogueError: it is not, is newer than this Kindred, or is damaged.
        CollectionMissing: ``read_only``, and there is no file.
    """
    if path.is_dir():
        raise CatalogueError(f"{path} is a directory; name the file in it")
    with translated(path):
        if path.exists():
            _examine(path)
        elif read_only:
            raise CollectionMissing(f"no catalogue at {path}; make one with: kindred ingest FILE")
        else:
            _make_folder(path)
        connection = _open(path, read_only=read_only)
        try:
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
                _create(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CatalogueError(
            f"{path.parent} cannot be made ({error.strerror}); choose another folder"
        ) from error


def _open(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "rwc"
    if read_only:
        found = still(path)
        mode = "ro" if found is None or found.log else "ro&immutable=1"
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=_PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _examine(path: Path) -> None:
    """Refuse what is not a catalogue before anything is written to it."""
    with closing(_open(path, read_only=True)) as connection:
        application, version = _identity(connection)
        if application == 0 and _is_empty(connection):
            return  # made and never filled: by us, killed in between, or by anybody
        if application != _APPLICATION_ID:
            raise CatalogueError(f"{path} is a database of another program; choose another path")
        if version > _VERSION:
            raise CatalogueError(f"{path} was written by a newer Kindred (format {version}); update Kindred")


def _identity(connection: sqlite3.Connection) -> tuple[int, int]:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    return int(application), int(connection.execute("PRAGMA user_version").fetchone()[0])


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        lacking = [*_SCHEMA] if _is_empty(connection) else []
        version = _identity(connection)[1]
        lacking += (*(_LIVE if version < 2 else ()), *(_SAID if version < 3 else ()))
        lacking += _IMPORTS if version < 4 else ()
        for statement in lacking:
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


@contextmanager
def transaction(
    connection: sqlite3.Connection, path: Path, lock: RLock, *, durable: bool = False
) -> Iterator[None]:
    """All that is written in the block, or nothing of it; ``durable``: on the disk at its end."""
    with lock, translated(path):
        if durable:
            connection.execute("PRAGMA synchronous = FULL")
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        finally:
            if durable:
                connection.execute("PRAGMA synchronous = NORMAL")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Say in plain words what SQLite complains about."""
    try:
        yield
    except sqlite3.Error as error:
        raise CatalogueError(_sentence(path, error)) from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is being written by another process; try again when it is done"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return damaged(path, str(error))
    if code == sqlite3.SQLITE_FULL:
        return f"{path} cannot grow: the disk is full; make room and repeat, nothing was lost"
    if code == sqlite3.SQLITE_READONLY:
        return f"{path} may not be written; open it with the rights to do so"
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"{path} cannot be opened; check that it is a file and that its folder may be read and written"
    if isinstance(error, sqlite3.IntegrityError):
        return f"{path} does not take such a record, nothing was written: {error}"
    if isinstance(error, sqlite3.ProgrammingError):
        return f"{path} was closed; open it again ({error})"
    return f"{path} cannot be used: {error}"


def damaged(path: Path, complaint: str) -> str:
    """The sentence for a file whose content is not sound."""
    return f"{path} is damaged or no catalogue ({complaint}); move it away and ingest again"
