"""Live changes: the items that came, changed or went since a collection was built.

They are read from the catalogue alone, so that every process sees them, and a killed one again when it is
back. Only changes that were made live count (``kindred put`` and ``delete``, ``PUT`` and ``DELETE``): records
of ``kindred ingest`` wait for a build.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

from features.collection.delta import PutItem
from features.collection.generation import GenerationManifest
from features.profiles.profile import decode
from ingest.catalogue import Catalogue
from ingest.errors import KindredError

_LOG = logging.getLogger("kindred")


@dataclass(frozen=True, slots=True)
class LiveChanges:
    """The changes up to a revision of the catalogue: by its id what each item is now, None for deleted.

    ``last`` is the revision of the last of them.
    """

    revision: int
    last: int
    items: Mapping[str, PutItem | None] = field(default_factory=dict)


class ChangeWatch:
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

    def since(self, built: GenerationManifest, known: LiveChanges | None = None) -> LiveChanges:
        """The changes since a generation was built; what came after the known ones is read.

        Where the catalogue cannot be read the known ones stay, and a warning is logged.
        """
        known = known or LiveChanges(built.revision, built.revision)
        try:
            with self._lock:
                known = self._read(built, known)
            self._complaint = ""
        except KindredError as error:
            if error.detail != self._complaint:
                _LOG.warning("changes since the collection was built are not seen: %s", error.detail)
            self._complaint = error.detail
        return known

    def _read(self, built: GenerationManifest, known: LiveChanges) -> LiveChanges:
        catalogue = self._opened()
        if catalogue is None or (revision := catalogue.revision) == known.revision:
            return known
        if revision < known.revision:  # another catalogue took the place of the one that was built from
            known = LiveChanges(built.revision, built.revision)
        # what comes between the two questions is read twice, to the same effect
        rows = catalogue.live(built.pipeline, known.revision)
        if not rows:
            return replace(known, revision=max(revision, known.revision))
        items = dict(known.items)
        for row in rows:
            if row.record is None:
                items[row.id] = None
            elif row.profile is not None:
                items[row.id] = PutItem(row.record, decode(row.profile))
            else:  # other language models made its profile: the item is as it was built
                items.pop(row.id, None)
        return LiveChanges(revision, max(row.revision for row in rows), items)

    def _opened(self) -> Catalogue | None:
        """The catalogue; None where there is none."""
        try:
            status = self._path.stat()
        except OSError:
            self._close()
            return None
        file = status.st_dev, status.st_ino
        if self._file != file or self._catalogue is None or self._catalogue.outdated:
            self._close()
            self._catalogue, self._file = Catalogue(self._path, read_only=True), file
        return self._catalogue

    def _close(self) -> None:
        if self._catalogue is not None:
            self._catalogue.close()
        self._catalogue = self._file = None
