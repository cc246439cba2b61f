"""Runs that took records in: which there were, what each changed, and how one is taken back whole.

A run that names a *source* says that its records are all that the source has: what an earlier run took from
there and this one did not is removed at its end.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from ingest.catalogue import Catalogue
from ingest.catalogue_file import PAGE
from ingest.errors import UnknownImport
from ingest.record import decode


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """A run that took records in; ``ended`` is None where it goes on, or was stopped."""

    number: int
    began: str
    ended: str | None
    files: tuple[str, ...]
    source: str | None
    added: int
    changed: int
    removed: int
    undone: str | None


class UndoResult(msgspec.Struct, frozen=True, kw_only=True):
    """What taking back a run did; ``kept`` counts records that were changed again since, which stay."""

    number: int
    deleted: int
    restored: int
    kept: int


class Imports(Catalogue):
    """A catalogue that knows by which runs its records came; raises what a catalogue raises.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from ingest.record import Record, values
    >>> with tempfile.TemporaryDirectory() as folder, Imports(Path(folder, "catalogue.db")) as catalogue:
    ...     number = catalogue.begin(["a.csv"])
    ...     _ = catalogue.put_many([Record(id="a:1", title=values("View of Venice"))], number)
    ...     catalogue.end(number)
    ...     catalogue.imports()[0].added, catalogue.undo(number), catalogue.count()
    (1, UndoResult(number=1, deleted=1, restored=0, kept=0), 0)
    """

    def begin(self, files: Sequence[str], source: str | None = None) -> int:
        """A run begins; gives its number."""
        with self._writing():
            query = "INSERT INTO imports(began, files, source) VALUES (?, ?, ?) RETURNING number"
            listed = msgspec.json.encode(files).decode()
            return int(self._connection.execute(query, (_now(), listed, source)).fetchone()[0])

    def end(self, number: int) -> None:
        """A run has ended."""
        with self._writing():
            self._connection.execute("UPDATE imports SET ended = ? WHERE number = ?", (_now(), number))

    def imports(self) -> list[Import]:
        """Every run, the latest first."""
        if self.format < 4:
            return []
        return [
            Import(
                number=number,
                began=began,
                ended=ended,
                files=tuple(msgspec.json.decode(files, type=list[str])),
                source=source,
                undone=undone,
                added=added,
                changed=changed,
                removed=removed,
            )
            for number, began, ended, files, source, undone, added, changed, removed in self._all(_LISTED)
        ]

    def of_source(self, source: str) -> set[str]:
        """The ids of the records of a source."""
        query = """SELECT o.id FROM origins o JOIN records r ON r.id = o.id
            WHERE o.id > ? AND +o.source = ? ORDER BY o.id LIMIT ?"""
        return {item for (item,) in self._pages(query, source)}

    def claim(self, number: int, source: str, ids: Iterable[str]) -> None:
        """Records are of a source, by a run."""
        with self._writing():
            self._connection.executemany(_CLAIM, ((item, source, number) for item in ids))

    def remove(self, number: int, ids: Iterable[str]) -> int:
        """Take records out by a run, in one transaction; how many were there."""
        listed = sorted(ids)
        with self._writing():
            before = self._bodies(listed)
            if before:
                revision = self._next_revision()
                self._set_aside(before)
                self._remember(number, revision, before.items(), removed=True)
                for item in before:
                    self._take_out(item, revision)
        return len(before)

    def _take_out(self, item: str, revision: int) -> None:
        self._connection.execute("DELETE FROM records WHERE id = ?", (item,))
        self._connection.execute("DELETE FROM origins WHERE id = ?", (item,))
        self._bury(item, revision)

    def undo(self, number: int) -> UndoResult:
        """Take a run back whole, in one transaction: what it added goes, what it changed or removed is back.

        Only what is still as the run left it is touched: a record that was changed since stays as it is,
        and is counted. Raises ``UnknownImport`` where there is no such run, or it was taken back before.
        """
        with self._writing():
            found = self._all("SELECT undone, source FROM imports WHERE number = ?", number)
            if not found:
                raise UnknownImport(f"no import {number}; kindred imports lists those that there are")
            if found[0][0] is not None:
                raise UnknownImport(f"import {number} was taken back at {found[0][0]} already")
            revision, source = self._next_revision(), found[0][1]
            counts = {"deleted": 0, "restored": 0, "kept": 0}
            after = ""
            while page := self._all(_CHANGES, number, after, PAGE):
                after = page[-1][0]
                for change in page:
                    counts[self._take_back(revision, number, source, *change)] += 1
            self._connection.execute("DELETE FROM origins WHERE number = ?", (number,))
            self._connection.execute("UPDATE imports SET undone = ? WHERE number = ?", (_now(), number))
        return UndoResult(number=number, **counts)

    def _take_back(
        self,
        revision: int,
        number: int,
        source: str | None,
        item: str,
        before: bytes | None,
        removed: int,
        same: int,
    ) -> str:
        if not same:
            return "kept"
        self._set_aside([item])
        if before is None:
            self._take_out(item, revision)
            return "deleted"
        record = decode(before)
        self._store([(item, before, record.analysis_hash, record.fields_hash)], revision)
        if removed and source is not None:
            self._connection.execute(_CLAIM, (item, source, 0))
        return "restored"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_LISTED = """
    SELECT i.number, i.began, i.ended, i.files, i.source, i.undone,
        count(CASE WHEN c.before IS NULL AND c.id IS NOT NULL THEN 1 END),
        count(CASE WHEN c.before IS NOT NULL AND NOT c.removed THEN 1 END),
        count(CASE WHEN c.removed THEN 1 END)
    FROM imports i LEFT JOIN import_changes c ON c.number = i.number
    GROUP BY i.number ORDER BY i.number DESC
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
