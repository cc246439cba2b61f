"""The provider of the Elasticsearch engine: a recommender for each question, over the index that answers now.

A process keeps what the collection was fitted with, and no item beyond a question. The alias is looked at
every two seconds, and at once where the catalogue here was written to: after a switch the next questions go
to the other one.
"""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

import numpy as np

from features.arrays import Longs
from features.collection.fetched import FetchedCollection
from ingest.errors import KindredError, ResourceMissing
from ingest.storage.database import last_written
from models.systems import System
from service.opening import absent_features, open_resources, open_system
from service.operations.feedback import FeedbackOverrides
from service.search.engines.elastic.client import connect
from service.search.engines.elastic.finding import ClusterFacets
from service.search.engines.elastic.generations import Generations
from service.search.engines.elastic.index import ElasticIndex
from service.search.engines.elastic.items import Items, OpenIndex
from service.search.engines.elastic.sending import OTHER_MODELS
from service.search.engines.elastic.settings import cluster
from service.search.engines.engine import ProfileMaker, analysing_alike
from service.search.recommender import Recommender
from service.search.variants import Variant, choose
from service.settings import Settings

_LOOKED_S: Final = 2.0  # how long what the alias stands on, and how many items there are, is taken as known


class _Open(NamedTuple):
    open_index: OpenIndex
    system: System
    variant: Variant


class _KnownState(NamedTuple):
    """How many items there are and what the last change was, and when that was looked at."""

    items: int
    revision: int
    at: float
    written: object = None

    def is_current(self, written: object) -> bool:
        return self.written == written and monotonic() - self.at < _LOOKED_S


class ClusterProvider:
    """The recommender over a cluster; raises ``IndexMissing`` and ``IndexUnavailable``."""

    def __init__(
        self,
        settings: Settings,
        analyse: ProfileMaker,
        system: str | None = None,
        opened: Callable[[], None] | None = None,
    ) -> None:
        self._settings, self._system, self._opened = settings, system, opened
        self._analyse = analyse
        self._overrides = FeedbackOverrides(settings.state.feedback)
        self._generations = Generations(connect(cluster(settings)), cluster(settings))
        self._lock = Lock()
        self._current: _Open | None = None
        self._known = _KnownState(0, 0, -_LOOKED_S)
        self._failed: tuple[KindredError, float] | None = None

    def __call__(self) -> Recommender:
        """The recommender for one question."""
        current, known = self._look()
        items = Items(current.open_index)
        collection = FetchedCollection(
            current.open_index.shape.fitted,
            items,
            ClusterFacets(current.open_index),
            lambda fetched: _Digests(items, fetched),
            known.items,
            known.revision,
        )
        index = ElasticIndex(current.open_index, items, collection, current.system)
        pipeline = current.open_index.shape.fitted.manifest.pipeline
        alike = analysing_alike(self._settings, self._analyse, pipeline, OTHER_MODELS)
        return Recommender(index, current.system, alike, current.variant, self._overrides)

    def answering(self) -> OpenIndex:
        """The index that answers now."""
        return self._look()[0].open_index

    def _look(self) -> tuple[_Open, _KnownState]:
        # where the catalogue here was written to the next question looks again
        written = last_written(self._settings.state.catalogue)
        current, known = self._current, self._known
        if current is not None and known.is_current(written):
            return current, known
        arrived = monotonic()
        with self._lock:
            current, known = self._current, self._known
            if current is not None and known.is_current(written):
                return current, known
            if self._failed is not None and self._failed[1] > arrived:
                # each who waits would otherwise wait for a cluster that does not answer once more
                error = self._failed[0]
                raise type(error)(error.detail) from error
            try:
                return self._renewed(current, written)
            except KindredError as error:
                self._failed = error, monotonic()
                raise

    def _renewed(self, current: _Open | None, written: object) -> tuple[_Open, _KnownState]:
        name = self._generations.answering().name
        if current is None or current.open_index.name != name:
            current = self._current = self._open(name)
            if self._opened is not None:
                self._opened()
        items, revision = current.open_index.count({"match_all": {}}), self._generations.revision(name)
        self._known = _KnownState(items, revision, monotonic(), written)
        return current, self._known

    def _open(self, name: str) -> _Open:
        settings = self._settings
        resources = open_resources(settings)
        variant = choose(settings, resources, self._system)
        system = open_system(settings, variant.system)
        if system.additive is None or variant.retrieval is not None:
            raise ResourceMissing(
                f"system {system.name!r} is not additive, so a cluster cannot be searched by it; set"
                " service.system to one that is, or index.kind: local"
            )
        shape = self._generations.opened(name, resources)
        if absent := absent_features(settings, shape.fitted.manifest, [system.name]):
            raise ResourceMissing(
                f"system {system.name!r} needs {', '.join(absent)}, which the index lacks or has with other"
                " settings; run: kindred build, then: kindred index build"
            )
        learnt = {key.rsplit(" ", 1)[0] for key in shape.blend.weights}
        if learnt and system.name not in learnt:
            raise ResourceMissing(
                f"the index was not made to be searched by system {system.name!r}; name it as service.system"
                " or under service.also, then run: kindred index build"
            )
        index = OpenIndex(self._generations.client, cluster(settings), name, shape)
        return _Open(index, system, variant)


class _Digests:
    """The digests of the items of a cluster."""

    def __init__(self, items: Items, collection: FetchedCollection) -> None:
        self._items, self._collection = items, collection

    def rows(self, digests: bytes) -> Longs:
        """The rows of digests; their items are fetched."""
        ids = self._items.of_digests(digests) if digests else []
        self._collection.fetch(ids)
        return np.array(sorted(self._collection.row(item) for item in ids), np.int64)
