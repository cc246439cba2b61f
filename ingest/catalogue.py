"""The catalogue: every record of a collection, what was deleted, and the profiles, in one SQLite file.

All that a call writes is one transaction, so whenever the process ends the file holds whole calls.
The journal is a write-ahead log: readers never wait for the writer, nor it for them. ``synchronous``
is NORMAL: a killed process loses nothing; after a power failure the last calls may be missing, but
the file is whole, and ingesting again brings them back, which is cheaper than a disk sync a call.

Every call that changes a record raises the *revision* by one and marks what it changed with it; who remembers
a revision asks later only for what came since.

*Live* changes (:meth:`Catalogue.change`) are answered with at once, before the collection is built again.
They come with their profiles, in one transaction, and are on the disk before the call returns with
``synchronous`` FULL, so that they outlast a power failure. What is ingested otherwise waits for a build, also
where it writes over a live change: the record of that is set aside until then.

*Profiles* belong to texts, not to ids: records with the same texts share one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from ingest.errors import UnknownItem
from ingest.harvests import Harvests
from ingest.record import Record, decode, encode
from ingest.storage.sealing import seal, unseal

Condition: TypeAlias = Callable[[Mapping[str, Record]], None]
"""Looks at the records that there are, by id, and raises where they are not what a change expects."""

_Stored: TypeAlias = tuple[str, bytes, bytes, bytes]  # id, body, analysis hash, fields hash


class ChangeCounts(NamedTuple):
    """How many records a call added, changed, and left as they were."""

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


class ItemChange(NamedTuple):
    """The last change of an item: the revision that has it, and whether it is gone since."""

    id: str
    revision: int
    deleted: bool


class RecordVersion(NamedTuple):
    """The revision that has the last change of a record, and when that was; None where it is not known."""

    id: str
    revision: int
    at: str | None


class Catalogue(Harvests):
    """The records of a collection on the disk; use it in a ``with`` block, or close it.

    One process may write while others read; a second writer waits for its turn (up to 30 seconds).
    Threads may share one object.

    Raises:
        CatalogueError: the file is not a catalogue, was written by a newer Kindred, is damaged, or
            cannot be written (every method may raise it).
        DamagedArtefact: a record in it cannot be read (every method that gives records may raise it).
        CollectionMissing: opened to read only, and there is no file.
    """

    def put_many(self, records: Iterable[Record], run: int | None = None) -> ChangeCounts:
        """Add or replace records, in one transaction; of two with one id the later counts.

        A record equal to the stored one is left alone, with its revision. One that had been deleted is back.
        ``run`` is the number of the run that takes them in (``ingest.imports``), which can be undone.
        """
        bodies = {record.id: (record, _body(record)) for record in records}
        if not bodies:
            return ChangeCounts()
        with self.writing():
            before = self._bodies(list(bodies))
            changed: list[_Stored] = [
                (record.id, body, record.analysis_hash, record.fields_hash)
                for record, body in bodies.values()
                if before.get(record.id) != body
            ]
            if changed:
                self._set_aside([row[0] for row in changed])
                revision = self._next_revision()
                self._store(changed, revision)
                if run is not None:
                    self._remember(run, revision, [(row[0], before.get(row[0])) for row in changed])
        added = len(bodies) - len(before)
        return ChangeCounts(added, len(changed) - added, len(bodies) - len(changed))

    def _store(self, rows: list[_Stored], revision: int) -> None:
        self._run_many(_PUT_RECORD, ((*row, revision) for row in rows))
        self._run_many("DELETE FROM tombstones WHERE id = ?", [(row[0],) for row in rows])

    def _remember(
        self, run: int, revision: int, before: Iterable[tuple[str, bytes | None]], *, removed: bool = False
    ) -> None:
        """Store what records were before a run first changed them."""
        self._run_many(_REMEMBER, ((run, item, revision, body, int(removed)) for item, body in before))

    def _set_aside(self, ids: Iterable[str]) -> None:
        """Store the records of live changes to some items, before something else is written over them."""
        self._run_many(_SET_ASIDE, ((item,) for item in ids))

    def delete(self, record_id: str) -> bool:
        """Delete a record and remember that it was there; whether it was."""
        with self.writing():
            self._set_aside([record_id])
            there = self._exists(record_id)
            if there:
                self._remove(record_id, self._next_revision())
        return there

    def _remove(self, record_id: str, revision: int) -> None:
        self._run("DELETE FROM records WHERE id = ?", record_id)
        self._run("INSERT OR REPLACE INTO tombstones(id, revision) VALUES (?, ?)", record_id, revision)

    def get(self, record_id: str) -> Record | None:
        """The record of an id, or None."""
        rows = self._all("SELECT body FROM records WHERE id = ?", record_id)
        return opened(rows[0][0]) if rows else None

    def some(self, ids: Iterable[str]) -> dict[str, Record]:
        """The records of those of some ids that it holds."""
        return {item: record for item in ids if (record := self.get(item)) is not None}

    def ids(self) -> Iterator[str]:
        """Every id, in order."""
        query = "SELECT id FROM records WHERE id > ? ORDER BY id LIMIT ?"
        yield from (record_id for (record_id,) in self._pages(query))

    def records(self, since: int = 0) -> Iterator[Record]:
        """The records added or changed after revision ``since`` (0: all), in the order of their ids."""
        query = "SELECT id, body FROM records WHERE id > ? AND +revision > ? ORDER BY id LIMIT ?"
        for _, body in self._pages(query, since):
            yield opened(body)

    def changes(self, revision: int, after: str, limit: int) -> list[ItemChange]:
        """The last changes of items from a revision on, of that one those of ids after ``after``."""
        rows = self._all(_CHANGES, revision, after, revision, after, limit)
        return [ItemChange(item, number, bool(deleted)) for item, number, deleted in rows]

    def newest(self, before: RecordVersion | None, limit: int) -> list[RecordVersion]:
        """The records that were added or changed last, the last one first, from behind another on."""
        place = (before.revision, before.id) if before is not None else (self.revision + 1, "")
        return [RecordVersion(*row) for row in self._all(self._versions() + _NEWEST, *place, limit)]

    def versions(self, ids: Iterable[str]) -> list[RecordVersion]:
        """Those of some records that are there, what was added or changed last first."""
        rows = (RecordVersion(*row) for row in self._in(f"{self._versions()} WHERE id IN", list(ids)))
        return sorted(rows, key=lambda one: (one.revision, one.id), reverse=True)

    def _versions(self) -> str:
        return _VERSIONS if self.format >= _TIMED else _VERSIONS_BEFORE

    def count(self) -> int:
        """How many records there are."""
        return int(self._all("SELECT count(*) FROM records")[0][0])

    def change(
        self,
        fingerprint: str,
        put: Iterable[tuple[Record, bytes]] = (),
        delete: Iterable[str] = (),
        *,
        built: int = 0,
        run: int | None = None,
        condition: Condition | None = None,
    ) -> AppliedChange:
        """Put records with their profiles and delete items, all or nothing, to be answered with at once.

        ``built`` is the revision that a collection was built of: a record that it has, or an earlier live
        change, is left alone. Of two with one id the later counts. ``run`` is the number of a run that makes
        the change, if one does. ``condition`` is given what there is of these items in the same transaction;
        where it raises, nothing is changed. All is on the disk when it returns. Raises ``UnknownItem`` where
        there is no item to delete.
        """
        records = {record.id: (record, profile) for record, profile in put}
        with self.writing(durable=True):
            deleted = tuple(dict.fromkeys(delete))
            before = self._bodies(list(records))
            if condition is not None:
                there = before | self._bodies(list(deleted))
                condition({item: opened(body) for item, body in there.items()})
            current = {item for (item,) in self._in(_ANSWERED, list(records), built, fingerprint)}
            fresh = [
                pair
                for item, pair in records.items()
                if item not in current or before[item] != _body(pair[0])
            ]
            if unknown := [item for item in deleted if not self._exists(item)]:
                raise UnknownItem(f"no item {unknown[0]!r} in the catalogue; nothing was deleted")
            if not fresh and not deleted:
                return AppliedChange(self.revision)
            revision = self._next_revision()
            self._store([(r.id, _body(r), r.analysis_hash, r.fields_hash) for r, _ in fresh], revision)
            self._run_many(_PUT_PROFILE, ((fingerprint, r.analysis_hash, seal(blob)) for r, blob in fresh))
            if run is not None:
                gone = self._bodies(list(deleted))
                self._remember(run, revision, [(r.id, before.get(r.id)) for r, _ in fresh])
                self._remember(run, revision, gone.items(), removed=True)
            for item in deleted:
                self._remove(item, revision)
            ids = (*(record.id for record, _ in fresh), *deleted)
            self._run_many(
                "INSERT OR REPLACE INTO live(id, revision) VALUES (?, ?)", [(item, revision) for item in ids]
            )
        added = tuple(record.id for record, _ in fresh if record.id not in before)
        replaced = tuple(record.id for record, _ in fresh if record.id in before)
        return AppliedChange(revision, added, replaced, deleted)

    def live(self, fingerprint: str, since: int) -> list[LiveChange]:
        """The live changes after revision ``since``, with the profiles of this pipeline, by id."""
        version = self.format
        if version < 2:
            return []
        query = _LIVE if version > 2 else _LIVE_BEFORE
        return [
            LiveChange(item, revision, opened(body) if body else None, blob and _profile(blob))
            for item, revision, body, blob in self._all(query, fingerprint, since)
        ]

    def settle(self, built: int) -> None:
        """Drop what was set aside of live changes up to a revision that a collection was built of."""
        query = "UPDATE live SET said = NULL, said_hash = NULL WHERE said IS NOT NULL AND revision <= ?"
        with self.writing():
            self._run(query, built)

    def _exists(self, item: str) -> bool:
        return bool(self._all("SELECT 1 FROM records WHERE id = ?", item))

    def _bodies(self, ids: list[str]) -> dict[str, bytes]:
        return dict(self._in("SELECT id, body FROM records WHERE id IN", ids))

    def put_profiles(self, fingerprint: str, profiles: Iterable[tuple[bytes, bytes]]) -> None:
        """Store profiles of a pipeline, each with the analysis hash of its record, in one transaction."""
        with self.writing():
            self._run_many(_PUT_PROFILE, ((fingerprint, key, seal(blob)) for key, blob in profiles))

    def profiled(self, fingerprint: str) -> Iterator[tuple[Record, bytes]]:
        """Record and profile of every record that has one of this pipeline, in the order of the ids."""
        for _, blob, body in self._pages(f"SELECT r.id, p.profile, r.body {_PROFILED}", fingerprint):
            yield opened(body), _profile(blob)

    def profiles(self, fingerprint: str) -> Iterator[tuple[str, bytes]]:
        """The same with the id alone in place of the record."""
        for item, blob in self._pages(f"SELECT r.id, p.profile {_PROFILED}", fingerprint):
            yield item, _profile(blob)

    def pending(self, fingerprint: str) -> Iterator[Record]:
        """The records whose profile is lacking, in the order of their ids; of those alike, the first."""
        for _, body in self._pages(f"SELECT r.id, r.body {_PENDING} ORDER BY r.id LIMIT ?", fingerprint):
            yield opened(body)

    def count_pending(self, fingerprint: str) -> int:
        """How many records :meth:`pending` would give."""
        return int(self._all(f"SELECT count(*) {_PENDING}", "", fingerprint)[0][0])

    def profiles_of_hashes(self, hashes: Sequence[bytes]) -> Iterator[tuple[bytes, str, bytes]]:
        """Analysis hash, fingerprint and profile of every profile of some records, of whatever pipeline."""
        query = "SELECT analysis_hash, fingerprint, profile FROM profiles WHERE analysis_hash IN"
        for key, fingerprint, blob in self._in(query, hashes):
            yield key, fingerprint, _profile(blob)

    def prune_profiles(self, keep: str | None = None) -> int:
        """Remove the profiles that neither a record nor a live change uses; how many they were.

        With ``keep`` those of every other fingerprint go as well.
        """
        with self.writing():
            return self._run(_PRUNE, keep).rowcount


_RESTORE: Final = "restore a backup (kindred restore), or ingest the records into a new state"


def _body(record: Record) -> bytes:
    return seal(encode(record))


def opened(body: bytes) -> Record:
    """The record of a stored body; raises ``DamagedArtefact`` where it is not what was stored."""
    return decode(unseal(body, "a stored record", "ingest its file again, then run: kindred build"))


def _profile(blob: bytes) -> bytes:
    return unseal(blob, "a stored profile", _RESTORE)


_PUT_RECORD: Final = """
    INSERT OR REPLACE INTO records(id, body, analysis_hash, fields_hash, revision) VALUES (?, ?, ?, ?, ?)
