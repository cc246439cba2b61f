"""Live changes: what the catalogue says came, changed or went since a collection was built.

They are read from the catalogue alone, so that every process sees them, and a killed one again when it is
back. Only changes that were made live count (``kindred put`` and ``delete``, ``PUT`` and ``DELETE``): what
``kindred ingest`` took in waits for a build.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from features.collection.delta import PutItem
from features.collection.generation import GenerationManifest
from features.profiles.profile import decode
from ingest.catalogue import Catalogue, LiveChange
from ingest.errors import KindredError

_LOG = logging.getLogger("kindred")


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes up to a revision of the catalogue: by its id what each item is now, None for deleted.

    ``last`` is the revision of the last of them.
    """

    revision: int
    last: int
    items: Mapping[str, PutItem | None] = field(default_factory=dict)


class Watch:
    """Reads the changes of one catalogue; threads may share it.

    The file stays open between two questions, and is opened again where another took its place, or where
    it was written to and this process may only read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._file: tuple[int, int] | None = None
        self._catalogue: Catalogue | None = None
        self._complaint = ""

    def since(self, built: GenerationManifest, held: Changes | None = None) -> Changes:
        """The changes since a generation was built; of those held only what came after is read.

        Where the catalogue cannot be read the ones held stay, and the log says so.
        """
        held = held or Changes(built.revision, built.revision)
        try:
            with self._lock:
                found = self._read(built, held)
            self._complaint = ""
        except KindredError as error:
            if error.detail != self._complaint:
                _LOG.warning("changes since the collection was built are not seen: %s", error.detail)
            self._complaint = error.detail
            return held
        return found

    def _read(self, built: GenerationManifest, held: Changes) -> Changes:
        catalogue = self._opened()
        if catalogue is None:
            return held
        revision = catalogue.revision
        if revision == held.revision:
            return held
        if revision < held.revision:  # another catalogue took the place of the one that was built from
            held = Changes(built.revision, built.revision)
        # what comes between the two questions is read twice, to the same effect
        rows = catalogue.live(built.pipeline, held.revision)
        if not rows:
            return replace(held, revision=max(revision, held.revision))
        items = dict(held.items)
        for row in rows:
            _apply(row, items)
        return Changes(revision, max(row.revision for row in rows), items)

    def _opened(self) -> Catalogue | None:
        """The catalogue; None where there is none."""
        try:
            status = self._path.stat()
        except OSError:
            self._closed()
            return None
        other = self._file != (status.st_dev, status.st_ino)
        if other or self._catalogue is None or self._catalogue.outdated:
            self._closed()
            self._catalogue = Catalogue(self._path, read_only=True)
            self._file = (status.st_dev, status.st_ino)
        return self._catalogue

    def _closed(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        self._catalogue = self._file = None


def _apply(row: LiveChange, items: dict[str, PutItem | None]) -> None:
    if row.record is None:
        items[row.id] = None
    elif row.profile is not None:
        items[row.id] = PutItem(row.record, decode(row.profile))
    else:  # other language models made its profile: the item is as it was built
        items.pop(row.id, None)
