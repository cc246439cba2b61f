"""Live changes on their way to a cluster: they are sent, and what it does not take waits in the outbox."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Lock
from typing import Final

from features.collection.delta import PutItem
from features.collection.fetched import StoredItem
from features.profiles.analysis import fingerprint
from features.profiles.blocks import Block
from features.profiles.profile import decode as decode_profile
from features.profiles.profile import encode as encode_profile
from ingest.catalogue import Catalogue, LiveChange
from ingest.errors import KindredError, ResourceMissing, StateError
from ingest.record import encode as encode_record
from ingest.storage.database import FileFormat, Store
from service.opening import open_resources
from service.search.engines.elastic.bulk import PendingWrite, Write, send
from service.search.engines.elastic.client import connect
from service.search.engines.elastic.documents import Documents
from service.search.engines.elastic.generations import Generations
from service.search.engines.elastic.items import OpenIndex
from service.search.engines.elastic.settings import cluster
from service.settings import Settings

LIVE_S: Final = 10.0  # how long a live change is sent again and again before it waits in the outbox
_TOGETHER: Final = 1000  # changes that are read and sent at once

_UNDER_WAY: Final = "it was being sent when the process ended"
OTHER_MODELS: Final = (
    "the index was built with other language models or rules than are used now;"
    " run: kindred build, then: kindred index build"
)

_SCHEMA: Final = (
    """CREATE TABLE taken (
        index_name TEXT NOT NULL, block INTEGER NOT NULL, PRIMARY KEY (index_name, block)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE letters (
        id TEXT PRIMARY KEY, revision INTEGER NOT NULL, reason TEXT NOT NULL
    ) STRICT, WITHOUT ROWID""",
    "CREATE TABLE before (number INTEGER PRIMARY KEY, index_name TEXT NOT NULL) STRICT",
)


class Outbox(Store):
    """What a cluster has of a build, and the live changes that it did not take, in an SQLite file.

    A build that was killed goes on behind the blocks that the cluster has; a live change waits for ``kindred
    index retry``. Threads and processes may share the file. Every method may raise ``StateError``.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder, Outbox(Path(folder, "index.sqlite")) as outbox:
    ...     outbox.add([PendingWrite("a", 3, "busy"), PendingWrite("a", 2, "late")])
    ...     outbox.remove([("a", 2)])
    ...     outbox.pending()
    [PendingWrite(id='a', revision=3, reason='busy')]
    """

    FORMAT = FileFormat(
        application=0,  # files of earlier versions have none
        steps=(_SCHEMA,),
        error=StateError,
        lacks="is not the file of what a cluster has",
        remedy="move it away and run: kindred index build",
    )

    def sent(self, index: str) -> set[int]:
        """The blocks of a build that the cluster has."""
        return {block for (block,) in self._all("SELECT block FROM taken WHERE index_name = ?", index)}

    def mark_sent(self, index: str, block: int) -> None:
        """Remember that the cluster has a block."""
        with self._writing():
            self._run("INSERT OR REPLACE INTO taken VALUES (?, ?)", index, block)

    def forget(self, index: str) -> None:
        """Forget all about an index."""
        with self._writing():
            self._run("DELETE FROM taken WHERE index_name = ?", index)
            self._run("DELETE FROM before WHERE index_name = ?", index)

    def pending(self) -> list[PendingWrite]:
        """The live changes that wait, by id."""
        return [
            PendingWrite(*row) for row in self._all("SELECT id, revision, reason FROM letters ORDER BY id")
        ]

    def add(self, writes: Iterable[PendingWrite]) -> None:
        """Let live changes wait; of two of one item the later counts."""
        with self._writing():
            for one in writes:
                self._run(
                    "INSERT INTO letters VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE"
                    " SET revision = excluded.revision, reason = excluded.reason"
                    " WHERE excluded.revision >= revision",
                    *one,
                )

    def remove(self, writes: Iterable[tuple[str, int]]) -> None:
        """Remove changes that the cluster has now, by item and revision, and those of the items before."""
        with self._writing():
            for item, revision in writes:
                self._run("DELETE FROM letters WHERE id = ? AND revision <= ?", item, revision)

    def remember_answering(self, index: str) -> None:
        """Remember that an index answered until now, so that one can go back to it."""
        with self._writing():
            self._run("DELETE FROM before WHERE index_name = ?", index)
            self._run("INSERT INTO before(index_name) VALUES (?)", index)

    def answered_before(self) -> list[str]:
        """The indices that answered, the last one first."""
        return [name for (name,) in self._all("SELECT index_name FROM before ORDER BY number DESC")]


class Sending:
    """Sends changes to the index that answers; threads may share it.

    ``answering`` gives that index. A change that the cluster does not take waits in the outbox: it is in the
    catalogue, and ``kindred index retry`` sends it again.
    """

    def __init__(self, settings: Settings, answering: Callable[[], OpenIndex]) -> None:
        self._settings, self._answering = settings, answering
        self._lock = Lock()
        self._outbox: Outbox | None = None

    def send(self, changes: Sequence[tuple[str, PutItem | None]], revision: int) -> list[PendingWrite]:
        """Send what items are now, None for deleted; those that wait now."""
        return self._send(
            [
                LiveChange(item, revision, put and put.record, put and encode_profile(put.profile))
                for item, put in changes
            ],
            revision,
        )

    def _send(self, changes: Sequence[LiveChange], revision: int) -> list[PendingWrite]:
        outbox = self._opened()
        # a process that ends before the cluster has them leaves them waiting
        outbox.add(PendingWrite(one.id, revision, _UNDER_WAY) for one in changes)
        try:
            index = self._answering()
            if index.shape.fitted.manifest.pipeline != fingerprint(self._settings.models):
                raise ResourceMissing(OTHER_MODELS)
            writes = [one._replace(revision=revision) for one in live_writes(Documents(index.shape), changes)]
            pending = send(index.client, index.settings, index.name, writes, LIVE_S, visible=True)
            Generations(index.client, index.settings).note(index.name, revision)
        except KindredError as error:
            pending = [PendingWrite(one.id, revision, error.detail) for one in changes]
        waiting = {one.id for one in pending}
        outbox.add(pending)
        outbox.remove((one.id, revision) for one in changes if one.id not in waiting)
        return pending

    def follow(self, catalogue: Catalogue, since: int | None = None) -> int:
        """Send the live changes of a catalogue after a revision; the last revision that was sent.

        None stands for the one up to which the index has them.
        """
        begin = self._noted(catalogue) if since is None else since
        rows = catalogue.live(fingerprint(self._settings.models), begin)
        # of an item whose profile other language models made there is nothing to send
        changes = [row for row in rows if row.record is None or row.profile is not None]
        last = max((row.revision for row in rows), default=begin)
        for at in range(0, len(changes), _TOGETHER):
            self._send(changes[at : at + _TOGETHER], last)
        return last

    def _noted(self, catalogue: Catalogue) -> int:
        try:
            index = self._answering()
            return Generations(index.client, index.settings).revision(index.name)
        except KindredError:
            return catalogue.revision

    def _opened(self) -> Outbox:
        with self._lock:
            if self._outbox is None:
                self._outbox = Outbox(self._settings.state.outbox)
            return self._outbox

    def close(self) -> None:
        """Close the outbox."""
        with self._lock:
            if self._outbox is not None:
                self._outbox.close()
            self._outbox = None


def live_writes(documents: Documents, changes: Sequence[LiveChange]) -> Iterator[Write]:
    """The writes of live changes; of one whose profile other language models made there is none."""
    put = [one for one in changes if one.record is not None and one.profile is not None]
    items = [StoredItem(encode_record(one.record), one.profile) for one in put if one.record and one.profile]
    if items:
        block = Block([decode_profile(one.profile) for one in items])
        for one, document in zip(put, documents.live(items, block), strict=True):
            yield Write(one.id, one.revision, document)
    yield from (Write(one.id, one.revision, None) for one in changes if one.record is None)


def retry(settings: Settings) -> tuple[int, int]:
    """Send what waits in the outbox again, as the catalogue has it now; how many were, and how many wait."""
    client = connect(cluster(settings))
    generations = Generations(client, cluster(settings))
    with Outbox(settings.state.outbox) as outbox:
        pending = {one.id: one for one in outbox.pending()}
        if not pending:
            return 0, 0
        name = generations.answering().name
        shape = generations.opened(name, open_resources(settings))
        with Catalogue(settings.state.catalogue, read_only=True) as catalogue:
            rows = catalogue.live(shape.fitted.manifest.pipeline, 0)
        # a pending write has the last revision of all that were sent with it, which may be later
        writes = [
            one._replace(revision=max(one.revision, pending[one.id].revision))
            for one in live_writes(Documents(shape), [row for row in rows if row.id in pending])
        ]
        refused = send(client, cluster(settings), name, writes, LIVE_S, visible=True)
        waiting = {one.id for one in refused}
        outbox.add(refused)
        outbox.remove((one.id, one.revision) for one in writes if one.id not in waiting)
        # put again as the collection has it: the index has it from the build
        outbox.remove((item, pending[item].revision) for item in pending.keys() - {row.id for row in rows})
        left = len(outbox.pending())
        return len(pending) - left, left
