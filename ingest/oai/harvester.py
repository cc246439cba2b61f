"""A harvest: every record of a source once, however often it is interrupted and whatever the source does.

It goes through stages, and each page is written together with how far it has come:

1. *records*: the list of the records that changed since the last harvest. A list that expires or breaks off
   is asked for again in two halves of its time, and these again, until the record that breaks it is alone.
2. *identifiers*: the list of the identifiers shows what is missing, which is asked for alone: a list that
   changes while it is read skips records.
3. *removal*: where a source does not list its deletions, each record that it lists no more is asked for, and
   removed where it is really gone.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from ingest.errors import (
    AnswerTooLarge,
    BrokenAnswer,
    HarvestError,
    HarvestIncomplete,
    RemovalRefused,
    ServerFault,
    SourceRefuses,
)
from ingest.harvests import HarvestedRecord, RefusedRecord
from ingest.oai.intake import HarvestBatch, Intake
from ingest.oai.progress import DAY, Progress, Slice, halves, in_granularity, parts_by_stamps
from ingest.oai.protocol import HarvestedItem, Header, Identity, ListPage, OaiClient
from ingest.oai.settings import HarvestSource

_REPEATS: Final = 2
_EMPTY: Final = 10
_FEW: Final = 10
_ALONE: Final = 4
"""Of a list that breaks off this many records are asked for alone: to halve them takes as many questions."""
_RESTARTS: Final = 3
# unreadable answers one after another, of ever shorter stretches of time, after which the source is down
_IN_A_ROW: Final = 60
_BROKEN: Final = (BrokenAnswer, AnswerTooLarge, ServerFault)


class Harvest(NamedTuple):
    """What to harvest: a source, the ``digest`` of its settings and mapping; ``yes`` removes any share."""

    settings: HarvestSource
    digest: str
    removed: float
    since: str | None = None
    yes: bool = False


class Harvester:
    """Harvests one source; :meth:`run` goes on where the last one, killed or not, stopped."""

    def __init__(self, client: OaiClient, intake: Intake, harvest: Harvest) -> None:
        self._client, self._intake, self._harvest = client, intake, harvest
        self._source, self._unreadable = intake.source, 0
        self._progress = Progress(about=harvest.digest)

    def run(self) -> Progress:
        """Harvest to the end.

        Raises:
            RemovalRefused: more would be removed than ``harvesting.removed``; the records that came stay, and
                the same with ``yes`` goes on from there.
            HarvestIncomplete: a list did not come to an end.
            HarvestError: the source cannot be reached, or refuses; the next run goes on from there.
        """
        self._begin()
        stages = {"records": self._records, "identifiers": self._identifiers, "removal": self._removal}
        while self._progress.stage in stages:
            stages[self._progress.stage]()
        if not self._progress.whole:
            raise HarvestIncomplete(
                f"{self._source}: {'; '.join(self._progress.faults)}; what came is kept, and the next harvest"
                " begins where this one began"
            )
        return self._progress

    def _begin(self) -> None:
        stored = self._intake.catalogue.progress(self._source)
        before = msgspec.json.decode(stored, type=Progress) if stored else None
        # what was undone since has to be asked for again
        same = (
            before is not None
            and before.about == self._harvest.digest
            and not self._intake.catalogue.is_undone_since(before.run)
        )
        ends = ("done",) if self._harvest.yes else ("done", "removal")
        if before and same and before.stage not in ends and self._harvest.since is None:
            self._progress = before
        else:
            self._progress = self._fresh(self._client.identify(), before, same=same)
            self._intake.begin(self._progress, self._harvest.settings.url)

    def _fresh(self, server: Identity, before: Progress | None, *, same: bool) -> Progress:
        since = before.since if before and same else None
        window = Slice(in_granularity(self._harvest.since or since, server.granularity))
        # a harvest from a later day on leaves a gap: the next harvest has to close it
        covers = self._harvest.since is None or (since is not None and (window.since or "") <= since)
        started = in_granularity(server.now, server.granularity) or ""
        number = before.number if before else 0
        fresh = Progress(
            about=self._harvest.digest,
            stage="records",
            window=window,
            covers=covers and started != "",  # without the server's clock all is asked for again
            started=started,
            since=since,
            granularity=server.granularity,
            deleted=server.deleted if same or before is None else "no",
            earliest=server.earliest,
            slices=[window],
            number=number,
            first=number + 1,
            finished=before.finished if before else None,
        )
        fresh.begin_list()
        return fresh

    def _records(self) -> None:
        while self._progress.slices:
            try:
                page = self._page("ListRecords")
            except SourceRefuses as refusal:
                self._mend(refusal)
            except _BROKEN as error:
                self._unreadable += 1
                if self._unreadable > _IN_A_ROW:
                    raise
                self._divide(error)
            else:
                self._unreadable = 0
                number = self._progress.number
                self._turn(page)
                self._intake.take(self._progress, HarvestBatch(page.items, number, page=True))
        self._progress.begin_identifiers()
        self._intake.save(self._progress)

    def _page(self, verb: str) -> ListPage:
        if self._progress.token is not None:
            return self._client.page(verb, {"resumptionToken": self._progress.token})
        return self._client.page(verb, self._arguments(self._progress.slices[0]))

    def _arguments(self, part: Slice) -> dict[str, str]:
        settings = self._harvest.settings
        chosen = {"set": settings.set} if settings.set else {}
        return {"metadataPrefix": settings.prefix, **chosen, **part.arguments()}

    def _turn(self, page: ListPage) -> None:
        """Move on behind a page; it is the last where it has no token, or where its list goes in a circle."""
        progress = self._progress
        ends = self._ends(page)
        if page.nameless:
            progress.fault("records came without an identifier and were left out")
        progress.token = page.token
        if ends:
            if progress.size is not None and progress.listed < progress.size:
                progress.fault(
                    f"it announced a list of {progress.size:,} records, and {progress.listed:,} came"
                )
                progress.short = True
            progress.leave_slice()

    def _ends(self, page: ListPage) -> bool:
        """Note what a page adds to its list; whether the list ends with it."""
        progress = self._progress
        identifiers = list({item.header.identifier for item in page.items})
        seen = self._intake.catalogue.harvested(self._source, identifiers)
        fresh = [name for name in identifiers if name not in seen or seen[name].seen != progress.number]
        progress.listed += len(fresh)
        progress.size = page.size if progress.size is None else progress.size
        if page.token is None:
            return True
        progress.repeats = 0 if fresh else progress.repeats + 1
        if progress.repeats < (_REPEATS if identifiers or page.token == progress.token else _EMPTY):
            return False
        progress.fault(f"a list of it goes in a circle and was left after {progress.listed:,} records")
        progress.cut_short()
        return True

    def _mend(self, refusal: SourceRefuses) -> None:
        progress = self._progress
        if refusal.reason == "badResumptionToken" and progress.token is not None:
            progress.fault("a list of it expired and was asked for again in parts")
            self._divide(refusal)
        elif (
            refusal.reason == "badArgument"
            and progress.granularity != DAY
            and any(text and len(text) > 10 for text in progress.slices[0])
        ):
            # it promises seconds and takes days
            progress.granularity = DAY
            progress.slices = [part.in_days() for part in progress.slices]
            progress.window = progress.window.in_days()
            self._intake.save(progress)
        else:
            raise refusal

    def _divide(self, error: HarvestError) -> None:
        """Ask for the slice under way in two parts, or for each record alone where it has few or is short."""
        progress, whole = self._progress, self._progress.slices[0]
        expired = isinstance(error, SourceRefuses)
        headers = [] if expired else self._all_on_a_page(whole)
        stamps = [header.datestamp for header in headers]
        parts = parts_by_stamps(whole, stamps, progress.granularity) or halves(
            whole, progress.granularity, progress.earliest, progress.started
        )
        again = expired and progress.restarts < _RESTARTS
        if 0 < len(headers) <= _ALONE or (parts is None and not again):
            self._one_by_one(error, headers)
            return
        progress.restarts = 0 if parts else progress.restarts + 1
        progress.slices[:1] = parts or progress.slices[:1]
        progress.begin_list()
        self._intake.save(progress)

    def _one_by_one(self, error: HarvestError, headers: list[Header]) -> None:
        """Ask for each record of the slice under way alone, whose ``headers`` are all of it, or none."""
        part, number = self._progress.slices[0], self._progress.number
        try:
            headers = headers or list(self._headers(part))
        except (*_BROKEN, SourceRefuses) as broken:
            span = f"{part.since or 'the beginning'} to {part.until or 'now'}"
            self._progress.fault(f"no record of {span} could be read: {error.detail}; {broken.detail}")
            self._progress.cut_short()
        else:
            self._unreadable = 0
        batch = self._fetched(headers, number)
        self._progress.leave_slice()
        self._intake.take(self._progress, batch)

    def _all_on_a_page(self, part: Slice) -> list[Header]:
        """The headers of a slice where one page has them all, else none: then it is halved by its time."""
        try:
            page = self._client.page("ListIdentifiers", self._arguments(part))
        except (*_BROKEN, SourceRefuses):
            self._client.identify()  # where not even that is answered the source is down, not broken
            return []
        return [] if page.token else [item.header for item in page.items]

    def _headers(self, part: Slice) -> Iterator[Header]:
        """The headers of a slice, of all its pages; ends where a page holds nothing new."""
        seen: set[str] = set()
        page = self._client.page("ListIdentifiers", self._arguments(part))
        while True:
            fresh = [item.header for item in page.items if item.header.identifier not in seen]
            yield from fresh
            seen.update(header.identifier for header in fresh)
            if page.token is None or not fresh:
                return
            page = self._client.page("ListIdentifiers", {"resumptionToken": page.token})

    def _fetched(
        self, headers: Iterable[Header], number: int, known: Iterable[HarvestedRecord] = ()
    ) -> HarvestBatch:
        """The records of some headers, each asked for alone, and ``known`` rows that are stored with them.

        Of a record that cannot be read now the item that it made before stays.
        """
        items: list[HarvestedItem] = []
        refused: list[RefusedRecord] = []
        stamps: dict[str, str] = {}
        for header in headers:
            stamps[header.identifier] = header.datestamp
            item = HarvestedItem(header) if header.deleted else self._alone(header, refused)
            items += [item] if item is not None else []
        before = self._intake.catalogue.harvested(self._source, [name for name, _ in refused])
        made = {name: row.item for name, row in before.items()}
        late = [
            HarvestedRecord(name, made.get(name), stamps[name], self._progress.number) for name, _ in refused
        ]
        return HarvestBatch(items, number, refused, (*known, *late))

    def _alone(self, header: Header, refused: list[RefusedRecord]) -> HarvestedItem | None:
        """One record, asked for alone; None where it is broken, which is noted, or gone."""
        try:
            item = self._client.get(header.identifier, self._harvest.settings.prefix)
        except (*_BROKEN, SourceRefuses) as error:
            refused.append(RefusedRecord(header.identifier, error.detail))
            return None
        if item is None or item.header.identifier == header.identifier:
            return item
        refused.append(RefusedRecord(header.identifier, f"it came as {item.header.identifier}"))
        return None

    def _identifiers(self) -> None:
        progress = self._progress
        while progress.slices:
            try:
                page = self._page("ListIdentifiers")
            except SourceRefuses as refusal:
                self._mend(refusal)
            except _BROKEN as error:
                self._client.identify()
                why = error.detail
                progress.fault(f"its identifiers could not be listed, so nothing was compared: {why}")
                progress.slices, progress.short = [], True
                progress.whole = not progress.doubtful
            else:
                self._compare(page)
        if progress.deleted == "persistent" or progress.short:  # what a bad list lacks is not removed
            self._intake.finish(progress)
        else:
            progress.begin_removal()
            self._intake.save(progress)

    def _compare(self, page: ListPage) -> None:
        """Fetch what a page of identifiers names and we lack, or have in an older state."""
        number = self._progress.number
        self._turn(page)
        headers = {item.header.identifier: item.header for item in page.items}
        known = self._intake.catalogue.harvested(self._source, list(headers))
        lacking = [header for name, header in headers.items() if self._is_lacking(header, known.get(name))]
        seen = [record._replace(seen=number) for record in known.values()]
        self._intake.take(self._progress, self._fetched(lacking, number, seen))

    def _is_lacking(self, header: Header, known: HarvestedRecord | None) -> bool:
        """Whether a listed record is missing here, or changed since it was fetched."""
        since = self._progress.window.since
        if not self._progress.covers and since is not None and header.datestamp < since:
            return False  # only what is newer was asked for
        if known is None:
            return True
        return header.datestamp > known.datestamp or (header.deleted and known.item is not None)

    def _removal(self) -> None:
        progress = self._progress
        catalogue = self._intake.catalogue
        there = catalogue.count_harvested(self._source)
        gone = catalogue.count_harvested(self._source, progress.first)
        if not self._harvest.yes and gone > _FEW and gone > there * self._harvest.removed:
            raise RemovalRefused(
                f"{self._source} lists {gone:,} of its {there:,} items no more; if they are to be"
                f" removed, run: kindred harvest {self._source} --yes"
            )
        while page := catalogue.unseen(self._source, progress.first, progress.after):
            progress.after = page[-1].identifier
            self._intake.remove(progress, [record for record in page if not self._is_there(record)])
        self._intake.finish(progress)

    def _is_there(self, record: HarvestedRecord) -> bool:
        """Whether the source still has a record that it did not list, or cannot be asked for it."""
        try:
            item = self._client.get(record.identifier, self._harvest.settings.prefix)
        except SourceRefuses as refusal:
            return refusal.reason not in ("cannotDisseminateFormat", "noMetadataFormats")
        except _BROKEN:
            return True
        if item is None or item.header.deleted:
            return False
        wanted, sets = self._harvest.settings.set, item.header.sets
        return not (wanted and sets) or any(f"{name}:".startswith(f"{wanted}:") for name in sets)
