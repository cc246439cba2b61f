"""What every engine is opened by: one object, which the registry finds by the name in ``index.kind``."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, cast

from features.profiles.profile import Profile
from ingest.record import Record
from service.operations.writing import Sender
from service.search.engines.registry import Declared, engines
from service.search.recommender import Recommender
from service.settings import Settings

Analyse: TypeAlias = Callable[[Sequence[Record]], list[Profile]]
"""Makes the profiles of records."""

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
        analyse: Analyse,
        system: str | None = None,
        *,
        live: bool = True,
        watched: Callable[[str, int], None] | None = None,
        opened: Callable[[], None] | None = None,
    ) -> Provider:
        """What gives a recommender with a system, None for that of the settings; threads share it.

        ``live``: with the live changes; without them only a whole engine is asked. ``watched`` is called with
        the name of the generation that answers and the number of live changes on top of it, ``opened`` after
        another generation was opened. The provider raises an error of ours while there is nothing to answer
        from, and answers by itself once there is.
        """

    def sender(self, settings: Settings, analyse: Analyse) -> Sender | None:
        """What sends live changes to the engine; None where it reads them from the catalogue itself."""


def chosen(settings: Settings) -> Engine:
    """The engine that the settings name."""
    return cast("Engine", engines()[settings.index.kind])


def whole_engines() -> list[str]:
    """The names of the engines that have all items in this process."""
    return [name for name, engine in engines().items() if cast("Engine", engine).whole]
