"""The catalogue's SQLite file: one connection that threads share, transactions, snapshots, pages of rows."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from ingest.errors import CatalogueError, CollectionMissing
from ingest.storage import database
from ingest.storage.database import Parameter, ResultRow

# Records are looked up and walked through by id alone, so they are stored in that order. Profiles are too
# large to be stored within an index.
_RECORDS: Final = (
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
)
# which items were changed live, and with which revision last
_LIVE: Final = (
    "CREATE TABLE live (id TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX live_by_revision ON live(revision)",
)
# what a live change had said where an ingest wrote over it since; empty: that the item is gone
_OVERWRITTEN: Final = (
    "ALTER TABLE live ADD COLUMN said BLOB",
    "ALTER TABLE live ADD COLUMN said_hash BLOB",
    "CREATE INDEX live_by_said_hash ON live(said_hash) WHERE said_hash IS NOT NULL",
)
# the runs that took records in, what they changed, and which source a record is of
_IMPORTS: Final = (
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
)
# what ingest.harvests writes
_HARVESTS: Final = (
    "CREATE TABLE harvests (source TEXT PRIMARY KEY, progress BLOB NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE harvested (
        source TEXT NOT NULL, identifier TEXT NOT NULL, item TEXT, datestamp TEXT NOT NULL,
        seen INTEGER NOT NULL, PRIMARY KEY (source, identifier)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX harvested_by_item ON harvested(item) WHERE item IS NOT NULL",
    """CREATE TABLE refused (
        source TEXT NOT NULL, identifier TEXT NOT NULL, reason TEXT NOT NULL,
        PRIMARY KEY (source, identifier)
    ) STRICT, WITHOUT ROWID""",
)
# which harvest a run was one of
_HARVEST_RUNS: Final = ("ALTER TABLE imports ADD COLUMN harvest TEXT",)

# what answers are made from has a checksum (ingest.storage.sealing)
_SEALED: Final = (
    "UPDATE records SET body = sealed(body)",
    "UPDATE profiles SET profile = sealed(profile)",
    "UPDATE live SET said = sealed(said) WHERE said <> x''",
    "UPDATE import_changes SET before = sealed(before) WHERE before IS NOT NULL",
)
# for the feed of changes
_BY_REVISION: Final = (
    "CREATE INDEX records_by_revision ON records(revision)",
    "CREATE INDEX tombstones_by_revision ON tombstones(revision)",
)
# when each revision was made; of those before there were times, when the first was written down
_TIMES: Final = (
    "CREATE TABLE revisions (revision INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT",
    "INSERT INTO revisions SELECT revision, strftime('%Y-%m-%dT%H:%M:%SZ', 'now') FROM state",
)

FORMAT: Final = database.FileFormat(
    application=0x4B494E44,  # "KIND"
    steps=(
        _RECORDS,
        _LIVE,
        _OVERWRITTEN,
        _IMPORTS,
        _HARVESTS,
        _HARVEST_RUNS,
        _SEALED,
        _BY_REVISION,
        _TIMES,
    ),
    error=CatalogueError,
    lacks="no catalogue",
    remedy="move it away and ingest again",
    durable=False,  # an ingest that is lost is repeated; live changes ask for more
    cache_kib=64 * 1024,  # holds the indexes of some 400,000 records, whose keys come in no order
)

PAGE: Final = 500
"""Rows read at a time: memory stays small, and no read statement stays open between two steps."""


class CatalogueFile:
    """A catalogue's SQLite file, open (see ``ingest.catalogue``)."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the catalogue at ``path``; make it where there is none, unless ``read_only``."""
        self.path = path
        self._lock = threading.RLock()
        # looked at before it is opened: a change in between is seen as one
        self._still = database.file_snapshot(path) if read_only else None
        if read_only and not path.exists():
            raise CollectionMissing(f"no catalogue at {path}; make one with: kindred ingest FILE")
        self._connection = database.connect(path, FORMAT, read_only=read_only)
        self._snapshot = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; closing twice is fine."""
        with self._lock:
            self._connection.close()

    @property
    def outdated(self) -> bool:
        """Whether it was opened to read while nobody wrote, and what was written since does not show."""
        still = self._still
        return still is not None and not still.log and database.file_snapshot(self.path) != still

    @property
    def revision(self) -> int:
        """The number of the last change; 0 in a new catalogue."""
        return int(self._all("SELECT revision FROM state")[0][0])

    @property
    def format(self) -> int:
        """The number of the file's format: one of an earlier Kindred that is only read stays as it is."""
        return int(self._all("PRAGMA user_version")[0][0])

    @contextmanager
    def snapshot(self) -> Iterator[int]:
        """Hold one state for every read in the block; gives its revision.

        Others may write meanwhile, and are seen after the block; this object may not.
        """
        with self._lock, database.translated(self.path, FORMAT):
            if self._snapshot:
                raise CatalogueError(f"{self.path}: one snapshot at a time; end the other one first")
            self._connection.execute("BEGIN")
            self._snapshot = True
        try:
            yield self.revision
        finally:
            with self._lock, database.translated(self.path, FORMAT):
                self._snapshot = False
                self._connection.execute("ROLLBACK")

    def check(self) -> None:
        """Read the whole file, seconds in a large one; raises ``CatalogueError`` where it is not sound."""
        complaints = self._all("PRAGMA quick_check(1)")
        if complaints != [("ok",)]:
            raise CatalogueError(database.damaged(self.path, FORMAT, str(complaints[0][0])))

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[None]:
        """Make one transaction of all that is written in the block; ``durable``: on the disk at its end."""
        if self._snapshot:
            raise CatalogueError(
                f"{self.path}: nothing can be written while a snapshot is held; end it first"
            )
        with self._lock, database.translated(self.path, FORMAT):
            if self._connection.in_transaction:  # within another block, which ends it
                yield
                return
            if durable:
                self._connection.execute("PRAGMA synchronous = FULL")
            try:
                with database.transaction(self._connection):
                    yield
            finally:
                if durable:
                    self._connection.execute("PRAGMA synchronous = NORMAL")

    def _next_revision(self) -> int:
        number = int(self._run("UPDATE state SET revision = revision + 1 RETURNING revision").fetchone()[0])
        self._run("INSERT INTO revisions VALUES (?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))", number)
        return number

    def _run(self, statement: str, *parameters: Parameter) -> sqlite3.Cursor:
        """Write, within a block of ``writing``."""
        return self._connection.execute(statement, parameters)

    def _run_many(self, statement: str, rows: Iterable[Sequence[Parameter]]) -> None:
        """Write once for every row, within a block of ``writing``."""
        self._connection.executemany(statement, rows)

    def _all(self, query: str, *parameters: Parameter) -> list[ResultRow]:
        with self._lock, database.translated(self.path, FORMAT):
            return self._connection.execute(query, parameters).fetchall()

    def _in(self, query: str, keys: Sequence[Parameter], *parameters: Parameter) -> Iterator[ResultRow]:
        """The rows of a query that ends in IN, for some keys."""
        for start in range(0, len(keys), PAGE):
            page = keys[start : start + PAGE]
            yield from self._all(f"{query} ({','.join('?' * len(page))})", *parameters, *page)

    def _pages(self, query: str, *parameters: Parameter) -> Iterator[ResultRow]:
        """The rows of a query, page by page: its first parameter is the id before the page."""
        after = ""
        while page := self._all(query, after, *parameters, PAGE):
            yield from page
            after = page[-1][0]
