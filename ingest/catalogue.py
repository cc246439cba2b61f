"""The catalogue: every record of a collection, what was deleted, and the profiles, in one SQLite file.

All that a call writes is one transaction, so whenever the process ends the file holds whole calls.
The journal is a write-ahead log: readers never wait for the writer, nor it for them. ``synchronous``
is NORMAL: a killed process loses nothing; after a power failure the last calls may be missing, but
the file is whole, and ingesting again brings them back, which is cheaper than a disk sync a call.

Every call that changes a record raises the *revision* by one and marks what it changed with it; who
keeps the revision it has seen asks later only for what came since.

*Live* changes (:meth:`Catalogue.change`) are meant for answers at once, before the collection is built
again: they come with their profiles, in one transaction, and are on the disk before the call returns
(``synchronous`` FULL), so that what was acknowledged outlasts a power failure too. What is taken in otherwise
waits for a build, also where it writes over a live change: what that said is kept until then.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ingest.errors import UnknownItem
from ingest.harvests import Harvests
from ingest.profiles import PUT_PROFILE, Profiles
from ingest.record import Record, decode, encode

_Stored: TypeAlias = tuple[str, bytes, bytes, bytes]  # id, body, analysis hash, fields hash


class Changes(NamedTuple):
    """How many records a call added, changed, and found as they were already."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


class LiveChange(NamedTuple):
    """A live change: the item's record and profile, None where there is none now."""

    id: str
    revision: int
    record: Record | None
    profile: bytes | None


class AppliedChange(NamedTuple):
    """What a live change did: the revision that has it, and the ids it added, replaced and deleted."""

    revision: int
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


