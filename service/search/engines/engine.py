"""The protocol of engines: the registry finds one object for each name that ``index.kind`` takes."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, cast

from features.profiles.analysis import fingerprint
from features.profiles.profile import Profile
from ingest.errors import ResourceMissing
from ingest.record import Record
from service.operations.writing import Sender
from service.search.engines.registry import Declared, engines
from service.search.recommender import Recommender
from service.settings import Settings

ProfileMaker: TypeAlias = Callable[[Sequence[Record]], list[Profile]]  # makes the profiles of records

Provider: TypeAlias = Callable[[], Recommender]
"""Gives the recommender for each question, over the items that there are at that moment."""


class Engine(Declared, Protocol):
    """An engine; ``settings`` are the keys that it has in the section ``index``."""

    @property
    def whole(self) -> bool:
        """Whether all items are in this process; what looks at every item works over such an engine only."""

    def provider(
        self,
        settings: Settings,
        analyse: ProfileMaker,
        system: str | None = None,
        *,
        live: bool = True,
        watched: Callable[[str, int], None] | None = None,
        opened: Callable[[], None] | None = None,
    ) -> Provider:
        """The provider of a recommender with a system, None for that of the settings; threads share it.

        ``live``: with the live changes; only a whole engine is opened without them. ``watched`` is called
        with the name of the generation that answers and the number of live changes on top of it, ``opened``
        after another generation was opened. The provider raises an error of ours while there is nothing to
        answer from, and answers by itself once there is.
        """

    def sender(self, settings: Settings, analyse: ProfileMaker) -> Sender | None:
        """What sends live changes to the engine; None where it reads them from the catalogue itself."""


def analysing_alike(settings: Settings, analyse: ProfileMaker, pipeline: str, complaint: str) -> ProfileMaker:
    """``analyse`` for a collection of a pipeline: profiles of other models or rules cannot be compared.

    What it gives raises ``ResourceMissing`` with the complaint where the settings name another pipeline.
    """

    def analyse_alike(records: Sequence[Record]) -> list[Profile]:
        if fingerprint(settings.models) != pipeline:
            raise ResourceMissing(complaint)
        return analyse(records)

    return analyse_alike


def chosen(settings: Settings) -> Engine:
    """The engine that the settings name."""
    return cast("Engine", engines()[settings.index.kind])


def whole_engines() -> list[str]:
    """The names of the engines that have all items in this process."""
    return [name for name, engine in engines().items() if cast("Engine", engine).whole]
