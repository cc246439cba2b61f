"""Puts the floors together: settings to a language, a system, a recommender, for the CLI and the service."""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from features.collection.collection import Built
from features.profiles.analysis import fingerprint
from features.profiles.profile import Profile
from ingest.errors import CollectionMissing, KindredError, ResourceMissing, UsageError
from ingest.folders import pointed
from ingest.record import Record
from service.changing import Writer
from service.live import Changes, Watch
from service.opening import absent_features, open_resources, open_system
from service.recommender import Recommender
from service.search.engines.local.index import LocalIndex
from service.search.engines.local.precomputed import Lists
from service.settings import Settings
from service.variants import Variant, choose

if TYPE_CHECKING:
    from features.profiles.sentence_texts import SentenceVectors
    from features.text.language import Language
    from service.search.engines.elastic.sending import Sending

_LOG = logging.getLogger("kindred")


class Analyser:
    """Makes profiles of records that the collection lacks; loads the language when first asked."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._held: tuple[Language, SentenceVectors | None] | None = None

    def __call__(self, records: Sequence[Record]) -> list[Profile]:
        """The profiles of some records; the first call takes the seconds that the models need to load."""
        from features.profiles.analysis import analyse

        return analyse(records, *self._loaded())

    def _loaded(self) -> "tuple[Language, SentenceVectors | None]":
        from features.profiles.sentence_texts import open_vectors

        with self._lock:
            if self._held is None:
                self._held = open_language(self._settings), open_vectors(self._settings.sentences.encoder)
            return self._held


class Desk:
    """The recommender that answers now: opened when first asked, and again after every ``kindred build``.

    While one thread opens a new generation the others go on with the one before. Where none was
    opened yet the error is raised each time, so that a service started too early becomes ready by
    itself. Live changes are looked for at each call, and put on top of the generation.
    ``watched`` is told the name of the generation and how many live changes there are to it, ``opened`` is
    called when a generation was opened.
    """

    def __init__(
        self,
        settings: Settings,
        system: str | None = None,
        watched: Callable[[str, int], None] = lambda _generation, _changes: None,
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        self._settings = settings
        self._system = system
        self._watched, self._opened = watched, opened
        self._analyse = Analyser(settings)
        self._watch = Watch(settings.state.catalogue)
        self._opening, self._changing = Lock(), Lock()
        self._held: _Held | None = None

    def __call__(self) -> Recommender:
        """The recommender over the current generation; raises what ``open_recommender`` does."""
        current = _current(self._settings.state.collection)
        held = self._held
        if held is None:
            with self._opening:
                self._renew(current)
        elif current not in (held.generation, "") and self._opening.acquire(blocking=False):
            try:
                self._renew(current)
            finally:
                self._opening.release()
        now = self._changed()
        self._watched(now.generation, len(now.changes.items))
        return now.recommender

    def _renew(self, current: str) -> None:
        held = self._held
        if held is not None and held.generation == current:
            return
        try:
            new = self._over(current, _open(self._settings, self._system, self._analyse))
        except KindredError as error:
            if held is None:
                raise
            _LOG.warning("the new collection is not used, the one before still is: %s", error.detail)
            new = held._replace(generation=current)
        with self._changing:
            self._held = new
        self._opened()

    def _changed(self) -> "_Held":
        """What is held, with the changes that there are now."""
        with self._changing:  # a change that was acknowledged is waited for; it takes milliseconds
            held = self._held
            if held is None:
                raise CollectionMissing("no collection is open; run: kindred build")
            self._held = self._over(held.generation, held.built, held)
            return self._held

    def _over(self, generation: str, built: Recommender, held: "_Held | None" = None) -> "_Held":
        changes = self._watch.since(built.collection.manifest, held and held.changes)
        if held is not None and changes.items is held.changes.items:
            return held._replace(changes=changes)
        return _Held(generation, built, changes, changes.over(built))


def desk(
    settings: Settings,
    watched: Callable[[str, int], None] = lambda _generation, _changes: None,
    opened: Callable[[], None] = lambda: None,
) -> Callable[[], Recommender]:
    """What gives the recommender for each question, by the kind of index that is configured."""
    if settings.index.kind == "local":
        return Desk(settings, watched=watched, opened=opened)
    from service.search.engines.elastic.provider import ClusterDesk

    # nothing is watched: live changes lie in the cluster, where the next build finds them as well
    return ClusterDesk(settings, Analyser(settings), opened=opened)


def open_writer(settings: Settings, analyse: Callable[[Sequence[Record]], list[Profile]]) -> Writer:
    """What changes are written with: to the catalogue, and to the cluster where the items lie in one."""
    return Writer(settings, analyse, open_sending(settings, analyse))


def open_sending(
    settings: Settings, analyse: Callable[[Sequence[Record]], list[Profile]]
) -> "Sending | None":
    """What sends live changes to the cluster; None where the index looks at the catalogue itself."""
    if settings.index.kind == "local":
        return None
    from service.search.engines.elastic.provider import ClusterDesk
    from service.search.engines.elastic.sending import Sending

    return Sending(settings, ClusterDesk(settings, analyse).here)


class _Held(NamedTuple):
    generation: str
    built: Recommender
    changes: Changes
    recommender: Recommender


def open_recommender(settings: Settings, system: str | None = None) -> Recommender:
    """The recommender over the collection that was built, and live changes, with a system or the configured.

    Raises ``CollectionMissing``, ``WeightsMissing``, ``UnknownSystem``, ``DamagedArtefact``, or
    ``ResourceMissing`` where the collection lacks a feature that the system needs.
    """
    if settings.index.kind == "elasticsearch":
        from service.search.engines.elastic.provider import ClusterDesk

        return ClusterDesk(settings, Analyser(settings), system)()
    built = open_built(settings, system)
    return Watch(settings.state.catalogue).since(built.collection.manifest).over(built)


def open_built(settings: Settings, system: str | None = None) -> Recommender:
    """The same without live changes; raises ``UsageError`` where the items lie in a cluster."""
    check_local(settings)
    return _open(settings, system, Analyser(settings))


def check_local(settings: Settings) -> None:
    """Raise ``UsageError`` where the items lie in a cluster, and none of them here."""
    if settings.index.kind != "local":
        raise UsageError("this looks at every item, which needs index.kind: local")


def open_language(settings: Settings) -> "Language":
    """The language models that the settings name; raises ``LanguageModelError``."""
    from features.text.language import Language

    return Language(settings.models.language)


def _open(settings: Settings, name: str | None, analyse: Analyser) -> Recommender:
    resources = open_resources(settings)
    collection = Built.open(settings.state.collection, resources)
    if not len(collection):
        raise CollectionMissing("the collection holds no item; run: kindred ingest FILE, then: kindred build")
    variant = choose(settings, resources, name)
    system = open_system(settings, variant.system)
    if absent := absent_features(settings, collection.manifest, [system.name]):
        raise ResourceMissing(_unfit(variant, absent, name))

    def analyse_alike(records: Sequence[Record]) -> list[Profile]:
        # profiles of different models or rules cannot be compared
        if fingerprint(settings.models) != collection.manifest.pipeline:
            raise ResourceMissing(
                "the collection was built with other language models or rules than are used now;"
                " run: kindred build"
            )
        return analyse(records)

    proposer = open_system(settings, variant.retrieval.system) if variant.retrieval else system
    lists = None if proposer.additive is None or variant.retrieval else Lists(collection, proposer)
    index = LocalIndex(collection, proposer, lists)
    return Recommender(index, system, analyse_alike, variant)


def _unfit(variant: Variant, absent: Sequence[str], name: str | None) -> str:
    """Why a collection does not do for the system that answers, and what does."""
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
