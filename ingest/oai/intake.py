"""What came from a source becomes items: mapped, written with the progress, and answered with at once."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeAlias

import msgspec
from lxml import etree

from ingest.catalogue import Catalogue, Changes
from ingest.errors import RejectedRow
from ingest.harvests import HarvestedRecord, RefusedRecord
from ingest.mapping import Mapping
from ingest.oai.progress import Progress
from ingest.oai.protocol import Item
from ingest.reading import files
from ingest.reading.row import Row
from ingest.reading.settings import FileSettings
from ingest.reading.xml import NAMESPACES, clark
from ingest.record import Record, id_objection, without_other_addresses

_OAI: Final = f"{{{NAMESPACES['oai']}}}"
_DC: Final = f"{{{NAMESPACES['dc']}}}"
_DUBLIN_CORE: Final = (
    *("title", "creator", "subject", "description", "publisher", "contributor", "date", "type"),
    *("format", "identifier", "source", "language", "relation", "coverage", "rights"),
)
"""The names of simple Dublin Core (ISO 15836-1)."""


class ProfiledRecords(NamedTuple):
    """Profiles of records, of which pipeline they are, and the revision that the collection was built of."""

    fingerprint: str
    built: int
    profiles: Sequence[bytes]


Analyse: TypeAlias = Callable[[Sequence[Record]], ProfiledRecords | None]
"""Makes the profiles of records that are to be answered with at once; None where they wait for a build."""


class Batch(NamedTuple):
    """What came at once: items, the list they came with, what was refused before it was read.

    ``known`` are rows that are kept as they are given, unless an item says otherwise.
    """

    items: Sequence[Item]
    number: int
    refused: Sequence[RefusedRecord] = ()
    known: Sequence[HarvestedRecord] = ()
    page: bool = False


class Intake:
    """Takes in the records of one source; ``written`` is called when a part of them is in the catalogue."""

    def __init__(
        self,
        source: str,
        catalogue: Catalogue,
        mapping: Mapping,
        provider: str,
        analyse: Analyse,
        written: Callable[[], None] = lambda: None,
    ) -> None:
        self.source = source
        self.catalogue = catalogue
        self._mapping = mapping
        self._provider = provider
        self._analyse = analyse
        self._was_written = written

    def record(self, item: Item) -> Record:
        """The record that an item of the source makes; raises ``RejectedRow``."""
        taken = row_of(item, self._mapping.read)
        if taken is None:
            raise RejectedRow("it came without metadata")
        found = self._mapping.apply(taken)
        if why := id_objection(found.id):
            raise RejectedRow(why)
        found, _ = without_other_addresses(found)
        if self._provider and not found.provider:
            found = msgspec.structs.replace(found, provider=self._provider)
        return found

    def take(self, progress: Progress, took: Batch) -> None:
        """Write what came, together with the progress; of two with one identifier the later counts."""
        newest = {item.header.identifier: item for item in took.items}
        records, refused = self._mapped(newest)
        refused += took.refused
        gone = self._replaced(newest, records)
        wanted = list({record.id: record for record in records.values()}.values())
        fresh = [record for record in wanted if self.catalogue.get(record.id) != record]
        profiled = self._analyse(fresh) if fresh or gone else None  # before anything is written
        rows = [
            HarvestedRecord(
                one, records[one].id if one in records else None, item.header.datestamp, took.number
            )
            for one, item in newest.items()
        ]
        counts = progress.counts
        with self.catalogue.writing(durable=True):
            done = self._written(fresh, profiled)
            self.catalogue.put_refused(self.source, refused, newest)
            self.catalogue.put_harvested(self.source, (*took.known, *rows))
            counts.deleted += self._removed(gone, live=profiled is not None)
            counts.pages += took.page
            counts.read += len(took.items)
            counts.added += done.added
            counts.changed += done.changed
            counts.unchanged += len(wanted) - len(fresh)
            counts.rejected += len(refused)
            self.save(progress)
        self._was_written()

    def _mapped(self, items: dict[str, Item]) -> tuple[dict[str, Record], list[RefusedRecord]]:
        records: dict[str, Record] = {}
        refused: list[RefusedRecord] = []
        for identifier, item in items.items():
            if not item.header.deleted:
                try:
                    records[identifier] = self.record(item)
                except RejectedRow as rejection:
                    refused.append(RefusedRecord(identifier, rejection.detail))
        return records, refused

    def _replaced(self, items: dict[str, Item], records: dict[str, Record]) -> set[str]:
        """The items that records had made and make no more."""
        known = self.catalogue.harvested(self.source, list(items))
        before = {one.item for one in known.values() if one.item}
        return before - {record.id for record in records.values()}

    def remove(self, progress: Progress, gone: Sequence[HarvestedRecord]) -> None:
        """Take out the items of records that the source has no more, together with the progress."""
        profiled = self._analyse(())
        with self.catalogue.writing(durable=True):
            items = {found.item for found in gone if found.item}
            self.catalogue.forget_harvested(self.source, [found.identifier for found in gone])
            progress.counts.deleted += self._removed(items, live=profiled is not None)
            self.save(progress)
        self._was_written()

    def save(self, progress: Progress) -> None:
        """Keep how far the harvest has come."""
        self.catalogue.put_progress(self.source, msgspec.json.encode(progress))

    def finish(self, progress: Progress) -> None:
        """Note that the harvest has ended."""
        progress.stage, progress.finished = "done", datetime.now(UTC).isoformat(timespec="seconds")
        if progress.covers and progress.whole:
            progress.since = progress.started
        with self.catalogue.writing(durable=True):
            self.save(progress)

    def _written(self, records: Sequence[Record], profiled: ProfiledRecords | None) -> Changes:
        if profiled is None:
            return self.catalogue.put_many(records)
        pairs = zip(records, profiled.profiles, strict=True)
        done = self.catalogue.change(profiled.fingerprint, pairs, built=profiled.built)
        added, replaced = len(done.added), len(done.replaced)
        return Changes(added, replaced, len(records) - added - replaced)

    def _removed(self, items: set[str], *, live: bool) -> int:
        """Take out items that no record of any source makes any more, and say how many."""
        there = [
            item
            for item in sorted(items)
            if self.catalogue.get(item) is not None and not self.catalogue.is_harvested(item)
        ]
        if live and there:
            self.catalogue.change("", delete=there)
        else:
            for item in there:
                self.catalogue.delete(item)
        return len(there)


def row_of(item: Item, reading: FileSettings) -> Row | None:
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


def _whole(item: Item, metadata: etree._Element) -> etree._Element:
    """The record with its header, in the namespace of the protocol, whatever the server wrote."""
    whole = etree.Element(f"{_OAI}record")
    header = etree.SubElement(whole, f"{_OAI}header")
    etree.SubElement(header, f"{_OAI}identifier").text = item.header.identifier
    etree.SubElement(header, f"{_OAI}datestamp").text = item.header.datestamp
    etree.SubElement(whole, f"{_OAI}metadata").append(metadata)
    return whole
