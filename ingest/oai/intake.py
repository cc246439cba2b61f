"""Harvested records become items: mapped, written with the progress, and answered with at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

import msgspec
from lxml import etree

from ingest.catalogue import ChangeCounts
from ingest.errors import RejectedRow
from ingest.harvests import HarvestedRecord, RefusedRecord
from ingest.imports import Imports
from ingest.mapping import Mapping
from ingest.oai.progress import Progress
from ingest.oai.protocol import HarvestedItem
from ingest.reading import files
from ingest.reading.row import Row
from ingest.reading.settings import FileSettings
from ingest.reading.xml import NAMESPACES, clark
from ingest.record import Record, id_objection, without_other_addresses

_OAI: Final = f"{{{NAMESPACES['oai']}}}"
_DC: Final = f"{{{NAMESPACES['dc']}}}"
# the names of simple Dublin Core (ISO 15836-1)
_DUBLIN_CORE: Final = (
    *("title", "creator", "subject", "description", "publisher", "contributor", "date", "type"),
    *("format", "identifier", "source", "language", "relation", "coverage", "rights"),
)


class ProfiledRecords(NamedTuple):
    """Profiles of records, their pipeline, and the revision that the collection was built of."""

    fingerprint: str
    built: int
    profiles: Sequence[bytes]


AnalyseRecords: TypeAlias = Callable[[Sequence[Record]], ProfiledRecords | None]
"""Makes the profiles of records that are to be answered with at once; None where they wait for a build."""


class HarvestBatch(NamedTuple):
    """What came at once: items, the number of their list, and records that could not be fetched.

    ``known`` are rows that are stored as they are given, unless an item says otherwise.
    """

    items: Sequence[HarvestedItem]
    number: int
    refused: Sequence[RefusedRecord] = ()
    known: Sequence[HarvestedRecord] = ()
    page: bool = False


@dataclass(frozen=True, eq=False)
class Intake:
    """Ingests the records of one source; ``written`` is called when a part of them is in the catalogue."""

    source: str
    catalogue: Imports
    mapping: Mapping
    provider: str
    analyse: AnalyseRecords
    written: Callable[[], None] = lambda: None

    def record(self, item: HarvestedItem) -> Record:
        """The record that an item of the source makes; raises ``RejectedRow``."""
        row = row_of(item, self.mapping.read)
        if row is None:
            raise RejectedRow("it came without metadata")
        record = self.mapping.apply(row)
        if objection := id_objection(record.id):
            raise RejectedRow(objection)
        record, _ = without_other_addresses(record)
        if self.provider and not record.provider:
            record = msgspec.structs.replace(record, provider=self.provider)
        return record

    def take(self, progress: Progress, batch: HarvestBatch) -> None:
        """Write a batch together with the progress; of two items with one identifier the later counts."""
        newest = {item.header.identifier: item for item in batch.items}
        records, refused = self._mapped(newest)
        refused += batch.refused
        known = self.catalogue.harvested(self.source, list(newest))
        gone = {row.item for row in known.values() if row.item} - {record.id for record in records.values()}
        wanted = list({record.id: record for record in records.values()}.values())
        fresh = [record for record in wanted if self.catalogue.get(record.id) != record]
        profiled = self.analyse(fresh) if fresh or gone else None  # before anything is written
        items = {name: record.id for name, record in records.items()}
        rows = [
            HarvestedRecord(name, items.get(name), item.header.datestamp, batch.number)
            for name, item in newest.items()
        ]
        counts = progress.counts
        with self.catalogue.writing(durable=True):
            done = self._written(progress.run, fresh, profiled)
            self.catalogue.put_refused(self.source, refused, newest)
            self.catalogue.put_harvested(self.source, (*batch.known, *rows))
            counts.deleted += self._removed(progress.run, gone, live=profiled is not None)
            counts.pages += batch.page
            counts.read += len(batch.items)
            counts.added += done.added
            counts.changed += done.changed
            counts.unchanged += len(wanted) - len(fresh)
            counts.rejected += len(refused)
            self.save(progress)
        self.written()

    def _mapped(self, items: dict[str, HarvestedItem]) -> tuple[dict[str, Record], list[RefusedRecord]]:
        records: dict[str, Record] = {}
        refused: list[RefusedRecord] = []
        for identifier, item in items.items():
            if not item.header.deleted:
                try:
                    records[identifier] = self.record(item)
                except RejectedRow as rejection:
                    refused.append(RefusedRecord(identifier, rejection.detail))
        return records, refused

    def remove(self, progress: Progress, gone: Sequence[HarvestedRecord]) -> None:
        """Remove the items of records that the source has no more, together with writing the progress."""
        profiled = self.analyse(())
        with self.catalogue.writing(durable=True):
            self.catalogue.forget_harvested(self.source, [row.identifier for row in gone])
            items = {row.item for row in gone if row.item}
            progress.counts.deleted += self._removed(progress.run, items, live=profiled is not None)
            self.save(progress)
        self.written()

    def begin(self, progress: Progress, address: str) -> None:
        """Store that a harvest begins, as a run that can be undone."""
        with self.catalogue.writing():
            progress.run = self.catalogue.begin([address], harvest=self.source)
            self.save(progress)

    def save(self, progress: Progress) -> None:
        """Store how far the harvest has come."""
        self.catalogue.put_progress(self.source, msgspec.json.encode(progress))

    def finish(self, progress: Progress) -> None:
        """Store that the harvest has ended."""
        progress.stage, progress.finished = "done", datetime.now(UTC).isoformat(timespec="seconds")
        if progress.covers and progress.whole:
            progress.since = progress.started
        with self.catalogue.writing(durable=True):
            self.catalogue.end(progress.run)
            self.save(progress)

    def _written(self, run: int, records: Sequence[Record], profiled: ProfiledRecords | None) -> ChangeCounts:
        if profiled is None:
            return self.catalogue.put_many(records, run)
        pairs = zip(records, profiled.profiles, strict=True)
        done = self.catalogue.change(profiled.fingerprint, pairs, built=profiled.built, run=run)
        added, replaced = len(done.added), len(done.replaced)
        return ChangeCounts(added, replaced, len(records) - added - replaced)

    def _removed(self, run: int, items: set[str], *, live: bool) -> int:
        """Remove items that no record of any source makes any more; how many they were."""
        there = [
            item
            for item in sorted(items)
            if self.catalogue.get(item) is not None and not self.catalogue.is_harvested(item)
        ]
        if live and there:
            self.catalogue.change("", delete=there, run=run)
        else:
            self.catalogue.remove(run, there)
        return len(there)


def row_of(item: HarvestedItem, reading: FileSettings) -> Row | None:
    """What a mapping reads of a record: all of it where it names ``oai:record``, else the metadata alone.

    None where the record came without metadata. Simple Dublin Core is put into its namespace, which not all
    servers name right.
    """
    element = item.metadata
    if element is None:
        return None
    if etree.QName(element).localname == "dc":
        for child in element.iter(etree.Element):
            if (name := etree.QName(child).localname) in _DUBLIN_CORE:
                child.tag = _DC + name
    names = [clark(name, reading.namespaces) for name in (reading.records or "").split("|") if name]
    return files.row_of(_whole(item, element) if f"{_OAI}record" in names else element, reading)


def _whole(item: HarvestedItem, metadata: etree._Element) -> etree._Element:
    """The record with its header, in the namespace of the protocol, whatever the server wrote."""
    whole = etree.Element(f"{_OAI}record")
    header = etree.SubElement(whole, f"{_OAI}header")
    etree.SubElement(header, f"{_OAI}identifier").text = item.header.identifier
    etree.SubElement(header, f"{_OAI}datestamp").text = item.header.datestamp
    etree.SubElement(whole, f"{_OAI}metadata").append(metadata)
    return whole
