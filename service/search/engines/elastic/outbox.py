"""The ledger: what a cluster was sent and took, and what it would not take, in an SQLite file.

A build that was killed goes on where it was; a live change that the cluster did not take waits for
``kindred index retry``.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, Self

from ingest.errors import StateError

_VERSION: Final = 1
_PATIENCE_S: Final = 30
_SCHEMA: Final = (
    """CREATE TABLE taken (
        index_name TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (index_name, block)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE letters (
        id TEXT PRIMARY KEY, revision INTEGER NOT NULL, reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE before (number INTEGER PRIMARY KEY, index_name TEXT NOT NULL) STRICT",
    f"PRAGMA user_version = {_VERSION}",
)


class Letter(NamedTuple):
    """A live change that the cluster did not take: of which item, at which revision, and why."""

    id: str
    revision: int
    reason: str


class Ledger:
    """The file; threads may share it. Raises ``StateError`` where it cannot be used."""

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, Lock()
        with self._told():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._create()
            elif version != _VERSION:
                raise StateError(f"{path} is of version {version}, not {_VERSION}; move it away")

    def _create(self) -> None:
        with closing(self._connection.cursor()) as cursor:
            cursor.execute("BEGIN IMMEDIATE")
            if cursor.execute("PRAGMA user_version").fetchone() == (0,):
                for statement in _SCHEMA:
                    cursor.execute(statement)
            cursor.execute("COMMIT")

    def __enter__(self) -> Self:
        """The ledger itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def taken(self, index: str) -> set[int]:
        """The blocks of a build that the cluster has."""
        return {block for (block,) in self._all("SELECT block FROM taken WHERE index_name = ?", index)}

    def take(self, index: str, block: int) -> None:
        """Remember that the cluster has a block."""
        self._all("INSERT OR REPLACE INTO taken VALUES (?, ?)", index, block)

    def forget(self, index: str) -> None:
        """Let go of what is known of an index."""
        self._all("DELETE FROM taken WHERE index_name = ?", index)
        self._all("DELETE FROM before WHERE index_name = ?", index)

    def letters(self) -> list[Letter]:
        """What waits, by id."""
        return [Letter(*row) for row in self._all("SELECT id, revision, reason FROM letters ORDER BY id")]

    def lay_by(self, letters: Iterable[Letter]) -> None:
        """Let live changes wait; of two of one item the later counts."""
        for one in letters:
            self._all(
                "INSERT INTO letters VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
                " SET revision = excluded.revision, reason = excluded.reason"
                " WHERE excluded.revision >= revision",
                *one,
            )

    def settle(self, item: str, revision: int) -> None:
        """Let go of a change that the cluster has now."""
        self._all("DELETE FROM letters WHERE id = ? AND revision <= ?", item, revision)

    def answered(self, index: str) -> None:
        """Remember that an index answered until now, so that one can go back to it."""
        self._all("DELETE FROM before WHERE index_name = ?", index)
        self._all("INSERT INTO before(index_name) VALUES (?)", index)

    def before(self) -> list[str]:
        """The indices that answered, the last one first."""
        return [name for (name,) in self._all("SELECT index_name FROM before ORDER BY number DESC")]

    def _all(self, query: str, *parameters: str | int) -> list[tuple[Any, ...]]:
        with self._lock, self._told():
            return self._connection.execute(query, parameters).fetchall()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise StateError(
                f"{self._path} cannot be used ({error}); it tells what the cluster has"
            ) from error
