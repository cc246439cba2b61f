"""A SQLite file that is made when first written to, and opened again where another took its place."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import ClassVar, Self

from ingest.storage.database import (
    FileFormat,
    Parameter,
    ResultRow,
    connect,
    file_snapshot,
    transaction,
    translated,
)


class Store:
    """One file of a format, for several threads and processes.

    Nothing is made before something is written: a file that is not there is read as an empty one. Where this
    process may not write, the file is read. Every method may raise the error of its ``FORMAT``.
    """

    FORMAT: ClassVar[FileFormat]

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._seen: object = None

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file; it is opened again when something is asked."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _all(self, query: str, *parameters: Parameter) -> list[ResultRow]:
        """What a query finds; nothing where there is no file yet."""
        with self._lock, translated(self.path, self.FORMAT):
            if not self.path.exists():
                return []
            return self._opened().execute(query, parameters).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """All that is written in the block, or nothing of it."""
        with self._lock, translated(self.path, self.FORMAT), transaction(self._opened()):
            yield

    def _run(self, statement: str, *parameters: Parameter) -> None:
        """Write, within a block of ``_writing``."""
        self._opened().execute(statement, parameters)

    def _opened(self) -> sqlite3.Connection:
        """The file, opened again where another took its place or a reader may have missed a change."""
        seen = self._looks()
        if self._connection is not None and not self._connection.in_transaction and seen != self._seen:
            self.close()
        if self._connection is None:
            self._connection = connect(self.path, self.FORMAT, read_only=self._is_read_only())
            self._seen = self._looks()
        return self._connection

    def _is_read_only(self) -> bool:
        return self.path.exists() and not os.access(self.path.parent, os.W_OK)

    def _looks(self) -> object:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, file_snapshot(self.path)
