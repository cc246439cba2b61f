"""Runs that took records in: which there were, what each changed, and how one is undone as a whole.

A harvest from a server is a run as well. A run that names a *source* says that its records are all that the
source has: what an earlier run took from there and this one did not is removed at its end.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from ingest.catalogue import Catalogue, opened
from ingest.catalogue_file import PAGE
from ingest.errors import UnknownImport


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """A run that took records in; ``ended`` is None where it goes on, or was stopped."""

    number: int
    began: str
    ended: str | None
    files: tuple[str, ...]
    source: str | None
    harvest: str | None  # the name of the harvest that it was one of
    added: int
    changed: int
    removed: int
    undone: str | None


class UndoResult(msgspec.Struct, frozen=True, kw_only=True):
    """What undoing a run did; ``kept`` counts records that were changed again since, which stay."""

    number: int
    deleted: int
    restored: int
    kept: int


class Imports(Catalogue):
    """A catalogue that knows by which runs its records came; raises what a catalogue raises."""

    def begin(self, files: Sequence[str], source: str | None = None, harvest: str | None = None) -> int:
        """Store that a run begins; gives its number."""
        query = "INSERT INTO imports(began, files, source, harvest) VALUES (?, ?, ?, ?) RETURNING number"
        names = msgspec.json.encode(files).decode()
        with self.writing():
            return int(self._run(query, _now(), names, source, harvest).fetchone()[0])

    def is_undone_since(self, number: int) -> bool:
        """Whether any run of a harvest was undone since this run of it began."""
        return bool(self._all(_UNDONE_SINCE, number))

    def end(self, number: int) -> None:
        """Store that a run has ended."""
        with self.writing():
            self._run("UPDATE imports SET ended = ? WHERE number = ?", _now(), number)

    def imports(self) -> list[Import]:
        """Every run, the latest first."""
        if self.format < 4:
            return []
        names = Import.__struct_fields__
        query = _IMPORTS if self.format > 5 else _IMPORTS.replace("i.harvest", "NULL")
        rows = (dict(zip(names, row, strict=True)) for row in self._all(query))
        return [Import(**row | {"files": tuple(msgspec.json.decode(row["files"]))}) for row in rows]

    def of_source(self, source: str) -> set[str]:
        """The ids of the records of a source."""
        query = """SELECT o.id FROM origins o JOIN records r ON r.id = o.id
            WHERE o.id > ? AND +o.source = ? ORDER BY o.id LIMIT ?"""
        return {item for (item,) in self._pages(query, source)}

    def claim(self, number: int, source: str, ids: Iterable[str]) -> None:
        """Store that records are of a source, by a run."""
        with self.writing():
            self._run_many(_CLAIM, ((item, source, number) for item in ids))

    def remove(self, number: int, ids: Iterable[str]) -> int:
        """Remove records by a run, in one transaction; how many were there."""
        with self.writing():
            before = self._bodies(sorted(ids))
            if before:
                revision = self._next_revision()
                self._set_aside(before)
                self._remember(number, revision, before.items(), removed=True)
                for item in before:
                    self._remove_with_origin(item, revision)
        return len(before)

    def _remove_with_origin(self, item: str, revision: int) -> None:
        self._remove(item, revision)
        self._run("DELETE FROM origins WHERE id = ?", item)

    def undo(self, number: int) -> UndoResult:
        """Undo a run, in one transaction: what it added goes, what it changed or removed is back.

        Only what is still as the run left it is touched: a record that was changed since stays as it is,
        and is counted. Raises ``UnknownImport`` where there is no such run, or it was undone before.
        """
        with self.writing():
            rows = self._all("SELECT undone, source FROM imports WHERE number = ?", number)
            if not rows:
                raise UnknownImport(f"no import {number}; kindred imports lists those that there are")
            undone, source = rows[0]
            if undone is not None:
                raise UnknownImport(f"import {number} was taken back at {undone} already")
            revision, after = self._next_revision(), ""
            counts = {"deleted": 0, "restored": 0, "kept": 0}
            while page := self._all(_CHANGES, number, after, PAGE):
                after = page[-1][0]
                for item, before, removed, same in page:
                    origin = source if removed else None
                    counts[self._revert(item, before, revision, origin) if same else "kept"] += 1
            self._run("DELETE FROM origins WHERE number = ?", number)
            self._run("UPDATE imports SET undone = ? WHERE number = ?", _now(), number)
        return UndoResult(number=number, **counts)

    def _revert(self, item: str, before: bytes | None, revision: int, origin: str | None) -> str:
        """Bring an item back to what it was before a run; the name of the count that this is."""
        self._set_aside([item])
        if before is None:
            self._remove_with_origin(item, revision)
            return "deleted"
        record = opened(before)
        self._store([(item, before, record.analysis_hash, record.fields_hash)], revision)
        if origin is not None:
            self._run(_CLAIM, item, origin, 0)
        return "restored"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_IMPORTS = """
    SELECT i.number, i.began, i.ended, i.files, i.source, i.harvest,
        count(CASE WHEN c.before IS NULL AND c.id IS NOT NULL THEN 1 END),
        count(CASE WHEN c.before IS NOT NULL AND NOT c.removed THEN 1 END),
        count(CASE WHEN c.removed THEN 1 END),
        i.undone
    FROM imports i LEFT JOIN import_changes c ON c.number = i.number
    GROUP BY i.number ORDER BY i.number DESC
"""
_UNDONE_SINCE = """
    SELECT 1 FROM imports run JOIN imports other ON other.harvest = run.harvest
    WHERE run.number = ? AND other.undone >= run.began LIMIT 1
"""
_CLAIM = """
    INSERT INTO origins(id, source, number) VALUES (?, ?, ?)
    ON CONFLICT(id) DO UPDATE SET source = excluded.source, number = excluded.number
    WHERE source <> excluded.source
"""
_CHANGES = """
    SELECT c.id, c.before, c.removed,
        CASE WHEN c.removed THEN r.id IS NULL AND t.revision = c.revision ELSE r.revision = c.revision END
    FROM import_changes c LEFT JOIN records r ON r.id = c.id LEFT JOIN tombstones t ON t.id = c.id
    WHERE c.number = ? AND c.id > ? ORDER BY c.id LIMIT ?
"""
