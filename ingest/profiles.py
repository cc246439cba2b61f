"""The profiles of a catalogue: which record has one, and which still lacks it.

They belong to texts, not to ids: records with the same texts share one.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ingest.catalogue_file import CatalogueFile
from ingest.record import Record, decode


class Profiles(CatalogueFile):
    """What a catalogue knows of profiles; the records are those of :class:`ingest.catalogue.Catalogue`."""

    def put_profiles(self, fingerprint: str, profiles: Iterable[tuple[bytes, bytes]]) -> None:
        """Keep profiles, each with the analysis hash of its record, in one transaction.

        ``fingerprint`` names the pipeline that made them: another one has its own profiles.
        """
        with self._writing():
            self._connection.executemany(PUT_PROFILE, ((fingerprint, key, blob) for key, blob in profiles))

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
        """Remove the profiles that neither a record nor a live change uses; how many they were.

        With ``keep`` those of every other fingerprint go as well.
        """
        with self._writing():
            query = (
                "DELETE FROM profiles WHERE fingerprint <> coalesce(?, fingerprint) OR NOT EXISTS"
                " (SELECT 1 FROM records r WHERE r.analysis_hash = profiles.analysis_hash) AND NOT EXISTS"
                " (SELECT 1 FROM live l WHERE l.said_hash = profiles.analysis_hash)"
            )
            return self._connection.execute(query, (keep,)).rowcount


PUT_PROFILE: Final = "INSERT OR REPLACE INTO profiles(fingerprint, analysis_hash, profile) VALUES (?, ?, ?)"
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
