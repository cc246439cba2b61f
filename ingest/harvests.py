"""The harvests of a catalogue: how far each has come, and which record of a source made which item.

They are written in the transaction of the records themselves, so that both are there or neither.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ingest.catalogue_file import CatalogueFile


class HarvestedRecord(NamedTuple):
    """A record of a source: its item (None: it makes none), its datestamp, the number of its last list."""

    identifier: str
    item: str | None
    datestamp: str
    seen: int


class RefusedRecord(NamedTuple):
    """A record of a source that makes no item, and why."""

    identifier: str
    reason: str


class Harvests(CatalogueFile):
    """The part of a catalogue that stores harvests."""

    def progress(self, source: str) -> bytes | None:
        """The progress of a source's harvest as :meth:`put_progress` took it; None where there is none."""
        if self.format < _SINCE:
            return None
        rows = self._all("SELECT progress FROM harvests WHERE source = ?", source)
        return bytes(rows[0][0]) if rows else None

    def put_progress(self, source: str, progress: bytes) -> None:
        """Store how far the harvest of a source has come."""
        with self.writing():
            self._run("INSERT OR REPLACE INTO harvests VALUES (?, ?)", source, progress)

    def harvested(self, source: str, identifiers: Sequence[str]) -> dict[str, HarvestedRecord]:
        """The stored rows of some records of a source, by identifier."""
        query = "SELECT identifier, item, datestamp, seen FROM harvested WHERE source = ? AND identifier IN"
        return {row[0]: HarvestedRecord(*row) for row in self._in(query, identifiers, source)}

    def put_harvested(self, source: str, rows: Iterable[HarvestedRecord]) -> None:
        """Store the rows of some records of a source."""
        query = """INSERT OR REPLACE INTO harvested(source, identifier, item, datestamp, seen)
            VALUES (?, ?, ?, ?, ?)"""
        with self.writing():
            self._run_many(query, ((source, *row) for row in rows))

    def forget_harvested(self, source: str, identifiers: Iterable[str]) -> None:
        """Delete the rows of some records, which the source has no more."""
        rows = [(source, identifier) for identifier in identifiers]
        with self.writing():
            self._run_many("DELETE FROM harvested WHERE source = ? AND identifier = ?", rows)
            self._run_many(_ACCEPT, rows)

    def unseen(self, source: str, since: int, after: str = "", limit: int = 200) -> list[HarvestedRecord]:
        """Records of a source that no list since a number had, in order of their identifiers."""
        query = """SELECT identifier, item, datestamp, seen FROM harvested
            WHERE source = ? AND seen < ? AND identifier > ? ORDER BY identifier LIMIT ?"""
        return [HarvestedRecord(*row) for row in self._all(query, source, since, after, limit)]

    def count_harvested(self, source: str, unseen_since: int | None = None) -> int:
        """How many items a source has, or how many of them no list since a number had."""
        query = """SELECT count(*) FROM harvested
            WHERE source = ? AND item IS NOT NULL AND (? IS NULL OR seen < ?)"""
        return int(self._all(query, source, unseen_since, unseen_since)[0][0])

    def is_harvested(self, item: str) -> bool:
        """Whether a record of any source makes the item."""
        return bool(self._all("SELECT 1 FROM harvested WHERE item = ? LIMIT 1", item))

    def refused(self, source: str) -> list[RefusedRecord]:
        """The records of a source that make no item."""
        if self.format < _SINCE:
            return []
        query = "SELECT identifier, reason FROM refused WHERE source = ? ORDER BY identifier"
        return [RefusedRecord(*row) for row in self._all(query, source)]

    def put_refused(self, source: str, refused: Iterable[RefusedRecord], came: Iterable[str] = ()) -> None:
        """Store why some records make no item; the others that ``came`` are refused no more."""
        with self.writing():
            self._run_many(_ACCEPT, ((source, identifier) for identifier in came))
            rows = ((source, *row) for row in refused)
            self._run_many("INSERT OR REPLACE INTO refused VALUES (?, ?, ?)", rows)


# the format of the catalogue from which on it has these tables; an older one may be opened to read only
_SINCE: Final = 5
_ACCEPT: Final = "DELETE FROM refused WHERE source = ? AND identifier = ?"
