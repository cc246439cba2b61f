"""What a catalogue knows of harvests: how far each has come, and which record of a source made which item.

It is written in the transaction of the records themselves, so that both are there or neither.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ingest.catalogue_file import CatalogueFile


class HarvestedRecord(NamedTuple):
    """A record of a source: its item (None: it makes none), its datestamp, and the list that had it last."""

    identifier: str
    item: str | None
    datestamp: str
    seen: int


class RefusedRecord(NamedTuple):
    """A record of a source that makes no item, and why."""

    identifier: str
    reason: str


class Harvests(CatalogueFile):
    """The part of a catalogue that is about harvests."""

    def progress(self, source: str) -> bytes | None:
        """How far the harvest of a source has come, as it was given; None where there was none."""
        if self.format < _SINCE:
            return None
        found = self._all("SELECT progress FROM harvests WHERE source = ?", source)
        return bytes(found[0][0]) if found else None

    def put_progress(self, source: str, progress: bytes) -> None:
        """Keep how far the harvest of a source has come."""
        with self._writing():
            self._connection.execute("INSERT OR REPLACE INTO harvests VALUES (?, ?)", (source, progress))

    def harvested(self, source: str, identifiers: Sequence[str]) -> dict[str, HarvestedRecord]:
        """What is known of some records of a source, by identifier."""
        query = "SELECT identifier, item, datestamp, seen FROM harvested WHERE source = ? AND identifier IN"
        return {row[0]: HarvestedRecord(*row) for row in self._in(query, identifiers, source)}

    def put_harvested(self, source: str, rows: Iterable[HarvestedRecord]) -> None:
        """Keep what is known of some records of a source."""
        with self._writing():
            self._connection.executemany(
                "INSERT OR REPLACE INTO harvested(source, identifier, item, datestamp, seen)"
                " VALUES (?, ?, ?, ?, ?)",
                ((source, *row) for row in rows),
            )

    def forget_harvested(self, source: str, identifiers: Iterable[str]) -> None:
        """Let go of some records of a source, which it has no more."""
        with self._writing():
            rows = [(source, identifier) for identifier in identifiers]
            self._connection.executemany("DELETE FROM harvested WHERE source = ? AND identifier = ?", rows)
            self._connection.executemany("DELETE FROM refused WHERE source = ? AND identifier = ?", rows)

    def unseen(self, source: str, since: int, after: str = "", limit: int = 200) -> list[HarvestedRecord]:
        """Records of a source that no list since a number had, in order."""
        return [
            HarvestedRecord(*row)
            for row in self._all(
                "SELECT identifier, item, datestamp, seen FROM harvested"
                " WHERE source = ? AND seen < ? AND identifier > ? ORDER BY identifier LIMIT ?",
                source,
                since,
                after,
                limit,
            )
        ]

    def count_harvested(self, source: str, unseen_since: int | None = None) -> int:
        """How many items there are of a source, or how many of them no list since a number had."""
        query = "SELECT count(*) FROM harvested WHERE source = ? AND item IS NOT NULL"
        if unseen_since is None:
            return int(self._all(query, source)[0][0])
        return int(self._all(f"{query} AND seen < ?", source, unseen_since)[0][0])

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
        """Keep why some records make no item; of what ``came`` else nothing is refused any more."""
        with self._writing():
            self._connection.executemany(
                "DELETE FROM refused WHERE source = ? AND identifier = ?", ((source, one) for one in came)
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO refused VALUES (?, ?, ?)", ((source, *row) for row in refused)
            )


_SINCE: Final = 5
"""The format of the catalogue that has these tables; an older one is only read, by who may not write."""