"""
_PUT_PROFILE: Final = "INSERT OR REPLACE INTO profiles(fingerprint, analysis_hash, profile) VALUES (?, ?, ?)"
# CROSS JOIN keeps the records outside, so that they come in order without being sorted.
_PROFILED: Final = """
    FROM records r CROSS JOIN profiles p ON p.analysis_hash = r.analysis_hash
    WHERE r.id > ? AND p.fingerprint = ? ORDER BY r.id LIMIT ?
"""
_PENDING: Final = """
    FROM records r WHERE r.id > ?
    AND NOT EXISTS (SELECT 1 FROM profiles p WHERE p.fingerprint = ? AND p.analysis_hash = r.analysis_hash)
    AND NOT EXISTS (SELECT 1 FROM records e WHERE e.analysis_hash = r.analysis_hash AND e.id < r.id)
"""
_PRUNE: Final = """
    DELETE FROM profiles WHERE fingerprint <> coalesce(?, fingerprint)
    OR NOT EXISTS (SELECT 1 FROM records r WHERE r.analysis_hash = profiles.analysis_hash)
    AND NOT EXISTS (SELECT 1 FROM live l WHERE l.said_hash = profiles.analysis_hash)
"""
_LIVE: Final = """
    SELECT l.id, l.revision, coalesce(l.said, r.body), p.profile
    FROM live l LEFT JOIN records r ON r.id = l.id
    LEFT JOIN profiles p ON p.analysis_hash = coalesce(l.said_hash, r.analysis_hash) AND p.fingerprint = ?
    WHERE l.revision > ? ORDER BY l.id
