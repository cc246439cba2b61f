"""The SQLite file beneath the exploration paths: opening it, its tables, errors in plain words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote

from ingest.errors import PathsError

_APPLICATION_ID: Final = 0x4B50_5448  # "KPTH"
_VERSION: Final = 1
_PATIENCE_S: Final = 30

_SCHEMA: Final = (
    """CREATE TABLE paths (
        id TEXT PRIMARY KEY CHECK (id <> ''), version INTEGER NOT NULL, published INTEGER,
        fork_path TEXT, fork_version INTEGER
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE versions (
        path TEXT NOT NULL, version INTEGER NOT NULL, body BLOB NOT NULL, changed_by TEXT NOT NULL,
        changed TEXT NOT NULL, action TEXT NOT NULL, content_of INTEGER NOT NULL, published INTEGER,
        PRIMARY KEY (path, version)
    ) STRICT""",
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {_VERSION}",
)


def connect(path: Path) -> sqlite3.Connection:
    """Open the file, made where there is none; raises ``PathsError`` where it is no such file.

    Where this process may not write the folder it is opened to read.
    """
    if path.is_dir():
        raise PathsError(f"{path} is a directory; move it away: the paths are kept in a file of that name")
    with translated(path):
        if path.exists():
            _examine(path)
        else:
            _make_folder(path)
        if not os.access(path.parent, os.W_OK):
            # a log needs a file beside it, which cannot be made: without a log nobody is writing
            log = path.with_name(f"{path.name}-wal").exists()
            return _open(path, "ro" if log else "ro&immutable=1")
        connection = _open(path, "rwc")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            # a path is work by hand: what was acknowledged outlasts a power failure
            connection.execute("PRAGMA synchronous = FULL")
            _create(connection)
        except BaseException:
            connection.close()
            raise
        return connection


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PathsError(f"{path.parent} cannot be made ({error.strerror}); name another folder") from error


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=_PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _examine(path: Path) -> None:
    """Refuse what is another program's, or newer, before anything is written to it."""
    writable = os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists()
    with closing(_open(path, "ro" if writable else "ro&immutable=1")) as connection:
        if _is_empty(connection):
            return  # made and never filled: we were killed in between
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION_ID:
        raise PathsError(f"{path} is a database of another program; move it away")
    if version > _VERSION:
        raise PathsError(f"{path} was written by a newer Kindred (format {version}); update Kindred")


def _is_empty(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statement in _SCHEMA if _is_empty(connection) else ():
            connection.execute(statement)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written in the block, or nothing of it; on the disk at its end."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Say in plain words what SQLite complains about."""
    try:
        yield
    except sqlite3.Error as error:
        raise PathsError(_sentence(path, error)) from error


def _sentence(path: Path, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is being written by another process; try again when it is done"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return f"{path} is damaged ({error}); put a copy of it in its place, or move it away to begin anew"
    if code == sqlite3.SQLITE_FULL:
        return f"{path} cannot grow: the disk is full; make room and repeat, nothing was lost"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return f"{path} cannot be opened or written; check the rights of the file and of its folder"
    return f"{path} cannot be used: {error}"