class Catalogue(Profiles, Harvests):
    """The records of a collection on the disk; use it in a ``with`` block, or close it.

    One process may write while others read; a second writer waits for its turn (up to 30 seconds).
    Threads may share one object.

    Raises:
        CatalogueError: the file is not a catalogue, was written by a newer Kindred, is damaged, or
            cannot be written (every method may raise it).
        DamagedArtefact: a record in it cannot be read (every method that gives records may raise it).
        CollectionMissing: opened to read only, and there is no file.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from ingest.record import values
    >>> with tempfile.TemporaryDirectory() as folder, Catalogue(Path(folder, "catalogue.db")) as catalogue:
    ...     catalogue.put_many([Record(id="a:1", title=values("View of Venice"))])
    ...     catalogue.count(), catalogue.revision, catalogue.get("a:1").label
    Changes(added=1, changed=0, unchanged=0)
    (1, 1, 'View of Venice')
    """

    # -- records ---------------------------------------------------------------------------------

    def put_many(self, records: Iterable[Record], run: int | None = None) -> Changes:
        """Add or replace records, in one transaction; of two with one id the later counts.

        A record equal to the one kept is left alone, with its revision. One that had been deleted
        is back. ``run`` is the number of the run that takes them in (``ingest.imports``), which can be
        taken back.
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
                self._set_aside([row[0] for row in stored])
                revision = self._next_revision()
                self._store(stored, revision)
                if run is not None:
                    self._remember(run, revision, [(row[0], kept.get(row[0])) for row in stored])
        added = len(bodies) - len(kept)
        return Changes(added, len(stored) - added, len(bodies) - len(stored))

    def _store(self, stored: list[_Stored], revision: int) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO records(id, body, analysis_hash, fields_hash, revision)"
            " VALUES (?, ?, ?, ?, ?)",
            ((*row, revision) for row in stored),
        )
        ids = [(row[0],) for row in stored]
        self._connection.executemany("DELETE FROM tombstones WHERE id = ?", ids)

    def _remember(
        self, run: int, revision: int, before: Iterable[tuple[str, bytes | None]], *, removed: bool = False
    ) -> None:
        """Keep what records were before a run changed them; what it made of them itself does not count."""
        self._connection.executemany(
            _REMEMBER, ((run, item, revision, body, int(removed)) for item, body in before)
        )

    def _set_aside(self, ids: Iterable[str]) -> None:
        """Keep what live changes said of some items, before something else is written over it."""
        self._connection.executemany(_SET_ASIDE, ((item,) for item in ids))

    def delete(self, record_id: str) -> bool:
        """Take a record out and remember that it was there; whether it was."""
        with self._writing():
            self._set_aside([record_id])
            gone = self._connection.execute("DELETE FROM records WHERE id = ?", (record_id,)).rowcount > 0
            if gone:
                self._bury(record_id, self._next_revision())
        return gone

    def _bury(self, record_id: str, revision: int) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO tombstones(id, revision) VALUES (?, ?)", (record_id, revision)
        )

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

    def count(self) -> int:
        """How many records there are."""
        return int(self._all("SELECT count(*) FROM records")[0][0])

    # -- live changes ----------------------------------------------------------------------------

    def change(
        self,
        fingerprint: str,
        put: Iterable[tuple[Record, bytes]] = (),
        delete: Iterable[str] = (),
        *,
        built: int = 0,
    ) -> AppliedChange:
        """Put records with their profiles and delete items, all or nothing, to be answered with at once.

        ``built`` is the revision that a collection was built of: a record that it has, or an earlier live
        change, is left alone. Of two with one id the later counts. On the disk when it returns. Raises
        ``UnknownItem`` where there is no item to delete.
        """
        records = {record.id: (record, profile) for record, profile in put}
        with self._writing(durable=True):
            kept = self._bodies(list(records))
            known = self._answered(fingerprint, list(records), built)
            fresh = [
                pair for item, pair in records.items() if item not in known or kept[item] != encode(pair[0])
            ]
            wanted = list(dict.fromkeys(delete))
            if unknown := [item for item in wanted if not self._exists(item)]:
                raise UnknownItem(f"no item {unknown[0]!r} in the catalogue; nothing was deleted")
            if not fresh and not wanted:
                return AppliedChange(self.revision)
            revision = self._next_revision()
            self._keep(fingerprint, fresh, revision)
            for item in wanted:
                self._connection.execute("DELETE FROM records WHERE id = ?", (item,))
                self._bury(item, revision)
            marked = [(item, revision) for item in (*(record.id for record, _ in fresh), *wanted)]
            self._connection.executemany("INSERT OR REPLACE INTO live(id, revision) VALUES (?, ?)", marked)
        added = tuple(record.id for record, _ in fresh if record.id not in kept)
        replaced = tuple(record.id for record, _ in fresh if record.id in kept)
        return AppliedChange(revision, added, replaced, tuple(wanted))

    def _keep(self, fingerprint: str, fresh: Sequence[tuple[Record, bytes]], revision: int) -> None:
        stored = ((r.id, encode(r), r.analysis_hash, r.fields_hash) for r, _ in fresh)
        self._store(list(stored), revision)
        self._connection.executemany(
            PUT_PROFILE, ((fingerprint, record.analysis_hash, profile) for record, profile in fresh)
        )

    def live(self, fingerprint: str, since: int) -> list[LiveChange]:
        """The live changes after revision ``since``, with the profiles of this pipeline, by id."""
        found = self.format
        if found < 2:
            return []
        query = _LIVE if found > 2 else _LIVE_BEFORE
        return [
            LiveChange(item, revision, decode(body) if body else None, profile)
            for item, revision, body, profile in self._all(query, fingerprint, since)
        ]

    def settle(self, built: int) -> None:
        """Let go of what was set aside of live changes up to a revision that a collection was built of."""
        with self._writing():
            self._connection.execute(
                "UPDATE live SET said = NULL, said_hash = NULL WHERE said IS NOT NULL AND revision <= ?",
                (built,),
            )

    def _answered(self, fingerprint: str, ids: list[str], built: int) -> set[str]:
        """Of some ids those whose records are answered with as they are."""
        return {item for (item,) in self._in(_ANSWERED, ids, built, fingerprint)}

    def _exists(self, item: str) -> bool:
        return bool(self._all("SELECT 1 FROM records WHERE id = ?", item))

    def _bodies(self, ids: list[str]) -> dict[str, bytes]:
        return dict(self._in("SELECT id, body FROM records WHERE id IN", ids))


_LIVE = """
    SELECT l.id, l.revision, coalesce(l.said, r.body), p.profile
    FROM live l LEFT JOIN records r ON r.id = l.id
    LEFT JOIN profiles p ON p.analysis_hash = coalesce(l.said_hash, r.analysis_hash) AND p.fingerprint = ?
    WHERE l.revision > ? ORDER BY l.id
"""
_LIVE_BEFORE = _LIVE.replace("coalesce(l.said, r.body)", "r.body").replace(
    "coalesce(l.said_hash, r.analysis_hash)", "r.analysis_hash"
)
_REMEMBER = """
    INSERT INTO import_changes(number, id, revision, before, removed) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT(number, id) DO UPDATE SET revision = excluded.revision, removed = excluded.removed
"""
_SET_ASIDE = """
    UPDATE live SET said = coalesce((SELECT body FROM records r WHERE r.id = live.id), x''),
    said_hash = (SELECT analysis_hash FROM records r WHERE r.id = live.id)
    WHERE id = ? AND said IS NULL
"""
_ANSWERED = """
    SELECT r.id FROM records r WHERE (r.revision <= ?
    OR EXISTS (SELECT 1 FROM live l WHERE l.id = r.id AND l.said IS NULL))
    AND EXISTS (SELECT 1 FROM profiles p WHERE p.analysis_hash = r.analysis_hash AND p.fingerprint = ?)
    AND r.id IN
"""
