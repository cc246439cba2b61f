"""The catalogue: every record of a collection, what was deleted, and the profiles, in one SQLite file.

All that a call writes is one transaction, so whenever the process ends the file holds whole calls.
The journal is a write-ahead log: readers never wait for the writer, nor it for them. ``synchronous``
is NORMAL: a killed process loses nothing; after a power failure the last calls may be missing, but
the file is whole, and ingesting again brings them back, which is cheaper than a disk sync a call.

Every call that changes a record raises the *revision* by one and marks what it changed with it; who
keeps the revision it has seen asks later only for what came since.

*Live* changes (:meth:`Catalogue.change`) are meant for answers at once, before the collection is built
again: they come with their profiles, in one transaction, and are on the disk before the call returns
(``synchronous`` FULL), so that what was acknowledged outlasts a power failure too.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ingest.catalogue_file import CatalogueFile
from ingest.errors import UnknownItem
from ingest.record import Record, decode, encode

_Stored: TypeAlias = tuple[str, bytes, bytes, bytes]  # id, body, analysis hash, fields hash


class Changes(NamedTuple):
    """How many records a call added, changed, and found as they were already."""

    added: int = 0
    changed: int = 0
    unchanged: int = 0


class Live(NamedTuple):
    """A live change: the item's record and profile, None where there is none now."""

    id: str
    revision: int
    record: Record | None
    profile: bytes | None


class Changed(NamedTuple):
    """What a live change did: the revision that has it, and the ids it added, replaced and deleted."""

    revision: int
    added: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


class Catalogue(CatalogueFile):
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
                self._store(stored, self._next_revision())
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
        # what a live change said of them no longer holds
        self._connection.executemany(
            "UPDATE live SET revision = ? WHERE id = ?", ((revision, row[0]) for row in stored)
        )

    def delete(self, record_id: str) -> bool:
        """Take a record out and remember that it was there; whether it was."""
        with self._writing():
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

    def deleted(self, since: int = 0) -> list[str]:
        """The ids deleted after revision ``since`` and not put back, in order."""
        query = "SELECT id FROM tombstones WHERE revision > ? ORDER BY id"
        return [record_id for (record_id,) in self._all(query, since)]

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
    ) -> Changed:
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
                return Changed(self.revision)
            revision = self._next_revision()
            self._keep(fingerprint, fresh, revision)
            for item in wanted:
                self._connection.execute("DELETE FROM records WHERE id = ?", (item,))
                self._bury(item, revision)
            marked = [(item, revision) for item in (*(record.id for record, _ in fresh), *wanted)]
            self._connection.executemany("INSERT OR REPLACE INTO live(id, revision) VALUES (?, ?)", marked)
        added = tuple(record.id for record, _ in fresh if record.id not in kept)
        replaced = tuple(record.id for record, _ in fresh if record.id in kept)
        return Changed(revision, added, replaced, tuple(wanted))

    def _keep(self, fingerprint: str, fresh: Sequence[tuple[Record, bytes]], revision: int) -> None:
        stored = ((r.id, encode(r), r.analysis_hash, r.fields_hash) for r, _ in fresh)
        self._store(list(stored), revision)
        self._connection.executemany(
            _PUT_PROFILE, ((fingerprint, record.analysis_hash, profile) for record, profile in fresh)
        )

    def live(self, fingerprint: str, since: int) -> list[Live]:
        """The live changes after revision ``since``, with the profiles of this pipeline, by id.

        A record that was ingested since has no profile until it is analysed.
        """
        if not self.has_live:
            return []
        return [
            Live(item, revision, None if body is None else decode(body), profile)
            for item, revision, body, profile in self._all(_LIVE, fingerprint, since)
        ]

    def _answered(self, fingerprint: str, ids: list[str], built: int) -> set[str]:
        """Of some ids those whose records are answered with as they are."""
        return {item for (item,) in self._in(_ANSWERED, ids, built, fingerprint)}

    def _exists(self, item: str) -> bool:
        return bool(self._all("SELECT 1 FROM records WHERE id = ?", item))

    # -- profiles --------------------------------------------------------------------------------

    def put_profiles(self, fingerprint: str, profiles: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep profiles, each with the analysis hash of its record, in one transaction.

        ``fingerprint`` names the pipeline that made them: another one has its own profiles.
        """
        with self._writing():
            self._connection.executemany(_PUT_PROFILE, ((fingerprint, key, blob) for key, blob in profiles))

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
        query = "SELECT analysis_hash, fingerprint, profile FROM profiles WHERE analysis_hash IN"
        yield from self._in(query, hashes)

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

    def _bodies(self, ids: list[str]) -> dict[str, bytes]:
        return dict(self._in("SELECT id, body FROM records WHERE id IN", ids))


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
_PUT_PROFILE = "INSERT OR REPLACE INTO profiles(fingerprint, analysis_hash, profile) VALUES (?, ?, ?)"
_LIVE = """
    SELECT l.id, l.revision, r.body, p.profile FROM live l LEFT JOIN records r ON r.id = l.id
    LEFT JOIN profiles p ON p.analysis_hash = r.analysis_hash AND p.fingerprint = ?
    WHERE l.revision > ? ORDER BY l.id
"""
_ANSWERED = """
    SELECT r.id FROM records r WHERE (r.revision <= ?
    OR EXISTS (SELECT 1 FROM live l WHERE l.id = r.id))
    AND EXISTS (SELECT 1 FROM profiles p WHERE p.analysis_hash = r.analysis_hash AND p.fingerprint = ?)
    AND r.id IN
"""
