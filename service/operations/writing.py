"""Writing: puts and deletes that show in answers at once, without a build."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Final, Protocol, Self

from features.collection import generation
from features.collection.delta import PutItem
from features.processes import batched
from features.profiles.analysis import fingerprint
from features.profiles.profile import Profile, encode
from ingest.catalogue import AppliedChange, Catalogue, Condition
from ingest.errors import InvalidRequest, ResourceMissing
from ingest.record import Record, id_objection, web_address
from service.search.queries import Check, unlimited
from service.settings import Settings

MOST: Final = 1000
"""The most records of one call: they are compared one by one until they are built; more are for ingest."""

_FEW: Final = 20  # records that are analysed together, some two seconds

OTHER_MODELS: Final = (
    "the collection was built with other language models or rules than are used now; run: kindred build"
)


class Sender(Protocol):
    """Sends changes to an engine that does not read them from the catalogue itself."""

    def send(self, changes: Sequence[tuple[str, PutItem | None]], revision: int) -> object:
        """Send what items are now, None for deleted; what cannot be sent is stored to be sent later."""

    def follow(self, catalogue: Catalogue, since: int | None = None) -> int:
        """Send the live changes of a catalogue after a revision; the last revision that was sent.

        None stands for the one up to which the engine has them.
        """

    def close(self) -> None:
        """Close what is open."""


class Writer:
    """Puts and deletes items of the catalogue; each call is one transaction, on the disk when it returns.

    ``analyse`` makes the profiles; ``sender`` sends changes to an engine that needs them. The file is opened,
    and made where there is none, when first written to. Threads may share it. Raises ``InvalidRequest`` for
    what is no record, ``ResourceMissing`` where a profile cannot be made, and ``CatalogueError``.
    """

    def __init__(
        self,
        settings: Settings,
        analyse: Callable[[Sequence[Record]], list[Profile]],
        sender: Sender | None = None,
    ) -> None:
        self._settings, self._analyse, self._sender = settings, analyse, sender
        self._lock = Lock()
        self._catalogue: Catalogue | None = None

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the catalogue."""
        self.close()

    def close(self) -> None:
        """Close the catalogue; writing again opens it."""
        with self._lock:
            if self._catalogue is not None:
                self._catalogue.close()
            self._catalogue = None
        if self._sender is not None:
            self._sender.close()

    def put(
        self, records: Sequence[Record], condition: Condition | None = None, check: Check = unlimited
    ) -> AppliedChange:
        """Add or replace items; what is as it was is left alone.

        ``condition`` is given the items as they are; where it raises, nothing is written, and nothing is
        where ``check`` does, which is called every few records while they are analysed.
        """
        if len(records) > MOST:
            raise InvalidRequest(
                f"{len(records):,} records at once are too many, the most are {MOST:,};"
                " for more run: kindred ingest FILE, then: kindred rebuild"
            )
        for record in records:
            _check(record)
        mark = fingerprint(self._settings.models)
        built = generation.unchecked_manifest(self._settings.state.collection)
        if built is not None and built.pipeline != mark:
            raise ResourceMissing(OTHER_MODELS)
        # analysed before anything is written: all is there or nothing
        profiles = list[Profile]()
        for few in batched(records, _FEW):
            check()
            profiles += self._analyse(few)
        check()
        pairs = zip(records, map(encode, profiles), strict=True)
        done = self._opened().change(
            mark, pairs, built=0 if built is None else built.revision, condition=condition
        )
        if self._sender is not None:
            # what is as it was too: who puts it again may have been cut off before the index had it
            last = {one.id: PutItem(one, profile) for one, profile in zip(records, profiles, strict=True)}
            self._sender.send([*last.items()], done.revision)
        return done

    def delete(self, ids: Sequence[str], condition: Condition | None = None) -> AppliedChange:
        """Delete items, or none of them: raises ``UnknownItem`` where the catalogue lacks one.

        ``condition`` as of ``put``.
        """
        done = self._opened().change("", delete=ids, condition=condition)
        if self._sender is not None:
            self._sender.send([(item, None) for item in done.deleted], done.revision)
        return done

    def _opened(self) -> Catalogue:
        with self._lock:
            if self._catalogue is None:
                self._catalogue = Catalogue(self._settings.state.catalogue)
            return self._catalogue


def _check(record: Record) -> None:
    if not record.id.strip():
        raise InvalidRequest("a record to keep needs an id")
    if why := id_objection(record.id):
        raise InvalidRequest(why)
    for name in ("image", "landing_page"):
        given: str | None = getattr(record, name)
        if given and given.strip() and web_address(given) is None:
            raise InvalidRequest(
                f"{name} must be an address that begins with http:// or https://, not {given!r}"
            )
    if not record.has_text:
        raise InvalidRequest(
            f"the record {record.id!r} needs text in at least one of title, creator, subject, description,"
            " date and source"
        )
