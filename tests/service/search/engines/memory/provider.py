"""The provider: the recommender over a generation and its live changes."""

from features.collection.collection import Built
from features.collection.delta import Delta
from service.opening import open_resources, open_system
from service.operations.live import ChangeWatch, LiveChanges
from service.search.engines.engine import ProfileMaker
from service.search.engines.registry import keys_of
from service.search.recommender import Recommender
from service.settings import Settings
from tests.service.search.engines.memory.engine import MemorySettings
from tests.service.search.engines.memory.estimates import Estimates
from tests.service.search.engines.memory.index import MemoryIndex


class MemoryProvider:
    """Opens the generation once, and looks for live changes at each question."""

    def __init__(self, settings: Settings, analyse: ProfileMaker, system: str | None, live: bool) -> None:
        self._analyse = analyse
        self._candidates = keys_of(settings.index, MemorySettings).memory_candidates
        self._system = open_system(settings, system or settings.service.system)
        self._built = Built.open(settings.state.collection, open_resources(settings))
        self._watch = ChangeWatch(settings.state.catalogue) if live else None
        self._estimates = Estimates(self._built, self._system)
        self._changes: LiveChanges | None = None
        self._recommender = self._over(self._built)

    def __call__(self) -> Recommender:
        """The recommender over the items that there are now."""
        if self._watch is None:
            return self._recommender
        changes = self._watch.since(self._built.manifest, self._changes)
        if not changes.items:
            return self._recommender
        self._changes = changes
        return self._recommender.over(self._index(Delta(self._built, changes.items, changes.last)))

    def _over(self, collection: Built | Delta) -> Recommender:
        return Recommender(self._index(collection), self._system, self._analyse)

    def _index(self, collection: Built | Delta) -> MemoryIndex:
        return MemoryIndex(collection, self._estimates, self._system, self._candidates)
