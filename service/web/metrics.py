"""What the service counts of itself, as Prometheus reads it.

With several processes (``service.workers``) each writes what it counts into files of one folder, and
whichever is asked adds all of them up: :func:`shared_folder`, which has to be called before they start.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Literal

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from features.collection.collection import Built, Collection
from features.collection.delta import Delta
from features.text.caches import usage
from ingest.errors import KindredError
from ingest.storage.folders import MANIFEST
from service.search.recommender import Recommender

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_COLLECTION: Final = {
    "kindred_items": "Items that answers are given from.",
    "kindred_revision": "Revision of the catalogue that answers are of.",
    "kindred_generation_revision": "Revision of the catalogue that the collection was built from.",
    "kindred_generation_timestamp_seconds": "When the collection was built, in seconds since 1970; its age is"
    " time() less this.",
    "kindred_live_changes": "Items that were put or deleted since the collection was built.",
}
"""Gauges of what answers are given from: of each the value counts that any process set last."""

_CACHES: Final = {
    "entries": "Entries of the caches of what is made of texts, by the function whose results they are.",
    "bytes": "Bytes of these caches, at most.",
    "limit_bytes": "Bytes at which these caches let go of entries.",
}
"""Gauges of the caches, of all processes together."""


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        # when a series began is of no use here, and doubles the text
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "kindred_requests",
            "Requests that were answered, by method, template of the address and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "kindred_request_seconds",
            "Seconds from the arrival of a request to the beginning of its answer.",
            ("method", "route"),
            registry=self._registry,
            buckets=_SECONDS,
        )
        self.working = self._gauge("kindred_requests_working", "Requests that are worked on now.", "livesum")
        waiting = "Requests that wait for their turn now."
        self.waiting = self._gauge("kindred_requests_waiting", waiting, "livesum")
        self._caches = {
            part: Gauge(
                f"kindred_cache_{part}",
                text,
                ("cache",),
                registry=self._registry,
                multiprocess_mode="livesum",
            )
            for part, text in _CACHES.items()
        }
        self._collection = {name: self._gauge(name, text, "mostrecent") for name, text in _COLLECTION.items()}

    def _gauge(self, name: str, meaning: str, mode: Literal["livesum", "mostrecent"], *labels: str) -> Gauge:
        return Gauge(name, meaning, labels, registry=self._registry, multiprocess_mode=mode)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        # whoever makes methods up makes no series of numbers with them
        method = method if method in _METHODS else "other"
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def text(self, source: Callable[[], Recommender]) -> bytes:
        """All that is counted, of every process, in Prometheus's text format."""
        try:
            now = source()
        except KindredError:
            pass  # nothing is built yet: /health/ready says so
        else:
            self._describe(now.collection)
        for name, used in usage().items():
            for gauge, number in zip(self._caches.values(), used, strict=True):
                gauge.labels(name).set(number)
        folder = os.environ.get(_FOLDER)
        if folder is None:
            return generate_latest(self._registry)
        _forget_the_dead(Path(folder))
        every = CollectorRegistry()
        MultiProcessCollector(every, folder)  # type: ignore[no-untyped-call]
        return generate_latest(every)

    def _describe(self, collection: Collection) -> None:
        below = collection.base if isinstance(collection, Delta) else collection
        numbers: dict[str, float] = {
            "kindred_items": len(collection),
            "kindred_revision": collection.manifest.revision,
            "kindred_generation_revision": below.manifest.revision,
            "kindred_live_changes": collection.changes if isinstance(collection, Delta) else 0,
        }
        if isinstance(below, Built) and below.folder is not None:
            # of a generation that another one has just replaced the folder may be gone already
            with suppress(OSError):
                numbers["kindred_generation_timestamp_seconds"] = (below.folder / MANIFEST).stat().st_mtime
        for name, number in numbers.items():
            self._collection[name].set(number)


def _forget_the_dead(folder: Path) -> None:
    """Drop the gauges of processes that have ended; their counters stay."""
    for pid in {int(file.stem.rpartition("_")[2]) for file in folder.glob("gauge_live*.db")}:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]


@contextmanager
def shared_folder() -> Iterator[None]:
    """Let the processes that are started in the block count together; the folder goes at its end."""
    with TemporaryDirectory(prefix="kindred-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]
