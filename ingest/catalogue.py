"""The catalogue: every record of a collection, what was deleted, and the profiles, in one SQLite file.

All that a call writes is one transaction, so whenever the process ends the file holds whole calls.
The journal is a write-ahead log: readers never wait for the writer, nor it for them. ``synchronous``
is NORMAL: a killed process loses nothing; after a power failure the last calls may be missing, but
the file is whole, and ingesting again brings them back, which is cheaper than a disk sync a call.

Every call that changes a record raises the *revision* by one and marks what it changed with it; who
keeps the revision it has seen asks later only for what came since.
"""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

from ingest import database
from ingest.errors import CatalogueError
from ingest.record import Record, decode, encode

_PAGE = 500
"""Records read at a time: memory stays small, and no read statement stays open between two steps."""

_Stored: TypeAlias = tuple[str, bytes, bytes, bytes]  # id, body, analysis hash, fields hash


class Changes(NamedTuple):
    """How many records a call added, changed, and found as they were already."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


class Catalogue:
    """The records of a collection on the disk; use it in a ``with`` block, or close it.

    One process may write while others read; a second writer waits for its turn (up to 30 seconds).
    Threads may share one object.

    Raises:
        CatalogueError: the file is not a catalogue, was written by a newer Kindred, is damaged, or
            cannot be written (every method may raise it).
        DamagedArtefact: a record in it cannot be read (every method that gives records may raise it).
        CollectionMissing: opened to read only, and there is no file.

    >>> import tempfile
    >>> from ingest.record import values
    >>> with tempfile.TemporaryDirectory() as folder, Catalogue(Path(folder, "catalogue.db")) as catalogue:
    ...     catalogue.put_many([Record(id="a:1", title=values("View of Venice"))])
    ...     catalogue.count(), catalogue.revision, catalogue.get("a:1").label
    Changes(added=1, changed=0, unchanged=0)
    (1, 1, 'View of Venice')
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the catalogue at ``path``; make it where there is none, unless ``read_only``."""
        self.path = path
        self._lock = threading.RLock()
        self._connection = database.connect(path, read_only=read_only)
        self._snapshot = False

    def __enter__(self) -> Self:
        """The catalogue itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with self._lock:
            self._connection.close()

    # -- records ---------------------------------------------------------------------------------

    def put_many(self, records: Iterable[Record]) -> Changes:
        """Add or replace records, in one transaction; of two with one id the later counts.

        A record equal to the one kept is left alone, with its revision. One that had been deleted
        is back.
        """
        bodies = {record.id: (record, encode(record)) for record in records}
        if not bodies:
            return Changes()
        with self._writing():
            kept = self._bodies(list(bodies))
            stored: list[_Stored] = [
                (record.id, body, record.analysis_hash, record.fields_hash)
                for record, body in bodies.values()
                if kept.get(record.id) != body
            ]
            if stored:
                self._store(stored)
        added = len(bodies) - len(kept)
        return Changes(added, len(stored) - added, len(bodies) - len(stored))

    def _store(self, stored: list[_Stored]) -> None:
        revision = self._next_revision()
        self._connection.executemany(
            "INSERT OR REPLACE INTO records(id, body, analysis_hash, fields_hash, revision)"
            " VALUES (?, ?, ?, ?, ?)",
            ((*row, revision) for row in stored),
        )
        self._connection.executemany("DELETE FROM tombstones WHERE id = ?", ((row[0],) for row in stored))

    def delete(self, record_id: str) -> bool:
        """Take a record out and remember that it was there; whether it was."""
        with self._writing():
            gone = self._connection.execute("DELETE FROM records WHERE id = ?", (record_id,)).rowcount > 0
            if gone:
                self._connection.execute(
                    "INSERT OR REPLACE INTO tombstones(id, revision) VALUES (?, ?)",
                    (record_id, self._next_revision()),
                )
        return gone

    def get(self, record_id: str) -> Record | None:
        """The record of an id, or None."""
        found = self._all("SELECT body FROM records WHERE id = ?", record_id)
        return decode(found[0][0]) if found else None

    def ids(self) -> Iterator[str]:
        """Every id, in order."""
        query = "SELECT id FROM records WHERE id > ? ORDER BY id LIMIT ?"
        yield from (record_id for (record_id,) in self._pages(query))

    def records(self, since: int = 0) -> Iterator[Record]:
        """The records added or changed after revision ``since`` (0: all), in the order of their ids."""
        query = "SELECT id, body FROM records WHERE id > ? AND +revision > ? ORDER BY id LIMIT ?"
        for _, body in self._pages(query, since):
            yield decode(body)

    def deleted(self, since: int = 0) -> list[str]:
        """The ids deleted after revision ``since`` and not put back, in order."""
        query = "SELECT id FROM tombstones WHERE revision > ? ORDER BY id"
        return [record_id for (record_id,) in self._all(query, since)]

    def count(self) -> int:
        """How many records there are."""
        return int(self._all("SELECT count(*) FROM records")[0][0])

    @property
    def revision(self) -> int:
        """The number of the last change; 0 in a new catalogue."""
        return int(self._all("SELECT revision FROM state")[0][0])

    # -- profiles --------------------------------------------------------------------------------

    def put_profiles(self, fingerprint: str, profiles: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep profiles, each with the analysis hash of its record, in one transaction.

        ``fingerprint`` names the pipeline that made them: another one has its own profiles.
        """
        with self._writing():
            self._connection.executemany(
                "INSERT OR REPLACE INTO profiles(fingerprint, analysis_hash, profile) VALUES (?, ?, ?)",
                ((fingerprint, key, blob) for key, blob in profiles),
            )

    def profiled(self, fingerprint: str) -> Iterator[tuple[Record, bytes]]:
        """Record and profile of every record that has one of this pipeline, in the order of the ids."""
        for _, blob, body in self._pages(f"SELECT r.id, p.profile, r.body {_PROFILED}", fingerprint):
            yield decode(body), blob

    def profiles(self, fingerprint: str) -> Iterator[tuple[str, bytes]]:
        """The same with the id alone in place of the record."""
        yield from self._pages(f"SELECT r.id, p.profile {_PROFILED}", fingerprint)

    def pending(self, fingerprint: str) -> Iterator[Record]:
        """The records whose profile is lacking, in the order of their ids; of those alike, the first."""
        query = f"SELECT r.id, r.body {_PENDING} ORDER BY r.id LIMIT ?"
        for _, body in self._pages(query, fingerprint):
            yield decode(body)

    def count_pending(self, fingerprint: str) -> int:
        """How many records :meth:`pending` would give."""
        query = f"SELECT count(*) {_PENDING}"
        return int(self._all(query, "", fingerprint)[0][0])

    def kept_profiles(self, hashes: Sequence[bytes]) -> Iterator[tuple[bytes, str, bytes]]:
        """Analysis hash, fingerprint and profile of every profile there is, of whatever pipeline."""
        for start in range(0, len(hashes), _PAGE):
            page = hashes[start : start + _PAGE]
            marks = ",".join("?" * len(page))
            query = (
                f"SELECT analysis_hash, fingerprint, profile FROM profiles WHERE analysis_hash IN ({marks})"  # noqa: S608 - marks only
            )
            yield from self._all(query, *page)

    def prune_profiles(self, keep: str | None = None) -> int:
        """Remove the profiles that no record uses; how many they were.

        With ``keep`` those of every other fingerprint go as well.
        """
        with self._writing():
            query = (
                "DELETE FROM profiles WHERE fingerprint <> coalesce(?, fingerprint) OR NOT EXISTS"
                " (SELECT 1 FROM records r WHERE r.analysis_hash = profiles.analysis_hash)"
            )
            return self._connection.execute(query, (keep,)).rowcount

    # -- the file --------------------------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Hold one state for every read in the block; gives its revision.

        Others may write meanwhile, and are seen after the block; this object may not.
        """
        with self._lock, database.translated(self.path):
            if self._snapshot:
                raise CatalogueError(f"{self.path}: one snapshot at a time; end the other one first")
            self._connection.execute("BEGIN")
            self._snapshot = True
        try:
            yield self.revision
        finally:
            with self._lock, database.translated(self.path):
                self._snapshot = False
                self._connection.execute("ROLLBACK")

    def check(self) -> None:
        """Read the whole file and look whether it is sound; takes seconds in a large one.

        Raises:
            CatalogueError: it is not.
        """
        complaints = self._all("PRAGMA quick_check(1)")
        if complaints != [("ok",)]:
            raise CatalogueError(database.damaged(self.path, str(complaints[0][0])))

    def _writing(self) -> AbstractContextManager[None]:
        if self._snapshot:
            raise CatalogueError(
                f"{self.path}: nothing can be written while a snapshot is held; end it first"
            )
        return database.transaction(self._connection, self.path, self._lock)

    def _next_revision(self) -> int:
        query = "UPDATE state SET revision = revision + 1 RETURNING revision"
        return int(self._connection.execute(query).fetchone()[0])

    def _bodies(self, ids: list[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for start in range(0, len(ids), _PAGE):
            page = ids[start : start + _PAGE]
            marks = ",".join("?" * len(page))
            found.update(self._all(f"SELECT id, body FROM records WHERE id IN ({marks})", *page))  # noqa: S608 - marks only
        return found

    def _all(self, query: str, *parameters: database.Parameter) -> list[database.Found]:
        with self._lock, database.translated(self.path):
            return self._connection.execute(query, parameters).fetchall()

    def _pages(self, query: str, *parameters: database.Parameter) -> Iterator[database.Found]:
        """What a query finds, page by page: its first parameter is the id before the page."""
        after = ""
        while page := self._all(query, after, *parameters, _PAGE):
            yield from page
            after = page[-1][0]


# CROSS JOIN keeps the records outside, so that they come in order without being sorted.
_PROFILED = """
    FROM records r CROSS JOIN profiles p ON p.analysis_hash = r.analysis_hash
    WHERE r.id > ? AND p.fingerprint = ? ORDER BY r.id LIMIT ?
"""
_PENDING = """
    FROM records r WHERE r.id > ?
    AND NOT EXISTS (SELECT 1 FROM profiles p WHERE p.fingerprint = ? AND p.analysis_hash = r.analysis_hash)
    AND NOT EXISTS (SELECT 1 FROM records e WHERE e.analysis_hash = r.analysis_hash AND e.id < r.id)
"""
