"""SQLite files of Kindred's own: opened safely, brought up to date, errors in plain words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias
from urllib.parse import quote

from ingest.errors import StateError
from ingest.storage.sealing import row_checksum, sealed

Parameter: TypeAlias = str | bytes | int | float | None
"""A value that stands for a question mark in a query."""

ResultRow: TypeAlias = tuple[Any, ...]
"""A row that a query gives; the schema of the file knows the types."""

_PATIENCE_S: Final = 30


class FileFormat(NamedTuple):
    """What a SQLite file holds and what tells it from others.

    ``application`` is the file's application id. ``steps`` make the file: step n brings one of version n to
    version n + 1, so their number is the version of today. Whatever is wrong with a file is raised as an
    ``error``: ``lacks`` says what a file that is none of these is not, ``remedy`` what to do about a damaged
    one. ``durable``: all that is written is on the disk when it is acknowledged. ``private``: only the owner
    may read the file. ``cache_kib`` is the memory for pages of the file, 0 for SQLite's own default. A file
    before the version ``readable`` can't be read where it can't be brought up to date.
    """

    application: int
    steps: tuple[tuple[str, ...], ...]
    error: type[StateError]
    lacks: str
    remedy: str
    durable: bool = True
    private: bool = False
    cache_kib: int = 0
    readable: int = 1


class FileSnapshot(NamedTuple):
    """How a file looks: whether there is a write-ahead log, the file's size and its last change."""

    log: bool
    size: int
    changed: int


WriteMark: TypeAlias = tuple[tuple[int, int], ...]
"""How a SQLite file and its write-ahead log look: of each the last change and the size."""


def last_written(path: Path) -> WriteMark:
    """What differs where a SQLite file was written to, by whichever process; empty where there is none."""
    marks = []
    for end in ("", "-wal"):
        with suppress(OSError):
            status = path.with_name(path.name + end).stat()
            marks.append((status.st_mtime_ns, status.st_size))
    return tuple(marks)


def file_snapshot(path: Path) -> FileSnapshot | None:
    """How a file looks that this process may only read; None where it may write.

    Even to read, a write-ahead log needs a file beside the database. Where none can be made and none is
    there, nobody is writing, and the file is read as it lies: what is written later does not show. Who looks
    again and sees it changed has to open it again.
    """
    if os.access(path.parent, os.W_OK) or not path.exists():
        return None
    status = path.stat()
    return FileSnapshot(path.with_name(path.name + "-wal").exists(), status.st_size, status.st_mtime_ns)


def connect(path: Path, form: FileFormat, *, read_only: bool) -> sqlite3.Connection:
    """Open a file, make it where there is none, unless ``read_only``, and bring it up to date.

    Raises the format's error where it is no such file, is newer than this Kindred, or is damaged.
    """
    if path.is_dir():
        raise form.error(f"{path} is a directory; name the file in it")
    with translated(path, form):
        if path.exists():
            _examine(path, form)
        elif not read_only:
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch(0o600 if form.private else 0o666)
            except OSError as error:
                raise form.error(
                    f"{path} cannot be made ({error.strerror}); choose another folder"
                ) from error
        connection = _open(path, read_only=read_only)
        try:
            connection.create_function("row_checksum", -1, row_checksum, deterministic=True)
            if not read_only:
                connection.create_function("sealed", 1, sealed, deterministic=True)  # for the steps
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(f"PRAGMA synchronous = {'FULL' if form.durable else 'NORMAL'}")
                if form.cache_kib:
                    connection.execute(f"PRAGMA cache_size = -{form.cache_kib}")
                _bring_up(connection, form)
        except BaseException:
            connection.close()
            raise
        return connection


def _open(path: Path, *, read_only: bool) -> sqlite3.Connection:
    mode = "rwc"
    if read_only:
        snapshot = file_snapshot(path)
        mode = "ro" if snapshot is None or snapshot.log else "ro&immutable=1"
    return sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?mode={mode}",
        uri=True,
        timeout=_PATIENCE_S,
        isolation_level=None,
        check_same_thread=False,
    )