"""
_LIVE_BEFORE: Final = re.sub(r"coalesce\(l\.\w+, (r\.\w+)\)", r"\1", _LIVE)  # before anything was set aside
_REMEMBER: Final = """
    INSERT INTO import_changes(number, id, revision, before, removed) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT(number, id) DO UPDATE SET revision = excluded.revision, removed = excluded.removed
"""
_SET_ASIDE: Final = """
    UPDATE live SET said = coalesce((SELECT body FROM records r WHERE r.id = live.id), x''),
    said_hash = (SELECT analysis_hash FROM records r WHERE r.id = live.id)
    WHERE id = ? AND said IS NULL
"""
_VERSIONS: Final = """
    SELECT id, r.revision,
    (SELECT at FROM revisions v WHERE v.revision >= r.revision ORDER BY revision LIMIT 1) FROM records r
"""
_TIMED: Final = 9  # the format of the file from which on revisions have times
_VERSIONS_BEFORE: Final = "SELECT id, revision, NULL FROM records r"
_NEWEST: Final = " WHERE (revision, id) < (?, ?) ORDER BY revision DESC, id DESC LIMIT ?"
_CHANGES: Final = """
    SELECT id, revision, 0 FROM records WHERE (revision, id) > (?, ?)
    UNION ALL SELECT id, revision, 1 FROM tombstones WHERE (revision, id) > (?, ?)
    ORDER BY 2, 1 LIMIT ?
"""
_ANSWERED: Final = """
    SELECT r.id FROM records r WHERE (r.revision <= ?
    OR EXISTS (SELECT 1 FROM live l WHERE l.id = r.id AND l.said IS NULL))
    AND EXISTS (SELECT 1 FROM profiles p WHERE p.analysis_hash = r.analysis_hash AND p.fingerprint = ?)
    AND r.id IN
"""
