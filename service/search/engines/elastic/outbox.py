"""The outbox: what a cluster has of a build, and the live changes that it did not take, in an SQLite file.

A build that was killed goes on behind the blocks that the cluster has; a live change that the cluster did not
take waits for ``kindred index retry``.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from ingest.errors import StateError
from ingest.storage.database import FileFormat, Store

_SCHEMA: Final = (
    """CREATE TABLE taken (
        index_name TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (index_name, block)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE letters (
        id TEXT PRIMARY KEY, revision INTEGER NOT NULL, reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE before (number INTEGER PRIMARY KEY, index_name TEXT NOT NULL) STRICT",
)


class PendingWrite(NamedTuple):
    """A live change that the cluster did not take: of which item, at which revision, and why."""

    id: str
    revision: int
    reason: str


class Outbox(Store):
    """The file; threads and processes may share it. Every method may raise ``StateError``.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, Outbox(Path(folder, "index.sqlite")) as outbox:
    ...     outbox.add([PendingWrite("a", 3, "busy"), PendingWrite("a", 2, "late")])
    ...     outbox.remove([("a", 2)])
    ...     outbox.pending()
    [PendingWrite(id='a', revision=3, reason='busy')]
    """

    FORMAT = FileFormat(
        application=0,  # files of earlier versions have none
        steps=(_SCHEMA,),
        error=StateError,
        lacks="is not the file of what a cluster has",
        remedy="move it away and run: kindred index build",
    )

    def sent(self, index: str) -> set[int]:
        """The blocks of a build that the cluster has."""
        return {block for (block,) in self._all("SELECT block FROM taken WHERE index_name = ?", index)}

    def mark_sent(self, index: str, block: int) -> None:
        """Remember that the cluster has a block."""
        with self._writing():
            self._run("INSERT OR REPLACE INTO taken VALUES (?, ?)", index, block)

    def forget(self, index: str) -> None:
        """Forget all about an index."""
        with self._writing():
            self._run("DELETE FROM taken WHERE index_name = ?", index)
            self._run("DELETE FROM before WHERE index_name = ?", index)

    def pending(self) -> list[PendingWrite]:
        """The live changes that wait, by id."""
        return [
            PendingWrite(*row) for row in self._all("SELECT id, revision, reason FROM letters ORDER BY id")
        ]

    def add(self, writes: Iterable[PendingWrite]) -> None:
        """Let live changes wait; of two of one item the later counts."""
        with self._writing():
            for one in writes:
                self._run(
                    "INSERT INTO letters VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
                    " SET revision = excluded.revision, reason = excluded.reason"
                    " WHERE excluded.revision >= revision",
                    *one,
                )

    def remove(self, writes: Iterable[tuple[str, int]]) -> None:
        """Remove changes that the cluster has now, by item and revision, and those of the items before."""
        with self._writing():
            for item, revision in writes:
                self._run("DELETE FROM letters WHERE id = ? AND revision <= ?", item, revision)

    def remember_answering(self, index: str) -> None:
        """Remember that an index answered until now, so that one can go back to it."""
        with self._writing():
            self._run("DELETE FROM before WHERE index_name = ?", index)
            self._run("INSERT INTO before(index_name) VALUES (?)", index)

    def answered_before(self) -> list[str]:
        """The indices that answered, the last one first."""
        return [name for (name,) in self._all("SELECT index_name FROM before ORDER BY number DESC")]
