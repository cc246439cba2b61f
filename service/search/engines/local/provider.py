"""The provider of the local engine: a recommender over the current generation and its live changes."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeAlias

from features.collection.collection import Built
from ingest.errors import CollectionMissing, KindredError, ResourceMissing
from ingest.storage.folders import pointed
from models.systems import System
from service.opening import absent_features, open_resources, open_system
from service.operations.feedback import FeedbackOverrides
from service.operations.live import ChangeWatch, LiveChanges
from service.operations.writing import OTHER_MODELS
from service.search.engines.engine import ProfileMaker, analysing_alike
from service.search.engines.local.index import LocalIndex
from service.search.engines.local.precomputed import PrecomputedNeighbours
from service.search.recommender import Recommender
from service.search.variants import Variant, choose
from service.settings import Settings

_LOG = logging.getLogger("kindred")

IndexMaker: TypeAlias = Callable[[Built, System, PrecomputedNeighbours | None], LocalIndex]


class LocalProvider:
    """The recommender that answers now: opened when first asked, and again after every ``kindred build``.

    While one thread opens a new generation the others go on with the one before. Where none was
    opened yet the error is raised each time, so that a service started too early becomes ready by
    itself. Live changes are looked for at each call, and put on top of the generation. It raises
    ``CollectionMissing``, ``WeightsMissing``, ``UnknownSystem``, ``DamagedArtefact``, or ``ResourceMissing``
    where the collection lacks a feature that the system needs.
    """

    def __init__(
        self,
        settings: Settings,
        analyse: ProfileMaker,
        system: str | None = None,
        *,
        live: bool = True,
        watched: Callable[[str, int], None] | None = None,
        opened: Callable[[], None] | None = None,
        index: IndexMaker = LocalIndex,
    ) -> None:
        """``index`` makes the index over a generation: this engine's, or one that is derived from it."""
        self._settings, self._analyse, self._system = settings, analyse, system
        self._watched, self._opened, self._index = watched, opened, index
        self._watch = ChangeWatch(settings.state.catalogue) if live else None
        self._opening, self._changing = Lock(), Lock()
        self._open: _Open | None = None

    def __call__(self) -> Recommender:
        """The recommender over the current generation."""
        current = _current(self._settings.state.collection)
        before = self._open
        if before is None:
            with self._opening:
                self._renew(current)
        elif current not in (before.generation, "") and self._opening.acquire(blocking=False):
            try:
                self._renew(current)
            finally:
                self._opening.release()
        with self._changing:  # a change that was acknowledged is waited for; it takes milliseconds
            if self._open is None:
                raise CollectionMissing("no collection is open; run: kindred build")
            now = self._open = self._with_changes(self._open)
        if self._watched is not None:
            self._watched(now.generation, len(now.changes.items))
        return now.recommender

    def _renew(self, current: str) -> None:
        before = self._open
        if before is not None and before.generation == current:
            return
        try:
            index, built = _opened(self._settings, self._system, self._analyse, self._index)
            revision = index.collection.manifest.revision
            new = self._with_changes(_Open(current, index, built, LiveChanges(revision, revision), built))
        except KindredError as error:
            if before is None:
                raise
            _LOG.warning("the new collection is not used, the one before still is: %s", error.detail)
            new = before._replace(generation=current)
        with self._changing:
            self._open = new
        if self._opened is not None:
            self._opened()

    def _with_changes(self, before: "_Open") -> "_Open":
        """The same with the live changes that there are now."""
        if self._watch is None:
            return before
        changes = self._watch.since(before.base.collection.manifest, before.changes)
        if changes.items is before.changes.items:
            return before._replace(changes=changes)
        recommender = before.built
        if changes.items:
            recommender = recommender.over(before.base.with_changes(changes.items, changes.last))
        return before._replace(changes=changes, recommender=recommender)


class _Open(NamedTuple):
    """What answers now: a generation by its name, its index and recommender, and the live changes on top."""

    generation: str
    base: LocalIndex
    built: Recommender
    changes: LiveChanges
    recommender: Recommender


def _opened(
    settings: Settings, name: str | None, analyse: ProfileMaker, make: IndexMaker
) -> tuple[LocalIndex, Recommender]:
    """The index over the current generation, and the recommender over the index."""
    resources = open_resources(settings)
    collection = Built.open(settings.state.collection, resources)
    if not len(collection):
        raise CollectionMissing("the collection holds no item; run: kindred ingest FILE, then: kindred build")
    variant = choose(settings, resources, name)
    system = open_system(settings, variant.system)
    if absent := absent_features(settings, collection.manifest, [system.name]):
        raise ResourceMissing(_unfit(variant, absent, name))

    proposer = open_system(settings, variant.retrieval.system) if variant.retrieval else system
    exact = proposer.additive is not None and variant.retrieval is None
    index = make(collection, proposer, PrecomputedNeighbours(collection, proposer) if exact else None)
    alike = analysing_alike(settings, analyse, collection.manifest.pipeline, OTHER_MODELS)
    return index, Recommender(index, system, alike, variant, FeedbackOverrides(settings.state.feedback))


def _unfit(variant: Variant, absent: Sequence[str], name: str | None) -> str:
    """Why a collection does not fit the system that answers, and what to do."""
    lacks = (
        f"system {variant.system!r} needs {', '.join(absent)}, which the collection lacks"
        " or has with other settings"
    )
    # a build fits what service.system and service.also need
    remedy = (
        "run: kindred build" if name is None else f"name {name} under service.also, then run: kindred build"
    )
    if variant.warning is None:
        return f"{lacks}; {remedy}"
    return f"{lacks}; {variant.warning}. Provide that; or, to do without it, {remedy}"


def _current(root: Path) -> str:
    try:
        return pointed(root) or ""
    except OSError:
        return ""
