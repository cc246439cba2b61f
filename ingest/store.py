"""A small SQLite file of Kindred's own: opened safely, written whole or not at all, errors in plain words."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import ClassVar, Final, Self, TypeAlias

from ingest.errors import DamagedArtefact, StateError, UnwritableState
from ingest.files import make_folder

Parameter: TypeAlias = str | bytes | int | float | None
"""What a query takes and gives."""

Row: TypeAlias = tuple[Parameter, ...]

_PATIENCE_S: Final = 30


class Store:
    """One SQLite file, for several threads and processes; ``SCHEMA`` makes it, ``VERSION`` tells its format.

    What is acknowledged is on the disk (``synchronous`` FULL). Nothing is made before something is written:
    a file that is not there is read as an empty one.

    Raises:
        UnwritableState: the file cannot be written (every method that writes may raise it).
        DamagedArtefact: it is no such file, was written by a newer Kindred, or is damaged.
    """

    SCHEMA: ClassVar[tuple[str, ...]]
    VERSION: ClassVar[int] = 1

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; it is opened again when something is asked."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _all(self, query: str, *parameters: Parameter) -> Sequence[Row]:
        """What a query finds; nothing where there is no file yet."""
        with self._lock, self._translated():
            if self._connection is None and not self.path.exists():
                return []
            return self._opened().execute(query, parameters).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All that is written in the block, or nothing of it."""
        with self._lock, self._translated():
            if self._connection is None:
                make_folder(self.path.parent)
            connection = self._opened()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            connection = sqlite3.connect(
                self.path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > self.VERSION:
            raise DamagedArtefact(
                f"{self.path} was written by a newer Kindred (format {version}); update Kindred"
            )
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        if version == 0:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            # another process may have made it meanwhile
            if not int(connection.execute("PRAGMA user_version").fetchone()[0]):
                for statement in self.SCHEMA:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {self.VERSION}")
            connection.execute("COMMIT")

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._as_ours(error) from error

    def _as_ours(self, error: sqlite3.Error) -> StateError:
        if isinstance(error, sqlite3.OperationalError):
            return UnwritableState(f"{self.path} cannot be used ({error}); mend that and repeat")
        return DamagedArtefact(
            f"{self.path} is damaged ({error}); put back the one of a backup: kindred restore FILE --replace"
        )