def _examine(path: Path, form: FileFormat) -> None:
    """Refuse what is another program's, or newer, before anything is written to it."""
    try:
        _check_identity(path, form, read_only=True)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_READONLY:
            raise
        # a writer was killed while it began a write-ahead log: only who may write can put that in order
        _check_identity(path, form, read_only=False)


def _check_identity(path: Path, form: FileFormat, *, read_only: bool) -> None:
    with closing(_open(path, read_only=read_only)) as connection:
        application, version = _number(connection, "application_id"), _number(connection, "user_version")
        if application == 0 and connection.execute("SELECT 1 FROM sqlite_schema").fetchone() is None:
            return  # made and never filled: by us, killed in between, or by anybody
        if application != form.application:
            raise form.error(f"{path} is a database of another program; {form.remedy}")
        if version > len(form.steps):
            raise form.error(f"{path} was written by a newer Kindred (format {version}); update Kindred")


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _bring_up(connection: sqlite3.Connection, form: FileFormat) -> None:
    if _number(connection, "user_version") == len(form.steps):
        return
    with transaction(connection):
        # another process may have done it meanwhile
        for step in form.steps[_number(connection, "user_version") :]:
            for statement in step:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {form.application}")
        connection.execute(f"PRAGMA user_version = {len(form.steps)}")


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all that is written in the block, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def translated(path: Path, form: FileFormat) -> Iterator[None]:
    """Raise the errors of SQLite in the block as the format's, in plain words."""
    try:
        yield
    except sqlite3.Error as error:
        raise form.error(_sentence(path, form, error)) from error


def _sentence(path: Path, form: FileFormat, error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"{path} is being written by another process; try again when it is done"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return damaged(path, form, str(error))
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


def damaged(path: Path, form: FileFormat, complaint: str) -> str:
    """The sentence for a file whose content is not sound."""
    return f"{path} is damaged or {form.lacks} ({complaint}); {form.remedy}"


class Store:
    """A SQLite file of one format for several threads and processes, opened again where another replaced it.

    Nothing is made before something is written: a file that is not there is read as an empty one. Where this
    process may not write, the file is read. Every method may raise the error of its ``FORMAT``.
    """

    FORMAT: ClassVar[FileFormat]

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._state: object = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _all(self, query: str, *parameters: Parameter) -> list[ResultRow]:
        """The rows that a query gives; none where there is no file yet."""
        with self._lock, translated(self.path, self.FORMAT):
            if not self.path.exists():
                return []
            return self._opened().execute(query, parameters).fetchall()

    def _sound(self, query: str, *parameters: Parameter) -> list[ResultRow]:
        """The rows of a query without their last value, which has to be the checksum of the others."""
        rows = self._all(query, *parameters)
        if any(row_checksum(*values) != checksum for *values, checksum in rows):
            raise self.FORMAT.error(damaged(self.path, self.FORMAT, "the checksum of a row differs"))
        return [row[:-1] for row in rows]

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Write all that is written in the block, or nothing of it."""
        with self._lock, translated(self.path, self.FORMAT), transaction(self._opened()):
            yield

    def _run(self, statement: str, *parameters: Parameter) -> None:
        """Write, within a block of ``_writing``."""
        self._opened().execute(statement, parameters)

    def _opened(self) -> sqlite3.Connection:
        """The file, opened again where another replaced it or a reader may have missed a change."""
        state = self._file_state()
        if self._connection is not None and not self._connection.in_transaction and state != self._state:
            self.close()
        if self._connection is None:
            read_only = self.path.exists() and not os.access(self.path.parent, os.W_OK)
            self._connection = connect(self.path, self.FORMAT, read_only=read_only)
            if read_only and 0 < _number(self._connection, "user_version") < self.FORMAT.readable:
                self.close()
                raise self.FORMAT.error(
                    f"{self.path} was written by an earlier Kindred; it is brought up to date once Kindred"
                    " opens it where its folder may be written"
                )
            self._state = self._file_state()
        return self._connection

    def _file_state(self) -> object:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, file_snapshot(self.path)
